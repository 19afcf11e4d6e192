// Pictures of the built site, one contact sheet each, and the README's picture.
//   npm run build:site && node scripts/screenshots.mjs
//   node scripts/screenshots.mjs http://localhost:5173/ [out]    another address, another folder
// Writes docs/screenshots: demo-* is the demo, state of a story × theme × width; runs-* is the page of all states, each state
// of a run and a question, × theme × width, and once each right-to-left, under more contrast and in forced colours.
import { chromium } from 'playwright';
import { mkdirSync } from 'node:fs';
import { preview } from 'vite';
import { browserLaunch } from './browser.mjs';

const [ADDRESS, OUT = 'docs/screenshots'] = process.argv.slice(2);
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
	await page.evaluate(() => scrollTo(0, 0));
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
		await page.getByLabel('Amount', { exact: true }).fill('99');
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
		await page.getByRole('radio', { name: 'do what can be undone', exact: true }).check();
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
		await page.getByRole('radio', { name: 'do what can be undone', exact: true }).check();
		await delegate(page);
		await waitFor(page, 'escalated');
	},
	returned: async (page) => {
		await page.getByRole('radio', { name: 'do what can be undone', exact: true }).check();
		await delegate(page);
		await waitFor(page, 'returned');
	}
};

/** What the page of all states can be brought to, and what the run then waits in. @type {Record<string, string>} */
const RUNS = {
	offered: 'offered',
	planned: 'planned',
	reviewing: 'reviewing',
	authorized: 'authorized',
	acting: 'acting',
	escalated: 'escalated',
	question: 'escalated',
	returned: 'returned',
	cancelled: 'cancelled'
};

/** @typedef {import('playwright').BrowserContextOptions} Options */
/** @type {Record<string, { options: Options, dir?: 'rtl', only?: readonly string[] }>} */
const SIGHTS = {};
const SOME = ['reviewing', 'acting', 'question', 'returned'];
for (const width of [1200, 320])
	for (const theme of THEMES)
		SIGHTS[`${theme}-${width}`] = {
			options: { viewport: { width, height: 900 }, colorScheme: theme },
			...(width === 320 && theme === 'dark' ? { only: SOME } : {})
		};
for (const theme of THEMES) {
	const options = { viewport: { width: 1200, height: 900 }, colorScheme: theme };
	SIGHTS[`rtl-${theme}`] = { options, dir: 'rtl', only: SOME };
	SIGHTS[`contrast-${theme}`] = { options: { ...options, contrast: 'more' }, only: SOME };
	SIGHTS[`forced-${theme}`] = { options: { ...options, forcedColors: 'active' }, only: SOME };
}

/** A state of a run with everything that shows it, down to a line docked at the end. @param {Page} page @param {string} name */
async function run(page, name) {
	await page.locator(`button[data-reason="${name}"]`).click();
	await page.locator(`.scene[data-run="${RUNS[name]}"]`).waitFor();
	await page.locator('[data-surface=late]').first().waitFor({ state: 'detached' });
	await page.waitForTimeout(700);
	await page.mouse.move(0, 0);
	const width = page.viewportSize()?.width ?? 0;
	const isNarrow = width < 720;
	// A question is in the docked line, which takes a share of the screen and no more.
	if (isNarrow && name === 'question') {
		await page.locator('.scene').evaluate((element) => element.scrollIntoView());
		return page.screenshot({ animations: 'disabled' });
	}
	const scene = page.locator('.sheet', { has: page.locator('.scene') });
	const height = Math.ceil(await page.evaluate(() => document.documentElement.scrollHeight));
	await page.setViewportSize({ width, height });
	await page.evaluate(() => scrollTo(0, 0));
	const box = await scene.boundingBox();
	if (!box) throw new Error(`The page of states does not show ${name}.`);
	// A docked line stands at the end of the screen: let the screen end with the scene.
	const dock = isNarrow ? 72 : 0;
	await page.setViewportSize({ width, height: Math.ceil(box.y + box.height + dock) });
	const shot = await page.screenshot({
		clip: { x: box.x, y: box.y, width: box.width, height: box.height + dock },
		animations: 'disabled'
	});
	await page.setViewportSize({ width, height: 900 });
	return shot;
}

mkdirSync(OUT, { recursive: true });
const server = ADDRESS
	? undefined
	: await preview({ preview: { port: 4373, strictPort: true }, logLevel: 'warn' });
const address = ADDRESS ?? server?.resolvedUrls?.local[0];
if (!address) throw new Error('The preview server gave no address. Run `npm run build:site` first.');
const browser = await chromium.launch(browserLaunch());
/** Which sheets, by the beginning of their names; all by default. */
const wanted = (process.env.SHEETS ?? '').split(',');
const isWanted = (/** @type {string} */ name) => wanted.some((start) => name.startsWith(start));

/** How high a PNG is, from its head. @param {Buffer} png */
const heightOf = (png) => png.readUInt32BE(20);

/** @param {string} name @param {{ name: string, shot: Buffer }[]} figures */
async function write(name, figures) {
	const narrow = name.endsWith('320');
	const count = narrow ? 5 : 3;
	/** Each goes where there is most room. @type {{ height: number, html: string }[]} */
	const columns = Array.from({ length: count }, () => ({ height: 0, html: '' }));
	for (const { name, shot } of figures) {
		const column = columns.reduce((least, one) => (one.height < least.height ? one : least));
		column.height += heightOf(shot) + 40;
		column.html += `<figure><figcaption>${name}</figcaption><img src="data:image/png;base64,${shot.toString('base64')}"></figure>`;
	}
	const page = await browser.newPage({ viewport: { width: narrow ? 1320 : 1480, height: 100 } });
	await page.setContent(
		`<style>body{margin:16px;display:grid;grid-template-columns:repeat(${count},1fr);gap:16px;align-items:start;background:#808a85;font:600 14px sans-serif}` +
			`figure{margin:0 0 16px;display:grid;gap:6px}img{width:100%}</style>${columns.map(({ html }) => `<div>${html}</div>`).join('')}`
	);
	await page.screenshot({ path: `${OUT}/${name}.png`, fullPage: true });
	await page.close();
	written += 1;
}

let written = 0;
for (const width of WIDTHS)
	for (const theme of THEMES) {
		const sheet = `demo-${theme}-${width}`;
		if (!isWanted(sheet)) continue;
		/** @type {{ name: string, shot: Buffer }[]} */
		const figures = [];
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
			figures.push({ name, shot: width > 720 ? await whole(page) : await screenful(page, name) });
			if (name === 'review' && width === 1440) await whole(page, `${OUT}/review-${theme}.png`);
			await page.close();
		}
		await write(sheet, figures);
	}

for (const [sight, { options, dir, only }] of Object.entries(SIGHTS)) {
	if (!isWanted(`runs-${sight}`)) continue;
	const page = await browser.newPage(options);
	await page.goto(new URL('states', address).href, { waitUntil: 'networkidle' });
	if (dir) await page.evaluate((way) => void (document.documentElement.dir = way), dir);
	const figures = [];
	for (const name of only ?? Object.keys(RUNS)) figures.push({ name, shot: await run(page, name) });
	await page.close();
	await write(`runs-${sight}`, figures);
}

await browser.close();
await server?.close();
console.log(`screenshots: ${written} sheets in ${OUT}`);
