import { describe, expect, it } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { actingAs, type Actor } from '../../src/lib/actor/index.js';
import {
	formManifest,
	type FormChange,
	type FormProvider
} from '../../src/lib/canon/participants/form/index.js';
import InvoiceForm, { type Handle } from './fixtures/InvoiceForm.svelte';

const ada = (run: string): Actor => ({ kind: 'agent', id: 'ada', run });
const field = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]`)!;

async function mounted() {
	const { component } = await render(InvoiceForm);
	const handle = component as unknown as Handle;
	return { handle, form: handle.provider() };
}
const level = (form: FormProvider, path: string) =>
	(formManifest.acts.fill!.level as (form: FormProvider, args: unknown) => unknown)(form, {
		values: { [path]: 'x' }
	});

describe('a Svelte form in a real browser', () => {
	it('S2-03 bindings see what is filled in, and what follows shows in the report', async () => {
		const { handle, form } = await mounted();
		const values = {
			customer: 'ACME',
			amount: 21,
			currency: 'EUR',
			express: true,
			pay: 'card',
			days: ['tue'],
			note: 'two\nlines'
		};
		const report = actingAs(ada('r'), () => form.fill(values));
		expect(report.rejected).toStrictEqual([]);
		expect(handle.seen()).toStrictEqual(values);
		expect(await form.settled(values)).toMatchObject({ rejected: [], values: { ...values, total: '42' } });
		expect(form.undo('r')).toMatchObject({ undone: 7, kept: [] });
		expect(handle.seen()).toMatchObject({
			customer: '',
			amount: null,
			pay: 'bank',
			days: [],
			express: false
		});
		form.redo('r');
		expect(handle.seen()).toStrictEqual(values);
	});

	it('what a binding makes of a fill one flush later is still the run’s', async () => {
		const { form } = await mounted();
		actingAs(ada('r'), () => form.fill({ code: ' A1 ' }));
		const report = await form.settled({ code: ' A1 ' });
		expect(report.rejected).toStrictEqual([
			{ path: 'code', code: 'args-invalid', text: 'The form made "A1" of it.' }
		]);
		expect(form.field('code')!.written?.run).toBe('r');
		expect(report.written.code).toBe(form.version('code'));
		expect(form.undo('r')).toStrictEqual({ undone: 1, kept: [] });
	});

	it('S2-108 a person’s typing touches the field and takes the mark off; a script’s does not touch', async () => {
		const { form } = await mounted();
		const changes: FormChange[] = [];
		form.on((change) => changes.push(change));
		actingAs(ada('r'), () => form.fill({ customer: 'ACME' }));
		expect(field('customer').dataset.by).toBe('ada');
		expect(form.field('customer')).toMatchObject({
			touched: false,
			written: { actor: { id: 'ada' }, at: 7 }
		});
		expect(level(form, 'customer')).toBeUndefined();

		await userEvent.type(page.getByLabelText('Customer'), '!');
		expect(field('customer').dataset.by).toBeUndefined();
		expect(form.field('customer')).toMatchObject({ value: 'ACME!', touched: true });
		expect(changes.at(-1)).toMatchObject({ kind: 'edit', paths: ['customer'], by: { kind: 'human' } });
		await userEvent.click(page.getByText('Elsewhere'));
		expect(level(form, 'customer')).toBe('review');
		expect(level(form, 'note')).toBeUndefined();
		expect(form.undo('r')).toStrictEqual({ undone: 0, kept: [{ what: 'Customer', why: 'changed since' }] });

		field('note').value = 'script';
		field('note').dispatchEvent(new Event('input', { bubbles: true }));
		expect(form.field('note')).toMatchObject({ value: 'script', touched: false });
	});

	it('a person’s ticks and choices touch too', async () => {
		const { form } = await mounted();
		await userEvent.click(page.getByLabelText('Express'));
		// By key: choosing through the driver makes events that are not trusted.
		field('currency').focus();
		await userEvent.keyboard('u');
		await userEvent.click(page.getByLabelText('Card'));
		expect(form.fields().flatMap(({ path, touched }) => (touched ? [path] : []))).toStrictEqual([
			'currency',
			'express',
			'pay'
		]);
	});

	it('S2-108 what a script sets off touches nothing, though the browser trusts it', async () => {
		const { form } = await mounted();
		// The person was here just now: that makes no script one.
		await userEvent.click(page.getByText('Elsewhere'));
		const trust: boolean[] = [];
		const hear = ({ isTrusted }: Event) => trust.push(isTrusted);
		document.addEventListener('change', hear);
		document.addEventListener('input', hear);
		field('express').click();
		document.querySelector<HTMLElement>('[name="pay"][value="card"]')!.click();
		field('express').labels![0]!.click();
		field('express').labels![0]!.click();
		field('customer').focus();
		document.execCommand('insertText', false, 'script');
		document.execCommand('delete');
		document.removeEventListener('change', hear);
		document.removeEventListener('input', hear);
		expect(trust.length).toBeGreaterThanOrEqual(10);
		expect(trust).not.toContain(false);
		expect(form.field('customer')).toMatchObject({ value: 'scrip', touched: false });
		expect(form.field('express')).toMatchObject({ value: true, touched: false });
		expect(form.fields().filter(({ touched }) => touched)).toEqual([]);

		// And the same controls by hand, a label included.
		await userEvent.click(page.getByText('Express'));
		await userEvent.type(page.getByLabelText('Customer'), '!');
		expect(form.field('express')).toMatchObject({ value: false, touched: true });
		expect(form.field('customer')).toMatchObject({ value: 'scrip!', touched: true });
	});

	it('S2-70 filling other fields leaves focus, caret and selection where the person has them', async () => {
		const { form } = await mounted();
		await userEvent.type(page.getByLabelText('Note'), 'a person writes');
		const note = field('note');
		note.setSelectionRange(2, 8);
		actingAs(ada('r'), () => form.fill({ customer: 'ACME', amount: 3, express: true, pay: 'card' }));
		await form.settled({});
		form.undo('r');
		expect(document.activeElement).toBe(note);
		expect([note.selectionStart, note.selectionEnd]).toStrictEqual([2, 8]);
	});

	it('S2-70 the field the person is in asks first, and filled all the same keeps the caret', async () => {
		const { form } = await mounted();
		await userEvent.type(page.getByLabelText('Customer'), 'a long name');
		field('customer').setSelectionRange(3, 3);
		expect(form.field('customer')!.focused).toBe(true);
		expect(level(form, 'customer')).toBe('review');
		form.fill({ customer: 'a longer name' });
		expect(document.activeElement).toBe(field('customer'));
		expect(field('customer').selectionStart).toBe(3);
		// The browser makes a trusted `change` of this when the field is left.
		await userEvent.click(page.getByText('Elsewhere'));
		expect(form.value('customer')).toBe('a longer name');
	});

	it('the trusted change a browser makes on leaving is not taken for an edit', async () => {
		const { form } = await mounted();
		await userEvent.click(page.getByLabelText('Customer'));
		actingAs(ada('r'), () => form.fill({ customer: 'ACME' }));
		await userEvent.click(page.getByText('Elsewhere'));
		expect(form.field('customer')).toMatchObject({ touched: false, written: { run: 'r' } });
		expect(form.undo('r').undone).toBe(1);
	});

	it('S2-70 a field in composition is left alone by fill and by undo', async () => {
		const { form } = await mounted();
		actingAs(ada('r'), () => form.fill({ customer: 'x', note: 'y' }));
		await userEvent.click(page.getByLabelText('Customer'));
		const session = cdp() as unknown as { send(method: string, params: object): Promise<unknown> };
		await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
		expect(form.fill({ customer: 'ACME' })).toMatchObject({
			written: {},
			rejected: [{ path: 'customer', code: 'unavailable' }]
		});
		expect(form.undo('r')).toStrictEqual({
			undone: 1,
			kept: [{ what: 'Customer', why: 'being written in' }]
		});
		await session.send('Input.insertText', { text: '日' });
		expect(form.value('customer')).toContain('日');
		expect(form.field('customer')!.touched).toBe(true);
		expect(form.fill({ customer: 'ACME' }).rejected).toStrictEqual([]);
	});

	it('pasted text is told from typed text', async () => {
		const { form } = await mounted();
		await userEvent.type(page.getByLabelText('Note'), 'from afar');
		await userEvent.keyboard('{Control>}a{/Control}{Control>}x{/Control}');
		await userEvent.click(page.getByLabelText('Customer'));
		await userEvent.keyboard('{Control>}v{/Control}');
		expect(form.field('customer')).toMatchObject({ value: 'from afar', pasted: true });
		expect(form.field('note')).toMatchObject({ value: '', pasted: false });
		const shown = formManifest.reads.values.read(form, 'customer') as unknown as {
			label: object;
			value: string;
		};
		expect(shown).toMatchObject({
			value: 'from afar',
			label: { integrity: 'untrusted', origins: ['imported'] }
		});
	});

	it('the person’s reset takes touch away', async () => {
		const { form } = await mounted();
		await userEvent.type(page.getByLabelText('Note'), 'x');
		document.querySelector('form')!.reset();
		await expect.poll(() => form.field('note')!.touched).toBe(false);
	});

	it('S2-77 the provider lives as long as its form', async () => {
		const { handle } = await mounted();
		await expect.element(page.getByTestId('provider')).toHaveTextContent('alive');
		handle.hide();
		await expect.element(page.getByTestId('provider')).toHaveTextContent('gone');
	});
});
