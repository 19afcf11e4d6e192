import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cdp, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import '../../src/lib/styles.css';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { ReviewCard } from '../../src/lib/canon/surfaces/review-card/index.js';
import { four, run } from '../fixtures/runs.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';
import { Stub } from '../fixtures/stub-agent.svelte.js';
import Framed from './fixtures/Framed.svelte';

// The card comes late.
beforeAll(() => late.load(), 30_000);

const prefer = (name: string, value: string) =>
	(cdp() as unknown as { send(method: string, params: object): Promise<unknown> }).send(
		'Emulation.setEmulatedMedia',
		{ features: [{ name, value }] }
	);
const find = (selector: string) => document.querySelector<HTMLElement>(selector)!;
const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
const acting = run(
	four().steps.map((step) => ({ ...step, status: 'dispatched' as const })),
	[],
	{ state: 'acting', activity: 'acting' }
);

afterEach(async () => {
	await prefer('forced-colors', '');
	await prefer('prefers-reduced-motion', '');
});

describe('S2-80 with forced colours', () => {
	it('the line keeps its style, what is chosen and what is barred stay apart from the rest', async () => {
		await prefer('forced-colors', 'active');
		expect(matchMedia('(forced-colors: active)').matches).toBe(true);
		await render(ReviewCard, { agent: new Stub(four()).active });
		const look = (selector: string) => getComputedStyle(find(selector));
		await userEvent.click(find('[data-choice="reject"] input'));
		const chosen = look('[data-choice="reject"] input + span');
		const other = look('[data-choice="edit"] input + span');
		expect(chosen.backgroundColor).not.toBe(other.backgroundColor);
		expect(look('[data-action="decide"]').borderTopStyle).toBe('dashed');
		expect(look('[data-surface="review-card"]').borderTopStyle).toBe('double');
		expect(look('[data-part="mark"]').borderTopStyle).toBe('solid');
	});

	it('the frame that waits is double and its words stand on the highlight', async () => {
		await prefer('forced-colors', 'active');
		await render(Framed, { agent: new StandIn(four()).active });
		await frame();
		const ring = getComputedStyle(find("[data-surface='aura'] [data-part='ring']"));
		expect(ring.borderTopStyle).toBe('double');
		const what = getComputedStyle(find("[data-surface='aura'] [data-part='what']"));
		expect(what.backgroundColor).not.toBe(what.color);
		expect(what.forcedColorAdjust).toBe('none');
	});
});

describe('S2-80 S2-119 with reduced motion', () => {
	it('nothing moves while an agent acts; the line is thicker instead', async () => {
		await render(Framed, { agent: new StandIn(acting).active });
		await frame();
		const ring = () => parseFloat(getComputedStyle(find("[data-part='ring']")).borderTopWidth);
		const moving = () => document.getAnimations().filter(({ playState }) => playState === 'running').length;
		expect([moving(), ring()]).toEqual([1, 2]);
		await prefer('prefers-reduced-motion', 'reduce');
		await frame();
		expect([moving(), ring()]).toEqual([0, 3]);
	});

	it('a card that arrives does not slide', async () => {
		await prefer('prefers-reduced-motion', 'reduce');
		await render(ReviewCard, { agent: new Stub(four()).active });
		expect(find("[data-surface='review-card']").getAnimations({ subtree: true })).toEqual([]);
	});
});
