import { expect, test, type Page } from '@playwright/test';
import { card, delegate, invoiceField, open, tabTo, until } from './site.js';

const focused = (page: Page) =>
	page.evaluate(() => {
		const { activeElement: at } = document;
		return at?.getAttribute('data-action') ?? at?.getAttribute('data-part') ?? at?.tagName.toLowerCase();
	});
const decided = (page: Page) =>
	page.evaluate(() => window.agent.current?.reviews.map(({ status }) => status).join());

test('audit 13, 14, 16, 17, 22 a review of a mail that cannot be undone, by keyboard from beginning to end', async ({
	page
}) => {
	await open(page, 'send', 'auto');
	await delegate(page);
	await until(page, 'reviewing');
	await expect(card(page)).toBeVisible();

	// 13: the tree names agent and act, and describes the risk.
	const region = page.getByRole('region', { name: /^Ada asks you to review \d+ steps?: / });
	await expect(region).toBeVisible();
	await expect(region).toHaveAccessibleDescription(/1 step cannot be undone\. /);

	// 16: F8 leads to the title, approve is not what has the focus, and Escape puts off and goes back.
	const opener = invoiceField(page, 'Number');
	await opener.focus();
	await page.keyboard.press('F8');
	expect(await focused(page)).toBe('title');
	await page.keyboard.press('Tab');
	expect(await focused(page)).not.toBe('decide');
	await page.keyboard.press('Escape');
	await expect(card(page)).toHaveAttribute('data-state', 'later');
	await expect(opener).toBeFocused();
	expect(await decided(page)).toBe('open');
	await tabTo(page, '[data-surface="review-card"] [data-action="review-again"]');
	await page.keyboard.press('Enter');
	await expect(card(page)).toHaveAttribute('data-state', 'open');

	// 17: everything that is pressed is 24 px high and wide, or lies apart from the next.
	const small = await card(page).evaluate((root) =>
		[...root.querySelectorAll('button, label:has(input), summary')]
			.filter((one) => one.checkVisibility())
			.map((one) => [one.textContent?.trim(), one.getBoundingClientRect()] as const)
			.filter(([, { width, height }]) => width < 24 || height < 24)
			.map(([text, { width, height }]) => `${text}: ${width} × ${height}`)
	);
	expect(small).toEqual([]);

	// 22: what stands on a button begins its name.
	for (const button of await card(page).getByRole('button').all()) {
		const shown = (await button.evaluate((one) => one.firstChild?.textContent ?? '')).trim();
		await expect(button).toHaveAccessibleName(new RegExp(`^${shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
	}

	// 14: neither mouse nor key gets past the box of what cannot be undone.
	await card(page).locator('[data-action="decide"]').click({ force: true });
	await card(page).locator('[data-action="decide"]').press('Enter');
	expect(await decided(page)).toBe('open');
	expect(
		await page.evaluate(() => window.agent.current?.effects.filter(({ reach }) => reach === 'world'))
	).toEqual([]);
});

test('audit 15 Enter in a field of an edit sends nothing, the button does', async ({ page }) => {
	await open(page, 'fill');
	await delegate(page);
	await until(page, 'reviewing');
	await tabTo(page, '[data-surface="review-card"] [data-action="edit"]');
	await page.keyboard.press('Enter');
	const field = card(page).getByLabel('Number', { exact: true });
	await field.focus();
	await page.keyboard.type('-b');
	await page.keyboard.press('Enter');
	await page.keyboard.press('Enter');
	expect(await decided(page)).toBe('open');
	await expect(invoiceField(page, 'Number')).toHaveValue('');
	await tabTo(page, '[data-surface="review-card"] [data-action="decide"]');
	await page.keyboard.press('Enter');
	await until(page, 'returned');
	await expect(invoiceField(page, 'Number')).toHaveValue(/-b$/);
});

test('S2-121 a card that does not come says who waits; tried again, it is there, with the focus', async ({
	page
}) => {
	let down = true;
	await page.route('**/*', async (route) => {
		if (route.request().resourceType() !== 'script') return route.continue();
		const answer = await route.fetch();
		const isCard = down && (await answer.text()).includes('keep-open');
		return isCard ? route.abort() : route.fulfill({ response: answer });
	});
	await open(page, 'send');
	await delegate(page);
	await until(page, 'reviewing');
	const words = page.locator('[data-surface="late"][data-for="review-card"]');
	await expect(words).toContainText('Ada is waiting for your review');
	await expect(words).toContainText('could not be loaded, and nothing is decided');
	await tabTo(page, '[data-surface="late"][data-for="review-card"] [data-action="try-again"]');
	down = false;
	await page.keyboard.press('Enter');
	await expect(card(page)).toHaveAttribute('data-state', 'open');
	await expect.poll(() => focused(page)).toBe('title');
	expect(await decided(page)).toBe('open');
});
