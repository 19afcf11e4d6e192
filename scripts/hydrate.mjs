// Serves a built consumer app and hydrates it in a real browser: the nodes the server sent must stay,
// the console must stay silent, and one reviewed run must go from goal to outcome.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright';
import { browserLaunch, ensureBrowser } from './browser.mjs';

/** @type {Record<string, string>} */
const TYPES = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript' };

/**
 * @param {string} folder client build
 * @param {{ head: string, body: string }} rendered what the server sends
 */
async function serve(folder, { head, body }) {
	const page = readFileSync(join(folder, 'index.html'), 'utf8')
		.replace('<!--head-->', () => head)
		.replace('<!--body-->', () => body);
	const server = createServer((request, response) => {
		const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
		try {
			const content = path === '/' ? page : readFileSync(join(folder, path));
			response.writeHead(200, {
				'content-type': TYPES[path === '/' ? '.html' : extname(path)] ?? 'text/plain'
			});
			response.end(content);
		} catch {
			response.writeHead(404).end();
		}
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('the server has no port');
	return { server, url: `http://127.0.0.1:${address.port}/` };
}

/**
 * Tags, roles, parts and texts of the running app, one element a line. Generated ids are left out.
 * @param {import('playwright').Page} page
 * @param {string} url
 * @returns {Promise<string>}
 */
async function outline(page, url) {
	await page.goto(url);
	await page.waitForSelector('html[data-running]', { timeout: 15_000 });
	return page.evaluate(() =>
		[...document.querySelectorAll('#app *')]
			.map((element) => {
				const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
				const text = own.map((node) => node.textContent?.trim()).join('');
				const marks = ['role', 'data-part', 'data-state'].map((name) => element.getAttribute(name) ?? '');
				return [element.tagName, ...marks, text].join(' ').trimEnd();
			})
			.join('\n')
	);
}

/**
 * @param {string} folder client build
 * @param {{ head: string, body: string }} rendered
 * @returns {Promise<string>} what was seen, in one line
 */
export async function hydrate(folder, rendered) {
	ensureBrowser();
	const { server, url } = await serve(folder, rendered);
	const browser = await chromium.launch(browserLaunch());
	try {
		const page = await browser.newPage();
		// Bodies of surfaces come when the page rests, unless its reader saves data: what is asked here is what the server sent.
		await page.addInitScript(() =>
			Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
		);
		/** @type {string[]} */
		const noise = [];
		page.on('console', (message) => {
			if (['error', 'warning', 'assert'].includes(message.type()))
				noise.push(`console.${message.type()}: ${message.text()}`);
		});
		page.on('pageerror', (error) => noise.push(`uncaught: ${error.message}`));
		page.on('requestfailed', (request) => noise.push(`not loaded: ${request.url()}`));
		const fresh = await outline(page, `${url}#fresh`);
		// Another page, or the browser would only move to the anchor.
		await page.goto('about:blank');
		const hydrated = await outline(page, url);
		const { sent, kept } = await page.evaluate(() => {
			const nodes = /** @type {Element[]} */ (/** @type {any} */ (globalThis).sent);
			return { sent: nodes.length, kept: nodes.filter((node) => node.isConnected).length };
		});
		if (sent === 0 || kept !== sent) noise.push(`hydration replaced ${sent - kept} of ${sent} nodes`);
		// A production build takes over whatever it finds: only the comparison sees a wrong tag.
		if (hydrated !== fresh)
			noise.push(`the server sent another page than the client makes:\n${hydrated}\n  instead of\n${fresh}`);
		await page.getByRole('button', { name: 'Ask Ada' }).click();
		await page
			.getByRole('button', { name: /approve/i })
			.first()
			.click({ timeout: 15_000 });
		await page.getByRole('heading', { name: 'Minutes of Monday' }).waitFor({ timeout: 15_000 });
		await page.getByTestId('state').filter({ hasText: 'returned completed' }).waitFor({ timeout: 15_000 });
		if (noise.length) throw new Error(`hydration was not silent:\n  ${noise.join('\n  ')}`);
		return `hydrated: ${kept} nodes kept, console silent, one reviewed run completed`;
	} finally {
		await browser.close();
		server.close();
	}
}
