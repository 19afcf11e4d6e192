import { describe, expect, it } from 'vitest';
import { provenance } from '../../src/lib/canon/participants/document/index.js';
import { bench, call } from './fixtures/document-bench.js';
import { editors } from './fixtures/document-editors.js';

const ids = (saved: unknown): unknown[] => JSON.stringify(saved).match(/"id":"[^"]+"/g) ?? [];

/** What each of the editors has no place for. */
const LACKING: Record<string, string> = {
	'bare ProseMirror': '| a | b |\n| --- | --- |\n| 1 | 2 |',
	Tiptap: '![x](https://example.org/x.png)',
	ProseKit: '![x](https://example.org/x.png)'
};

describe.each(Object.keys(editors))('a document in %s', (name) => {
	it('S2-71 every block has an id of its own, which stays with it through typing and splitting', async () => {
		const { document, block, caret, press, type } = bench(name);
		const before = document.blocks().map(({ id, text }) => [id, text]);
		expect(new Set(before.map(([id]) => id)).size).toBe(before.length);
		expect(before.every(([id]) => id !== '')).toBe(true);
		const total = block('The total');
		caret('within 45');
		await type(' or 46');
		expect(document.block(total.id)?.text).toBe('The total is payable within 45 or 46 days.');
		await press('{Enter}');
		expect(document.block(total.id)?.text).toBe('The total is payable within 45 or 46');
		const all = document.blocks().map(({ id }) => id);
		expect(new Set(all).size).toBe(all.length);
		expect(all).toHaveLength(before.length + 1);
	});

	it('S2-66 reads its outline, blocks, sections and selection in one form', () => {
		const { document, block, caret } = bench(name);
		expect(document.outline().headings.map(({ level, text }) => [level, text])).toEqual([
			[1, 'Letter'],
			[2, 'Account'],
			[2, 'Payment'],
			[2, 'End']
		]);
		expect(document.section(block('Payment').id)?.blocks.map(({ text }) => text)).toEqual([
			'Payment',
			'The total is payable within 45 days.',
			'Late payment bears interest.'
		]);
		expect(block('Dear').markdown).toBe('Dear Nadia, thank you for coming.');
		caret('Kind');
		expect(document.selection()).toMatchObject({ empty: true, to: { block: block('Kind').id, offset: 4 } });
	});

	describe('S2-75 what an act does is undone to the letter, and redone', () => {
		type Args = (of: (text: string) => string) => Record<string, string | boolean | number>;
		const acts: [string, Args, string | RegExp][] = [
			[
				'insert',
				(of) => ({ after: of('Dear'), text: 'We **thank** you too.' }),
				/coming\.\nWe thank you too\.\n/
			],
			['insert', () => ({ after: 'end', text: 'P.S. One more.' }), /P\.S\. One more\.$/],
			[
				'rewrite',
				(of) => ({ block: of('The total'), text: 'Pay within *45* days.' }),
				/\nPay within 45 days\.\n/
			],
			['rewrite', (of) => ({ block: of('Labour'), text: 'Work' }), /\nWork\nTravel/],
			[
				'rewriteSection',
				(of) => ({ section: of('Payment'), text: 'One.\n\nTwo.\n\nThree.' }),
				/Payment\nOne\.\nTwo\.\nThree\.\nEnd/
			],
			['replaceText', (of) => ({ block: of('The total'), find: '45', text: '30' }), /within 30 days/],
			['remove', (of) => ({ block: of('Late payment') }), /45 days\.\nEnd/],
			['move', (of) => ({ block: of('Late payment'), after: of('Payment') }), /Payment\nLate.*\nThe total/],
			['format', (of) => ({ block: of('Kind'), format: 'bold' }), /Kind regards$/],
			['format', (of) => ({ block: of('Kind'), format: 'heading', level: 2 }), /Kind regards\n?$/],
			['comment', (of) => ({ block: of('Kind'), text: 'Too stiff?', quote: 'regards' }), /Kind regards$/]
		];
		it.each(acts)('%s %#', async (act, args, expected) => {
			const { agent, block, run, text, view } = bench(name);
			const before = view.state.doc;
			const { id, state } = await run(
				call(
					act,
					args((start) => block(start).id)
				)
			);
			expect(state.outcome?.kind, JSON.stringify(state.steps.map(({ reasons }) => reasons))).toBe(
				'completed'
			);
			const after = view.state.doc;
			expect(after.eq(before)).toBe(false);
			expect(text()).toMatch(expected);
			expect(await agent.undo(id)).toMatchObject({ ok: true, parts: { letter: { kept: [] } } });
			expect(view.state.doc.toJSON()).toEqual(before.toJSON());
			expect(await agent.redo(id)).toMatchObject({ ok: true });
			expect(view.state.doc.toJSON()).toEqual(after.toJSON());
		});

		it('rewriteSelection', async () => {
			const { agent, caret, press, run, text, view } = bench(name);
			caret('Late');
			await press('{Shift>}{Control>}{ArrowRight}{/Control}{/Shift}');
			const before = view.state.doc;
			const { id, state } = await run(call('rewriteSelection', { text: ' payments' }));
			expect(state.outcome?.kind, JSON.stringify(state.steps.map(({ reasons }) => reasons))).toBe(
				'completed'
			);
			expect(text()).toMatch(/Late ?payments/);
			await agent.undo(id);
			expect(view.state.doc.toJSON()).toEqual(before.toJSON());
		});
	});

	it('S2-67 S2-108 what an agent wrote says so, what is typed inside it is the person’s, and accepting ends it', async () => {
		const { block, caret, document, press, run, type } = bench(name);
		const { id } = await run(call('rewrite', { block: block('Kind').id, text: 'With the very best wishes' }));
		const mine = { run: id, agent: 'ada', name: 'Ada', version: '7', at: expect.any(Number) };
		expect(document.provenance()).toMatchObject([{ ...mine, text: 'With the very best wishes' }]);
		caret('With the');
		await type(' truly');
		expect(document.provenance().map(({ text }) => text)).toEqual(['With the', ' very best wishes']);
		await press('{Control>}z{/Control}');
		expect(document.provenance().map(({ text }) => text)).toEqual(['With the very best wishes']);
		expect(document.accept()).toBe(true);
		expect(document.provenance()).toEqual([]);
	});

	it('S2-67 saved as JSON or HTML and loaded again, ids and provenance are the same', async () => {
		const { block, document, run, view } = bench(name);
		await run(
			call('insert', { after: block('Dear').id, text: 'Written **for** you.' }),
			call('rewrite', { block: block('Travel').id, text: 'Travel and stay' })
		);
		const saved = view.state.doc.toJSON();
		const wrote = document.provenance().map(({ text, run: by, at, block }) => [text, by, at, block]);
		expect(wrote.length).toBeGreaterThan(1);
		for (const content of [saved, document.export({ format: 'html', provenance: true })]) {
			const again = bench(name, { content });
			expect(
				again.document.provenance().map(({ text, run: by, at, block }) => [text, by, at, block])
			).toEqual(wrote);
			expect(ids(again.view.state.doc.toJSON())).toEqual(ids(saved));
		}
	});

	it('S2-70 a read-only editor refuses with a code and keeps its document', async () => {
		const { block, document, lock, run, view } = bench(name);
		const { id } = block('Kind');
		const stop = document.subscribe(() => lock());
		const { state } = await run(
			call('rewrite', { block: block('Late').id, text: 'Late payment.' }),
			call('rewrite', { block: id, text: 'Bye' })
		);
		stop();
		expect(state.steps.map(({ status }) => status)).toEqual(['confirmed', 'refused']);
		expect(state.steps[1]?.reasons.map(({ code }) => code)).toContain('unavailable');
		const { doc } = view.state;
		expect(document.state).toBe('read-only');
		expect(document.rewrite(id, 'Bye')).toMatchObject({ ok: false, code: 'read-only' });
		const later = await run(call('rewrite', { block: id, text: 'Bye' }));
		expect(later.state.effects).toEqual([]);
		expect(view.state.doc).toBe(doc);
	});

	it('S2-66 what the editor’s schema lacks is refused by name; HTML is nothing but characters', async () => {
		const { block, document, run, view } = bench(name);
		const { id } = block('Late');
		document.remove(id);
		const { doc } = view.state;
		expect(document.rewrite(id, 'Again')).toMatchObject({ ok: false, code: 'block-unknown' });
		const { state } = await run(call('insert', { after: 'end', text: LACKING[name]! }));
		expect(state.steps[0]?.reasons[0]).toMatchObject({
			code: 'schema',
			text: expect.stringMatching(/table|image/)
		});
		expect(view.state.doc).toBe(doc);
		await run(call('insert', { after: 'end', text: '<script>alert(1)</script><b>bold</b>' }));
		expect(view.dom.querySelector('script, b')).toBeNull();
		expect(view.dom.textContent).toContain('<b>bold</b>');
	});

	it('S2-70 destroyed in the middle of a run, nothing throws and the run says so', async () => {
		const { block, destroy, document, run } = bench(name);
		const first = block('The total').id;
		const second = block('Late').id;
		document.subscribe(() => void Promise.resolve().then(destroy));
		const { state } = await run(
			call('rewrite', { block: first, text: 'One.' }),
			call('rewrite', { block: second, text: 'Two.' })
		);
		expect(state.steps.map(({ status }) => status)).toEqual(['confirmed', 'refused']);
		expect(state.steps[1]?.reasons.map(({ code }) => code)).toContain('unavailable');
		expect(document.state).toBe('destroyed');
		expect(document.blocks()).toEqual([]);
	});

	it('S2-67 the person’s own copy of an agent’s words stays the agent’s', async () => {
		const { block, caret, press, run, view } = bench(name);
		await run(call('rewrite', { block: block('Kind').id, text: 'Wishes' }));
		caret('Wishes');
		await press('{Shift>}{Home}{/Shift}{Control>}x{/Control}{Control>}v{/Control}');
		expect(provenance(view.state.doc).map(({ text }) => text)).toEqual(['Wishes']);
	});
});
