import { history, undo, undoDepth } from 'prosemirror-history';
import { Fragment } from 'prosemirror-model';
import { EditorState } from 'prosemirror-state';
import { Step } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import * as timeline from '../../src/lib/canon/participants/document/timeline/index.js';
import { WordsStep } from '../../src/lib/canon/participants/document/timeline/stand/words-step.js';
import { prng } from '../fixtures/document/prng.js';
import { block, schema } from '../fixtures/document/schema.js';

const bold = schema.marks.bold.create();

/** A block of text of several nodes, and patches in it. */
function drawn(seed: number) {
	const random = prng(seed);
	const inline = Array.from({ length: 1 + random.int(5) }, () =>
		random.chance(20)
			? schema.node('pic', { src: 'a.png' })
			: schema.text('abcdefghij'.slice(0, 1 + random.int(9)), random.chance(40) ? [bold] : [])
	);
	const doc = schema.node('doc', null, [
		block('p', 'before'),
		schema.node('p', null, inline),
		block('h', 'after')
	]);
	const start = 9;
	const patches = [];
	let at = start;
	const end = start + doc.child(1).content.size;
	while (at <= end) {
		const from = at + random.int(4);
		const to = Math.min(end, from + random.int(4));
		if (from > end) break;
		const content = Fragment.from(random.chance(60) ? schema.text('XYZ'.slice(random.int(3))) : null);
		if (to > from || content.size > 0) patches.push({ from, to, content });
		at = to + 1;
	}
	return { doc, patches, random };
}

describe('many small edits in one block of text at once', () => {
	test('S2-75 they give what one step each would give, and so do their positions, their inverse and their JSON', () => {
		let compared = 0;
		for (let seed = 0; seed < 300; seed++) {
			const { doc, patches } = drawn(seed);
			if (patches.length === 0) continue;
			compared++;
			const step = new WordsStep(patches);
			const single = EditorState.create({ doc }).tr;
			for (const { from, to, content } of patches.toReversed()) single.replaceWith(from, to, content);
			const { doc: after } = step.apply(doc);
			expect(after?.eq(single.doc)).toBe(true);
			for (let pos = 0; pos <= doc.content.size; pos++)
				for (const side of [-1, 1]) expect(step.getMap().map(pos, side)).toBe(single.mapping.map(pos, side));
			expect(step.invert(doc).apply(after!).doc?.eq(doc)).toBe(true);
			const read = Step.fromJSON(schema, JSON.parse(JSON.stringify(step.toJSON())));
			expect(read.apply(doc).doc?.eq(after!)).toBe(true);
			const shifted = EditorState.create({ doc }).tr.insertText('12', 1);
			const mapped = step.map(shifted.mapping)!.apply(shifted.doc).doc!;
			expect(mapped.child(1).eq(after!.child(1))).toBe(true);
		}
		expect(compared).toBeGreaterThan(200);
	});

	test('S2-75 they may lie in several blocks, at any depth; outside of text they are refused', () => {
		const { doc } = drawn(1);
		const content = Fragment.from(schema.text('X'));
		const at = (...all: (readonly [number, number])[]) =>
			new WordsStep(all.map(([from, to]) => ({ from, to, content }))).apply(doc);
		const { size } = doc.content;
		const two = at([2, 3], [size - 2, size - 1]).doc!;
		expect(two.firstChild!.textContent).toBe('bXfore');
		expect(two.lastChild!.textContent).toBe('afteX');
		two.check();
		expect(two.child(1)).toBe(doc.child(1));
		for (const bad of [at([0, 0]), at([7, 9]), at([0, 8]), at([2, 3], [8, 8]), at([size, size + 1])])
			expect(bad.failed).toBeTruthy();
	});

	test('S2-74 the history of the person goes on where the run was taken back between their letters', () => {
		let state = EditorState.create({
			doc: schema.node('doc', null, [block('p', '')]),
			plugins: [history(), timeline.undoTimeline()]
		});
		state = state.apply(timeline.beginRun(state, 'r'));
		for (let i = 0; i < 40; i++) {
			state = state.apply(state.tr.insertText(String.fromCharCode(97 + (i % 26)), 1 + 2 * i));
			state = state.apply(timeline.edit(state, 'r', (tr) => tr.insertText('R', 2 + 2 * i)));
		}
		state = state.apply(timeline.endRun(state, 'r'));
		const back = timeline.undoRun(state, 'r')!;
		expect(back.tr.steps).toHaveLength(1);
		state = state.apply(back.tr);
		const letters = Array.from({ length: 40 }, (_, i) => String.fromCharCode(97 + (i % 26))).join('');
		expect(state.doc.textContent).toBe(letters);
		while (undoDepth(state) > 0) {
			const before = state.doc.textContent;
			undo(state, (tr) => (state = state.apply(tr)));
			expect(before.startsWith(state.doc.textContent)).toBe(true);
			expect(state.doc.textContent.length).toBeLessThan(before.length);
		}
		expect(state.doc.textContent).toBe('');
	});
});
