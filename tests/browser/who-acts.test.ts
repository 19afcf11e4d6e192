import axe from 'axe-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import '../../src/lib/styles.css';
import type { RunState } from '../../src/lib/agent/protocol/run-state.js';
import { Announcer, type Phrase } from '../../src/lib/canon/surfaces/announcer/index.js';
import { Aura } from '../../src/lib/canon/surfaces/aura/index.js';
import { es } from '../../src/lib/langs/index.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { four, run } from '../fixtures/runs.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';
import Framed from './fixtures/Framed.svelte';

beforeAll(() => late.load());

const acting = (done = 0): RunState =>
	run(
		four().steps.map((step, index) => ({
			...step,
			status:
				index < done
					? ('confirmed' as const)
					: index === done
						? ('dispatched' as const)
						: ('granted' as const)
		})),
		[],
		{ state: 'acting', activity: 'acting' }
	);
const waits = (code: string, data?: unknown): RunState => ({
	...acting(1),
	state: 'escalated',
	activity: code === 'paused' ? 'paused' : 'waiting',
	escalations: [{ code, text: 'Because.', ...(data === undefined ? {} : { data }) }],
	questions:
		code === 'question'
			? [
					{
						id: 'q1',
						run: 'run-1',
						from: { kind: 'agent', id: 'ada', name: 'Ada' },
						text: 'Which account?',
						schema: {
							type: 'object',
							properties: {
								account: { enum: ['Operations', 'Machines'] },
								days: { type: 'array', items: { enum: ['Mon', 'Tue'] } },
								note: { type: 'string', description: 'Shown on the invoice' },
								amount: { type: 'number' },
								urgent: { type: 'boolean' }
							},
							required: ['account']
						},
						reason: 'question',
						status: 'open'
					}
				]
			: []
});
const ended = (kind: 'completed' | 'failed' | 'refused'): RunState =>
	run(
		four().steps.map((step) => ({ ...step, status: 'confirmed' as const })),
		[],
		{ state: 'returned', activity: 'idle', outcome: { kind, effects: [], spent: four().budget.spent } }
	);

const STATES: readonly (readonly [string, RunState | undefined])[] = [
	['idle', undefined],
	['offered', { ...acting(), state: 'offered', activity: 'waiting' }],
	['thinking', { ...acting(), state: 'planned', activity: 'thinking' }],
	['reviewing', four()],
	['acting', acting(1)],
	['waiting for an answer', waits('question')],
	['out of budget', waits('budget.acts')],
	['paused', waits('paused')],
	['failed', ended('failed')],
	['refused', ended('refused')],
	['returned', ended('completed')]
];

const line = () => document.querySelector<HTMLElement>("[data-surface='aura']")!;
const flag = () => line().querySelector<HTMLElement>("[data-part='flag']")!;
const focused = () => document.activeElement as HTMLElement;
const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/** Once what arrives has arrived; the stroke never ends. */
const still = () =>
	Promise.all(
		document
			.getAnimations()
			.filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
			.map((animation) => animation.finished)
	);

async function framed(state: RunState | undefined, more: object = {}) {
	const agent = new StandIn(...(state === undefined ? [] : [state]));
	const { rerender } = await render(Framed, { agent: agent.active, ...more });
	await frame();
	return { agent, rerender };
}

beforeEach(async () => {
	await page.viewport(1000, 800);
});
afterEach(() => {
	document.documentElement.dir = '';
	document.documentElement.style.colorScheme = '';
});

describe('what a person presses', () => {
	it('audit 4 is the person’s: a real key on Stop stops on behalf of a human', async () => {
		const { agent } = await framed(acting());
		for (let tabs = 0; tabs < 3 && focused().textContent?.trim() !== 'Stop Ada'; tabs++)
			await userEvent.keyboard('{Tab}');
		expect(focused().textContent?.trim()).toBe('Stop Ada');
		await userEvent.keyboard('{Enter}');
		expect(agent.called).toMatchObject([{ verb: 'stop', by: { kind: 'human', id: 'person' } }]);
	});

	it('is the script’s where a script clicks', async () => {
		const { agent } = await framed(acting());
		document.querySelector<HTMLElement>("[data-surface='turn-line'] [data-action='stop']")!.click();
		expect(agent.called).toMatchObject([{ verb: 'stop', by: { kind: 'app' } }]);
	});

	it.each([
		['budget.acts', undefined, 'renew'],
		['transport', undefined, 'resume'],
		['scope', { instance: 'outbox' }, 'resume'],
		['paused', undefined, 'resume']
	])('S2-119 gets out of %s by keyboard alone', async (code, data, verb) => {
		const { agent } = await framed(waits(code, data));
		const way = () => focused().dataset?.action === verb;
		for (let tabs = 0; tabs < 12 && !way(); tabs++) await userEvent.keyboard('{Tab}');
		expect(way()).toBe(true);
		await userEvent.keyboard(' ');
		expect(agent.called).toMatchObject([{ verb, by: { kind: 'human' } }]);
	});

	it('S2-45 answers a question by keyboard alone', async () => {
		const { agent } = await framed(waits('question'));
		const radio = page.getByLabelText('Operations').element() as HTMLInputElement;
		for (let tabs = 0; tabs < 12 && focused() !== radio; tabs++) await userEvent.keyboard('{Tab}');
		await userEvent.keyboard(' {Enter}');
		expect(agent.called).toMatchObject([
			{ verb: 'answer', args: ['q1', { account: 'Operations', urgent: false }], by: { kind: 'human' } }
		]);
	});

	it('F8 leads to what needs the person, and only when the person presses it', async () => {
		const agent = new StandIn(waits('question'));
		await render(Announcer, { agent: agent.active });
		await render(Aura, { agent: agent.active });
		await frame();
		document.body.focus();
		dispatchEvent(new KeyboardEvent('keydown', { key: 'F8' }));
		expect(focused()).toBe(document.body);
		await userEvent.keyboard('{F8}');
		expect(focused().dataset.part).toBe('title');
		expect(focused().textContent).toBe('Which account?');
	});
});

describe('the line around a participant', () => {
	it.each(STATES)('S2-119 keeps focus, caret and selection of the person: %s', async (_name, state) => {
		const { agent } = await framed(undefined);
		const field = page.getByLabelText('Amount').element() as HTMLInputElement;
		field.focus();
		field.setSelectionRange(2, 5);
		agent.show(...(state === undefined ? [] : [state]));
		await frame();
		expect(focused()).toBe(field);
		expect([field.selectionStart, field.selectionEnd]).toEqual([2, 5]);
	});

	it('S2-80 frames without covering what has the focus: the flag goes above the line', async () => {
		const { rerender } = await framed(acting(), { tight: true });
		const field = page.getByLabelText('Amount').element() as HTMLInputElement;
		field.focus();
		await frame();
		expect(flag().dataset.place).toBe('above');
		const a = flag().getBoundingClientRect();
		const b = field.getBoundingClientRect();
		expect(a.bottom).toBeLessThanOrEqual(b.top + 1);
		field.blur();
		await frame();
		expect(flag().dataset.place).toBe('on');
		await rerender({ tight: false });
	});

	it('lies around an element that stands elsewhere', async () => {
		await framed(acting(), { apart: true });
		await expect.poll(() => line().getBoundingClientRect().width).toBeGreaterThan(100);
		const around = line().getBoundingClientRect();
		const form = page.getByRole('form').element().getBoundingClientRect();
		expect(Math.abs(around.left + 8 - form.left)).toBeLessThan(1);
		expect(Math.abs(around.top + 8 - form.top)).toBeLessThan(1);
		expect(Math.abs(around.width - 16 - form.width)).toBeLessThan(1);
		expect(Math.abs(around.height - 16 - form.height)).toBeLessThan(1);
	});

	it('S2-80 has a line that differs by its style, not by its colour alone', async () => {
		const { agent } = await framed(acting());
		const style = () => getComputedStyle(line().querySelector("[data-part='ring']")!).borderTopStyle;
		const styles: string[] = [];
		for (const state of [acting(), four(), waits('paused')]) {
			agent.show(state);
			await frame();
			styles.push(style());
		}
		expect(styles).toEqual(['solid', 'double', 'dashed']);
	});

	it('audit 4 S2-119 moves only while it acts, and stands still once it ended', async () => {
		const { agent } = await framed(acting());
		const moving = () =>
			document.getAnimations().filter((animation) => animation.playState === 'running').length;
		expect(moving()).toBe(matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 1);
		agent.show(ended('completed'));
		await frame();
		expect(moving()).toBe(0);
	});
});

describe('S2-80 nothing is out of reach: axe finds no fault', () => {
	for (const scheme of ['light', 'dark'] as const)
		it.each(STATES)(`${scheme}, %s`, async (_name, state) => {
			document.documentElement.style.colorScheme = scheme;
			document.body.style.background = 'var(--ax-paper)';
			await framed(state);
			await still();
			const { violations } = await axe.run(document.body, {
				rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false } }
			});
			expect(
				violations.map(
					({ id, nodes }) => `${id}: ${nodes.map(({ failureSummary }) => failureSummary).join(' ')}`
				)
			).toEqual([]);
		});

	it.each(STATES)('fits into 320 px without a sideways scroll: %s', async (_name, state) => {
		await page.viewport(320, 700);
		await framed(state, { lang: es });
		expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
	});

	it.each(['static', 'reset'])('docked, covers nothing for good: %s', async (kind) => {
		await page.viewport(320, 640);
		const style = document.head.appendChild(document.createElement('style'));
		// What an app may bring: no margins, a page no higher than the window, room set by itself.
		if (kind === 'reset') style.textContent = '* { margin: 0; padding: 0 } html, body { height: 100% }';
		const agent = new StandIn(waits('transport'));
		agent.pending = [{ kind: 'escalation', run: 'run-1', reason: { code: 'transport', text: 'HTTP 503' } }];
		const view = await render(Framed, { agent: agent.active });
		const main = document.querySelector('main')!;
		main.style.height = '900px';
		const last = main.appendChild(document.createElement('button'));
		last.style.cssText = 'position: absolute; top: 870px; height: 30px';
		main.style.position = 'relative';
		const line = document.querySelector<HTMLElement>('[data-surface="turn-line"]')!;
		await expect
			.poll(() => document.documentElement.style.getPropertyValue('--ax-dock'))
			.toBe(`${Math.ceil(line.getBoundingClientRect().height + 1)}px`);
		window.scrollTo(0, 1e6);
		expect(last.getBoundingClientRect().bottom).toBeLessThanOrEqual(line.getBoundingClientRect().top);
		await page.viewport(1000, 800);
		await expect.poll(() => document.documentElement.style.getPropertyValue('--ax-dock')).toBe('0px');
		await view.unmount();
		expect(document.querySelector('[data-part="dock"]')).toBeNull();
		style.remove();
	});

	it('at the top it keeps clear of what the focus scrolls to', async () => {
		await page.viewport(1000, 600);
		await framed(waits('transport'));
		const main = document.querySelector('main')!;
		main.style.cssText = 'position: relative; height: 3000px';
		const far = main.appendChild(document.createElement('button'));
		far.style.cssText = 'position: absolute; top: 1500px; height: 30px';
		const line = document.querySelector<HTMLElement>('[data-surface="turn-line"]')!;
		await expect
			.poll(() => document.documentElement.style.getPropertyValue('--ax-head'))
			.toBe(`${Math.ceil(line.getBoundingClientRect().height + 1)}px`);
		window.scrollTo(0, 1e6);
		far.focus();
		expect(far.getBoundingClientRect().top).toBeGreaterThanOrEqual(line.getBoundingClientRect().bottom);
	});

	it.each([...STATES, ['reviewing', four()] as const])(
		'S2-119 at 320 px nothing of the line or the frame is cut or broken by letters: %s',
		async (_name, state) => {
			await page.viewport(320, 640);
			await framed(state, { lang: es });
			for (const one of document.querySelectorAll<HTMLElement>(
				'[data-surface] :is([data-part="action"], [data-part="name"], [data-part="status"])'
			)) {
				const { left, right, width, height } = one.getBoundingClientRect();
				if (width <= 1) continue;
				expect(left, one.outerHTML).toBeGreaterThanOrEqual(0);
				expect(right, one.outerHTML).toBeLessThanOrEqual(320);
				expect(height, one.outerHTML).toBeLessThanOrEqual(Math.max(48, width));
			}
		}
	);

	it.each(STATES.filter(([name]) => name !== 'idle'))(
		'every control is 24 px or more: %s',
		async (_name, state) => {
			await framed(state);
			for (const button of document.querySelectorAll('[data-surface] button')) {
				const { width, height } = button.getBoundingClientRect();
				expect(Math.min(width, height), button.outerHTML).toBeGreaterThanOrEqual(24);
			}
		}
	);
});

describe('the announcer beside a person who writes', () => {
	it('S2-107 tells no progress while the person is typing, and what needs the person all the same', async () => {
		const said: Phrase[] = [];
		const agent = new StandIn(acting());
		await render(Announcer, {
			agent: agent.active,
			verbosity: 'all',
			onannounce: (phrase: Phrase) => said.push(phrase)
		});
		const field = document.body.appendChild(document.createElement('input'));
		field.focus();
		for (let n = 0; n < 4; n++) {
			await userEvent.keyboard('a');
			agent.show(acting(n));
		}
		agent.show(four());
		await expect.poll(() => said.map((phrase) => phrase.class)).toContain('needs-you');
		expect(said.map((phrase) => phrase.class)).not.toContain('progress');
		expect(field.value).toBe('aaaa');
		field.remove();
	});
});
