import { expect, test, type Page } from '@playwright/test';
import { card, delegate, invoiceField, letter, open, outcome, tabTo, turnLine, until } from './site.js';

const OLD = 'The total is payable within 45 days';
const NEW = 'Pay 1,280.00 EUR by 14 January 2027';
const ghost = (page: Page) => page.locator('[data-part="ghost"]');
const inCard = (action: string) => `[data-surface="review-card"] [data-action="${action}"]`;
const undone = (page: Page) => page.evaluate(() => window.agent.current?.undone);
/** What the letter says, block by block; the ghost is none of it. */
const words = (page: Page) =>
	letter(page).evaluate((element) =>
		[...element.querySelectorAll('p, h4, h5')]
			.filter((block) => !block.closest('[data-part="ghost"]'))
			.map((block) => block.textContent)
	);

/** Puts the caret behind a word of the letter, with the mouse. */
async function clickBehind(page: Page, word: string): Promise<void> {
	const at = await letter(page).evaluate((element, wanted) => {
		const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
		for (let node = texts.nextNode(); node; node = texts.nextNode()) {
			const start = node.textContent?.indexOf(wanted) ?? -1;
			if (start < 0) continue;
			const range = document.createRange();
			range.setStart(node, start + wanted.length - 1);
			range.setEnd(node, start + wanted.length);
			range.startContainer.parentElement?.scrollIntoView({ block: 'center' });
			const box = range.getBoundingClientRect();
			return { x: box.right - 1, y: (box.top + box.bottom) / 2 };
		}
		throw new Error(`The letter does not say "${wanted}".`);
	}, word);
	await page.mouse.click(at.x, at.y);
}

/** Where the person is in the letter: focus, caret, how far it is scrolled, and where on the screen that is. */
const whereabouts = (page: Page) =>
	page.evaluate(() => {
		const selection = document.getSelection();
		return {
			focus: document.activeElement?.className,
			caret: [selection?.anchorNode?.textContent, selection?.anchorOffset, selection?.isCollapsed],
			scrolled: document.querySelector('[data-letter]')?.scrollTop,
			// The page may grow above; what counts is that nothing moves under the person's eyes.
			top: selection?.getRangeAt(0).getBoundingClientRect().top ?? NaN
		};
	});

type Whereabouts = Awaited<ReturnType<typeof whereabouts>>;
/** To within the pixel a line of text is snapped to. */
async function unmoved(page: Page, { top, ...before }: Whereabouts): Promise<void> {
	const { top: now, ...after } = await whereabouts(page);
	expect(after).toEqual(before);
	expect(Math.abs(now - top)).toBeLessThanOrEqual(1);
}

async function press(page: Page, selector: string): Promise<void> {
	await tabTo(page, selector, 200);
	await page.keyboard.press('Enter');
}

test.describe('rewritten while you type', () => {
	test('S2-66 S2-70 S2-75 by mouse: a draft beside the text, a review, one undo', async ({ page }) => {
		await open(page, 'rewrite');
		await page.getByLabel('Pace').selectOption('brisk');
		await clickBehind(page, 'last week.');
		await page.keyboard.type(' It was a pleasure.');
		await delegate(page);
		await clickBehind(page, 'a pleasure.');
		await expect(ghost(page)).toContainText('Pay 1,280');
		const typed = ' They were quick, and they left the hall as clean as they had found it.';
		await page.keyboard.type(typed, { delay: 10 });
		await until(page, 'reviewing');
		await expect(ghost(page)).toContainText(NEW);
		const before = await words(page);
		expect(before.join('\n')).toContain(`It was a pleasure.${typed} Both presses`);
		expect(before.join('\n')).toContain(OLD);
		expect(before.join('\n')).not.toContain(NEW);
		await expect(card(page)).toContainText(OLD);
		await expect(card(page)).toContainText(NEW);

		await card(page).locator('[data-action="decide"]').click();
		await until(page, 'returned');
		expect(await outcome(page)).toBe('completed');
		await expect(ghost(page)).toHaveCount(0);
		await expect(letter(page)).toContainText(NEW);
		await expect(letter(page)).not.toContainText('Later payment');
		await expect(letter(page).locator('[data-part="agent-text"]').first()).toBeVisible();

		await clickBehind(page, 'had found it.');
		await page.keyboard.press('ControlOrMeta+z');
		await expect.poll(() => undone(page)).toBe('all');
		expect(await words(page)).toEqual(before);
		await page.keyboard.press('ControlOrMeta+Shift+z');
		await expect(letter(page)).toContainText(NEW);
		await page.keyboard.press('ControlOrMeta+z');
		expect(await words(page)).toEqual(before);
		await page.keyboard.press('ControlOrMeta+z');
		await expect(letter(page)).not.toContainText('clean as they had found it');
	});

	test('S2-66 S2-75 by keyboard alone', async ({ page }) => {
		await open(page, 'rewrite');
		await press(page, '.go');
		await until(page, 'reviewing');
		const before = await words(page);
		await press(page, inCard('decide'));
		await until(page, 'returned');
		await expect(letter(page)).toContainText(NEW);
		await tabTo(page, '.letter-text', 200);
		await page.keyboard.press('ControlOrMeta+z');
		await expect.poll(() => undone(page)).toBe('all');
		expect(await words(page)).toEqual(before);
	});

	test('S2-70 caret, selection and scroll are the same before, while and after it writes', async ({
		page
	}) => {
		await open(page, 'rewrite', 'review');
		await page.getByLabel('Pace').selectOption('brisk');
		await delegate(page);
		await clickBehind(page, 'without a stop');
		for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft');
		const before = await whereabouts(page);
		await expect(ghost(page)).toContainText('Pay');
		await unmoved(page, before);
		await until(page, 'reviewing');
		await expect(card(page)).toBeVisible();
		await unmoved(page, before);
		// The person decides, the caret is where they put it.
		await page.evaluate(() => {
			const { current, get } = window.agent;
			const review = current?.reviews.find(({ status }) => status === 'open')?.id ?? '';
			get(current?.id ?? '')?.decide({ review, verdict: 'approve' }, { kind: 'human', id: 'visitor' });
		});
		await until(page, 'returned');
		await expect(letter(page)).toContainText(NEW);
		await unmoved(page, before);
		await page.keyboard.type('!');
		await expect(letter(page)).toContainText('without a !stop');
	});

	test('S2-66 stopped in the middle, the letter is as it was', async ({ page }) => {
		await open(page, 'rewrite');
		await page.getByLabel('Pace').selectOption('calm');
		const before = await words(page);
		await delegate(page);
		await expect(ghost(page)).toContainText('Pay');
		await turnLine(page).locator('[data-action="stop"]').click();
		await until(page, 'cancelled');
		await expect(ghost(page)).toHaveCount(0);
		expect(await words(page)).toEqual(before);
	});

	test('S2-67 the visitor takes the words over, and takes that back', async ({ page }) => {
		await open(page, 'rewrite');
		await delegate(page);
		await until(page, 'reviewing');
		await card(page).locator('[data-action="decide"]').click();
		await until(page, 'returned');
		const marked = letter(page).locator('[data-part="agent-text"]');
		await expect(marked).not.toHaveCount(0);
		await page.getByRole('button', { name: 'Make them mine' }).click();
		await expect(marked).toHaveCount(0);
		await expect(letter(page)).toContainText(NEW);
		await page.getByRole('button', { name: 'Undo', exact: true }).click();
		await expect(marked).not.toHaveCount(0);
	});
});

test.describe('letter and form in one plan', () => {
	const NOTE = 'Entered as invoice TI-2207: 1,280.00 EUR, due 14 January 2027, cost centre 4410.';

	test('S2-106 by mouse: done together, undone as one, redone as one', async ({ page }) => {
		await open(page, 'both');
		await delegate(page);
		await until(page, 'reviewing');
		const before = await words(page);
		await card(page).locator('[data-action="approve-reversible"]').click();
		await card(page).locator('[data-action="decide"]').click();
		await until(page, 'returned');
		await expect(letter(page)).toContainText(NOTE);
		await expect(invoiceField(page, 'Amount')).toHaveValue('1280');

		await letter(page).getByText('Dear Nadia,').click();
		await page.keyboard.press('ControlOrMeta+z');
		await expect(letter(page)).not.toContainText(NOTE);
		await expect(invoiceField(page, 'Amount')).toHaveValue('');
		expect(await words(page)).toEqual(before);
		await page.keyboard.press('ControlOrMeta+Shift+z');
		await expect(letter(page)).toContainText(NOTE);
		await expect(invoiceField(page, 'Amount')).toHaveValue('1280');
		await turnLine(page).locator('[data-action="undo"]').click();
		await expect(letter(page)).not.toContainText(NOTE);
		await expect(invoiceField(page, 'Amount')).toHaveValue('');
	});

	test('S2-106 by keyboard alone', async ({ page }) => {
		await open(page, 'both');
		await press(page, '.go');
		await until(page, 'reviewing');
		await press(page, inCard('approve-reversible'));
		await press(page, inCard('decide'));
		await until(page, 'returned');
		await expect(letter(page)).toContainText(NOTE);
		await tabTo(page, '.letter-text', 200);
		await page.keyboard.press('ControlOrMeta+z');
		await expect(letter(page)).not.toContainText(NOTE);
		await expect(invoiceField(page, 'Amount')).toHaveValue('');
	});
});

test.describe('the paragraph moved on', () => {
	const SHORT = 'Should a roller need another look, our fitters stay until Friday.';

	test('by mouse: the approval is void, the change is marked, and nothing was written over it', async ({
		page
	}) => {
		await open(page, 'stale');
		await delegate(page);
		await until(page, 'reviewing');
		await clickBehind(page, 'until Friday');
		for (let i = 0; i < 'Friday'.length; i++) await page.keyboard.press('Backspace');
		await page.keyboard.type('Monday');
		await card(page).locator('[data-action="decide"]').click();
		await expect(card(page)).toHaveAttribute('data-state', 'stale');
		await expect(card(page)).toContainText('Monday');
		await expect(letter(page)).toContainText('until Monday. They will leave');

		await card(page).locator('[data-action="review-again"]').click();
		await card(page).locator('[data-action="decide"]').click();
		await until(page, 'returned');
		await expect(letter(page)).toContainText(SHORT);
		await expect(letter(page)).not.toContainText('worn parts');
		await clickBehind(page, 'Dear Nadia');
		await page.keyboard.press('ControlOrMeta+z');
		await expect(letter(page)).toContainText('until Monday. They will leave');
	});

	test('typing in another paragraph leaves the card alone', async ({ page }) => {
		await open(page, 'stale');
		await delegate(page);
		await until(page, 'reviewing');
		await clickBehind(page, 'Dear Nadia');
		await page.keyboard.type(' and all');
		await card(page).locator('[data-action="decide"]').click();
		await until(page, 'returned');
		expect(await outcome(page)).toBe('completed');
		await expect(letter(page)).toContainText('Dear Nadia and all,');
		await expect(letter(page)).not.toContainText('worn parts');
	});

	test('by keyboard alone', async ({ page }) => {
		await open(page, 'stale');
		await press(page, '.go');
		await until(page, 'reviewing');
		await tabTo(page, '.letter-text', 200);
		await page.keyboard.press('ControlOrMeta+End');
		for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowUp');
		await page.keyboard.press('End');
		await page.keyboard.type(' Soon.');
		await expect(letter(page)).toContainText('for the insurer. Soon.');
		await press(page, inCard('decide'));
		await expect(card(page)).toHaveAttribute('data-state', 'stale');
		await press(page, inCard('review-again'));
		await press(page, inCard('decide'));
		await until(page, 'returned');
		await expect(letter(page)).not.toContainText('worn parts');
	});
});
