import { undo } from 'prosemirror-history';
import { toggleMark } from 'prosemirror-commands';
import { Schema } from 'prosemirror-model';
import { TextSelection } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import { actingAs } from '../../src/lib/actor/index.js';
import { createDocumentProvider } from '../../src/lib/canon/participants/document/index.js';
import { desk, h, p, person, schema, type Desk } from '../fixtures/document/desk.js';

const letter = () => desk([h(1, 'Letter', 'title'), p('Dear Bruno, thank you', 'hello'), p('Yours', 'bye')]);
const by = { agent: 'ada', name: 'Ada', version: '2', at: 1000 };
const bold = (one: Desk, run: string, quote = 'Bruno') =>
	one.as(run, () => one.document.format('hello', { mark: 'strong', quote }));

describe('S2-108 every format of an agent says which run, which agent, which version', () => {
	it('a mark on words, the kind of a block, an attribute', () => {
		const one = letter();
		bold(one, 'r1');
		one.as('r2', () => one.document.format('bye', { type: 'heading', attrs: { level: 2 } }));
		one.as('r3', () => one.document.format('title', { type: 'heading', attrs: { level: 3 } }));
		expect(one.document.formats()).toEqual([
			expect.objectContaining({
				run: 'r3',
				by,
				block: 'title',
				what: 'attribute',
				name: 'level',
				was: 1,
				now: 3
			}),
			expect.objectContaining({
				run: 'r1',
				by,
				block: 'hello',
				what: 'mark',
				name: 'strong',
				was: null,
				now: {}
			}),
			expect.objectContaining({
				run: 'r2',
				by,
				block: 'bye',
				what: 'type',
				was: 'paragraph',
				now: 'heading'
			}),
			expect.objectContaining({ run: 'r2', by, block: 'bye', what: 'attribute', name: 'level', now: 2 })
		]);
		const { from, to } = one.document.formats()[1]!;
		expect(one.view.state.doc.textBetween(from, to)).toBe('Bruno');
		expect(one.document.provenance()).toEqual([]);
	});

	it('another provider over the same editor knows it too', () => {
		const one = letter();
		bold(one, 'r1');
		expect(createDocumentProvider(one.view).formats()).toMatchObject([{ run: 'r1', by }]);
	});

	it('what was taken back, and what the person said since, is no agent’s', async () => {
		const one = letter();
		bold(one, 'r1', 'Dear');
		bold(one, 'r2', 'thank');
		one.document.end('r1');
		await one.document.undo('r1');
		expect(one.document.formats().map(({ run }) => run)).toEqual(['r2']);
		await one.document.redo('r1');
		expect(one.document.formats().map(({ run }) => run)).toEqual(['r1', 'r2']);
		actingAs(person, () => {
			const { from, to } = one.document.formats()[1]!;
			one.view.dispatch(one.view.state.tr.setSelection(TextSelection.create(one.view.state.doc, from, to)));
			toggleMark(schema.marks['strong']!)(one.view.state, one.view.dispatch.bind(one.view));
		});
		expect(one.document.formats().map(({ run }) => run)).toEqual(['r1']);
	});

	it('words, comments and moves of an agent are not among them: they say it themselves', () => {
		const one = letter();
		one.as('r1', () => one.document.insert('end', 'A **new** one'));
		one.as('r1', () => one.document.comment('hello', 'Who?', 'Bruno'));
		one.as('r1', () => one.document.move('bye', 'start'));
		expect(one.document.formats()).toEqual([]);
		expect(one.document.comments()[0]).toMatchObject({ by: 'ada', run: 'r1', version: '2', at: 1000 });
		expect(one.view.dom.querySelector('[data-comment]')!.getAttribute('data-run')).toBe('r1');
		expect(one.document.provenance()).toMatchObject([{ run: 'r1', text: 'A new one' }]);
	});
});

/** Code as Tiptap has it: no mark at all on its words. */
const strict = new Schema({
	nodes: schema.spec.nodes.update('code_block', { ...schema.spec.nodes.get('code_block')!, marks: '' }),
	marks: schema.spec.marks
});

describe('S2-67 code that takes no marks says who wrote it as a block', () => {
	const code = (text: string) => strict.node('code_block', { id: 'code' }, [strict.text(text)]);
	const desks = () =>
		desk(strict.node('doc', null, [strict.node('paragraph', { id: 'a' }), code('let a = 1;')]));
	const claim = (one: Desk) =>
		one.document.provenance().map(({ run, agent, text, block }) => [run, agent, text, block]);

	it('when it is inserted: found, described, accepted, brought back', () => {
		const one = desks();
		one.as('r1', () => one.document.insert('end', '```\nlet b = 2;\n```'));
		expect(claim(one)).toEqual([['r1', 'ada', 'let b = 2;', 'n1']]);
		const dom = () => one.view.dom.querySelectorAll('pre')[1]!;
		expect(dom().getAttribute('aria-description')).toBe('Written by Ada');
		expect(dom().getAttribute('data-initial')).toBe('A');
		actingAs(person, () => one.document.accept({ block: 'n1' }));
		expect(claim(one)).toEqual([]);
		expect(dom().hasAttribute('aria-description')).toBe(false);
		undo(one.view.state, one.view.dispatch.bind(one.view));
		expect(claim(one)).toHaveLength(1);
	});

	it('when the person’s own is changed, until that is taken back', async () => {
		const one = desks();
		one.as('r1', () => one.document.replaceText('code', 'a', 'total'));
		expect(claim(one)).toEqual([['r1', 'ada', 'let total = 1;', 'code']]);
		one.document.end('r1');
		await one.document.undo('r1');
		expect(claim(one)).toEqual([]);
		expect(one.view.state.doc.child(1).textContent).toBe('let a = 1;');
	});

	it('what is typed behind it in a block of its own is the person’s', () => {
		const one = desks();
		one.as('r1', () => one.document.insert('end', '```\nlet b = 2;\n```'));
		actingAs(person, () => one.view.dispatch(one.view.state.tr.split(one.view.state.doc.content.size - 3)));
		expect(one.view.state.doc.childCount).toBe(4);
		expect(claim(one)).toHaveLength(1);
	});
});

describe('S2-71 a provider that goes leaves the editor as it was', () => {
	it('its state goes, what the plugins say stays', () => {
		const one = letter();
		expect(one.view.dom.dataset).toMatchObject({ participant: 'document', state: 'idle' });
		one.document.destroy();
		expect(one.view.dom.dataset['participant']).toBe('document');
		expect(one.view.dom.dataset['state']).toBeUndefined();
	});
});
