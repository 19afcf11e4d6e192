import { expect, test, type Page } from '@playwright/test';
import { card, delegate, invoiceField, letter, level, open, until, watchPerson } from './site.js';

const STORIES = ['fill', 'drift', 'send', 'budget', 'rewrite', 'both', 'stale', 'paste'] as const;

/** Leads the run on as a person elsewhere would: what waits is decided without a press on this page. */
const goOn = (page: Page) =>
	page.evaluate(() => {
		const by = { kind: 'human', id: 'colleague' } as const;
		const run = window.agent.current && window.agent.get(window.agent.current.id);
		for (const one of window.agent.pending) {
			if (one.kind === 'review') run?.decide({ review: one.review.id, verdict: 'approve' }, by);
			if (one.kind === 'budget') run?.renew({ acts: 20 }, by);
		}
	});

/** S2-119: no act of an agent, and no surface that appears, moves the focus, the caret or the selection. */
test('S2-119 in no story does an agent move the focus, the caret or the selection', async ({ page }) => {
	test.slow();
	await open(page, 'fill', 'auto');
	for (const story of STORIES)
		await test.step(story, async () => {
			await page.locator(`input[type=radio][value=${story}]`).check();
			await page.locator('[data-letter="live"]').waitFor();
			// What waits for a person, and what runs by itself, in turns.
			await level(page, story === 'drift' ? 'review' : 'auto');
			await page.getByLabel('Pace').selectOption('brisk');
			if (story === 'paste') await page.getByRole('button', { name: 'Paste it into the letter' }).click();
			const notes = invoiceField(page, 'Notes');
			await notes.pressSequentially('half a thou');
			for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft');
			// Stories that write in the letter are watched with the caret in it.
			const inLetter = story === 'rewrite' || story === 'both' || story === 'stale';
			await delegate(page);
			if (inLetter) await letter(page).getByText('Thank you for having our fitters').click();
			else {
				await notes.focus();
				await notes.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(7, 7));
			}
			const person = await watchPerson(page);
			await person.rest();
			await expect
				.poll(
					async () => {
						await goOn(page);
						return page.evaluate(() => window.agent.current?.state);
					},
					{ timeout: 20_000 }
				)
				.toBe('returned');
			expect(await page.evaluate(() => window.agent.current?.outcome?.kind)).toBe('completed');
			expect(await person.moves()).toEqual([]);
			await page.evaluate(() =>
				window.agent.undo(window.agent.current?.id ?? '', { kind: 'human', id: 'colleague' })
			);
			expect(await person.moves()).toEqual([]);
			if (!inLetter) {
				await page.keyboard.type('!');
				await expect(notes).toHaveValue('half a !thou');
			}
			await page.getByRole('button', { name: 'Start over' }).click();
			await expect(notes).toHaveValue('');
		});
});

test('S2-119 a review that opens leaves the focus in the field; undo leaves it on what was pressed', async ({
	page
}) => {
	await open(page, 'drift');
	await delegate(page);
	await invoiceField(page, 'Notes').click();
	const person = await watchPerson(page);
	await person.rest();
	await until(page, 'reviewing');
	await expect(card(page)).toBeVisible();
	expect(await person.moves()).toEqual([]);
	await page.keyboard.type('T');
	await expect(invoiceField(page, 'Notes')).toBeFocused();
	await expect(invoiceField(page, 'Notes')).toHaveValue('T');

	await card(page).locator('[data-action="approve-reversible"]').click();
	await card(page).locator('[data-action="decide"]').click();
	await until(page, 'returned');
	await page.locator('[data-surface="turn-line"] [data-action="undo"]').click();
	await expect(invoiceField(page, 'Amount')).toHaveValue('');
	const inside = await page.evaluate(() => document.activeElement?.closest('[data-surface]') !== null);
	expect(inside).toBe(true);
});
