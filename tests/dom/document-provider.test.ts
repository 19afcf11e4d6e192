import { redo, undo, undoDepth } from 'prosemirror-history';
import { NodeSelection, AllSelection, TextSelection } from 'prosemirror-state';
import { describe, expect, it, vi } from 'vitest';
import { actingAs, APP } from '../../src/lib/actor/index.js';
import {
	documentCodes,
	documentMorfo,
	units,
	type DocumentChange,
	type DocumentReport
} from '../../src/lib/canon/participants/document/index.js';
import { validateMorfo } from '../../src/lib/uix/morfo/index.js';
import type { Emission } from '../../src/lib/uix/sema/index.js';
import { desk, h, li, p, person, schema, ul, type Desk } from '../fixtures/document/desk.js';

const letter = (options: Parameters<typeof desk>[1] = {}) =>
	desk(
		[
			h(1, 'Letter', 'title'),
			p('Dear Bruno,', 'hello'),
			ul('list', li(p('one', 'i1')), li(p('two', 'i2')), li(p('three', 'i3'))),
			p('Yours', 'bye')
		],
		options
	);
const at = ({ view }: Desk, id: string): number => {
	let found = -1;
	view.state.doc.descendants((node, pos) => void (node.attrs['id'] === id && (found = pos)));
	return found;
};
const select = (one: Desk, from: number, to: number) =>
	one.view.dispatch(one.view.state.tr.setSelection(TextSelection.create(one.view.state.doc, from, to)));

describe('reads', () => {
	it('lists every block in order, with what it stands in', () => {
		const { document } = letter();
		expect(document.blocks().map(({ id, inside }) => [id, inside])).toEqual([
			['title', undefined],
			['hello', undefined],
			['list', undefined],
			['i1', 'list'],
			['i2', 'list'],
			['i3', 'list'],
			['bye', undefined]
		]);
		expect(document.parts('list').map(({ text }) => text)).toEqual(['one', 'two', 'three']);
		expect(document.block('title')).toMatchObject({
			type: 'heading',
			level: 1,
			markdown: '# Letter',
			words: 1
		});
		expect(document.block('nothere')).toBeUndefined();
	});
	it('gives a section by its heading, smaller ones included', () => {
		const { document } = desk([h(1, 'A', 'a'), p('x', 'b'), h(2, 'B', 'c'), p('y', 'd'), h(1, 'C', 'e')]);
		expect(document.section('a')).toMatchObject({ markdown: '# A\n\nx\n\n## B\n\ny' });
		expect(document.section('c')!.blocks.map(({ id }) => id)).toEqual(['c', 'd']);
		expect(document.section('b')).toBeUndefined();
		expect(document.sectionsOf('d')).toEqual(['a', 'c']);
		expect(document.sectionsOf('e')).toEqual(['e']);
	});
	it('says what is selected, over several blocks too', () => {
		const one = letter();
		select(one, at(one, 'hello') + 6, at(one, 'i1') + 3);
		expect(one.document.selection()).toEqual({
			empty: false,
			from: { block: 'hello', offset: 5 },
			to: { block: 'i1', offset: 2 },
			blocks: ['hello', 'list'],
			text: 'Bruno,\non',
			markdown: 'Bruno,\n\n- on'
		});
	});
	it('versions change with what is said', () => {
		const one = letter();
		const [all, hello, list] = [
			one.document.version(),
			one.document.version('hello'),
			one.document.version('list')
		];
		one.type('x', at(one, 'i2') + 1);
		expect(one.document.version('hello')).toBe(hello);
		expect(one.document.version('list')).not.toBe(list);
		expect(one.document.version()).not.toBe(all);
		expect(one.document.version('nothere')).toBe('');
	});
});

const CHANGES: readonly [what: string, change: DocumentChange, shape: string, event: string][] = [
	[
		'insert behind a block',
		{ kind: 'insert', at: { after: 'hello' }, content: 'New **bold**\n\n- x' },
		'h1#title Letter | p#hello Dear Bruno, | p#n1 New bold | ul#n2(li(p#n3 x)) | ul#list(li(p#i1 one), li(p#i2 two), li(p#i3 three)) | p#bye Yours',
		'insert'
	],
	[
		'insert at the start',
		{ kind: 'insert', at: 'start', content: 'New' },
		'p#n1 New | h1#title Letter | p#hello Dear Bruno, | ul#list(li(p#i1 one), li(p#i2 two), li(p#i3 three)) | p#bye Yours',
		'insert'
	],
	[
		'insert behind an item of a list',
		{ kind: 'insert', at: { after: 'i1' }, content: 'more' },
		'h1#title Letter | p#hello Dear Bruno, | ul#list(li(p#i1 one, p#n1 more), li(p#i2 two), li(p#i3 three)) | p#bye Yours',
		'insert'
	],
	[
		'rewrite',
		{ kind: 'rewrite', id: 'hello', content: 'Dear Carla,' },
		'h1#title Letter | p#hello Dear Carla, | ul#list(li(p#i1 one), li(p#i2 two), li(p#i3 three)) | p#bye Yours',
		'rewrite'
	],
	[
		'rewrite into several',
		{ kind: 'rewrite', id: 'hello', content: '## Hello\n\nDear Bruno,\n\nand Carla' },
		'h1#title Letter | h2#n1 Hello | p#hello Dear Bruno, | p#n3 and Carla | ul#list(li(p#i1 one), li(p#i2 two), li(p#i3 three)) | p#bye Yours',
		'rewrite'
	],
	[
		'rewrite to nothing',
		{ kind: 'rewrite', id: 'hello', content: '' },
		'h1#title Letter | p#hello | ul#list(li(p#i1 one), li(p#i2 two), li(p#i3 three)) | p#bye Yours',
		'rewrite'
	],
	[
		'rewrite a list: items that stay keep their ids',
		{ kind: 'rewrite', id: 'list', content: '- one\n- TWO\n- 2½\n- three' },
		'h1#title Letter | p#hello Dear Bruno, | ul#list(li(p#i1 one), li(p#i2 TWO), li(p#n4 2½), li(p#i3 three)) | p#bye Yours',
		'rewrite'
	],
	[
		'rewrite an item',
		{ kind: 'rewrite', id: 'i2', content: 'zwei' },
		'h1#title Letter | p#hello Dear Bruno, | ul#list(li(p#i1 one), li(p#i2 zwei), li(p#i3 three)) | p#bye Yours',
		'rewrite'
	],
	[
		'rewrite a section below its heading',
		{ kind: 'rewriteSection', id: 'title', content: 'Only this' },
		'h1#title Letter | p#hello Only this',
		'rewrite'
	],
	[
		'rewrite a section with its heading',
		{ kind: 'rewriteSection', id: 'title', content: '# Note\n\nDear Bruno,\n\nYours' },
		'h1#title Note | p#hello Dear Bruno, | p#bye Yours',
		'rewrite'
	],
	[
		'replace words',
		{ kind: 'replaceText', id: 'hello', find: 'Bruno', text: '*Carla*' },
		'h1#title Letter | p#hello Dear Carla, | ul#list(li(p#i1 one), li(p#i2 two), li(p#i3 three)) | p#bye Yours',
		'rewrite'
	],
	[
		'replace words wherever they stand',
		{ kind: 'replaceText', id: 'list', find: 'o', text: '0', all: true },
		'h1#title Letter | p#hello Dear Bruno, | ul#list(li(p#i1 0ne), li(p#i2 tw0), li(p#i3 three)) | p#bye Yours',
		'rewrite'
	],
	[
		'remove',
		{ kind: 'remove', id: 'hello' },
		'h1#title Letter | ul#list(li(p#i1 one), li(p#i2 two), li(p#i3 three)) | p#bye Yours',
		'remove'
	],
	[
		'remove an item with its mark',
		{ kind: 'remove', id: 'i2' },
		'h1#title Letter | p#hello Dear Bruno, | ul#list(li(p#i1 one), li(p#i3 three)) | p#bye Yours',
		'remove'
	],
	[
		'move down',
		{ kind: 'move', id: 'hello', to: { after: 'list' } },
		'h1#title Letter | ul#list(li(p#i1 one), li(p#i2 two), li(p#i3 three)) | p#hello Dear Bruno, | p#bye Yours',
		'move'
	],
	[
		'move up',
		{ kind: 'move', id: 'bye', to: 'start' },
		'p#bye Yours | h1#title Letter | p#hello Dear Bruno, | ul#list(li(p#i1 one), li(p#i2 two), li(p#i3 three))',
		'move'
	],
	[
		'move an item within its list',
		{ kind: 'move', id: 'i1', to: { after: 'i3' } },
		'h1#title Letter | p#hello Dear Bruno, | ul#list(li(p#i2 two), li(p#i3 three), li(p#i1 one)) | p#bye Yours',
		'move'
	],
	[
		'make a heading',
		{ kind: 'format', id: 'hello', format: { type: 'heading', attrs: { level: 2 } } },
		'h1#title Letter | h2#hello Dear Bruno, | ul#list(li(p#i1 one), li(p#i2 two), li(p#i3 three)) | p#bye Yours',
		'format'
	],
	[
		'change a level',
		{ kind: 'format', id: 'title', format: { type: 'heading', attrs: { level: 3 } } },
		'h3#title Letter | p#hello Dear Bruno, | ul#list(li(p#i1 one), li(p#i2 two), li(p#i3 three)) | p#bye Yours',
		'format'
	]
];
const BEFORE =
	'h1#title Letter | p#hello Dear Bruno, | ul#list(li(p#i1 one), li(p#i2 two), li(p#i3 three)) | p#bye Yours';

describe('writes', () => {
	it.each(CHANGES)(
		'%s: one transaction, one event, undone and redone as one run',
		async (_, change, shape, event) => {
			const one = letter();
			const heard: Emission[] = [];
			one.document.subscribe((emission) => void heard.push(emission));
			const dispatched = vi.spyOn(one.view, 'dispatch');
			const trial = one.document.check(change);
			expect(trial.ok).toBe(true);
			expect(dispatched).not.toHaveBeenCalled();

			const report = one.as('r1', () => one.document.apply(change)) as DocumentReport & { ok: true };
			expect(one.shape().replace(/#n\d+/g, '#n')).toBe(shape.replace(/#n\d+/g, '#n'));
			expect(dispatched).toHaveBeenCalledTimes(1);
			expect(heard.map(({ family, verb, event, cause }) => [family, verb, event, cause])).toEqual([
				['delegate', 'act', event, { run: 'r1', step: 's1' }]
			]);
			for (const id of report.blocks) expect(one.document.block(id), id).toBeDefined();
			for (const [id, hash] of Object.entries(report.versions)) expect(one.document.version(id)).toBe(hash);
			expect(undoDepth(one.view.state)).toBe(0);
			one.view.state.doc.check();

			one.document.end('r1');
			expect(units(one.view.state)).toEqual([{ by: 'run', run: 'r1' }]);
			expect(await one.document.undo('r1')).toMatchObject({ kept: [] });
			expect(one.shape()).toBe(BEFORE);
			await one.document.redo('r1');
			expect(one.shape().replace(/#n\d+/g, '#n')).toBe(shape.replace(/#n\d+/g, '#n'));
		}
	);

	it.each(CHANGES)('%s by the app is a step of the ordinary history', (_, change, shape) => {
		const one = letter();
		const heard: Emission[] = [];
		one.document.subscribe((emission) => void heard.push(emission));
		expect(one.document.apply(change).ok).toBe(true);
		expect(one.shape().replace(/#n\d+/g, '#n')).toBe(shape.replace(/#n\d+/g, '#n'));
		expect(undoDepth(one.view.state)).toBe(1);
		expect(one.document.provenance()).toEqual([]);
		expect(heard[0]!.family).not.toBe('delegate');
		undo(one.view.state, one.view.dispatch.bind(one.view));
		expect(one.shape()).toBe(BEFORE);
		redo(one.view.state, one.view.dispatch.bind(one.view));
		expect(one.shape().replace(/#n\d+/g, '#n')).toBe(shape.replace(/#n\d+/g, '#n'));
	});

	it('S2-108 what a run wrote says which run, which agent and when; what it left alone does not', () => {
		const one = letter();
		one.as('r1', () => one.document.rewrite('hello', 'Dear Carla and Bruno,'));
		expect(one.document.provenance()).toEqual([
			expect.objectContaining({
				run: 'r1',
				agent: 'ada',
				name: 'Ada',
				version: '2',
				at: 1000,
				text: 'Carla and ',
				block: 'hello'
			})
		]);
		one.as('r2', () => one.document.move('hello', { after: 'bye' }));
		expect(one.document.provenance().map(({ run, block }) => [run, block])).toEqual([['r1', 'hello']]);
	});

	it('S2-67 the person makes the words their own: a step of their history', () => {
		const one = letter();
		one.as('r1', () => one.document.insert('end', 'Written'));
		expect(one.document.accept({ block: 'hello' })).toBe(false);
		expect(one.document.accept({ block: 'nothere' })).toBe(false);
		expect(actingAs(person, () => one.document.accept({ run: 'r1' }))).toBe(true);
		expect(one.document.provenance()).toEqual([]);
		expect(one.document.origins('n1').map(({ origin }) => origin)).toEqual(['user']);
		undo(one.view.state, one.view.dispatch.bind(one.view));
		expect(one.document.provenance()).toHaveLength(1);
		expect(one.document.origins('n1').map(({ origin }) => origin)).toEqual(['agent']);
		expect(one.document.accept()).toBe(true);
		expect(one.document.accept()).toBe(false);
	});

	it('an empty document is filled, not prefixed', () => {
		const one = desk([p('', 'a')]);
		expect(one.as('r1', () => one.document.insert('end', 'First\n\nSecond'))).toMatchObject({ ok: true });
		expect(one.shape()).toMatch(/^p#a First \| p#\w+ Second$/);
	});

	it('the last block of a document leaves its place', () => {
		const one = desk([h(1, 'Only', 'a')]);
		expect(one.document.remove('a')).toMatchObject({ ok: true });
		expect(one.shape()).toMatch(/^p#\w+$/);
		const { id } = one.document.blocks()[0]!;
		expect(one.document.remove(id)).toMatchObject({ ok: false, code: 'nothing' });
	});

	it('marks lie over a quote, whatever lies there already, and come off again', () => {
		const one = desk([p('one two three', 'a')]);
		expect(one.document.format('a', { mark: 'bold', quote: 'two' })).toMatchObject({ ok: true });
		expect(one.document.format('a', { mark: 'italic', quote: 'one two' })).toMatchObject({ ok: true });
		expect(one.document.block('a')!.markdown).toBe('*one **two*** three');
		expect(one.document.format('a', { mark: 'bold', quote: 'two' })).toMatchObject({ code: 'nothing' });
		expect(one.document.format('a', { mark: 'bold', off: true })).toMatchObject({ ok: true });
		expect(
			one.document.format('a', { mark: 'link', attrs: { href: 'https://x.example' }, quote: 'three' })
		).toMatchObject({ ok: true });
		expect(one.document.block('a')!.markdown).toBe('*one two* [three](https://x.example)');
	});

	it('a quote is found with the signs it was read with', () => {
		const one = desk([p('one two three', 'a')]);
		one.document.format('a', { mark: 'bold', quote: 'two' });
		expect(one.document.replaceText('a', 'one **two** three', 'four')).toMatchObject({ ok: true });
		expect(one.document.block('a')!.text).toBe('four');
	});

	it('new words wear what all of the old ones wore', () => {
		const one = desk([p('one two three', 'a')]);
		one.document.format('a', { mark: 'bold' });
		one.document.replaceText('a', 'two', 'vier');
		expect(one.document.block('a')!.markdown).toBe('**one vier three**');
	});

	it('writes over a selection: words, several blocks, all there is', () => {
		const words = letter();
		select(words, at(words, 'hello') + 6, at(words, 'hello') + 11);
		words.as('r1', () => words.document.rewriteSelection('**Carla**'));
		expect(words.document.block('hello')!.markdown).toBe('Dear **Carla**,');
		const several = desk([p('one two', 'a'), p('three', 'b'), p('four five', 'c')]);
		select(several, 5, at(several, 'c') + 5);
		expect(several.as('r1', () => several.document.rewriteSelection('X\n\nY\n\nZ'))).toMatchObject({
			ok: true
		});
		expect(several.document.blocks().map(({ text }) => text)).toEqual(['one X', 'Y', 'Z five']);
		const all = letter();
		all.view.dispatch(all.view.state.tr.setSelection(new AllSelection(all.view.state.doc)));
		expect(all.as('r1', () => all.document.rewriteSelection('# All'))).toMatchObject({ ok: true });
		expect(all.shape()).toMatch(/^h1#\w+ All$/);
		const node = letter();
		node.view.dispatch(
			node.view.state.tr.setSelection(NodeSelection.create(node.view.state.doc, at(node, 'list')))
		);
		expect(node.document.rewriteSelection('x')).toMatchObject({ ok: false, code: 'selection' });
	});

	it('comments stand beside the text, several over one word, and are found again', () => {
		const one = desk([p('one two three', 'a')]);
		expect(one.as('r1', () => one.document.comment('a', 'First', 'two three'))).toMatchObject({ ok: true });
		expect(actingAs(person, () => one.document.comment('a', 'Second', 'one two'))).toMatchObject({
			ok: true
		});
		expect(one.document.comments()).toEqual([
			expect.objectContaining({ text: 'Second', quote: 'one two', by: 'person', block: 'a' }),
			expect.objectContaining({ text: 'First', quote: 'two three', by: 'ada', at: 1000 })
		]);
		expect(one.document.block('a')!.text).toBe('one two three');
		one.document.end('r1');
		void one.document.undo('r1');
		expect(one.document.comments().map(({ text }) => text)).toEqual(['Second']);
		expect(one.document.comment('a', 'x', 'nothere')).toMatchObject({ code: 'not-found' });
	});

	it('exports with and without who wrote it', () => {
		const one = desk([p('mine', 'a')]);
		one.as('r1', () => one.document.insert('end', 'hers'));
		expect(one.document.export({ format: 'markdown' })).toBe('mine\n\nhers');
		expect(one.document.export({ format: 'markdown', provenance: true })).toContain('agent:');
		expect(one.document.export({ format: 'html' })).not.toContain('data-agent');
		expect(one.document.export({ format: 'html', provenance: true })).toContain('data-agent="ada"');
		expect(JSON.stringify(one.document.export({ format: 'json' }))).not.toContain('"run"');
		expect(JSON.stringify(one.document.export({ format: 'json', provenance: true }))).toContain('"r1"');
	});
});

describe('S2-70 the person is not disturbed', () => {
	it.each(CHANGES)('%s moves neither caret nor stored marks nor the redo row', (_, change) => {
		const one = letter();
		one.type('x', at(one, 'bye') + 3);
		undo(one.view.state, one.view.dispatch.bind(one.view));
		select(one, at(one, 'bye') + 3, at(one, 'bye') + 3);
		one.view.dispatch(one.view.state.tr.addStoredMark(schema.mark('strong')));
		const bye = () => one.view.state.selection.from - at(one, 'bye');
		const focus = vi.spyOn(one.view, 'focus');
		const offset = bye();
		one.as('r1', () => one.document.apply(change));
		if (at(one, 'bye') >= 0 && change.kind !== 'move') expect(bye()).toBe(offset);
		expect(one.view.state.storedMarks?.map(({ type }) => type.name)).toEqual(['strong']);
		expect(focus).not.toHaveBeenCalled();
		expect(redo(one.view.state)).toBe(true);
	});
});

describe('S2-75 undo of a run', () => {
	it('keeps what the person typed inside, and counts it', async () => {
		const one = letter();
		one.as('r1', () => one.document.insert({ after: 'hello' }, 'Agent words'));
		one.document.end('r1');
		one.type('XYZ', at(one, one.document.blocks()[2]!.id) + 6);
		expect(await one.document.undo('r1')).toEqual({
			undone: expect.any(Number) as number,
			kept: [
				{
					what: '3 characters of yours',
					why: 'They stand inside what was taken back, and stay, with the block around them.'
				}
			]
		});
		expect(one.document.blocks()[2]!.text).toBe('XYZ');
	});
	it('of a live run is refused, of an unknown one does nothing, twice is once', async () => {
		const one = letter();
		one.as('r1', () => one.document.insert('end', 'x'));
		expect(await one.document.undo('r1')).toEqual({
			undone: 0,
			kept: [{ what: 'document', why: documentCodes['run-live'].means }]
		});
		one.document.end('r1');
		expect((await one.document.undo('r1')).undone).toBeGreaterThan(0);
		expect(await one.document.undo('r1')).toEqual({ undone: 0, kept: [] });
		expect(await one.document.undo('nothere')).toEqual({ undone: 0, kept: [] });
		expect(one.shape()).toBe(BEFORE);
	});
	it('a run between two words of the person leaves two steps of theirs', () => {
		const one = letter();
		one.type('a', at(one, 'bye') + 6);
		one.as('r1', () => one.document.insert('start', 'x'));
		one.document.end('r1');
		one.type('b', one.view.state.selection.from);
		expect(units(one.view.state)).toEqual([{ by: 'person' }, { by: 'run', run: 'r1' }, { by: 'person' }]);
	});
});

describe('who acts', () => {
	it('a rule with a run writes as a run, one without as the app', () => {
		const one = letter();
		actingAs({ kind: 'rule', id: 'tidy', run: 'r9' }, () => one.document.insert('end', 'by rule'));
		expect(undoDepth(one.view.state)).toBe(0);
		expect(one.document.provenance()[0]).toMatchObject({ agent: 'tidy', run: 'r9' });
		actingAs({ kind: 'rule', id: 'tidy' }, () => one.document.insert('end', 'plain'));
		expect(undoDepth(one.view.state)).toBe(1);
		expect(one.document.provenance()).toHaveLength(1);
	});
	it('the element says that somebody writes, until the run is over', () => {
		const one = letter();
		expect(one.view.dom.dataset).toMatchObject({ participant: 'document', state: 'idle' });
		one.as('r1', () => one.document.insert('end', 'x'));
		expect(one.view.dom.dataset['state']).toBe('busy');
		one.document.end('r1');
		expect(one.view.dom.dataset['state']).toBe('idle');
	});
	it('the contract is sound and every event may be an agent’s', () => {
		expect(validateMorfo(documentMorfo)).toEqual([]);
		for (const event of Object.values(documentMorfo.events))
			expect(event.allowedFamilies).toContain('delegate');
		expect(APP.kind).toBe('app');
	});
});

describe('compositions', () => {
	const composing = (one: Desk, id: string) => {
		select(one, at(one, id) + 2, at(one, id) + 2);
		let on = true;
		Object.defineProperty(one.view, 'composing', { get: () => on, configurable: true });
		return () => (on = false);
	};
	it('a write into the block is refused at once, and made when it has ended', async () => {
		const one = letter();
		const end = composing(one, 'hello');
		const { doc } = one.view.state;
		expect(one.as('r1', () => one.document.rewrite('hello', 'Dear Carla,'))).toMatchObject({
			code: 'composing'
		});
		expect(one.as('r1', () => one.document.format('hello', { type: 'heading' }))).toMatchObject({
			code: 'composing'
		});
		expect(one.as('r1', () => one.document.remove('hello'))).toMatchObject({ code: 'composing' });
		expect(one.view.state.doc).toBe(doc);
		const later = one.as('r1', () =>
			one.document.write({ kind: 'rewrite', id: 'hello', content: 'Dear Carla,' })
		);
		expect(later).toBeInstanceOf(Promise);
		one.view.dispatch(one.view.state.tr.insertText('日本', at(one, 'title') + 1));
		end();
		expect(await later).toMatchObject({ ok: true });
		expect(one.document.block('hello')!.text).toBe('Dear Carla,');
		expect(one.document.provenance()[0]).toMatchObject({ run: 'r1' });
	});
	it('a write elsewhere never waits', () => {
		const one = letter();
		composing(one, 'hello');
		expect(one.as('r1', () => one.document.rewrite('bye', 'Love'))).toMatchObject({ ok: true });
		expect(one.as('r1', () => one.document.insert({ after: 'hello' }, 'Between'))).toMatchObject({
			ok: true
		});
	});
	it('what is asked after the wait may still refuse, and a stalled one times out', async () => {
		const one = letter();
		const end = composing(one, 'hello');
		const change: DocumentChange = { kind: 'rewrite', id: 'hello', content: 'x' };
		const { doc } = one.view.state;
		expect(await one.document.write(change, { timeoutMs: 30 })).toMatchObject({ code: 'composing' });
		const late = one.document.write(change, { still: () => ({ ok: false, code: 'stale', text: 'no' }) });
		end();
		expect(await late).toMatchObject({ code: 'stale' });
		expect(one.view.state.doc).toBe(doc);
	});
	it('undo of a run waits for it', async () => {
		const one = letter();
		one.as('r1', () => one.document.rewrite('hello', 'Dear Carla,'));
		one.document.end('r1');
		const end = composing(one, 'hello');
		const taken = one.document.undo('r1');
		expect(one.document.block('hello')!.text).toBe('Dear Carla,');
		end();
		expect(await taken).toMatchObject({ kept: [] });
		expect(one.shape()).toBe(BEFORE);
	});
});
