import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { EngineAgent, fold, verify } from '../../src/lib/agent/index.js';
import type { Run } from '../../src/lib/agent/engine/run.js';
import { codes } from '../../src/lib/agent/protocol/code-table.js';
import { reason } from '../../src/lib/agent/protocol/codes.js';
import { person } from '../../src/lib/testing/index.js';
import { Lab, laboratory, labManifest, lab as call, look, set, share, wire } from '../fixtures/lab.js';

const held = (lab: Lab, count = 1) => {
	const open: ((result?: unknown) => void)[] = [];
	for (let i = 0; i < count; i++)
		lab.next.push(() => new Promise((resolve) => open.push((result = { kind: 'done' }) => resolve(result))));
	return open;
};
const approve = (run: Run) =>
	run.decide({ review: run.state.reviews.at(-1)!.id, verdict: 'approve' }, person);
const sound = (run: Run) => {
	expect(verify(run.journal)).toEqual([]);
	expect(fold(run.journal)).toEqual(run.state);
};

describe('S2-37 acts of one run follow one another, reads do not', () => {
	test('S2-37 the second starts after the first has settled', async () => {
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}]);
		const open = held(lab, 2);
		const run = engine.run('go', { by: person });
		await settle();
		expect(lab.log).toHaveLength(1);
		open[0]!();
		await settle();
		expect(lab.log).toHaveLength(2);
		expect(run.state.steps[0]!.status).toBe('confirmed');
		open[1]!();
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		sound(run);
	});

	test('S2-37 X-04 reads run in parallel, before the plan’s first step', async () => {
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x'), look('1'), look('2')] }, {}]);
		const open = held(lab, 2);
		const run = engine.run('go', { by: person });
		await settle();
		expect(lab.log.map(({ act }) => act)).toEqual(['look', 'look']);
		expect(run.state.steps).toEqual([]);
		for (const finish of open) finish();
		await run.returned;
		expect(lab.log.map(({ act }) => act)).toEqual(['look', 'look', 'set']);
		expect(run.state.effects).toHaveLength(1);
	});

	test('S2-37 reads alone make no step, no effect and no completed outcome', async () => {
		const { engine } = laboratory([{ calls: [look('1')] }, { say: 'So.' }]);
		const run = engine.run('go', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'answered', text: 'So.', effects: [] });
		expect(run.state.steps).toEqual([]);
		expect(run.state.budget.spent.acts).toBe(1);
	});

	test('S2-34 a stop does not wait for a read', async () => {
		const { engine, lab, settle } = laboratory([{ calls: [look('1')] }, {}]);
		held(lab);
		const run = engine.run('go', { by: person });
		await settle();
		void run.stop('enough', person);
		await settle();
		expect(run.state.state).toBe('cancelled');
		expect(lab.log[0]!.call.signal.aborted).toBe(true);
	});

	test('S2-38 a read that never answers times out as a failure the model is told of', async () => {
		const { engine, lab, settle, clock, requests } = laboratory([{ calls: [look('1')] }, {}]);
		held(lab);
		const run = engine.run('go', { by: person });
		await settle();
		await clock.advance(30_000);
		await run.returned;
		expect(requests[1]!.messages.at(-1)).toMatchObject({
			performative: 'failure',
			content: { failed: { code: 'timeout' } }
		});
	});
});

describe('S2-38 S2-63 what an act answers', () => {
	test('S2-38 retry: the same operation, after its time, twice at most, each with a fresh permission', async () => {
		const { engine, lab, settle, clock } = laboratory([{ calls: [set('a', 'x')] }, {}]);
		const busy = () => ({ kind: 'retry' as const, reason: { code: 'busy', text: 'busy' }, afterMs: 500 });
		lab.next.push(busy, busy, busy);
		const run = engine.run('go', { by: person });
		await settle();
		expect(lab.log).toHaveLength(1);
		await clock.advance(499);
		expect(lab.log).toHaveLength(1);
		await clock.advance(1);
		expect(lab.log).toHaveLength(2);
		await clock.advance(500);
		expect(await run.returned).toMatchObject({ kind: 'failed' });
		expect(lab.log).toHaveLength(3);
		expect(new Set(lab.log.map((it) => it.call.operation)).size).toBe(1);
		expect(run.journal.filter(({ kind }) => kind === 'grants.issued')).toHaveLength(3);
		expect(run.state.steps[0]).toMatchObject({ status: 'failed', reasons: [{ code: 'retry-exhausted' }] });
		expect(run.state.budget.spent.acts).toBe(1);
		sound(run);
	});

	test('S2-43 S2-103 escalate: a question, then performed again with the answer, the same operation', async () => {
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x')] }, {}], {
			policy: { ceiling: 'review' }
		});
		lab.next.push(() => ({
			kind: 'escalate',
			question: { text: 'How many?', schema: z.object({ n: z.int().min(1).describe('n') }) }
		}));
		const run = engine.run('go', { by: person });
		await settle();
		approve(run);
		await settle();
		expect(run.state).toMatchObject({ state: 'escalated', steps: [{ status: 'waiting' }] });
		const [question] = run.state.questions;
		expect(question).toMatchObject({ text: 'How many?', schema: { type: 'object' } });
		expect(run.answer(question!.id, { n: 0 }, person)).toMatchObject({
			refused: { code: 'answer-invalid' },
			issues: [{ path: 'n' }]
		});
		expect(run.answer(question!.id, { n: 2 }, person)).toEqual({ ok: true });
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(lab.log.map((it) => it.call.answer)).toEqual([
			undefined,
			{ question: question!.id, value: { n: 2 } }
		]);
		expect(lab.log[0]!.call.operation).toBe(lab.log[1]!.call.operation);
		expect(run.state.reviews).toHaveLength(1);
		expect(lab.cells.a).toBe('x');
		sound(run);
	});

	test('S2-44 a question of an act that is declined refuses the step; the run goes on', async () => {
		const { engine, lab, settle, requests } = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}]);
		lab.next.push(() => ({ kind: 'escalate', question: { text: 'Sure?' } }));
		const run = engine.run('go', { by: person });
		await settle();
		expect(run.decline(run.state.questions[0]!.id, 'not sure', person)).toEqual({ ok: true });
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(run.state.steps.map(({ status }) => status)).toEqual(['refused', 'confirmed']);
		expect(run.state.effects[0]!.status).toBe('withdrawn');
		expect(requests[1]!.messages.at(-2)).toMatchObject({
			performative: 'refuse',
			content: { refused: { code: 'declined' } }
		});
		sound(run);
	});

	test('S2-63 refuse, unknown, and a value: three contents with three forces', async () => {
		const { engine, lab, requests } = laboratory([
			{ calls: [set('a', 'x'), set('b', 'y'), set('c', 'z')] },
			{}
		]);
		lab.next.push(
			() => ({ kind: 'refuse', reason: { code: 'full', text: 'No room.' } }),
			() => ({ kind: 'unknown', reason: { code: 'lost', text: 'Lost.' } }),
			() => ({ kind: 'done', value: { id: 7 } })
		);
		const run = engine.run('go', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'partial' });
		const results = requests[1]!.messages.filter(({ role }) => role === 'result');
		expect(results).toMatchObject([
			{ performative: 'refuse', content: { refused: { code: 'full' }, state: { 'cells:a': '1' } } },
			{ performative: 'failure', content: { unknown: { code: 'lost' } } },
			{ performative: 'inform', content: { done: true, result: { id: 7 } } }
		]);
		expect(run.state.effects.map(({ status }) => status)).toEqual(['failed', 'unknown', 'confirmed']);
	});

	test('I13 a throw before the effect is failed, after it unknown; irreversible is always unknown', async () => {
		const before = () => {
			throw new Error('stuck');
		};
		const after = (lab: Lab) => {
			lab.put('a', 'half');
			throw new Error('broke');
		};
		for (const [one, fault, status] of [
			[set('a', 'x'), before, 'failed'],
			[set('a', 'x'), after, 'unknown'],
			[set('a', 'x'), async () => before(), 'failed'],
			[set('a', 'x'), async (lab: Lab) => after(lab), 'unknown'],
			[wire('x'), before, 'unknown'],
			[look('x'), before, undefined]
		] as const) {
			const { engine, lab, settle } = laboratory([{ calls: [one] }, {}]);
			lab.next.push(fault as never);
			const run = engine.run('go', { by: person });
			await settle();
			if (run.state.state === 'reviewing') approve(run);
			await settle();
			expect(run.state.steps[0]?.status).toBe(status);
			if (status) expect(run.state.steps[0]!.reasons[0]!.code).toBe('threw');
			sound(run);
		}
	});

	test('I13 without a touched version nobody can tell that nothing happened', async () => {
		const { engine, lab } = laboratory([{ calls: [set('a', 'x')] }, {}], {
			change: { set: { touches: [] } }
		});
		lab.next.push(() => {
			throw new Error('stuck');
		});
		const run = engine.run('go', { by: person });
		await run.returned;
		expect(run.state.steps[0]!.status).toBe('unknown');
	});

	test('S2-63 garbage from a provider is unknown or dropped, never a broken run', async () => {
		const proxied = new Proxy(
			{},
			{
				get: () => {
					throw new Error('no');
				}
			}
		);
		const garbage: [string, unknown, string][] = [
			['nothing', undefined, 'unknown'],
			['null', null, 'unknown'],
			['a text', 'done', 'unknown'],
			['another kind', { kind: 'maybe' }, 'unknown'],
			['a refusal without reason', { kind: 'refuse' }, 'unknown'],
			[
				'a reason that is no JSON',
				{ kind: 'refuse', reason: { code: 'a', text: 'b', data: () => 1 } },
				'unknown'
			],
			['a retry without reason', { kind: 'retry', afterMs: 5 }, 'unknown'],
			['a question without text', { kind: 'escalate', question: {} }, 'unknown'],
			['a question that is none', { kind: 'escalate' }, 'unknown'],
			['a proxy that throws', proxied, 'unknown'],
			[
				'a thenable that throws',
				{
					then: () => {
						throw new Error('no');
					}
				},
				'unknown'
			],
			['versions that are none', { kind: 'done', versions: { cells: () => 1 } }, 'confirmed'],
			['a value that is no JSON', { kind: 'done', value: new Map() }, 'confirmed'],
			[
				'a value that contains itself',
				(() => {
					const it: Record<string, unknown> = { kind: 'done' };
					it.value = it;
					return it;
				})(),
				'confirmed'
			]
		];
		for (const [what, result, status] of garbage) {
			const { engine, lab, requests } = laboratory([{ calls: [set('a', 'x')] }, {}]);
			lab.next.push((it) => {
				it.put('a', 'x');
				return result;
			});
			const run = engine.run('go', { by: person });
			await run.returned;
			expect([what, run.state.steps[0]!.status]).toEqual([what, status]);
			expect(requests).toHaveLength(2);
			for (const { code } of run.state.steps[0]!.reasons) expect(codes).toHaveProperty([code]);
			sound(run);
		}
	});

	test('S2-38 a retry with a senseless wait is tried at once', async () => {
		for (const afterMs of [NaN, -1, Infinity, '5']) {
			const { engine, lab } = laboratory([{ calls: [set('a', 'x')] }, {}]);
			lab.next.push(() => ({ kind: 'retry', reason: { code: 'busy', text: 'busy' }, afterMs }));
			const run = engine.run('go', { by: person });
			expect(await run.returned).toMatchObject({ kind: 'completed' });
			sound(run);
		}
	});

	test('S2-63 a result that fails its schema: confirmed, value dropped, result-invalid', async () => {
		for (const value of [{ id: 'seven' }, new Date(0), undefined]) {
			const { engine, lab, requests } = laboratory([{ calls: [set('a', 'x')] }, {}], {
				change: { set: { result: z.object({ id: z.number().describe('id') }) } }
			});
			lab.next.push(() => ({ kind: 'done', value }));
			const run = engine.run('go', { by: person });
			expect(await run.returned).toMatchObject({ kind: 'completed' });
			const [step] = run.state.steps;
			expect(step).toMatchObject({ status: 'confirmed' });
			expect(step!.result).toBeUndefined();
			expect(step!.reasons.map(({ code }) => code)).toEqual(value === undefined ? [] : ['result-invalid']);
			expect(JSON.stringify(requests[1]!.messages)).not.toContain('seven');
		}
	});
});

describe('S2-38 an act that never answers', () => {
	test('S2-38 within the page it is unknown, the result carries the fresh read and the plan goes on', async () => {
		const { engine, lab, settle, clock, requests } = laboratory([
			{ calls: [set('a', 'x'), set('b', 'y')] },
			{}
		]);
		held(lab);
		const run = engine.run('go', { by: person });
		await settle();
		await clock.advance(29_999);
		expect(run.state.steps[0]!.status).toBe('dispatched');
		await clock.advance(1);
		expect(await run.returned).toMatchObject({ kind: 'partial' });
		expect(run.state.steps.map(({ status }) => status)).toEqual(['unknown', 'confirmed']);
		expect(lab.log[0]!.call.signal.aborted).toBe(true);
		expect(requests[1]!.messages.at(-2)).toMatchObject({
			performative: 'failure',
			content: { unknown: { code: 'timeout' }, state: { 'cells:a': '1' } }
		});
		expect(engine.pending).toEqual([]);
	});

	for (const [fact, status] of [
		['done', 'confirmed'],
		['not-done', 'failed']
	] as const)
		test(`S2-38 beyond the page a probe that says ${fact} settles it`, async () => {
			const asked: string[] = [];
			const { engine, lab, settle, clock } = laboratory([{ calls: [share('a', 'x')] }, {}], {
				change: { share: { probe: (_lab, operation) => (asked.push(operation), Promise.resolve(fact)) } }
			});
			held(lab);
			const run = engine.run('go', { by: person });
			await settle();
			await clock.advance(30_000);
			await run.returned;
			expect(asked).toEqual([lab.log[0]!.call.operation]);
			expect(run.state.steps[0]!.status).toBe(status);
		});

	for (const [fact, status, after] of [
		['done', 'confirmed', 'completed'],
		['not-done', 'failed', 'partial'],
		['abandon', 'unknown', 'partial']
	] as const)
		test(`S2-112 a probe that cannot tell escalates before any further step; a person settles it: ${fact}`, async () => {
			for (const probe of [
				undefined,
				() => Promise.resolve('unknown' as const),
				() => Promise.reject(new Error('offline')),
				() => new Promise<never>(() => undefined)
			]) {
				const { engine, lab, settle, clock } = laboratory([{ calls: [share('a', 'x'), set('b', 'y')] }, {}], {
					change: { share: { probe } }
				});
				held(lab);
				const run = engine.run('go', { by: person });
				await settle();
				await clock.advance(60_000);
				expect(run.state.state).toBe('escalated');
				expect(run.state.escalations.map(({ code }) => code)).toEqual(['unknown-effect']);
				const { operation } = lab.log[0]!.call;
				expect(engine.pending).toEqual([{ kind: 'unknown-effect', run: run.id, operation }]);
				expect(lab.log).toHaveLength(1);
				for (const kind of ['app', 'rule', 'agent', 'outside'] as const)
					expect(run.settle(operation, fact, { kind, id: 'x' })).toMatchObject({
						refused: { code: 'person-required' }
					});
				expect(run.settle('nothing', fact, person)).toMatchObject({ refused: { code: 'operation-unknown' } });
				expect(run.resume(person)).toMatchObject({ refused: { code: 'illegal-transition' } });
				expect(run.settle(operation, fact, person)).toEqual({ ok: true });
				expect(run.settle(operation, fact, person)).toMatchObject({ refused: { code: 'operation-unknown' } });
				expect(await run.returned).toMatchObject({ kind: after });
				expect(run.state.steps.map((it) => it.status)).toEqual([status, 'confirmed']);
				sound(run);
			}
		});

	test('S2-112 it can be settled after the end too', async () => {
		const { engine, lab, settle, clock } = laboratory([{ calls: [share('a', 'x')] }, {}]);
		held(lab);
		const run = engine.run('go', { by: person });
		await settle();
		void run.stop('enough', person);
		await clock.advance(10_000);
		expect(await run.returned).toMatchObject({ kind: 'interrupted' });
		const { operation } = lab.log[0]!.call;
		expect(engine.pending).toEqual([{ kind: 'unknown-effect', run: run.id, operation }]);
		expect(run.settle(operation, 'done', person)).toEqual({ ok: true });
		expect(run.state.effects[0]!.status).toBe('confirmed');
		expect(run.state.steps[0]!.reasons).toEqual([{ ...reason('interrupted'), data: { late: true } }]);
		expect(engine.pending).toEqual([]);
		sound(run);
	});

	test.each([
		['not-done', 'failed', [{ data: { late: true } }, { code: 'not-done' }]],
		['abandon', 'unknown', [reason('timeout')]]
	] as const)(
		'S2-38 after "%s" of a person the step says what is known of it',
		async (fact, status, reasons) => {
			const { engine, lab, settle, clock } = laboratory([{ calls: [share('a', 'x')] }, {}]);
			held(lab);
			const run = engine.run('go', { by: person });
			await settle();
			await clock.advance(30_000);
			expect(run.settle(lab.log[0]!.call.operation, fact, person)).toEqual({ ok: true });
			expect(run.state.steps[0]).toMatchObject({ status, reasons });
			sound(run);
		}
	);

	test('S2-38 a late answer is recorded and settles what nobody knew; a late "unknown" does not', async () => {
		const late = { code: 'timeout', data: { late: true } };
		for (const [result, status, escalated, reasons] of [
			[{ kind: 'done', value: 1 }, 'confirmed', false, [late]],
			[{ kind: 'refuse', reason: { code: 'no', text: 'no' } }, 'failed', false, [late, { code: 'no' }]],
			[{ kind: 'unknown', reason: { code: 'who', text: 'knows' } }, 'unknown', true, [{ code: 'timeout' }]]
		] as const) {
			const { engine, lab, settle, clock } = laboratory([{ calls: [share('a', 'x')] }, {}]);
			const open = held(lab);
			const run = engine.run('go', { by: person });
			await settle();
			await clock.advance(30_000);
			expect(run.state.state).toBe('escalated');
			expect(run.state.steps[0]!.reasons).toEqual([reason('timeout')]);
			open[0]!(result);
			await settle();
			expect(run.state.effects[0]!.status).toBe(status);
			// That the time was up stays said, as what was and not as what is.
			expect(run.state.steps[0]).toMatchObject({ status, reasons });
			expect(run.state.state).toBe(escalated ? 'escalated' : 'returned');
			expect(run.journal.some(({ kind }) => kind === 'effect.late')).toBe(true);
			sound(run);
		}
	});
});

describe('S2-41 S2-55 what a provider is told', () => {
	test('S2-55 the agent, its run and step are the cause of the call, and nobody afterwards', async () => {
		const { engine, lab } = laboratory([{ calls: [set('a', 'x'), look('y')] }, {}]);
		const run = engine.run('go', { by: person });
		await run.returned;
		const [seen, written] = lab.log;
		expect(seen!.cause).toMatchObject({ kind: 'agent', id: 'ada', run: run.id });
		expect(written!.cause).toMatchObject({
			kind: 'agent',
			id: 'ada',
			run: run.id,
			step: run.state.steps[0]!.id
		});
		expect(written!.call).toMatchObject({
			actor: { kind: 'agent', run: run.id },
			run: run.id,
			step: run.state.steps[0]!.id
		});
		const { currentCause } = await import('../../src/lib/actor/index.js');
		expect(currentCause().kind).toBe('app');
	});

	test('S2-41 every call gets a signal; a stop reaches it at once', async () => {
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}]);
		const open = held(lab);
		const run = engine.run('go', { by: person });
		await settle();
		expect(lab.log[0]!.call.signal.aborted).toBe(false);
		const stopped = run.stop('enough', person);
		expect(lab.log[0]!.call.signal.aborted).toBe(true);
		open[0]!();
		expect(await stopped).toMatchObject({ confirmed: [lab.log[0]!.call.operation], unknown: [] });
		expect(lab.log).toHaveLength(1);
		expect(run.state).toMatchObject({ state: 'returned', outcome: { kind: 'interrupted' } });
	});

	test('S2-10 a caller without a model goes through the same door', async () => {
		const { engine, lab, settle } = laboratory([]);
		const rule = { kind: 'rule' as const, id: 'nightly' };
		const done = engine.call(rule, 'lab', 'set', { key: 'a', value: 'x' });
		expect(await done.returned).toMatchObject({ kind: 'completed' });
		expect(lab.log[0]!.cause).toMatchObject({ kind: 'rule', id: 'nightly', run: done.id });
		const asked = engine.call(rule, 'lab', 'wire', { value: 'x' });
		await settle();
		expect(asked.state.state).toBe('reviewing');
		approve(asked);
		expect(await asked.returned).toMatchObject({ kind: 'completed' });
		const odd: [string, string, unknown, string][] = [
			['nowhere', 'set', {}, 'unknown-instance'],
			['lab', 'nothing', {}, 'unknown-act'],
			['lab', 'set', { key: 1 }, 'args-invalid'],
			['lab', 'set', { key: () => 1 }, 'not-json'],
			['lab', 'set', undefined, 'args-invalid']
		];
		for (const [instance, act, args, code] of odd)
			expect(await engine.call(rule, instance, act, args).returned).toMatchObject({
				kind: 'refused',
				reason: { code }
			});
	});

	test('S2-10 a read called without a model asks nobody', async () => {
		const { engine } = laboratory([], { policy: { ceiling: 'review' } });
		const run = engine.call({ kind: 'rule', id: 'r' }, 'lab', 'look', { value: 'x' });
		expect(await run.returned).toBeDefined();
		expect(run.state.reviews).toEqual([]);
	});
});

describe('locks', () => {
	const two = (lab: Lab, change = {}) => [
		laboratory([{ calls: [set('a', '1')] }, {}], { lab, change }),
		laboratory([{ calls: [set('a', '2')] }, {}], { lab, change })
	];
	test('two engines over one provider take turns, and the second looks again', async () => {
		const lab = new Lab();
		const [one, other] = two(lab);
		const open = held(lab);
		const first = one!.engine.run('go', { by: person });
		await one!.settle();
		const second = other!.engine.run('go', { by: person });
		await other!.settle();
		expect(lab.log).toHaveLength(1);
		lab.put('a', 'changed by the first');
		open[0]!();
		await first.returned;
		await other!.settle();
		await second.returned;
		expect(lab.log).toHaveLength(1);
		expect(second.state.steps[0]).toMatchObject({ status: 'refused', reasons: [{ code: 'stale' }] });
	});

	test('disjoint keys run side by side; a lock that cannot be had refuses the step', async () => {
		const lab = new Lab();
		const change = { set: { locks: (_lab: Lab, args: { key: string }) => [args.key] } as never };
		const one = laboratory([{ calls: [set('a', '1')] }, {}], { lab, change });
		const other = laboratory([{ calls: [set('b', '2')] }, {}], { lab, change });
		const third = laboratory([{ calls: [set('a', '3')] }, {}], { lab, change });
		held(lab);
		one.engine.run('go', { by: person });
		await one.settle();
		expect(await other.engine.run('go', { by: person }).returned).toMatchObject({ kind: 'completed' });
		const late = third.engine.run('go', { by: person });
		await third.settle();
		await third.clock.advance(30_000);
		expect(await late.returned).toMatchObject({ kind: 'refused' });
		expect(late.state.steps[0]!.reasons[0]!.code).toBe('locked');
		await one.clock.advance(30_000);
	});

	test('released on every path: done, refused at the last look, thrown, timed out, stopped', async () => {
		const ends: ((made: ReturnType<typeof laboratory>, run: Run) => Promise<void>)[] = [
			async ({ settle }) => settle(),
			async ({ clock, settle }) => (await settle(), clock.advance(30_000)),
			async ({ clock, settle }, run) => {
				await settle();
				void run.stop('x', person);
				await clock.advance(10_000);
			}
		];
		const acts = [
			() => ({ kind: 'done' }),
			() => {
				throw new Error('x');
			},
			() => new Promise(() => undefined)
		];
		for (const act of acts)
			for (const end of ends) {
				const lab = new Lab();
				const made = laboratory([{ calls: [set('a', '1')] }, {}], { lab });
				lab.next.push(act as never);
				await end(made, made.engine.run('go', { by: person }));
				await made.clock.advance(60_000);
				const next = laboratory([{ calls: [set('a', '2')] }, {}], { lab });
				expect(await next.engine.run('go', { by: person }).returned).toMatchObject({ kind: 'completed' });
			}
	});
});

describe('S2-62 S2-129 what is not there cannot be called', () => {
	test('S2-129 unmounted between turns: the old id is refused, never executed', async () => {
		const made = laboratory((_request, index) => {
			if (index === 0) return { calls: [set('a', 'x')] };
			if (index > 1) return {};
			made.unmount();
			return { calls: [set('b', 'y'), { ...set('b', 'z'), name: 'lab__set' }] };
		});
		const run = made.engine.run('go', { by: person });
		await run.returned;
		expect(made.lab.log).toHaveLength(1);
		expect(run.state.steps.slice(1).map(({ reasons }) => reasons[0]!.code)).toEqual([
			'instance-gone',
			'instance-gone'
		]);
		expect(made.requests[2]!.tools.some(({ act }) => act !== undefined)).toBe(false);
	});

	test('S2-129 gone between plan and act: instance-gone', async () => {
		const { engine, lab, settle, unmount } = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}]);
		const open = held(lab);
		const run = engine.run('go', { by: person });
		await settle();
		unmount();
		open[0]!();
		await run.returned;
		expect(run.state.steps[1]).toMatchObject({ status: 'refused', reasons: [{ code: 'instance-gone' }] });
	});

	test('S2-62 unavailable acts are not in the catalogue, are refused when called, and changes are told', async () => {
		const { engine, lab, requests } = laboratory((_request, index) => {
			if (index === 0) {
				lab.available = 'closed on Sundays';
				return { calls: [look('x'), set('a', 'x')] };
			}
			return {};
		});
		const run = engine.run('go', { by: person });
		await run.returned;
		expect(lab.log.map(({ act }) => act)).toEqual(['set']);
		expect(requests[1]!.messages.find((it) => it.role === 'result')).toMatchObject({
			performative: 'refuse',
			content: { refused: { code: 'unavailable', text: 'closed on Sundays' } }
		});
		expect(requests[1]!.tools.map(({ act }) => act)).not.toContain('look');
		expect(requests[1]!.context).toContain('Gone: lab.look.');
	});

	test('S2-62 an availability that throws, or says nothing sensible, is none', async () => {
		for (const available of [
			() => {
				throw new Error('x');
			},
			() => undefined,
			() => false,
			() => 1
		]) {
			const { engine, lab } = laboratory([{ calls: [set('a', 'x')] }, {}], {
				change: { set: { available: available as never } }
			});
			await engine.run('go', { by: person }).returned;
			expect(lab.log).toEqual([]);
		}
	});

	test('S2-62 a provider that is not there yet is not-ready, also where nothing of it is read', async () => {
		for (const touches of [undefined, []]) {
			const { engine, registry } = laboratory([]);
			let performed = 0;
			const perform = () => ((performed += 1), { kind: 'done' as const });
			registry.register(labManifest({ set: { touches, perform } }), () => undefined, {
				id: 'late',
				label: 'Late'
			});
			const run = engine.call({ kind: 'rule', id: 'r' }, 'late', 'set', { key: 'a', value: 'x' });
			expect(await run.returned).toMatchObject({ kind: 'refused', reason: { code: 'not-ready' } });
			expect(performed).toBe(0);
		}
	});

	test('S2-64 a preview that refuses, throws or is no JSON refuses the step with its reason', async () => {
		const previews: [() => unknown, string][] = [
			[() => ({ kind: 'refuse', reason: { code: 'taken', text: 'Taken.' } }), 'taken'],
			[
				() => {
					throw new Error('x');
				},
				'threw'
			],
			[() => ({ kind: 'note', text: () => 1 }), 'not-json'],
			[() => ({ kind: 'refuse' }), 'threw']
		];
		for (const [preview, code] of previews) {
			const { engine, lab } = laboratory([{ calls: [set('a', 'x')] }, {}], {
				change: { set: { preview: preview as never } }
			});
			const run = engine.run('go', { by: person });
			expect(await run.returned).toMatchObject({ kind: 'refused' });
			expect(run.state.steps[0]!.reasons[0]!.code).toBe(code);
			expect(lab.log).toEqual([]);
			sound(run);
		}
	});

	test('S2-87 what a step depends on must be told, or it is refused', async () => {
		const fail = (): never => {
			throw new Error('x');
		};
		const odd: [string, unknown, string][] = [
			['touches that throw', { touches: fail }, 'threw'],
			['touches that are none', { touches: () => null }, 'threw'],
			['touches of no read', { touches: () => [{ read: 'nothing' }] }, 'touch-unknown'],
			['touches of the prototype', { touches: () => [{ read: 'toString' }] }, 'touch-unknown']
		];
		for (const [what, change, code] of odd) {
			const { engine, lab } = laboratory([{ calls: [set('a', 'x')] }, {}], {
				change: { set: change as never }
			});
			const run = engine.run('go', { by: person });
			expect(await run.returned).toMatchObject({ kind: 'refused' });
			expect([what, run.state.steps[0]!.status, run.state.steps[0]!.reasons[0]!.code]).toEqual([
				what,
				'refused',
				code
			]);
			expect(lab.log).toEqual([]);
		}
	});

	test('S2-87 a version that cannot be told refuses the step', async () => {
		const lab = new Lab();
		const version = lab.version.bind(lab);
		lab.version = (key) => {
			if (key === 'a') throw new Error('no version');
			return version(key);
		};
		const { engine } = laboratory([{ calls: [set('a', 'x')] }, {}], { lab });
		const run = engine.run('go', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'refused' });
		expect(run.state.steps[0]).toMatchObject({ status: 'refused', reasons: [{ code: 'threw' }] });
		expect(lab.log).toEqual([]);
	});

	test('S2-116 a result carries the touched keys alone, fresh', async () => {
		const { engine, requests } = laboratory([
			{ calls: [set('a', 'x'), call('all', { key: 'b', value: 'y' })] },
			{}
		]);
		await engine.run('go', { by: person }).returned;
		const results = requests[1]!.messages.filter(({ role }) => role === 'result');
		expect(results).toMatchObject([
			{ content: { done: true, state: { 'cells:a': 'x' } } },
			{ content: { done: true, state: { cells: { a: 'x', b: 'y' } } } }
		]);
		expect(EngineAgent).toBeDefined();
	});
});
