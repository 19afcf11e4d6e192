import { readdirSync, readFileSync } from 'node:fs';
import { documentCodes } from '../../src/lib/canon/participants/document/index.js';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createRegistry, fold, verify } from '../../src/lib/agent/index.js';
import type { Run } from '../../src/lib/agent/engine/run.js';
import { codes } from '../../src/lib/agent/protocol/code-table.js';
import type { AgentTransport, TurnEvent, TurnRequest } from '../../src/lib/agent/protocol/turn.js';
import type { Reason } from '../../src/lib/agent/protocol/words.js';
import { transition } from '../../src/lib/agent/run/transition.js';
import { person } from '../../src/lib/testing/index.js';
import {
	diaryManifest,
	Lab,
	laboratory,
	labManifest,
	lab as call,
	link,
	look,
	set,
	share,
	wire
} from '../fixtures/lab.js';

type Made = ReturnType<typeof laboratory>;
const known = ({ code }: Reason) => Object.hasOwn(codes, code);

/** Nothing is lost: the journal holds, state is its fold, and the run has ended or waits for something that has a name. */
function whole({ engine }: Made, run: Run) {
	expect(verify(run.journal)).toEqual([]);
	expect(fold(run.journal)).toEqual(run.state);
	const waits = engine.pending.length > 0;
	expect([run.state.state, run.state.outcome !== undefined || waits]).toEqual([run.state.state, true]);
	for (const { reasons } of run.state.steps)
		for (const why of reasons) expect([why.code, known(why)]).toEqual([why.code, true]);
	for (const why of run.state.escalations) expect([why.code, known(why)]).toEqual([why.code, true]);
	if (run.state.outcome?.reason)
		expect([run.state.outcome.reason.code, known(run.state.outcome.reason)]).toEqual([
			run.state.outcome.reason.code,
			true
		]);
	if (run.state.outcome)
		for (const { status } of run.state.calls) expect(['closed', 'refused']).toContain(status);
}

const wire_ = (
	events: readonly TurnEvent[],
	more: { throws?: boolean; hangs?: boolean; at?: 'open' } = {}
): AgentTransport => {
	let opened = 0;
	return {
		name: 'odd',
		open(_request: TurnRequest, signal) {
			opened += 1;
			if (more.at === 'open') throw new Error('cannot open');
			const first = opened === 1;
			return (async function* () {
				if (!first) {
					yield { type: 'end', reason: 'stop' } as TurnEvent;
					return;
				}
				for (const event of events) yield event;
				if (more.throws) throw new Error('torn');
				if (more.hangs) await new Promise((resolve) => signal.addEventListener('abort', resolve));
			})();
		}
	};
};
const callOf = (id: string, raw: string, name = 'lab__set'): TurnEvent[] => [
	{ type: 'call.start', id, name },
	{ type: 'call.end', id, verdict: 'complete', raw }
];
const end: TurnEvent = { type: 'end', reason: 'calls' };
const good = '{"instance":"lab","key":"a","value":"x"}';

const cases: [string, () => Made][] = [
	['arguments that are no JSON', () => laboratory([{ calls: [{ ...set('a', 'x'), raw: '{oops' }] }, {}])],
	['arguments that are no object', () => laboratory([{ calls: [{ ...set('a', 'x'), raw: '"text"' }] }, {}])],
	['arguments null', () => laboratory([{ calls: [{ ...set('a', 'x'), raw: 'null' }] }, {}])],
	['empty arguments', () => laboratory([{ calls: [{ ...set('a', 'x'), raw: '' }] }, {}])],
	[
		'arguments that reach for a prototype',
		() =>
			laboratory([
				{
					calls: [
						{ ...set('a', 'x'), raw: '{"instance":"lab","__proto__":{"key":"a"},"key":"a","value":"x"}' }
					]
				},
				{}
			])
	],
	[
		'an instance that was never there',
		() => laboratory([{ calls: [{ ...set('a', 'x'), instance: 'ghost' }] }, {}])
	],
	[
		'an instance of the prototype',
		() => laboratory([{ calls: [{ ...set('a', 'x'), instance: 'constructor' }] }, {}])
	],
	[
		'a tool that was never there',
		() => laboratory([{ calls: [{ ...set('a', 'x'), name: 'constructor' }] }, {}])
	],
	[
		'an act that is unavailable',
		() => laboratory([{ calls: [set('a', 'x')] }, {}], { change: { set: { available: () => 'closed' } } })
	],
	[
		'a provider that throws',
		() => {
			const made = laboratory([{ calls: [set('a', 'x')] }, {}]);
			made.lab.next.push(() => {
				throw new Error('x');
			});
			return made;
		}
	],
	[
		'a provider that throws nothing sensible',
		() => {
			const made = laboratory([{ calls: [set('a', 'x')] }, {}]);
			made.lab.next.push(() => {
				throw undefined;
			});
			return made;
		}
	],
	[
		'a provider that never answers',
		() => {
			const made = laboratory([{ calls: [share('a', 'x')] }, {}]);
			made.lab.next.push(() => new Promise(() => undefined));
			return made;
		}
	],
	[
		'touches that throw',
		() =>
			laboratory([{ calls: [set('a', 'x')] }, {}], {
				change: {
					set: {
						touches: (() => {
							throw new Error('x');
						}) as never
					}
				}
			})
	],
	[
		'touches that name no read',
		() =>
			laboratory([{ calls: [set('a', 'x')] }, {}], {
				change: { set: { touches: (() => [{ read: 'nothing' }]) as never } }
			})
	],
	[
		'touches that are none',
		() =>
			laboratory([{ calls: [set('a', 'x')] }, {}], { change: { set: { touches: (() => null) as never } } })
	],
	[
		'touches with a senseless part',
		() =>
			laboratory([{ calls: [set('a', 'x')] }, {}], { change: { set: { touches: (() => [null]) as never } } })
	],
	[
		'locks that throw',
		() =>
			laboratory([{ calls: [set('a', 'x')] }, {}], {
				change: {
					set: {
						locks: (() => {
							throw new Error('x');
						}) as never
					}
				}
			})
	],
	[
		'locks that are none',
		() => laboratory([{ calls: [set('a', 'x')] }, {}], { change: { set: { locks: (() => 7) as never } } })
	],
	[
		'a level that throws',
		() =>
			laboratory([{ calls: [set('a', 'x')] }, {}], {
				change: {
					set: {
						level: (() => {
							throw new Error('x');
						}) as never
					}
				}
			})
	],
	[
		'a rule that throws',
		() =>
			laboratory([{ calls: [set('a', 'x'), look('y')] }, {}], {
				policy: {
					ceiling: 'auto',
					rules: [
						{
							verdict: 'allow',
							reason: 'x',
							when: () => {
								throw new Error('x');
							}
						}
					]
				}
			})
	],
	['a model that refuses', () => laboratory([{ refuse: { category: 'harm', text: 'no' } }])],
	['a transport that fails for good', () => laboratory([{ fail: { text: 'gone', retryable: false } }])],
	['a transport that fails again and again', () => laboratory(() => ({ fail: { text: 'busy' } }))],
	['a transport that throws at once', () => laboratory(wire_([], { at: 'open' }))],
	[
		'a transport that throws in the middle',
		() => laboratory(wire_([...callOf('1', good)], { throws: true }))
	],
	['a transport that ends early', () => laboratory(wire_(callOf('1', good)))],
	['a transport that ends in mid-call', () => laboratory([{ calls: [set('a', 'x')], cut: true }, {}])],
	['a transport that never ends', () => laboratory(wire_([{ type: 'text', delta: 'so' }], { hangs: true }))],
	[
		'a transport that speaks of unknown calls',
		() =>
			laboratory(
				wire_([
					{ type: 'call.args', id: '9', delta: '{' },
					{ type: 'call.end', id: '9', verdict: 'complete', raw: good },
					{ type: 'call.result', id: '9', content: 1 },
					end
				])
			)
	],
	[
		'a transport that opens one id twice',
		() => laboratory(wire_([...callOf('1', good), ...callOf('1', good), end]))
	],
	['a transport that goes on after its end', () => laboratory(wire_([end, ...callOf('1', good), end]))],
	['a transport that ends calls without calls', () => laboratory(wire_([end]))],
	['a transport with an event nobody knows', () => laboratory(wire_([{ type: 'dance' } as never, end]))],
	['a transport with an event that is none', () => laboratory(wire_([null as never, end]))],
	[
		'a transport whose figures are senseless',
		() => laboratory(wire_([{ type: 'usage', usage: { input: NaN, output: -1 } }, end]))
	],
	[
		'a transport whose figures are none',
		() => laboratory(wire_([{ type: 'usage', usage: null as never }, end]))
	],
	[
		'a transport whose echo is no JSON',
		() => laboratory(wire_([{ type: 'reasoning', echo: new Map() as never }, end]))
	],
	[
		'a transport whose interrupt carries no JSON',
		() =>
			laboratory(
				wire_([
					{ type: 'interrupt', id: '1', reason: 'x', schema: { a: () => 1 } },
					{ type: 'end', reason: 'interrupt' }
				])
			)
	],
	[
		'a transport whose error says nothing',
		() => laboratory(wire_([{ type: 'error', retryable: false } as never]))
	],
	[
		'a call that was executed over there',
		() =>
			laboratory(
				wire_([
					{ type: 'call.start', id: '1', name: 'search', executed: 'there' },
					{ type: 'call.end', id: '1', verdict: 'complete', raw: '{}' },
					{ type: 'call.result', id: '1', content: (() => 1) as never },
					end
				])
			)
	]
];

describe('S0-04 S2-32 whatever is wrong, it is told by a code, nothing is lost and nothing is thrown', () => {
	test.each(cases)('S0-04 %s', async (_what, make) => {
		const made = make();
		const run = made.engine.run('go', { by: person });
		await made.settle();
		await made.clock.advance(200_000);
		whole(made, run);
		await run.stop('enough', person);
		whole(made, run);
		expect(run.state.outcome).toBeDefined();
	});

	test('S2-29 a move that is not drawn is a value', () => {
		expect(transition('returned', 'plan', { admitted: false })).toBe('illegal');
		expect(transition('acting', 'cancel', { admitted: true })).toBe('illegal');
	});

	test('I7 every verb on a run that is over is a report with a code', async () => {
		const made = laboratory([{}]);
		const run = made.engine.run('go', { by: person });
		await run.returned;
		const before = run.journal.length;
		const reports = [
			run.accept(person),
			run.decide({ review: 'x', verdict: 'approve' }, person),
			run.answer('x', 1, person),
			run.decline('x', 'y', person),
			run.pause(person),
			run.resume(person),
			run.renew({ acts: 1 }, person),
			run.settle('x', 'done', person)
		];
		for (const report of reports) {
			expect(report.ok).toBe(false);
			expect(known(report.refused!)).toBe(true);
		}
		const nothing = { confirmed: [], failed: [], unknown: [], withdrawn: [] };
		expect(await run.stop('x', person)).toEqual({ late: true, ...nothing });
		expect(run.journal).toHaveLength(before);
	});

	test('S0-04 senseless arguments of every verb, by anybody, in any order, throw and lose nothing', async () => {
		const by = fc
			.constantFrom('human', 'agent', 'rule', 'app', 'outside')
			.map((kind) => ({ kind, id: 'x' }) as never);
		const odd = fc.oneof(fc.anything(), fc.constantFrom('x', null, undefined, {}));
		const verb = fc.constantFrom(
			'accept',
			'decide',
			'answer',
			'decline',
			'pause',
			'resume',
			'renew',
			'settle',
			'setLevel',
			'setConsent',
			'approve',
			'tick'
		);
		await fc.assert(
			fc.asyncProperty(fc.array(fc.tuple(verb, by, odd, odd), { maxLength: 12 }), async (steps) => {
				const made = laboratory(
					[
						{ calls: [wire('x')], control: [{ name: 'ask', args: { text: 'Well?' } }] },
						{ calls: [set('a', 'x'), link('y')] }
					],
					{ tainted: true, diary: true }
				);
				const run = made.engine.run('go', { by: person });
				await made.settle();
				for (const [name, who, a, b] of steps) {
					const { reviews, questions } = run.state;
					const review = reviews.at(-1)?.id;
					const question = questions.find(({ status }) => status === 'open')?.id ?? 'x';
					const reports = {
						accept: () => run.accept(who),
						decide: () => run.decide(fcPick(a, review), who),
						answer: () => run.answer(question, a, who),
						decline: () => run.decline(question, typeof a === 'string' ? a : undefined, who),
						pause: () => run.pause(who),
						resume: () => run.resume(who),
						renew: () => run.renew(a as never, who),
						settle: () => run.settle(String(typeof a), b as never, who),
						setLevel: () => void made.engine.setLevel(b === null ? 'auto' : 'review', who),
						setConsent: () => void made.engine.setConsent('diary', b === null ? 'allow' : 'deny', who),
						approve: () => run.decide({ review: review ?? 'x', verdict: 'approve' }, who),
						tick: () => undefined
					}[name]!();
					if (reports && !reports.ok) expect(known(reports.refused!)).toBe(true);
					await made.settle();
					whole(made, run);
				}
				void run.stop('x', person);
				await made.clock.advance(20_000);
				whole(made, run);
				expect(run.state.outcome).toBeDefined();
			}),
			{ numRuns: 60 }
		);
	});
});

/** A decision that names the review, where there is one, and is senseless otherwise. */
const fcPick = (odd: unknown, review: string | undefined): never =>
	(review === undefined ? odd : { review, ...(typeof odd === 'object' ? odd : { steps: odd }) }) as never;

describe('S2-60 S2-61 registrations that cannot stand', () => {
	const lab = new Lab();
	const base = labManifest();
	const asynchronous = {
		'~standard': {
			version: 1,
			vendor: 'x',
			validate: () => Promise.resolve({ value: {} }),
			jsonSchema: { input: () => ({ type: 'object', properties: {} }), output: () => ({}) }
		}
	};
	const table: [string, unknown, string, string][] = [
		['a manifest without description', { ...base, description: '' }, 'x', 'description-missing'],
		[
			'an act without description',
			{ ...base, acts: { ...base.acts, set: { ...base.acts.set, description: ' ' } } },
			'x',
			'description-missing'
		],
		[
			'a read without description',
			{ ...base, reads: { cells: { ...base.reads.cells, description: '' }, other: base.reads.other } },
			'x',
			'description-missing'
		],
		['a reversible act without undo', { ...base, undo: undefined }, 'x', 'reversible-without-undo'],
		[
			'touches of no read',
			{ ...base, acts: { wire: { ...base.acts.wire, touches: ['nothing'] } } },
			'x',
			'touch-unknown'
		],
		[
			'an argument named instance',
			{
				...base,
				acts: { wire: { ...base.acts.wire, args: z.object({ instance: z.string().describe('x') }) } }
			},
			'x',
			'args'
		],
		[
			'a schema that is no object',
			{ ...base, acts: { wire: { ...base.acts.wire, args: z.string() } } },
			'x',
			'args'
		],
		['another kind under a used id', diaryManifest, 'used', 'id-clash'],
		['an id that cannot be addressed', base, 'a b', 'args'],
		['no manifest', null, 'x', 'args']
	];
	test.each(table)('S2-60 %s', (_what, manifest, id, code) => {
		const registry = createRegistry();
		registry.register(base, lab, { id: 'used', label: 'Used' });
		const dispose = registry.register(manifest as never, lab, { id, label: 'X' });
		expect(dispose.refused?.code).toBe(code);
		expect(known(dispose.refused!)).toBe(true);
		expect(registry.problems).toHaveLength(1);
		expect(registry.instances.map((it) => it.id)).toEqual(['used']);
	});

	test('S2-64 a schema that turns out to be asynchronous, throws, or gives no JSON refuses the call', async () => {
		const of = (validate: () => unknown) => ({ '~standard': { ...asynchronous['~standard'], validate } });
		for (const [schema, code] of [
			[asynchronous, 'schema-async'],
			[of(() => ({ value: { a: new Map() } })), 'not-json'],
			[of(() => ({ value: () => 1 })), 'not-json']
		] as const) {
			const registry = createRegistry();
			const manifest = { ...base, acts: { wire: { ...base.acts.wire!, args: schema as never } } };
			const refused = registry.register(manifest, new Lab(), { id: 'lab', label: 'Lab' }).refused;
			if (refused) {
				expect(refused.code).toBe(code);
				continue;
			}
			const made = laboratory([], { registry, change: {} });
			registry.register(manifest, made.lab, { id: 'lab', label: 'Lab' });
			const run = made.engine.call({ kind: 'rule', id: 'r' }, 'lab', 'wire', {});
			expect(await run.returned).toMatchObject({ kind: 'refused', reason: { code } });
			expect(made.lab.log).toEqual([]);
		}
	});

	test('S2-129 an act on what was unmounted or never mounted', async () => {
		const made = laboratory([{ calls: [call('set', { key: 'a', value: 'x' })] }, {}]);
		made.unmount();
		const run = made.engine.run('go', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'answered' });
		expect(made.requests[1]!.messages.at(-1)).toMatchObject({
			content: { refused: { code: 'unknown-instance' } }
		});
		expect(made.lab.log).toEqual([]);
	});
});

describe('the table of codes', () => {
	const root = new URL('../../src/lib', import.meta.url).pathname;
	const sources = (readdirSync(root, { recursive: true }) as string[])
		.filter(
			(file) =>
				/\.(ts|svelte)$/.test(file) &&
				!/protocol\/code(s|-table)\.ts$/.test(file) &&
				!file.startsWith('langs')
		)
		.map((file) => readFileSync(join(root, file), 'utf8'));
	const text = sources.join('\n');

	test('S0-53 every code is told somewhere', () => {
		const unused = Object.keys(codes).filter(
			(code) => !code.startsWith('budget.') && !text.includes(`'${code}'`)
		);
		expect(unused).toEqual([]);
		expect(text).toContain('reason(`budget.${');
	});

	test('S0-53 every code that is told is in the table', () => {
		const told = [
			...text.matchAll(/(?:\breason|\bno|\bbroken)\(\s*'([a-z][a-zA-Z.-]*)'|\bcode: '([a-z-]+)'/g)
		].map((hit) => hit[1] ?? hit[2]!);
		expect(told.length).toBeGreaterThan(60);
		const known = { ...codes, ...documentCodes };
		expect([...new Set(told)].filter((code) => !Object.hasOwn(known, code))).toEqual([]);
	});

	test('S0-53 the fixed names are there', () => {
		const fixed =
			'unknown-act unknown-instance review-unknown question-unknown question-settled answer-invalid not-json schema-async illegal-transition run-over server rejected declined expired suggest-only predecessor-failed withdrawn timeout threw transport truncated model-refused filter length touch-unknown result-invalid person-required decision-incomplete review-settled run-live scope args args-invalid args-incomplete stale drift unavailable instance-gone not-ready denied superseded reversible-without-undo id-clash description-missing budget.acts budget.turns budget.tokens budget.cost budget.ms budget.actsPerInstance budget.actsPerMinute';
		for (const code of fixed.split(' ')) expect(codes).toHaveProperty([code]);
	});
});
