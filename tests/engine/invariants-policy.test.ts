import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { EngineAgent } from '../../src/lib/agent/index.js';
import { judge, type Judgement, type PolicyRule } from '../../src/lib/agent/gate/policy.js';
import { BUDGET, NOTHING } from '../../src/lib/agent/protocol/budget.js';
import { CLEAN } from '../../src/lib/agent/protocol/labels.js';
import type { FrozenPolicy } from '../../src/lib/agent/protocol/policy.js';
import type { RunState, Step } from '../../src/lib/agent/protocol/run-state.js';
import type { Effect, Level, Reach } from '../../src/lib/agent/protocol/words.js';
import type { Run } from '../../src/lib/agent/engine/run.js';
import { person } from '../../src/lib/testing/index.js';
import { laboratory, look, set, share } from '../fixtures/lab.js';

const LEVELS = ['suggest', 'review', 'auto'] as const;
const rank = (level: Level) => LEVELS.indexOf(level);
/** Many whole runs; a busy machine takes its time. */
const SLOW = { timeout: 60_000 };
const LATER = Date.UTC(2100, 0);

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
const state = {
	budget: { limit: BUDGET, spent: NOTHING, reserved: NOTHING },
	effects: [],
	label: CLEAN
} as unknown as RunState;
const judged = (rules: readonly PolicyRule[]): Judgement => judge(rules, step, 'lab', () => state, 0);

describe('I4 S0-46 untrusted, private and outward is a person’s decision', SLOW, () => {
	test('I4 S2-84 truth table: 8 cases at each of 3 levels, as a consequence of R1', async () => {
		let cases = 0;
		for (const user of LEVELS)
			for (const untrusted of [false, true])
				for (const secret of [false, true])
					for (const outward of [false, true]) {
						const { engine, settle, lab } = laboratory([{ calls: [set('a', 'x')] }, {}], {
							policy: {
								ceiling: 'auto',
								user,
								// The most exact allowance there can be does not count against it.
								rules: [
									{
										by: 'user',
										verdict: 'allow',
										act: 'set',
										instance: 'lab',
										args: { key: 'a', value: 'x' },
										until: LATER,
										reason: 'always'
									}
								]
							},
							consent: { allow: ['diary'] },
							change: { set: { reach: outward ? 'app' : 'page' } },
							tainted: untrusted,
							diary: secret
						});
						const run = engine.run('go', { by: person });
						await settle();
						const [review] = run.state.reviews;
						const asks = outward && (untrusted || secret);
						const expected = user === 'suggest' ? 'proposed' : asks ? 'asked' : 'ran';
						const got = review ? 'asked' : lab.log.length > 0 ? 'ran' : 'proposed';
						expect([user, untrusted, secret, outward, got]).toEqual([
							user,
							untrusted,
							secret,
							outward,
							expected
						]);
						if (review) {
							const { refused } = run.decide(
								{ review: review.id, verdict: 'approve' },
								{ kind: 'app', id: 'app' }
							);
							expect(refused?.code).toBe('person-required');
							expect(run.decide({ review: review.id, verdict: 'approve' }, person)).toEqual({ ok: true });
							await settle();
							expect(lab.log).toHaveLength(1);
						}
						cases += 1;
					}
		expect(cases).toBe(3 * 8);
	});
});

describe('S2-49 ceiling × person × run', SLOW, () => {
	test('S2-49 27 cases on a real step: the lowest decides', async () => {
		for (const ceiling of LEVELS)
			for (const user of LEVELS)
				for (const level of LEVELS) {
					const { engine, settle, lab } = laboratory([{ calls: [set('a', 'x')] }, {}], {
						policy: { ceiling, user }
					});
					const run = engine.run('go', { by: person, level });
					await settle();
					const lowest = LEVELS[Math.min(rank(ceiling), rank(user), rank(level))]!;
					expect([ceiling, user, level, run.state.level]).toEqual([ceiling, user, level, lowest]);
					expect(lab.log).toHaveLength(lowest === 'auto' ? 1 : 0);
					expect(run.state.reviews).toHaveLength(lowest === 'review' ? 1 : 0);
				}
	});
});

describe('I5 a policy is a meet', SLOW, () => {
	const rule = fc.record<PolicyRule>(
		{
			by: fc.constantFrom('app' as const, 'user' as const),
			verdict: fc.constantFrom('deny' as const, 'ask' as const, 'allow' as const),
			act: fc.constantFrom('set', 'wire'),
			effect: fc.constantFrom('reversible' as const, 'irreversible' as const),
			args: fc.constantFrom({ key: 'a' }, { key: 'b' }),
			label: fc.constantFrom({ integrity: 'trusted' as const }, { integrity: 'untrusted' as const }),
			when: fc.constantFrom(
				() => true,
				() => false
			),
			obligations: fc.constantFrom<NonNullable<PolicyRule['obligations']>>(
				[{ kind: 'require-approval' }],
				[{ kind: 'redact', paths: ['a'] }],
				[{ kind: 'audit-enhanced' }],
				[{ kind: 'cap-budget', budget: { acts: 0 } }]
			),
			reason: fc.constant('so')
		},
		{ requiredKeys: ['verdict', 'reason'] }
	);
	const odd = fc.constantFrom<PolicyRule>(null as never, { verdict: 'maybe' } as never, {
		verdict: 'allow',
		reason: 'so',
		when: () => {
			throw new Error('no');
		}
	});
	const rules = fc.array(fc.oneof({ weight: 8, arbitrary: rule }, { weight: 1, arbitrary: odd }), {
		maxLength: 6
	});
	const order = ['none', 'allow', 'ask', 'deny'];
	const weight = ({ verdict }: Judgement) => order.indexOf(verdict);

	test('I5 S2-50 the order of rules is nothing: verdict, duties and standing are the same', () => {
		fc.assert(
			fc.property(
				rules.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
				([all, shuffled]) => {
					const [a, b] = [judged(all), judged(shuffled)];
					expect([b.verdict, b.standing, b.audit, [...b.redact].sort()]).toEqual([
						a.verdict,
						a.standing,
						a.audit,
						[...a.redact].sort()
					]);
					expect(b.reasons.map(({ code }) => code).sort()).toEqual(a.reasons.map(({ code }) => code).sort());
				}
			)
		);
	});

	test('I5 meet law: two policies together are as strict as the stricter of them', () => {
		fc.assert(
			fc.property(rules, rules, (a, b) => {
				const both = judged([...a, ...b]);
				expect(weight(both)).toBe(Math.max(weight(judged(a)), weight(judged(b))));
				// Twice the same changes nothing.
				expect(judged([...a, ...a]).verdict).toBe(judged(a).verdict);
			})
		);
	});
});

describe('I6 S2-50 every kind of rule and every field, through the real gate', SLOW, () => {
	const fields: [string, Partial<PolicyRule>, Partial<PolicyRule>][] = [
		['nothing', {}, { until: 0 }],
		['kind', { kind: 'lab' }, { kind: 'mail' }],
		['act', { act: 'set' }, { act: 'share' }],
		['instance', { instance: 'lab' }, { instance: 'lab2' }],
		['effect', { effect: 'reversible' }, { effect: 'irreversible' }],
		['reach', { reach: 'page' }, { reach: 'world' }],
		['args', { args: { value: 'x' } }, { args: { value: 'y' } }],
		['label.integrity', { label: { integrity: 'trusted' } }, { label: { integrity: 'untrusted' } }],
		[
			'label.confidentiality',
			{ label: { confidentiality: 'page' } },
			{ label: { confidentiality: 'private' } }
		],
		['label.source', { label: { source: 'lab.cells' } }, { label: { source: 'mail' } }],
		['when', { when: ({ args }) => (args as { key: string }).key === 'a' }, { when: () => false }],
		['until', { until: LATER }, { until: 1 }]
	];
	const table = (['deny', 'ask'] as const).flatMap((verdict) =>
		fields.map(([field, hits, misses]) => [verdict, field, hits, misses] as const)
	);
	const outcome = async (rule: Partial<PolicyRule>, verdict: 'deny' | 'ask') => {
		const rules = [{ verdict, reason: 'so', ...rule }];
		const { engine, settle, lab } = laboratory([{ calls: [set('a', 'x')] }, {}], {
			policy: { ceiling: 'auto', rules }
		});
		const run = engine.run('go', { by: person });
		await settle();
		if (lab.log.length > 0) return 'ran';
		return run.state.reviews.length > 0 ? 'ask' : 'deny';
	};
	test.each(table)('I6 %s by %s: one refused, one let through', async (verdict, _field, hits, misses) => {
		expect(await outcome(hits, verdict)).toBe(verdict);
		expect(await outcome(misses, verdict)).toBe('ran');
	});
});

const opened = (run: Run): FrozenPolicy =>
	(run.journal.find(({ kind }) => kind === 'run.opened')!.data as unknown as { policy: FrozenPolicy }).policy;

describe('S0-44 what runs without a person stands in the journal, class by class', SLOW, () => {
	const effects: Effect[] = ['none', 'reversible', 'irreversible'];
	const reaches: Reach[] = ['page', 'app', 'world'];

	test('S0-44 the classes recorded are those the gate lets through, at every level', async () => {
		let alone = 0;
		for (const ceiling of LEVELS)
			for (const user of [undefined, ...LEVELS])
				for (const effect of effects)
					for (const reach of reaches)
						for (const tainted of [false, true]) {
							const { engine, settle, lab } = laboratory([{ calls: [set('a', 'x')] }, {}], {
								policy: { ceiling, user },
								change: { set: { effect, reach, clearance: 'private' } },
								tainted
							});
							const run = engine.run('go', { by: person });
							await settle();
							const listed = opened(run).alone.some(
								(one) => one.effect === effect && one.reach === reach && one.tainted === tainted
							);
							expect([ceiling, user, effect, reach, tainted, lab.log.length]).toEqual([
								ceiling,
								user,
								effect,
								reach,
								tainted,
								listed ? 1 : 0
							]);
							if (listed) alone += 1;
						}
		// 6 without effect in each of 12 settings, 4 reversible ones in the two in which nobody asks for a review.
		expect(alone).toBe(12 * 6 + 2 * 4);
	});

	test('S0-44 by default nothing that changes anything runs unasked, and no setting lists the irreversible', () => {
		const classes = (policy?: object) =>
			opened(laboratory([{}], { policy: policy ?? {} }).engine.run('go', { by: person })).alone;
		expect(new Set(classes().map(({ effect }) => effect))).toEqual(new Set(['none']));
		for (const ceiling of LEVELS)
			for (const user of LEVELS)
				expect(classes({ ceiling, user }).some(({ effect }) => effect === 'irreversible')).toBe(false);
	});

	test('S0-44 each class says who allowed it: the app its ceiling, the person the level, when it was raised', async () => {
		const app = { kind: 'app', id: 'app' };
		const { engine } = laboratory([{}, {}, {}], { policy: { ceiling: 'auto' } });
		const by = (run: Run) => opened(run).alone.filter(({ effect }) => effect === 'reversible')[0]?.by;
		const first = engine.run('go', { by: person });
		expect(by(first)).toEqual([app]);
		await first.returned;
		engine.setLevel('review', person);
		const second = engine.run('go', { by: person });
		expect(opened(second)).toMatchObject({ ceiling: 'auto', user: { level: 'review', by: person } });
		expect(by(second)).toBeUndefined();
		await second.returned;
		engine.setLevel('auto', person);
		const third = engine.run('go', { by: person });
		expect(by(third)).toEqual([app, person]);
	});

	test('S0-44 rules stand beside them, and all of it is part of the contract', () => {
		const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
		const rules: PolicyRule[] = [
			{ verdict: 'ask', act: 'set', when: () => true, reason: 'look', until: Infinity },
			{
				by: 'user',
				verdict: 'allow',
				act: 'set',
				instance: 'lab',
				args: { key: 'a' },
				until: 5,
				reason: 'ok'
			},
			{ verdict: 'maybe' } as never,
			null as never
		];
		const start = (policy: object) => {
			const run = laboratory([{}], { policy }).engine.run('go', { by: person });
			return { policy: opened(run), contract: run.state.contract };
		};
		const base = start({ ceiling: 'auto', rules });
		expect(base.policy.rules).toEqual([
			{ verdict: 'ask', act: 'set', when: true, reason: 'look' },
			{
				by: 'user',
				verdict: 'allow',
				act: 'set',
				instance: 'lab',
				args: { key: 'a' },
				until: 5,
				reason: 'ok'
			}
		]);
		expect(start({ ceiling: 'auto', rules: [...rules] }).contract).toBe(base.contract);
		for (const other of [
			{ ceiling: 'review', rules },
			{ ceiling: 'auto', user: 'auto', rules },
			{ ceiling: 'auto', rules: rules.slice(1) },
			{ ceiling: 'auto', rules: [{ ...rules[0], reason: 'other' }, ...rules.slice(1)] },
			{ ceiling: 'auto', rules, version: '1' }
		])
			expect(start(other).contract).not.toBe(base.contract);
		expect(told).toHaveBeenCalled();
		told.mockRestore();
	});

	test('S0-44 S2-114 a level that a person raises is traced, a ceiling that is raised meanwhile raises no run', async () => {
		const policy = { ceiling: 'auto' as Level, user: 'review' as Level };
		const { engine, settle, lab } = laboratory([{ calls: [look('x')] }, { calls: [set('a', 'x')] }, {}], {
			policy
		});
		lab.next.push(() => {
			engine.setLevel('auto', person);
			return { kind: 'done' };
		});
		const run = engine.run('go', { by: person });
		await settle();
		const traced = run.journal.filter(({ kind }) => kind === 'level.set');
		expect(traced).toMatchObject([{ data: { level: 'auto' } }]);
		expect(lab.log.map(({ act }) => act)).toEqual(['look', 'set']);

		const strict = { ceiling: 'review' as Level };
		const other = laboratory([{ calls: [look('x')] }, { calls: [set('a', 'x')] }, {}], { policy: strict });
		other.lab.next.push(() => {
			strict.ceiling = 'auto';
			return { kind: 'done' };
		});
		const held = other.engine.run('go', { by: person });
		await other.settle();
		expect(held.state.state).toBe('reviewing');
		expect(held.state.level).toBe('review');
	});
});

describe('S2-114 a run’s policy is an upper bound', SLOW, () => {
	const ask: PolicyRule = { verdict: 'ask', act: 'set', reason: 'look first' };
	const deny: PolicyRule = { verdict: 'deny', act: 'set', reason: 'never' };

	/** Changes the rules inside an act without effect; the next turn proposes a step. */
	async function meanwhile(
		rules: PolicyRule[],
		change: (rules: PolicyRule[]) => void,
		policy: object = { ceiling: 'auto' }
	) {
		const made = laboratory(
			[{ calls: [look('x')] }, { calls: [set('a', 'x')] }, { calls: [set('b', 'y')] }, {}],
			{
				policy: { ...policy, rules }
			}
		);
		made.lab.next.push(() => {
			change(rules);
			return { kind: 'done' };
		});
		const run = made.engine.run('go', { by: person });
		await made.settle();
		const written = made.lab.log.filter(({ act }) => act === 'set').length;
		return { ...made, run, written };
	}

	test('S2-114 a rule that is taken away holds on in the run, and is gone with its next revision', async () => {
		const { run, engine, settle, lab, written } = await meanwhile([ask], (rules) => rules.pop());
		expect([run.state.state, written]).toEqual(['reviewing', 0]);
		expect(run.state.reviews[0]!.reasons).toEqual([{ code: 'rule', text: 'look first' }]);
		await run.steer({ kind: 'correction', text: 'go on' }, person);
		await settle();
		expect(lab.log.some(({ act }) => act === 'set')).toBe(true);
		expect(run.state.reviews.map(({ status }) => status)).toEqual(['superseded']);
		expect(engine.runs).toHaveLength(1);
	});

	test('S2-114 so does a denial, and one that was made weaker', async () => {
		const gone = await meanwhile([deny], (rules) => rules.pop());
		expect(gone.written).toBe(0);
		expect(gone.run.state.steps[0]).toMatchObject({
			status: 'refused',
			reasons: [{ code: 'denied', text: 'never' }]
		});
		const weaker = await meanwhile([deny], (rules) => (rules[0] = ask));
		expect(weaker.written).toBe(0);
		const inPlace = await meanwhile([{ ...deny }], ([rule]) => (rule!.verdict = 'allow'));
		expect(inPlace.written).toBe(0);
	});

	test('S2-114 of a rule with a condition only its being there is known: when it is gone it asks', async () => {
		const conditional = { ...deny, when: () => false };
		expect((await meanwhile([conditional], () => undefined)).written).toBe(2);
		const { written, run } = await meanwhile([conditional], (rules) => rules.pop());
		expect([written, run.state.state]).toEqual([0, 'reviewing']);
	});

	test('S2-114 an allowance of the person counts in the runs that begin after it, or change course', async () => {
		const grant: PolicyRule = {
			by: 'user',
			verdict: 'allow',
			act: 'set',
			instance: 'lab',
			when: () => true,
			until: LATER,
			reason: 'always'
		};
		const policy = { ceiling: 'auto', user: 'review' };
		expect((await meanwhile([grant], () => undefined, policy)).written).toBe(2);
		const { written, run, settle, lab } = await meanwhile([], (rules) => rules.push(grant), policy);
		expect([written, run.state.state]).toEqual([0, 'reviewing']);
		await run.steer({ kind: 'correction', text: 'go on' }, person);
		await settle();
		expect(lab.log.some(({ act }) => act === 'set')).toBe(true);
		// One that is taken back counts no more, at once.
		expect((await meanwhile([grant], (rules) => rules.pop(), policy)).written).toBe(0);
	});

	test('S2-114 a ceiling that is raised meanwhile lends an allowance no weight', async () => {
		const grant: PolicyRule = {
			by: 'user',
			verdict: 'allow',
			act: 'set',
			instance: 'lab',
			when: () => true,
			until: LATER,
			reason: 'always'
		};
		const policy = { ceiling: 'review' as Level, rules: [grant] };
		const made = laboratory([{ calls: [look('x')] }, { calls: [set('a', 'x')] }, {}], { policy });
		made.lab.next.push(() => {
			policy.ceiling = 'auto';
			return { kind: 'done' };
		});
		const run = made.engine.run('go', { by: person });
		await made.settle();
		expect([run.state.state, made.lab.log.length]).toEqual(['reviewing', 1]);
	});

	test('S2-114 the same for what has no effect', async () => {
		const rules: PolicyRule[] = [{ verdict: 'deny', act: 'look', args: { value: 'y' }, reason: 'no' }];
		const made = laboratory([{ calls: [look('x')] }, { calls: [look('y')] }, {}], {
			policy: { ceiling: 'auto', rules }
		});
		made.lab.next.push(() => {
			rules.pop();
			return { kind: 'done' };
		});
		await made.engine.run('go', { by: person }).returned;
		expect(made.lab.log.map(({ args }) => args.value)).toEqual(['x']);
	});

	test('S2-114 what is tightened counts at once, its duties too', async () => {
		expect((await meanwhile([], (rules) => rules.push(deny))).written).toBe(0);
		expect((await meanwhile([], (rules) => rules.push(ask))).run.state.state).toBe('reviewing');
		const duty: PolicyRule = {
			by: 'user',
			verdict: 'allow',
			act: 'set',
			reason: 'so',
			obligations: [{ kind: 'require-approval' }]
		};
		expect((await meanwhile([], (rules) => rules.push(duty))).run.state.state).toBe('reviewing');
		const held = await meanwhile([duty], (rules) => rules.pop());
		expect([held.run.state.state, held.lab.log.length]).toEqual(['reviewing', 1]);
		expect((await meanwhile([], (rules) => rules.push(null as never))).written).toBe(0);
	});

	test('S2-114 a rule whose time has come is over, taken away or not', async () => {
		for (const change of [(rules: PolicyRule[]) => void rules.pop(), () => undefined])
			expect((await meanwhile([{ ...deny, until: 1 }], change)).written).toBe(2);
	});

	test('S2-114 an engine restored without the rule keeps it for the run, by its records', async () => {
		for (const [rule, status] of [
			[ask, 'proposed'],
			[deny, 'refused']
		] as const) {
			const made = laboratory([{ calls: [look('x')] }, { calls: [set('a', 'x')] }, {}], {
				policy: { ceiling: 'auto', rules: [rule] }
			});
			let taken: ReturnType<EngineAgent['snapshot']> | undefined;
			made.engine.subscribe(({ kind }) => {
				if (kind === 'plan.proposed') taken ??= made.engine.snapshot();
			});
			made.engine.run('go', { by: person });
			await made.settle();
			made.engine.abandon();
			const { lab } = made;
			const engine = EngineAgent.restore(
				{ ...made.options, policy: { ceiling: 'auto' }, recovery: 'resume' },
				taken!
			);
			await engine.ready;
			await made.settle();
			expect(engine.runs[0]!.steps[0]!.status).toBe(status);
			expect(lab.log.filter(({ act }) => act === 'set')).toEqual([]);
		}
	});

	test('I5 S2-114 whatever becomes of the rules, a run is never freer than it began', async () => {
		const pool: PolicyRule[] = [ask, deny, { ...ask, act: 'share' }, { verdict: 'allow', reason: 'fine' }];
		await fc.assert(
			fc.asyncProperty(fc.subarray(pool), fc.subarray(pool), async (before, after) => {
				const order = ['ran', 'ask', 'deny'];
				const strict = (rules: PolicyRule[]) =>
					rules.includes(deny) ? 'deny' : rules.includes(ask) ? 'ask' : 'ran';
				const { written, run } = await meanwhile([...before], (rules) => rules.splice(0, 9, ...after));
				const got = written > 0 ? 'ran' : run.state.state === 'reviewing' ? 'ask' : 'deny';
				expect(order.indexOf(got)).toBe(
					Math.max(order.indexOf(strict(before)), order.indexOf(strict(after)))
				);
			}),
			{ numRuns: 30 }
		);
	});
});

describe('S0-46 redact masks what a step tells the model', SLOW, () => {
	const hide = (...paths: string[]): PolicyRule => ({
		verdict: 'allow',
		reason: 'not for models',
		obligations: [{ kind: 'redact', paths }]
	});
	const told = (made: ReturnType<typeof laboratory>) =>
		made.requests.at(-1)!.messages.flatMap((one) => (one.role === 'result' ? [one.content] : []));
	const card = { name: 'Ada', iban: 'ES91 2100', more: [{ pin: '1234', city: 'Zaragoza' }, { pin: '5678' }] };

	async function act(paths: string[], value: unknown = card, call = set('a', 'x')) {
		const made = laboratory([{ calls: [call] }, {}], {
			policy: { ceiling: 'auto', rules: paths.length > 0 ? [hide(...paths)] : [] }
		});
		made.lab.next.push((lab) => {
			if (call.act === 'set') lab.put('a', 'x');
			return { kind: 'done', value };
		});
		const run = made.engine.run('go', { by: person });
		await run.returned;
		return { content: told(made)[0] as Record<string, unknown>, run, made };
	}

	test('S0-46 without it all is told; with it, exactly the members named, visibly', async () => {
		expect((await act([])).content).toEqual({ done: true, result: card, state: { 'cells:a': 'x' } });
		const { content } = await act(['iban', 'more.*.pin']);
		expect(content.result).toEqual({
			name: 'Ada',
			iban: '[redacted]',
			more: [{ pin: '[redacted]', city: 'Zaragoza' }, { pin: '[redacted]' }]
		});
		expect(content.state).toEqual({ 'cells:a': 'x' });
	});

	test('S0-46 the whole of a result or a read by its name, members by index, several rules together', async () => {
		expect((await act(['result'])).content.result).toBe('[redacted]');
		expect((await act(['result.iban'])).content.result).toMatchObject({ iban: '[redacted]', name: 'Ada' });
		expect((await act(['more.1'])).content.result).toMatchObject({ more: [card.more[0], '[redacted]'] });
		for (const path of ['a', 'cells.a', 'cells', '*'])
			expect((await act([path])).content.state).toEqual({ 'cells:a': '[redacted]' });
		const { content } = await act(['name'], JSON.parse('{"__proto__":{"name":1},"name":2}'));
		expect(JSON.stringify(content.result)).toBe('{"__proto__":{"name":1},"name":"[redacted]"}');
	});

	test('S0-46 what is cut for its length is masked before', async () => {
		const { content } = await act(['iban'], { iban: 'ES91 2100', text: 'x'.repeat(9000) });
		expect(JSON.stringify(content)).toContain('[redacted]');
		expect(JSON.stringify(content)).not.toContain('ES91');
	});

	test('S0-46 also of an act without effect, and of the journal’s result of a step', async () => {
		const { content } = await act(['iban'], card, look('x'));
		expect(content.result).toMatchObject({ iban: '[redacted]', name: 'Ada' });
		const { run } = await act(['iban']);
		expect(run.state.steps[0]!.result).toMatchObject({ iban: '[redacted]' });
		expect(JSON.stringify(run.journal)).not.toContain('ES91');
	});

	test('S0-46 also for a caller without a model', async () => {
		const made = laboratory([], { policy: { ceiling: 'auto', rules: [hide('iban')] } });
		made.lab.next.push(() => ({ kind: 'done', value: card }));
		const outcome = await made.engine.call({ kind: 'outside', id: 'x' }, 'lab', 'set', {
			key: 'a',
			value: 'x'
		}).returned;
		expect(outcome).toMatchObject({ kind: 'completed', value: { iban: '[redacted]', name: 'Ada' } });
	});

	test('S0-46 also the arguments a person edited, and the fresh state of what was rejected', async () => {
		for (const verdict of ['edit', 'reject'] as const) {
			const made = laboratory([{ calls: [set('a', 'theirs')] }, {}], {
				policy: { ceiling: 'review', rules: [hide('value', 'cells.a')] }
			});
			made.lab.put('a', 'mine before');
			const run = made.engine.run('go', { by: person });
			await made.settle();
			const { id } = run.state.steps[0]!;
			const args = { key: 'a', value: 'mine' };
			run.decide(
				{
					review: run.state.reviews[0]!.id,
					steps: { [id]: verdict === 'edit' ? { verdict, args } : { verdict } }
				},
				person
			);
			await run.returned;
			const [content] = told(made);
			expect(content).toMatchObject({ state: { 'cells:a': '[redacted]' } });
			if (verdict === 'edit') {
				expect(content).toMatchObject({ executed: { key: 'a', value: '[redacted]' } });
				expect(made.lab.cells.a).toBe('mine');
			}
			expect(JSON.stringify(content)).not.toContain('mine');
		}
	});

	test('S0-46 it is recorded: neither a rule that is gone nor another engine tells more', async () => {
		for (const when of ['gone', 'restored'] as const) {
			// It comes after the run was opened, so that the policy of the run does not keep it.
			const rules: PolicyRule[] = [];
			const made = laboratory([{ calls: [look('x')] }, { calls: [set('a', 'x')] }, {}], {
				policy: { ceiling: 'review', rules }
			});
			made.lab.next.push(
				() => {
					rules.push(hide('iban'));
					return { kind: 'done' };
				},
				() => ({ kind: 'done', value: card })
			);
			let run = made.engine.run('go', { by: person });
			await made.settle();
			if (when === 'gone') rules.pop();
			else {
				const snapshot = made.engine.snapshot();
				made.engine.abandon();
				// The rules of the run are lost too: what was shown on the card is what counts.
				const records = snapshot.runs[0]!;
				expect(records.find(({ kind }) => kind === 'review.opened')!.data).toMatchObject({
					steps: [{ redact: ['iban'] }]
				});
				const engine = EngineAgent.restore(
					{ ...made.options, policy: { ceiling: 'review' }, recovery: 'resume' },
					snapshot
				);
				await engine.ready;
				run = engine.get(run.id)!;
			}
			run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
			await run.returned;
			const granted = run.journal.find(({ kind }) => kind === 'grants.issued')!;
			expect(granted.data).toMatchObject({ grants: [{ redact: ['iban'] }] });
			expect((told(made)[1] as { result: unknown }).result).toMatchObject({ iban: '[redacted]' });
		}
	});

	test('S0-46 a rule added while the act runs masks what it tells', async () => {
		const rules: PolicyRule[] = [];
		const made = laboratory([{ calls: [set('a', 'x')] }, {}], { policy: { ceiling: 'auto', rules } });
		made.lab.next.push(async () => {
			await Promise.resolve();
			rules.push(hide('iban'));
			return { kind: 'done', value: card };
		});
		await made.engine.run('go', { by: person }).returned;
		expect((told(made)[0] as { result: unknown }).result).toMatchObject({ iban: '[redacted]' });
	});

	test('S0-46 also of an answer that comes when nobody waits any more', async () => {
		const made = laboratory([{ calls: [set('a', 'x')] }, {}], {
			policy: { ceiling: 'auto', rules: [hide('iban')] },
			change: { set: { timeoutMs: 1000 } }
		});
		let answer!: () => void;
		made.lab.next.push(
			() => new Promise((resolve) => (answer = () => resolve({ kind: 'done', value: card })))
		);
		const run = made.engine.run('go', { by: person });
		await made.settle();
		await made.clock.advance(1000);
		answer();
		await made.settle();
		expect(run.state.steps[0]).toMatchObject({
			status: 'confirmed',
			result: { iban: '[redacted]', name: 'Ada' }
		});
	});

	test('S0-46 it masks, and lowers no label: what was told is worth what it was worth', async () => {
		const label = async (paths: string[]) => (await act(paths, card, share('a', 'x'))).run.state.label;
		expect(await label(['iban'])).toEqual(await label([]));
	});
});
