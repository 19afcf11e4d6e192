import { expect, test } from '@playwright/test';

test('the docs can be searched, and a hit leads to its section', async ({ page }) => {
	await page.goto('/docs');
	await page.getByLabel('Search the docs').fill('drift approval');
	const hit = page.getByRole('search').getByRole('link', { name: /Drift/ }).first();
	await hit.click();
	await expect(page).toHaveURL(/\/docs\/gate#drift$/);
	await expect(page.getByRole('heading', { name: 'Drift' })).toBeInViewport();
});

test('every code of the engine and of the participants stands on the page of codes', async ({ page }) => {
	await page.goto('/docs/codes');
	// A code of the engine may have a meaning of its own in a participant, further down.
	for (const code of ['reversible-without-undo', 'stale', 'person-required', 'budget.acts', 'block-unknown'])
		await expect(page.getByRole('cell', { name: code, exact: true }).first()).toBeVisible();
});

test('code can be copied', async ({ page, context }) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await page.goto('/docs/start');
	const block = page.locator('[data-code]').first();
	await block.getByRole('button', { name: 'Copy' }).click();
	await expect(block.getByRole('button', { name: 'Copied' })).toBeVisible();
	expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm install @activeuix/agent');
});

test('llms.txt holds every page', async ({ request }) => {
	const text = await (await request.get('/llms.txt')).text();
	for (const title of ['# Five-minute start', '# Manifests', '# The gate', '# Limits'])
		expect(text).toContain(title);
});

test('theme and language are kept, and the theme is there before the first paint', async ({ page }) => {
	await page.goto('/');
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

test('no page says anything in the console', async ({ page }) => {
	const said: string[] = [];
	page.on('console', (message) => said.push(message.text()));
	page.on('pageerror', (error) => said.push(error.message));
	for (const path of ['/', '/docs', '/docs/start', '/states'])
		await page.goto(path, { waitUntil: 'networkidle' });
	expect(said).toEqual([]);
});

test('an address that leads nowhere says so, in the look of the site', async ({ page }) => {
	const answer = await page.goto('/nothing/here');
	expect(answer?.status()).toBe(404);
	await expect(page.getByRole('heading', { level: 1, name: 'There is no such page' })).toBeVisible();
	await page.getByRole('main').getByRole('link', { name: 'Docs' }).click();
	await expect(page).toHaveURL(/\/docs$/);
});

test('the link to the states leads there', async ({ page }) => {
	await page.goto('/docs/run');
	await page.locator('article p').getByRole('link', { name: 'States', exact: true }).click();
	await expect(page.getByRole('heading', { level: 1, name: 'Every reason to wait' })).toBeVisible();
});

test('the start page shows its example', async ({ page }) => {
	await page.goto('/docs/start');
	await expect(page.locator('[data-lang=svelte] code').first()).toContainText('defineActiveAgent');
});
