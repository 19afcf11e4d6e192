import { expect, test } from '@playwright/test';
import { card, delegate, invoiceField, open, until, watchPerson } from './site.js';

/** S2-119: no act of an agent, and no surface that appears, moves the focus, the caret or the selection. */
for (const story of ['fill', 'send', 'budget'])
	test(`S2-119 ${story}: the caret stays where the person left it`, async ({ page }) => {
		await open(page, story, 'auto');
		await page.getByLabel('Pace').selectOption('brisk');
		await delegate(page);
		const notes = invoiceField(page, 'Notes');
		await notes.pressSequentially('half a thou');
		for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft');
		const person = await watchPerson(page);
		await person.rest();
		await expect
			.poll(() => page.evaluate(() => window.agent.current?.state), { timeout: 15_000 })
			.toMatch(/reviewing|escalated|returned/);
		await expect(invoiceField(page, 'Amount')).toHaveValue('1280');
		expect(await person.moves()).toEqual([]);
		await page.keyboard.type('!');
		await expect(notes).toHaveValue('half a !thou');
	});

test('S2-119 a review that opens leaves the focus in the field', async ({ page }) => {
	await open(page, 'drift');
	await delegate(page);
	await invoiceField(page, 'Supplier').click();
	const person = await watchPerson(page);
	await person.rest();
	await until(page, 'reviewing');
	await expect(card(page)).toBeVisible();
	expect(await person.moves()).toEqual([]);
	await page.keyboard.type('T');
	await expect(invoiceField(page, 'Supplier')).toBeFocused();
	await expect(invoiceField(page, 'Supplier')).toHaveValue('T');
});

test('S2-119 undo and its announcement leave the focus on the button or in the turn line', async ({
	page
}) => {
	await open(page, 'fill', 'auto');
	await delegate(page);
	await until(page, 'returned');
	await page.locator('[data-action="undo"]').click();
	await expect(invoiceField(page, 'Supplier')).toHaveValue('');
	const inside = await page.evaluate(() => document.activeElement?.closest('[data-surface]') !== null);
	expect(inside).toBe(true);
});
