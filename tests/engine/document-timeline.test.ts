import { undo as historyUndo } from 'prosemirror-history';
import { describe, expect, it } from 'vitest';
import { p, schema, Sheet } from '../fixtures/timeline.js';

const { bold } = schema.marks;
const { h, quote } = schema.nodes;

describe('taking back what a run did', () => {
	it('S2-75 words, a mark, a split and a heading go and come back exactly', () => {
		const sheet = new Sheet(['Hello world', 'second']);
		const start = sheet.doc;
		sheet.run(
			'r',
			(tr) => tr.insert(6, schema.text(' cruel')),
			(tr) => tr.addMark(1, 6, bold!.create()),
			(tr) => tr.split(6),
			(tr) => tr.setNodeMarkup(0, h, { level: 2 })
		);
		const full = sheet.doc;
		expect(sheet.said).toBe('h(bold("Hello")), p(" cruel world"), p("second")');
		expect(sheet.undo('r')).toMatchObject({ removed: 8, kept: 0, bent: 0 });
		expect(sheet.doc.eq(start)).toBe(true);
		sheet.redo('r');
		expect(sheet.doc.eq(full)).toBe(true);
	});

	it('S2-75 a wrap goes and what the person typed in it stays', () => {
		const sheet = new Sheet(['one', 'two']).run('w', (tr) =>
			tr.wrap(tr.doc.resolve(1).blockRange(tr.doc.resolve(7))!, [{ type: quote! }])
		);
		sheet.person((tr) => tr.insertText('X', 4));
		expect(sheet.said).toBe('quote(p("onXe"), p("two"))');
		expect(sheet.undo('w')).toMatchObject({ removed: 2, kept: 0, bent: 0 });
		expect(sheet.said).toBe('p("onXe"), p("two")');
	});

	it('S2-75 a paragraph of the run stays round the words of the person, and they are counted', () => {
		const sheet = new Sheet(['one']).run('p', (tr) => tr.insert(5, p('agent')));
		sheet.person((tr) => tr.insertText('mine', 8));
		expect(sheet.said).toBe('p("one"), p("agmineent")');
		expect(sheet.undo('p')).toMatchObject({ removed: 5, kept: 2, guests: 4, bent: 1 });
		expect(sheet.said).toBe('p("one"), p("mine")');
		sheet.redo('p');
		expect(sheet.said).toBe('p("one"), p("agmineent")');
	});

	it('S2-75 a paragraph the person joined with the next one gives back only its words', () => {
		const sheet = new Sheet(['one', 'two']).run('p', (tr) => tr.insert(5, p('agent')));
		sheet.person((tr) => tr.join(12));
		expect(sheet.undo('p')).toMatchObject({ removed: 5, kept: 1, bent: 1 });
		expect(sheet.said).toBe('p("one"), p("two")');
	});

	it('S2-75 a moved block goes home with what was typed in it', () => {
		const sheet = new Sheet(['one', 'two', 'three']).run('m', (tr) => {
			const node = tr.doc.firstChild!;
			return tr.delete(0, node.nodeSize).insert(tr.doc.content.size, node);
		});
		sheet.person((tr) => tr.insertText('X', 14));
		expect(sheet.said).toBe('p("two"), p("three"), p("oXne")');
		expect(sheet.undo('m')).toMatchObject({ moved: 1, stuck: 0 });
		expect(sheet.said).toBe('p("oXne"), p("two"), p("three")');
		sheet.redo('m');
		expect(sheet.said).toBe('p("two"), p("three"), p("oXne")');
	});

	it('S2-75 two runs over one place are taken back in any order', () => {
		const sheet = new Sheet(['one two'])
			.run('a', (tr) => tr.insertText('AAA', 4))
			.run('b', (tr) => tr.delete(2, 6));
		expect(sheet.said).toBe('p("oA two")');
		sheet.undo('a');
		expect(sheet.said).toBe('p("o two")');
		sheet.undo('b');
		expect(sheet.said).toBe('p("one two")');
		sheet.redo('b');
		sheet.redo('a');
		expect(sheet.said).toBe('p("oA two")');
	});

	it('S2-75 words that the person deleted and brought back are still known as the run’s', () => {
		const sheet = new Sheet(['one two']).run('p', (tr) => tr.insertText('AAA', 4));
		sheet.person((tr) => tr.delete(2, 9));
		historyUndo(sheet.state, (tr) => sheet.apply(tr));
		expect(sheet.said).toBe('p("oneAAA two")');
		sheet.undo('p');
		expect(sheet.said).toBe('p("one two")');
	});
});
