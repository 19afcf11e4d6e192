import { expect, type Locator, type Page, test } from '@playwright/test';
import {
	card,
	delegate,
	desk,
	heard,
	invoiceField,
	letter,
	open,
	outcome,
	tabTo,
	turnLine,
	until
} from './site.js';

test.describe('a letter becomes an invoice', () => {
	test('by mouse: correct one value, approve, undo', async ({ page }) => {
		await open(page, 'fill');
		await delegate(page);
		await until(page, 'reviewing');
		await expect(card(page)).toContainText('1280');
		await expect(invoiceField(page, 'Supplier')).toHaveValue('');

		await card(page).getByRole('button', { name: 'Edit' }).click();
		await card(page).getByLabel('Due date').fill('2027-01-15');
		await card(page).locator('[data-action="decide"]').click();
		await until(page, 'returned');
		expect(await outcome(page)).toBe('completed');
		await expect(invoiceField(page, 'Supplier')).toHaveValue('Talleres Ibarra S.L.');
		await expect(invoiceField(page, 'Amount')).toHaveValue('1280');
		await expect(invoiceField(page, 'Due date')).toHaveValue('2027-01-15');
		await expect(invoiceField(page, 'IBAN')).toHaveValue('ES91 2100 0418 4502 0005 1332');
		await expect(invoiceField(page, 'Cost centre')).toHaveValue('4410');
		await expect(invoiceField(page, 'Company card number')).toHaveValue('');
		await expect(page.getByLabel('I accept the supplier’s terms')).not.toBeChecked();
		await expect(page.getByText('Written by Ada').first()).toBeVisible();

		await turnLine(page).locator('[data-action="undo"]').click();
		for (const label of ['Supplier', 'Number', 'Amount', 'Due date', 'IBAN', 'Cost centre'])
			await expect(invoiceField(page, label)).toHaveValue('');
		await expect(page.getByText('Written by Ada')).toHaveCount(0);
	});

	test('only suggest: the proposal is shown, and nothing is done', async ({ page }) => {
		await open(page, 'fill', 'suggest');
		await delegate(page);
		await until(page, 'returned');
		expect(await outcome(page)).toBe('proposed');
		await expect(
			desk(page)
				.getByText(/proposed 1 change; nothing was done/)
				.first()
		).toBeVisible();
		await expect(card(page).getByText('Talleres Ibarra S.L.')).toBeVisible();
		await expect(invoiceField(page, 'Supplier')).toHaveValue('');
	});

	test('by keyboard alone: correct one value, approve, undo', async ({ page }) => {
		await open(page, 'fill');
		await tabTo(page, '.go');
		await page.keyboard.press('Enter');
		await until(page, 'reviewing');
		await page.keyboard.press('F8');
		await expect(card(page).locator('[data-part="title"]')).toBeFocused();
		await tabTo(page, '[data-surface="review-card"] [data-action="edit"]');
		await page.keyboard.press('Enter');
		const due = card(page).getByLabel('Due date');
		const id = await due.getAttribute('id');
		await tabTo(page, `[id="${id}"]`);
		await page.keyboard.press('ControlOrMeta+a');
		await page.keyboard.type('2027-01-15');
		await tabTo(page, '[data-surface="review-card"] [data-action="decide"]');
		await page.keyboard.press('Enter');
		await until(page, 'returned');
		await expect(invoiceField(page, 'Due date')).toHaveValue('2027-01-15');

		await tabTo(page, '[data-surface="turn-line"] [data-action="undo"]');
		await page.keyboard.press('Enter');
		await expect(invoiceField(page, 'Due date')).toHaveValue('');
		await expect(invoiceField(page, 'Supplier')).toHaveValue('');
	});

	test('the agent reads what stands in the letter', async ({ page }) => {
		await open(page, 'fill', 'auto');
		await letter(page).getByText('Total due: 1,280.00 EUR').click();
		await page.keyboard.press('Home');
		await page.keyboard.press('Shift+End');
		await page.keyboard.type('Total due: 77.10 GBP');
		await delegate(page);
		await until(page, 'returned');
		await expect(invoiceField(page, 'Amount')).toHaveValue('77.1');
		await expect(invoiceField(page, 'Currency')).toHaveValue('GBP');
	});

	test('in Spanish', async ({ page }) => {
		await open(page, 'fill');
		await page.getByLabel('Language').selectOption('es');
		await page.getByRole('button', { name: 'Delegar en Ada' }).click();
		await until(page, 'reviewing');
		await expect(card(page)).toContainText('Editar');
		await card(page).locator('[data-action="decide"]').click();
		await until(page, 'returned');
		await expect(page.getByRole('form', { name: 'Factura' }).getByLabel('Importe')).toHaveValue('1280');
		await expect(heard(page)).toContainText('te devuelve el control');
	});
});

test('changed under review: the card asks again and shows the change', async ({ page }) => {
	await open(page, 'drift');
	await delegate(page);
	await until(page, 'reviewing');
	const before = await page.evaluate(() =>
		window.agent.pending.map((one) => one.kind === 'review' && one.review.id)
	);
	await invoiceField(page, 'Notes').pressSequentially('Ask Iker about the rollers');
	await expect(card(page)).toHaveAttribute('data-state', 'open');
	expect(
		await page.evaluate(() => window.agent.pending.map((one) => one.kind === 'review' && one.review.id))
	).toEqual(before);

	await invoiceField(page, 'Amount').fill('1300');
	await card(page).locator('[data-action="approve-reversible"]').click();
	await card(page).locator('[data-action="decide"]').click();
	await expect(card(page)).toHaveAttribute('data-state', 'stale');
	await expect(card(page)).toContainText('Amount changed while you were reviewing');
	await expect(card(page)).toContainText('1300');
	await expect(invoiceField(page, 'Amount')).toHaveValue('1300');

	await card(page).locator('[data-action="review-again"]').click();
	await card(page).locator('[data-action="decide"]').click();
	await until(page, 'returned');
	await expect(invoiceField(page, 'Amount')).toHaveValue('1280');
	await expect(invoiceField(page, 'Notes')).toHaveValue('Ask Iker about the rollers');
});

test('told to send at once: sending waits for a person at every level', async ({ page }) => {
	await open(page, 'send', 'auto');
	await delegate(page);
	await until(page, 'reviewing');
	await expect(page.getByText('Nothing has been sent.')).toBeVisible();
	await expect(card(page)).toContainText('cannot be undone');
	await expect(card(page)).toContainText('not trusted');
	await expect(card(page)).toContainText('GB33 BUKB 2020 1555 5555 55');

	await card(page).locator('[data-action="reject-all"]').click();
	await card(page).locator('[data-action="confirm-reject"]').click();
	await until(page, 'returned');
	await expect(page.getByText('Nothing has been sent.')).toBeVisible();
});

test('a person sends it, knowing what it is', async ({ page }) => {
	await open(page, 'send', 'auto');
	await delegate(page);
	await until(page, 'reviewing');
	const send = card(page).locator('[data-effect="irreversible"]');
	await send.getByLabel(/I have checked this step/).check();
	const choices = card(page).locator('[data-asks="person"] input[value="approve"]');
	for (const choice of await choices.all()) await choice.check({ force: true });
	await card(page).locator('[data-action="decide"]').click();
	await until(page, 'returned');
	await expect(page.getByRole('region', { name: 'Outbox' })).toContainText('TI-2207');
});

test('the budget runs out, says what was done, and is renewed', async ({ page }) => {
	await open(page, 'budget', 'auto');
	await delegate(page);
	await until(page, 'escalated');
	await expect(invoiceField(page, 'Amount')).toHaveValue('1280');
	await expect(invoiceField(page, 'Currency')).toHaveValue('EUR');
	await expect(invoiceField(page, 'IBAN')).toHaveValue('');
	await expect(desk(page).getByText(/The budget is spent: 3 values written/)).toBeVisible();
	const renew = turnLine(page).locator('[data-action="renew"]');
	const limit = () => page.evaluate(() => window.agent.current?.budget.limit.acts ?? 0);
	while ((await outcome(page)) === undefined) {
		const before = await limit();
		await renew.click();
		await expect.poll(limit).toBeGreaterThan(before);
		await expect.poll(() => page.evaluate(() => window.agent.current?.state)).toMatch(/escalated|returned/);
	}
	expect(await outcome(page)).toBe('completed');
	await expect(invoiceField(page, 'IBAN')).toHaveValue('ES91 2100 0418 4502 0005 1332');
});

test.describe('by keyboard alone', () => {
	const inCard = (action: string) => `[data-surface="review-card"] [data-action="${action}"]`;
	/** Tabs to one control, wherever it stands. */
	const reach = async (page: Page, control: Locator) =>
		tabTo(page, `[id="${await control.getAttribute('id')}"]`, 200);
	const press = async (page: Page, selector: string) => {
		await tabTo(page, selector, 200);
		await page.keyboard.press('Enter');
	};

	test('changed under review: void, shown, decided again', async ({ page }) => {
		await open(page, 'drift');
		await press(page, '.go');
		await until(page, 'reviewing');
		await reach(page, invoiceField(page, 'Amount'));
		await page.keyboard.type('1300');
		await press(page, inCard('approve-reversible'));
		await press(page, inCard('decide'));
		await expect(card(page)).toHaveAttribute('data-state', 'stale');
		await press(page, inCard('review-again'));
		await press(page, inCard('decide'));
		await until(page, 'returned');
		await expect(invoiceField(page, 'Amount')).toHaveValue('1280');
	});

	test('told to send at once: checked, approved and sent by a person', async ({ page }) => {
		await open(page, 'send', 'auto');
		await press(page, '.go');
		await until(page, 'reviewing');
		await page.keyboard.press('F8');
		await tabTo(page, '[data-surface="review-card"] [data-effect="irreversible"] input[type="checkbox"]');
		await page.keyboard.press('Space');
		const choices = card(page).locator('[data-asks="person"] input[value="approve"]');
		for (const choice of await choices.all()) {
			await page.keyboard.press('F8');
			const name = await choice.getAttribute('name');
			await tabTo(page, `input[name="${name}"]`);
			await page.keyboard.press('Space');
			await expect(choice).toBeChecked();
		}
		await press(page, inCard('decide'));
		await until(page, 'returned');
		await expect(page.getByRole('region', { name: 'Outbox' })).toContainText('TI-2207');
	});

	test('the budget runs out and is renewed', async ({ page }) => {
		await open(page, 'budget', 'auto');
		await press(page, '.go');
		await until(page, 'escalated');
		const limit = () => page.evaluate(() => window.agent.current?.budget.limit.acts ?? 0);
		while ((await outcome(page)) === undefined) {
			const before = await limit();
			await press(page, '[data-surface="turn-line"] [data-action="renew"]');
			await expect.poll(limit).toBeGreaterThan(before);
			await expect.poll(() => page.evaluate(() => window.agent.current?.state)).toMatch(/escalated|returned/);
		}
		expect(await outcome(page)).toBe('completed');
	});
});
