import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ActorKind } from '../../src/lib/actor/index.js';
import { fold, verify } from '../../src/lib/agent/index.js';
import type { Decision } from '../../src/lib/agent/protocol/run-state.js';
import { person } from '../../src/lib/testing/index.js';
import { Lab, laboratory, set, share, wire } from '../fixtures/lab.js';

const KINDS: readonly ActorKind[] = ['human', 'agent', 'rule', 'app', 'outside'];
const three = [set('a', '1x'), set('b', '2x'), set('c', '3x')];
const reviewing = async (
	calls = three,
	options: Parameters<typeof laboratory>[1] = {},
	later: Parameters<typeof laboratory>[0] = []
) => {
	const made = laboratory(
		(request, index) =>
			index === 0 ? { calls } : ((Array.isArray(later) ? later[index - 1] : undefined) ?? {}),
		{ policy: { ceiling: 'review' }, ...options }
	);
	const run = made.engine.run('go', { by: person });
	await made.settle();
	const review = run.state.reviews[0]!;
	expect(review.status).toBe('open');
	return { ...made, run, review, ids: review.steps };
};
const all = (ids: readonly string[], verdict: 'approve' | 'reject') =>
	Object.fromEntries(ids.map((id) => [id, { verdict }]));

describe('S0-04 a decision that cannot be taken is a value with a code', () => {
	test('I7 review-unknown, review-settled, run-over', async () => {
		const { run, review } = await reviewing();
		expect(run.decide({ review: 'nothing', verdict: 'approve' }, person)).toMatchObject({
			ok: false,
			refused: { code: 'review-unknown' }
		});
		expect(run.decide({ review: review.id, verdict: 'approve' }, person)).toEqual({ ok: true });
		expect(run.decide({ review: review.id, verdict: 'reject' }, person)).toMatchObject({
			refused: { code: 'review-settled' }
		});
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(run.decide({ review: review.id, verdict: 'approve' }, person)).toMatchObject({
			refused: { code: 'run-over' }
		});
	});

	test('I8 decision-incomplete: partly named, over-named, wrong words, both forms at once; nothing is settled', async () => {
		const { run, review, ids, lab, settle } = await reviewing();
		const odd: unknown[] = [
			{ review: review.id, steps: all(ids.slice(0, 2), 'approve') },
			{ review: review.id, steps: all([...ids, 'more'], 'approve') },
			{ review: review.id, steps: all(['x', 'y', 'z'], 'approve') },
			{ review: review.id, steps: {} },
			{ review: review.id, steps: null },
			{ review: review.id },
			{ review: review.id, verdict: 'maybe' },
			{ review: review.id, steps: { ...all(ids, 'approve'), [ids[0]!]: { verdict: 'toString' } } },
			{ review: review.id, steps: { ...all(ids, 'approve'), [ids[0]!]: null } },
			{ review: review.id, verdict: 'approve', steps: all(ids, 'reject') }
		];
		for (const decision of odd)
			expect(run.decide(decision as Decision, person)).toMatchObject({
				ok: false,
				refused: { code: 'decision-incomplete' }
			});
		for (const decision of [null, undefined, {}, 'approve'])
			expect(run.decide(decision as never, person)).toMatchObject({ refused: { code: 'review-unknown' } });
		await settle();
		expect(run.state.reviews[0]!.status).toBe('open');
		expect(lab.log).toEqual([]);
	});

	test('S0-55 who may decide: agents and outside callers nothing, rules and apps what is unprotected, a person all', async () => {
		for (const protectedStep of [false, true])
			for (const kind of KINDS)
				for (const verdict of ['approve', 'reject'] as const) {
					const { run, review } = await reviewing([protectedStep ? wire('b') : set('a', 'x')]);
					const by = { kind, id: 'it' };
					const may = kind === 'human' || (!protectedStep && (kind === 'app' || kind === 'rule'));
					const report = run.decide({ review: review.id, verdict }, by);
					expect([kind, protectedStep, report]).toEqual([
						kind,
						protectedStep,
						may ? { ok: true } : { ok: false, refused: report.refused }
					]);
					if (!may) expect(report.refused!.code).toBe('person-required');
				}
	});

	test('S0-55 an edit by an app may not make a step protected', async () => {
		const args = z.strictObject({
			key: z.string().describe('Cell'),
			value: z.string().optional().describe('Address')
		});
		const { run, review, ids } = await reviewing([{ ...set('a', ''), args: { key: 'a' } as never }], {
			tainted: true,
			change: { set: { sinks: { value: 'url' }, args: args as never } }
		});
		const steps = {
			[ids[0]!]: { verdict: 'edit' as const, args: { key: 'a', value: 'http://evil.example' } }
		};
		expect(run.decide({ review: review.id, steps }, { kind: 'app', id: 'app' })).toMatchObject({
			ok: false,
			refused: { code: 'person-required' }
		});
		expect(run.decide({ review: review.id, verdict: 'approve' }, { kind: 'app', id: 'app' })).toEqual({
			ok: true
		});
	});

	test('S0-55 a pause is left by a person; a program may take back a program’s, never a person’s or an agent’s', async () => {
		for (const pauser of KINDS)
			for (const resumer of KINDS) {
				const { run } = await reviewing();
				expect(run.pause({ kind: pauser, id: 'a' })).toEqual({ ok: true });
				const program = (kind: ActorKind) => kind === 'app' || kind === 'rule';
				const may = resumer === 'human' || (program(resumer) && program(pauser));
				expect([pauser, resumer, run.resume({ kind: resumer, id: 'b' }).ok]).toEqual([pauser, resumer, may]);
				expect(run.state.state).toBe(may ? 'reviewing' : 'escalated');
			}
	});

	test('S0-55 nobody is human by default', async () => {
		const { run, review } = await reviewing([wire('b')]);
		expect(run.decide({ review: review.id, verdict: 'approve' })).toMatchObject({
			refused: { code: 'person-required' }
		});
	});
});

describe('I7 a grant is used once', () => {
	test('I7 two decisions at once: the first holds, one execution', async () => {
		const { run, review, lab } = await reviewing([set('a', 'x')]);
		const reports = [1, 2, 3].map(() => run.decide({ review: review.id, verdict: 'approve' }, person));
		expect(reports.map(({ ok }) => ok)).toEqual([true, false, false]);
		await run.returned;
		expect(lab.log).toHaveLength(1);
	});

	test('I7 a decision inside the act it set off changes nothing', async () => {
		const lab = new Lab();
		const { run, review } = await reviewing([set('a', 'x')], { lab });
		let inner: unknown;
		lab.next.push(() => {
			inner = run.decide({ review: review.id, verdict: 'reject' }, person);
			return { kind: 'done' };
		});
		run.decide({ review: review.id, verdict: 'approve' }, person);
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(inner).toMatchObject({ refused: { code: 'review-settled' } });
	});
});

describe('I8 S2-122 each step by itself', () => {
	test('I8 exactly the approved run, in order, for every choice', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), async (yes) => {
				const { run, review, ids, lab } = await reviewing();
				const steps = Object.fromEntries(
					ids.map((id, i) => [id, { verdict: yes[i] ? ('approve' as const) : ('reject' as const) }])
				);
				// The order in which steps are named is nothing.
				const shuffled = Object.fromEntries(Object.entries(steps).reverse());
				expect(run.decide({ review: review.id, steps: shuffled }, person)).toEqual({ ok: true });
				const outcome = await run.returned;
				expect(lab.log.map(({ args }) => args.key)).toEqual(['a', 'b', 'c'].filter((_key, i) => yes[i]));
				expect(run.state.steps.map(({ status }) => status)).toEqual(
					yes.map((one) => (one ? 'confirmed' : 'rejected'))
				);
				expect(outcome.kind).toBe(yes.some(Boolean) ? 'completed' : 'refused');
				expect(verify(run.journal)).toEqual([]);
				expect(fold(run.journal)).toEqual(run.state);
			}),
			{ numRuns: 16 }
		);
	});

	test('S2-121 a rejection reaches the model as content with its reason', async () => {
		const { run, review, ids, requests } = await reviewing();
		run.decide(
			{
				review: review.id,
				steps: { ...all(ids, 'approve'), [ids[1]!]: { verdict: 'reject', reason: 'b is mine' } }
			},
			person
		);
		await run.returned;
		const results = requests[1]!.messages.filter(({ role }) => role === 'result');
		expect(results.map((it) => 'performative' in it && it.performative)).toEqual([
			'inform',
			'refuse',
			'inform'
		]);
		expect(results[1]).toMatchObject({ content: { refused: { code: 'rejected', text: 'b is mine' } } });
	});

	test('S2-121 all rejected: planned, the model goes on, outcome refused', async () => {
		const { run, review } = await reviewing();
		const states: string[] = [];
		run.decide({ review: review.id, verdict: 'reject', reason: 'no' }, person);
		states.push(run.state.state);
		expect(states).toEqual(['planned']);
		expect(await run.returned).toMatchObject({ kind: 'refused' });
	});

	test('S2-121 all rejected while paused: planned follows the resume', async () => {
		const { run, review, settle, requests } = await reviewing();
		run.pause(person);
		expect(run.decide({ review: review.id, verdict: 'reject' }, person)).toEqual({ ok: true });
		await settle();
		expect(requests).toHaveLength(1);
		run.resume(person);
		expect(run.state.state).toBe('planned');
		expect(await run.returned).toMatchObject({ kind: 'refused' });
	});

	test('S2-122 approved while paused: it takes effect on resume', async () => {
		const { run, review, settle, lab } = await reviewing();
		run.pause(person);
		expect(run.decide({ review: review.id, verdict: 'approve' }, person)).toEqual({ ok: true });
		await settle();
		expect(lab.log).toEqual([]);
		run.resume(person);
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(lab.log).toHaveLength(3);
	});

	test('S2-122 the card names exactly the steps that ask; the others are shown as policy’s', async () => {
		const { run, review, lab } = await reviewing([set('a', 'x'), wire('b'), set('c', 'y')], {
			policy: { ceiling: 'auto' }
		});
		expect(review.steps).toEqual([run.state.steps[1]!.id]);
		expect(run.state.steps.map(({ asks }) => asks)).toEqual(['policy', 'person', 'policy']);
		expect(lab.log).toEqual([]);
		run.decide({ review: review.id, verdict: 'approve' }, person);
		await run.returned;
		expect(lab.log.map(({ act }) => act)).toEqual(['set', 'wire', 'set']);
		expect(run.state.effects.map(({ how }) => how)).toEqual(['policy', 'person', 'policy']);
	});
});

describe('I9 an edit is a new proposal of the same act', () => {
	test('I9 S2-90 executed are the edited arguments; the history keeps the proposal and says so', async () => {
		const { run, review, ids, requests, lab } = await reviewing([set('a', 'theirs')]);
		run.decide(
			{ review: review.id, steps: { [ids[0]!]: { verdict: 'edit', args: { key: 'a', value: 'mine' } } } },
			person
		);
		await run.returned;
		expect(lab.log.map(({ args }) => args)).toEqual([{ key: 'a', value: 'mine' }]);
		expect(run.state.steps[0]).toMatchObject({
			args: { key: 'a', value: 'mine' },
			proposed: { key: 'a', value: 'theirs' },
			label: { integrity: 'trusted', origins: ['user'] }
		});
		const [assistant, result] = requests[1]!.messages.slice(-2);
		expect(JSON.stringify(assistant)).toContain('theirs');
		expect(result).toMatchObject({
			performative: 'inform',
			content: {
				note: 'Executed with arguments edited by the person.',
				executed: { key: 'a', value: 'mine' }
			}
		});
	});

	test('I9 issues of the schema come back at once, for each step, and the review stays open', async () => {
		const { run, review, ids, lab } = await reviewing([set('a', 'x'), set('b', 'y')]);
		const steps = (args: unknown) => ({
			[ids[0]!]: { verdict: 'edit' as const, args },
			[ids[1]!]: { verdict: 'approve' as const }
		});
		for (const args of [
			{ key: 'a' },
			{ key: 'a', value: 1 },
			{ key: 'a', value: 'x', act: 'wire' },
			{ key: 'a', value: 'x', instance: 'mail' },
			undefined,
			null,
			'text',
			[]
		]) {
			const report = run.decide({ review: review.id, steps: steps(args) }, person);
			expect(report).toMatchObject({ ok: false, refused: { code: 'args-invalid' } });
			expect(report.issues![ids[0]!]!.length).toBeGreaterThan(0);
		}
		expect(
			run.decide({ review: review.id, steps: steps({ key: 'a', value: () => 1 }) }, person)
		).toMatchObject({
			refused: { code: 'not-json' }
		});
		expect(run.state.reviews[0]!.status).toBe('open');
		expect(lab.log).toEqual([]);
		expect(run.decide({ review: review.id, steps: steps({ key: 'a', value: 'z' }) }, person)).toEqual({
			ok: true
		});
	});

	test('I9 policy that denies the edit refuses that step; the rest of the decision stands', async () => {
		const { run, review, ids, lab } = await reviewing([set('a', 'x'), set('b', 'y')], {
			policy: {
				ceiling: 'review',
				rules: [
					{
						verdict: 'deny',
						reason: 'never that',
						when: (step) => (step.args as { value: string }).value === 'forbidden'
					}
				]
			}
		});
		const report = run.decide(
			{
				review: review.id,
				steps: {
					[ids[0]!]: { verdict: 'edit', args: { key: 'a', value: 'forbidden' } },
					[ids[1]!]: { verdict: 'approve' }
				}
			},
			person
		);
		expect(report).toEqual({ ok: true });
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(run.state.steps.map(({ status }) => status)).toEqual(['refused', 'confirmed']);
		expect(lab.log.map(({ args }) => args.value)).toEqual(['y']);
	});

	test('I9 the edit is the approval, another operation, and cannot become another act', async () => {
		const { run, review, ids } = await reviewing([share('a', 'x')]);
		const before = run.state.steps[0]!;
		run.decide(
			{ review: review.id, steps: { [ids[0]!]: { verdict: 'edit', args: { key: 'b', value: 'y' } } } },
			person
		);
		await run.returned;
		expect(run.state.reviews).toHaveLength(1);
		expect(run.state.steps[0]).toMatchObject({
			act: before.act,
			instance: before.instance,
			effect: before.effect
		});
		expect(run.state.effects[0]!.operation).toBe(`${before.id}-o2`);
	});
});

describe('S2-44 silence never approves', () => {
	test('S2-44 a review that runs out returns expired, partial or refused', async () => {
		const { run, lab, clock } = await reviewing(three, { patience: { reviewMs: 1000 } });
		await clock.advance(999);
		expect(run.state.state).toBe('reviewing');
		await clock.advance(1);
		expect(await run.returned).toMatchObject({ kind: 'refused', reason: { code: 'expired' } });
		expect(run.state.reviews[0]!.status).toBe('expired');
		expect(run.state.steps.every(({ status }) => status === 'skipped')).toBe(true);
		expect(lab.log).toEqual([]);
	});

	test('S2-44 audit 20 a person takes more time before it runs out, nobody else does, and the end of it still approves nothing', async () => {
		const { run, review, lab, clock } = await reviewing(three, { patience: { reviewMs: 1000 } });
		const more = (kind: ActorKind) => run.keepOpen(review.id, { kind, id: kind });
		await clock.advance(900);
		for (const kind of KINDS.filter((one) => one !== 'human'))
			expect(more(kind)).toMatchObject({ ok: false, refused: { code: 'person-required' } });
		expect(run.keepOpen('nothing', person)).toMatchObject({ refused: { code: 'review-unknown' } });
		expect(more('human')).toEqual({ ok: true });
		expect(run.state.reviews[0]!.expiresAt).toBe(clock.now() + 1000);
		await clock.advance(999);
		expect(run.state.state).toBe('reviewing');
		await clock.advance(1);
		expect(await run.returned).toMatchObject({ kind: 'refused', reason: { code: 'expired' } });
		expect(more('human')).toMatchObject({ refused: { code: 'run-over' } });
		expect(lab.log).toEqual([]);
		expect(verify(run.journal)).toEqual([]);
		expect(fold(run.journal)).toEqual(run.state);
	});

	test('S2-44 what was decided in the time gained is done', async () => {
		const { run, review, lab, clock } = await reviewing(three, { patience: { reviewMs: 1000 } });
		await clock.advance(900);
		run.keepOpen(review.id, person);
		await clock.advance(900);
		expect(run.decide({ review: review.id, verdict: 'approve' }, person)).toEqual({ ok: true });
		expect(run.keepOpen(review.id, person)).toMatchObject({ refused: { code: 'review-settled' } });
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(lab.log).toHaveLength(3);
	});

	test('S2-44 after something was done it is partial', async () => {
		const { run, review, clock, settle } = await reviewing(
			[set('a', 'x')],
			{ patience: { reviewMs: 1000 } },
			[{ calls: [set('b', 'y')] }]
		);
		run.decide({ review: review.id, verdict: 'approve' }, person);
		await settle();
		await clock.advance(1000);
		expect(await run.returned).toMatchObject({ kind: 'partial', reason: { code: 'expired' } });
	});

	test('S2-44 a permission that ran out before its turn asks again', async () => {
		const lab = new Lab();
		let finish = (): void => undefined;
		lab.next.push(() => new Promise((resolve) => (finish = () => resolve({ kind: 'done' }))));
		const { run, review, clock, settle } = await reviewing([set('a', 'x'), set('b', 'y')], {
			patience: { reviewMs: 1000 },
			lab
		});
		run.decide({ review: review.id, verdict: 'approve' }, person);
		await settle();
		await clock.advance(1000);
		finish();
		await settle();
		expect(run.state.state).toBe('reviewing');
		expect(run.state.reviews.at(-1)!.reasons.map(({ code }) => code)).toContain('expired');
		expect(lab.log).toHaveLength(1);
	});

	test('S2-44 a pause stops the clock of a review', async () => {
		const { run, clock } = await reviewing(three, { patience: { reviewMs: 1000 } });
		run.pause(person);
		await clock.advance(5000);
		run.resume(person);
		await clock.advance(999);
		expect(run.state.state).toBe('reviewing');
		await clock.advance(1);
		expect(run.state.state).toBe('returned');
	});
});

describe('S2-88 after a failure', () => {
	test('S2-88 later steps a person approved are asked again, and say why', async () => {
		const lab = new Lab();
		lab.next.push(() => ({ kind: 'refuse', reason: { code: 'full', text: 'full' } }));
		const { run, review, ids, settle } = await reviewing(three, { lab });
		run.decide({ review: review.id, verdict: 'approve' }, person);
		await settle();
		expect(run.state.steps.map(({ status }) => status)).toEqual(['failed', 'proposed', 'proposed']);
		const again = run.state.reviews.at(-1)!;
		expect(again.steps).toEqual(ids.slice(1));
		expect(again.reasons.map(({ code }) => code)).toContain('predecessor-failed');
		run.decide({ review: again.id, verdict: 'approve' }, person);
		expect(await run.returned).toMatchObject({ kind: 'partial' });
	});

	test('S2-122 a rejection changes nothing for steps approved in the same decision', async () => {
		const { run, review, ids } = await reviewing();
		run.decide(
			{ review: review.id, steps: { ...all(ids, 'approve'), [ids[0]!]: { verdict: 'reject' } } },
			person
		);
		await run.returned;
		expect(run.state.reviews).toHaveLength(1);
	});
});
