import { expect, test, type Page } from '@playwright/test';
import { card, turnLine, until, visit } from './site.js';

async function begin(page: Page): Promise<void> {
	await visit(page, '/lasting');
	await page.waitForFunction(() => window.agent !== undefined);
	await page.evaluate(() => window.agent.engine.ready);
	await page.getByRole('button', { name: 'Let Ada begin' }).click();
	await until(page, 'reviewing');
}

async function approve(page: Page): Promise<void> {
	// What cannot be taken back is looked at first.
	const seen = card(page).getByRole('checkbox');
	const button = card(page)
		.getByRole('button', { name: /^Approve/ })
		.first();
	await button.waitFor();
	if ((await seen.count()) > 0) await seen.first().check();
	await button.click();
}
const posted = (page: Page) => page.locator('[data-posted]').getAttribute('data-posted');
const reviews = (page: Page) =>
	page.evaluate(() => window.agent.current?.reviews.filter(({ status }) => status === 'open').length);

test.describe('what lasts', () => {
	test('S2-91 S2-57 I14 a page that is loaded again has its card back, once, and does nothing twice', async ({
		page
	}) => {
		await begin(page);
		const id = await page.evaluate(() => window.agent.current!.id);
		await page.reload();
		await until(page, 'reviewing');
		expect(await page.evaluate(() => window.agent.current!.id)).toBe(id);
		expect(await reviews(page)).toBe(1);
		await approve(page);
		await expect(page.locator('[data-name]')).toHaveText('Porto');
		await expect.poll(() => page.evaluate(() => window.agent.current!.steps.length)).toBe(2);
		await until(page, 'reviewing');
		await page.reload();
		await until(page, 'reviewing');
		await approve(page);
		await until(page, 'returned');
		expect(await posted(page)).toBe('1');
		await page.reload();
		await expect.poll(() => page.evaluate(() => window.agent.current?.outcome?.kind)).toBe('completed');
		expect(await posted(page)).toBe('1');
	});

	test('S2-91 S3-18 I13 I15 of two windows one carries the run on; when it is gone the other brings it over, and it is posted once', async ({
		context,
		page
	}) => {
		await begin(page);
		const other = await context.newPage();
		await visit(other, '/lasting');
		await expect(turnLine(other)).toContainText('another window');
		await expect(card(other)).toHaveCount(0);
		await approve(page);
		await expect.poll(() => page.evaluate(() => window.agent.current!.steps.length)).toBe(2);
		await until(page, 'reviewing');
		await page.close();
		await turnLine(other).getByRole('button', { name: 'Bring here' }).click();
		await expect.poll(() => other.evaluate(() => window.agent.current?.elsewhere)).toBeUndefined();
		await until(other, 'reviewing');
		await approve(other);
		await until(other, 'returned');
		expect(await posted(other)).toBe('1');
		await expect(other.locator('[data-name]')).toHaveText('Porto');
	});

	test('S3-02 S3-10 S3-32 a change of course while the card is open makes the card anew', async ({
		page
	}) => {
		await begin(page);
		await page.getByRole('textbox', { name: /Ada/ }).last().fill('Call it Lisbon');
		await page.keyboard.press('Enter');
		await expect.poll(() => page.evaluate(() => window.agent.current?.revision)).toBe(2);
		await until(page, 'reviewing');
		await approve(page);
		await expect(page.locator('[data-name]')).toHaveText('Lisbon');
		expect(await page.evaluate(() => window.agent.current!.transitions.map(({ text }) => text))).toEqual([
			'Call it Lisbon'
		]);
	});
});
