import { history, undo } from 'prosemirror-history';
import { Fragment, Schema, type Node } from 'prosemirror-model';
import { EditorState, Plugin, TextSelection } from 'prosemirror-state';
import { CellSelection } from 'prosemirror-tables';
import { EditorView } from 'prosemirror-view';
import { afterEach, describe, expect, it } from 'vitest';
import { prosemirrorToYXmlFragment, ySyncPlugin } from 'y-prosemirror';
import * as Y from 'yjs';
import { actingAs } from '../../src/lib/actor/index.js';
import type { ActCall } from '../../src/lib/agent/capability/index.js';
import {
	createDocumentProvider,
	documentCodes,
	documentManifest,
	documentRow,
	withBlockIds,
	type DocumentChange,
	type DocumentProvider,
	type DocumentReport
} from '../../src/lib/canon/participants/document/index.js';
import {
	ada,
	counter,
	desk,
	doc,
	h,
	li,
	p,
	person,
	quote,
	schema,
	table,
	ul,
	type Desk
} from '../fixtures/document/desk.js';

const at = (view: EditorView, id: string): number => {
	let found = -1;
	view.state.doc.descendants((node, pos) => void (node.attrs['id'] === id && (found = pos)));
	return found;
};
/** Refused with this code, and the very same document. */
function refused(one: Pick<Desk, 'view' | 'document'>, change: DocumentChange, code: string) {
	const before = one.view.state.doc;
	const as = <T>(fn: () => T) => actingAs(ada, fn);
	expect(as(() => one.document.check(change))).toMatchObject({ ok: false, code });
	expect(as(() => one.document.apply(change))).toMatchObject({ ok: false, code });
	expect(one.view.state.doc).toBe(before);
	expect(documentCodes).toHaveProperty(code);
}
const wrote = (report: DocumentReport) => expect(report).toMatchObject({ ok: true });
const whole = async (one: Desk, run: string, before: Node) => {
	one.view.state.doc.check();
	one.document.end(run);
	await one.document.undo(run);
	expect(one.view.state.doc.eq(before)).toBe(true);
};

const views: EditorView[] = [];
afterEach(() => views.splice(0).forEach((view) => view.destroy()));
/** An editor over any schema. */
function bare(
	content: Node,
	options: { plugins?: Plugin[]; row?: boolean; props?: object } = {}
): Pick<Desk, 'view' | 'document'> {
	const { plugins = [], row = true, props = {} } = options;
	const view = new EditorView(null, {
		...props,
		state: EditorState.create({
			doc: content,
			plugins: row ? documentRow([history(), ...plugins], { ids: counter() }) : [history(), ...plugins]
		})
	});
	views.push(view);
	return { view, document: createDocumentProvider(view) };
}

describe('tables', () => {
	const one = () =>
		desk([table('t', [[p('a', 'a')], [p('b', 'b')]], [[p('c', 'c')], [p('d', 'd')]]), p('after', 'z')]);
	it('are written cell by cell, and stay whole', async () => {
		const d = one();
		const before = d.view.state.doc;
		wrote(d.as('r1', () => d.document.rewrite('b', 'one\n\n- two')));
		wrote(d.as('r1', () => d.document.remove('a')));
		wrote(d.as('r1', () => d.document.insert({ after: 'd' }, 'more')));
		expect(d.shape()).toMatch(
			/^table#t\(table_row\(table_cell\(p#\w+\), table_cell\(p#b one, ul#?\w*\(li\(p#\w+ two\)\)\)\), table_row\(table_cell\(p#c c\), table_cell\(p#d d, p#\w+ more\)\)\) \| p#z after$/
		);
		await whole(d, 'r1', before);
	});
	it.each(['move', 'remove'] as const)('go as a whole and come back as a whole: %s', async (kind) => {
		const d = one();
		const before = d.view.state.doc;
		wrote(
			d.as('r1', () => (kind === 'move' ? d.document.move('t', { after: 'z' }) : d.document.remove('t')))
		);
		expect(d.shape()).toMatch(kind === 'move' ? /^p#z after \| table#t/ : /^p#z after$/);
		await whole(d, 'r1', before);
	});
	it('with cells over several columns are kept by the line that stands for them', async () => {
		const wide = schema.node('table', { id: 't' }, [
			schema.node('table_row', null, [schema.node('table_cell', { colspan: 2 }, [p('wide', 'w')])]),
			schema.node('table_row', null, [
				schema.node('table_cell', null, [p('x')]),
				schema.node('table_cell', null, [p('y')])
			])
		]);
		const d = desk([h(1, 'Head', 'h'), p('text', 'p'), wide]);
		const { markdown } = d.document.block('t')!;
		expect(markdown).toBe('[table 2 × 2]');
		wrote(d.as('r1', () => d.document.rewriteSection('h', `# Head\n\nother text\n\n${markdown}`)));
		expect(d.view.state.doc.child(2).eq(wide) || d.document.block('t')).toBeTruthy();
		expect(d.document.block('w')!.text).toBe('wide');
		refused(d, { kind: 'insert', at: 'end', content: markdown }, 'placeholder');
	});
	it('selected by cells cannot be written over as text', () => {
		const d = one();
		const select = CellSelection.create(d.view.state.doc, at(d.view, 'a') - 1, at(d.view, 'b') - 1);
		d.view.dispatch(d.view.state.tr.setSelection(select));
		expect(d.document.selection()).toMatchObject({ empty: false, blocks: ['t'] });
		refused(d, { kind: 'rewriteSelection', content: 'x' }, 'selection');
	});
	it('inside tables, and lists inside lists inside tables, are addressed down to the last paragraph', async () => {
		const deep = table('out', [
			[
				table('in', [
					[ul('l', li(p('one', '1'), ul(null, li(p('two', '2'), quote(null, p('three', '3')))))), p('x', 'x')]
				])
			]
		]);
		const d = desk([deep]);
		const before = d.view.state.doc;
		expect(d.document.blocks().map(({ id, inside }) => `${id}<${inside}`)).toEqual([
			'out<undefined',
			'1<out',
			'2<out',
			'3<out',
			'x<out'
		]);
		wrote(d.as('r1', () => d.document.rewrite('3', 'drei')));
		wrote(d.as('r1', () => d.document.insert({ after: '2' }, 'zwei b')));
		wrote(d.as('r1', () => d.document.format('1', { mark: 'bold' })));
		wrote(d.as('r1', () => d.document.remove('x')));
		expect(d.document.parts('out').map(({ text }) => text)).toEqual(['one', 'two', 'zwei b', 'drei']);
		refused(d, { kind: 'move', id: 'out', to: { after: '2' } }, 'place');
		await whole(d, 'r1', before);
	});
});

describe('lists', () => {
	it('nested deeper than is taken are refused', () => {
		const d = desk([p('a', 'a')]);
		const deep = Array.from({ length: 40 }, (_, level) => `${'  '.repeat(level)}- ${level}`).join('\n');
		refused(d, { kind: 'insert', at: 'end', content: deep }, 'depth');
	});
	it('whose only item goes, go with it', async () => {
		const d = desk([p('a', 'a'), ul('l', li(p('only', 'o')))]);
		const before = d.view.state.doc;
		wrote(d.as('r1', () => d.document.remove('o')));
		expect(d.shape()).toBe('p#a a');
		await whole(d, 'r1', before);
	});
	it('an item that has more in it keeps what the schema wants', () => {
		const d = desk([ul('l', li(p('head', 'o'), ul(null, li(p('inner', 'i')))))]);
		wrote(d.as('r1', () => d.document.remove('o')));
		d.view.state.doc.check();
		expect(d.document.block('i')!.text).toBe('inner');
	});
});

describe('node views and nested editors', () => {
	const nodes = withBlockIds({
		doc: { content: 'block+' },
		paragraph: { group: 'block', content: 'inline*', toDOM: () => ['p', 0] },
		callout: { group: 'block', content: 'paragraph+', toDOM: () => ['aside', 0] },
		chart: { group: 'block', atom: true, attrs: { src: {} }, toDOM: () => ['figure'] },
		text: { group: 'inline' },
		footnote: { group: 'inline', inline: true, content: 'text*', atom: true, toDOM: () => ['sup', 0] }
	});
	const own = new Schema({ nodes, marks: {} });
	const para = (id: string, ...content: Node[]) => own.node('paragraph', { id }, content);
	const note = (text: string) => own.node('footnote', null, [own.text(text)]);

	it('blocks drawn by a view of their own are read and written like any other', () => {
		const drawn: string[] = [];
		const one = bare(
			own.node('doc', null, [
				para('a', own.text('x')),
				own.node('callout', { id: 'c' }, [para('d', own.text('y'))]),
				own.node('chart', { id: 'e', src: 's' })
			]),
			{
				props: {
					nodeViews: {
						callout: () => {
							drawn.push('callout');
							const dom = window.document.createElement('aside');
							const contentDOM = dom.appendChild(window.document.createElement('div'));
							return { dom, contentDOM };
						},
						chart: () => ({ dom: window.document.createElement('canvas') })
					}
				}
			}
		);
		expect(one.document.blocks().map(({ id }) => id)).toEqual(['a', 'c', 'd', 'e']);
		wrote(one.document.rewrite('d', 'z'));
		wrote(one.document.move('e', 'start'));
		expect(one.view.dom.querySelector('aside')!.textContent).toBe('z');
		expect(drawn.length).toBeGreaterThan(0);
		refused(one, { kind: 'format', id: 'e', format: { mark: 'bold' } }, 'schema');
		refused(one, { kind: 'insert', at: 'end', content: '# Heading' }, 'schema');
	});

	it('an editor inside the editor: what stands in it is kept, and both may write', () => {
		const one = bare(own.node('doc', null, [para('a', own.text('one'), note('inner'), own.text('two'))]));
		const pos = 4;
		// As ProseMirror's own footnote example does it: steps of the inner editor go to the outer one.
		const inner: EditorView = new EditorView(null, {
			state: EditorState.create({ doc: one.view.state.doc.nodeAt(pos)! }),
			dispatchTransaction(tr) {
				inner.updateState(inner.state.apply(tr));
				const outer = one.view.state.tr;
				for (const step of tr.steps)
					outer.step(
						step.map({
							map: (at: number) => at + pos + 1,
							mapResult: (at: number) => ({ pos: at + pos + 1, deleted: false })
						} as never)!
					);
				one.view.dispatch(outer);
			}
		});
		views.push(inner);
		const { markdown } = one.document.block('a')!;
		expect(markdown).toContain('[footnote: inner]');
		actingAs(person, () => inner.dispatch(inner.state.tr.insertText('!', 5)));
		wrote(actingAs(ada, () => one.document.rewrite('a', 'ONE[footnote: inner!]two and more')));
		const block = one.view.state.doc.firstChild!;
		expect(block.textContent).toBe('ONEinner!two and more');
		expect(block.child(1).type.name).toBe('footnote');
		refused(one, { kind: 'rewrite', id: 'a', content: 'x[footnote: other]' }, 'placeholder');
	});
});

describe('documents that are replaced, saved, loaded', () => {
	it('as a whole in mid-run: what was written stays, undo says what it cannot know', async () => {
		const d = desk([p('one', 'a'), p('two', 'b')]);
		d.as('r1', () => d.document.rewrite('a', 'ONE'));
		const fresh = Fragment.from([p('remote', 'x'), p('ONE', 'a')]);
		d.view.dispatch(
			d.view.state.tr
				.replaceWith(0, d.view.state.doc.content.size, fresh)
				.setMeta('y-sync$', { isChangeOrigin: true })
		);
		expect(d.shape()).toBe('p#x remote | p#a ONE');
		refused(d, { kind: 'rewrite', id: 'b', content: 'x' }, 'block-unknown');
		wrote(d.as('r1', () => d.document.rewrite('x', 'written after')));
		d.document.end('r1');
		const { kept } = await d.document.undo('r1');
		d.view.state.doc.check();
		expect(d.document.block('x')!.text).toBe('remote');
		expect(kept.map(({ what }) => what)).toContain('document');
	});
	it('by a real binding to a shared document, each time somebody else types', async () => {
		const shared = [new Y.Doc(), new Y.Doc()] as const;
		const sync = (from: Y.Doc, to: Y.Doc) =>
			from.on('update', (update: Uint8Array, origin: unknown) => {
				if (origin !== to) Y.applyUpdate(to, update, from);
			});
		sync(...shared);
		sync(shared[1], shared[0]);
		const fragments = shared.map((one) => one.getXmlFragment('text'));
		prosemirrorToYXmlFragment(doc(p('one', 'a'), p('two', 'b')), fragments[0]!);
		const [mine, theirs] = fragments.map((fragment) =>
			desk(doc(p('')), { plugins: [ySyncPlugin(fragment)] })
		) as [Desk, Desk];
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(mine.shape()).toBe('p#a one | p#b two');
		wrote(mine.as('r1', () => mine.document.rewrite('a', 'one, written')));
		expect(theirs.shape()).toBe('p#a one, written | p#b two');
		theirs.type('!', at(theirs.view, 'b') + 4);
		expect(mine.shape()).toBe('p#a one, written | p#b two!');
		expect(mine.document.origins('b').map(({ origin }) => origin)).toEqual(['imported']);
		expect(mine.document.provenance().map(({ block, run }) => [block, run])).toEqual([['a', 'r1']]);
		wrote(mine.as('r1', () => mine.document.replaceText('b', 'two!', 'three')));
		mine.document.end('r1');
		await mine.document.undo('r1');
		mine.view.state.doc.check();
		expect(mine.document.block('b')!.text).toBe('two!');
		expect(mine.document.block('a')!.text).toMatch(/^one/);
		expect(theirs.shape()).toBe(mine.shape());
	});
	it('by a new state of the editor: read and written as it is then', () => {
		const d = desk([p('one', 'a')]);
		const { plugins } = d.view.state;
		d.view.updateState(EditorState.create({ doc: doc(p('new'), p('two', 'a')), plugins }));
		expect(d.document.blocks().map(({ text }) => text)).toEqual(['new', 'two']);
		expect(new Set(d.document.blocks().map(({ id }) => id)).size).toBe(2);
		wrote(d.as('r2', () => d.document.rewrite('a', 'drei')));
	});
	it('saved and loaded: ids, words and who wrote them are the same; the old run is over', async () => {
		const d = desk([p('one', 'a')]);
		d.as('r1', () => d.document.insert('end', 'hers'));
		d.document.end('r1');
		const saved = JSON.parse(JSON.stringify(d.view.state.doc.toJSON())) as object;
		const again = desk(schema.nodeFromJSON(saved));
		expect(again.document.blocks().map(({ id }) => id)).toEqual(d.document.blocks().map(({ id }) => id));
		expect(again.document.provenance()).toEqual(d.document.provenance());
		expect(again.document.version()).toBe(d.document.version());
		expect(await again.document.undo('r1')).toMatchObject({ undone: 0, kept: [{ what: '4 characters' }] });
	});
	it('with ids that are no texts, or twice the same: repaired, and nothing lost', () => {
		const content = doc(
			p('a', 'x'),
			p('b', 'x'),
			schema.node('paragraph', { id: 7 as never }, [schema.text('c')]),
			schema.node('paragraph', { id: '' }, [schema.text('d')])
		);
		const d = desk(content);
		const ids = d.document.blocks().map(({ id }) => id);
		expect(new Set(ids).size).toBe(4);
		expect(ids[0]).toBe('x');
		expect(d.document.blocks().map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd']);
	});
});

describe('blocks that vanish or are copied', () => {
	it('one that the person removed is unknown, and the answer says so', () => {
		const d = desk([p('one', 'a'), p('two', 'b')]);
		actingAs(person, () => d.view.dispatch(d.view.state.tr.delete(0, 5)));
		for (const change of [
			{ kind: 'rewrite', id: 'a', content: 'x' },
			{ kind: 'rewriteSection', id: 'a', content: 'x' },
			{ kind: 'replaceText', id: 'a', find: 'one', text: 'x' },
			{ kind: 'remove', id: 'a' },
			{ kind: 'move', id: 'a', to: 'end' },
			{ kind: 'move', id: 'b', to: { after: 'a' } },
			{ kind: 'insert', at: { after: 'a' }, content: 'x' },
			{ kind: 'format', id: 'a', format: { mark: 'bold' } },
			{ kind: 'comment', id: 'a', text: 'x' }
		] as const)
			refused(d, change, 'block-unknown');
	});
	it('a pasted copy is another block: a write goes to the one that was there', () => {
		const d = desk([p('one', 'a'), p('two', 'b')]);
		const copy = d.view.state.doc.slice(0, 5);
		actingAs(person, () => d.view.dispatch(d.view.state.tr.replace(0, 0, copy).setMeta('paste', true)));
		wrote(d.as('r1', () => d.document.rewrite('a', 'ONE')));
		expect(d.document.blocks().map(({ text }) => text)).toEqual(['one', 'ONE', 'two']);
	});
	it.each(['__proto__', 'constructor', 'toString', ''])('a block called %j is unknown', (id) => {
		const d = desk([p('one', 'a')]);
		refused(d, { kind: 'rewrite', id, content: 'x' }, 'block-unknown');
		expect(d.document.block(id)).toBeUndefined();
		refused(d, { kind: 'format', id: 'a', format: { mark: id } }, 'schema');
		refused(d, { kind: 'format', id: 'a', format: { type: id } }, 'schema');
	});
});

describe('schemas without what is needed', () => {
	it('no such node: refused with its name, and what there is instead', () => {
		const small = new Schema({
			nodes: withBlockIds({
				doc: { content: 'paragraph+' },
				paragraph: { content: 'text*', toDOM: () => ['p', 0] },
				text: {}
			})
		});
		const one = bare(small.node('doc', null, [small.node('paragraph', { id: 'a' }, [small.text('x')])]));
		for (const content of [
			'# Heading',
			'- item',
			'> quote',
			'```\ncode\n```',
			'| a |\n| - |\n| b |',
			'**bold**',
			'[x](https://x.example)',
			'---'
		])
			refused(one, { kind: 'rewrite', id: 'a', content }, 'schema');
		const report = one.document.rewrite('a', '# Heading') as { text: string };
		expect(report.text).toMatch(/heading/i);
		refused(one, { kind: 'comment', id: 'a', text: 'x' }, 'schema');
		wrote(one.document.rewrite('a', 'plain'));
		expect(one.document.outline().headings).toEqual([]);
	});
	it('no ids: nothing can be addressed, and nothing is written', () => {
		const plain = new Schema({
			nodes: {
				doc: { content: 'paragraph+' },
				paragraph: { content: 'text*', toDOM: () => ['p', 0] },
				text: {}
			}
		});
		const one = bare(plain.node('doc', null, [plain.node('paragraph', null, [plain.text('x')])]));
		expect(one.document.blocks()).toEqual([]);
		refused(one, { kind: 'insert', at: 'end', content: 'x' }, 'unprepared');
	});
	it('no plugins: the app may read and an agent may not write', () => {
		const one = bare(doc(p('x', 'a')), { row: false });
		expect(one.document.block('a')!.text).toBe('x');
		refused(one, { kind: 'rewrite', id: 'a', content: 'y' }, 'unprepared');
		expect(() => one.document.end('r1')).not.toThrow();
	});
	it('one line of text instead of blocks', () => {
		const line = new Schema({ nodes: { doc: { content: 'text*' }, text: {} } });
		const one = bare(line.node('doc', null, [line.text('x')]));
		expect(one.document.blocks()).toEqual([]);
		expect(one.document.selection()).toBeUndefined();
		refused(one, { kind: 'insert', at: 'end', content: 'x' }, 'unprepared');
	});
	it('nodes of another schema', () => {
		const other = new Schema({
			nodes: { doc: { content: 'paragraph+' }, paragraph: { content: 'text*' }, text: {} }
		});
		refused(
			desk([p('x', 'a')]),
			{ kind: 'rewrite', id: 'a', content: { nodes: [other.node('paragraph')] } },
			'schema'
		);
	});
});

describe('editors that are closed, filtered, gone', () => {
	it('read-only: nothing is written, everything can be read', () => {
		let editable = true;
		const d = desk([p('one', 'a')], { editable: () => editable });
		editable = false;
		d.view.setProps({});
		refused(d, { kind: 'rewrite', id: 'a', content: 'x' }, 'read-only');
		expect(d.document.state).toBe('read-only');
		expect(documentManifest.acts['rewrite']!.available!(d.document)).toBe('The editor is read-only.');
		expect(d.document.block('a')!.text).toBe('one');
	});
	it('a filter of the editor refuses: nothing happened', () => {
		const filter = new Plugin({
			filterTransaction: (tr) => !tr.docChanged || tr.getMeta('addToHistory') !== false
		});
		const d = desk([p('one', 'a')], { plugins: [filter] });
		const { doc } = d.view.state;
		expect(d.as('r1', () => d.document.rewrite('a', 'x'))).toMatchObject({ ok: false, code: 'prevented' });
		expect(d.view.state.doc).toBe(doc);
	});
	it('not there yet, then there, then gone in mid-run', async () => {
		const held: { view?: EditorView } = {};
		const document: DocumentProvider = createDocumentProvider(() => held.view);
		expect(document.state).toBe('not-ready');
		expect([document.blocks(), document.outline().blocks, document.selection(), document.version()]).toEqual([
			[],
			0,
			undefined,
			''
		]);
		expect(document.insert('end', 'x')).toMatchObject({ code: 'not-ready' });
		expect([
			document.paint('s', 'end', 'x'),
			document.accept(),
			document.export({ format: 'markdown' })
		]).toEqual([false, false, '']);
		const d = desk([p('one', 'a')]);
		held.view = d.view;
		expect(actingAs(ada, () => document.rewrite('a', 'ONE'))).toMatchObject({ ok: true });
		const later = actingAs(ada, () => {
			Object.defineProperty(d.view, 'composing', { value: true, configurable: true });
			d.view.dispatch(d.view.state.tr.setSelection(TextSelection.create(d.view.state.doc, 2)));
			return document.write({ kind: 'rewrite', id: 'a', content: 'x' });
		});
		d.view.destroy();
		expect(await later).toMatchObject({ ok: false, code: 'destroyed' });
		expect(document.state).toBe('destroyed');
		expect(document.insert('end', 'x')).toMatchObject({ code: 'destroyed' });
		expect(await document.undo('r1')).toEqual({
			undone: 0,
			kept: [{ what: 'document', why: documentCodes.destroyed.means }]
		});
		expect(() => [document.end('r1'), document.unpaint('s'), document.destroy()]).not.toThrow();
	});
	it('a provider that was destroyed writes nothing more and leaves no marks on the page', () => {
		const d = desk([p('one', 'a')]);
		d.document.destroy();
		expect(d.document.insert('end', 'x')).toMatchObject({ code: 'destroyed' });
		expect(d.view.dom.hasAttribute('data-state')).toBe(false);
		expect(d.shape()).toBe('p#a one');
	});
});

describe('large documents', () => {
	it('of 2 MB are read in part, written in place and undone exactly', async () => {
		const words = 'word '.repeat(20).trim();
		const d = desk(
			Array.from({ length: 20_000 }, (_, index) =>
				index % 100 === 0 ? h(2, `Section ${index}`, `b${index}`) : p(words, `b${index}`)
			)
		);
		const before = d.view.state.doc;
		expect(before.content.size).toBeGreaterThan(2_000_000);
		const listing = JSON.stringify(documentManifest.reads.block.read(d.document));
		expect(listing.length).toBeLessThan(20_000);
		expect(JSON.parse(listing)).toMatchObject({ shortened: true, more: 19_900 });
		expect(d.document.outline().headings).toHaveLength(200);
		wrote(
			d.as('r1', () => d.document.replaceText('b12345', 'word word word word', 'four words', { all: true }))
		);
		wrote(d.as('r1', () => d.document.insert({ after: 'b19999' }, 'The end')));
		d.type('typed', at(d.view, 'b5') + 1);
		d.document.end('r1');
		await d.document.undo('r1');
		const now = d.view.state.doc;
		expect(now.childCount).toBe(20_000);
		let differ = 0;
		now.forEach((node, _pos, index) => void (differ += Number(!node.eq(before.child(index)))));
		expect(differ).toBe(1);
	}, 60_000);
	it('a text that is too long is refused', () => {
		refused(desk([p('a', 'a')]), { kind: 'insert', at: 'end', content: 'x'.repeat(300_000) }, 'size');
	});
	it('a section that is too long is listed block by block', () => {
		const d = desk([
			h(1, 'Head', 'h'),
			...Array.from({ length: 400 }, (_, n) => p(`${n} ${'x'.repeat(100)}`))
		]);
		expect(documentManifest.reads.section.read(d.document, 'h')).toMatchObject({
			shortened: true,
			more: 301
		});
	});
});

describe('scripts and characters', () => {
	it('bidirectional text is found, replaced and marked where it stands', () => {
		const d = desk([p('abc שלום עולם def', 'a')]);
		wrote(d.as('r1', () => d.document.replaceText('a', 'עולם', 'חבר')));
		expect(d.document.block('a')!.text).toBe('abc שלום חבר def');
		wrote(d.as('r1', () => d.document.format('a', { mark: 'bold', quote: 'שלום' })));
		expect(d.document.block('a')!.markdown).toBe('abc **שלום** חבר def');
	});
	it.each([
		['a combining accent', 'cafe\u0301 noir', 'cafe', 'café'],
		['half of an emoji', 'hi 👩‍👩‍👧 there', '👩', '👩‍👩‍👧'],
		['half of a surrogate pair', 'a😀b', '\ud83d', '😀'],
		['a flag', 'go 🇩🇪🇫🇷', '🇪🇫', '🇩🇪']
	])('never cuts %s', (_, text, part, whole) => {
		const d = desk([p(text, 'a')]);
		refused(d, { kind: 'replaceText', id: 'a', find: part, text: 'x' }, 'not-found');
		if (text.includes(whole)) wrote(d.document.replaceText('a', whole, 'x'));
	});
	it('the person’s words beside a rewrite keep every code unit', async () => {
		const d = desk([p('नमस्ते दुनिया 👩‍👩‍👧 e\u0301', 'a')]);
		const before = d.view.state.doc;
		wrote(d.as('r1', () => d.document.rewrite('a', 'नमस्ते सुंदर दुनिया 👩‍👩‍👧 e\u0301!')));
		expect(d.document.block('a')!.text).toBe('नमस्ते सुंदर दुनिया 👩‍👩‍👧 e\u0301!');
		await whole(d, 'r1', before);
	});
	it('an empty quote is nowhere', () => {
		const d = desk([p('abc', 'a')]);
		refused(d, { kind: 'replaceText', id: 'a', find: '', text: 'x' }, 'not-found');
		refused(d, { kind: 'comment', id: 'a', text: 'x', quote: '' }, 'not-found');
	});
});

describe('everything at once', () => {
	it('every code of the table has a meaning and a cure', () => {
		for (const { means, cure } of Object.values(documentCodes)) {
			expect(means).toMatch(/\.$/);
			expect(cure).toMatch(/\.$/);
		}
	});
	it('a refusal leaves history, redo and selection as they are', () => {
		const d = desk([p('one', 'a')]);
		d.type('x', 2);
		undo(d.view.state, d.view.dispatch.bind(d.view));
		const { state } = d.view;
		for (const change of [
			{ kind: 'rewrite', id: 'a', content: '```\nx' },
			{ kind: 'rewrite', id: 'nothere', content: 'x' },
			{ kind: 'replaceText', id: 'a', find: 'nothere', text: 'x' },
			{ kind: 'insert', at: 'end', content: '' }
		] as const)
			if (!d.as('r1', () => d.document.check(change)).ok) d.as('r1', () => d.document.apply(change));
		expect(d.view.state).toBe(state);
	});
	it('an act whose block is edited while it waits for a composition is refused with the new text', async () => {
		const d = desk([p('one', 'a')]);
		const version = documentManifest.reads.block.version(d.document, 'a');
		d.view.dispatch(d.view.state.tr.setSelection(TextSelection.create(d.view.state.doc, 2)));
		let composing = true;
		Object.defineProperty(d.view, 'composing', { get: () => composing, configurable: true });
		const call: ActCall = {
			actor: ada,
			run: 'r1',
			step: 's1',
			operation: 'o',
			expect: { 'block:a': version },
			signal: new AbortController().signal
		};
		const result = d.as('r1', () =>
			documentManifest.acts['rewrite']!.perform(d.document, { block: 'a', text: 'x' }, call)
		);
		expect(result).toBeInstanceOf(Promise);
		d.type('日本', 2);
		composing = false;
		expect(await result).toMatchObject({
			kind: 'refuse',
			reason: { code: 'stale', text: expect.stringContaining('o日本ne') as unknown }
		});
		expect(d.shape()).toBe('p#a o日本ne');
	});
});
