import { expect, test, type Page } from '@playwright/test';
import { heard, tabTo, turnLine } from './site.js';

/** For each reason a run waits: how to get there, and how somebody without a mouse gets out. */
const reasons: Record<string, { reach?: (page: Page) => Promise<void>; out: (page: Page) => Promise<void> }> =
	{
		question: {
			out: async (page) => {
				await tabTo(page, '[data-surface="question-card"] input');
				await page.keyboard.press('Space');
				await tabTo(page, '[data-action="answer"]');
				await page.keyboard.press('Enter');
			}
		},
		budget: { out: (page) => press(page, 'renew') },
		scope: { out: (page) => press(page, 'resume', '[data-part="need"] ') },
		drift: { out: (page) => press(page, 'stop') },
		'unknown-effect': {
			reach: async (page) => {
				await expect(page.locator('[data-surface="review-card"]')).toBeVisible();
				await tabTo(page, '[data-part="sure"] input');
				await page.keyboard.press('Space');
				await tabTo(page, '[data-surface="review-card"] [data-action="decide"]');
				await page.keyboard.press('Enter');
			},
			out: (page) => press(page, 'settle')
		},
		consent: {
			out: async (page) => {
				await tabTo(page, '[data-surface="question-card"] input');
				await page.keyboard.press('Space');
				await tabTo(page, '[data-action="answer"]');
				await page.keyboard.press('Enter');
			}
		},
		auth: {
			out: async (page) => {
				await tabTo(page, '[data-action="answer"]');
				await page.keyboard.press('Enter');
			}
		},
		stall: { out: (page) => press(page, 'resume', '[data-part="need"] ') },
		transport: { out: (page) => press(page, 'resume', '[data-part="need"] ') },
		desync: { out: (page) => press(page, 'resume', '[data-part="need"] ') },
		store: { out: (page) => press(page, 'resume', '[data-part="need"] ') },
		owner: { out: (page) => press(page, 'resume', '[data-part="need"] ') },
		paused: { out: (page) => press(page, 'resume') }
	};

async function press(page: Page, action: string, within = ''): Promise<void> {
	await tabTo(page, `[data-surface="turn-line"] ${within}[data-action="${action}"]`);
	await page.keyboard.press('Enter');
}

for (const [reason, { reach, out }] of Object.entries(reasons))
	test(`${reason}: a sentence within a frame, said once, pending, and out by keyboard`, async ({ page }) => {
		await page.goto('/states');
		await page.waitForFunction(() => window.agent !== undefined);
		await tabTo(page, `[data-reason="${reason}"]`);
		await page.keyboard.press('Enter');
		await page.evaluate((wanted) => {
			const shown = { text: '' };
			Object.assign(window, { shown });
			const look = () => {
				const waits = window.agent.current?.escalations.some(({ code }) => code === wanted);
				if (!waits || shown.text !== '') return;
				// One frame for the state, and what Svelte paints of it in the same frame.
				requestAnimationFrame(() =>
					requestAnimationFrame(() => {
						shown.text ||= document.querySelector('[data-surface="turn-line"]')?.textContent ?? '';
					})
				);
			};
			window.agent.subscribe(look);
			look();
		}, reason);
		await reach?.(page);

		await expect(page.locator(`[data-waits~="${reason}"]`)).toBeVisible({ timeout: 10_000 });
		const shown = await page.evaluate(() => (window as unknown as { shown: { text: string } }).shown.text);
		expect(shown).toMatch(/Ada/);
		await expect(turnLine(page)).toBeVisible();
		expect(
			await page.evaluate(
				(wanted) =>
					window.agent.pending.some(
						(one) =>
							one.kind === wanted ||
							(one.kind === 'escalation' && one.reason.code === wanted) ||
							(one.kind === 'question' && one.question.reason === wanted)
					),
				reason
			)
		).toBe(true);

		await expect(heard(page).locator('li').first()).toBeVisible();
		const phrases = await heard(page).locator('q').allTextContents();
		expect(new Set(phrases).size).toBe(phrases.length);
		if (reason !== 'paused') await expect(heard(page).locator('[data-class="needs-you"]')).not.toHaveCount(0);

		await out(page);
		await expect(page.locator(`[data-waits~="${reason}"]`)).toHaveCount(0);
	});
