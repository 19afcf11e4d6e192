import { Fragment } from 'prosemirror-model';
import { Step, Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import { undoRun, WordsStep } from '../../src/lib/canon/participants/document/timeline/index.js';
import { p, schema, Sheet } from '../fixtures/timeline.js';

const bold = schema.marks.bold!.create();
const doc = schema.node('doc', null, [p('one ', schema.text('two', [bold]), ' three'), p('next')]);
const words = (text: string) => Fragment.from(text ? schema.text(text) : null);
const step = new WordsStep([
	{ from: 1, to: 2, content: words('') },
	{ from: 3, to: 3, content: words('XY') },
	{ from: 6, to: 10, content: words('Z') }
]);

describe('many words in one step', () => {
	it('S2-75 does what the single replacements do, one after another', () => {
		const single = new Transform(doc)
			.replaceWith(6, 10, schema.text('Z'))
			.insert(3, schema.text('XY'))
			.delete(1, 2);
		const at = new Transform(doc).step(step);
		expect(at.doc.eq(single.doc)).toBe(true);
		for (let pos = 0; pos <= doc.content.size; pos++)
			expect([at.mapping.map(pos, -1), at.mapping.map(pos, 1)]).toEqual([
				single.mapping.map(pos, -1),
				single.mapping.map(pos, 1)
			]);
	});

	it('S2-75 is inverted, sent and moved as any step', () => {
		const after = step.apply(doc).doc!;
		expect(step.invert(doc).apply(after).doc!.eq(doc)).toBe(true);
		const sent = Step.fromJSON(schema, JSON.parse(JSON.stringify(step.toJSON())) as object);
		expect(sent.apply(doc).doc!.eq(after)).toBe(true);
		const before = new Transform(doc).insert(0, p('new'));
		expect(step.map(before.mapping)!.apply(before.doc).doc!.child(1).eq(after.child(0))).toBe(true);
		const gone = new Transform(doc).delete(0, doc.firstChild!.nodeSize);
		expect(step.map(gone.mapping)).toBeNull();
	});

	it('S2-75 fails outside textblocks, and leaves the document alone', () => {
		const over = new WordsStep([{ from: 1, to: 19, content: words('') }]);
		expect(over.apply(doc).failed).toBeTruthy();
		expect(new WordsStep([{ from: 1, to: 99, content: words('') }]).apply(doc).failed).toBeTruthy();
	});

	it('S2-75 an undo of many edits in one block is one step, and the person’s own undo still fits', () => {
		const sheet = new Sheet(['']);
		for (let i = 0; i < 40; i++)
			sheet.write('r', (tr) => tr.insertText('r', 1)).person((tr) => tr.insertText('m', 1));
		const { tr } = undoRun(sheet.end('r').state, 'r')!;
		expect(tr.steps).toHaveLength(1);
		expect(sheet.apply(tr).doc.textContent).toBe('m'.repeat(40));
		sheet.redo('r');
		expect(sheet.doc.textContent).toBe('mr'.repeat(40));
	});

	it('S2-75 an undo of words in many blocks is one step too, or as many plain ones as one asks for', () => {
		for (const steps of ['any', 'plain'] as const) {
			const sheet = new Sheet(
				Array.from({ length: 40 }, () => 'one'),
				{ steps }
			);
			const before = sheet.doc;
			for (let i = 0; i < 40; i++) sheet.write('r', (tr) => tr.insertText('r', 2 + 6 * i));
			const after = sheet.end('r').doc;
			const { tr } = undoRun(sheet.state, 'r')!;
			expect(tr.steps.map((each) => each instanceof WordsStep)).toEqual(
				steps === 'plain' ? Array.from({ length: 40 }, () => false) : [true]
			);
			expect(sheet.apply(tr).doc.eq(before)).toBe(true);
			sheet.redo('r');
			expect(sheet.doc.eq(after)).toBe(true);
		}
	});
});
