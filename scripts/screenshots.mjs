// Pictures of the built site: every state of a run × theme × width, one contact sheet each, and the README's picture.
//   npm run build:site && node scripts/screenshots.mjs
// Writes docs/screenshots/*.png. The site is served by `vite preview` on a port of its own.
import { chromium } from 'playwright';
import { mkdirSync } from 'node:fs';
import { preview } from 'vite';
import { browserLaunch } from './browser.mjs';

const OUT = 'docs/screenshots';
const WIDTHS = [1440, 320];
const THEMES = /** @type {const} */ (['light', 'dark']);

/** @typedef {import('playwright').Page} Page */

/** @param {Page} page @param {string} story */
const pick = (page, story) => page.locator(`input[type=radio][value=${story}]`).check();
/** @param {Page} page */
const delegate = (page) => page.getByRole('button', { name: 'Delegate to Ada' }).click();
/** @param {Page} page @param {string} state */
const waitFor = (page, state) =>
	page.waitForFunction((wanted) => /** @type {any} */ (window).agent?.current?.state === wanted, state, {
		timeout: 15_000
	});
/** From the turn line to the end of the stage. @param {Page} page @param {string} [path] */
async function whole(page, path) {
	await page.setViewportSize({ width: 1440, height: 2400 });
	const top = await page.locator('[data-surface=turn-line]').boundingBox();
	const stage = await page.locator('.stage').boundingBox();
	if (!top || !stage) throw new Error('The demo is not on the page.');
	const clip = { x: 0, y: top.y - 16, width: 1440, height: stage.y + stage.height + 32 - top.y };
	return page.screenshot({ clip, animations: 'disabled', ...(path ? { path } : {}) });
}

/** What a narrow screen shows where it matters: the letter in its own stories, else the card if there is one, else the form. @param {Page} page @param {string} name */
async function screenful(page, name) {
	const card = page.locator('[data-surface=review-card]');
	const rest = (await card.count()) > 0 ? card : page.locator('form.invoice');
	const place = LETTER[name];
	const at = place ? page.locator(place).first() : rest;
	await at.evaluate((element) => element.scrollIntoView({ block: 'start' }));
	await page.mouse.move(0, 0);
	return page.screenshot({ animations: 'disabled' });
}

/** States that are seen in the letter, and where. @type {Record<string, string>} */
const LETTER = { painted: '[data-part=ghost]', written: '[data-part=agent-block]' };

/** How each state of a run is reached by a person's hands. @type {Record<string, (page: Page) => Promise<void>>} */
const STATES = {
	idle: async () => {},
	review: async (page) => {
		await delegate(page);
		await waitFor(page, 'reviewing');
	},
	stale: async (page) => {
		await pick(page, 'drift');
		await delegate(page);
		await waitFor(page, 'reviewing');
		await page.getByLabel('Amount').fill('99');
		await page.locator('[data-action=approve-reversible]').click();
		await page.locator('[data-surface=review-card] [data-action=decide]').click();
		await page.locator('[data-surface=review-card][data-state=stale]').waitFor();
	},
	painted: async (page) => {
		await pick(page, 'rewrite');
		await delegate(page);
		await waitFor(page, 'reviewing');
	},
	written: async (page) => {
		await pick(page, 'rewrite');
		await delegate(page);
		await waitFor(page, 'reviewing');
		await page.locator('[data-surface=review-card] [data-action=decide]').click();
		await waitFor(page, 'returned');
	},
	irreversible: async (page) => {
		await pick(page, 'send');
		await page.getByLabel('do what can be undone').check();
		await delegate(page);
		await waitFor(page, 'reviewing');
	},
	pasted: async (page) => {
		await pick(page, 'paste');
		await page.getByRole('button', { name: 'Paste it into the letter' }).click();
		await delegate(page);
		await waitFor(page, 'reviewing');
	},
	budget: async (page) => {
		await pick(page, 'budget');
		await page.getByLabel('do what can be undone').check();
		await delegate(page);
		await waitFor(page, 'escalated');
	},
	returned: async (page) => {
		await page.getByLabel('do what can be undone').check();
		await delegate(page);
		await waitFor(page, 'returned');
	}
};

mkdirSync(OUT, { recursive: true });
const server = await preview({ preview: { port: 4373, strictPort: true }, logLevel: 'warn' });
const address = server.resolvedUrls?.local[0];
if (!address) throw new Error('The preview server gave no address. Run `npm run build:site` first.');
const browser = await chromium.launch(browserLaunch());

/** @type {Record<string, string[]>} */
const sheets = {};
for (const width of WIDTHS)
	for (const theme of THEMES)
		for (const [name, reach] of Object.entries(STATES)) {
			const page = await browser.newPage({
				viewport: { width, height: width > 720 ? 900 : 720 },
				colorScheme: theme
			});
			await page.goto(address, { waitUntil: 'networkidle' });
			await page.getByLabel('Pace').selectOption('instant');
			await reach(page);
			// Announcements and the card settle.
			await page.waitForTimeout(600);
			const shot = width > 720 ? await whole(page) : await screenful(page, name);
			(sheets[`${theme}-${width}`] ??= []).push(
				`<figure><figcaption>${name}</figcaption><img src="data:image/png;base64,${shot.toString('base64')}"></figure>`
			);
			if (name === 'review' && width === 1440) await whole(page, `${OUT}/review-${theme}.png`);
			await page.close();
		}

for (const [name, figures] of Object.entries(sheets)) {
	const narrow = name.endsWith('320');
	const page = await browser.newPage({ viewport: { width: narrow ? 1320 : 1480, height: 100 } });
	await page.setContent(
		`<style>body{margin:16px;display:grid;grid-template-columns:repeat(${narrow ? 6 : 3},1fr);gap:16px;align-items:start;background:#808a85;font:600 14px sans-serif}` +
			`figure{margin:0;display:grid;gap:6px}img{width:100%}</style>${figures.join('')}`
	);
	await page.screenshot({ path: `${OUT}/states-${name}.png`, fullPage: true });
	await page.close();
}

await browser.close();
await server.close();
console.log(`screenshots: ${Object.keys(sheets).length} sheets in ${OUT}`);
