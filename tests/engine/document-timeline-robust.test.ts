import { history, undo as historyUndo } from 'prosemirror-history';
import { Fragment, Schema, Slice, type Node } from 'prosemirror-model';
import { EditorState } from 'prosemirror-state';
import { ReplaceStep } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import {
	beginRun,
	edit,
	endRun,
	redoRun,
	timelineFromJSON,
	timelineKey,
	timelineToJSON,
	undo,
	undoRun,
	undoTimeline,
	units
} from '../../src/lib/canon/participants/document/timeline/index.js';
import { p, schema, Sheet } from '../fixtures/timeline.js';

const { h } = schema.nodes;
const list = (...items: Node[]): Node => schema.node('list', null, items);
const item = (...blocks: Node[]): Node => schema.node('item', null, blocks);

describe('documents that are replaced as a whole', () => {
	const replaced = (sheet: Sheet, ...blocks: Node[]): Sheet =>
		sheet.person((tr) => tr.replaceWith(0, tr.doc.content.size, blocks));

	it('S2-75 everything is the person’s then, and the undo of a run says so and changes nothing', () => {
		const sheet = new Sheet(['one', 'two']).run(
			'r',
			(tr) => tr.insertText('AGENT', 2),
			(tr) => tr.delete(10, 15)
		);
		replaced(sheet, p('oAGENTne'), p('new'));
		const { doc } = sheet;
		expect(sheet.undo('r')).toMatchObject({ code: 'document-replaced', removed: 0, back: 0, kept: 10 });
		expect(sheet.doc.eq(doc)).toBe(true);
		sheet.redo('r');
		expect(sheet.doc.eq(doc)).toBe(true);
	});

	it('S2-75 the person’s own undo of it brings the old document back with its history', () => {
		const sheet = new Sheet(['one', 'two']).run(
			'r',
			(tr) => tr.insertText('AGENT', 2),
			(tr) => tr.delete(10, 15)
		);
		replaced(sheet, p('other'));
		sheet.person((tr) => tr.insertText('x', 1));
		historyUndo(sheet.state, (tr) => sheet.apply(tr));
		if (sheet.said === 'p("other")') historyUndo(sheet.state, (tr) => sheet.apply(tr));
		expect(sheet.undo('r')).toMatchObject({ removed: 5, back: 5, kept: 0 });
		expect(sheet.said).toBe('p("one"), p("two")');
	});

	it('S2-75 a run that writes afterwards is taken back exactly', () => {
		const sheet = new Sheet(['one']).run('a', (tr) => tr.insertText('A', 1));
		replaced(sheet, p('other'));
		sheet.run('b', (tr) => tr.insertText('B', 1));
		sheet.undo('a');
		expect(sheet.undo('b').code).toBeUndefined();
		expect(sheet.said).toBe('p("other")');
	});
});

describe('words without a place', () => {
	it('S2-75 come back as a paragraph of their own behind where they stood, and go with the run again', () => {
		const sheet = new Sheet(['one two', 'next'])
			.run('r', (tr) => tr.delete(5, 8))
			.run('s', (tr) => tr.insertText('S', 1));
		const full = sheet.doc;
		// The person deletes the rest of the block, and the block before takes its place.
		sheet.person((tr) => tr.delete(0, tr.doc.firstChild!.nodeSize));
		const without = sheet.doc;
		const report = sheet.undo('r');
		expect(sheet.doc.textContent).toContain('two');
		expect(report.homeless + report.reborn).toBeGreaterThan(0);
		sheet.redo('r');
		expect(sheet.doc.eq(without)).toBe(true);
		expect(full.eq(without)).toBe(false);
	});

	it('S2-75 words dead between two of them keep their order over undo and redo', () => {
		const sheet = new Sheet(['x'])
			.run('a', (tr) => tr.insert(3, p('WORDS')))
			.run('b', (tr) => tr.insertText('B', 7));
		const full = sheet.doc;
		sheet.undo('a');
		sheet.undo('b');
		expect(sheet.said).toBe('p("x")');
		sheet.redo('b');
		expect(sheet.doc.textContent).toBe('xB');
		sheet.redo('a');
		expect(sheet.doc.eq(full)).toBe(true);
	});

	it('S2-75 names its signs by the given ids', () => {
		let n = 0;
		const sheet = new Sheet(['x'], { ids: () => `id${++n}` })
			.run('a', (tr) => tr.insert(3, p('WORDS')))
			.run('b', (tr) => tr.insertText('B', 7));
		sheet.undo('a');
		sheet.undo('b');
		sheet.redo('b');
		const signs = timelineKey.getState(sheet.state)!.pieces.signs();
		expect(signs.map(({ piece }) => piece.sign!.id)).toEqual(n > 0 ? [`id${n}`] : []);
	});
});

describe('values of every kind', () => {
	const same = (blocks: (string | Node)[], ...edits: Parameters<Sheet['person']>): void => {
		const sheet = new Sheet(blocks);
		const before = sheet.doc;
		sheet.run('r', ...edits);
		const after = sheet.doc;
		sheet.undo('r');
		expect(sheet.doc.eq(before)).toBe(true);
		sheet.redo('r');
		expect(sheet.doc.eq(after)).toBe(true);
	};

	it('S2-75 attributes of the document, a leaf, an image, a list', () => {
		same(['a'], (tr) => tr.setDocAttribute('title', 'T'));
		same([schema.node('rule'), 'a'], (tr) => tr.setNodeMarkup(0, undefined, { width: 3 }));
		same([p('a', schema.node('image', { src: '1' }))], (tr) => tr.setNodeMarkup(2, undefined, { src: '2' }));
		same([list(item(p('a')), item(p('b')))], (tr) => tr.split(4, 2));
		same([list(item(p('a')), item(p('b')))], (tr) => tr.delete(4, 9));
		same(['a', 'b'], (tr) => tr.setBlockType(0, 6, h!, { level: 2 }));
	});

	it('S2-75 marks that may stand twice on one text', () => {
		const comment = (id: string) => schema.marks.comment!.create({ id });
		const sheet = new Sheet([p(schema.text('words', [comment('mine')]))]);
		const before = sheet.doc;
		sheet.run('r', (tr) => tr.addMark(1, 4, comment('theirs')));
		expect(sheet.doc.firstChild!.firstChild!.marks).toHaveLength(2);
		sheet.undo('r');
		expect(sheet.doc.eq(before)).toBe(true);
	});

	it('S2-75 no character is cut in two: surrogates and combining marks stay whole', () => {
		const sheet = new Sheet(['a😀e\u0301b']).run('r', (tr) => tr.insertText('👩‍👩‍👧', 4));
		sheet.person((tr) => tr.insertText('é', 1));
		sheet.undo('r');
		expect(sheet.doc.textContent).toBe('éa😀e\u0301b');
		sheet.redo('r');
		expect(sheet.doc.textContent).toBe('éa😀👩‍👩‍👧e\u0301b');
	});

	it('S2-75 words typed inside what a run made bold are bold only because of it', () => {
		const sheet = new Sheet(['words']).run('r', (tr) => tr.addMark(1, 6, schema.marks.bold!.create()));
		sheet.person((tr) => tr.insertText('X', 3));
		expect(sheet.said).toBe('p(bold("woXrds"))');
		sheet.undo('r');
		expect(sheet.said).toBe('p("woXrds")');
	});

	it('S2-75 what the person made of it is final', () => {
		const sheet = new Sheet(['words']).run('r', (tr) => tr.addMark(1, 6, schema.marks.bold!.create()));
		sheet.person((tr) => tr.removeMark(1, 3, schema.marks.bold!));
		sheet.undo('r');
		sheet.redo('r');
		expect(sheet.said).toBe('p("wo", bold("rds"))');
	});

	it('S2-75 cut and paste of the run’s words keeps them the run’s', () => {
		const sheet = new Sheet(['one', 'two']).run('r', (tr) => tr.insertText('AGENT', 2));
		sheet.person(
			(tr) => tr.delete(2, 7),
			(tr) => tr.insertText('AGENT', 7).setMeta('paste', true)
		);
		expect(sheet.doc.textContent).toBe('onetAGENTwo');
		sheet.undo('r');
		expect(sheet.doc.textContent).toBe('onetwo');
	});

	it('S2-75 what other plugins append to a run’s edit belongs to the run', () => {
		const sheet = new Sheet(['one']);
		const tr = edit(sheet.state, 'r', (each) => each.insertText('A', 1));
		sheet.apply(tr);
		sheet.apply(sheet.state.tr.setNodeMarkup(0, h, { level: 3 }).setMeta('appendedTransaction', tr));
		sheet.end('r').undo('r');
		expect(sheet.said).toBe('p("one")');
	});
});

describe('schemas that insist', () => {
	const strict = new Schema({
		nodes: {
			doc: { content: 'title block+' },
			title: { content: 'text*' },
			p: { group: 'block', content: 'text*' },
			table: { group: 'block', content: 'row+' },
			row: { content: 'cell+' },
			cell: { content: 'p+' },
			text: {}
		}
	});
	const t = (text: string): Node => strict.node('p', null, text ? [strict.text(text)] : []);
	const cell = (text: string): Node => strict.node('cell', null, [t(text)]);
	const row = (...cells: string[]): Node => strict.node('row', null, cells.map(cell));
	const start = (...blocks: Node[]): EditorState =>
		EditorState.create({
			doc: strict.node('doc', null, [strict.node('title', null, [strict.text('T')]), ...blocks]),
			plugins: [history(), undoTimeline()]
		});
	const done = (state: EditorState, fn: Parameters<typeof edit>[2]): EditorState => {
		const live = state.apply(beginRun(state, 'r'));
		const wrote = live.apply(edit(live, 'r', fn));
		return wrote.apply(endRun(wrote, 'r'));
	};

	it('S2-75 rows and cells of a nested table go and come back', () => {
		const inner = strict.node('cell', null, [t('x'), t('y')]);
		let state = start(strict.node('table', null, [row('a', 'b'), strict.node('row', null, [inner])]));
		const before = state.doc;
		state = done(state, (tr) => tr.insert(4, row('c', 'd')));
		const after = state.doc;
		state = state.apply(state.tr.insertText('me', 7));
		state = state.apply(undoRun(state, 'r')!.tr);
		state.doc.check();
		expect(state.doc.textContent).toBe('Tmeabxy');
		state = state.apply(redoRun(state, 'r')!.tr);
		expect(state.doc.textContent).toBe('Tmecdabxy');
		expect(after.childCount).toBe(before.childCount);
	});

	it('S2-75 the last block of its kind stays though the run put it in', () => {
		let state = done(start(t('old')), (tr) => tr.insert(3, t('new')));
		state = state.apply(state.tr.delete(8, 13));
		expect(state.doc.childCount).toBe(2);
		const { tr, report } = undoRun(state, 'r')!;
		state = state.apply(tr);
		state.doc.check();
		expect(state.doc.textContent).toBe('T');
		expect(report.kept).toBeGreaterThan(0);
	});
});

describe('what goes wrong inside', () => {
	it('S2-75 an undo that fails leaves the document as it was, says so, and Mod-z goes on to the next', () => {
		const sheet = new Sheet(['one']);
		sheet.person((tr) => tr.insertText('mine', 1));
		sheet.run('r', (tr) => tr.insertText('A', 1));
		const table = timelineKey.getState(sheet.state)!;
		// A table whose pieces do not cover its document cannot come about; here it has.
		(table as { pieces: unknown }).pieces = table.pieces.put(0, 1, []);
		const { doc } = sheet;
		const { tr, report } = undoRun(sheet.state, 'r')!;
		expect(report).toMatchObject({ code: 'undo-failed', removed: 0 });
		expect(report.cause).toBeTruthy();
		expect(tr.docChanged).toBe(false);
		expect(sheet.apply(tr).doc).toBe(doc);
		expect(undo(sheet.state, (each) => sheet.apply(each))).toBe(true);
		expect(sheet.doc.textContent).toBe('Aone');
	});

	it('S2-75 steps that somebody adds to an undo before it is dispatched are read as theirs', () => {
		const sheet = new Sheet(['one']).run('r', (tr) => tr.insertText('A', 1));
		sheet.apply(undoRun(sheet.state, 'r')!.tr.insertText('X', 2));
		expect(sheet.doc.textContent).toBe('oXne');
		sheet.redo('r');
		expect(sheet.doc.textContent).toBe('AoXne');
	});

	it('S2-75 a transaction that others write to is left whole when the undo fails, and used when it does not', () => {
		const sheet = new Sheet(['one']).run('r', (tr) => tr.insertText('A', 1));
		const shared = sheet.state.tr;
		const chain = Object.create(sheet.state, { tr: { value: shared } }) as EditorState;
		expect(undoRun(chain, 'r')!.tr).toBe(shared);
		expect(sheet.apply(shared).doc.textContent).toBe('one');
	});

	it('S2-75 a block that came back in two halves is one again', () => {
		const sheet = new Sheet(['one two']).run('r', (tr) => tr.split(4));
		sheet.person((tr) => tr.step(new ReplaceStep(5, 5, new Slice(Fragment.from(p('mid')), 0, 0))));
		sheet.undo('r');
		expect(sheet.doc.textBetween(0, sheet.doc.content.size)).toContain('mid');
		sheet.redo('r');
		expect(sheet.said).toBe('p("one"), p("mid"), p(" two")');
	});
});

describe('a timeline saved and loaded', () => {
	const plugins = () => [history(), undoTimeline()];
	const sheet = () =>
		new Sheet(['one', p(schema.text('bold', [schema.marks.bold!.create()]))]).run(
			'r',
			(tr) => tr.insertText('AGENT', 2),
			(tr) => tr.delete(11, 13),
			(tr) => tr.removeMark(11, 13, schema.marks.bold!),
			(tr) => tr.setNodeMarkup(0, h, { level: 2 })
		);

	it('S2-75 takes a run back and brings it back after a reload', () => {
		const saved = sheet();
		const fields = { timeline: undoTimeline() };
		const [, plugin] = saved.state.plugins;
		const json: unknown = JSON.parse(JSON.stringify(saved.state.toJSON({ timeline: plugin! })));
		let state = EditorState.fromJSON(
			{ schema, plugins: [history(), fields.timeline] },
			json as object,
			fields
		);
		expect(units(state)).toEqual([{ by: 'run', run: 'r' }]);
		state = state.apply(undoRun(state, 'r')!.tr);
		expect(state.doc.toString()).toBe('doc(p("one"), p(bold("bold")))');
		state = state.apply(redoRun(state, 'r')!.tr);
		expect(state.doc.eq(saved.doc)).toBe(true);
	});

	it('S2-75 a timeline of another document, or of none, is refused', () => {
		const saved = sheet();
		const json = timelineToJSON(timelineKey.getState(saved.state)!);
		const { doc } = saved;
		expect(timelineFromJSON(json, doc).runs).toHaveProperty('r');
		const other = schema.node('doc', null, [p('one two three')]);
		for (const bad of [
			null,
			1,
			{},
			{ ...json, version: 0 },
			{ ...json, digest: 'x' },
			{ ...json, pieces: [] }
		])
			expect(timelineFromJSON(bad, doc)).toMatchObject({ runs: {}, units: [] });
		expect(timelineFromJSON(json, other).runs).toEqual({});
		expect(timelineFromJSON(json, other).pieces.size).toBe(other.content.size);
	});

	it('S2-75 a run that was live when it was saved has ended', () => {
		const saved = new Sheet(['one']).write('r', (tr) => tr.insertText('A', 1));
		const table = timelineFromJSON(timelineToJSON(timelineKey.getState(saved.state)!), saved.doc);
		expect(table.runs).toMatchObject({ r: { live: false, stands: true } });
		expect(plugins()).toHaveLength(2);
	});
});

describe('what the table can do without', () => {
	const pieces = (sheet: Sheet) => timelineKey.getState(sheet.state)!.pieces;

	it('S2-75 a document opens as one piece, and a person alone leaves it one', () => {
		const sheet = new Sheet(Array.from({ length: 100 }, () => 'words'));
		sheet.person(
			(tr) => tr.insertText('a', 5),
			(tr) => tr.delete(8, 30),
			(tr) => tr.split(3)
		);
		expect(pieces(sheet).count).toBe(1);
	});

	it('S2-75 a run’s words beside each other are one piece, and what it wrote and took back none', () => {
		const sheet = new Sheet(['x']).apply(beginRun(new Sheet(['x']).state, 'r').setMeta('unused', 1));
		for (let i = 0; i < 50; i++) sheet.write('r', (tr) => tr.insertText('a', 1 + i));
		sheet.write('r', (tr) => tr.delete(1, 51));
		expect(pieces(sheet.end('r')).count).toBe(1);
	});

	it('S2-75 equal changes of many edits become one piece at the end', () => {
		const sheet = new Sheet(['abcdefgh']);
		for (let i = 1; i < 9; i++) sheet.write('r', (tr) => tr.addMark(i, i + 1, schema.marks.bold!.create()));
		expect(pieces(sheet).count).toBeGreaterThan(8);
		expect(pieces(sheet.end('r')).count).toBe(3);
		sheet.undo('r');
		expect(sheet.said).toBe('p("abcdefgh")');
	});

	it('S2-75 what the person deleted is dropped when their history cannot bring it back', () => {
		const sheet = new Sheet(['one'], { depth: 2 }).run('r', (tr) => tr.insertText('AGENT', 2));
		sheet.person((tr) => tr.delete(3, 5));
		sheet.run('s', (tr) => tr.insertText('S', 1));
		expect(pieces(sheet).deleted()).toHaveLength(1);
		for (let i = 0; i < 60; i++)
			sheet.person((tr) => tr.insertText('a', i % 2 ? 1 : tr.doc.content.size - 1));
		sheet.run('t', (tr) => tr.insertText('T', 1));
		expect(pieces(sheet).deleted()).toHaveLength(0);
	});
});
