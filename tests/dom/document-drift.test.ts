import { describe, expect, it } from 'vitest';
import type { TurnRequest } from '../../src/lib/agent/index.js';
import { createDocumentManifest } from '../../src/lib/canon/participants/document/index.js';
import {
	createFormProvider,
	formManifest,
	nativeSource
} from '../../src/lib/canon/participants/form/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench } from '../fixtures/engine.js';
import { desk, type Desk, h, p } from '../fixtures/document/desk.js';

type Call = { instance: string; act: string; args: Record<string, string> };
const rewrite = (block: string, text: string): Call => ({
	instance: 'letter',
	act: 'rewrite',
	args: { block, text }
});

/** `meanwhile` happens after the turn was opened and before the model answers it. */
function office(plans: readonly Call[][], meanwhile: (one: Desk) => void, more: number = 0) {
	const one = desk(
		[
			h(1, 'Letter', 'title'),
			p('Dear Bruno,', 'hello'),
			p('The price is 100 euros.', 'sum'),
			...Array.from({ length: more }, (_, at) => p(`${at} ${'long '.repeat(40)}`, `more${at}`))
		],
		{ vouch: 'user' }
	);
	const requests: TurnRequest[] = [];
	const made = bench(
		(request, index) => {
			requests.push(request);
			if (index === 0) meanwhile(one);
			return { calls: plans[index] ?? [] };
		},
		{ policy: { ceiling: 'auto' } }
	);
	made.dispose();
	made.registry.register(createDocumentManifest(), one.document, { id: 'letter', label: 'Letter' });
	return { ...made, ...one, requests };
}
const type = (text: string, block: string) => (one: Desk) => {
	let at = -1;
	one.view.state.doc.descendants((node, pos) => void (node.attrs['id'] === block && (at = pos)));
	one.type(text, at + 1);
};

describe('S2-87 what the person writes while the model thinks stands', () => {
	it('in the very block: refused as stale with its new text, then planned anew', async () => {
		const one = office(
			[[rewrite('sum', 'The price is 90 euros.')], [rewrite('sum', 'Listen: the price is 90 euros.')]],
			type('Listen: ', 'sum')
		);
		const run = one.engine.run('cheaper', { by: person });
		expect((await run.returned).kind).toBe('completed');
		expect(run.state.steps).toMatchObject([
			{ status: 'refused', reasons: [{ code: 'stale' }] },
			{ status: 'confirmed' }
		]);
		expect(JSON.stringify(one.requests[1]!.messages)).toContain('Listen: The price is 100 euros.');
		expect(run.state.reviews).toEqual([]);
		expect(one.document.block('sum')!.text).toBe('Listen: the price is 90 euros.');
	});

	it('in another block: nothing is voided', async () => {
		const one = office([[rewrite('sum', 'The price is 90 euros.')]], type('My ', 'hello'));
		const run = one.engine.run('cheaper', { by: person });
		expect((await run.returned).kind).toBe('completed');
		expect(one.shape()).toBe('h1#title Letter | p#hello My Dear Bruno, | p#sum The price is 90 euros.');
	});

	it('anywhere in a section that is written anew: refused as stale', async () => {
		const one = office(
			[[{ instance: 'letter', act: 'rewriteSection', args: { section: 'title', text: 'All new' } }]],
			type('My ', 'hello')
		);
		const run = one.engine.run('anew', { by: person });
		await run.returned;
		expect(run.state.steps).toMatchObject([{ status: 'refused', reasons: [{ code: 'stale' }] }]);
		expect(one.document.block('hello')!.text).toBe('My Dear Bruno,');
	});

	it('of a long document the blocks count that are shown to their end, and no others', async () => {
		const one = office(
			[[rewrite('sum', 'The price is 90 euros.'), rewrite('more1', 'short')]],
			(it) => {
				type('Listen: ', 'sum')(it);
				type('Listen: ', 'more1')(it);
			},
			40
		);
		const run = one.engine.run('cheaper', { by: person });
		await run.returned;
		// The model was never shown the words of the other one.
		expect(run.state.steps.map(({ status }) => status)).toEqual(['refused', 'confirmed']);
		expect(one.document.block('sum')!.text).toBe('Listen: The price is 100 euros.');
	});
});

describe('S2-87 the same in a form', () => {
	async function filled(typed: string) {
		window.document.body.innerHTML = `<form>
			<label>Customer <input name="customer" value="Old"></label>
			<label>Amount <input name="amount" value="1"></label>
		</form>`;
		const form = createFormProvider(nativeSource(window.document.querySelector('form')!));
		const made = bench(
			(_, index) => {
				if (index > 0) return {};
				const input = window.document.querySelector<HTMLInputElement>(`[name="${typed}"]`)!;
				input.value = 'typed';
				input.dispatchEvent(new Event('input', { bubbles: true }));
				return { calls: [{ instance: 'invoice', act: 'fill', args: { values: { customer: 'Agent' } } }] };
			},
			{ policy: { ceiling: 'auto' } }
		);
		made.dispose();
		made.registry.register(formManifest, form, { id: 'invoice', label: 'Invoice' });
		const run = made.engine.run('fill', { by: person });
		await run.returned;
		return { form, step: run.state.steps[0]! };
	}

	it('in the very field: refused as stale; in another one: nothing is voided', async () => {
		const same = await filled('customer');
		expect(same.step).toMatchObject({ status: 'refused', reasons: [{ code: 'stale' }] });
		expect(same.form.value('customer')).toBe('typed');
		const other = await filled('amount');
		expect(other.step.status).toBe('confirmed');
		expect([other.form.value('customer'), other.form.value('amount')]).toEqual(['Agent', 'typed']);
	});
});
