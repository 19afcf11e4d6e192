import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	fold,
	transition,
	verify,
	type Actor,
	type EngineAgent,
	type Run,
	type RunStateName,
	type Verb
} from '../../src/lib/agent/index.js';
import type { ScriptedTurn } from '../../src/lib/agent/adapters/scripted.js';
import { STATES, VERBS } from '../../src/lib/agent/run/transition.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, send, write } from '../fixtures/engine.js';

/** The machine as the design draws it: a state, and the states its arrows lead to. `*`: only while nothing was admitted. */
const DRAWN: Record<string, string> = {
	offered: 'planned returned cancelled* escalated',
	planned: 'planned reviewing authorized returned cancelled* escalated',
	reviewing: 'reviewing authorized planned returned cancelled* escalated',
	authorized: 'authorized acting reviewing planned returned cancelled* escalated',
	acting: 'acting authorized reviewing planned returned escalated',
	escalated: '<left> planned escalated returned cancelled*',
	returned: '',
	cancelled: ''
};
const NAMED: Record<string, string> = {
	plan: 'planned',
	review: 'reviewing',
	authorize: 'authorized',
	act: 'acting',
	escalate: 'escalated',
	return: 'returned',
	cancel: 'cancelled'
};

function drawn(state: string, verb: string, admitted: boolean, left: string | undefined): string {
	const arrows = DRAWN[state]!.split(' ');
	if (verb === 'resume') {
		const live = left !== undefined && !['escalated', 'returned', 'cancelled'].includes(left);
		return arrows.includes('<left>') && live ? left : 'illegal';
	}
	const target = NAMED[verb]!;
	if (arrows.includes(target)) return target;
	return arrows.includes(`${target}*`) && !admitted ? target : 'illegal';
}

describe('the table of transitions', () => {
	const facts = fc.record({
		admitted: fc.boolean(),
		from: fc.option(fc.constantFrom(...STATES), { nil: undefined })
	});

	test('S2-29 knows exactly the states and verbs of the design', () => {
		expect([...STATES].sort()).toEqual(Object.keys(DRAWN).sort());
		expect([...VERBS].sort()).toEqual([...Object.keys(NAMED), 'resume'].sort());
	});

	test('S2-29 draws exactly the transitions of the design, over all states, verbs and facts', () => {
		for (const state of STATES)
			for (const verb of VERBS)
				for (const admitted of [true, false])
					for (const from of [undefined, ...STATES])
						expect(transition(state, verb, { admitted, ...(from ? { from } : {}) }), `${state} ${verb}`).toBe(
							drawn(state, verb, admitted, from)
						);
	});

	test('S2-29 X-01 is absorbing at the end, never cancels what was admitted, and never throws', () => {
		fc.assert(
			fc.property(fc.constantFrom(...STATES), fc.constantFrom(...VERBS), facts, (state, verb, about) => {
				const next = transition(state, verb, about as Parameters<typeof transition>[2]);
				if (state === 'returned' || state === 'cancelled') expect(next).toBe('illegal');
				if (about.admitted) expect(next).not.toBe('cancelled');
				expect([...STATES, 'illegal']).toContain(next);
			})
		);
	});

	test('S2-33 from every reachable live state an end is reachable', () => {
		for (const admitted of [true, false])
			for (const state of STATES) {
				if (state === 'returned' || state === 'cancelled') continue;
				expect(transition(state, 'return', { admitted })).toBe('returned');
			}
	});
});

// ─── random persons, agents and clocks against the real engine

interface Model {
	/** Whether the run has ended, as far as anybody was told. */
	over: boolean;
	admitted: boolean;
	length: number;
}
interface Real {
	engine: EngineAgent;
	run: Run;
	made: ReturnType<typeof bench>;
	outcomes: string[];
}

const agent: Actor = { kind: 'agent', id: 'other' };

/** Every escalation reason of a run stands in what is pending, and nothing of a run that is over but unsettled effects. */
function pendingIsWhole({ engine, run }: Real): void {
	const pending = engine.pending.filter((one) => {
		const of = one.kind === 'review' ? one.review.run : one.kind === 'question' ? one.question.run : one.run;
		return of === run.id;
	});
	for (const { code, data } of run.state.escalations) {
		const shown = pending.some((one) => {
			if (one.kind === 'budget') return code.startsWith('budget');
			if (one.kind === 'unknown-effect') return code === 'unknown-effect';
			if (one.kind === 'question')
				return (data as { question?: string } | undefined)?.question === one.question.id;
			return one.kind === 'escalation' && one.reason.code === code;
		});
		expect(shown, `${code} stands in pending`).toBe(true);
	}
	if (run.state.outcome) expect(pending.every(({ kind }) => kind === 'unknown-effect')).toBe(true);
}

/** In any request every call has exactly one result, directly behind it. */
function closedHistory({ made }: Real): void {
	for (const { messages } of made.requests) {
		let open: string[] = [];
		for (const message of messages) {
			if (message.role === 'result') {
				expect(open.shift()).toBe(message.call);
				continue;
			}
			expect(open).toEqual([]);
			if (message.role === 'assistant') open = message.calls.map(({ id }) => id);
		}
		expect(open).toEqual([]);
	}
}

function invariants(model: Model, real: Real): void {
	const { run } = real;
	const { state, journal } = run;
	expect(verify(journal)).toEqual([]);
	expect(fold(journal)).toEqual(state);
	const over = state.state === 'returned' || state.state === 'cancelled';
	if (model.over) {
		expect(over).toBe(true);
		const late = journal.slice(model.length).map(({ kind }) => kind);
		for (const kind of late)
			expect(['effect.late', 'effect.ruled', 'run.undone', 'run.redone']).toContain(kind);
	}
	model.admitted ||= journal.some(({ kind }) => kind === 'effect.dispatched');
	if (model.admitted) expect(state.state).not.toBe('cancelled');
	expect(state.outcome !== undefined).toBe(over);
	if (over) {
		expect(state.escalations).toEqual([]);
		expect(state.steps.every(({ status }) => status !== 'granted' && status !== 'dispatched')).toBe(true);
		expect(state.reviews.every(({ status }) => status !== 'open')).toBe(true);
	}
	expect(state.state === 'escalated').toBe(state.escalations.length > 0);
	if (state.state === 'reviewing')
		expect(state.reviews.some(({ status }) => status === 'open') || state.activity === 'acting').toBe(true);
	pendingIsWhole(real);
	closedHistory(real);
	model.over = over;
	model.length = journal.length;
}

const command = (name: string, act: (real: Real) => unknown): fc.AsyncCommand<Model, Real> => ({
	check: () => true,
	async run(model, real) {
		await act(real);
		await real.made.settle();
		invariants(model, real);
	},
	toString: () => name
});

const by = (who: number): Actor => [person, agent, { kind: 'app', id: 'app' } as const][who % 3]!;
const openReview = (run: Run) => run.state.reviews.find(({ status }) => status === 'open');
const openQuestion = (run: Run) => run.state.questions.find(({ status }) => status === 'open');

const commands = [
	fc.nat(40_000).map((ms) => command(`advance ${ms}`, ({ made }) => made.clock.advance(ms))),
	fc.constant(command('wait a day', ({ made }) => made.clock.advance(25 * 3600_000))),
	fc.tuple(fc.constantFrom('approve', 'reject'), fc.nat(2)).map(([verdict, who]) =>
		command(`${verdict} by ${who}`, ({ run }) => {
			const review = openReview(run);
			if (review) run.decide({ review: review.id, verdict: verdict as 'approve' }, by(who));
		})
	),
	fc.array(fc.constantFrom('approve', 'reject', 'edit'), { minLength: 1, maxLength: 4 }).map((verdicts) =>
		command(`decide ${verdicts.join(' ')}`, ({ run }) => {
			const review = openReview(run);
			if (!review) return;
			const steps = review.steps.map((id, i) => {
				const verdict = verdicts[i % verdicts.length] as 'approve' | 'reject' | 'edit';
				return [id, verdict === 'edit' ? { verdict, args: { key: 'city', value: 'x' } } : { verdict }];
			});
			run.decide({ review: review.id, steps: Object.fromEntries(steps) }, person);
		})
	),
	fc.boolean().map((yes) =>
		command(yes ? 'answer' : 'decline', ({ run }) => {
			const question = openQuestion(run);
			if (!question) return;
			if (!yes) run.decline(question.id, undefined, person);
			else run.answer(question.id, question.reason === 'consent' ? [] : 'Bilbao', person);
		})
	),
	fc.nat(2).map((who) => command(`pause by ${who}`, ({ run }) => run.pause(by(who)))),
	fc.nat(2).map((who) => command(`resume by ${who}`, ({ run }) => run.resume(by(who)))),
	fc
		.constantFrom('acts', 'turns', 'ms')
		.map((limit) =>
			command(`renew ${limit}`, ({ run }) => run.renew({ [limit]: limit === 'ms' ? 5000 : 2 }, person))
		),
	fc.constantFrom('done', 'not-done', 'abandon').map((fact) =>
		command(`settle ${fact}`, ({ run }) => {
			const effect = run.state.effects.find(({ status }) => status === 'unknown');
			if (effect) run.settle(effect.operation, fact as 'done', person);
		})
	),
	fc
		.constantFrom('no, euros', 'how far?', 'pause')
		.map((text) => command(`steer ${text}`, ({ run }) => run.steer(text, person).then(() => undefined))),
	fc.constantFrom(undefined, 'throw-before', 'throw-after', 'never').map((fault) =>
		command(`fault ${fault}`, ({ made }) => {
			made.sheet.fault = fault as 'never';
		})
	),
	fc.constant(
		command('type', ({ made }) => void (made.sheet.fault ?? made.sheet.write('due', `${Math.random()}`)))
	),
	fc
		.constantFrom('suggest', 'review', 'auto')
		.map((level) => command(`level ${level}`, ({ engine }) => engine.setLevel(level as 'auto', person))),
	fc.constant(command('unmount', ({ made }) => made.dispose())),
	fc.constant(
		command('stop', (real) => {
			void real.run.stop('enough', person);
		})
	)
];

const turn: fc.Arbitrary<ScriptedTurn> = fc.oneof(
	fc.record({
		say: fc.constant('I do.'),
		calls: fc.array(
			fc.oneof(
				fc.constantFrom(
					write('amount', '1'),
					write('due', '2'),
					write('city', '3'),
					send('x@y.example'),
					send('nobody')
				),
				fc.constant({ instance: 'sheet', act: 'sum', args: { a: 'amount', b: 'amount' } }),
				fc.constant({ instance: 'elsewhere', act: 'write', args: { key: 'a', value: 'b' } }),
				fc.constant({ ...write('amount', '1'), raw: '{"instance":"sheet",' })
			),
			{ minLength: 1, maxLength: 3 }
		)
	}),
	fc.constant({ control: [{ name: 'ask', args: { text: 'Which city?' } }] }),
	fc.constant({ control: [{ name: 'pull', args: { instance: 'sheet', read: 'diary' } }] }),
	fc.constant({
		say: 'mixed',
		calls: [write('amount', '9')],
		control: [{ name: 'finish', args: { text: 'ok' } }]
	}),
	fc.constant({ hang: true }),
	fc.constant({ cut: true, calls: [write('amount', '1')] }),
	fc.constant({ fail: { text: 'busy' } }),
	fc.constant({ fail: { text: 'no', retryable: false } }),
	fc.constant({ refuse: { category: '', text: 'no' } }),
	fc.constant({ say: 'Done.' })
);

describe('the engine under random persons, agents and clocks', () => {
	test('S2-29 S2-32 keeps the laws of the machine after every action, and control always returns', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(turn, { minLength: 1, maxLength: 5 }),
				fc.constantFrom('review' as const, 'auto' as const),
				fc.commands(commands, { maxCommands: 14 }),
				async (turns, ceiling, actions) => {
					const made = bench(turns, {
						policy: { ceiling },
						budget: { acts: 5, turns: 5, ms: 200_000 }
					});
					const run = made.engine.run('Correct the sheet', { by: person });
					const real: Real = { engine: made.engine, run, made, outcomes: [] };
					run.returned.then(({ kind }) => real.outcomes.push(kind));
					const model: Model = { over: false, admitted: false, length: 0 };
					await made.settle();
					await fc.asyncModelRun(() => ({ model, real }), actions);
					// However it stands, a stop returns control after settleMs at the latest.
					void run.stop('enough', person);
					await made.clock.advance(10_000);
					invariants(model, real);
					expect(run.state.outcome).toBeDefined();
					expect(real.outcomes).toEqual([run.state.outcome!.kind]);
					const end: RunStateName[] = ['returned', 'cancelled'];
					expect(end).toContain(run.state.state);
				}
			),
			{ numRuns: 120 }
		);
	}, 120_000);

	test('S2-32 control also returns by itself: left alone, every run ends within its patience', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(turn, { minLength: 1, maxLength: 4 }),
				fc.constantFrom(undefined, 'throw-before', 'throw-after', 'never'),
				async (turns, fault) => {
					const made = bench(turns, { policy: { ceiling: 'auto' } });
					made.sheet.fault = fault as 'never';
					const run = made.engine.run('Correct the sheet', { by: person });
					for (let day = 0; day < 8 && !run.state.outcome; day++) await made.clock.advance(25 * 3600_000);
					expect(run.state.outcome).toBeDefined();
					expect(verify(run.journal)).toEqual([]);
				}
			),
			{ numRuns: 60 }
		);
	}, 120_000);

	test('S2-29 what the table forbids an engine does not record', () => {
		const made = bench([{ say: 'x' }]);
		const run = made.engine.run('x', { by: person });
		const before = run.journal.length;
		expect(run.resume(person)).toMatchObject({ refused: { code: 'illegal-transition' } });
		expect(run.journal).toHaveLength(before);
		const verbs: Verb[] = ['resume'];
		expect(transition('offered', verbs[0]!, { admitted: false })).toBe('illegal');
	});
});
