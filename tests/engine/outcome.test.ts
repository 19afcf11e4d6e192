import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verify, type AgentOptions, type Run } from '../../src/lib/agent/index.js';
import type { ScriptedTurn } from '../../src/lib/agent/adapters/scripted.js';
import { outcomeKind, type OutcomeFacts } from '../../src/lib/agent/run/outcome.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, send, write } from '../fixtures/engine.js';

const NOTHING: OutcomeFacts = {
	superseded: false,
	interrupted: false,
	broken: false,
	exhausted: false,
	refused: false,
	proposed: false,
	steps: 0,
	admitted: false,
	confirmed: 0,
	faulty: 0
};

/** The list of the design, each line with its own condition; the first that holds is the outcome. */
const LINES: readonly [string, (facts: OutcomeFacts) => boolean][] = [
	['superseded', (facts) => facts.superseded],
	['interrupted', (facts) => facts.interrupted],
	['failed', ({ confirmed, broken, faulty }) => confirmed === 0 && (broken || faulty > 0)],
	[
		'partial',
		({ confirmed, exhausted, faulty, broken }) => confirmed >= 1 && (exhausted || faulty > 0 || broken)
	],
	['exhausted', ({ exhausted, confirmed }) => exhausted && confirmed === 0],
	['refused', ({ refused }) => refused],
	['proposed', ({ proposed, confirmed }) => proposed && confirmed === 0],
	['completed', ({ confirmed }) => confirmed >= 1],
	['refused', ({ steps, admitted }) => steps >= 1 && !admitted],
	['answered', () => true]
];

describe('the kind of an outcome', () => {
	const facts = fc
		.record({
			superseded: fc.boolean(),
			interrupted: fc.boolean(),
			broken: fc.boolean(),
			exhausted: fc.boolean(),
			refused: fc.boolean(),
			proposed: fc.boolean(),
			steps: fc.nat(3),
			admitted: fc.boolean(),
			confirmed: fc.nat(3),
			faulty: fc.nat(3)
		})
		.map((one) => ({ ...one, steps: one.steps + one.confirmed + one.faulty }))
		.map((one) => ({ ...one, admitted: one.admitted || one.confirmed + one.faulty > 0 }));

	test('S2-112 is the first line of the list that holds', () => {
		fc.assert(
			fc.property(facts, (one) => {
				expect(outcomeKind(one)).toBe(LINES.find(([, holds]) => holds(one))![0]);
			}),
			{ numRuns: 2000 }
		);
	});

	test('S2-112 each fact alone gives its kind, and a later one never hides an earlier one', () => {
		expect(outcomeKind(NOTHING)).toBe('answered');
		expect(outcomeKind({ ...NOTHING, steps: 1 })).toBe('refused');
		expect(outcomeKind({ ...NOTHING, steps: 2, admitted: true, confirmed: 1 })).toBe('completed');
		expect(outcomeKind({ ...NOTHING, steps: 1, proposed: true })).toBe('proposed');
		expect(outcomeKind({ ...NOTHING, exhausted: true, refused: true })).toBe('exhausted');
		expect(outcomeKind({ ...NOTHING, steps: 2, admitted: true, confirmed: 1, exhausted: true })).toBe(
			'partial'
		);
		expect(outcomeKind({ ...NOTHING, steps: 1, admitted: true, faulty: 1, exhausted: true })).toBe('failed');
		expect(outcomeKind({ ...NOTHING, broken: true, interrupted: true })).toBe('interrupted');
		expect(outcomeKind({ ...NOTHING, interrupted: true, superseded: true })).toBe('superseded');
	});
});

const approve = (run: Run): void => {
	const review = run.state.reviews.find(({ status }) => status === 'open');
	if (review) run.decide({ review: review.id, verdict: 'approve' }, person);
};

interface Story {
	kind: string;
	title: string;
	turns: readonly ScriptedTurn[];
	options?: Partial<AgentOptions>;
	run?: Parameters<ReturnType<typeof bench>['engine']['run']>[1];
	fault?: 'throw-before' | 'throw-after';
	then?: (run: Run, made: ReturnType<typeof bench>) => unknown;
}

const AUTO: Partial<AgentOptions> = { policy: { ceiling: 'auto' } };
const DAY = 25 * 3600_000;

const stories: readonly Story[] = [
	{ kind: 'answered', title: 'words alone', turns: [{ say: 'Hello' }] },
	{
		kind: 'answered',
		title: 'a call without effect is no step',
		turns: [
			{ calls: [{ instance: 'sheet', act: 'sum', args: { a: 'amount', b: 'amount' } }] },
			{ say: '2400' }
		]
	},
	{
		kind: 'completed',
		title: 'a write',
		turns: [{ calls: [write('amount', '1')] }, { say: 'ok' }],
		options: AUTO
	},
	{
		kind: 'completed',
		title: 'a sibling that was rejected',
		turns: [{ calls: [write('amount', '1'), write('due', '2')] }, { say: 'ok' }],
		then(run) {
			const review = run.state.reviews.find(({ status }) => status === 'open')!;
			const [a, b] = review.steps;
			run.decide(
				{ review: review.id, steps: { [a!]: { verdict: 'approve' }, [b!]: { verdict: 'reject' } } },
				person
			);
		}
	},
	{
		kind: 'proposed',
		title: 'suggest',
		turns: [{ say: 'I would.', calls: [write('amount', '1')] }],
		run: { level: 'suggest' }
	},
	{
		kind: 'refused',
		title: 'everything was rejected',
		turns: [{ calls: [write('amount', '1')] }, { say: 'As you wish.' }],
		then(run) {
			const review = run.state.reviews.find(({ status }) => status === 'open')!;
			run.decide({ review: review.id, verdict: 'reject' }, person);
		}
	},
	{ kind: 'refused', title: 'the model refused', turns: [{ refuse: { category: '', text: 'no' } }] },
	{
		kind: 'refused',
		title: 'a review that nobody decided',
		turns: [{ calls: [write('amount', '1')] }],
		then: (_run, { clock }) => clock.advance(DAY)
	},
	{
		kind: 'failed',
		title: 'the transport for good',
		turns: [{ fail: { text: 'gone', retryable: false } }]
	},
	{
		kind: 'failed',
		title: 'the only write threw',
		turns: [{ calls: [write('amount', '1')] }, { say: 'Sorry.' }],
		options: AUTO,
		fault: 'throw-before'
	},
	{
		kind: 'failed',
		title: 'the only write is unknown',
		turns: [{ calls: [write('amount', '1')] }, { say: 'Sorry.' }],
		options: AUTO,
		fault: 'throw-after'
	},
	{
		kind: 'partial',
		title: 'a write, then a sending that was refused over there',
		turns: [{ calls: [write('amount', '1'), send('nobody')] }, { say: 'Half.' }],
		then: approve
	},
	{
		kind: 'partial',
		title: 'a write, then the transport broke',
		turns: [{ calls: [write('amount', '1')] }, { fail: { text: 'gone', retryable: false } }],
		options: AUTO
	},
	{
		kind: 'partial',
		title: 'a write, then a budget that nobody renewed',
		turns: [{ calls: [write('amount', '1'), write('due', '2')] }, { say: 'One of two.' }],
		options: { ...AUTO, budget: { acts: 1 } },
		then: (_run, { clock }) => clock.advance(DAY)
	},
	{
		kind: 'exhausted',
		title: 'a budget for nothing',
		turns: [{ calls: [write('amount', '1')] }, { say: 'Nothing was possible.' }],
		options: { ...AUTO, budget: { acts: 0 } },
		then: (_run, { clock }) => clock.advance(DAY)
	},
	{
		kind: 'interrupted',
		title: 'a stop',
		turns: [{ hang: true }],
		then: (run) => run.stop(undefined, person)
	},
	{
		kind: 'superseded',
		title: 'another run',
		turns: [{ hang: true }, { say: 'the other' }],
		then: (_run, { engine }) => void engine.run('other', { by: person, whenBusy: 'supersede' })
	}
];

describe('the outcome of a run', () => {
	for (const story of stories)
		test(`S2-112 ${story.kind}: ${story.title}`, async () => {
			const made = bench(story.turns, story.options);
			if (story.fault) made.sheet.fault = story.fault;
			const run = made.engine.run('Correct the sheet', { by: person, ...story.run });
			await made.settle();
			await story.then?.(run, made);
			await made.settle();
			expect(run.state.outcome).toMatchObject({ kind: story.kind });
			expect(await run.returned).toEqual(run.state.outcome);
			expect(run.state.outcome!.effects).toEqual(run.state.effects);
			expect(run.state.outcome!.spent).toEqual(run.state.budget.spent);
			expect(verify(run.journal)).toEqual([]);
		});

	test('S2-40 a run whose budget ran out says what it did in a wrap-up of its own', async () => {
		const made = bench([{ calls: [write('amount', '1'), write('due', '2')] }, { say: 'One of two.' }], {
			...AUTO,
			budget: { acts: 1 }
		});
		const run = made.engine.run('Correct the sheet', { by: person });
		await made.settle();
		expect(made.requests[1]!.tools).toEqual([]);
		expect(made.requests[1]!.messages.at(-1)).toMatchObject({ role: 'result', performative: 'cancel' });
		await made.clock.advance(DAY);
		expect(await run.returned).toMatchObject({
			kind: 'partial',
			text: 'One of two.',
			reason: { code: 'expired' }
		});
	});
});
