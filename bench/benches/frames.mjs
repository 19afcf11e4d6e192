import { chromium } from 'playwright';
import { browserLaunch } from '../../scripts/browser.mjs';
import { page } from '../page.mjs';
import { panelFrames } from '../panel-frames.mjs';

const SECONDS = 4;
/** ms between two keys of somebody who types fast. */
const KEY = 100;
/** ms after which no more keys are pressed, however few they were: on a busy machine a long document takes its time. */
const ENOUGH = 4000;
/** Keys pressed in a long document. */
const KEYS = 30;
/** About 2 MB of text. */
const LONG = { blocks: 20_000, words: 20 };

/** @param {readonly number[]} gaps */
const p95 = (gaps) => [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length * 0.95)];
/** @param {{ frames: number, idleFrames: number, p95Ms: number, workMs: number }} one */
const figuresOf = ({ frames, idleFrames, p95Ms, workMs }) => ({ frames, idleFrames, p95Ms, workMs });
/** @param {number} value */
const rounded = (value) => Math.round(value * 10) / 10;

/** Frames of a conversation while an answer arrives, and of an editor while an agent's text arrives and a person types. */
export async function bench() {
	const { script, style } = await page('frames-page.mjs');
	const browser = await chromium.launch(browserLaunch());
	try {
		const { plain, markdown, whole } = await panelFrames(browser);
		const tab = await browser.newPage({ viewport: { width: 1000, height: 700 } });
		await tab.setContent('<!doctype html><meta charset="utf-8"><body></body>');
		await tab.addStyleTag({ content: style });
		await tab.addScriptTag({ content: script, type: 'module' });
		await tab.waitForFunction('window.desk');
		const cdp = await tab.context().newCDPSession(tab);
		await cdp.send('Performance.enable');
		/** What the main thread did, in ms: scripts, style, layout. */
		const worked = async () => {
			const { metrics } = await cdp.send('Performance.getMetrics');
			return metrics
				.filter(({ name }) => ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'].includes(name))
				.reduce((sum, { value }) => sum + value * 1000, 0);
		};
		/** @param {(desk: any, given: any) => unknown} fn @param {unknown} [given] */
		const desk = (fn, given) => tab.evaluate(`(${fn})(window.desk, ${JSON.stringify(given ?? null)})`);
		const keys = async (/** @type {number} */ count) => {
			const until = Date.now() + ENOUGH;
			for (let key = 0; key < count && Date.now() < until; key += 1) {
				await tab.keyboard.press('abcdefghij'[key % 10]);
				await tab.waitForTimeout(KEY);
			}
		};

		/** One load: frames, work, transactions. */
		async function load(/** @type {string} */ how, /** @type {boolean} */ typing) {
			await desk((d) => d.open({}));
			await desk((d) => d.caret(2));
			const before = await worked();
			const [seen] = await Promise.all([
				desk((d, given) => d.stream(given), { ms: SECONDS * 1000, how, pos: 60 }),
				typing ? keys((SECONDS * 1000) / KEY - 10) : undefined
			]);
			return { ...seen, work: (await worked()) - before };
		}

		await load('painted', true);
		const rows = {};
		for (const [name, how, typing] of /** @type {const} */ ([
			['idle', 'not at all', false],
			['typing', 'not at all', true],
			['painted', 'painted', false],
			['painted, typing', 'painted', true],
			['written, typing', 'written', true]
		]))
			rows[name] = await load(how, typing);

		/** A long document: ms to open, worst frame and p95 over 40 keys. */
		async function long(
			/** @type {{ ours: boolean, agent?: boolean, ids?: string, blocks?: number, words?: number }} */ options
		) {
			const openMs = await desk((d, given) => d.open(given), { ...LONG, ...options });
			let idsWorstMs = 0;
			if (options.ids === 'after') {
				await desk((d) => d.count());
				await desk((d) => d.identified());
				idsWorstMs = Math.max(...(await desk((d) => d.counted())));
			}
			await desk((d) => d.caret(3));
			await desk((d) => d.afterPaint());
			await keys(3);
			await desk((d) => d.count());
			await keys(KEYS);
			const gaps = await desk((d) => d.counted());
			return { openMs, worstMs: Math.max(...gaps), p95Ms: p95(gaps), idsWorstMs };
		}
		const longs = {
			'ours, 20,000 blocks': await long({ ours: true }),
			'the same, ids given before': await long({ ours: true, ids: 'before' }),
			'the same, ids given by the plugin': await long({ ours: true, ids: 'after' }),
			'the same, all of it an agent’s': await long({ ours: true, agent: true }),
			'ProseMirror alone': await long({ ours: false })
		};

		const cell = (/** @type {number | string} */ value) =>
			(typeof value === 'number' ? value.toFixed(1) : value).padStart(12);
		const line = (/** @type {string} */ name, /** @type {(number | string)[]} */ ...cells) =>
			name.padEnd(38) + cells.map(cell).join('');
		const painted = rows['painted, typing'];
		const [ours, alone] = [longs['ours, 20,000 blocks'], longs['ProseMirror alone']];
		return {
			figures: {
				...figuresOf(plain),
				markdown: figuresOf(markdown),
				document: {
					frames: painted.gaps.length,
					idleFrames: rows.idle.gaps.length,
					p95Ms: rounded(p95(painted.gaps)),
					workMs: rounded(painted.work),
					longOpenMs: rounded(ours.openMs),
					longWorstMs: rounded(ours.worstMs)
				}
			},
			peers: {
				'marked + innerHTML + DOMPurify, whole each frame': figuresOf(whole),
				'one transaction a tick': {
					frames: rows['written, typing'].gaps.length,
					p95Ms: rounded(p95(rows['written, typing'].gaps)),
					workMs: rounded(rows['written, typing'].work)
				},
				'ProseMirror alone': { longOpenMs: rounded(alone.openMs), longWorstMs: rounded(alone.worstMs) }
			},
			ratio: Math.round((plain.frames / plain.idleFrames) * 100) / 100,
			table: [
				line('200 tokens a second, 5 s, in a panel', 'frames', 'idle', 'p95 ms', 'idle p95', 'ms a frame'),
				...Object.entries({
					'plain text': plain,
					Markdown: markdown,
					'Markdown, whole each frame': whole
				}).map(([name, one]) =>
					line(name, String(one.frames), String(one.idleFrames), one.p95Ms, one.idleP95Ms, one.workMs)
				),
				line(`200 words a second, ${SECONDS} s`, 'frames', 'p95 ms', 'worst ms', 'work ms', 'transactions'),
				...Object.entries(rows).map(([name, { gaps, work, transactions }]) =>
					line(name, String(gaps.length), p95(gaps), Math.max(...gaps), work, String(transactions))
				),
				line(`2 MB, ${KEYS} keys`, 'open ms', 'p95 ms', 'worst ms', 'ids: worst ms'),
				...Object.entries(longs).map(([name, { openMs, p95Ms, worstMs, idsWorstMs }]) =>
					line(name, openMs, p95Ms, worstMs, idsWorstMs)
				)
			],
			notes: [
				'A CopilotPanel below an answer of 8 KB, beside 100 mounted participants; idle: the same page directly before.',
				'Its budget: 95 % of the idle frames, p95 of 34 ms, 4 ms of work a frame.',
				`A letter of 2,000 words with every plugin of the document; a key each ${KEY} ms where somebody types.`,
				'work: scripts, style and layout of the main thread, keys included. ratio: frames of a panel with plain text ÷ idle.',
				'2 MB: opened with the ids it was saved with; what ProseMirror and the browser need for it alone stands beside it.',
				'Software rendering, one browser; frames of a busy machine tell less than their order.'
			]
		};
	} finally {
		await browser.close();
	}
}
