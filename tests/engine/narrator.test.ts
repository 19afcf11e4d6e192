import { describe, expect, it } from 'vitest';
import type { RunState } from '../../src/lib/agent/protocol/run-state.js';
import { Narrator, type NarratorContext } from '../../src/lib/canon/surfaces/announcer/narrator.js';
import { actorOf, en, es } from '../../src/lib/langs/index.js';
import { drifted, four, INSTANCES, run, setField } from '../fixtures/runs.js';

const context: NarratorContext = {
	lang: en,
	shortcut: 'F8',
	stopping: new Set(),
	nameOf: (run) => actorOf(run, { id: 'ada', name: 'Ada' }).name,
	label: (id) => INSTANCES.find((instance) => instance.id === id)?.label ?? id
};

/** Looks at one state after the other; what is said at each look. */
function story(states: readonly RunState[], more: Partial<NarratorContext> = {}): string[][] {
	const narrator = new Narrator();
	narrator.look([], { ...context, ...more });
	return states.map((state) =>
		narrator.look([state], { ...context, ...more }).phrases.map((phrase) => `${phrase.class}: ${phrase.text}`)
	);
}

const begun = run([], [], { state: 'offered', activity: 'thinking', plan: undefined as never });
const base = four();
const acting = (done: number): RunState => {
	const steps = base.steps.map((step, index) => ({
		...step,
		status:
			index < done ? ('confirmed' as const) : index === done ? ('dispatched' as const) : ('granted' as const)
	}));
	return run(steps, [], { state: 'acting', activity: 'acting' });
};
const returned = (): RunState =>
	run(
		base.steps.map((step, index) => ({
			...step,
			status: index < 3 ? ('confirmed' as const) : ('rejected' as const)
		})),
		[],
		{
			state: 'returned',
			activity: 'idle',
			outcome: { kind: 'completed', effects: [], spent: base.budget.spent }
		}
	);
const waitsFor = (...codes: string[]): RunState => ({
	...acting(1),
	state: 'escalated',
	activity: 'waiting',
	escalations: codes.map((code) => ({ code, text: 'Because.' }))
});

describe('what is told of a run', () => {
	it('S2-107 tells start, plan, review, progress and return, each once', () => {
		expect(
			story([begun, begun, four(), four(), acting(0), acting(0), acting(1), returned(), returned()])
		).toEqual([
			['state: Ada: started on “Read the letter and fill in the invoice”.'],
			[],
			[
				'state: Ada: planned 4 steps in Invoice, Order 118 and Outbox.',
				'needs-you: Ada needs your review: 4 steps, 1 cannot be undone. Press F8 to go there.'
			],
			[],
			['progress: Ada: 1 of 4 in Invoice.'],
			[],
			['progress: Ada: 2 of 4 in Invoice.'],
			['state: Ada: returned control to you. 3 done, 1 rejected. Undo is available.'],
			[]
		]);
	});

	it('S2-107 names the actor first in every phrase, in every language', () => {
		const states = [
			begun,
			four(),
			drifted(),
			acting(1),
			waitsFor('budget.acts'),
			waitsFor('paused'),
			acting(2),
			returned()
		];
		for (const lang of [en, es]) {
			const phrases = story(states, { lang }).flat();
			expect(phrases.length).toBeGreaterThan(7);
			for (const phrase of phrases) expect(phrase).toMatch(/^[a-z-]+: Ada\b/);
		}
	});

	it.each([
		'budget.acts',
		'scope',
		'drift',
		'unknown-effect',
		'consent',
		'auth',
		'stall',
		'transport',
		'desync',
		'store',
		'owner'
	])('S2-107 tells that it needs the person for %s, once, and again when it comes again', (code) => {
		const [, first, second, , again] = story([
			acting(0),
			waitsFor(code),
			waitsFor(code),
			acting(1),
			waitsFor(code)
		]);
		expect(first).toHaveLength(1);
		expect(first?.[0]).toMatch(/^needs-you: Ada /);
		expect(second).toEqual([]);
		expect(again).toEqual(first);
	});

	it('S2-107 tells a pause politely, and that it is over', () => {
		const [, paused, , resumed, pausedAgain] = story([
			acting(0),
			waitsFor('paused'),
			waitsFor('paused'),
			acting(0),
			waitsFor('paused')
		]);
		expect(paused).toEqual(['state: Ada: paused.']);
		expect(resumed).toEqual(['state: Ada: resumed.']);
		expect(pausedAgain).toEqual(['state: Ada: paused.']);
	});

	it('tells a question in its own words, not a second time as an escalation', () => {
		const asking: RunState = {
			...waitsFor('question'),
			questions: [
				{
					id: 'q1',
					run: 'run-1',
					from: { kind: 'agent', id: 'ada' },
					text: 'Which account?',
					reason: 'question',
					status: 'open'
				}
			]
		};
		expect(story([acting(0), asking])[1]).toEqual(['needs-you: Ada asks you: Which account?']);
	});

	it('tells that an approval is void', () => {
		expect(story([four(), drifted()])[1]).toEqual([
			'needs-you: Ada needs a new review: something changed, your approval is void and nothing was done. Press F8 to go there.'
		]);
	});

	it('takes back what no longer needs the person', () => {
		const narrator = new Narrator();
		narrator.look([], context);
		narrator.look([four()], context);
		expect(narrator.look([acting(0)], context).retracted).toEqual(['run-1/needs:review:review-1']);
	});

	it('tells undo and redo', () => {
		const [, undone, redone] = story([returned(), { ...returned(), undone: 'all' }, returned()]);
		expect(undone).toEqual(['state: You undid what Ada had done.']);
		expect(redone).toEqual(['state: Ada: what was undone stands again.']);
	});

	it('says on the first look only what needs the person: the rest is history', () => {
		const looked = (state: RunState) => new Narrator().look([state], context).phrases.map(({ text }) => text);
		expect(looked(returned())).toEqual([]);
		expect(looked({ ...returned(), undone: 'all' })).toEqual([]);
		expect(looked(four())).toEqual([
			'Ada needs your review: 4 steps, 1 cannot be undone. Press F8 to go there.'
		]);
	});

	it('S2-107 says that control is back at once when a stop was asked for', () => {
		expect(story([acting(1)], { stopping: new Set(['run-1']) })[0]).toContain(
			'state: Ada: stopped. You have control.'
		);
	});

	it('names a rule that acts without a model as who acts', () => {
		const steps = [
			{ ...acting(0).steps[0]!, by: { kind: 'rule' as const, id: 'dunning', name: 'Dunning rule' } }
		];
		const [first] = story([run(steps, [], { state: 'planned', activity: 'thinking' })]);
		expect(first?.every((phrase) => phrase.startsWith('state: Dunning rule: '))).toBe(true);
		expect(first).toHaveLength(2);
	});

	it('speaks of many steps in one sentence', () => {
		const steps = Array.from({ length: 200 }, (_, n) => setField(`s${n}`, `f${n}`, `Field ${n}`, 0, n));
		const [first] = story([run(steps, [], { state: 'planned', activity: 'thinking' })]);
		expect(first).toContain('state: Ada: planned 200 steps in Invoice.');
	});
});
