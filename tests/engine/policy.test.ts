import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { judge, type Obligation, type PolicyRule } from '../../src/lib/agent/gate/policy.js';
import { ruleFaults } from '../../src/lib/agent/gate/rule.js';
import { BUDGET, NOTHING } from '../../src/lib/agent/protocol/budget.js';
import { CLEAN } from '../../src/lib/agent/protocol/labels.js';
import type { JSONValue, Label } from '../../src/lib/agent/protocol/words.js';
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
		effects: [],
		label: { ...CLEAN, confidentiality: 'page', sources: ['lab.cells'] }
	}) as unknown as RunState;
const judged = (rules: readonly PolicyRule[], one = step, now = 0) =>
	judge(rules, one, 'lab', () => run(), now);
const says = (...given: Parameters<typeof judged>) => judged(...given).verdict;

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
		['until, without an end', { until: Infinity }, { until: -Infinity }],
		['effect', { effect: 'reversible' }, { effect: 'irreversible' }],
		['reach', { reach: 'page' }, { reach: 'app' }],
		['args', { args: { key: 'a' } }, { args: { key: 'b' } }],
		['args, all', { args: { value: 'x', key: 'a' } }, { args: { key: 'a', value: 'x', more: 1 } }],
		['args, none', { args: {} }, { args: { toString: 'x' } }],
		['label.integrity', { label: { integrity: 'trusted' } }, { label: { integrity: 'untrusted' } }],
		[
			'label.confidentiality',
			{ label: { confidentiality: 'page' } },
			{ label: { confidentiality: 'private' } }
		],
		[
			'label.confidentiality, worse',
			{ label: { confidentiality: 'public' } },
			{ label: { confidentiality: 'private' } }
		],
		['label.source', { label: { source: 'lab.cells' } }, { label: { source: 'lab.cell' } }],
		['label.source, the instance', { label: { source: 'lab' } }, { label: { source: 'la' } }],
		['by', { by: 'user' }, { by: 'app', act: 'wire' }],
		['verdict', { verdict: 'deny' }, { verdict: 'allow' }],
		['all at once', { kind: 'lab', act: 'set', instance: 'lab' }, { kind: 'lab', act: 'set', instance: 'x' }]
	];
	test.each(table)('I6 %s', (_field, hits, misses) => {
		expect(says(deny(hits))).toBe('deny');
		expect(says(deny(misses))).not.toBe('deny');
	});

	test('I6 the label is that of the arguments and of all that led to the step', () => {
		const rule = deny({ label: { integrity: 'untrusted' } });
		const told = (control: Label, args: Label) =>
			judge(rule, { ...step, args: {}, label: args }, 'lab', () => ({ ...run(), label: control }), 0).verdict;
		const bad = { ...CLEAN, integrity: 'untrusted' as const };
		expect([told(CLEAN, CLEAN), told(bad, CLEAN), told(CLEAN, bad)]).toEqual(['none', 'deny', 'deny']);
	});

	test('I6 what allows is met by what is as good or better, what denies or asks by what is as bad or worse', () => {
		const order = ['public', 'page', 'private'] as const;
		for (const verdict of ['deny', 'ask', 'allow'] as const)
			for (const wanted of order)
				for (const found of order) {
					const rule = { verdict, reason: 'so', label: { confidentiality: wanted } };
					const label = { ...CLEAN, confidentiality: found };
					const met = judge([rule], { ...step, label }, 'lab', () => ({ ...run(), label }), 0).verdict;
					const far = order.indexOf(found) - order.indexOf(wanted);
					expect([verdict, wanted, found, met !== 'none']).toEqual([
						verdict,
						wanted,
						found,
						verdict === 'allow' ? far <= 0 : far >= 0
					]);
				}
		const from = (...sources: string[]) => ({ ...CLEAN, sources });
		const says = (verdict: 'deny' | 'allow', label: Label) =>
			judge(
				[{ verdict, reason: 'so', label: { source: 'mail' } }],
				{ ...step, label },
				'lab',
				() => ({ ...run(), label }),
				0
			).verdict;
		expect(says('deny', from('mail.letter', 'lab.cells'))).toBe('deny');
		expect(says('allow', from('mail.letter', 'lab.cells'))).toBe('none');
		expect(says('allow', from('mail.letter', 'mail:x'))).toBe('allow');
		// What was erased may have been there, and may not.
		expect(says('deny', from('lab.cells', 'erased'))).toBe('deny');
		expect(says('allow', from('mail.letter', 'erased'))).toBe('none');
	});

	test('I6 arguments are equal as JSON, key by key', () => {
		const given = (args: JSONValue) => ({ ...step, args });
		const wants = (args: Record<string, JSONValue>, one: Step) => says(deny({ args }), one) === 'deny';
		expect(wants({ x: { b: 1, a: [0] } }, given({ x: { a: [-0], b: 1 }, y: 2 }))).toBe(true);
		expect(wants({ x: '1' }, given({ x: 1 }))).toBe(false);
		expect(wants({ x: { a: 1 } }, given({ x: { a: 1, b: 2 } }))).toBe(false);
		expect(wants({ x: '\u00e9' }, given({ x: 'e\u0301' }))).toBe(false);
		expect(wants({ x: null }, given({}))).toBe(false);
		expect(wants(JSON.parse('{"__proto__":1}') as never, given({}))).toBe(false);
		expect(wants(JSON.parse('{"__proto__":1}') as never, given(JSON.parse('{"__proto__":1}') as never))).toBe(
			true
		);
		for (const args of [null, 'text', 1]) expect(wants({ x: 1 }, given(args))).toBe(false);
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
		...(
			[
				['by', 'nobody'],
				['kind', 1],
				['act', null],
				['instance', ['lab']],
				['effect', 'some'],
				['effect', 'toString'],
				['reach', 'moon'],
				['args', 'x'],
				['args', ['x']],
				['args', null],
				['args', { x: NaN }],
				['args', { x: new Map() }],
				['label', {}],
				['label', 'untrusted'],
				['label', { integrity: 'so so' }],
				['label', { confidentiality: 'secret' }],
				['label', { source: 1 }],
				['label', { origins: ['user'] }],
				['when', true],
				['when', 'step.act'],
				['reason', undefined],
				['reason', 1],
				['reason', ''],
				['reason', ' \n'],
				['until', NaN],
				['until', '2027-01-01'],
				['until', null],
				['obligations', {}],
				['obligations', 'redact'],
				['obligations', null],
				['acts', 'set'],
				['__proto__x', 1]
			] as const
		).map(([field, value]): [string, PolicyRule] => [
			`"${field}" as ${JSON.stringify(value)}`,
			{ verdict: 'allow', reason: 'so', [field]: value } as never
		]),
		...(
			[
				{ kind: 'redact' },
				{ kind: 'redact', paths: [] },
				{ kind: 'redact', paths: 'a' },
				{ kind: 'redact', paths: [''] },
				{ kind: 'redact', paths: ['a..b'] },
				{ kind: 'redact', paths: ['a', 1] },
				{ kind: 'redact', paths: ['a'], but: 'b' },
				{ kind: 'cap-budget' },
				{ kind: 'cap-budget', budget: {} },
				{ kind: 'cap-budget', budget: { acts: NaN } },
				{ kind: 'cap-budget', budget: { acts: -1 } },
				{ kind: 'cap-budget', budget: { acts: '1' } },
				{ kind: 'cap-budget', budget: { acts: Infinity } },
				{ kind: 'cap-budget', budget: { sheep: 1 } },
				{ kind: 'require-approval', of: 'nobody' }
			] as const
		).map((duty): [string, PolicyRule] => [
			`the duty ${JSON.stringify(duty)}`,
			{ verdict: 'allow', reason: 'so', obligations: [duty as never] }
		]),
		[
			'a field that cannot be read',
			Object.defineProperty({ verdict: 'allow' as const, reason: 'so' }, 'act', {
				enumerable: true,
				get() {
					throw new Error('secret');
				}
			})
		],
		[
			'a verdict that cannot be read',
			Object.defineProperty({ reason: 'so' }, 'verdict', {
				get() {
					throw new Error('secret');
				}
			}) as never
		]
	];
	test.each(odd)('S0-45 %s', (_what, rule) => {
		expect(says([rule])).toBe('deny');
		expect(says([{ verdict: 'allow', reason: 'x', by: 'user' }, rule])).toBe('deny');
		// What it was to be about nobody can tell.
		expect(says([rule], { ...step, act: 'other', instance: 'elsewhere' })).toBe('deny');
		const [why] = judge([{ verdict: 'ask', reason: 'x' }, rule], step, 'lab', () => run(), 0).reasons;
		expect(why).toEqual({ code: 'denied', text: expect.stringMatching(/^Rule 2 of the policy cannot/) });
		expect(why!.text).not.toContain('secret');
	});

	test('S0-45 rules that are no list deny, and a rule as a null object or a proxy is a rule', () => {
		for (const rules of [null, 1, {}, { length: 1 }]) expect(says(rules as never)).toBe('deny');
		const good = { verdict: 'ask' as const, reason: 'so' };
		expect(says([Object.assign(Object.create(null) as object, good) as PolicyRule])).toBe('ask');
		expect(says([new Proxy(good, {})])).toBe('ask');
	});

	test('S0-45 each field is read once: what was checked is what holds', () => {
		let reads = 0;
		const rule = Object.defineProperty({ reason: 'so' }, 'verdict', {
			enumerable: true,
			get: () => ((reads += 1), reads === 1 ? 'deny' : 'allow')
		}) as never;
		expect(says([rule])).toBe('deny');
		expect(reads).toBe(1);
	});

	test('S0-45 a malformed rule is told to whoever wrote it when the engine is made, and breaks nothing', async () => {
		const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
		const rules = [{ verdict: 'ask', reason: 'fine' }, { verdict: 'maybe', reason: 'so' }, null] as never;
		const { engine, lab } = laboratory([{ calls: [set('a', 'x')] }, {}], {
			policy: { ceiling: 'auto', rules }
		});
		expect(told.mock.calls).toEqual([
			[
				'Rule 2 of the policy cannot be used ("verdict" is "maybe", not deny or ask or allow): it denies every step.'
			],
			['Rule 3 of the policy cannot be used: it denies every step.']
		]);
		told.mockRestore();
		const run = engine.run('go', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'refused' });
		expect(run.state.steps[0]!.reasons.map(({ code }) => code)).toEqual(['denied', 'denied']);
		expect(lab.log).toEqual([]);
	});

	test.each<[string, object, string]>([
		['a word', { effect: 'some' }, '"effect" is "some", not none or reversible or irreversible'],
		['no reason', { reason: '' }, '"reason" is "", not a text that says why'],
		['a text for a time', { until: '2027' }, '"until" is "2027", not milliseconds since the epoch'],
		['a label', { label: { integrity: 'so so' } }, '"label" is {"integrity":"so so"}, not { integrity,'],
		['a duty', { obligations: [{ kind: 'pray' }] }, 'is [{"kind":"pray"}], not a list of known obligations'],
		['an unknown field', { acts: 'set' }, '"acts" is no field of a rule'],
		['a big number', { until: 1n }, '"until" is bigint, not milliseconds'],
		['a long one', { kind: ['x'.repeat(500)] }, `"kind" is ["${'x'.repeat(58)}, not a text`]
	])('S0-45 of %s the console says what stands there and what should', (_what, field, text) => {
		const [fault] = ruleFaults([{ verdict: 'ask', reason: 'so', ...field } as never]);
		expect(fault).toContain(text);
		// What a model is told names the field alone.
		const { reasons } = judged([{ verdict: 'ask', reason: 'so', ...field } as never]);
		expect(reasons[0]!.text).toMatch(
			/^Rule 1 of the policy cannot be used \("\w+"\): it denies every step\.$/
		);
	});

	test('S0-45 what a condition does wrong is told once, with what it threw', () => {
		const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
		const gone = new Error('no such field');
		const rules = [
			() => {
				throw gone;
			},
			() => Promise.reject(gone),
			() => 'yes'
		].map((when) => ({ verdict: 'deny', reason: 'so', when }) as never);
		for (let i = 0; i < 3; i++) expect(says(rules)).toBe('deny');
		const cannot = (at: number, why: string) =>
			`Rule ${at} of the policy cannot be used ("when" ${why}): it denies every step.`;
		expect(told.mock.calls).toEqual([
			[cannot(1, 'threw'), gone],
			[cannot(2, 'is asynchronous, not true or false')],
			[cannot(3, 'is "yes", not true or false')]
		]);
		told.mockRestore();
		expect(JSON.stringify(judged(rules).reasons)).not.toContain('no such field');
	});

	test('S0-46 an allowance that can answer no review says what is missing, and one that can says nothing', () => {
		const standing = {
			by: 'user',
			verdict: 'allow',
			act: 'set',
			instance: 'lab',
			args: {},
			until: 9e12,
			reason: 'so'
		} as const;
		const needs = (change: Partial<PolicyRule>) =>
			ruleFaults([{ ...standing, ...change }]).map(
				(text) => /^Rule 1 of the policy answers no review: an "allow" needs (.*)\.$/.exec(text)?.[1]
			);
		expect(needs({})).toEqual([]);
		expect(needs({ args: undefined, when: () => true })).toEqual([]);
		expect(needs({ by: 'app' })).toEqual(["by: 'user'"]);
		expect(needs({ by: undefined, obligations: [{ kind: 'audit-enhanced' }] })).toEqual([]);
		expect(needs({ until: Infinity })).toEqual(['a finite until']);
		expect(needs({ effect: 'irreversible' })).toEqual(['an effect that can be undone']);
		expect(needs({ act: undefined, instance: undefined, args: undefined, until: undefined })).toEqual([
			'act, instance, args or when, a finite until'
		]);
		expect(needs({ verdict: 'deny', until: undefined })).toEqual([]);
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
	const LATER = Date.UTC(2100, 0);
	const grant: PolicyRule = {
		by: 'user',
		verdict: 'allow',
		act: 'set',
		instance: 'lab',
		args: { key: 'a', value: 'x' },
		until: LATER,
		reason: 'always'
	};
	const allows = async (
		options: Parameters<typeof laboratory>[1],
		calls = [set('a', 'x')]
	): Promise<[number, string | undefined]> => {
		const { engine, lab, settle } = laboratory([{ calls }, {}], options);
		const run = engine.run('go', { by: person });
		await settle();
		return [lab.log.length, run.state.effects[0]?.how];
	};
	const under = (rule: PolicyRule) => ({
		policy: { ceiling: 'auto' as const, user: 'review' as const, rules: [rule] }
	});

	test('S2-49 it answers the level for exactly this call, where the ceiling is auto', async () => {
		expect(await allows(under(grant))).toEqual([1, 'sticky']);
		const { args: _args, ...rest } = grant;
		const when = (it: Step) => (it.args as { value: string }).value === 'x';
		expect(await allows(under({ ...rest, when }))).toEqual([1, 'sticky']);
	});

	test.each<[string, Partial<PolicyRule>]>([
		['no act', { act: undefined }],
		['no instance', { instance: undefined }],
		['no end', { until: undefined }],
		['an end that is none', { until: Infinity }],
		['an end that is over', { until: 1 }],
		['no arguments', { args: undefined }],
		['arguments in part', { args: { key: 'a' } }],
		['other arguments', { args: { key: 'a', value: 'y' } }],
		['arguments of another type', { args: { key: 'a', value: ['x'] } }],
		['a condition that does not hold', { args: undefined, when: () => false }],
		['another instance', { instance: 'lab2' }],
		['another act', { act: 'share' }]
	])('S2-49 a broader or another allowance answers nothing: %s', async (_what, more) => {
		expect(await allows(under({ ...grant, ...more }))).toEqual([0, undefined]);
	});

	test('S2-49 not where the app asks for review, not by the app, not under suggest', async () => {
		const rules = [grant];
		expect((await allows({ policy: { ceiling: 'review', rules } }))[0]).toBe(0);
		expect((await allows({ policy: { ceiling: 'auto', user: 'suggest', rules } }))[0]).toBe(0);
		expect((await allows(under({ ...grant, by: 'app' })))[0]).toBe(0);
		expect((await allows(under({ ...grant, by: undefined })))[0]).toBe(0);
	});

	test('S2-49 not what an act demands of this very call', async () => {
		const change = {
			set: { level: (_: unknown, { key }: { key: string }) => (key === 'a' ? 'review' : undefined) }
		};
		const asks = { policy: { ceiling: 'auto' as const, rules: [grant] }, change: change as never };
		expect((await allows(asks))[0]).toBe(0);
		expect((await allows(asks, [set('b', 'x')]))[0]).toBe(1);
		// What it demands of every call the person may have answered.
		expect((await allows({ ...asks, change: { set: { level: 'review' } } }))[0]).toBe(1);
	});

	test('R0 R1 never for what is irreversible, never for what is tainted and protected', async () => {
		const wired = { ...grant, act: 'wire', args: { value: 'b' } };
		const shared = { ...grant, act: 'share' };
		expect((await allows(under(wired), [wire('b')]))[0]).toBe(0);
		expect((await allows({ ...under(shared), tainted: true }, [share('a', 'x')]))[0]).toBe(0);
		expect((await allows(under(shared), [share('a', 'x')]))[0]).toBe(1);
	});

	test('R0 on the card of what is irreversible the level stands beside it: the allowance answered nothing', async () => {
		const { engine, settle } = laboratory([{ calls: [wire('b')] }], {
			change: { wire: { clearance: 'private' } },
			...under({ ...grant, act: 'wire', args: { value: 'b' } })
		});
		const run = engine.run('go', { by: person });
		await settle();
		expect(run.state.reviews[0]!.reasons.map(({ code }) => code)).toEqual(['irreversible', 'level']);
	});

	test('S2-49 it ends with its time, also while a step waits for its turn', async () => {
		let finish = (): void => undefined;
		const rules: PolicyRule[] = [grant, { ...grant, args: { key: 'b', value: 'y' } }];
		const { engine, lab, settle, clock } = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}], {
			policy: { ceiling: 'auto', user: 'review', rules }
		});
		rules[1] = { ...rules[1]!, until: clock.now() + 1000 };
		lab.next.push(() => new Promise((resolve) => (finish = () => resolve({ kind: 'done' }))));
		const run = engine.run('go', { by: person });
		await settle();
		await clock.advance(1000);
		finish();
		await settle();
		expect(lab.log).toHaveLength(1);
		expect(run.state.state).toBe('reviewing');
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
