import { describe, expect, it } from 'vitest';
import type { AgentOptions } from '../../src/lib/agent/index.js';
import {
	createDocumentManifest,
	units,
	type DocumentManifestOptions
} from '../../src/lib/canon/participants/document/index.js';
import {
	createFormProvider,
	formManifest,
	nativeSource
} from '../../src/lib/canon/participants/form/index.js';
import { readValue } from '../../src/lib/agent/capability/reading.js';
import type { Registry } from '../../src/lib/agent/capability/registry.js';
import { person } from '../../src/lib/testing/index.js';
import { bench } from '../fixtures/engine.js';
import { desk, h, p } from '../fixtures/document/desk.js';

type Script = Parameters<typeof bench>[0];

function office(script: Script, options: Partial<AgentOptions> = {}, manifest: DocumentManifestOptions = {}) {
	const one = desk(
		[h(1, 'Letter', 'title'), p('Dear Bruno,', 'hello'), p('The price is 100 euros.', 'sum')],
		{ vouch: 'user' }
	);
	const made = bench(script, { policy: { ceiling: 'auto' }, ...options });
	made.dispose();
	made.registry.register(createDocumentManifest(manifest), one.document, { id: 'letter', label: 'Letter' });
	expect(made.registry.problems).toEqual([]);
	const calm = async () => {
		for (let turn = 0; turn < 12; turn++) await made.settle();
	};
	return { ...made, ...one, calm };
}
const act = (name: string, args: Record<string, unknown>, more: object = {}) => ({
	instance: 'letter',
	act: name,
	args: args as never,
	...more
});
const at = (one: ReturnType<typeof office>, id: string): number => {
	let found = -1;
	one.view.state.doc.descendants((node, pos) => void (node.attrs['id'] === id && (found = pos)));
	return found;
};

describe('a run in a document', () => {
	it('S2-75 writes several blocks, is one step, and is taken back and put back exactly', async () => {
		const one = office([
			{
				calls: [
					act('replaceText', { block: 'sum', find: '100', text: '**90**' }),
					act('insert', { after: 'sum', text: 'Until *Friday*.' }),
					act('format', { block: 'title', format: 'heading', level: 2 })
				]
			},
			{}
		]);
		const before = one.view.state.doc;
		const run = one.engine.run('write', { by: person });
		expect((await run.returned).kind).toBe('completed');
		const after = one.view.state.doc;
		expect(one.document.export({ format: 'markdown' })).toBe(
			'## Letter\n\nDear Bruno,\n\nThe price is **90** euros.\n\nUntil *Friday*.'
		);
		expect(units(one.view.state)).toEqual([{ by: 'run', run: run.id }]);
		expect(await one.engine.undo(run.id, person)).toMatchObject({
			ok: true,
			parts: { letter: { kept: [] } }
		});
		expect(one.view.state.doc.eq(before)).toBe(true);
		expect(await one.engine.redo(run.id, person)).toMatchObject({ ok: true });
		expect(one.view.state.doc.eq(after)).toBe(true);
	});

	it('typing in another paragraph while a person decides does not void the permission', async () => {
		const one = office([{ calls: [act('rewrite', { block: 'sum', text: 'The price is 90 euros.' })] }, {}], {
			policy: { ceiling: 'review' }
		});
		const run = one.engine.run('write', { by: person });
		await one.calm();
		const [review] = run.state.reviews;
		expect(run.state.steps[0]!.preview).toEqual({
			kind: 'text',
			before: 'The price is 100 euros.',
			after: 'The price is 90 euros.'
		});
		one.type('est', at(one, 'hello') + 5);
		run.decide({ review: review!.id, verdict: 'approve' }, person);
		expect((await run.returned).kind).toBe('completed');
		expect(one.document.block('sum')!.text).toBe('The price is 90 euros.');
		expect(one.document.block('hello')!.text).toBe('Dearest Bruno,');
	});

	it('typing in the very block brings it back for review, with what changed', async () => {
		const one = office([{ calls: [act('rewrite', { block: 'sum', text: 'The price is 90 euros.' })] }, {}], {
			policy: { ceiling: 'review' }
		});
		const run = one.engine.run('write', { by: person });
		await one.calm();
		one.type('exactly ', at(one, 'sum') + 14);
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
		await one.calm();
		expect(one.document.block('sum')!.text).toBe('The price is exactly 100 euros.');
		const again = run.state.reviews.find(({ status }) => status === 'open')!;
		expect(again.changes).toMatchObject([
			{
				read: 'block',
				key: 'sum',
				before: { text: 'The price is 100 euros.' },
				after: { text: 'The price is exactly 100 euros.' }
			}
		]);
		run.decide({ review: again.id, verdict: 'approve' }, person);
		expect((await run.returned).kind).toBe('completed');
	});

	it('a block that changed before its step is refused with its new text, and the model plans again', async () => {
		let fresh = '';
		const one = office((request, index) => {
			if (index === 0)
				return {
					calls: [
						act('insert', { after: 'hello', text: 'How are you?' }),
						act('rewrite', { block: 'sum', text: 'The price is 90 euros.' })
					]
				};
			if (index > 1) return {};
			fresh = JSON.stringify(request.messages);
			return { calls: [act('replaceText', { block: 'sum', find: 'exactly 100', text: '90' })] };
		});
		let typed = false;
		one.engine.subscribe(({ kind }) => {
			if (kind !== 'effect.settled' || typed) return;
			typed = true;
			one.type('exactly ', at(one, 'sum') + 14);
		});
		const run = one.engine.run('write', { by: person });
		expect((await run.returned).kind).toBe('completed');
		expect(run.state.steps.map(({ status }) => status)).toEqual(['confirmed', 'refused', 'confirmed']);
		expect(fresh).toContain('stale');
		expect(fresh).toContain('The price is exactly 100 euros.');
		expect(one.document.block('sum')!.text).toBe('The price is 90 euros.');
	});

	it('several steps on one block follow each other, a list and its items too', async () => {
		const one = office([
			{
				calls: [
					act('replaceText', { block: 'sum', find: '100', text: '90' }),
					act('format', { block: 'sum', format: 'bold', quote: 'price' }),
					act('replaceText', { block: 'sum', find: 'euros', text: 'dollars' }),
					act('rewriteSection', { section: 'title', text: 'All new' })
				]
			},
			{}
		]);
		const run = one.engine.run('write', { by: person });
		await run.returned;
		expect(run.state.steps.map(({ status }) => status)).toEqual([
			'confirmed',
			'confirmed',
			'confirmed',
			'confirmed'
		]);
		expect(one.shape()).toBe('h1#title Letter | p#hello All new');
	});

	it('S2-106 a plan over document and form is taken back as one', async () => {
		window.document.body.innerHTML += '<form><label>Price <input name="price" value="100"></label></form>';
		const form = createFormProvider(nativeSource(window.document.querySelector('form')!));
		const one = office([
			{
				calls: [
					act('replaceText', { block: 'sum', find: '100', text: '90' }),
					{ instance: 'invoice', act: 'fill', args: { values: { price: '90' } } }
				]
			},
			{}
		]);
		one.registry.register(formManifest, form, { id: 'invoice', label: 'Invoice' });
		const run = one.engine.run('write', { by: person });
		await run.returned;
		expect([one.document.block('sum')!.text, form.value('price')]).toEqual(['The price is 90 euros.', '90']);
		const report = await one.engine.undo(run.id, person);
		expect(Object.keys(report.parts).sort()).toEqual(['invoice', 'letter']);
		expect([one.document.block('sum')!.text, form.value('price')]).toEqual([
			'The price is 100 euros.',
			'100'
		]);
	});
});

describe('S2-98 what is written shows while it arrives', () => {
	it('as a ghost, silent and outside the content, and changes places with the text', async () => {
		const seen: string[] = [];
		const one = office([
			{ calls: [act('insert', { after: 'hello', text: 'How are you today?' }, { pieces: 4 })] },
			{}
		]);
		const { doc } = one.view.state;
		one.engine.on((event) => {
			if (event.type !== 'paint') return;
			const ghosts = one.view.dom.querySelectorAll('[data-part="ghost"]');
			if (one.view.state.doc === doc) seen.push(String(ghosts.length));
		});
		await one.engine.run('write', { by: person }).returned;
		expect(seen.length).toBeGreaterThan(3);
		expect(seen).toContain('1');
		expect(one.view.dom.querySelector('[data-part="ghost"]')).toBeNull();
		expect(one.document.export({ format: 'markdown' })).toContain('How are you today?');
	});

	it.each([
		[
			'is cut off',
			[{ calls: [act('insert', { after: 'hello', text: 'How are you today?' }, { pieces: 4 })], cut: true }]
		],
		[
			'does not fit',
			[{ calls: [act('insert', { after: 'hello', text: '[x](javascript:1)' }, { pieces: 4 })] }, {}]
		],
		[
			'is refused by its schema',
			[
				{
					calls: [
						{
							instance: 'letter',
							act: 'insert',
							args: {} as never,
							raw: '{"instance":"letter","after":"hello","text":"How","more":1}'
						}
					]
				},
				{}
			]
		]
	] as [string, Script][])('what %s leaves the very same document', async (_, script) => {
		const one = office(script);
		const { doc } = one.view.state;
		const run = one.engine.run('write', { by: person });
		await one.calm();
		await run.stop('enough', person);
		expect(one.view.state.doc).toBe(doc);
		expect(one.view.dom.querySelector('[data-part="ghost"]')).toBeNull();
	});

	it('a rejected one leaves the very same document', async () => {
		const one = office([{ calls: [act('rewrite', { block: 'sum', text: 'Other' }, { pieces: 2 })] }, {}], {
			policy: { ceiling: 'review' }
		});
		const { doc } = one.view.state;
		const run = one.engine.run('write', { by: person });
		await one.calm();
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'reject' }, person);
		await run.returned;
		expect(one.view.state.doc).toBe(doc);
		expect(one.view.dom.querySelector('[data-part="ghost"]')).toBeNull();
	});
});

describe('S2-86 what an agent wrote is worth what led to it', () => {
	const integrity = (one: ReturnType<typeof office>, read: string, key?: string) => {
		const out = readValue((one.registry as Registry).entry('letter')!, read, key);
		return out.ok ? out.label : out.reason;
	};
	it('of a run that saw nothing but the person’s own words: trusted, and an agent’s', async () => {
		const one = office([{ calls: [act('insert', { after: 'hello', text: 'How are you?' })] }, {}]);
		await one.engine.run('write', { by: person }).returned;
		const id = one.document.blocks()[2]!.id;
		expect(integrity(one, 'block', id)).toMatchObject({
			integrity: 'trusted',
			origins: expect.toSatisfy((all: string[]) => [...all].sort().join() === 'agent,app,user')
		});
		expect(integrity(one, 'section', 'title')).toMatchObject({ integrity: 'trusted' });
	});
	it('of a run that read strangers’ text: untrusted in every read, in new blocks too, and split off', async () => {
		const one = office(
			[
				{
					calls: [
						act('comment', { block: 'hello', text: 'x' }),
						act('insert', { after: 'sum', text: 'Said so.' })
					]
				},
				{}
			],
			{},
			{ format: 'text' }
		);
		const pasted = one.view.state.tr
			.insertText('From elsewhere. ', at(one, 'hello') + 1)
			.setMeta('paste', true);
		one.view.dispatch(pasted);
		await one.engine.run('write', { by: person }).returned;
		const { id } = one.document.blocks()[3]!;
		expect(one.document.block(id)!.text).toBe('Said so.');
		one.view.dispatch(one.view.state.tr.split(at(one, id) + 5));
		for (const { id: half } of one.document.blocks().slice(3))
			expect(integrity(one, 'block', half)).toMatchObject({ integrity: 'untrusted' });
		expect(integrity(one, 'section', 'title')).toMatchObject({ integrity: 'untrusted' });
		expect(integrity(one, 'block', 'title')).toMatchObject({ integrity: 'trusted' });
	});
});

describe('S2-83 what the document refuses with is worth the block it is about', () => {
	it('of the person’s own words: trusted; of what a stranger wrote: not', async () => {
		const refused = async (foreign: boolean) => {
			const one = office([{ calls: [act('replaceText', { block: 'sum', find: 'nowhere', text: 'x' })] }, {}]);
			if (foreign)
				one.view.dispatch(
					one.view.state.tr.insertText('Theirs. ', at(one, 'sum') + 1).setMeta('paste', true)
				);
			const run = one.engine.run('write', { by: person });
			await run.returned;
			expect(run.state.steps).toMatchObject([{ status: 'refused', reasons: [{ code: 'not-found' }] }]);
			const { data } = run.journal.find(({ kind }) => kind === 'step.closed')!;
			return (data as { label: { integrity: string } }).label.integrity;
		};
		expect(await refused(false)).toBe('trusted');
		expect(await refused(true)).toBe('untrusted');
	});
});
