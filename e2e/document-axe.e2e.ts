import { expect, test, type Page } from '@playwright/test';
import { faults } from './faults.js';
import { card, delegate, letter, open, until } from './site.js';

const decided = async (page: Page) => {
	const all = card(page).locator('[data-action="approve-reversible"]');
	if (await all.isVisible()) await all.click();
	await card(page).locator('[data-action="decide"]').click();
};

/** How each state of a document is reached. */
const states: Record<string, (page: Page) => Promise<void>> = {
	drafting: async (page) => {
		await open(page, 'rewrite');
		await page.getByLabel('Pace').selectOption('calm');
		await delegate(page);
		await expect(page.locator('[data-part="ghost"]')).toContainText('Pay');
	},
	reviewing: async (page) => {
		await open(page, 'rewrite');
		await delegate(page);
		await until(page, 'reviewing');
		await expect(card(page)).toBeVisible();
	},
	both: async (page) => {
		await open(page, 'both');
		await delegate(page);
		await until(page, 'reviewing');
		await expect(card(page)).toBeVisible();
	},
	written: async (page) => {
		await states.reviewing?.(page);
		await decided(page);
		await until(page, 'returned');
		await expect(letter(page).locator('[data-part="agent-text"]').first()).toBeVisible();
	},
	accepted: async (page) => {
		await states.written?.(page);
		await page.getByRole('button', { name: 'Make them mine' }).click();
		await expect(letter(page).locator('[data-part="agent-text"]')).toHaveCount(0);
	},
	stale: async (page) => {
		await open(page, 'stale');
		await delegate(page);
		await until(page, 'reviewing');
		await letter(page).getByText('who asked to keep them').click();
		await page.keyboard.type('Please note. ');
		await decided(page);
		await expect(card(page)).toHaveAttribute('data-state', 'stale');
	}
};

/** How far the page, and the letter in it, reach beyond what is seen of them. */
const sideways = (page: Page) =>
	page.evaluate(() =>
		[document.documentElement, document.querySelector('[data-letter]')].map((element) =>
			element ? element.scrollWidth - element.clientWidth : NaN
		)
	);

for (const [name, reach] of Object.entries(states))
	test(`axe finds nothing in the letter, in both themes, and nothing of it scrolls sideways at 320 px: ${name}`, async ({
		page
	}) => {
		await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
		await reach(page);
		expect(await faults(page)).toEqual([]);
		await page.emulateMedia({ colorScheme: 'dark' });
		expect(await faults(page, 'contrast')).toEqual([]);
		await page.setViewportSize({ width: 320, height: 640 });
		expect(await sideways(page)).toEqual([0, 0]);
		await page.evaluate(() => (document.documentElement.dir = 'rtl'));
		expect(await sideways(page)).toEqual([0, 0]);
	});

test('axe finds nothing in the letter in forced colours', async ({ page }) => {
	await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
	await states.written?.(page);
	expect(await faults(page, 'structure')).toEqual([]);
});

test('what an agent wrote is described to a screen reader, and what it drafts is not spoken', async ({
	page
}) => {
	await states.drafting?.(page);
	await expect(page.locator('[data-part="ghost"]')).toHaveAttribute('aria-hidden', 'true');
	await until(page, 'reviewing');
	await decided(page);
	await until(page, 'returned');
	await expect(letter(page).locator('[aria-description="Partly written by Ada"]').first()).toBeVisible();
});
