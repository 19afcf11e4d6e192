import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { visit } from './site.js';

const searchBox = (page: Page) => page.getByLabel('Search the docs');
const hits = (page: Page) => page.getByRole('search').locator('[data-hit]');

test('the docs are searched by keyboard, and a hit leads to its section', async ({ page }) => {
	await visit(page, '/docs');
	await expect(searchBox(page)).toBeEnabled();
	await page.keyboard.press('ControlOrMeta+k');
	await expect(searchBox(page)).toBeFocused();
	await page.keyboard.type('no-such-word-anywhere');
	await expect(page.getByText('Nothing holds all of')).toBeVisible();
	await expect(page.getByRole('search').getByRole('status')).toHaveText('0 results');
	// An idea instead of what was not found.
	await page.keyboard.press('ArrowDown');
	await expect(page.getByRole('button', { name: 'approve', exact: true })).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(searchBox(page)).toHaveValue('approve');
	await expect(searchBox(page)).toBeFocused();
	await expect(hits(page).first()).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(searchBox(page)).toHaveValue('');
	await expect(hits(page)).toHaveCount(0);

	await page.keyboard.type('undo');
	await expect(hits(page).nth(1)).toBeVisible();
	await expect(hits(page).first().locator('mark').first()).toBeVisible();
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowDown');
	await expect(hits(page).nth(1)).toBeFocused();
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('ArrowUp');
	await expect(searchBox(page)).toBeFocused();
	await searchBox(page).fill('drift approval');
	await expect(hits(page)).toHaveCount(1);
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/\/docs\/gate#drift$/);
	await expect(page.getByRole('heading', { name: 'Drift' })).toBeInViewport();
});

test('code is copied, alone and beside what runs', async ({ page, context }) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await visit(page, '/docs/start');
	await expect(page.locator('[data-lang=svelte] code').first()).toContainText('defineActiveAgent');
	const block = page.locator('[data-code]').first();
	await block.getByRole('button', { name: 'Copy' }).click();
	await expect(block.getByRole('button', { name: 'Copied' })).toBeVisible();
	expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm install @activeuix/agent');
	await expect(block.getByRole('button', { name: 'Copy' })).toBeVisible();
	// No block without its button.
	const without = page.locator('[data-code]:not(:has(button))');
	await expect(without).toHaveCount(0);
});

test('every surface is alive beside its source, moves nothing below it, and can be begun anew', async ({
	page
}) => {
	test.slow();
	await visit(page, '/docs/surfaces');
	const example = page.locator('[data-example]').filter({ hasText: 'ReviewCardExample' });
	const next = page.getByRole('heading', { level: 2, name: 'QuestionCard' });
	const begin = example.getByRole('button', { name: 'Correct and send' });
	await expect(begin).toBeVisible();
	const top = async () => (await next.boundingBox())?.y;
	await begin.scrollIntoViewIfNeeded();
	const before = await top();
	await begin.click();
	const card = example.locator('[data-surface="review-card"]');
	await expect(card).toContainText('1280');
	expect(await top()).toBe(before);
	// What cannot be undone is left out by it, and has to be decided on its own.
	await card.locator('[data-action="approve-reversible"]').click();
	await card.locator('[data-effect="irreversible"] input[value="reject"]').check({ force: true });
	await card.locator('[data-action="decide"]').click();
	await expect(example.getByLabel('Amount').last()).toHaveValue('1280');
	await expect(example.getByText('Nothing was sent.', { exact: true })).toBeVisible();
	await example.getByRole('button', { name: 'Start over' }).click();
	await expect(example.getByLabel('Amount').last()).toHaveValue('1200');

	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
		const { violations } = await new AxeBuilder({ page }).include('.live-stage').analyze();
		expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
			[]
		);
	}
	await page.setViewportSize({ width: 320, height: 640 });
	expect(
		await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
	).toBeLessThanOrEqual(0);
});

test('without script a page shows its examples as code, and no search that would be dead', async ({
	browser
}) => {
	const context = await browser.newContext({ javaScriptEnabled: false });
	const page = await context.newPage();
	await page.goto('/docs/surfaces');
	const example = page.locator('[data-example]').first();
	await expect(example.locator('code').last()).toContainText('defineActiveAgent');
	await expect(page.locator('[data-example] [data-code]')).toHaveCount(
		await page.locator('[data-example]').count()
	);
	await expect(searchBox(page)).toBeHidden();
	await context.close();
});

test('theme and language are kept, and the theme is there before the first paint', async ({ page }) => {
	await visit(page, '/');
	const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	const light = await paper();
	await page.getByLabel('Theme').selectOption('dark');
	expect(await paper()).not.toBe(light);
	await page.getByLabel('Language').selectOption('es');
	await page.reload({ waitUntil: 'commit' });
	expect(await page.evaluate(() => document.documentElement.style.colorScheme)).toBe('dark');
	await expect(page.getByRole('heading', { level: 1 })).toContainText('Delega el trabajo.');
	expect(await page.evaluate(() => document.documentElement.lang)).toBe('es');
});

test('no page says anything in the console, and all of it is one text', async ({ page, request }) => {
	const said: string[] = [];
	page.on('console', (message) => said.push(message.text()));
	page.on('pageerror', (error) => said.push(error.message));
	for (const path of ['/', '/docs', '/docs/start', '/docs/surfaces', '/states'])
		await page.goto(path, { waitUntil: 'networkidle' });
	expect(said).toEqual([]);

	const text = await (await request.get('/llms.txt')).text();
	for (const title of ['# Five-minute start', '# Manifests', '# The gate', '# Surfaces', '# Limits'])
		expect(text).toContain(title);
	expect(text).toContain('`@activeuix/agent/engine`');
});

test('addresses: one that leads nowhere says so in the look of the site; a page turns to the next', async ({
	page
}) => {
	const answer = await page.goto('/nothing/here');
	expect(answer?.status()).toBe(404);
	await expect(page.getByRole('heading', { level: 1, name: 'There is no such page' })).toBeVisible();
	await page.getByRole('main').getByRole('link', { name: 'Docs' }).click();
	await expect(page).toHaveURL(/\/docs$/);

	await visit(page, '/docs/run');
	await page.getByRole('navigation', { name: 'Pages' }).locator('[rel=next]').click();
	await expect(page).toHaveURL(/\/docs\/durability$/);
	await page.getByRole('navigation', { name: 'Pages' }).locator('[rel=prev]').click();
	await page.locator('article p').getByRole('link', { name: 'States', exact: true }).click();
	await expect(page.getByRole('heading', { level: 1, name: 'Every reason to wait' })).toBeVisible();
});
