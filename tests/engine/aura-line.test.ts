import { describe, expect, it } from 'vitest';
import type { RunState, Step } from '../../src/lib/agent/protocol/run-state.js';
import { lineAt, lineOf } from '../../src/lib/canon/surfaces/aura/line.js';
import { renewalOf } from '../../src/lib/canon/surfaces/aura/renewal.js';
import { four, run } from '../fixtures/runs.js';

const withStatus = (...statuses: Step['status'][]): Step[] =>
	four().steps.map((step, index) => ({ ...step, status: statuses[index] ?? 'granted' }));
const acting = run(withStatus('confirmed', 'dispatched'), [], { state: 'acting', activity: 'acting' });
const over = (kind: 'completed' | 'failed' | 'refused', steps: Step[], more: Partial<RunState> = {}) =>
	run(steps, [], {
		state: 'returned',
		activity: 'idle',
		outcome: { kind, effects: [], spent: four().budget.spent },
		...more
	});
const escalated = (...codes: string[]): RunState => ({
	...acting,
	state: 'escalated',
	activity: codes.includes('paused') ? 'paused' : 'waiting',
	escalations: codes.map((code) => ({ code, text: '' }))
});

describe('S2-09 the line tells suggestion, review, act and return apart', () => {
	it.each<[string, RunState | undefined, string]>([
		['nothing runs', undefined, 'idle'],
		['an offer waits', { ...four(), state: 'offered', activity: 'waiting', reviews: [] }, 'waiting'],
		['a run is queued', { ...four(), state: 'offered', activity: 'idle', reviews: [] }, 'idle'],
		['the first request runs', { ...four(), state: 'offered', activity: 'thinking' }, 'thinking'],
		['a review is open', four(), 'waiting'],
		['it acts', acting, 'acting'],
		['a step is about to run', { ...acting, state: 'authorized' }, 'acting'],
		['the person paused it', escalated('paused'), 'paused'],
		['it needs the person, pause or not', escalated('paused', 'question'), 'waiting'],
		['it failed', over('failed', []), 'failed'],
		['it was refused', over('refused', []), 'refused'],
		['control is back', over('completed', []), 'returned']
	])('%s', (_name, state, line) => expect(lineOf(state)).toBe(line));
});

describe('the line around one instance', () => {
	it('stands only where the run is at work', () => {
		expect(lineAt(acting, 'invoice')).toBe('acting');
		expect(lineAt(acting, 'outbox')).toBe('idle');
		expect(lineAt(acting, 'letter')).toBe('idle');
	});

	it('waits at every instance a review names', () => {
		expect(['invoice', 'order', 'outbox', 'letter'].map((id) => lineAt(four(), id))).toEqual([
			'waiting',
			'waiting',
			'waiting',
			'idle'
		]);
	});

	it('ends by what became of the instance, not of the run', () => {
		const state = over('completed', withStatus('confirmed', 'confirmed', 'failed', 'rejected'));
		expect(lineAt(state, 'invoice')).toBe('returned');
		expect(lineAt(state, 'order')).toBe('failed');
		expect(lineAt(state, 'outbox')).toBe('idle');
	});

	it('is gone when the run was undone', () => {
		expect(lineAt(over('completed', withStatus('confirmed'), { undone: 'all' }), 'invoice')).toBe('idle');
	});
});

describe('a renewal', () => {
	const used = four();
	it('adds half of what was granted to what the reason names', () => {
		expect(renewalOf({ ...used, escalations: [{ code: 'budget.acts', text: '' }] })).toEqual({ acts: 10 });
	});
	it('adds to what is nearly used up as well, so that it does not stop again at once', () => {
		const { budget } = used;
		const spent = { ...budget.spent, cost: 0.49 };
		expect(
			renewalOf({ ...used, budget: { ...budget, spent }, escalations: [{ code: 'budget.turns', text: '' }] })
		).toEqual({ turns: 10, cost: 0.25 });
	});
	it('takes the fullest limit where the reason names none', () => {
		expect(renewalOf(used)).toEqual({ acts: 10 });
	});
});
