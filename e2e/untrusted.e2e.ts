import { expect, test, type Locator, type Page } from '@playwright/test';
import { card, delegate, open, provoke, turnLine, until } from './site.js';

/**
 * I21: what a script does to a surface decides nothing. Every way a script has to press or to send is tried on a control,
 * within the time in which the browser counts the person's last real press; then the person presses, and it counts.
 */
async function forged(control: Locator): Promise<void> {
	await control.evaluate(async (element: HTMLElement) => {
		const all = () => {
			const bubbling = { bubbles: true, cancelable: true, composed: true };
			for (const type of ['pointerdown', 'pointerup'])
				element.dispatchEvent(new PointerEvent(type, bubbling));
			for (const type of ['mousedown', 'mouseup', 'click'])
				element.dispatchEvent(new MouseEvent(type, { ...bubbling, detail: 1 }));
			element.dispatchEvent(new PointerEvent('click', { ...bubbling, detail: 1 }));
			for (const key of ['Enter', ' '])
				for (const type of ['keydown', 'keypress', 'keyup'])
					element.dispatchEvent(
						new KeyboardEvent(type, { ...bubbling, key, code: key === ' ' ? 'Space' : key })
					);
			for (const type of ['touchstart', 'touchend', 'input', 'change'])
				element.dispatchEvent(new Event(type, bubbling));
			element.click();
			element.closest('label')?.click();
			const outside = document.createElement('label');
			if (element.id) outside.htmlFor = element.id;
			document.body.append(outside);
			outside.click();
			outside.remove();
			const form = element.closest('form');
			form?.requestSubmit();
			form?.dispatchEvent(new SubmitEvent('submit', bubbling));
		};
		all();
		// From callbacks that a real press of the person set going.
		await new Promise<void>((resolve) => {
			new MutationObserver((_, observer) => {
				observer.disconnect();
				all();
				requestAnimationFrame(() => {
					all();
					setTimeout(() => {
						all();
						resolve();
					});
				});
			}).observe(document.body, { attributes: true });
			document.body.toggleAttribute('data-forged');
		});
	});
}

/** A real press somewhere else, so that the browser holds the page for activated by the person. */
const activate = async (page: Page) => {
	await page.locator('h1, h2').first().click();
	expect(await page.evaluate(() => navigator.userActivation.isActive)).toBe(true);
};
/** Everything in the journal that a person did since the run began. */
const decisions = (page: Page) =>
	page.evaluate(() =>
		window.agent.runs.flatMap(({ id }) =>
			(window.agent.get(id)?.journal ?? [])
				.filter(({ kind, by }) => by.kind === 'human' && kind !== 'run.opened')
				.map(({ kind }) => kind)
		)
	);
/** Who decided on anything at all. */
const deciders = (page: Page) =>
	page.evaluate(() => [
		...new Set(
			window.agent.runs.flatMap(({ id }) =>
				(window.agent.get(id)?.journal ?? [])
					.filter(({ kind }) => /^(review\.decided|question\.closed|budget\.renewed)$/.test(kind))
					.map(({ by }) => by.kind)
			)
		)
	]);
const ONLY = 'Only a person may decide this.';

test('I21 review: a script approves nothing, and the card says so; the person does', async ({ page }) => {
	await open(page, 'fill');
	await delegate(page);
	await until(page, 'reviewing');
	await activate(page);
	for (const action of ['decide', 'reject-all', 'later', 'edit'])
		await forged(card(page).locator(`[data-action="${action}"]`));
	await expect(card(page).getByRole('alert')).toHaveText(ONLY);
	await expect(card(page)).toHaveAttribute('data-state', 'open');
	expect(await decisions(page)).toEqual([]);
	expect(await deciders(page)).toEqual([]);
	await card(page).locator('[data-action="decide"]').click();
	await until(page, 'returned');
	expect(await decisions(page)).toContain('review.decided');
	expect(await deciders(page)).toEqual(['human']);
});

test('I21 review of several: neither answers, nor all, nor the box; the person’s own count', async ({
	page
}) => {
	await open(page, 'drift');
	await delegate(page);
	await until(page, 'reviewing');
	await activate(page);
	const choices = card(page).locator('input[type="radio"]');
	for (const choice of await choices.all()) await forged(choice);
	await forged(card(page).locator('[data-action="approve-reversible"]'));
	await forged(card(page).locator('[data-action="decide"]'));
	for (const choice of await choices.all()) await expect(choice).not.toBeChecked();
	expect(await decisions(page)).toEqual([]);
	expect(await deciders(page)).toEqual([]);
	await card(page).locator('[data-action="approve-reversible"]').click();
	await card(page).locator('[data-action="decide"]').click();
	await until(page, 'returned');
	expect(await decisions(page)).toContain('review.decided');
	expect(await deciders(page)).toEqual(['human']);
});

test('I21 what cannot be undone: a script ticks no box and sends nothing', async ({ page }) => {
	await open(page, 'paste', 'auto');
	await page.getByRole('button', { name: 'Paste it into the letter' }).click();
	await delegate(page);
	await until(page, 'reviewing');
	await activate(page);
	const sure = card(page).getByLabel(/I have checked this step/);
	await forged(sure);
	await expect(sure).not.toBeChecked();
	await sure.check();
	await forged(card(page).locator('[data-action="decide"]'));
	expect(await decisions(page)).toEqual([]);
	expect(await deciders(page)).toEqual([]);
	await expect(page.getByText('Nothing has been sent.')).toBeVisible();
	await card(page).locator('[data-action="decide"]').click();
	await until(page, 'returned');
	await expect(page.getByText('Nothing has been sent.')).toHaveCount(0);
});

for (const reason of ['question', 'consent', 'auth'])
	test(`I21 ${reason}: a script answers nothing, also by submitting; Enter of the person does`, async ({
		page
	}) => {
		await provoke(page, reason);
		const form = page.locator('[data-surface="question-card"]');
		await expect(form).toBeVisible();
		const before = await decisions(page);
		await activate(page);
		for (const action of ['answer', 'decline']) await forged(form.locator(`[data-action="${action}"]`));
		await expect(form.getByRole('status')).toHaveText(ONLY);
		expect(await decisions(page)).toEqual(before);
		expect(await deciders(page)).toEqual([]);
		await form.locator('input').first().check();
		await form.locator('input').first().press('Enter');
		await expect(form).toHaveCount(0);
		expect(await decisions(page)).toContain('question.closed');
	});

for (const [reason, action] of [
	['budget', 'renew'],
	['scope', 'resume'],
	['stall', 'resume'],
	['paused', 'resume']
] as const)
	test(`I21 ${reason}: a script gives nothing, and the line says so; the person does`, async ({ page }) => {
		await provoke(page, reason);
		await until(page, 'escalated');
		await activate(page);
		const control = turnLine(page).locator(`[data-action="${action}"]`).last();
		const before = await decisions(page);
		await forged(control);
		await expect(turnLine(page).getByRole('status').last()).toHaveText(ONLY);
		expect(await decisions(page)).toEqual(before);
		expect(await deciders(page)).toEqual([]);
		await control.click();
		await expect.poll(async () => (await decisions(page)).length).toBeGreaterThan(before.length);
	});
