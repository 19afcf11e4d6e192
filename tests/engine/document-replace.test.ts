import { Slice, type Mark, type Node, type Schema } from 'prosemirror-model';
import { EditorState } from 'prosemirror-state';
import {
	AddMarkStep,
	AttrStep,
	RemoveMarkStep,
	ReplaceStep,
	Transform,
	type Step
} from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import {
	beyondMarkdown,
	canReplaceBlocks,
	parseMarkdown,
	replaceBlocks
} from '../../src/lib/canon/participants/document/markdown/index.js';
import { basic, starter } from './document-markdown-schemas.js';

const nodesOf = (text: string, schema: Schema): Node[] => {
	const result = parseMarkdown(text, schema);
	if (!result.ok) throw new Error(result.text);
	return result.nodes;
};

const docOf = (text: string, schema: Schema = basic): Node => schema.node('doc', null, nodesOf(text, schema));

const become = (doc: Node, text: string, ignore = false): Transform => {
	const { schema } = doc.type;
	const options = ignore ? { ignore: beyondMarkdown(schema) } : {};
	const tr = replaceBlocks(new Transform(doc), 0, doc.content.size, nodesOf(text, schema), options);
	tr.doc.check();
	return tr;
};

/** What each step takes away and puts in. */
const told = (tr: Transform): string[] =>
	tr.steps.map((step: Step, at) => {
		if (step instanceof ReplaceStep) {
			return `${tr.docs[at]!.textBetween(step.from, step.to, '¶', '·')} → ${step.slice.content.textBetween(0, step.slice.content.size, '¶', '·')}`;
		}
		if (step instanceof AddMarkStep)
			return `+${step.mark.type.name} ${tr.docs[at]!.textBetween(step.from, step.to)}`;
		if (step instanceof RemoveMarkStep)
			return `-${step.mark.type.name} ${tr.docs[at]!.textBetween(step.from, step.to)}`;
		return step instanceof AttrStep ? `${step.attr} = ${String(step.value)}` : step.constructor.name;
	});

describe('S2-70 only what differs is touched', () => {
	it.each([
		['one two three', 'one 2 three', ['two → 2']],
		['one two three', 'one two three four', [' →  four']],
		['a\n\nb\n\nc', 'a\n\nc', ['b → ']],
		['a\n\nc', 'a\n\nb\n\nc', [' → b']],
		['a b c', 'a **b** c', ['+strong b']],
		['a **b c** d', 'a *b c* d', ['-strong b c', '+em b c']],
		['a **b** c', 'a **bb** c', ['b → bb']],
		['## a b', '### a b', ['level = 3']],
		['## a b', '### a c', ['level = 3', 'b → c']],
		['a b c d', '# a b c d', ['ReplaceAroundStep']],
		['- a\n- b\n- c', '- a\n- B\n- c', ['b → B']],
		['- a\n- b\n- c', '- a\n- c', ['b → ']],
		['- a\n- b', '1. a\n2. b', ['ReplaceAroundStep']],
		['> a\n>\n> b', '> a\n>\n> c', ['b → c']],
		['one. two. three', 'one. four five. three', ['two → four five']],
		['the old sad song', 'a new glad song', ['the old sad → a new glad']]
	])('S2-70 %j becomes %j', (before, after, steps) => {
		const tr = become(docOf(before), after);
		expect(tr.doc.eq(docOf(after))).toBe(true);
		expect(told(tr)).toEqual(steps);
	});

	it('S2-70 characters that people see as one are never parted', () => {
		for (const [before, after] of [
			['a 👩‍👩‍👧 b', 'a 👩‍👩‍👦 b'],
			['a e\u0301 b', 'a e b'],
			['🇪🇸🇫🇷', '🇪🇸🇩🇪'],
			['😀😁', '😀😂'],
			['שָׁלוֹם עולם', 'שָׁלוֹם חדש']
		] as const) {
			const tr = become(docOf(before), after);
			expect(tr.doc.eq(docOf(after))).toBe(true);
			for (const [at, step] of tr.steps.entries()) {
				const { from, to } = step as ReplaceStep;
				const text = tr.docs[at]!.textContent;
				const edges = new Set([0]);
				for (const { index, segment } of new Intl.Segmenter().segment(text))
					edges.add(index + segment.length);
				expect(edges.has(from - 1) && edges.has(to - 1)).toBe(true);
			}
		}
	});

	it('S2-70 writing without spaces is compared by characters', () => {
		expect(told(become(docOf('我喜欢红苹果'), '我喜欢绿苹果'))).toEqual(['红 → 绿']);
	});

	it('S2-70 S2-67 ids and authorship of what stays, stay', () => {
		const agent = basic.marks.agentText!.create({ run: 'r1', agent: 'Ada' });
		const doc = basic.node('doc', null, [
			basic.node('paragraph', { id: 'p1' }, [
				basic.text('mine '),
				basic.text('hers and', [agent]),
				basic.text(' more')
			]),
			basic.node('paragraph', { id: 'p2' }, [basic.text('second one')])
		]);
		const tr = become(doc, 'new\n\nmine hers or more\n\nsecond **one**');
		expect(tr.doc.childCount).toBe(3);
		expect([0, 1, 2].map((at) => tr.doc.child(at).attrs.id as unknown)).toEqual([null, 'p1', 'p2']);
		expect(tr.doc.child(1).child(1).text).toBe('hers ');
		expect(agent.isInSet(tr.doc.child(1).child(1).marks)).toBe(true);
		expect(told(tr)).toEqual(['+strong one', 'and → or', ' → new']);
	});

	it('S2-70 the caret and what is typed beside keep their places', () => {
		const doc = docOf('The quick brown fox jumps over the dog');
		const before = EditorState.create({ doc });
		const tr = replaceBlocks(
			before.tr,
			0,
			doc.content.size,
			nodesOf('The slow brown fox leaps over the dog', basic)
		);
		expect(tr.mapping.map(14)).toBe(13);
		const typed = new Transform(doc).replace(
			17,
			17,
			new Slice(basic.node('paragraph', null, [basic.text('red ')]).content, 0, 0)
		);
		let both = typed.doc;
		for (const step of [...tr.steps]) both = step.map(typed.mapping)!.apply(both).doc!;
		expect(both.textContent).toContain('red ');
		expect(both.textContent).toContain('slow');
		expect(both.textContent).toContain('leaps');
	});
});

describe('S2-70 what Markdown cannot say is kept', () => {
	const link = (attrs: Record<string, unknown>): Mark => starter.marks.link!.create({ href: '/a', ...attrs });

	it('S2-70 a target of a link, a width of a column', () => {
		const cell = (type: string, text: string): Node =>
			starter.node(type, { colwidth: [120] }, [starter.node('paragraph', null, starter.text(text))]);
		const doc = starter.node('doc', null, [
			starter.node('paragraph', null, [
				starter.text('go '),
				starter.text('there', [link({ class: 'button' })])
			]),
			starter.node('table', null, [
				starter.node('tableRow', null, [cell('tableHeader', 'a')]),
				starter.node('tableRow', null, [cell('tableCell', 'b')])
			])
		]);
		const after = 'come [there](/a)\n\n| a |\n|---|\n| c |';
		const kept = become(doc, after, true);
		expect(told(kept)).toEqual(['b → c', 'go → come']);
		expect(kept.doc.child(0).child(1).marks[0]!.attrs.class).toBe('button');
		expect(kept.doc.child(1).child(1).child(0).attrs.colwidth).toEqual([120]);
		// Without it, what was written is all there is.
		expect(become(doc, after).doc.eq(docOf(after, starter))).toBe(true);
	});
});

describe('S2-70 what does not fit is said before anything is done', () => {
	it('S2-70 a document is never empty, a list takes items', () => {
		const doc = docOf('- a\n- b\n\nc');
		expect(canReplaceBlocks(doc, 0, doc.content.size, [])).toMatchObject({ ok: false, code: 'schema' });
		expect(canReplaceBlocks(doc, 1, 6, nodesOf('x', basic))).toMatchObject({ ok: false, code: 'schema' });
		const tr = new Transform(doc);
		expect(() => replaceBlocks(tr, 0, doc.content.size, [])).toThrow('Ask canReplaceBlocks() before');
		expect(() => replaceBlocks(tr, 2, 4, [])).toThrow(RangeError);
		expect(() => canReplaceBlocks(doc, 3, 12, [])).toThrow('whole blocks of one parent');
		expect(tr.steps).toEqual([]);
	});

	it('S2-70 part of a document', () => {
		const doc = docOf('a\n\nb\n\nc');
		const tr = replaceBlocks(new Transform(doc), 3, 6, nodesOf('x\n\ny', basic));
		expect(tr.doc.eq(docOf('a\n\nx\n\ny\n\nc'))).toBe(true);
		expect(
			replaceBlocks(new Transform(doc), 3, 3, nodesOf('x', basic)).doc.eq(docOf('a\n\nx\n\nb\n\nc'))
		).toBe(true);
	});

	it('S2-70 two texts with nothing in common cost one step', () => {
		const words = (from: number): string =>
			Array.from({ length: 3_000 }, (_, at) => `w${from + at}`).join(' ');
		const tr = become(docOf(words(0)), words(10_000));
		expect(tr.doc.eq(docOf(words(10_000)))).toBe(true);
		expect(tr.steps.length).toBe(1);
	});
});
