import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold, verify } from '../../src/lib/agent/index.js';
import type { Run } from '../../src/lib/agent/engine/run.js';
import { BUDGET, LIMITS, plus } from '../../src/lib/agent/protocol/budget.js';
import type { Budget } from '../../src/lib/agent/protocol/words.js';
import { person } from '../../src/lib/testing/index.js';
import { Lab, laboratory, look, set } from '../fixtures/lab.js';

type Made = ReturnType<typeof laboratory>;
const sound = (run: Run) => {
	expect(verify(run.journal)).toEqual([]);
	expect(fold(run.journal)).toEqual(run.state);
};

/** For each limit a run that exceeds it, having done `done` acts before. */
const exceed: Record<
	keyof Budget,
	{ budget: Partial<Budget>; make: () => Made; pass?: (made: Made) => Promise<void> }
> = {
	acts: {
		budget: { acts: 1 },
		make: () =>
			laboratory((request) => ({
				say: 'so far',
				calls: request.tools.length ? [set('a', '1'), set('b', '2')] : []
			}))
	},
	actsPerInstance: {
		budget: { actsPerInstance: 1 },
		make: () =>
			laboratory((request) => ({
				say: 'so far',
				calls: request.tools.length ? [set('a', '1'), set('b', '2')] : []
			}))
	},
	actsPerMinute: {
		budget: { actsPerMinute: 1 },
		make: () =>
			laboratory((request) => ({
				say: 'so far',
				calls: request.tools.length ? [set('a', '1'), set('b', '2')] : []
			}))
	},
	turns: {
		budget: { turns: 2 },
		make: () =>
			laboratory((request, index) => ({
				say: 'so far',
				calls: request.tools.length ? [set('a', `${index}`)] : []
			}))
	},
	tokens: {
		budget: { tokens: 5000 },
		make: () =>
			laboratory((request, index) => ({
				say: 'so far',
				calls: request.tools.length ? [set('a', `${index}`)] : [],
				usage: { input: 3000, output: 1200 }
			}))
	},
	cost: {
		budget: { cost: 1 },
		make: () =>
			laboratory(
				(request) => ({ say: 'so far', calls: request.tools.length ? [set('a', '1'), set('b', '2')] : [] }),
				{ change: { set: { cost: 0.75 } } }
			)
	},
	ms: {
		budget: { ms: 1000 },
		make: () => {
			const made = laboratory((request) => ({
				say: 'so far',
				calls: request.tools.length ? [set('a', '1'), set('b', '2')] : []
			}));
			made.lab.next.push(async (lab) => {
				await made.clock.sleep(1500);
				lab.put('a', '1');
				return { kind: 'done', versions: { 'cells:a': lab.version('a') } };
			});
			return made;
		},
		pass: ({ clock }) => clock.advance(1500)
	}
};

describe('S2-39 S2-40 S2-113 each limit, once exceeded, escalates', () => {
	test.each(LIMITS)(
		'S2-40 %s: with figures, a wrap-up without tools, and no end without a person',
		async (limit) => {
			const { budget, make, pass } = exceed[limit];
			const made = make();
			const run = made.engine.run('go', { by: person, budget });
			await made.settle();
			await pass?.(made);
			expect(run.state.state).toBe('escalated');
			expect(run.state.escalations).toMatchObject([
				{
					code: `budget.${limit}`,
					data: {
						limit,
						of: budget[limit],
						spent: expect.any(Number),
						offer: { [limit]: expect.any(Number) }
					}
				}
			]);
			expect(made.engine.pending).toEqual([{ kind: 'budget', run: run.id }]);
			expect(made.lab.log).toHaveLength(1);
			const last = made.requests.at(-1)!;
			expect(last.tools).toEqual([]);
			expect(last.limits.outputTokens).toBe(1000);
			expect(run.state.turns.at(-1)).toMatchObject({ text: 'so far', calls: [] });
			sound(run);
		}
	);

	test.each(LIMITS)(
		'S2-40 %s: silence ends it exhausted or partial, with what was said last',
		async (limit) => {
			const { budget, make, pass } = exceed[limit];
			const made = make();
			const run = made.engine.run('go', { by: person, budget });
			await made.settle();
			await pass?.(made);
			await made.clock.advance(24 * 3600 * 1000);
			expect(await run.returned).toMatchObject({
				kind: 'partial',
				text: 'so far',
				reason: { code: 'expired' }
			});
			expect(made.lab.log).toHaveLength(1);
		}
	);

	test('X-05 exhausted where nothing was done', async () => {
		const made = laboratory((request) => ({
			say: 'nothing',
			calls: request.tools.length ? [look('x'), look('y')] : []
		}));
		const run = made.engine.run('go', { by: person, budget: { acts: 1 } });
		await made.settle();
		await made.clock.advance(24 * 3600 * 1000);
		expect(await run.returned).toMatchObject({ kind: 'exhausted', text: 'nothing' });
	});

	test('S2-39 reads count one by one: what does not fit waits, and goes on after a renewal', async () => {
		const made = laboratory((request, index) => ({
			calls: request.tools.length && index === 0 ? [look('1'), look('2'), look('3')] : []
		}));
		const run = made.engine.run('go', { by: person, budget: { acts: 2 } });
		await made.settle();
		expect(made.lab.log.map(({ args }) => args.value)).toEqual(['1', '2']);
		expect(run.state.state).toBe('escalated');
		run.renew({ acts: 1 }, person);
		await run.returned;
		expect(made.lab.log.map(({ args }) => args.value)).toEqual(['1', '2', '3']);
	});

	test('S2-64 invalid arguments count against the budget', async () => {
		const made = laboratory((request) => ({
			calls: request.tools.length ? [{ ...set('a', 'x'), args: { key: 1 } as never }] : []
		}));
		const run = made.engine.run('go', { by: person, budget: { acts: 2 } });
		await made.settle();
		expect(run.state.budget.spent.acts).toBeGreaterThanOrEqual(2);
		expect(made.lab.log).toEqual([]);
	});
});

describe('S2-40 renewal', () => {
	test.each(LIMITS)('S2-40 %s: it goes on at the very step, and nothing is repeated', async (limit) => {
		const { budget, make, pass } = exceed[limit];
		const made = make();
		const run = made.engine.run('go', { by: person, budget });
		await made.settle();
		await pass?.(made);
		const done = made.lab.log.length;
		const more = limit === 'tokens' ? 100_000 : limit === 'ms' ? 100_000 : 1;
		expect(run.renew({ [limit]: more }, person)).toEqual({ ok: true });
		await made.settle();
		expect(run.state.budget.limit[limit]).toBe(budget[limit]! + more);
		expect(made.lab.log.length).toBeGreaterThan(done);
		const operations = made.lab.log.map(({ call }) => call.operation);
		expect(new Set(operations).size).toBe(operations.length);
		sound(run);
		void run.stop('x', person);
	});

	test('S2-114 only a person renews, by finite positive amounts of limits there are', async () => {
		const { budget, make } = exceed.acts;
		const made = make();
		const run = made.engine.run('go', { by: person, budget });
		await made.settle();
		for (const kind of ['app', 'rule', 'agent', 'outside'] as const)
			expect(run.renew({ acts: 1 }, { kind, id: 'x' })).toMatchObject({
				refused: { code: 'person-required' }
			});
		expect(run.renew({ acts: 1 })).toMatchObject({
			refused: { code: 'person-required', text: 'Only a person may decide this.' }
		});
		expect(run.renew({ act: 5 } as never, person)).toMatchObject({
			refused: {
				code: 'args',
				text: 'There is no limit "act", only acts, turns, tokens, cost, ms, actsPerInstance, actsPerMinute.'
			}
		});
		for (const odd of [
			{},
			{ acts: 0 },
			{ acts: -1 },
			{ acts: NaN },
			{ acts: Infinity },
			{ acts: '3' },
			{ wishes: 3 },
			{ acts: 1, turns: 0 },
			null,
			undefined
		])
			expect(run.renew(odd as never, person)).toMatchObject({ ok: false, refused: { code: 'args' } });
		expect(run.state.budget.limit.acts).toBe(1);
		expect(run.state.state).toBe('escalated');
		void run.stop('x', person);
		await run.returned;
		expect(run.renew({ acts: 1 }, person)).toMatchObject({ refused: { code: 'run-over' } });
	});

	test('S2-40 the wrap-up is in no later request, and its open calls carried cancel there only', async () => {
		const made = laboratory((request, index) => ({
			say: request.tools.length ? `turn ${index}` : 'WRAP',
			calls: request.tools.length && index === 0 ? [set('a', '1'), set('b', '2')] : []
		}));
		const run = made.engine.run('go', { by: person, budget: { acts: 1 } });
		await made.settle();
		const wrap = made.requests[1]!;
		expect(wrap.messages.slice(-2)).toMatchObject([
			{ role: 'result', performative: 'inform' },
			{ role: 'result', performative: 'cancel' }
		]);
		run.renew({ acts: 5 }, person);
		await run.returned;
		const later = made.requests.at(-1)!;
		expect(later.messages.slice(-2)).toMatchObject([
			{ role: 'result', performative: 'inform' },
			{ role: 'result', performative: 'inform' }
		]);
		expect(JSON.stringify(later)).not.toContain('WRAP');
		expect(run.state.turns.map(({ text }) => text)).toContain('WRAP');
	});

	test('S2-40 a renewal refills the wrap-up reserve: each exhaustion can say what it did', async () => {
		const made = laboratory((request) => ({
			say: request.tools.length ? 'work' : 'WRAP',
			calls: request.tools.length ? [set('a', '1'), set('b', '2'), set('c', '3')] : []
		}));
		const run = made.engine.run('go', { by: person, budget: { acts: 1 } });
		await made.settle();
		expect(run.state.budget.reserved).toMatchObject({ turns: 0, tokens: 0 });
		run.renew({ acts: 1 }, person);
		expect(run.state.turns.filter(({ text }) => text === 'WRAP')).toHaveLength(1);
		await made.settle();
		expect(run.state.turns.filter(({ text }) => text === 'WRAP')).toHaveLength(2);
		expect(made.lab.log).toHaveLength(2);
		void run.stop('x', person);
	});

	test('S2-40 a turn that was being tried again is taken up after the wrap-up', async () => {
		const made = laboratory((request, index) =>
			request.tools.length === 0
				? { say: 'WRAP' }
				: index === 0
					? { fail: { text: 'busy' } }
					: { say: 'made it' }
		);
		const run = made.engine.run('go', { by: person, budget: { ms: 500 } });
		await made.settle();
		await made.clock.advance(1000);
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['budget.ms']);
		run.renew({ ms: 60_000 }, person);
		await made.settle();
		await made.clock.advance(5000);
		expect(run.state.outcome).toMatchObject({ kind: 'answered', text: 'made it' });
		sound(run);
	});
});

describe('what is counted', () => {
	test('S2-39 the budget a run starts with never exceeds the engine’s', () => {
		const made = laboratory([], { budget: { acts: 5, ms: NaN, turns: -1 } });
		const run = made.engine.run('go', { by: person, budget: { acts: 50, tokens: 10 } });
		expect(run.state.budget.limit).toEqual({ ...BUDGET, acts: 5, tokens: 10 });
		void run.stop('x', person);
	});

	test('S2-113 usage of every try counts, failed ones too; without figures it is estimated and marked', async () => {
		const made = laboratory((_request, index) =>
			index === 0
				? { fail: { text: 'busy' }, usage: { input: 100, output: 10, cost: 0.1 } }
				: { say: 'done', usage: { input: 200, output: 20, cost: 0.2 } }
		);
		const run = made.engine.run('go', { by: person });
		await made.settle();
		await made.clock.advance(1000);
		expect(await run.returned).toMatchObject({ spent: { tokens: 330 } });
		expect(run.state.budget.spent.cost).toBeCloseTo(0.3);
		expect(run.state.turns[0]!.usage).toEqual({ input: 200, output: 20, cost: 0.2 });
		const silent = laboratory([{ say: 'done' }]);
		const quiet = silent.engine.run('go', { by: person });
		await quiet.returned;
		expect(quiet.state.turns[0]!.usage).toMatchObject({ estimated: true });
		expect(quiet.state.budget.spent.tokens).toBeGreaterThan(0);
	});

	test('S2-113 senseless figures of a transport are estimated instead', async () => {
		for (const usage of [
			{ input: -5000, output: 1 },
			{ input: NaN, output: 1 },
			{ input: 1, output: Infinity },
			{ input: 1, output: 1, cost: -1 }
		]) {
			const made = laboratory([{ say: 'done', usage }]);
			const run = made.engine.run('go', { by: person });
			await run.returned;
			expect(run.state.turns[0]!.usage).toMatchObject({ estimated: true });
			expect(run.state.budget.spent.cost).toBe(0);
			expect(run.state.budget.spent.tokens).toBeGreaterThan(0);
		}
	});

	test('S2-113 a failed act costs nothing, a confirmed or unknown one what was reserved', async () => {
		const made = laboratory([{ calls: [set('a', '1'), set('b', '2'), set('c', '3')] }, {}], {
			change: { set: { cost: 0.1 } }
		});
		made.lab.next.push(
			() => ({ kind: 'refuse', reason: { code: 'no', text: 'no' } }),
			() => ({ kind: 'unknown', reason: { code: 'who', text: 'who' } })
		);
		const run = made.engine.run('go', { by: person });
		await run.returned;
		expect(run.state.effects.map(({ cost }) => cost)).toEqual([0, 0.1, 0.1]);
		expect(run.state.budget.spent.cost).toBeCloseTo(0.2);
		expect(run.state.budget.reserved.cost).toBe(0);
	});

	test('S2-39 waiting for a person and a pause cost no time', async () => {
		const made = laboratory([{ calls: [set('a', 'x')] }, {}], { policy: { ceiling: 'review' } });
		const run = made.engine.run('go', { by: person, budget: { ms: 1000 } });
		await made.settle();
		await made.clock.advance(60_000);
		run.pause(person);
		await made.clock.advance(60_000);
		run.resume(person);
		expect(run.state.budget.spent.ms).toBe(0);
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
		expect(await run.returned).toMatchObject({ kind: 'completed' });
	});

	test('I16 spent and reserved never exceed the limit, whatever the acts and the persons do', async () => {
		const ends = fc.constantFrom('done', 'refuse', 'unknown', 'retry', 'throw', 'late');
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.tuple(fc.constantFrom('set', 'look'), ends), { minLength: 1, maxLength: 8 }),
				fc.record({
					acts: fc.integer({ min: 1, max: 4 }),
					turns: fc.integer({ min: 2, max: 4 }),
					cost: fc.constantFrom(0.2, 0.5, 1),
					actsPerInstance: fc.integer({ min: 1, max: 4 })
				}),
				fc.array(fc.constantFrom('acts', 'cost', 'turns'), { maxLength: 2 }),
				async (script, budget, renewals) => {
					const lab = new Lab();
					const made = laboratory(
						(request) => ({
							calls: request.tools.length
								? script.map(([act], i) => (act === 'set' ? set('a', `${i}`) : look(`${i}`)))
								: []
						}),
						{ lab, change: { set: { cost: 0.15, touches: [] } } }
					);
					for (const [, end] of script)
						lab.next.push(() => {
							if (end === 'throw') throw new Error('x');
							if (end === 'late') return made.clock.sleep(100).then(() => ({ kind: 'done' }));
							if (end === 'done') return { kind: 'done' };
							return { kind: end, reason: { code: 'x', text: 'x' } };
						});
					const run = made.engine.run('go', { by: person, budget });
					// A listener that throws is not heard: what is wrong is gathered.
					const over: string[] = [];
					let seen = 0;
					made.engine.subscribe(() => {
						const { limit, spent, reserved } = run.state.budget;
						const sum = plus(spent, reserved);
						seen += 1;
						for (const one of ['acts', 'turns', 'cost', 'actsPerInstance'] as const)
							if (sum[one] > limit[one] + 1e-9) over.push(`${one}: ${sum[one]} of ${limit[one]}`);
					});
					await made.settle();
					await made.clock.advance(2000);
					for (const limit of renewals) {
						if (run.state.state === 'escalated') run.renew({ [limit]: 1 }, person);
						await made.clock.advance(2000);
					}
					void run.stop('x', person);
					await made.clock.advance(20_000);
					await run.returned;
					expect(over).toEqual([]);
					expect(seen).toBeGreaterThan(0);
				}
			),
			{ numRuns: 40 }
		);
	});
});
