import { expect, test, type Page } from '@playwright/test';
import { faults } from './faults.js';
import { card, delegate, invoiceField, open, provoke, until, visit } from './site.js';

const states: Record<string, (page: Page) => Promise<void>> = {
	idle: (page) => open(page, 'fill'),
	thinking: async (page) => {
		await open(page, 'fill');
		await page.getByLabel('Pace').selectOption('calm');
		await delegate(page);
		await until(page, 'offered');
	},
	reviewing: async (page) => {
		await open(page, 'drift');
		await delegate(page);
		await until(page, 'reviewing');
		await expect(card(page)).toBeVisible();
	},
	editing: async (page) => {
		await open(page, 'fill');
		await delegate(page);
		await until(page, 'reviewing');
		await card(page).getByRole('button', { name: 'Edit' }).click();
	},
	stale: async (page) => {
		await open(page, 'drift');
		await delegate(page);
		await until(page, 'reviewing');
		await invoiceField(page, 'Amount').fill('9');
		await card(page).locator('[data-action="approve-reversible"]').click();
		await card(page).locator('[data-action="decide"]').click();
		await expect(card(page)).toHaveAttribute('data-state', 'stale');
	},
	irreversible: async (page) => {
		await open(page, 'send', 'auto');
		await delegate(page);
		await until(page, 'reviewing');
	},
	pasted: async (page) => {
		await open(page, 'paste', 'auto');
		await page.getByRole('button', { name: 'Paste it into the letter' }).click();
		await delegate(page);
		await until(page, 'reviewing');
		await expect(card(page)).toBeVisible();
	},
	refusedPress: async (page) => {
		await states.pasted?.(page);
		await card(page)
			.locator('[data-action="reject-all"]')
			.evaluate((button: HTMLElement) => button.click());
		await card(page)
			.locator('[data-action="decide"]')
			.evaluate((button: HTMLElement) => button.click());
	},
	several: async (page) => {
		await provoke(page, 'several');
		await expect(card(page)).toBeVisible();
	},
	denied: async (page) => {
		await provoke(page, 'denied');
		await until(page, 'returned');
	},
	paused: async (page) => {
		await open(page, 'fill');
		await page.getByLabel('Pace').selectOption('calm');
		await delegate(page);
		await page.locator('[data-surface="turn-line"] [data-action="pause"]').click();
		await until(page, 'escalated');
	},
	escalated: async (page) => {
		await open(page, 'budget', 'auto');
		await delegate(page);
		await until(page, 'escalated');
	},
	returned: async (page) => {
		await open(page, 'fill', 'auto');
		await delegate(page);
		await until(page, 'returned');
	},
	undone: async (page) => {
		await open(page, 'fill', 'auto');
		await delegate(page);
		await until(page, 'returned');
		await page.locator('[data-surface="turn-line"] [data-action="undo"]').click();
		await expect(invoiceField(page, 'Supplier')).toHaveValue('');
	},
	states: async (page) => {
		await provoke(page, 'question');
		await expect(page.locator('[data-surface="question-card"]')).toBeVisible();
	},
	docs: async (page) => void (await visit(page, '/docs/gate')),
	contents: async (page) => void (await visit(page, '/docs')),
	lost: async (page) => void (await page.goto('/nothing/here'))
};

const sideways = (page: Page) =>
	page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

// What a run looks like in forced colours and with motion, and each of its states: audit-axe.e2e.ts.
for (const [name, reach] of Object.entries(states))
	test(`audit 34 axe finds nothing in both themes, and nothing scrolls sideways at 320 px: ${name}`, async ({
		page
	}) => {
		test.setTimeout(60_000);
		await page.emulateMedia({ reducedMotion: 'reduce' });
		await reach(page);
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme });
			expect(await faults(page, colorScheme === 'light' ? 'all' : 'contrast'), colorScheme).toEqual([]);
		}
		await page.setViewportSize({ width: 320, height: 640 });
		expect(await sideways(page)).toBeLessThanOrEqual(0);
		await page.evaluate(() => (document.documentElement.dir = 'rtl'));
		expect(await sideways(page)).toBeLessThanOrEqual(0);
	});

test.describe('320 px', () => {
	test.use({ viewport: { width: 320, height: 640 } });

	test('the docked turn line leaves the foot of the page in sight', async ({ page }) => {
		await states.reviewing?.(page);
		await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
		const bottom = () =>
			page.locator('footer.foot a').evaluate((link) => link.getBoundingClientRect().bottom);
		const dock = () =>
			page.locator('[data-surface="turn-line"]').evaluate((line) => line.getBoundingClientRect().top);
		expect(await bottom()).toBeLessThanOrEqual(await dock());
	});
});
