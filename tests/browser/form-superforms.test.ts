import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { actingAs, type Actor } from '../../src/lib/actor/index.js';
import SuperInvoice, { type Handle } from './fixtures/SuperInvoice.svelte';

const ada = (run: string): Actor => ({ kind: 'agent', id: 'ada', run });
const mounted = async () => (await render(SuperInvoice)).component as unknown as Handle;
const input = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]`)!;

const VALUES = {
	customer: 'ACME',
	amount: 40,
	express: true,
	tags: ['a', 'b'],
	'address.city': 'Graz',
	'lines[0].text': 'First',
	due: '2026-12-24'
};

describe('a superform', () => {
	it('S2-03 is filled through its store: bindings, nested data, dates and taint follow', async () => {
		const handle = await mounted();
		const form = handle.provider();
		const before = handle.data();
		const report = actingAs(ada('r'), () => form.fill(VALUES));
		expect(report.rejected).toStrictEqual([]);
		expect(report.values).toMatchObject(VALUES);
		expect(handle.data()).toMatchObject({
			customer: 'ACME',
			tags: ['a', 'b'],
			address: { city: 'Graz' },
			lines: [{ text: 'First' }],
			due: new Date('2026-12-24')
		});
		expect(before).toMatchObject({ customer: '', address: { city: '' } });
		await expect.poll(() => input('customer').value).toBe('ACME');
		expect(input('customer').dataset.by).toBe('ada');
		expect(handle.tainted('customer')).toBe(true);
		expect(form.fields().map(({ path, label }) => `${path} ${label}`)).toContain('address.city City');
	});

	it('S2-75 undo brings back values and taint, redo both', async () => {
		const handle = await mounted();
		const form = handle.provider();
		const before = structuredClone(handle.data());
		actingAs(ada('r'), () => form.fill(VALUES));
		expect(form.undo('r')).toStrictEqual({ undone: Object.keys(VALUES).length, kept: [] });
		expect(handle.data()).toStrictEqual(before);
		expect(handle.tainted('customer')).toBe(false);
		expect(form.redo('r').kept).toStrictEqual([]);
		expect(form.values()).toMatchObject(VALUES);
		expect(handle.tainted('customer')).toBe(true);
	});

	it('keeps a taint that was there before the run', async () => {
		const handle = await mounted();
		const form = handle.provider();
		await userEvent.fill(page.getByLabelText('Amount'), '7');
		actingAs(ada('r'), () => form.fill({ amount: 8 }));
		form.undo('r');
		expect(form.value('amount')).toBe(7);
		expect(handle.tainted('amount')).toBe(true);
	});

	it('gives the schema’s errors back without submitting, and the schema’s own constraints refuse beforehand', async () => {
		const handle = await mounted();
		const form = handle.provider();
		expect(form.field('customer')!.constraints).toStrictEqual({ minLength: 2 });
		expect(form.fill({ customer: 'A' })).toMatchObject({
			written: {},
			rejected: [{ path: 'customer', code: 'args-invalid' }]
		});
		expect(form.fill({ amount: 101 })).toMatchObject({
			written: {},
			rejected: [{ path: 'amount', code: 'args-invalid' }]
		});
		expect(form.fill({ amount: 40, 'address.city': '' }).rejected).toStrictEqual([]);
		const { errors } = await form.settled({ amount: 40 });
		expect(Object.keys(errors)).toStrictEqual(expect.arrayContaining(['customer', 'address.city']));
		expect(handle.sent()).toStrictEqual([]);
	});

	it.each([
		['customer', 5],
		['amount', '5'],
		['express', 'yes'],
		['tags', 'a'],
		['due', 'soon'],
		['nothere', 1]
	])('%s does not take %j', async (path, value) => {
		const form = (await mounted()).provider();
		expect(form.fill({ [path]: value })).toMatchObject({
			written: {},
			rejected: [{ path, code: 'args-invalid' }]
		});
	});

	it('S2-78 keeps the password in, with and without the form in the page', async () => {
		const handle = await mounted();
		for (const form of [handle.provider(), handle.bare()]) {
			expect(form.values()).not.toHaveProperty('password');
			expect(form.fill({ password: 'x' }).rejected).toMatchObject([{ code: 'denied' }]);
		}
	});

	it('a person’s typing touches, the app’s own assignment does not, and both count', async () => {
		const handle = await mounted();
		const form = handle.provider();
		actingAs(ada('r'), () => form.fill({ customer: 'ACME' }));
		await userEvent.type(page.getByLabelText('City'), 'Wien');
		expect(form.field('address.city')).toMatchObject({ value: 'Wien', touched: true });
		const version = form.version('customer');
		handle.setCustomer('Other');
		expect(form.version('customer')).not.toBe(version);
		expect(form.field('customer')).toMatchObject({ value: 'Other', touched: false });
		expect(form.field('customer')).not.toHaveProperty('written');
		expect(form.undo('r').kept).toStrictEqual([{ what: 'Customer', why: 'changed since' }]);
	});

	it('without the form in the page a taint that no fill made counts as touch', async () => {
		const handle = await mounted();
		const form = handle.bare();
		actingAs(ada('r'), () => form.fill({ amount: 9 }));
		expect(form.field('amount')).toMatchObject({ touched: false });
		handle.setCustomer('Other');
		expect(form.field('customer')).toMatchObject({ label: 'Client', touched: true });
		expect(form.contested(['amount', 'customer'])).toStrictEqual(['customer']);
	});

	it('submits through the library, once the schema is content', async () => {
		const handle = await mounted();
		const form = handle.provider();
		expect(await form.submit()).toMatchObject({
			submitted: false,
			errors: { customer: [expect.any(String)] }
		});
		expect(handle.sent()).toStrictEqual([]);
		form.fill(VALUES);
		expect(await form.submit()).toStrictEqual({ submitted: true, errors: {} });
		expect(handle.sent()).toMatchObject([{ customer: 'ACME', amount: 40 }]);
	});
});
