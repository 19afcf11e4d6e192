import { redo, undo } from '../../src/lib/canon/participants/document/timeline/index.js';
import { runs, units } from '../../src/lib/canon/participants/document/timeline/index.js';
import { describe, expect, it } from 'vitest';
import { p, Sheet } from '../fixtures/timeline.js';

/** Mod-z and Mod-Shift-z. */
const back = (sheet: Sheet): boolean => undo(sheet.state, (tr) => void sheet.apply(tr));
const forth = (sheet: Sheet): boolean => redo(sheet.state, (tr) => void sheet.apply(tr));

describe('the person’s own undo, after that of a run', () => {
	it('S2-75 words typed into those of a run come back after both were taken back and brought back', () => {
		const sheet = new Sheet(['first', 'last']).run('r', (tr) => tr.insert(7, p('agent words')));
		sheet.person((tr) => tr.insertText('MINE', 10));
		const after = sheet.said;
		for (let round = 0; round < 3; round++) {
			back(sheet);
			back(sheet);
			expect(sheet.said).toBe('p("first"), p("last")');
			forth(sheet);
			forth(sheet);
			expect(sheet.said).toBe(after);
		}
	});

	it('S2-75 so do a deletion in them and a mark on them', () => {
		const { bold } = new Sheet(['x']).doc.type.schema.marks;
		const sheet = new Sheet(['first', 'last']).run('r', (tr) => tr.insert(7, p('agent words')));
		sheet.person(
			(tr) => tr.delete(8, 11).setTime(1e12),
			(tr) => tr.addMark(8, 12, bold!.create()).setTime(2e12)
		);
		const after = sheet.said;
		for (let i = 0; i < 3; i++) back(sheet);
		expect(sheet.said).toBe('p("first"), p("last")');
		for (let i = 0; i < 3; i++) forth(sheet);
		expect(sheet.said).toBe(after);
	});

	for (const [name, edit] of Object.entries({
		'taken out': (sheet: Sheet) => sheet.run('r', (tr) => tr.delete(0, tr.doc.firstChild!.nodeSize)),
		'written anew': (sheet: Sheet) =>
			sheet.run('r', (tr) => tr.replaceWith(0, tr.doc.firstChild!.nodeSize, p('other'))),
		moved: (sheet: Sheet) =>
			sheet.run('r', (tr) => {
				const node = tr.doc.firstChild!;
				return tr.delete(0, node.nodeSize).insert(tr.doc.content.size, node);
			})
	}))
		it(`S2-75 what they did before in a block that the run has ${name} can be undone`, () => {
			const sheet = new Sheet(['first words of mine', 'last']);
			const start = sheet.said;
			sheet.person((tr) => tr.delete(3, 12));
			const before = sheet.said;
			edit(sheet);
			back(sheet);
			expect(sheet.said).toBe(before);
			back(sheet);
			expect(sheet.said).toBe(start);
			forth(sheet);
			expect(sheet.said).toBe(before);
		});

	it('S2-75 events that were made or turned in between are not taken for older ones', () => {
		const sheet = new Sheet(['first', 'last']);
		sheet.person((tr) => tr.insertText('A', 1).setTime(1e12));
		sheet.run('r', (tr) => tr.insert(8, p('agent')));
		sheet.person(
			(tr) => tr.insertText('B', 2).setTime(2e12),
			(tr) => tr.delete(2, 3).setTime(3e12)
		);
		sheet.undo('r');
		expect(sheet.said).toBe('p("Afirst"), p("last")');
		back(sheet);
		expect(sheet.said).toBe('p("ABfirst"), p("last")');
		back(sheet);
		back(sheet);
		expect(sheet.said).toBe('p("first"), p("last")');
		for (let i = 0; i < 3; i++) forth(sheet);
		expect(sheet.said).toBe('p("Afirst"), p("last")');
	});
});

describe('words of a run that was taken back, brought back by the person', () => {
	it('S2-75 their undo of a deletion: the run stands again and can be taken back', () => {
		const sheet = new Sheet(['first', 'last']).run('r', (tr) => tr.insert(7, p('agent')));
		sheet.person((tr) => tr.delete(7, 14));
		sheet.undo('r');
		back(sheet);
		expect(sheet.said).toBe('p("first"), p("agent"), p("last")');
		expect(runs(sheet.state)).toEqual([{ run: 'r', live: false, stands: true }]);
		expect(units(sheet.state)).toEqual([{ by: 'run', run: 'r' }]);
		back(sheet);
		expect(sheet.said).toBe('p("first"), p("last")');
	});

	it('S2-75 the content that the app had replaced', () => {
		const sheet = new Sheet(['first']).run('r', (tr) => tr.insert(7, p('agent')));
		sheet.person((tr) => tr.replaceWith(0, tr.doc.content.size, p('all new')));
		expect(sheet.undo('r')).toMatchObject({ code: 'document-replaced' });
		back(sheet);
		expect(sheet.said).toBe('p("first"), p("agent")');
		expect(sheet.undo('r')).toMatchObject({ removed: 7 });
		expect(sheet.said).toBe('p("first")');
	});

	it('S2-75 tags of a run that hold the person’s words do not make it stand again', () => {
		const sheet = new Sheet(['first', 'last']).run('r', (tr) => tr.insert(7, p('agent')));
		sheet.person((tr) => tr.insertText('MINE', 10).setTime(1e12));
		sheet.undo('r');
		sheet.person((tr) => tr.insertText('X', 1).setTime(2e12));
		back(sheet);
		expect(runs(sheet.state)).toEqual([{ run: 'r', live: false, stands: false }]);
	});
});

describe('words of a run that go elsewhere', () => {
	it('S2-75 dragged by the person they are still the run’s', () => {
		const sheet = new Sheet(['first', 'last']).run('r', (tr) => tr.insert(7, p('agent words')));
		sheet.person((tr) => {
			const slice = tr.doc.slice(8, 14);
			return tr.delete(8, 14).replaceRange(19, 19, slice).setMeta('uiEvent', 'drop');
		});
		expect(sheet.said).toBe('p("first"), p("words"), p("lastagent ")');
		sheet.undo('r');
		expect(sheet.said).toBe('p("first"), p("last")');
	});
});

describe('a run that writes after it was taken back', () => {
	it('S2-75 has ended still, and is a unit of the timeline again', () => {
		const sheet = new Sheet(['first']).run('r', (tr) => tr.insertText('agent ', 1));
		sheet.undo('r');
		sheet.write('r', (tr) => tr.insertText('late ', 1));
		expect(runs(sheet.state)).toEqual([{ run: 'r', live: false, stands: true }]);
		expect(units(sheet.state)).toEqual([{ by: 'run', run: 'r' }]);
		back(sheet);
		expect(sheet.said).toBe('p("first")');
	});
});
