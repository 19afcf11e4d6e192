import fc from 'fast-check';
import { splitBlock, lift, wrapIn } from 'prosemirror-commands';
import { history, undo, redo, undoDepth } from 'prosemirror-history';
import { Node, Slice, Fragment, Schema } from 'prosemirror-model';
import { sinkListItem, splitListItem } from 'prosemirror-schema-list';
import { EditorState, TextSelection, type Command, type Transaction } from 'prosemirror-state';
import { describe, expect, it, vi } from 'vitest';
import { blockIds, withBlockIds } from '../../src/lib/canon/participants/document/index.js';
import {
	blockAt,
	blockIdsKey,
	contentOf,
	ensureBlockIds,
	hashOf,
	outlineOf,
	placesOf,
	spanAround,
	spanOf,
	wordsOf
} from '../../src/lib/canon/participants/document/blocks/index.js';
import { counter, doc, h, li, p, quote, schema, table, ul } from '../fixtures/document/desk.js';

/** A state whose transactions go through all plugins, as a view's do. */
class Sheet {
	state: EditorState;
	constructor(content: Node[], ids: () => string = counter()) {
		this.state = EditorState.create({ doc: doc(...content), plugins: [history(), blockIds({ ids })] });
		ensureBlockIds(this);
	}
	dispatch(tr: Transaction): void {
		this.state = this.state.apply(tr);
	}
	run(command: Command): void {
		expect(command(this.state, (tr) => this.dispatch(tr))).toBe(true);
	}
	caret(from: number, to = from): this {
		this.dispatch(this.state.tr.setSelection(TextSelection.create(this.state.doc, from, to)));
		return this;
	}
	ids(): string[] {
		return [...placesOf(this.state.doc).keys()];
	}
	of(id: string): { pos: number; end: number; node: Node } {
		return placesOf(this.state.doc).get(id)!;
	}
	/** Every id in the document, however deep, as it stands in the attributes. */
	carried(): string[] {
		const all: string[] = [];
		this.state.doc.descendants((node) => {
			if (typeof node.attrs['id'] === 'string' && node.attrs['id'] !== '') all.push(node.attrs['id']);
		});
		return all;
	}
}

describe('ids of blocks', () => {
	it('are given to every child of the document and every textblock, and to nothing else', () => {
		const sheet = new Sheet([
			h(1, 'Title'),
			ul(null, li(p('one'), ul(null, li(p('inner')))), li(p('two'))),
			quote(null, p('said')),
			table(null, [[p('cell')], [p('a'), p('b')]]),
			schema.node('horizontal_rule')
		]);
		const named: string[] = [];
		sheet.state.doc.descendants((node) => {
			if (node.attrs['id']) named.push(`${node.type.name}:${node.attrs['id'] as string}`);
		});
		expect(named.map((name) => name.split(':')[0])).toEqual([
			'heading',
			'bullet_list',
			'paragraph',
			'paragraph',
			'paragraph',
			'blockquote',
			'paragraph',
			'table',
			'paragraph',
			'paragraph',
			'paragraph',
			'horizontal_rule'
		]);
		expect(new Set(named).size).toBe(12);
		expect(sheet.ids()).toHaveLength(12);
	});

	it('come without a step in anybody’s history, and what was loaded keeps its own', () => {
		const sheet = new Sheet([p('has', 'own'), p('has none')]);
		expect(sheet.ids()).toEqual(['own', 'n1']);
		expect(undoDepth(sheet.state)).toBe(0);
	});

	it('repair a loaded document in which two blocks have one id: the first keeps it', () => {
		const sheet = new Sheet([p('one', 'x'), p('two', 'x'), p('three', 'n1')]);
		expect(sheet.ids()).toEqual(['x', 'n2', 'n1']);
	});

	it('stay while a person types, bolds and makes a heading of it', () => {
		const sheet = new Sheet([p('one', 'a'), p('two', 'b')]);
		sheet.dispatch(sheet.state.tr.insertText('x', 1));
		sheet.dispatch(sheet.state.tr.addMark(1, 3, schema.mark('strong')));
		sheet.dispatch(sheet.state.tr.setBlockType(1, 2, schema.nodes['heading']!, { level: 2, id: 'a' }));
		expect(sheet.ids()).toEqual(['a', 'b']);
	});

	it('are looked for nowhere while somebody types in a long document', () => {
		const sheet = new Sheet(Array.from({ length: 2_000 }, (_, at) => p(`paragraph ${at}`)));
		const walks = vi.spyOn(Node.prototype, 'descendants');
		const ids = blockIdsKey.getState(sheet.state)!;
		const size = ids.seen.size;
		for (let at = 0; at < 50; at++) sheet.dispatch(sheet.state.tr.insertText('x', 5));
		expect(walks).not.toHaveBeenCalled();
		expect(ids.seen.size).toBe(size);
		sheet.caret(8).run(splitBlock);
		expect(sheet.ids()).toHaveLength(2_001);
		walks.mockRestore();
	});

	it('split: the part with the beginning keeps it, wherever the block is split', () => {
		for (const at of [1, 3, 5]) {
			const sheet = new Sheet([p('word', 'a'), p('next', 'b')]);
			sheet.caret(at).run(splitBlock);
			expect(sheet.ids()).toEqual(['a', 'n1', 'b']);
			sheet.run(undo);
			expect(sheet.ids()).toEqual(['a', 'b']);
			sheet.run(redo);
			expect(sheet.ids()).toEqual(['a', 'n1', 'b']);
		}
	});

	it('split items of a list keep theirs, and a wrapped or lifted block as well', () => {
		const sheet = new Sheet([ul('l', li(p('one', 'a')), li(p('two', 'b')))]);
		sheet.caret(sheet.of('a').pos + 3).run(splitListItem(schema.nodes['list_item']!));
		expect(sheet.ids()).toEqual(['l', 'a', 'n1', 'b']);
		sheet.caret(sheet.of('b').pos + 1).run(sinkListItem(schema.nodes['list_item']!));
		expect(sheet.ids()).toEqual(['l', 'a', 'n1', 'b']);
		const other = new Sheet([p('one', 'a')]);
		other.caret(2).run(wrapIn(schema.nodes['blockquote']!));
		expect(other.ids()).toEqual(['n1', 'a']);
		other.run(lift);
		expect(other.ids()).toEqual(['a']);
	});

	it('what is lifted to the top becomes a block and gets one', () => {
		const sheet = new Sheet([quote('q', quote(null, p('deep', 'a')), quote(null, p('two', 'b')))]);
		expect(sheet.ids()).toEqual(['q', 'a', 'b']);
		const range = sheet.state.doc
			.resolve(1)
			.blockRange(sheet.state.doc.resolve(sheet.state.doc.content.size - 1))!;
		sheet.dispatch(sheet.state.tr.lift(range, 0));
		expect(sheet.ids()).toEqual(['n1', 'a', 'n2', 'b']);
	});

	it('a pasted copy gets a new one, before and behind the block it was copied from', () => {
		const sheet = new Sheet([p('one', 'a'), p('two', 'b')]);
		const slice = sheet.state.doc.slice(0, 5);
		sheet.dispatch(sheet.state.tr.replace(10, 10, slice).setMeta('uiEvent', 'paste'));
		expect(sheet.ids()).toEqual(['a', 'b', 'n1']);
		sheet.dispatch(sheet.state.tr.replace(0, 0, slice).setMeta('uiEvent', 'paste'));
		expect(sheet.ids()).toEqual(['n2', 'a', 'b', 'n1']);
	});

	it('what was cut and is pasted keeps its own, and a second paste of it does not', () => {
		const sheet = new Sheet([p('one', 'a'), p('two', 'b')]);
		const slice = sheet.state.doc.slice(0, 5);
		sheet.dispatch(sheet.state.tr.delete(0, 5));
		expect(sheet.ids()).toEqual(['b']);
		sheet.dispatch(sheet.state.tr.replace(5, 5, slice));
		expect(sheet.ids()).toEqual(['b', 'a']);
		sheet.dispatch(sheet.state.tr.replace(0, 0, slice));
		expect(sheet.ids()).toEqual(['n1', 'b', 'a']);
	});

	it('a list pasted as a copy has new ones down to its items', () => {
		const sheet = new Sheet([ul('l', li(p('one', 'a')), li(p('two', 'b')))]);
		const { size } = sheet.state.doc.content;
		sheet.dispatch(sheet.state.tr.replace(size, size, sheet.state.doc.slice(0, size)));
		expect(sheet.carried()).toEqual(['l', 'a', 'b', 'n1', 'n2', 'n3']);
	});

	it('two equal ids that come together: the first keeps it', () => {
		const sheet = new Sheet([p('x', 'x')]);
		const copies = Fragment.from([p('one', 'a'), p('two', 'a')]);
		sheet.dispatch(sheet.state.tr.replace(0, 0, new Slice(copies, 0, 0)));
		expect(sheet.ids()).toEqual(['a', 'n1', 'x']);
	});

	it('a document that is replaced as a whole keeps them, and repairs what it brings', () => {
		const sheet = new Sheet([p('one', 'a'), p('two', 'b')]);
		const fresh = Fragment.from([p('other', 'b'), p('one', 'a'), p('new'), p('copy', 'a')]);
		sheet.dispatch(sheet.state.tr.replaceWith(0, sheet.state.doc.content.size, fresh));
		expect(sheet.ids()).toEqual(['b', 'a', 'n1', 'n2']);
	});

	it('one that is taken away by an attribute step comes back as a new one', () => {
		const sheet = new Sheet([p('one', 'a')]);
		sheet.dispatch(sheet.state.tr.setNodeAttribute(0, 'id', null));
		expect(sheet.ids()).toEqual(['n1']);
	});

	it('a generator that repeats itself cannot make two of one', () => {
		const sheet = new Sheet([p('one'), p('two'), p('three')], () => 'same');
		expect(sheet.ids()).toEqual(['same', 'same-2', 'same-3']);
	});

	it('random ones are short and differ', () => {
		const state = EditorState.create({
			doc: doc(...Array.from({ length: 500 }, () => p('x'))),
			plugins: [blockIds()]
		});
		const view = { state, dispatch: (tr: Transaction) => void (view.state = view.state.apply(tr)) };
		ensureBlockIds(view);
		const ids = [...placesOf(view.state.doc).keys()];
		expect(new Set(ids).size).toBe(500);
		for (const id of ids) expect(id).toMatch(/^[a-z0-9]{8}$/);
	});

	it('hold under any row of edits: every block has one, no two have the same', () => {
		const step = fc.record({
			kind: fc.constantFrom('type', 'split', 'delete', 'paste', 'undo', 'redo', 'wrap', 'lift', 'heading'),
			a: fc.nat(1_000),
			b: fc.nat(1_000)
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
				const sheet = new Sheet([h(1, 'Title'), p('some words'), ul(null, li(p('one')), li(p('two')))]);
				let copied = sheet.state.doc.slice(0, 5);
				for (const { kind, a, b } of steps) {
					const { doc, tr } = sheet.state;
					const [from, to] = [a % (doc.content.size + 1), b % (doc.content.size + 1)].sort(
						(x, y) => x - y
					) as [number, number];
					const near = TextSelection.between(doc.resolve(from), doc.resolve(to));
					const run = (command: Command) => {
						sheet.dispatch(sheet.state.tr.setSelection(near));
						command(sheet.state, (one) => sheet.dispatch(one));
					};
					if (kind === 'type') sheet.dispatch(tr.setSelection(near).insertText('x'));
					else if (kind === 'delete') sheet.dispatch(tr.deleteRange(from, to));
					else if (kind === 'paste') {
						sheet.dispatch(tr.replaceRange(from, from, copied));
						copied = sheet.state.doc.slice(0, Math.min(to, sheet.state.doc.content.size));
					} else if (kind === 'undo') undo(sheet.state, (one) => sheet.dispatch(one));
					else if (kind === 'redo') redo(sheet.state, (one) => sheet.dispatch(one));
					else if (kind === 'heading')
						sheet.dispatch(tr.setBlockType(near.from, near.to, schema.nodes['heading']!, { level: 2 }));
					else
						run(kind === 'split' ? splitBlock : kind === 'wrap' ? wrapIn(schema.nodes['blockquote']!) : lift);
				}
				const due: string[] = [];
				sheet.state.doc.descendants((node, _pos, parent) => {
					if (!node.isInline && (node.isTextblock || parent === sheet.state.doc))
						due.push(String(node.attrs['id']));
				});
				expect(due.filter((id) => id === 'null' || id === '')).toEqual([]);
				expect(new Set(sheet.carried()).size).toBe(sheet.carried().length);
				sheet.state.doc.check();
			}),
			{ numRuns: 300 }
		);
	});
});

describe('schemas', () => {
	it('get the attribute on all that can be a block, and on nothing else', () => {
		const bare = new Schema({
			nodes: withBlockIds({
				doc: { content: 'block+' },
				paragraph: { group: 'block', content: 'inline*' },
				title: { group: 'block', content: 'text*', attrs: { id: { default: 'mine' } } },
				text: { group: 'inline' },
				image: { group: 'inline', inline: true }
			})
		});
		expect(bare.nodes['paragraph']!.spec.attrs).toHaveProperty('id', { default: null });
		expect(bare.nodes['title']!.spec.attrs).toHaveProperty('id', { default: 'mine' });
		for (const name of ['doc', 'text', 'image']) expect(bare.nodes[name]!.spec.attrs?.['id']).toBeUndefined();
	});
});

describe('what a block says', () => {
	it('has one hash whatever its id and whoever wrote it, and another when a word changes', () => {
		const by = schema.mark('agentText', { run: 'r', agent: 'a', version: null, at: 1 });
		const plain = schema.node('paragraph', { id: 'a' }, [schema.text('one two')]);
		const marked = schema.node('paragraph', { id: 'b', agent: { run: 'r', agent: 'a', at: 1 } }, [
			schema.text('one '),
			schema.text('two', [by])
		]);
		expect(hashOf(marked)).toBe(hashOf(plain));
		expect(contentOf(marked)).toEqual(contentOf(plain));
		const bold = schema.node('paragraph', { id: 'a' }, [
			schema.text('one '),
			schema.text('two', [schema.mark('strong')])
		]);
		const others = [bold, p('one twO', 'a'), h(1, 'one two', 'a'), quote('a', p('one two'))];
		expect(new Set([plain, ...others].map(hashOf)).size).toBe(5);
	});

	it('tells lists apart by where their items stand', () => {
		const one = ul('l', li(p('a'), p('b')), li(p('c')));
		const two = ul('l', li(p('a')), li(p('b'), p('c')));
		expect(hashOf(one)).not.toBe(hashOf(two));
	});

	it('counts words of any script once', () => {
		expect(wordsOf(p('It’s a well-known fact, 3 times.'))).toBe(6);
		expect(wordsOf(p('שלום עולם e\u0301te\u0301'))).toBe(3);
		expect(wordsOf(ul(null, li(p('one two')), li(p('three'))))).toBe(3);
	});
});

describe('the outline', () => {
	const content = doc(
		p('before', 'x'),
		h(1, 'One', 'a'),
		p('two words', 'b'),
		h(2, 'Inner', 'c'),
		p('x', 'd'),
		h(1, 'Two', 'e'),
		quote('f', h(1, 'no section', 'g'))
	);
	it('counts what stands under each heading, smaller sections included', () => {
		expect(outlineOf(content)).toEqual({
			headings: [
				{ id: 'a', level: 1, text: 'One', blocks: 3, words: 4 },
				{ id: 'c', level: 2, text: 'Inner', blocks: 1, words: 1 },
				{ id: 'e', level: 1, text: 'Two', blocks: 1, words: 2 }
			],
			before: 1,
			blocks: 7,
			words: 9
		});
		expect(outlineOf(content)).toBe(outlineOf(content));
	});
	it('knows where a section ends and which one a block stands in', () => {
		expect(spanOf(content, 1)).toEqual({ from: 1, to: 5 });
		expect(spanOf(content, 3)).toEqual({ from: 3, to: 5 });
		expect(spanOf(content, 2)).toBeUndefined();
		expect(spanAround(content, 4)).toEqual({ from: 3, to: 5 });
		expect(spanAround(content, 0)).toBeUndefined();
	});
	it('finds the innermost block at a position', () => {
		const places = placesOf(content);
		expect(blockAt(content, places.get('g')!.pos + 2)?.block.id).toBe('g');
		expect(blockAt(content, places.get('b')!.pos + 1)?.block.id).toBe('b');
		expect(blockAt(content, 0)?.block.id).toBe('x');
		expect(places.get('g')!.block.inside).toBe('f');
	});
	it('shortens a long heading and never cuts a character in two', () => {
		const [entry] = outlineOf(doc(h(1, '😀'.repeat(200), 'a'))).headings;
		expect(entry!.text).toMatch(/^😀+…$/u);
		expect(entry!.text.length).toBeLessThanOrEqual(120);
	});
	it('gives the same view of a block as long as the block is the same', () => {
		const sheet = new Sheet([p('one', 'a'), p('two', 'b')]);
		const before = placesOf(sheet.state.doc);
		sheet.dispatch(sheet.state.tr.insertText('x', 7));
		const after = placesOf(sheet.state.doc);
		expect(after.get('a')!.block).toBe(before.get('a')!.block);
		expect(after.get('b')!.block).not.toBe(before.get('b')!.block);
		expect(Object.isFrozen(after.get('a')!.block)).toBe(true);
		expect(after.get('b')!.block).toMatchObject({ text: 'txwo', markdown: 'txwo', words: 1 });
	});
});
