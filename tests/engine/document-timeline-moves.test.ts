import type { Transaction } from 'prosemirror-state';
import { TextSelection } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import {
	timelineFromJSON,
	timelineKey,
	timelineToJSON
} from '../../src/lib/canon/participants/document/timeline/index.js';
import { p, schema, Sheet } from '../fixtures/timeline.js';

const BLOCKS = ['one', 'two', 'three', 'four'];

/** The block at an index goes before another one, in one transaction. */
const move =
	(from: number, before: number) =>
	(tr: Transaction): Transaction => {
		const at = (index: number): number => {
			let pos = 0;
			for (let i = 0; i < index; i++) pos += tr.doc.child(i).nodeSize;
			return pos;
		};
		const node = tr.doc.child(from);
		const [start, target] = [at(from), at(before)];
		tr.delete(start, start + node.nodeSize);
		return tr.insert(target > start ? target - node.nodeSize : target, node);
	};

const startOf = (tr: Transaction, text: string): number => {
	let found = -1;
	tr.doc.forEach((node, pos) => {
		if (node.textContent === text) found = pos;
	});
	return found;
};
const remove =
	(text: string) =>
	(tr: Transaction): Transaction =>
		tr.delete(startOf(tr, text), startOf(tr, text) + text.length + 2);
const type =
	(text: string, into: string) =>
	(tr: Transaction): Transaction =>
		tr.insertText(text, startOf(tr, into) + 2);

/** Undo gives what was, redo what had become of it; both as often as one likes. */
function thereAndBack(sheet: Sheet, runs: readonly string[], before: string): void {
	const after = sheet.said;
	for (let round = 0; round < 2; round++)
		for (const order of [runs, runs.toReversed()]) {
			for (const run of order) expect(sheet.undo(run)).toMatchObject({ stuck: 0, kept: 0 });
			expect(sheet.said).toBe(before);
			for (const run of order) expect(sheet.redo(run)).toMatchObject({ stuck: 0, kept: 0 });
			expect(sheet.said).toBe(after);
		}
}
const HOME = 'p("one"), p("two"), p("three"), p("four")';

describe('a block that a run moved and did more with', () => {
	it('S2-75 moved and removed: it comes home, not to where it had been moved', () => {
		const sheet = new Sheet(BLOCKS).run('r', move(0, 3), remove('one'));
		expect(sheet.said).toBe('p("two"), p("three"), p("four")');
		thereAndBack(sheet, ['r'], HOME);
	});

	it('S2-75 moved twice and removed', () => {
		const sheet = new Sheet(BLOCKS).run('r', move(0, 3), move(2, 4), remove('one'));
		thereAndBack(sheet, ['r'], HOME);
	});

	it('S2-75 moved, written in and removed', () => {
		const sheet = new Sheet(BLOCKS).run('r', move(0, 4), type('RR', 'one'), remove('oRRne'));
		thereAndBack(sheet, ['r'], HOME);
	});

	it('S2-75 moved, then the person writes in it, then removed: their words come home with it', () => {
		const sheet = new Sheet(BLOCKS).run('r', move(0, 4));
		sheet.person(type('XX', 'one')).write('r', remove('oXXne'));
		thereAndBack(sheet, ['r'], 'p("oXXne"), p("two"), p("three"), p("four")');
	});

	it('S2-75 removed and put in again elsewhere, word for word', () => {
		const sheet = new Sheet(BLOCKS).run('r', remove('one'), (tr) => tr.insert(tr.doc.content.size, p('one')));
		expect(sheet.said).toBe('p("two"), p("three"), p("four"), p("one")');
		thereAndBack(sheet, ['r'], HOME);
	});

	it('S2-75 the first of all blocks of the document, moved; the rest removed', () => {
		const sheet = new Sheet(['one', 'two']).run('r', move(0, 2), remove('two'));
		thereAndBack(sheet, ['r'], 'p("one"), p("two")');
		const both = new Sheet(BLOCKS)
			.run('r', move(0, 4))
			.run('s', remove('two'), remove('three'), remove('four'));
		thereAndBack(both, ['r', 's'], HOME);
	});

	it('S2-75 moved and joined with the block before it', () => {
		const sheet = new Sheet(BLOCKS).run('r', move(0, 4), (tr) => tr.join(startOf(tr, 'one')));
		expect(sheet.said).toBe('p("two"), p("three"), p("fourone")');
		sheet.person((tr) => tr.insertText('X', startOf(tr, 'fourone') + 6));
		thereAndBack(sheet, ['r'], 'p("oXne"), p("two"), p("three"), p("four")');
	});

	it('S2-75 split, and one half moved', () => {
		const sheet = new Sheet(BLOCKS).run('r', (tr) => tr.split(3), move(1, 5));
		expect(sheet.said).toBe('p("on"), p("two"), p("three"), p("four"), p("e")');
		sheet.person((tr) => tr.insertText('X', startOf(tr, 'e') + 1));
		thereAndBack(sheet, ['r'], 'p("onXe"), p("two"), p("three"), p("four")');
	});

	it('S2-75 the caret stays with the letter it stands behind', () => {
		const sheet = new Sheet(BLOCKS).run('r', move(0, 4), (tr) => tr.join(startOf(tr, 'one')));
		sheet.person((tr) => tr.setSelection(TextSelection.create(tr.doc, startOf(tr, 'fourone') + 7)));
		sheet.undo('r');
		expect(sheet.state.selection.head).toBe(3);
		sheet.redo('r');
		expect(sheet.state.selection.head).toBe(startOf(sheet.state.tr, 'fourone') + 7);
	});
});

describe('a block that one run moved and another one removed', () => {
	it('S2-75 is home when both are undone, in either order', () => {
		const sheet = new Sheet(BLOCKS).run('a', move(0, 3)).run('b', remove('one'));
		thereAndBack(sheet, ['a', 'b'], HOME);
	});

	it('S2-75 moved by the one and again by the other', () => {
		const sheet = new Sheet(BLOCKS).run('a', move(0, 3)).run('b', move(2, 0), move(0, 4));
		thereAndBack(sheet, ['a', 'b'], HOME);
	});

	it('S2-75 moved by the one and joined by the other: it waits for the join, also over a reload', () => {
		const sheet = new Sheet(BLOCKS).run('a', move(0, 4)).run('b', (tr) => tr.join(startOf(tr, 'one')));
		const after = sheet.said;
		expect(sheet.undo('a')).toMatchObject({ moved: 0, stuck: 1 });
		expect(sheet.said).toBe(after);
		const table = timelineKey.getState(sheet.state)!;
		const json: unknown = JSON.parse(JSON.stringify(timelineToJSON(table)));
		expect(timelineFromJSON(json, sheet.doc).owed).toEqual(table.owed);
		expect(sheet.undo('b')).toMatchObject({ moved: 1, stuck: 0 });
		expect(sheet.said).toBe(HOME);
		sheet.redo('b');
		sheet.redo('a');
		expect(sheet.said).toBe(after);
	});

	it('S2-75 a move that waits and is redone is where it belongs', () => {
		const sheet = new Sheet(BLOCKS).run('a', move(0, 4)).run('b', (tr) => tr.join(startOf(tr, 'one')));
		const after = sheet.said;
		sheet.undo('a');
		expect(sheet.redo('a')).toMatchObject({ moved: 0, stuck: 0 });
		expect(sheet.said).toBe(after);
		thereAndBack(sheet, ['b'], 'p("two"), p("three"), p("four"), p("one")');
	});
});

describe('what the person does with a block that a run moved', () => {
	it('S2-75 a paragraph put before it stays where it was put', () => {
		const sheet = new Sheet(BLOCKS).run('r', move(0, 4));
		sheet.person((tr) => tr.insert(startOf(tr, 'one'), p('mine')));
		expect(sheet.undo('r')).toMatchObject({ moved: 1, stuck: 0 });
		expect(sheet.said).toBe('p("one"), p("two"), p("three"), p("four"), p("mine")');
	});

	it('S2-75 put into a quote by the person it stays there: a quote cannot be empty', () => {
		const sheet = new Sheet(BLOCKS).run('r', move(0, 4));
		sheet.person((tr) => {
			const $pos = tr.doc.resolve(startOf(tr, 'one') + 1);
			return tr.wrap($pos.blockRange()!, [{ type: schema.nodes.quote! }]);
		});
		expect(sheet.undo('r')).toMatchObject({ stuck: 1 });
		expect(sheet.said).toBe('p("two"), p("three"), p("four"), quote(p("one"))');
	});

	it('S2-75 removed by the person it does not come back', () => {
		const sheet = new Sheet(BLOCKS).run('r', move(0, 4));
		sheet.person(remove('one'));
		expect(sheet.undo('r')).toMatchObject({ moved: 0, stuck: 1 });
		expect(sheet.said).toBe('p("two"), p("three"), p("four")');
	});

	it('S2-75 moved by the person it stays where they put it', () => {
		const sheet = new Sheet(BLOCKS).run('r', move(0, 4));
		sheet.person(move(3, 1));
		sheet.undo('r');
		expect(sheet.said).toBe('p("two"), p("one"), p("three"), p("four")');
	});
});
