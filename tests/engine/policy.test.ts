import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judge, type Obligation, type PolicyRule } from '../../src/lib/agent/gate/policy.js';
import { BUDGET, NOTHING } from '../../src/lib/agent/protocol/budget.js';
import { CLEAN } from '../../src/lib/agent/protocol/labels.js';
import type { RunState, Step } from '../../src/lib/agent/protocol/run-state.js';
import { person } from '../../src/lib/testing/index.js';
import { laboratory, look, set, share, wire } from '../fixtures/lab.js';

const step: Step = {
	id: 's1',
	instance: 'lab',
	act: 'set',
	args: { key: 'a', value: 'x' },
	effect: 'reversible',
	reach: 'page',
	label: CLEAN,
	by: { kind: 'agent', id: 'ada' },
	status: 'proposed',
	reasons: [],
	asks: 'policy'
};
const run = (acts = 0) =>
	({
		budget: { limit: BUDGET, spent: { ...NOTHING, acts }, reserved: NOTHING },
		effects: []
	}) as unknown as RunState;
const says = (rules: readonly PolicyRule[], one = step, now = 0) =>
	judge(rules, one, 'lab', () => run(), now).verdict;

describe('I5 deny beats ask beats allow', () => {
	test('I5 S2-50 in any order, from any source', () => {
		const rule = fc.record({
			by: fc.constantFrom('app' as const, 'user' as const),
			verdict: fc.constantFrom('deny' as const, 'ask' as const, 'allow' as const),
			reason: fc.constant('so')
		});
		fc.assert(
			fc.property(
				fc
					.array(rule, { maxLength: 6 })
					.chain((rules) =>
						fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length }))
					),
				([rules, shuffled]) => {
					const verdicts = new Set(rules.map(({ verdict }) => verdict));
					const most = (['deny', 'ask', 'allow'] as const).find((one) => verdicts.has(one)) ?? 'none';
					expect(says(rules)).toBe(most);
					expect(says(shuffled)).toBe(most);
				}
			)
		);
	});

	test('I5 one more rule never loosens', () => {
		const weight = { none: 0, allow: 0, ask: 1, deny: 2 };
		const rule = fc.record({
			verdict: fc.constantFrom('deny' as const, 'ask' as const, 'allow' as const),
			reason: fc.constant('so'),
			act: fc.constantFrom('set', 'wire')
		});
		fc.assert(
			fc.property(fc.array(rule), rule, (rules, more) => {
				expect(weight[says([...rules, more])]).toBeGreaterThanOrEqual(weight[says(rules)]);
			})
		);
	});

	test('S2-50 a deny in any layer blocks a real step, and the model is told', async () => {
		for (const by of ['app', 'user'] as const) {
			const { engine, lab, requests } = laboratory([{ calls: [set('a', 'x'), look('y')] }, {}], {
				policy: {
					ceiling: 'auto',
					rules: [
						{ by: 'user', verdict: 'allow', reason: 'fine' },
						{ by, verdict: 'deny', reason: 'not today' },
						{ by: 'app', verdict: 'allow', reason: 'fine' }
					]
				}
			});
			expect(await engine.run('go', { by: person }).returned).toMatchObject({ kind: 'refused' });
			expect(lab.log).toEqual([]);
			const results = requests[1]!.messages.filter(({ role }) => role === 'result');
			expect(results).toHaveLength(2);
			for (const result of results)
				expect(result).toMatchObject({
					performative: 'refuse',
					content: { refused: { code: 'denied', text: 'not today' } }
				});
		}
	});
});

describe('I6 every field of a rule has a permitted and a refused witness', () => {
	const deny = (more: Partial<PolicyRule>): readonly PolicyRule[] => [
		{ verdict: 'deny', reason: 'no', ...more }
	];
	const table: [string, Partial<PolicyRule>, Partial<PolicyRule>][] = [
		['kind', { kind: 'lab' }, { kind: 'mail' }],
		['act', { act: 'set' }, { act: 'wire' }],
		['instance', { instance: 'lab' }, { instance: 'lab2' }],
		['when', { when: (it) => it.act === 'set' }, { when: () => false }],
		['until', { until: 1 }, { until: 0 }],
		['verdict', { verdict: 'deny' }, { verdict: 'allow' }],
		['all at once', { kind: 'lab', act: 'set', instance: 'lab' }, { kind: 'lab', act: 'set', instance: 'x' }]
	];
	test.each(table)('I6 %s', (_field, hits, misses) => {
		expect(says(deny(hits))).toBe('deny');
		expect(says(deny(misses))).not.toBe('deny');
	});

	test.each(['yes', 0, undefined, null, Promise.resolve(true)])(
		'I6 S0-45 a condition that says neither true nor false denies',
		(said) => {
			expect(says(deny({ when: (() => said) as never }))).toBe('deny');
			expect(says([{ verdict: 'allow', reason: 'so', when: (() => said) as never }])).toBe('deny');
		}
	);
});

describe('S0-45 S0-46 what cannot be understood denies', () => {
	const odd: [string, PolicyRule][] = [
		[
			'a rule that throws',
			{
				verdict: 'allow',
				reason: 'so',
				when: () => {
					throw new Error('no');
				}
			}
		],
		['an unknown verdict', { verdict: 'maybe' as never, reason: 'so' }],
		['a verdict of the prototype', { verdict: 'toString' as never, reason: 'so' }],
		['the word none', { verdict: 'none' as never, reason: 'so' }],
		['no rule at all', null as never],
		['an unknown obligation', { verdict: 'allow', reason: 'so', obligations: [{ kind: 'pray' } as never] }],
		['an obligation that is none', { verdict: 'allow', reason: 'so', obligations: [null as never] }],
		[
			'a duty nobody can honour',
			{ verdict: 'allow', reason: 'so', obligations: [{ kind: 'redact', paths: ['a'] }] }
		]
	];
	test.each(odd)('S0-45 %s', (_what, rule) => {
		expect(says([rule])).toBe('deny');
		expect(says([{ verdict: 'allow', reason: 'x', by: 'user' }, rule])).toBe('deny');
	});

	test('S0-45 a rule that throws refuses a real step with a code, and nothing else happens', async () => {
		const { engine, lab } = laboratory([{ calls: [set('a', 'x')] }, {}], {
			policy: { ceiling: 'auto', rules: [odd[0]![1]] }
		});
		const run = engine.run('go', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'refused' });
		expect(run.state.steps[0]!.reasons[0]!.code).toBe('denied');
		expect(lab.log).toEqual([]);
	});
});

describe('S0-46 obligations take effect', () => {
	const under = (obligation: Obligation) => ({
		ceiling: 'auto' as const,
		rules: [{ verdict: 'allow' as const, reason: 'with a duty', obligations: [obligation] }]
	});

	test('S0-46 require-approval asks', async () => {
		const { engine, settle, lab } = laboratory([{ calls: [set('a', 'x')] }], {
			policy: under({ kind: 'require-approval' })
		});
		const run = engine.run('go', { by: person });
		await settle();
		expect(run.state.reviews[0]!.reasons).toEqual([{ code: 'rule', text: 'with a duty' }]);
		expect(lab.log).toEqual([]);
	});

	test('S0-46 cap-budget lets through exactly as many acts as it names', async () => {
		for (const budget of [{ acts: 2 }, { actsPerInstance: 2 }, { actsPerMinute: 2 }]) {
			const { engine, lab } = laboratory([{ calls: [set('a', '1x'), set('a', '2x'), set('a', '3x')] }, {}], {
				policy: under({ kind: 'cap-budget', budget })
			});
			const run = engine.run('go', { by: person });
			await run.returned;
			expect(lab.log).toHaveLength(2);
			expect(run.state.steps[2]).toMatchObject({ status: 'refused' });
			expect(run.state.steps[2]!.reasons[0]!.code).toBe(`budget.${Object.keys(budget)[0]}`);
		}
	});

	test('S0-46 audit-enhanced stands in the permission', async () => {
		const { engine } = laboratory([{ calls: [set('a', 'x')] }, {}], {
			policy: under({ kind: 'audit-enhanced' })
		});
		const run = engine.run('go', { by: person });
		await run.returned;
		const granted = run.journal.find(({ kind }) => kind === 'grants.issued')!;
		expect((granted.data as { grants: { audit?: boolean }[] }).grants[0]!.audit).toBe(true);
	});
});

describe('an allow of the person is a standing grant', () => {
	const standing = [{ by: 'user' as const, verdict: 'allow' as const, act: 'set', reason: 'always' }];
	const allows = async (
		options: Parameters<typeof laboratory>[1],
		calls = [set('a', 'x')]
	): Promise<[number, string | undefined]> => {
		const { engine, lab, settle } = laboratory([{ calls }, {}], options);
		const run = engine.run('go', { by: person });
		await settle();
		return [lab.log.length, run.state.effects[0]?.how];
	};

	test('S2-49 it answers the level for a reversible act where the ceiling is auto', async () => {
		expect(await allows({ policy: { ceiling: 'auto', user: 'review', rules: standing } })).toEqual([
			1,
			'sticky'
		]);
	});

	test('S2-49 not where the app asks for review, not by the app, not under suggest', async () => {
		expect((await allows({ policy: { ceiling: 'review', rules: standing } }))[0]).toBe(0);
		expect((await allows({ policy: { ceiling: 'auto', user: 'suggest', rules: standing } }))[0]).toBe(0);
		const byApp = standing.map((rule) => ({ ...rule, by: 'app' as const }));
		expect((await allows({ policy: { ceiling: 'auto', user: 'review', rules: byApp } }))[0]).toBe(0);
		const silent = standing.map(({ by: _by, ...rule }) => rule);
		expect((await allows({ policy: { ceiling: 'auto', user: 'review', rules: silent } }))[0]).toBe(0);
	});

	test('S2-49 not what an act demands of this very call', async () => {
		const policy = { ceiling: 'auto' as const, rules: standing };
		const change = {
			set: { level: (_: unknown, { key }: { key: string }) => (key === 'a' ? 'review' : undefined) }
		};
		const asks = { policy, change: change as never };
		expect((await allows(asks))[0]).toBe(0);
		expect((await allows(asks, [set('b', 'x')]))[0]).toBe(1);
		expect((await allows({ policy, change: { set: { level: 'review' } } }))[0]).toBe(1);
	});

	test('R0 R1 never for what is irreversible, never for what is tainted and protected', async () => {
		const all = [{ by: 'user' as const, verdict: 'allow' as const, reason: 'always' }];
		const policy = { ceiling: 'auto' as const, rules: all };
		expect((await allows({ policy }, [wire('b')]))[0]).toBe(0);
		expect((await allows({ policy, tainted: true }, [share('a', 'x')]))[0]).toBe(0);
		expect((await allows({ policy }, [share('a', 'x')]))[0]).toBe(1);
	});

	test('R0 on the card of what is irreversible the level stands beside it: the allowance answered nothing', async () => {
		const { engine, settle } = laboratory([{ calls: [wire('b')] }], {
			change: { wire: { clearance: 'private' } },
			policy: {
				ceiling: 'auto',
				user: 'review',
				rules: [{ by: 'user', verdict: 'allow', reason: 'always' }]
			}
		});
		const run = engine.run('go', { by: person });
		await settle();
		expect(run.state.reviews[0]!.reasons.map(({ code }) => code)).toEqual(['irreversible', 'level']);
	});

	test('S2-49 it ends with its time, also while a step waits for its turn', async () => {
		let finish = (): void => undefined;
		const { engine, lab, settle, clock } = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}], {
			policy: { ceiling: 'auto', user: 'review', rules: [] }
		});
		const rules = [{ ...standing[0]!, until: clock.now() + 1000 }];
		const next = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}], {
			policy: { ceiling: 'auto', user: 'review', rules }
		});
		next.lab.next.push(() => new Promise((resolve) => (finish = () => resolve({ kind: 'done' }))));
		const run = next.engine.run('go', { by: person });
		await next.settle();
		await next.clock.advance(1000);
		finish();
		await next.settle();
		expect(next.lab.log).toHaveLength(1);
		expect(run.state.state).toBe('reviewing');
		await settle();
		expect([engine.runs.length, lab.log.length]).toEqual([0, 0]);
	});
});

describe('S2-114 policy that is tightened while something waits wins', () => {
	test('S2-114 a deny added after the approval refuses at the last look', async () => {
		const rules: PolicyRule[] = [];
		let finish = (): void => undefined;
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}], {
			policy: { ceiling: 'review', rules }
		});
		lab.next.push(() => new Promise((resolve) => (finish = () => resolve({ kind: 'done' }))));
		const run = engine.run('go', { by: person });
		await settle();
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
		await settle();
		rules.push({ verdict: 'deny', act: 'set', reason: 'frozen' });
		finish();
		await settle();
		expect(run.state.steps.map(({ status }) => status)).toEqual(['confirmed', 'refused']);
		expect(run.state.steps[1]!.reasons).toEqual([{ code: 'denied', text: 'frozen' }]);
		expect(run.state.effects[1]).toMatchObject({ status: 'withdrawn' });
		expect(lab.log).toHaveLength(1);
	});

	test('S2-114 an ask added while policy alone had allowed goes to the person', async () => {
		const rules: PolicyRule[] = [];
		let finish = (): void => undefined;
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}], {
			policy: { ceiling: 'auto', rules }
		});
		lab.next.push(() => new Promise((resolve) => (finish = () => resolve({ kind: 'done' }))));
		const run = engine.run('go', { by: person });
		await settle();
		rules.push({ verdict: 'ask', act: 'set', reason: 'look first' });
		finish();
		await settle();
		expect(run.state.state).toBe('reviewing');
		expect(run.state.reviews[0]!.reasons).toEqual([{ code: 'rule', text: 'look first' }]);
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
		await settle();
		expect(lab.log).toHaveLength(2);
	});

	test('S2-114 a rule that is taken away does not upgrade what waits', async () => {
		const rules: PolicyRule[] = [{ verdict: 'ask', reason: 'look first' }];
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x')] }, {}], {
			policy: { ceiling: 'auto', rules }
		});
		const run = engine.run('go', { by: person });
		await settle();
		rules.pop();
		await settle();
		expect(run.state.state).toBe('reviewing');
		expect(lab.log).toEqual([]);
	});
});
