import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { AgentManifest } from '../../src/lib/agent/capability/index.js';
import type { RunState } from '../../src/lib/agent/protocol/run-state.js';
import type { Emission } from '../../src/lib/uix/index.js';
import { four, run } from '../fixtures/runs.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import AuraHost from './fixtures/AuraHost.svelte';

beforeAll(() => late.load());

const manifest: AgentManifest<object, string> = {
	kind: 'form',
	description: 'An invoice',
	reads: { values: { description: 'Values', read: () => ({}), version: () => 1 } },
	acts: {}
};

const acting = run(
	four().steps.map((step, index) => ({
		...step,
		status: index === 0 ? ('dispatched' as const) : ('granted' as const)
	})),
	[],
	{ state: 'acting', activity: 'acting' }
);
const returned = run(
	four().steps.map((step) => ({ ...step, status: 'confirmed' as const })),
	[],
	{
		state: 'returned',
		activity: 'idle',
		outcome: { kind: 'completed', effects: [], spent: four().budget.spent }
	}
);
const paused: RunState = {
	...acting,
	state: 'escalated',
	activity: 'paused',
	escalations: [{ code: 'paused', text: '' }]
};

function host(agent: StandIn, more: object = {}) {
	const heard: Emission[] = [];
	const view = render(AuraHost, {
		agent: agent.active,
		manifest,
		onemit: (emission: Emission) => heard.push(emission),
		...more
	});
	flushSync();
	return { ...view, heard };
}
const line = () => document.querySelector<HTMLElement>("[data-surface='aura']");
const show = (agent: StandIn, state: RunState) => {
	agent.show(state);
	flushSync();
};

describe('the line around an instance', () => {
	it('S2-09 states who acts, beside the ring, which is hidden from ears', () => {
		const agent = new StandIn(acting);
		host(agent);
		expect(line()?.dataset).toMatchObject({ state: 'acting', shape: 'frame', agent: 'ada' });
		expect(screen.getByRole('group', { name: 'Ada, Invoice' })).toBe(line());
		expect(line()?.querySelector("[data-part='ring']")?.getAttribute('aria-hidden')).toBe('true');
		expect(line()?.querySelector("[data-part='status']")?.textContent).toBe('is filling in');
		expect(line()?.querySelector("[data-part='counter']")?.textContent).toBe('1 of 4');
	});

	it.each<[string, RunState, string, string]>([
		['waiting', four(), 'waits for you', ''],
		['paused', paused, 'is paused', 'Resume'],
		['returned', returned, 'You have control again', '']
	])('S2-09 says %s in words, not by the line alone', (state, shown, words, button) => {
		const agent = new StandIn(shown);
		host(agent);
		expect(line()?.dataset.state).toBe(state);
		expect(line()?.querySelector("[data-part='status']")?.textContent).toBe(words);
		if (button !== '') expect(screen.getByRole('button', { name: button })).toBeTruthy();
		else expect(screen.queryByRole('button')).toBeNull();
	});

	it('S2-80 marks the target busy only while it is acted on, and always takes it back', () => {
		const agent = new StandIn();
		const { unmount } = host(agent);
		const form = screen.getByRole('form', { name: 'Invoice' });
		const busy = () => form.getAttribute('aria-busy');
		expect(busy()).toBeNull();
		show(agent, acting);
		expect(busy()).toBe('true');
		for (const state of [paused, returned]) {
			show(agent, state);
			expect(busy()).toBeNull();
		}
		show(agent, acting);
		unmount();
		expect(busy()).toBeNull();
	});

	it('S2-54 S2-126 carries the stamp of processing as long as the run acts, and nothing afterwards', async () => {
		vi.useFakeTimers();
		const agent = new StandIn(acting);
		const { unmount } = host(agent);
		const stamped = () => line()?.dataset.eventVerb;
		for (let n = 0; n < 10; n++) {
			agent.write('effect.dispatched', { verb: 'act', step: 's1' });
			await vi.advanceTimersByTimeAsync(10);
		}
		expect(stamped()).toBe('processing');
		await vi.advanceTimersByTimeAsync(60_000);
		expect(stamped()).toBe('processing');
		show(agent, returned);
		await vi.advanceTimersByTimeAsync(60_000);
		expect(stamped()).toBeUndefined();
		unmount();
		vi.useRealTimers();
	});

	it('S2-53 emits what its contract declares, by the agent', async () => {
		const agent = new StandIn(acting);
		const { heard } = host(agent);
		agent.write('plan.proposed', { verb: 'plan', steps: [] });
		agent.write('effect.settled', { step: 's1', status: 'confirmed' });
		agent.write('run.ended', { verb: 'return' });
		expect(heard.map(({ component, family, verb }) => [component, family, verb])).toEqual([
			['aura', 'delegate', 'plan'],
			['aura', 'commit', 'apply'],
			['aura', 'delegate', 'return']
		]);
		expect(heard.every(({ actor }) => actor.kind === 'agent')).toBe(true);
	});

	it('S2-77 listens to a focus in silence once its flag has gone', () => {
		const agent = new StandIn(acting);
		host(agent);
		const field = screen.getByLabelText('Amount');
		const faults: unknown[] = [];
		const fault = (event: ErrorEvent) => {
			faults.push(event.error);
			event.preventDefault();
		};
		window.addEventListener('error', fault);
		field.focus();
		show(agent, { ...returned, undone: 'all' });
		agent.runs = [];
		flushSync();
		expect(line()?.querySelector("[data-part='flag']") ?? null).toBeNull();
		field.blur();
		field.focus();
		window.removeEventListener('error', fault);
		expect(faults).toEqual([]);
	});

	it('S2-77 hears nothing any more after the unmount', () => {
		const agent = new StandIn(acting);
		const { unmount } = host(agent, { turn: true });
		expect(agent.listeners).toBeGreaterThan(0);
		unmount();
		expect(agent.listeners).toBe(0);
		expect(agent.registry.instances).toEqual([]);
	});

	it('S2-11 comes back from the state alone after a remount', async () => {
		const agent = new StandIn(acting);
		const { rerender } = host(agent);
		const before = line()?.outerHTML.replace(/style="[^"]*"/, '');
		await rerender({ shown: false });
		expect(line()).toBeNull();
		await rerender({ shown: true });
		flushSync();
		expect(line()?.outerHTML.replace(/style="[^"]*"/, '')).toBe(before);
	});
});
