import { expect, test, type Page } from '@playwright/test';
import { faults } from './faults.js';
import { provoke, until } from './site.js';

/** Each state of a run with every surface that shows one beside it. */
const STATES = [
	'offered',
	'planned',
	'reviewing',
	'authorized',
	'acting',
	'escalated',
	'returned',
	'cancelled'
] as const;

/** Both themes, and each thing a person may have set, once in either. */
const MEDIA = [
	{ colorScheme: 'light', reducedMotion: 'no-preference', forcedColors: 'none' },
	{ colorScheme: 'dark', reducedMotion: 'reduce', forcedColors: 'none' },
	{ colorScheme: 'light', reducedMotion: 'reduce', forcedColors: 'active' },
	{ colorScheme: 'dark', reducedMotion: 'no-preference', forcedColors: 'active' }
] as const;

const sideways = (page: Page) =>
	page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const state of STATES)
	test(`audit 34 S2-80 axe finds nothing while a run is ${state}: two themes, still or not, forced colours; nothing scrolls sideways`, async ({
		page
	}) => {
		test.setTimeout(90_000);
		await provoke(page, state);
		await until(page, state);
		await expect(page.locator('[data-surface="copilot-panel"]')).toHaveAttribute('data-state', 'open');
		await expect(page.locator('[data-surface="run-trail"]')).toHaveAttribute('data-state', 'open');
		for (const media of MEDIA) {
			await page.emulateMedia(media);
			const of =
				media.forcedColors === 'active' ? 'structure' : media.colorScheme === 'dark' ? 'contrast' : 'all';
			expect(await faults(page, of), JSON.stringify(media)).toEqual([]);
		}
		await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', forcedColors: 'none' });
		await page.setViewportSize({ width: 320, height: 640 });
		expect(await sideways(page)).toBeLessThanOrEqual(0);
		await page.addStyleTag({
			content:
				'* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }'
		});
		expect(await sideways(page)).toBeLessThanOrEqual(0);
		await page.evaluate(() => (document.documentElement.dir = 'rtl'));
		expect(await sideways(page)).toBeLessThanOrEqual(0);
		// Where the run stands is still the same: looking changed nothing.
		await until(page, state);
	});
