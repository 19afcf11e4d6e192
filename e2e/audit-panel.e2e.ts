import { expect, test, type Page } from '@playwright/test';
import { level, open, until } from './site.js';

const panel = (page: Page) => page.locator('[data-surface="copilot-panel"]');
const scroll = (page: Page) => panel(page).locator('[data-part="scroll"]');
const input = (page: Page) => panel(page).getByRole('textbox', { name: 'Tell Ada something' });

/** Runs in the conversation that is shown, one after another, until it is longer than its window. */
async function talk(page: Page, times: number): Promise<void> {
	await page.evaluate(async (times) => {
		for (let n = 0; n < times; n += 1) {
			const thread = window.agent.runs.at(-1)?.thread;
			await window.agent.run(`Goal ${n}`, thread === undefined ? {} : { thread }).returned;
		}
	}, times);
}
const position = (page: Page) => scroll(page).evaluate(({ scrollTop }) => Math.round(scrollTop));
const fromEnd = (page: Page) =>
	scroll(page).evaluate(
		({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight
	);
const focused = (page: Page) =>
	page.evaluate(() => document.activeElement?.getAttribute('data-action') ?? document.activeElement?.tagName);

test.describe('the panel, as it is used', () => {
	test.beforeEach(async ({ page }) => {
		await open(page, 'fill', 'auto');
		await talk(page, 4);
		await expect(panel(page)).toContainText('Goal 3');
	});

	test('audit 25 leaves who scrolled up where they read, and says that there is more', async ({ page }) => {
		await scroll(page).evaluate((element) => element.scrollTo(0, 40));
		await input(page).focus();
		const before = await position(page);
		await talk(page, 1);
		await expect(panel(page).getByRole('button', { name: 'New words below' })).toBeVisible();
		expect(await position(page)).toBe(before);
		expect(await focused(page)).toBe('TEXTAREA');

		await panel(page).getByRole('button', { name: 'New words below' }).click();
		await expect.poll(() => fromEnd(page)).toBeLessThanOrEqual(24);
		await expect(panel(page).getByRole('button', { name: 'New words below' })).toHaveCount(0);
		// From here on it follows again.
		await talk(page, 1);
		await expect.poll(() => fromEnd(page)).toBeLessThanOrEqual(24);
	});

	test('audit 26 has Stop two steps of Tab away from where one writes, and no key of its own', async ({
		page
	}) => {
		const runs = () => page.evaluate(() => window.agent.runs.length);
		const before = await runs();
		await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
		await page.keyboard.type('sruqx?/');
		expect(await runs()).toBe(before);

		// A run that waits for a review lasts until it is stopped, however slow the machine is.
		await panel(page).getByRole('button', { name: 'New conversation' }).click();
		await level(page, 'review');
		await input(page).fill('Fill in the invoice');
		await input(page).press('Enter');
		await until(page, 'reviewing');
		await expect(panel(page).locator('[data-action="stop"]')).toBeVisible();
		const stops: (string | undefined)[] = [];
		for (let tab = 0; tab < 2; tab += 1) {
			await page.keyboard.press('Tab');
			stops.push((await focused(page)) ?? undefined);
		}
		expect(stops).toContain('stop');
		await page.keyboard.press('Enter');
		await expect.poll(() => page.evaluate(() => window.agent.runs.at(-1)?.outcome?.kind)).toBe('interrupted');
		expect(await page.evaluate(() => window.agent.runs.at(-1)?.principal.kind)).toBe('human');
	});

	test('audit 29 loses nothing at 320 px and with more space between letters, words and lines', async ({
		page
	}) => {
		await page.setViewportSize({ width: 320, height: 720 });
		await page.addStyleTag({
			content:
				'* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }'
		});
		for (const dir of ['ltr', 'rtl']) {
			await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
			const cut = await panel(page).evaluate((root) =>
				[...root.querySelectorAll<HTMLElement>('*')]
					.filter((element) => element.checkVisibility() && element.dataset['part'] !== 'unseen')
					.filter((element) => {
						const { left, right, width } = element.getBoundingClientRect();
						const outer = root.getBoundingClientRect();
						return width > 0 && (left < outer.left - 1 || right > outer.right + 1);
					})
					.map((element) => element.dataset['part'] ?? element.tagName)
			);
			expect(cut, dir).toEqual([]);
			expect(
				await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
			).toBeLessThanOrEqual(0);
		}
		await expect(panel(page).getByRole('button', { name: 'Send' })).toBeVisible();
	});

	test('audit 30 keeps the focused message where it is while others come, and draws only what is in sight', async ({
		page
	}) => {
		await talk(page, 40);
		const runs = panel(page).locator('[data-part="run"]');
		await expect(runs).toHaveCount(44);
		const drawn = (at: number) => runs.nth(at).evaluate((run) => getComputedStyle(run).contentVisibility);
		expect(await drawn(3)).toBe('auto');
		expect(await drawn(43)).toBe('visible');
		await runs.nth(0).locator('[data-action="undo"]').focus();
		expect(await drawn(0)).toBe('visible');
		await talk(page, 2);
		await expect(runs).toHaveCount(46);
		expect(await focused(page)).toBe('undo');
		expect(await runs.nth(0).evaluate((run) => run.contains(document.activeElement))).toBe(true);
		// What is out of sight is in the tree all the same.
		await expect(panel(page).getByRole('article', { name: /^You|^This app/ })).toHaveCount(46);
	});
});
