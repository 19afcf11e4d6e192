import { expect, test, type Page } from '@playwright/test';
import { card, delegate, open, turnLine, until, watchPerson } from './site.js';

const waiting = (page: Page) => page.locator('[data-surface="aura"][data-state="waiting"]').first();
const moving = (page: Page) =>
	page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);

/** The line of a frame that waits, as it is drawn: its style, width, and contrast against the page behind it. */
const drawn = (page: Page) =>
	waiting(page)
		.locator('[data-part="ring"]')
		.evaluate((ring) => {
			const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
			const luminance = (color: string) => {
				context.fillStyle = color;
				context.fillRect(0, 0, 1, 1);
				const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data]
					.slice(0, 3)
					.map((one) => one / 255)
					.map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
				return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
			};
			let behind: Element | null = ring.parentElement;
			while (behind && /rgba\(0, 0, 0, 0\)|transparent/.test(getComputedStyle(behind).backgroundColor))
				behind = behind.parentElement;
			const style = getComputedStyle(ring);
			const [light, dark] = [
				luminance(style.borderInlineStartColor),
				luminance(behind ? getComputedStyle(behind).backgroundColor : 'white')
			].sort((a, b) => b - a);
			return {
				style: style.borderInlineStartStyle,
				width: parseFloat(style.borderInlineStartWidth),
				contrast: (light! + 0.05) / (dark! + 0.05)
			};
		});

test('audit 2 has the live regions in the first HTML, empty, and a seat for the person and the agent', async ({
	request
}) => {
	const html = (await (await request.get('/')).text()).replace(/<!--.*?-->/gs, '');
	expect(html).toMatch(/<div data-part="polite"[^>]*role="status"[^>]*aria-live="polite"[^>]*>\s*<\/div>/);
	expect(html).toMatch(
		/<div data-part="assertive"[^>]*role="alert"[^>]*aria-live="assertive"[^>]*>\s*<\/div>/
	);
	expect(html).toContain('Who acts now?');
	expect(html).toMatch(/data-part="seat"[^>]*data-kind="person"/);
	expect(html).toMatch(/data-part="seat"[^>]*data-kind="agent"/);
});

test('audit 11 leaves focus, caret and selection where the person has them, from start to end of a run', async ({
	page
}) => {
	await open(page, 'fill', 'auto');
	const person = await watchPerson(page);
	const field = page.getByRole('form', { name: 'Invoice' }).getByRole('textbox').last();
	await field.focus();
	await person.rest();
	await page.evaluate(() => window.agent.run('Fill in the invoice').returned.then(() => undefined));
	await expect(turnLine(page)).toHaveAttribute('data-state', 'returned');
	expect(await person.moves()).toEqual([]);
	await expect(field).toBeFocused();
	expect(await page.locator('[aria-busy="true"]').count()).toBe(0);
});

test('audit 5, 8, 9 stands still and is seen: reduced motion, both themes, forced colours', async ({
	page
}) => {
	await page.emulateMedia({ reducedMotion: 'reduce' });
	await open(page, 'fill');
	await delegate(page);
	await until(page, 'reviewing');
	await expect(waiting(page)).toBeVisible();
	expect(await moving(page)).toBe(0);
	await expect(waiting(page).locator('[data-part="status"]')).not.toBeEmpty();
	await expect(turnLine(page)).toContainText('Ada');
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
		expect((await drawn(page)).contrast).toBeGreaterThanOrEqual(3);
	}
	await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
	expect(await drawn(page)).toMatchObject({ style: 'double' });
	expect((await drawn(page)).width).toBeGreaterThanOrEqual(2);
	expect((await drawn(page)).contrast).toBeGreaterThanOrEqual(3);
	await page.emulateMedia({ forcedColors: 'none', contrast: 'more', reducedMotion: 'reduce' });
	expect((await drawn(page)).width).toBeGreaterThanOrEqual(2);
});

for (const width of [1100, 360])
	test(`audit 10 covers nothing that has the focus, at ${width} px`, async ({ page }) => {
		await page.setViewportSize({ width, height: 800 });
		await open(page, 'fill');
		await delegate(page);
		await until(page, 'reviewing');
		await expect(card(page)).toBeVisible();
		await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
		const covered: string[] = [];
		for (let stop = 0; stop < 60; stop++) {
			await page.keyboard.press('Tab');
			const hidden = await page.evaluate(async () => {
				// What is brought into sight may take its time.
				for (let y = NaN; y !== scrollY;) {
					y = scrollY;
					await new Promise((resolve) => setTimeout(resolve, 60));
				}
				const at = document.activeElement;
				if (!at || at === document.body) return '';
				const { left, top: upper, right, bottom, width } = at.getBoundingClientRect();
				if (width === 0) return '';
				// Of what is longer than the window, the part in it.
				const y0 = Math.max(0, upper);
				const y1 = Math.min(innerHeight, bottom);
				const points = [0.1, 0.5, 0.9].flatMap((x) =>
					[0.1, 0.5, 0.9].map((y) => [left + (right - left) * x, y0 + (y1 - y0) * y] as const)
				);
				const seen = points.some(([x, y]) => {
					const top = document.elementFromPoint(x, y);
					return top !== null && (at.contains(top) || top.contains(at) || !top.closest('[data-surface]'));
				});
				return seen ? '' : `${at.tagName} ${at.textContent?.trim().slice(0, 40)}`;
			});
			if (hidden) covered.push(hidden);
		}
		expect(covered).toEqual([]);
	});
