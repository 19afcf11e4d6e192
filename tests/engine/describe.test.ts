import { describe, expect, it } from 'vitest';
import type { Outcome, RunState, Step } from '../../src/lib/agent/protocol/run-state.js';
import { describe as say, en, es, situation, type Language, type Naming } from '../../src/lib/langs/index.js';
import { four, drifted, INSTANCES, one, run, setField } from '../fixtures/runs.js';

const naming: Naming = {
	agentName: 'Ada',
	label: (id) => INSTANCES.find((instance) => instance.id === id)?.label ?? id
};

const STATES: readonly RunState['state'][] = [
	'offered',
	'planned',
	'reviewing',
	'authorized',
	'acting',
	'returned',
	'escalated',
	'cancelled'
];
const ACTIVITIES: readonly RunState['activity'][] = ['thinking', 'acting', 'waiting', 'paused', 'idle'];
const REASONS = [
	'question',
	'budget.acts',
	'budget',
	'scope',
	'drift',
	'unknown-effect',
	'consent',
	'auth',
	'stall',
	'transport',
	'desync',
	'store',
	'owner',
	'paused',
	'something-new'
] as const;
const OUTCOMES: readonly Outcome['kind'][] = [
	'answered',
	'completed',
	'partial',
	'proposed',
	'refused',
	'interrupted',
	'exhausted',
	'failed',
	'superseded',
	'abstained'
];

const spent = four().budget.spent;
const ended = (kind: Outcome['kind'], more: Partial<RunState> = {}): RunState =>
	run(four().steps, [], {
		state: 'returned',
		activity: 'idle',
		outcome: { kind, effects: [], spent, reason: { code: 'x', text: 'The letter names no amount.' } },
		...more
	});

/** Every situation a run can be in, by a name for the test. */
function everything(): readonly (readonly [string, RunState])[] {
	const runs: [string, RunState][] = [];
	for (const state of STATES)
		for (const activity of ACTIVITIES) runs.push([`${state} ${activity}`, { ...four(), state, activity }]);
	for (const code of REASONS)
		runs.push([
			`escalated ${code}`,
			{ ...four(), state: 'escalated', escalations: [{ code, text: 'Because.' }] }
		]);
	for (const kind of OUTCOMES) runs.push([`returned ${kind}`, ended(kind)]);
	runs.push(['undone', ended('completed', { undone: 'all' })]);
	runs.push(['partly undone', ended('completed', { undone: 'partial' })]);
	runs.push(['without steps', run([], [], { state: 'planned', activity: 'thinking' })]);
	return runs;
}

describe.each([
	['en', en],
	['es', es]
] as const)('a run in one sentence, %s', (_code, lang: Language) => {
	it.each(everything())('S2-107 says %s in one sentence that names the agent', (_name, state) => {
		const sentence = say(state, lang, naming);
		expect(sentence).toContain('Ada');
		expect(sentence).not.toMatch(/undefined|NaN|\[object|\.$|\n/);
		expect(sentence.length).toBeLessThan(160);
	});

	it('has one sentence for each situation', () => {
		const sentences = [...REASONS.slice(2, -1).map((code) => [code, 'escalated'])].map(([code]) =>
			say({ ...four(), state: 'escalated', escalations: [{ code: code ?? '', text: '' }] }, lang, naming)
		);
		expect(new Set(sentences).size).toBe(sentences.length);
	});
});

describe('the words of a sentence', () => {
	it('names what is waited for, how much and where', () => {
		const steps = [1, 2, 3].map((n) => setField(`s${n}`, `f${n}`, `Field ${n}`, 0, n));
		const state = run(steps, [{ ...one().reviews[0]!, steps: steps.map(({ id }) => id) }]);
		expect(say(state, en, naming)).toBe('Ada is waiting for your review of 3 changes in Invoice');
		expect(say(state, es, naming)).toBe('Ada espera tu revisión de 3 cambios en Invoice');
	});

	it('lists places once and joins the last as each language does', () => {
		expect(say(four(), en, naming)).toContain('4 changes in Invoice, Order 118 and Outbox');
		const labels = { ...naming, label: (id: string) => (id === 'outbox' ? 'Inventario' : naming.label(id)) };
		expect(say(four(), es, labels)).toContain('Invoice, Order 118 e Inventario');
	});

	it('says that a review came again because something changed', () => {
		expect(say(drifted(), en, naming)).toContain('new review');
	});

	it('says the most pressing reason and counts the others', () => {
		const state: RunState = {
			...four(),
			state: 'escalated',
			escalations: [
				{ code: 'paused', text: '' },
				{ code: 'budget.tokens', text: '' },
				{ code: 'question', text: '' }
			]
		};
		expect(say(state, en, naming)).toBe(
			'Ada is waiting for your answer to a question, and 2 other things wait'
		);
	});

	it('counts what became of the steps, and never success alone', () => {
		const statuses: readonly Step['status'][] = ['confirmed', 'confirmed', 'confirmed', 'rejected'];
		const steps = four().steps.map((step, index) => ({ ...step, status: statuses[index]! }));
		expect(say(ended('completed', { steps }), en, naming)).toBe(
			'Ada returned control to you: 3 done, 1 rejected'
		);
		expect(say(ended('completed', { steps }), es, naming)).toBe(
			'Ada te devuelve el control: 3 hechos, 1 rechazado'
		);
	});

	it('knows what can be undone', () => {
		const confirmed = (effect: Step['effect']) =>
			ended('completed', { steps: [{ ...four().steps[0]!, status: 'confirmed', effect }] });
		expect(situation(confirmed('reversible'), naming, en).undoable).toBe(true);
		expect(situation(confirmed('irreversible'), naming, en).undoable).toBe(false);
		expect(situation({ ...confirmed('reversible'), undone: 'all' }, naming, en).undoable).toBe(false);
	});
});
