import { history, redo as historyRedo, undo as historyUndo, undoDepth } from 'prosemirror-history';
import type { Command } from 'prosemirror-state';
import { TextSelection } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import {
	beginRun,
	edit,
	isTakeBack,
	nextUnit,
	rangesOf,
	redo,
	redoRun,
	runOf,
	runs,
	undo,
	undoneUnits,
	undoRun,
	undoTimeline,
	units
} from '../../src/lib/canon/participants/document/timeline/index.js';
import { schema, Sheet } from '../fixtures/timeline.js';

const go = (sheet: Sheet, command: Command): boolean => command(sheet.state, (tr) => sheet.apply(tr));
const type = (sheet: Sheet, text: string): void =>
	void sheet.person((tr) => tr.insertText(text, tr.doc.firstChild!.nodeSize - 1));
const agent = (sheet: Sheet, run: string, text: string): void =>
	void sheet.run(run, (tr) => tr.insert(1, schema.text(text)));
const names = (sheet: Sheet): string[] =>
	units(sheet.state).map((unit) => (unit.by === 'run' ? unit.run : 'me'));

describe('the timeline', () => {
	it('S2-75 takes back in order of time over two runs, and brings back in the exact reverse', () => {
		const sheet = new Sheet(['Hello']);
		const seen = [sheet.doc.textContent];
		type(sheet, ' one');
		agent(sheet, 'r1', '1');
		type(sheet, ' two');
		agent(sheet, 'r2', '2');
		expect(names(sheet)).toEqual(['me', 'r1', 'me', 'r2']);
		for (let i = 0; i < 4; i++) {
			go(sheet, undo);
			seen.push(sheet.doc.textContent);
		}
		expect(seen).toEqual(['Hello', '1Hello one two', '1Hello one', 'Hello one', 'Hello']);
		for (let i = 0; i < 4; i++) {
			go(sheet, redo);
			seen.push(sheet.doc.textContent);
		}
		expect(seen.slice(5)).toEqual(['Hello one', '1Hello one', '1Hello one two', '21Hello one two']);
		expect(go(sheet, redo)).toBe(false);
	});

	it('S2-75 typing side by side before and after a run is two events', () => {
		const sheet = new Sheet(['x']);
		type(sheet, 'ab');
		agent(sheet, 'r', 'R');
		type(sheet, 'cd');
		go(sheet, undo);
		expect(sheet.doc.textContent).toBe('Rxab');
		go(sheet, undo);
		expect(sheet.doc.textContent).toBe('xab');
		go(sheet, undo);
		expect(sheet.doc.textContent).toBe('x');
	});

	it('S2-75 typing ends what Mod-Shift-z could bring back, not what redo of the run can', () => {
		const sheet = new Sheet(['x']);
		agent(sheet, 'r', 'R');
		go(sheet, undo);
		expect(undoneUnits(sheet.state)).toEqual([{ by: 'run', run: 'r' }]);
		type(sheet, 'y');
		expect(undoneUnits(sheet.state)).toEqual([]);
		expect(go(sheet, redo)).toBe(false);
		sheet.redo('r');
		expect(sheet.doc.textContent).toBe('Rxy');
		expect(names(sheet)).toEqual(['me', 'r']);
	});

	it('S2-75 an older run taken back by its name comes back first', () => {
		const sheet = new Sheet(['x']);
		agent(sheet, 'r1', '1');
		agent(sheet, 'r2', '2');
		sheet.undo('r1');
		expect(names(sheet)).toEqual(['r2']);
		go(sheet, undo);
		go(sheet, redo);
		expect(names(sheet)).toEqual(['r2']);
		go(sheet, redo);
		expect(sheet.doc.textContent).toBe('21x');
	});

	it('S2-75 while a run is live Mod-z is the person’s own and the run cannot be taken back', () => {
		const sheet = new Sheet(['x']);
		type(sheet, 'ab');
		sheet.apply(beginRun(sheet.state, 'r')).write('r', (tr) => tr.insert(1, schema.text('R')));
		expect(undoRun(sheet.state, 'r')).toBeNull();
		expect(nextUnit(sheet.state, 'undo')).toEqual({ by: 'person' });
		go(sheet, undo);
		expect(sheet.doc.textContent).toBe('Rx');
		sheet.end('r');
		expect(sheet.undo('r').removed).toBe(1);
	});

	it('S2-75 unknown runs, live ones, and the same twice give null', () => {
		const sheet = new Sheet(['x']);
		agent(sheet, 'r', 'R');
		expect(undoRun(sheet.state, 'nobody')).toBeNull();
		expect(undoRun(sheet.state, 'constructor')).toBeNull();
		expect(redoRun(sheet.state, 'r')).toBeNull();
		sheet.undo('r');
		expect(undoRun(sheet.state, 'r')).toBeNull();
	});

	it('S2-75 the history forgets beyond its depth, and its events leave the timeline', () => {
		const sheet = new Sheet(['x'], { depth: 3 });
		agent(sheet, 'r', 'R');
		for (let i = 0; i < 40; i++)
			sheet.person((tr) => tr.insertText('a', i % 2 ? 1 : tr.doc.content.size - 1));
		const depth = undoDepth(sheet.state) as number;
		expect(depth).toBeLessThan(25);
		expect(names(sheet)).toEqual(['r', ...Array.from({ length: depth }, () => 'me')]);
		for (let i = 0; i <= depth; i++) go(sheet, undo);
		expect(sheet.doc.textContent).not.toContain('R');
	});

	it('S2-75 a history set up anew leaves no stale event behind', () => {
		const sheet = new Sheet(['x']);
		type(sheet, 'a');
		agent(sheet, 'r', 'R');
		const [, timeline] = sheet.state.plugins;
		sheet.state = sheet.state.reconfigure({ plugins: [timeline!] });
		sheet.state = sheet.state.reconfigure({ plugins: [history(), timeline!] });
		type(sheet, 'b');
		expect(names(sheet)).toEqual(['r', 'me']);
		go(sheet, undo);
		go(sheet, undo);
		expect(sheet.doc.textContent).toBe('xa');
		expect(go(sheet, undo)).toBe(false);
	});

	it('S2-75 a table that missed a change of the document is not used for it', () => {
		const sheet = new Sheet(['x']);
		agent(sheet, 'r', 'R');
		const [past] = sheet.state.plugins;
		sheet.state = sheet.state.reconfigure({ plugins: [past!] });
		type(sheet, 'b');
		sheet.state = sheet.state.reconfigure({ plugins: [past!, undoTimeline()] });
		expect(runs(sheet.state)).toEqual([]);
		expect(undoRun(sheet.state, 'r')).toBeNull();
	});

	it('S2-75 the history’s own commands keep the timeline true', () => {
		const sheet = new Sheet(['x']);
		type(sheet, 'a');
		agent(sheet, 'r', 'R');
		go(sheet, historyUndo);
		expect(names(sheet)).toEqual(['r']);
		go(sheet, historyRedo);
		expect(names(sheet)).toEqual(['r', 'me']);
	});
});

describe('an edit of a run', () => {
	it('S2-74 leaves caret and stored marks where they were', () => {
		const sheet = new Sheet(['hello']);
		sheet.apply(sheet.state.tr.setSelection(TextSelection.create(sheet.doc, 3)));
		sheet.apply(sheet.state.tr.addStoredMark(schema.marks.bold!.create()));
		sheet.write(
			'r',
			(tr) => tr.insertText('XX', 3),
			(tr) => tr.insertText('Y', 1)
		);
		expect(sheet.state.selection.head).toBe(4);
		expect(sheet.state.storedMarks).toHaveLength(1);
	});

	it('S2-75 begins a run that was not begun, and belongs to it after its end too', () => {
		const sheet = new Sheet(['x']).write('r', (tr) => tr.insertText('A', 1));
		expect(runs(sheet.state)).toEqual([{ run: 'r', live: true, stands: true }]);
		sheet.end('r').write('r', (tr) => tr.insertText('B', 3));
		expect(sheet.doc.textContent).toBe('AxB');
		sheet.undo('r');
		expect(sheet.doc.textContent).toBe('x');
	});

	it('S2-75 a run may be called as anything is called', () => {
		for (const run of ['toString', '__proto__', 'constructor', '', 'a/0']) {
			const sheet = new Sheet(['x']).write(run, (tr) => tr.insertText('A', 1));
			expect(runs(sheet.state)).toEqual([{ run, live: true, stands: true }]);
			expect(sheet.end(run).undo(run)).toMatchObject({ removed: 1 });
			expect(runs(sheet.state)).toEqual([{ run, live: false, stands: false }]);
			sheet.redo(run);
			expect(sheet.doc.textContent).toBe('Ax');
		}
	});

	it('S2-75 a run that was taken back and writes again starts afresh', () => {
		const sheet = new Sheet(['x']).run('r', (tr) => tr.insertText('A', 1));
		sheet.undo('r');
		sheet.write('r', (tr) => tr.insertText('B', 2));
		expect(runs(sheet.state)).toEqual([{ run: 'r', live: false, stands: true }]);
		sheet.end('r');
		sheet.undo('r');
		expect(sheet.doc.textContent).toBe('x');
		sheet.redo('r');
		expect(sheet.doc.textContent).toBe('xB');
	});

	it('S2-75 says whose a transaction is, and which words are whose', () => {
		const sheet = new Sheet(['one']);
		const tr = edit(sheet.state, 'r', (each) => each.insertText('abcd', 2));
		expect([runOf(tr), isTakeBack(tr)]).toEqual(['r', false]);
		expect(runOf(sheet.state.tr)).toBeUndefined();
		sheet.apply(tr).end('r');
		sheet.person((each) => each.insertText('X', 4));
		expect(rangesOf(sheet.state, 'r')).toEqual([
			{ from: 2, to: 4 },
			{ from: 5, to: 7 }
		]);
		const back = undoRun(sheet.state, 'r')!;
		expect([runOf(back.tr), isTakeBack(back.tr)]).toEqual(['r', true]);
	});
});
