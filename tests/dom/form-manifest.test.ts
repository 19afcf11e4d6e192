import { describe, expect, it } from 'vitest';
import { actingAs, type Actor } from '../../src/lib/actor/index.js';
import type { ActCall, ActResult, AgentAct } from '../../src/lib/agent/capability/index.js';
import { Registry } from '../../src/lib/agent/capability/registry.js';
import {
	createFormManifest,
	createFormProvider,
	FormProvider,
	formManifest,
	nativeSource
} from '../../src/lib/canon/participants/form/index.js';

const ada: Actor = { kind: 'agent', id: 'ada', run: 'r', step: 's' };
const call = {
	actor: ada,
	run: 'r',
	step: 's',
	operation: 'o',
	expect: {},
	signal: new AbortController().signal
} satisfies ActCall;

function mount() {
	document.body.innerHTML = `<form>
		<label>Customer <input name="customer" value="Old"></label>
		<label>Amount <input name="amount" type="number" min="0" step="any"></label>
		<label>Password <input name="secret" type="password" value="s3"></label>
		<label data-agent="allow"><input name="terms" type="checkbox"> I agree to the terms</label>
	</form>`;
	return createFormProvider(nativeSource(document.querySelector('form')!));
}
const act = (name: string) =>
	formManifest.acts[name]! as AgentAct<FormProvider, never, 'fields' | 'values' | 'errors'>;
const perform = (form: FormProvider, name: string, args: unknown) =>
	actingAs(ada, () => act(name).perform(form, args as never, call)) as ActResult | Promise<ActResult>;

describe('what a form lets an agent read and do', () => {
	it('is accepted at registration, with and without submit', () => {
		const form = mount();
		for (const manifest of [formManifest, createFormManifest({ submit: false, sensitivity: 'private' })]) {
			const registry = new Registry();
			registry.register(manifest, form, { id: 'invoice', label: 'Invoice' });
			expect(registry.problems).toStrictEqual([]);
		}
		expect(Object.keys(createFormManifest({ submit: false }).acts)).toStrictEqual(['fill', 'clear']);
	});

	it('S2-04 stands on the provider’s public methods alone', () => {
		const used = Object.values(formManifest.acts)
			.flatMap((one) => [one.perform, one.preview, one.level, one.touches])
			.concat(Object.values(formManifest.reads).flatMap((one) => [one.read, one.version] as never[]))
			.flatMap((fn) => [...String(fn).matchAll(/\bform\.([\w#]+)/g)].map(([, name]) => name!));
		expect(used.length).toBeGreaterThan(8);
		for (const name of used) expect(FormProvider.prototype).toHaveProperty(name);
	});

	it('S2-78 reads structure and values, and nothing secret', () => {
		const form = mount();
		const { fields, values, errors } = formManifest.reads;
		expect(values.read(form)).toStrictEqual({ customer: 'Old', amount: null, terms: false });
		expect(values.read(form, 'customer')).toBe('Old');
		expect(values.read(form, 'secret')).toBeNull();
		expect(fields.read(form)).toMatchObject([
			{ path: 'customer' },
			{ path: 'amount' },
			{ closed: 'secret', filled: true },
			{}
		]);
		expect(JSON.stringify([fields.read(form), values.read(form), errors.read(form)])).not.toContain('s3');
	});

	it('shows before and after, exactly what it will write', async () => {
		const form = mount();
		const args = { values: { customer: ' New ', amount: 12.5 } };
		expect(act('fill').preview!(form, args as never)).toStrictEqual({
			kind: 'fields',
			fields: [
				{ path: 'customer', label: 'Customer', before: 'Old', after: ' New ' },
				{ path: 'amount', label: 'Amount', before: null, after: 12.5 }
			]
		});
		const result = await perform(form, 'fill', args);
		expect(result).toMatchObject({
			kind: 'done',
			value: { values: { customer: ' New ', amount: 12.5 }, rejected: [] },
			versions: { 'values:customer': form.version('customer'), 'values:amount': form.version('amount') }
		});
		expect(Object.keys((result as { versions: object }).versions)).toHaveLength(2);
	});

	it.each([
		['fill', { values: { nothere: 1 } }, 'args-invalid'],
		['fill', { values: { amount: -1 } }, 'args-invalid'],
		['fill', { values: { customer: 'fine', secret: 'x' } }, 'denied'],
		['clear', { paths: ['secret'] }, 'denied'],
		['clear', { paths: ['nothere'] }, 'args-invalid']
	])('%s %j is refused by preview and perform alike', async (name, args, code) => {
		const form = mount();
		const before = form.version();
		expect(act(name).preview!(form, args as never)).toMatchObject({ kind: 'refuse', reason: { code } });
		expect(await perform(form, name, args)).toMatchObject({ kind: 'refuse', reason: { code } });
		expect(form.version()).toBe(before);
	});

	it('an empty fill is done and nothing happened', async () => {
		expect(await perform(mount(), 'fill', { values: {} })).toMatchObject({ kind: 'done', versions: {} });
	});

	it('asks for a person where the person is or was, and for what the app opened', () => {
		const form = mount();
		const level = act('fill').level as (form: FormProvider, args: unknown) => unknown;
		expect(level(form, { values: { customer: 'x', amount: 1 } })).toBeUndefined();
		expect(level(form, { values: { customer: 'x', terms: true } })).toBe('review');
		document.querySelector<HTMLInputElement>('[name="amount"]')!.focus();
		expect(level(form, { values: { amount: 1 } })).toBe('review');
		expect(level(form, { values: { customer: 'x' } })).toBeUndefined();
	});

	it('touches the fields it names, and submitting touches every field', () => {
		const form = mount();
		const touches = (name: string, args: unknown) =>
			(act(name).touches as (form: FormProvider, args: unknown) => unknown)(form, args);
		expect(touches('fill', { values: { amount: 1 } })).toStrictEqual([{ read: 'values', key: 'amount' }]);
		expect(touches('clear', { paths: ['amount'] })).toStrictEqual([{ read: 'values', key: 'amount' }]);
		expect(touches('submit', {})).toStrictEqual([
			...['customer', 'amount', 'secret', 'terms'].map((key) => ({ read: 'values', key })),
			{ read: 'fields' }
		]);
	});

	it('S2-75 undo and redo of a run are the provider’s', async () => {
		const form = mount();
		await perform(form, 'clear', { paths: ['customer'] });
		expect(formManifest.undo!(form, 'r')).toStrictEqual({ undone: 1, kept: [] });
		expect(form.value('customer')).toBe('Old');
		expect(formManifest.redo!(form, 'r')).toStrictEqual({ undone: 1, kept: [] });
		expect(form.value('customer')).toBe('');
	});

	it('submits once valid, and refuses with what is wrong', async () => {
		const form = mount();
		const element = document.querySelector('form')!;
		let sent = 0;
		element.addEventListener('submit', (event) => {
			event.preventDefault();
			sent++;
		});
		element.querySelector<HTMLInputElement>('[name="amount"]')!.value = '-5';
		expect(await perform(form, 'submit', {})).toMatchObject({
			kind: 'refuse',
			reason: { code: 'args-invalid', text: expect.stringContaining('amount') }
		});
		form.clear(['amount']);
		expect(await perform(form, 'submit', {})).toMatchObject({ kind: 'done', value: { submitted: true } });
		expect(sent).toBe(1);
	});
});
