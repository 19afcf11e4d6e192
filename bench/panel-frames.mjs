import { page } from './page.mjs';

/** ms of stream; 200 tokens arrive each second. */
const MS = 5000;
/** Components that an agent may use, mounted beside the conversation. */
const PARTICIPANTS = 100;

/** @param {readonly number[]} gaps */
const p95 = (gaps) => [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length * 0.95)];
/** @param {number} value */
const rounded = (value) => Math.round(value * 10) / 10;

/**
 * Frames of a page while an answer arrives in its CopilotPanel: as plain text, as Markdown, and as Markdown that is parsed
 * and cleaned whole for each frame. Idle frames are those of the same page directly before.
 * @param {import('playwright').Browser} browser
 */
export async function panelFrames(browser) {
	const { script, style } = await page('panel-page.mjs');
	/** @param {'plain' | 'markdown' | 'whole'} how */
	async function load(how) {
		const tab = await browser.newPage({ viewport: { width: 1000, height: 800 } });
		try {
			await tab.setContent('<!doctype html><meta charset="utf-8"><body></body>');
			await tab.addStyleTag({ content: style });
			await tab.addScriptTag({ content: script, type: 'module' });
			await tab.waitForFunction('window.desk');
			const cdp = await tab.context().newCDPSession(tab);
			await cdp.send('Performance.enable');
			const worked = async () => {
				const { metrics } = await cdp.send('Performance.getMetrics');
				return metrics
					.filter(({ name }) => ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'].includes(name))
					.reduce((sum, { value }) => sum + value * 1000, 0);
			};
			/** @param {(desk: any, given: any) => unknown} fn @param {unknown} given */
			const desk = (fn, given) => tab.evaluate(`(${fn})(window.desk, ${JSON.stringify(given)})`);
			await desk((d, given) => d.open(given), { how, participants: PARTICIPANTS });
			await desk((d, given) => d.frames(given), { ms: 500 });
			const atFirst = await worked();
			const idle = await desk((d, given) => d.frames(given), { ms: MS });
			const before = await worked();
			const { gaps, tokens, shown } = await desk((d, given) => d.stream(given), { ms: MS });
			const work = await worked();
			return {
				frames: gaps.length,
				idleFrames: idle.length,
				p95Ms: rounded(p95(gaps)),
				idleP95Ms: rounded(p95(idle)),
				// Of a frame, without what an idle page does anyway.
				workMs: rounded((work - before) / gaps.length - (before - atFirst) / idle.length),
				tokens,
				shown
			};
		} finally {
			await tab.close();
		}
	}
	await load('plain');
	return { plain: await load('plain'), markdown: await load('markdown'), whole: await load('whole') };
}
