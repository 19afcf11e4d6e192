import { expect, test, type Page } from '@playwright/test';
import { heard, tabTo, turnLine, visit, visitStates } from './site.js';

/** For each reason a run waits: how to get there, and how somebody without a mouse gets out. */
const reasons: Record<string, { reach?: (page: Page) => Promise<void>; out: (page: Page) => Promise<void> }> =
	{
		question: { out: answer },
		budget: { out: (page) => press(page, 'renew') },
		scope: { out: (page) => press(page, 'resume', '[data-part="need"] ') },
		drift: {
			reach: async (page) => {
				for (let i = 0; i < 8 && (await page.locator('[data-waits~="drift"]').count()) === 0; i++) {
					await expect(
						page.locator('[data-surface="review-card"]:is([data-state=open], [data-state=stale])')
					).toBeVisible();
					if ((await page.locator('[data-surface="review-card"]').getAttribute('data-state')) === 'stale') {
						await tabTo(page, '[data-surface="review-card"] [data-action="review-again"]');
						await page.keyboard.press('Enter');
					}
					const reviews = () => page.evaluate(() => window.agent.current?.reviews.length ?? 0);
					const before = await reviews();
					await tabTo(page, '[data-surface="review-card"] [data-action="decide"]');
					await page.keyboard.press('Enter');
					await expect
						.poll(
							async () =>
								(await reviews()) > before || (await page.locator('[data-waits~="drift"]').count()) > 0
						)
						.toBe(true);
				}
			},
			out: (page) => press(page, 'stop')
		},
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
			// What would have been shown and what the model pulled is one question: one answer settles both.
			out: async (page) => {
				await answer(page);
				await expect(page.locator('[data-surface="question-card"]')).toHaveCount(0);
			}
		},
		auth: { out: answer },
		stall: { out: (page) => press(page, 'resume', '[data-part="need"] ') },
		transport: { out: (page) => press(page, 'resume', '[data-part="need"] ') },
		desync: { out: (page) => press(page, 'resume', '[data-part="need"] ') },
		store: { out: (page) => press(page, 'resume', '[data-part="need"] ') },
		owner: { out: (page) => press(page, 'resume', '[data-part="need"] ') },
		paused: { out: (page) => press(page, 'resume') }
	};

/** What is said of each, to eyes and ears. */
const sentences: Record<string, RegExp> = {
	question: /Which class shall I book/,
	budget: /used up the budget/,
	scope: /go beyond what you allowed/,
	drift: /keeps changing/,
	'unknown-effect': /whether a step has happened/,
	consent: /What may Ada read in this run/,
	auth: /Sign in at the railway/,
	stall: /getting nowhere/,
	transport: /cannot reach its model/,
	desync: /lost track of the other side/,
	store: /cannot save what it does/,
	owner: /in another window/,
	paused: /paused/
};

/** Ticks the first choice and answers. */
async function answer(page: Page): Promise<void> {
	await tabTo(page, '[data-surface="question-card"] input');
	await page.keyboard.press('Space');
	await tabTo(page, '[data-action="answer"]');
	await page.keyboard.press('Enter');
	// The form goes with its question, and the focus does not go with the form.
	await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
}

async function press(page: Page, action: string, within = ''): Promise<void> {
	await tabTo(page, `[data-surface="turn-line"] ${within}[data-action="${action}"]`);
	await page.keyboard.press('Enter');
}

for (const [reason, { reach, out }] of Object.entries(reasons))
	test(`${reason}: a sentence within a frame, said once, pending, and out by keyboard`, async ({ page }) => {
		await visitStates(page);
		await tabTo(page, `[data-reason="${reason}"]`);
		await page.keyboard.press('Enter');
		await page.evaluate((wanted) => {
			const shown = { text: '' };
			Object.assign(window, { shown });
			const look = () => {
				const { escalations = [], elsewhere } = window.agent.current ?? {};
				const waits =
					escalations.some(({ code }) => code.split('.')[0] === wanted) || (elsewhere && wanted === 'owner');
				if (!waits || shown.text !== '') return;
				// One frame for the state, and what Svelte paints of it in the same frame.
				requestAnimationFrame(() =>
					requestAnimationFrame(() => {
						shown.text ||= document.querySelector('[data-surface="turn-line"]')?.textContent ?? '';
					})
				);
			};
			window.agent.subscribe(look);
			window.agent.engine.onmove(look);
			look();
		}, reason);
		await reach?.(page);

		await expect(page.locator(`[data-waits~="${reason}"]`)).toBeVisible({ timeout: 10_000 });
		const shown = () => page.evaluate(() => (window as unknown as { shown: { text: string } }).shown.text);
		await expect.poll(shown).toMatch(/Ada/);
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

		const kind = reason === 'paused' ? 'state' : 'needs-you';
		const phrases = heard(page).locator(`[data-class="${kind}"] q`);
		await expect(phrases.filter({ hasText: sentences[reason] })).toHaveCount(1);

		await out(page);
		await expect(page.locator(`[data-waits~="${reason}"]`)).toHaveCount(0);
	});

test('the states speak the language that was chosen', async ({ page }) => {
	await visit(page, '/states');
	await page.getByLabel('Language').selectOption('es');
	await expect(page.getByRole('heading', { level: 1, name: 'Todas las razones para esperar' })).toBeVisible();
	await page.locator('[data-reason="question"]').click();
	await expect(page.getByRole('heading', { name: '¿Qué clase reservo?' })).toBeVisible();
	await expect(page.getByLabel('segunda')).toBeVisible();
});
