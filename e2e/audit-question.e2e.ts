import { expect, test } from '@playwright/test';
import { faults } from './faults.js';
import { tabTo, visitStates } from './site.js';

test('S2-44 audit 21 a question is put off, missed, answered and left by keyboard alone; axe finds nothing', async ({
	page
}) => {
	await visitStates(page);
	const card = page.locator('[data-surface="question-card"]');
	const opener = page.locator('[data-reason="question"]');
	await opener.focus();
	await page.keyboard.press('Enter');
	await expect(card).toHaveAttribute('data-state', 'open');
	// It came, and the person is where they were.
	await expect(opener).toBeFocused();

	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
		expect(await faults(page, colorScheme === 'light' ? 'all' : 'contrast')).toEqual([]);
	}

	await page.keyboard.press('F8');
	await expect(card.locator('[data-part="title"]')).toBeFocused();
	await page.keyboard.press('Escape');
	await expect(card).toHaveAttribute('data-state', 'later');
	await expect(opener).toBeFocused();
	expect(await page.evaluate(() => window.agent.pending.length)).toBeGreaterThan(0);

	await tabTo(page, '[data-surface="question-card"] [data-action="again"]');
	await page.keyboard.press('Enter');
	await expect(card.locator('[data-part="title"]')).toBeFocused();
	await tabTo(page, '[data-surface="question-card"] [data-action="answer"]');
	await page.keyboard.press('Enter');
	// Nothing was chosen: the field is named, and the person is led there by their own press.
	await expect(card.locator('[data-part="error"]').first()).toHaveText('Class is needed.');
	await expect(card.locator('input').first()).toBeFocused();
	await expect(card.locator('input').first()).toHaveAttribute('aria-invalid', 'true');

	await page.keyboard.press('Space');
	await tabTo(page, '[data-surface="question-card"] [data-action="answer"]');
	await page.keyboard.press('Enter');
	await expect(card).toHaveCount(0);
	await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
});
