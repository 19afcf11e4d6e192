import { virtual } from '@guidepup/virtual-screen-reader';
import { cleanup, render, screen } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunState } from '../../src/lib/agent/protocol/run-state.js';
import { Announcer, type Phrase } from '../../src/lib/canon/surfaces/announcer/index.js';
import { Aura } from '../../src/lib/canon/surfaces/aura/index.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { four, run, setField } from '../fixtures/runs.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';
import AuraHost from './fixtures/AuraHost.svelte';

let parts: typeof late.now;
beforeAll(async () => {
	// The virtual reader needs it, and jsdom has none.
	globalThis.CSS ??= {} as typeof CSS;
	CSS.escape ??= (text: string) => text.replace(/[^\w-]/g, (sign) => `\\${sign}`);
	await late.load();
	parts = late.now;
});
beforeEach(() => void (late.now = parts));
afterEach(async () => {
	cleanup();
	await virtual.stop();
	late.now = parts;
	late.failed = false;
});

const manifest = {
	kind: 'form',
	description: 'An invoice',
	reads: { values: { description: 'Values', read: () => ({}), version: () => 1 } },
	acts: {}
} as const;
const STEPS = Array.from({ length: 200 }, (_, n) => setField(`s${n}`, `f${n}`, `Field ${n}`, 0, n));
const thinking = run([], [], { state: 'offered', activity: 'thinking' });
const acting = (done = 0): RunState =>
	run(
		STEPS.map((step, at) => ({
			...step,
			status: at < done ? 'confirmed' : at === done ? 'dispatched' : 'granted'
		})),
		[],
		{ state: 'acting', activity: 'acting' }
	);
const ended = (kind: 'completed' | 'failed' | 'interrupted', status: 'confirmed' | 'failed'): RunState =>
	run(
		STEPS.map((step) => ({ ...step, status })),
		[],
		{
			state: 'returned',
			activity: 'idle',
			outcome: { kind, effects: [], spent: thinking.budget.spent }
		}
	);
const show = (agent: StandIn, ...runs: RunState[]) => {
	agent.show(...runs);
	flushSync();
};
const moment = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a reader says by itself. */
async function heard(): Promise<readonly string[]> {
	await moment(20);
	return (await virtual.spokenPhraseLog()).filter((phrase) => /^(polite|assertive):/.test(phrase));
}

describe('who acts now, as it is heard', () => {
	it('audit 1 says of a start exactly one polite phrase, with the agent and what it is about', async () => {
		const agent = new StandIn();
		render(Announcer, { agent: agent.active });
		render(Aura, { agent: agent.active });
		flushSync();
		await virtual.start({ container: document.body });
		await virtual.clearSpokenPhraseLog();
		show(agent, thinking);
		expect(await heard()).toEqual(['polite: Ada: started on “Read the letter and fill in the invoice”.']);
	});

	it('audit 3 says of two hundred acts two phrases at most, and the last one is true', async () => {
		const agent = new StandIn();
		render(Announcer, { agent: agent.active });
		flushSync();
		await virtual.start({ container: document.body });
		await virtual.clearSpokenPhraseLog();
		show(agent, thinking);
		for (let done = 0; done < 200; done++) show(agent, acting(done));
		show(agent, ended('completed', 'confirmed'));
		await vi.waitFor(async () => expect((await heard()).at(-1)).toContain('returned control'), {
			timeout: 5_000
		});
		const all = await heard();
		expect(all.length).toBeLessThanOrEqual(2);
		expect(all.at(-1)).toBe('polite: Ada: returned control to you. 200 done. Undo is available.');
	});

	it.each([50, 200])('S2-107 bounds what is said in a run of %i acts, everything announced', (acts) => {
		vi.useFakeTimers();
		try {
			const agent = new StandIn();
			const said: Phrase[] = [];
			render(Announcer, {
				agent: agent.active,
				verbosity: 'all',
				onannounce: (phrase: Phrase) => said.push(phrase)
			});
			flushSync();
			show(agent, thinking);
			for (let done = 0; done < acts; done++) {
				show(agent, acting(done));
				vi.advanceTimersByTime(40);
			}
			show(agent, ended('completed', 'confirmed'));
			vi.advanceTimersByTime(10_000);
			// A start, an end, and one progress in three seconds.
			expect(said.length).toBeLessThanOrEqual(2 + Math.ceil((acts * 40) / 3_000));
			expect(said.filter(({ text }) => text.includes('started on'))).toHaveLength(1);
			expect(said.filter(({ text }) => text.includes('returned control'))).toHaveLength(1);
			for (const { text } of said) expect(text).toMatch(/^Ada/);
		} finally {
			vi.useRealTimers();
		}
	});
});

describe('what comes after the first records', () => {
	function announced(agent: StandIn) {
		const said: string[] = [];
		render(Announcer, { agent: agent.active, onannounce: ({ text }: Phrase) => said.push(text) });
		flushSync();
		return said;
	}

	it('S2-80 tells what began before the voice was loaded, once, and nothing twice', async () => {
		late.now = undefined;
		const agent = new StandIn();
		const said = announced(agent);
		show(agent, thinking);
		show(agent, four());
		expect(said).toEqual([]);
		late.now = parts;
		flushSync();
		expect(said.filter((text) => text.includes('needs your review'))).toHaveLength(1);
		show(agent, four());
		await moment(1_100);
		expect(said.filter((text) => text.includes('needs your review'))).toHaveLength(1);
		expect(new Set(said).size).toBe(said.length);
	});

	it('S2-80 tells of a run that was over before the voice was loaded how it ended', () => {
		late.now = undefined;
		const agent = new StandIn();
		const said = announced(agent);
		show(agent, thinking);
		show(agent, ended('completed', 'confirmed'));
		late.now = parts;
		flushSync();
		expect(said).toEqual(['Ada: returned control to you. 200 done. Undo is available.']);
	});

	it('S2-80 keeps silent of what was over before it was mounted, and of a need that has gone meanwhile', () => {
		late.now = undefined;
		const agent = new StandIn(ended('completed', 'confirmed'));
		const said = announced(agent);
		late.now = parts;
		flushSync();
		expect(said).toEqual([]);
		cleanup();

		late.now = undefined;
		const other = new StandIn(four());
		const later = announced(other);
		show(other, { ...acting(1), id: four().id });
		late.now = parts;
		flushSync();
		expect(later.some((text) => text.includes('needs your review'))).toBe(false);
	});

	it('S2-119 has Stop before the rest is there, and keeps the focus on it when it comes', async () => {
		late.now = undefined;
		const agent = new StandIn(acting());
		render(Aura, { agent: agent.active });
		flushSync();
		expect(screen.getByRole('group', { name: 'Who acts now?' }).dataset.state).toBe('thinking');
		const stop = screen.getByRole('button', { name: 'Stop Ada' });
		stop.click();
		expect(agent.called.map(({ verb }) => verb)).toEqual(['stop']);
		stop.focus();
		late.now = parts;
		flushSync();
		await tick();
		const now = screen.getByRole('button', { name: 'Stop Ada' });
		expect(now).not.toBe(stop);
		expect(document.activeElement).toBe(now);
		expect(screen.getByRole('group', { name: 'Who acts now?' }).dataset.state).toBe('acting');
	});

	it('S2-119 says so where the rest does not come, and tries again', () => {
		late.now = undefined;
		late.failed = true;
		const agent = new StandIn(four());
		render(Aura, { agent: agent.active });
		flushSync();
		const line = screen.getByRole('group', { name: 'Who acts now?' });
		expect(line.textContent).toContain('waits for you');
		expect(line.textContent).toContain('could not be loaded');
		expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
		expect(screen.getByRole('button', { name: 'Stop Ada' })).toBeTruthy();
	});
});

describe('the line around what is acted on', () => {
	const target = () => screen.getByRole('form', { name: 'Invoice' });
	const stateOf = () => document.querySelector<HTMLElement>("[data-surface='aura']")?.dataset.state;
	const here = (): RunState =>
		run(
			four().steps.map((step, at) => ({ ...step, status: at === 0 ? 'dispatched' : 'granted' })),
			[],
			{ state: 'acting', activity: 'acting' }
		);

	it.each([
		['cancelled', () => ended('interrupted', 'confirmed')],
		['ended by an error', () => ended('failed', 'failed')],
		['gone', undefined]
	] as const)(
		'audit 12 marks the target busy only while acting, and releases it when %s',
		async (_, next) => {
			const agent = new StandIn();
			const { rerender } = render(AuraHost, { agent: agent.active, manifest });
			flushSync();
			const form = target();
			expect(form.getAttribute('aria-busy')).toBeNull();
			show(agent, here());
			expect(stateOf()).toBe('acting');
			expect(form.getAttribute('aria-busy')).toBe('true');
			if (next) show(agent, next());
			else await rerender({ shown: false });
			flushSync();
			expect(form.getAttribute('aria-busy')).toBeNull();
		}
	);

	it('audit 7 says acting, waiting, paused and failed in other words and with another sign each', () => {
		const states: RunState[] = [
			here(),
			four(),
			{ ...here(), activity: 'paused' },
			run(
				four().steps.map((step) => ({
					...step,
					status: 'failed' as const,
					reasons: [{ code: 'threw', text: 'IBAN was rejected' }]
				})),
				[],
				{
					state: 'returned',
					activity: 'idle',
					outcome: { kind: 'failed', effects: [], spent: thinking.budget.spent }
				}
			)
		];
		const agent = new StandIn();
		render(AuraHost, { agent: agent.active, manifest });
		const seen = states.map((state) => {
			show(agent, state);
			const flag = document.querySelector("[data-surface='aura'] [data-part='what']")!;
			return {
				state: stateOf(),
				words: flag.querySelector("[data-part='status']")?.textContent,
				sign: flag.querySelector('svg')?.getAttribute('data-glyph')
			};
		});
		expect(seen.map(({ state }) => state)).toEqual(['acting', 'waiting', 'paused', 'failed']);
		expect(new Set(seen.map(({ words }) => words)).size).toBe(4);
		expect(new Set(seen.map(({ sign }) => sign)).size).toBe(4);
		expect(seen.every(({ words }) => (words ?? '').length > 5)).toBe(true);
		expect(document.querySelector("[data-surface='aura'] [data-part='ring']")?.ariaHidden).toBe('true');
	});
});

describe('hostile names', () => {
	const NAMES = [
		['turned round', '\u202eadA\u202c\u2066x'],
		['piled up', `A${'\u0301'.repeat(400)}`],
		['markup', '<img src=x onerror=alert(1)>'],
		['endless', 'A'.repeat(10_000)],
		['a sentence of the house', 'You have control again. Approved by you']
	] as const;

	it.each(NAMES)('S2-80 says and shows a name that is %s in one short line, as text', (_, name) => {
		const agent = new StandIn();
		Object.assign(agent.engine, { identity: { ...agent.engine.identity, name } });
		const said: string[] = [];
		render(Announcer, { agent: agent.active, onannounce: ({ text }: Phrase) => said.push(text) });
		render(Aura, { agent: agent.active });
		flushSync();
		show(agent, thinking);
		expect(said).toHaveLength(1);
		expect(said[0]!.length).toBeLessThan(160);
		expect(said[0]).not.toMatch(/[\u202a-\u202e]/);
		expect(document.querySelector('img')).toBeNull();
		for (const part of document.querySelectorAll("[data-part='name']"))
			expect([...(part.textContent ?? '')].length).toBeLessThan(200);
	});

	it('S2-107 has one voice for two roots on one page, and the second goes on in mid-act when the first is gone', async () => {
		const one = new StandIn();
		const two = new StandIn();
		const said: string[] = [];
		const heardBy = (agent: StandIn) =>
			render(Announcer, { agent: agent.active, onannounce: ({ text }: Phrase) => said.push(text) });
		const first = heardBy(one);
		heardBy(two);
		flushSync();
		show(one, thinking);
		show(two, thinking);
		await moment(1_100);
		expect(said).toHaveLength(2);
		const filled = () =>
			[...document.querySelectorAll("[data-part='polite']")].filter(({ textContent }) => textContent !== '');
		expect(filled()).toHaveLength(1);
		first.unmount();
		flushSync();
		show(two, ended('completed', 'confirmed'));
		await moment(1_100);
		expect(said.at(-1)).toContain('returned control');
		expect(filled()).toHaveLength(1);
	});
});
