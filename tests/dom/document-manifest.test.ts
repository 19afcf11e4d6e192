import { TextSelection } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import { actingAs } from '../../src/lib/actor/index.js';
import type { ActCall, ActResult, AgentAct } from '../../src/lib/agent/capability/index.js';
import { Registry } from '../../src/lib/agent/capability/registry.js';
import { readValue } from '../../src/lib/agent/capability/reading.js';
import {
	createDocumentManifest,
	documentManifest,
	DocumentProvider,
	type DocumentManifestOptions
} from '../../src/lib/canon/participants/document/index.js';
import { auditManifest } from '../../src/lib/testing/index.js';
import { ada, desk, h, li, p, table, ul, type Desk } from '../fixtures/document/desk.js';

type Reads = 'outline' | 'block' | 'selection' | 'section';
const call = (more: Partial<ActCall> = {}): ActCall => ({
	actor: ada,
	run: 'r1',
	step: 's1',
	operation: 'o',
	expect: {},
	signal: new AbortController().signal,
	...more
});
const actOf = (manifest: typeof documentManifest, name: string) =>
	manifest.acts[name]! as AgentAct<DocumentProvider, never, Reads>;

function letter(options: DocumentManifestOptions = {}) {
	const one = desk(
		[
			h(1, 'Letter', 'title'),
			p('Dear Bruno,', 'greeting'),
			h(2, 'Price', 'price'),
			p('The price is 100 euros.', 'sum'),
			ul('list', li(p('fast', 'i1')), li(p('cheap', 'i2'))),
			h(2, 'End', 'end-head'),
			p('Yours, Ada', 'bye')
		],
		{ vouch: 'user' }
	);
	const manifest = createDocumentManifest(options);
	const perform = (name: string, args: unknown, more: Partial<ActCall> = {}) =>
		actingAs({ ...ada, run: more.run ?? 'r1', step: more.step ?? 's1' }, () =>
			actOf(manifest, name).perform(one.document, args as never, call(more))
		) as ActResult | Promise<ActResult>;
	const preview = (name: string, args: unknown) =>
		actOf(manifest, name).preview!(one.document, args as never);
	const touches = (name: string, args: unknown) =>
		(
			actOf(manifest, name).touches as (
				d: DocumentProvider,
				a: unknown
			) => readonly { read: Reads; key?: string }[]
		)(one.document, args);
	const version = (read: Reads, key?: string) => manifest.reads[read].version(one.document, key);
	const value = (read: Reads, key?: string) =>
		JSON.parse(JSON.stringify(manifest.reads[read].read(one.document, key))) as unknown;
	return { ...one, manifest, perform, preview, touches, version, value };
}

/** Every act with arguments that fit the letter, and what it is about. */
const SAMPLES: readonly [name: string, args: Record<string, unknown>, touched: string[]][] = [
	['insert', { after: 'greeting', text: 'How are *you*?' }, ['block:greeting']],
	['insert', { after: 'end', text: 'PS: more' }, ['block:end']],
	['rewrite', { block: 'sum', text: 'The price is **90** euros.' }, ['block:sum']],
	['rewriteSection', { section: 'price', text: 'It costs nothing.' }, ['section:price']],
	['replaceText', { block: 'sum', find: '100', text: '80' }, ['block:sum']],
	['remove', { block: 'list' }, ['block:list']],
	['move', { block: 'sum', after: 'bye' }, ['block:sum', 'block:bye']],
	['format', { block: 'sum', format: 'bold', quote: '100' }, ['block:sum']],
	['format', { block: 'greeting', format: 'heading', level: 3 }, ['block:greeting']],
	['comment', { block: 'sum', text: 'Is that right?', quote: '100 euros' }, ['block:sum']]
];

describe('what a document lets an agent read and write', () => {
	it('is accepted at registration and passes the audit, whatever is left out', () => {
		const { document } = letter();
		for (const options of [{}, { format: 'text' }, { paint: false, acts: { remove: false } }] as const) {
			const manifest = createDocumentManifest(options);
			const registry = new Registry();
			registry.register(manifest, document, { id: 'letter', label: 'Letter' });
			expect(registry.problems).toStrictEqual([]);
			expect(auditManifest(manifest, document)).toStrictEqual([]);
		}
		expect(Object.keys(createDocumentManifest({ acts: { remove: false, move: false } }).acts)).toEqual([
			'insert',
			'rewrite',
			'rewriteSection',
			'rewriteSelection',
			'replaceText',
			'format',
			'comment'
		]);
	});

	it('S2-04 stands on the provider’s public methods alone', () => {
		const source =
			[createDocumentManifest].map(String).join() +
			[...Object.values(documentManifest.acts), ...Object.values(documentManifest.reads)]
				.flatMap((one) => Object.values(one).map(String))
				.join();
		const used = new Set([...source.matchAll(/\bdocument\.([\w#]+)\(/g)].map(([, name]) => name!));
		expect(used.size).toBeGreaterThan(5);
		for (const name of used) expect(DocumentProvider.prototype).toHaveProperty(name);
	});

	it('reads the outline, a block, a section, the selection', () => {
		const { value } = letter();
		expect(value('outline')).toEqual({
			headings: [
				{ id: 'title', level: 1, text: 'Letter', blocks: 6, words: 13 },
				{ id: 'price', level: 2, text: 'Price', blocks: 2, words: 7 },
				{ id: 'end-head', level: 2, text: 'End', blocks: 1, words: 2 }
			],
			before: 0,
			blocks: 7,
			words: 14
		});
		expect(value('block', 'sum')).toEqual({ id: 'sum', type: 'paragraph', text: 'The price is 100 euros.' });
		expect(value('block', 'list')).toEqual({
			id: 'list',
			type: 'bullet_list',
			text: '- fast\n- cheap',
			parts: [
				{ id: 'i1', type: 'paragraph', inside: 'list', text: 'fast' },
				{ id: 'i2', type: 'paragraph', inside: 'list', text: 'cheap' }
			]
		});
		expect(value('block', 'nothere')).toBeNull();
		expect(value('section', 'price')).toMatchObject({
			blocks: [{ id: 'price' }, { id: 'sum' }, { id: 'list' }]
		});
		expect(value('section', 'sum')).toBeNull();
		expect(value('selection')).toMatchObject({ empty: true, from: { block: 'title', offset: 0 }, text: '' });
		expect((value('block') as { blocks: unknown[] }).blocks).toHaveLength(7);
	});

	it('lists a long document by its beginnings and says how much is left out', () => {
		const { document } = desk(Array.from({ length: 300 }, (_, at) => p(`${at} ${'word '.repeat(40)}`)));
		const value = documentManifest.reads.block.read(document) as {
			blocks: { text: unknown }[];
			more: number;
		};
		expect(value.blocks).toHaveLength(100);
		expect(value.more).toBe(200);
		for (const { text } of JSON.parse(JSON.stringify(value.blocks)) as { text: string }[])
			expect(text.length).toBeLessThanOrEqual(80);
		expect(documentManifest.reads.block.summary!(document)).toMatch(/^300 blocks, 12300 words\.$/);
	});

	it('versions stand for what is said: not for ids, not for who wrote it, not for other blocks', () => {
		const { version, type, document, as } = letter();
		const [sum, greeting, section, listing] = [
			version('block', 'sum'),
			version('block', 'greeting'),
			version('section', 'price'),
			version('block')
		];
		expect(sum).toMatch(/^[0-9a-f]{64}$/);
		type('x', document.blocks().length > 0 ? 10 : 0);
		expect(version('block', 'sum')).toBe(sum);
		expect(version('section', 'price')).toBe(section);
		expect(version('block', 'greeting')).not.toBe(greeting);
		expect(version('block')).not.toBe(listing);
		as('r1', () => document.replaceText('sum', '100', '90'));
		const written = version('block', 'sum');
		expect(written).not.toBe(sum);
		document.accept({ block: 'sum' });
		expect(version('block', 'sum')).toBe(written);
		expect([version('block', 'start'), version('block', 'end')]).toEqual(['start', 'end']);
		expect(version('block', 'nothere')).toBe('none');
	});

	it.each(SAMPLES)('%s %j touches what it names', (name, args, touched) => {
		const { touches } = letter();
		expect(touches(name, args).map(({ read, key }) => `${read}:${key}`)).toEqual(touched);
	});

	it.each(SAMPLES)(
		'%s %j: shows before and after, does it in one transaction, answers with the versions it left',
		(name, args) => {
			const one = letter();
			const { view, perform, preview, version, shape, document } = one;
			const before = shape();
			const seen = preview(name, args) as { kind: string; before?: string; after?: string };
			expect(['text', 'note']).toContain(seen.kind);
			expect(shape()).toBe(before);
			let transactions = 0;
			const { dispatch } = view;
			view.dispatch = (tr) => {
				transactions += Number(tr.docChanged);
				dispatch.call(view, tr);
			};
			const result = perform(name, args) as ActResult & { kind: 'done' };
			expect(result.kind).toBe('done');
			expect(transactions).toBe(1);
			expect(view.state.doc.check()).toBeUndefined();
			for (const [key, told] of Object.entries(result.versions!)) {
				const [read, ...rest] = key.split(':');
				expect(version(read as Reads, rest.join(':')), key).toBe(told);
			}
			for (const touched of one.touches(name, args))
				if (touched.read === 'section' || !['start', 'end'].includes(touched.key!))
					if (name !== 'insert' && name !== 'move')
						expect(Object.keys(result.versions!)).toContain(`${touched.read}:${touched.key}`);
			document.end('r1');
			expect(documentManifest.undo!(document, 'r1')).toMatchObject({ kept: [] });
			expect(shape()).toBe(before);
		}
	);

	it.each([
		['insert', { after: 'nothere', text: 'x' }, 'block-unknown'],
		['insert', { after: 'sum', text: '' }, 'nothing'],
		['rewrite', { block: 'nothere', text: 'x' }, 'block-unknown'],
		['rewrite', { block: 'sum', text: 'The price is 100 euros.' }, 'nothing'],
		['rewrite', { block: 'sum', text: '[x](javascript:alert(1))' }, 'link'],
		['rewrite', { block: 'i1', text: '# Heading' }, 'place'],
		['rewriteSection', { section: 'sum', text: 'x' }, 'block-unknown'],
		['rewriteSelection', { text: 'x' }, 'selection'],
		['replaceText', { block: 'sum', find: '200', text: 'x' }, 'not-found'],
		['replaceText', { block: 'sum', find: 'e', text: 'x' }, 'ambiguous'],
		['remove', { block: 'nothere' }, 'block-unknown'],
		['move', { block: 'sum', after: 'sum' }, 'nothing'],
		['move', { block: 'list', after: 'i1' }, 'place'],
		['format', { block: 'sum', format: 'glitter' }, 'schema'],
		['format', { block: 'sum', format: 'agentText' }, 'schema'],
		['format', { block: 'sum', format: 'link', href: 'javascript:x' }, 'link'],
		['format', { block: 'list', format: 'heading', level: 1 }, 'schema'],
		['comment', { block: 'sum', text: ' ' }, 'nothing']
	])(
		'%s %j is refused (%3$s) by preview and perform alike, and the document is the same object',
		(name, args, code) => {
			const { view, perform, preview } = letter();
			const { doc } = view.state;
			expect(preview(name, args)).toMatchObject({ kind: 'refuse', reason: { code } });
			expect(perform(name, args)).toMatchObject({ kind: 'refuse', reason: { code } });
			expect(view.state.doc).toBe(doc);
		}
	);

	it('a refusal that is about a text brings the text it has now', () => {
		const { preview } = letter();
		expect(preview('replaceText', { block: 'sum', find: '200', text: 'x' })).toMatchObject({
			reason: { text: expect.stringContaining('The price is 100 euros.') as unknown }
		});
	});
});

describe('S2-66 the four axes', () => {
	it('format: Markdown against the editor’s schema, or nothing but characters', () => {
		const markdown = letter();
		markdown.perform('rewrite', { block: 'sum', text: '**90** euros' });
		expect(markdown.document.block('sum')!.text).toBe('90 euros');
		expect(markdown.manifest.acts['rewrite']!.sinks).toBeUndefined();
		const text = letter({ format: 'text' });
		text.perform('rewrite', { block: 'sum', text: '**90** euros' });
		expect(text.document.block('sum')!.text).toBe('**90** euros');
		expect(text.manifest.acts['rewrite']!.level).toBeUndefined();
		text.perform('replaceText', { block: 'greeting', find: 'Bruno', text: '*Bruno*' });
		expect(text.document.block('greeting')!.text).toBe('Dear *Bruno*,');
	});

	it('stream: painted beside the content, or in one go', () => {
		const { manifest, document, view, perform } = letter();
		const act = actOf(manifest, 'insert');
		expect(act.stream).toBe('text');
		const { doc } = view.state;
		const paint = (partial: unknown) =>
			actingAs(ada, () => act.paint!(document, partial as never, { run: 'r1', step: 's1' }));
		paint({ after: 'greeting' });
		paint({ after: 'greeting', text: 'How ar' });
		expect(view.dom.querySelector('[data-part="ghost"]')?.textContent).toBe('How ar');
		expect(view.state.doc).toBe(doc);
		paint(undefined);
		expect(view.dom.querySelector('[data-part="ghost"]')).toBeNull();
		expect(view.state.doc).toBe(doc);
		paint({ after: 'greeting', text: 'How are you?' });
		perform('insert', { after: 'greeting', text: 'How are you?' });
		expect(view.dom.querySelector('[data-part="ghost"]')).toBeNull();
		expect(document.blocks()[2]!.text).toBe('How are you?');
		const plain = createDocumentManifest({ paint: false });
		expect(
			Object.values(plain.acts)
				.flatMap(({ stream, paint }) => [stream, paint])
				.filter(Boolean)
		).toEqual([]);
	});

	it('enter: only through the entrances that are open', () => {
		const { perform, shape, view } = letter({ enter: ['end'] });
		const { doc } = view.state;
		for (const after of ['greeting', 'start', 'selection'])
			expect(perform('insert', { after, text: 'x' })).toMatchObject({
				kind: 'refuse',
				reason: { code: 'out-of-scope' }
			});
		expect(view.state.doc).toBe(doc);
		expect(perform('insert', { after: 'end', text: 'x' })).toMatchObject({ kind: 'done' });
		expect(shape()).toMatch(/p#\w+ x$/);
	});

	it.each([
		['section of the caret', 'section', ['sum', 'list', 'i1', 'price'], ['title', 'greeting', 'bye']],
		['block of the caret', 'block', ['sum'], ['title', 'list', 'bye']],
		['named sections', { sections: ['end-head'] }, ['bye', 'end-head'], ['sum', 'title']],
		['a section with smaller ones in it', { sections: ['title'] }, ['sum', 'bye', 'i2'], []],
		['named blocks', { blocks: ['list', 'bye'] }, ['list', 'i1', 'bye'], ['sum', 'title']],
		[
			'a function',
			(_: unknown, { type }: { type: string }) => type === 'paragraph',
			['sum', 'i1'],
			['title', 'list']
		]
	] as const)('scope: %s', (_, scope, open, closed) => {
		const one = letter({ scope: scope as DocumentManifestOptions['scope'] & {} });
		const at = () => {
			let found = 0;
			one.view.state.doc.descendants((node, pos) => void (node.attrs['id'] === 'sum' && (found = pos + 2)));
			return found;
		};
		one.type('', at());
		const { doc } = one.view.state;
		for (const block of closed) {
			expect(one.perform('rewrite', { block, text: 'New' }), block).toMatchObject({
				reason: { code: 'out-of-scope' }
			});
			expect(one.perform('insert', { after: block, text: 'New' }), block).toMatchObject({
				reason: { code: 'out-of-scope' }
			});
			expect(one.perform('remove', { block }), block).toMatchObject({ reason: { code: 'out-of-scope' } });
		}
		for (const after of ['start', 'end'])
			expect(one.perform('insert', { after, text: 'New' })).toMatchObject({
				reason: { code: 'out-of-scope' }
			});
		expect(one.view.state.doc).toBe(doc);
		for (const block of open)
			expect(one.preview('format', { block, format: 'bold' }), block).not.toMatchObject({
				reason: { code: 'out-of-scope' }
			});
		expect(one.perform('insert', { after: open[0], text: 'New' })).toMatchObject({ kind: 'done' });
	});

	it('scope: what is selected, and nothing while nothing is', () => {
		const one = letter({ scope: 'selection' });
		expect(one.perform('rewrite', { block: 'greeting', text: 'x' })).toMatchObject({
			reason: { code: 'out-of-scope' }
		});
		const from = one.view.state.doc.firstChild!.nodeSize;
		one.view.dispatch(one.view.state.tr.setSelection(Selection(one, from + 1, from + 5)));
		expect(one.perform('rewrite', { block: 'sum', text: 'x' })).toMatchObject({
			reason: { code: 'out-of-scope' }
		});
		expect(one.perform('rewriteSelection', { text: 'Hello' })).toMatchObject({ kind: 'done' });
		expect(one.document.block('greeting')!.text).toBe('Hello Bruno,');
	});
});

const Selection = ({ view }: Desk, from: number, to: number) =>
	TextSelection.create(view.state.doc, from, to);

describe('S2-83 labels of what is read', () => {
	const labelIn = (one: Desk, read: Reads, key?: string) => {
		const registry = new Registry();
		registry.register(documentManifest, one.document, { id: 'd', label: 'D' });
		const out = readValue(registry.entry('d')!, read, key);
		return out.ok ? [out.label.integrity, ...out.label.origins] : out.reason;
	};
	it('loaded text is nobody’s instruction, typed text is the person’s, an agent’s is its run’s', () => {
		const one = desk([p('loaded', 'a'), p('', 'b'), p('', 'c'), p('', 'd')]);
		one.type('typed', one.view.state.doc.child(0).nodeSize + 1);
		expect(labelIn(one, 'block', 'a')).toEqual(['untrusted', 'user', 'imported']);
		expect(labelIn(one, 'block', 'b')).toEqual(['trusted', 'user']);
		one.as('r1', () => one.document.rewrite('c', 'written'));
		expect(labelIn(one, 'block', 'c')).toEqual(['untrusted', 'user', 'agent']);
		expect(labelIn(one, 'block')).toEqual(['untrusted', 'user', 'imported', 'agent']);
	});
	it('what the app vouches for is as good as the person’s word, pasted text never is', () => {
		const one = desk([p('mine', 'a'), p('', 'b')], { vouch: 'user' });
		expect(labelIn(one, 'block', 'a')).toEqual(['trusted', 'user']);
		one.view.dispatch(
			one.view.state.tr.insertText('pasted', 7).setMeta('uiEvent', 'paste').setMeta('paste', true)
		);
		expect(labelIn(one, 'block', 'b')).toEqual(['untrusted', 'user', 'imported']);
		expect(labelIn(one, 'outline')).toEqual(['trusted', 'user']);
	});
	it('moving or undoing makes nobody’s text the agent’s', async () => {
		const one = desk([p('imported text', 'a'), p('x', 'b')]);
		one.as('r1', () => one.document.move('a', { after: 'b' }));
		expect(labelIn(one, 'block', 'a')).toEqual(['untrusted', 'user', 'imported']);
		one.as('r1', () => one.document.remove('a'));
		one.document.end('r1');
		await one.document.undo('r1');
		expect(labelIn(one, 'block', 'a')).toEqual(['untrusted', 'user', 'imported']);
	});
});

it('a table and what is in it can be read and written cell by cell', () => {
	const one = desk([table('t', [[p('a', 'c1')], [p('b', 'c2')]], [[p('c', 'c3')], [p('d', 'c4')]])], {
		vouch: 'user'
	});
	const value = JSON.parse(JSON.stringify(documentManifest.reads.block.read(one.document, 't'))) as {
		parts: { id: string }[];
	};
	expect(value.parts.map(({ id }) => id)).toEqual(['c1', 'c2', 'c3', 'c4']);
	expect(one.as('r1', () => one.document.rewrite('c2', 'new'))).toMatchObject({ ok: true, blocks: ['c2'] });
	expect(one.shape()).toContain('table_cell(p#c2 new)');
});
