import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { defineManifest, done, refuse } from '../../src/lib/agent/capability/index.js';
import type { Registry } from '../../src/lib/agent/capability/registry.js';
import { createClock } from '../../src/lib/agent/engine/ports.js';
import type { Run } from '../../src/lib/agent/engine/run.js';
import { admit, type Facts } from '../../src/lib/agent/gate/admit.js';
import { bond, fingerprint } from '../../src/lib/agent/gate/fingerprint.js';
import type { PolicyRule } from '../../src/lib/agent/gate/policy.js';
import { createRegistry, verify } from '../../src/lib/agent/index.js';
import { copyArgs, copyJSON } from '../../src/lib/agent/journal/copy.js';
import { Fold } from '../../src/lib/agent/journal/fold.js';
import type { Kinds } from '../../src/lib/agent/journal/kinds.js';
import { at, type StepMemory } from '../../src/lib/agent/journal/memory.js';
import { canonicalJSON } from '../../src/lib/agent/protocol/canonical-json.js';
import type { JSONValue } from '../../src/lib/agent/protocol/words.js';
import { person } from '../../src/lib/testing/index.js';
import { bench } from '../fixtures/engine.js';
import { type Lab, laboratory, set } from '../fixtures/lab.js';

/** Many whole runs; a busy machine takes its time. */
const SLOW = { timeout: 60_000 };

type Made = ReturnType<typeof laboratory>;
type Script = Parameters<typeof laboratory>[0];

const dataOf = <K extends keyof Kinds>(run: Run, kind: K): Kinds[K][] =>
	run.journal.filter((record) => record.kind === kind).map(({ data }) => data as unknown as Kinds[K]);
const approve = (run: Run) => {
	const review = run.state.reviews.find(({ status }) => status === 'open')!;
	return run.decide({ review: review.id, verdict: 'approve' }, person);
};
/** The next act of the lab does its work, but is not done before it is told. */
function hold(lab: Lab): () => void {
	let finish = (): void => undefined;
	lab.next.push(() => new Promise((resolve) => (finish = () => resolve({ kind: 'done' }))));
	return () => finish();
}

/** The fingerprint of a step, computed anew from the records and from what is mounted now. */
function recomputed(run: Run, { registry, options }: Made, id: string): string | undefined {
	const fold = new Fold();
	for (const record of run.journal) fold.apply(record);
	const memory = fold.steps.get(id)!;
	const entry = (registry as Registry).entry('lab');
	if (!entry || !memory.grant) return undefined;
	const { operation, bound: touches, expires, nonce } = memory.grant;
	const policy = options.policy?.version ?? '0';
	const terms = { label: memory.step.label, operation, touches, policy, expires, nonce };
	return fingerprint(bond(fold, memory, entry, terms));
}

describe('I1 S2-87 an act runs exactly on the fingerprint it was granted on', SLOW, () => {
	interface World {
		made: Made;
		run: Run;
		rules: PolicyRule[];
		policy: { rules: PolicyRule[]; version?: string };
	}
	const mutations: [string, (world: World) => unknown, voids: { person: boolean; policy: boolean }][] = [
		['the touched state', ({ made }) => made.lab.put('b', 'foreign'), { person: true, policy: true }],
		['other state', ({ made }) => made.lab.put('z', 'foreign'), { person: false, policy: false }],
		['the mount', ({ made }) => made.remount(), { person: true, policy: true }],
		['the policy version', ({ policy }) => (policy.version = '2'), { person: true, policy: true }],
		[
			'a denial',
			({ rules }) => rules.push({ verdict: 'deny', act: 'set', args: { key: 'b' }, reason: 'no' }),
			{ person: true, policy: true }
		],
		// A person has agreed; where nobody had to, somebody has to now.
		[
			'a demand for review',
			({ rules }) => rules.push({ verdict: 'ask', act: 'set', args: { key: 'b' }, reason: 'look' }),
			{ person: false, policy: true }
		],
		[
			'a rule about something else',
			({ rules }) => rules.push({ verdict: 'deny', act: 'wire', reason: 'no' }),
			{ person: false, policy: false }
		],
		['the level', ({ made }) => made.engine.setLevel('suggest', person), { person: true, policy: true }],
		['the time', ({ made }) => made.clock.advance(5000), { person: true, policy: true }],
		[
			'a pause and its end',
			({ run }) => [run.pause(person), run.resume(person)],
			{ person: false, policy: false }
		],
		[
			'the instructions',
			({ run }) => void run.steer({ kind: 'correction', text: 'otherwise' }, person),
			{ person: true, policy: true }
		]
	];

	test('I1 S2-87 S2-89 mutated between grant and call: state, mount, policy, level, time, instructions', async () => {
		const seen = new Set<string>();
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom('person' as const, 'policy' as const),
				fc.subarray(mutations, { maxLength: 3 }),
				async (who, chosen) => {
					const rules: PolicyRule[] = [];
					const ceiling = who === 'person' ? 'review' : 'auto';
					const policy: World['policy'] & { ceiling: 'review' | 'auto' } = { ceiling, rules };
					const made = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}, {}], {
						policy,
						patience: { reviewMs: 5000 }
					});
					const finish = hold(made.lab);
					const run = made.engine.run('go', { by: person });
					await made.settle();
					if (who === 'person') approve(run);
					await made.settle();
					const second = run.state.steps[1]!.id;
					const [granted] = dataOf(run, 'grants.issued');
					const first = granted!.grants.find(({ step }) => step === second)!.fingerprint;
					// Whatever runs, runs on what it is bound to, computed anew in that very tick.
					let anew: string | undefined;
					made.lab.next.push((lab) => {
						anew = recomputed(run, made, second);
						lab.put('b', 'y');
						return { kind: 'done' };
					});
					for (const [name, mutate] of chosen) {
						seen.add(`${who} ${name}`);
						await mutate({ made, run, rules, policy });
					}
					finish();
					await made.settle();
					const used = dataOf(run, 'effect.dispatched').map((one) => one.fingerprint);
					const voided = chosen.some(([, , voids]) => voids[who]);
					expect([chosen.map(([name]) => name), who, used.includes(first)]).toEqual([
						chosen.map(([name]) => name),
						who,
						!voided
					]);
					if (anew !== undefined) expect(used.at(-1)).toBe(anew);
					if (voided && who === 'person') expect(made.lab.log).toHaveLength(1);
					expect(verify(run.journal)).toEqual([]);
				}
			),
			{ numRuns: 90 }
		);
		expect(seen.size).toBe(mutations.length * 2);
	});

	test('I1 S2-90 at the door: admitted if and only if the fingerprint computed anew is equal', async () => {
		const made = laboratory([{ calls: [set('a', 'x')] }, {}], { policy: { ceiling: 'review' } });
		const run = made.engine.run('go', { by: person });
		await made.settle();
		approve(run);
		await run.returned;
		const entry = (made.registry as Registry).entry('lab')!;
		const same = { value: 'x', key: 'a' };
		const changes = fc
			.record({
				args: fc.constantFrom<JSONValue>(
					same,
					{ key: 'a', value: 'X' },
					{ key: 'a' },
					{ key: 'a', value: ['x'] }
				),
				integrity: fc.constantFrom('trusted' as const, 'untrusted' as const),
				sources: fc.constantFrom<readonly string[]>(['mail.letter'], []),
				by: fc.constantFrom({ kind: 'agent' as const, id: 'eve' }, { kind: 'rule' as const, id: 'ada' }),
				act: fc.constantFrom('set', 'share'),
				revision: fc.constantFrom(1, 2),
				manifest: fc.constantFrom(entry.manifestHash, 'other'),
				policy: fc.constantFrom('0', '1'),
				nonce: fc.constantFrom('x'),
				expires: fc.constantFrom(1e15),
				version: fc.constantFrom(0, 7)
			})
			.chain((all) =>
				fc
					.subarray(Object.entries(all), { maxLength: 2 })
					.map((some) => Object.fromEntries(some) as Partial<typeof all>)
			);
		let admitted = 0;
		fc.assert(
			fc.property(changes, (change) => {
				const fold = new Fold();
				for (const record of run.journal) {
					fold.apply(record);
					if (record.kind === 'effect.intended') break;
				}
				const memory = [...fold.steps.values()][0]!;
				const { step, grant } = memory;
				if (!grant) throw new Error('no grant');
				const { args, integrity, sources, by, act, revision, manifest, policy, nonce, expires, version } =
					change;
				const bound =
					version === undefined ? grant.bound : grant.bound.map((touch) => ({ ...touch, version }));
				const mutated: StepMemory = {
					...memory,
					step: {
						...step,
						args: args ?? step.args,
						by: by ? { ...step.by, ...by } : step.by,
						act: act ?? step.act,
						label: {
							...step.label,
							integrity: integrity ?? step.label.integrity,
							sources: sources ?? step.label.sources
						}
					},
					grant: { ...grant, bound, nonce: nonce ?? grant.nonce, expires: expires ?? grant.expires },
					expect: new Map(bound.map((touch) => [at(touch), touch.version]))
				};
				fold.revision = revision ?? fold.revision;
				const now = { ...entry, manifestHash: manifest ?? entry.manifestHash } as typeof entry;
				const facts: Facts = {
					run: fold,
					entry: now,
					versions: bound,
					denied: [],
					unsettled: false,
					policy: policy ?? '0',
					locked: true,
					cost: 0
				};
				const { operation, nonce: once, expires: until } = mutated.grant!;
				const print = fingerprint(
					bond(fold, mutated, now, {
						label: mutated.step.label,
						operation,
						touches: bound,
						policy: facts.policy,
						expires: until,
						nonce: once
					})
				);
				const out = admit(mutated, facts, made.clock.now());
				expect(out.verdict === 'admitted').toBe(print === grant.fingerprint);
				if (out.verdict === 'admitted') admitted += 1;
			}),
			{ numRuns: 400 }
		);
		expect(admitted).toBeGreaterThan(20);
	});
});

describe('I7 S2-87 a permission is used once', SLOW, () => {
	test('I7 S2-87 however often and by whom it is decided, resumed or paused: one execution, one answer', async () => {
		const verb = fc.constantFrom('approve', 'reject', 'edit', 'by step', 'pause', 'resume', 'stranger');
		await fc.assert(
			fc.asyncProperty(fc.array(verb, { minLength: 1, maxLength: 7 }), fc.boolean(), async (verbs, again) => {
				const { engine, settle, lab, requests } = laboratory([{ calls: [set('a', 'x')] }, {}], {
					policy: { ceiling: 'review' }
				});
				const run = engine.run('go', { by: person });
				await settle();
				const review = run.state.reviews[0]!.id;
				const { id } = run.state.steps[0]!;
				let first: string | undefined;
				for (const one of verbs) {
					if (one === 'pause') run.pause(person);
					else if (one === 'resume') run.resume(person);
					else if (one === 'stranger')
						run.decide({ review, verdict: 'approve' }, { kind: 'outside', id: 'x' });
					else {
						const { ok, refused } = run.decide(
							one === 'approve' || one === 'reject'
								? { review, verdict: one }
								: {
										review,
										steps: {
											[id]:
												one === 'edit'
													? { verdict: 'edit', args: { key: 'a', value: 'y' } }
													: { verdict: 'approve' }
										}
									},
							person
						);
						expect(ok).toBe(first === undefined);
						if (!ok) expect(['review-settled', 'run-over']).toContain(refused!.code);
						first ??= one;
					}
					if (again) await settle();
				}
				run.resume(person);
				await settle();
				const runs = first === undefined || first === 'reject' ? 0 : 1;
				expect(lab.log).toHaveLength(runs);
				expect(dataOf(run, 'effect.dispatched')).toHaveLength(runs);
				if (first === undefined) return;
				expect(lab.cells.a).toBe(runs === 0 ? '1' : first === 'edit' ? 'y' : 'x');
				await run.returned;
				expect(requests.at(-1)!.messages.filter(({ role }) => role === 'result')).toHaveLength(1);
				expect(verify(run.journal)).toEqual([]);
			}),
			{ numRuns: 80 }
		);
	});

	test('I7 it is spent before the call: inside the act nothing is left to be used', async () => {
		const { engine, settle, lab } = laboratory([{ calls: [set('a', 'x')] }, {}], {
			policy: { ceiling: 'review' }
		});
		const run = engine.run('go', { by: person });
		await settle();
		let inside: unknown[] = [];
		lab.next.push(() => {
			inside = [run.journal.at(-1)!.kind, run.state.effects[0]!.status, run.state.steps[0]!.status];
			run.resume(person);
			return { kind: 'done' };
		});
		approve(run);
		await run.returned;
		expect(inside).toEqual(['effect.dispatched', 'dispatched', 'dispatched']);
		expect(lab.log).toHaveLength(1);
	});
});

describe('I8 S2-122 k of n approved: exactly those k run', SLOW, () => {
	test('I8 for every choice, duplicates of a call included, in order, in any order of naming', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.boolean()), { minLength: 1, maxLength: 6 }),
				fc.boolean(),
				async (calls, reversed) => {
					// Three equal ones in a row are a repetition that asks, and none of this test.
					fc.pre(!calls.some(([key], i) => key === calls[i + 1]?.[0] && key === calls[i + 2]?.[0]));
					const { engine, settle, lab } = laboratory([{ calls: calls.map(([key]) => set(key, 'x')) }, {}], {
						policy: { ceiling: 'review' }
					});
					const run = engine.run('go', { by: person });
					await settle();
					const review = run.state.reviews[0]!;
					const named = review.steps.map(
						(id, i) => [id, { verdict: calls[i]![1] ? ('approve' as const) : ('reject' as const) }] as const
					);
					if (reversed) named.reverse();
					expect(run.decide({ review: review.id, steps: Object.fromEntries(named) }, person)).toEqual({
						ok: true
					});
					await settle();
					// A step of which the run's own write is all that moved is no drift.
					expect(run.state.reviews).toHaveLength(1);
					expect(lab.log.map(({ args }) => args.key)).toEqual(
						calls.filter(([, yes]) => yes).map(([key]) => key)
					);
					expect(run.state.steps.map(({ status }) => status)).toEqual(
						calls.map(([, yes]) => (yes ? 'confirmed' : 'rejected'))
					);
				}
			),
			{ numRuns: 60 }
		);
	});

	test('I8 said both ways, or for steps that are not there, nothing is settled: no approval slips through', async () => {
		const { engine, settle, lab } = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}], {
			policy: { ceiling: 'review' }
		});
		const run = engine.run('go', { by: person });
		await settle();
		const { id: review, steps: ids } = run.state.reviews[0]!;
		const yes = { verdict: 'approve' as const };
		for (const decision of [
			{ review, verdict: 'approve', steps: Object.fromEntries(ids.map((id) => [id, { verdict: 'reject' }])) },
			{ review, steps: { [ids[0]!]: yes } },
			{ review, steps: { [ids[0]!]: yes, [ids[1]!]: yes, other: yes } },
			{ review, steps: [yes, yes] }
		])
			expect(run.decide(decision as never, person).refused?.code).toBe('decision-incomplete');
		// A verdict that changes while it is looked at counts as what was checked.
		let looks = 0;
		const shifty = {
			get verdict() {
				looks += 1;
				return looks === 1 ? ('reject' as const) : ('approve' as const);
			}
		};
		expect(run.decide({ review, steps: { [ids[0]!]: shifty, [ids[1]!]: yes } }, person)).toEqual({
			ok: true
		});
		await settle();
		expect(lab.log.map(({ args }) => args.key)).toEqual(['b']);
	});
});

describe('I9 S2-90 an edit', SLOW, () => {
	test('I9 S2-90 what is executed is what was edited; act and instance stay; the history keeps the proposal', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.record({ key: fc.string({ minLength: 1 }), value: fc.string({ unit: 'grapheme' }) }),
				async (edited) => {
					const { engine, settle, lab, requests } = laboratory([{ calls: [set('a', 'theirs')] }, {}], {
						policy: { ceiling: 'review' }
					});
					const run = engine.run('go', { by: person });
					await settle();
					const before = run.state.steps[0]!;
					const review = run.state.reviews[0]!.id;
					const stray = (more: object) =>
						run.decide(
							{ review, steps: { [before.id]: { verdict: 'edit', args: { ...edited, ...more } } } },
							person
						);
					for (const more of [{ act: 'wire' }, { instance: 'mail' }, { effect: 'none' }])
						expect(stray(more).refused?.code).toBe('args-invalid');
					expect(stray({})).toEqual({ ok: true });
					await run.returned;
					expect(lab.log.map(({ act, args }) => [act, args])).toEqual([['set', edited]]);
					expect(run.state.steps[0]).toMatchObject({
						act: before.act,
						instance: before.instance,
						args: edited,
						proposed: { key: 'a', value: 'theirs' }
					});
					const [said, result] = requests.at(-1)!.messages.slice(-2);
					expect(JSON.stringify(said)).toContain('theirs');
					expect(result).toMatchObject({
						content: { note: 'Executed with arguments edited by the person.' }
					});
					expect(run.state.calls[0]!.result).toMatchObject({ executed: edited });
				}
			),
			{ numRuns: 40 }
		);
	});
});

describe('I24 S2-88 drift', SLOW, () => {
	test('I24 S2-88 S2-89 foreign changes void exactly what touches them, each with its cause; nothing else', async () => {
		const keys = ['b', 'c', 'd'];
		await fc.assert(
			fc.asyncProperty(fc.subarray(['a', ...keys, 'y', 'z']), fc.boolean(), async (moved, back) => {
				const made = laboratory([{ calls: ['a', ...keys].map((key) => set(key, 'mine')) }, {}], {
					policy: { ceiling: 'review' }
				});
				const { lab } = made;
				const finish = hold(lab);
				const run = made.engine.run('go', { by: person });
				await made.settle();
				approve(run);
				await made.settle();
				// What comes back to the value it had is another version all the same.
				for (const key of moved) {
					const before = lab.cells[key] ?? '';
					lab.put(key, 'foreign');
					if (back) lab.put(key, before);
				}
				finish();
				await made.settle();
				// The first is under way: what moves beneath it meanwhile voids nothing.
				const drifted = keys.filter((key) => moved.includes(key));
				for (const key of drifted) {
					const review = run.state.reviews.at(-1)!;
					expect([review.status, review.reasons.map(({ code }) => code)]).toEqual([
						'open',
						['drift', 'level']
					]);
					expect(review.steps).toEqual([run.state.steps[['a', ...keys].indexOf(key)]!.id]);
					expect(review.changes).toMatchObject(
						[{ instance: 'lab', read: 'cells', key, after: back ? '' : 'foreign' }].map((change) =>
							back ? { ...change, after: lab.cells[key] } : change
						)
					);
					expect(lab.log.some(({ args }) => args.key === key)).toBe(false);
					expect(approve(run)).toEqual({ ok: true });
					await made.settle();
				}
				expect(run.state.reviews).toHaveLength(1 + drifted.length);
				expect(lab.log.map(({ args }) => args.key)).toEqual(['a', ...keys]);
				expect((await run.returned).kind).toBe('completed');
			}),
			{ numRuns: 40 }
		);
	});
});

describe('S2-87 time is looked at when it counts', SLOW, () => {
	test('S2-87 the clock never goes back and never lags, whatever wall and monotonic time do', () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.integer({ min: -10_000, max: 10_000 }), fc.integer({ min: 0, max: 10_000 }))),
				(moves) => {
					let wall = 1e12;
					let passed = 500.25;
					const faked = [
						vi.spyOn(Date, 'now').mockImplementation(() => wall),
						vi.spyOn(performance, 'now').mockImplementation(() => passed)
					];
					const clock = createClock();
					let last = clock.now();
					expect(last).toBe(1e12);
					for (const [set, past] of moves) {
						wall += set;
						passed += past;
						const now = clock.now();
						expect(Number.isInteger(now)).toBe(true);
						expect(now).toBeGreaterThanOrEqual(wall);
						expect(now).toBeGreaterThanOrEqual(last + past);
						expect(now).toBe(Math.max(wall, last + past));
						last = now;
					}
					for (const fake of faked) fake.mockRestore();
				}
			)
		);
	});

	test.each([
		['set back by an hour', -3_600_000, 2000],
		['put ahead', 2000, 0],
		['asleep with its page', 0, 2000]
	])(
		'S2-87 S2-44 timers fire no more and the wall clock is %s: what ran out neither decides nor runs',
		async (_what, set_, past) => {
			let wall = 1e12;
			let passed = 0;
			const faked = [
				vi.spyOn(Date, 'now').mockImplementation(() => wall),
				vi.spyOn(performance, 'now').mockImplementation(() => passed)
			];
			const asleep = { ...createClock(), sleep: () => new Promise<void>(() => undefined) };
			for (const when of ['decision', 'act'] as const) {
				const { engine, lab } = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}] as Script, {
					policy: { ceiling: 'review' },
					patience: { reviewMs: 1000 },
					clock: asleep
				});
				const finish = hold(lab);
				const run = engine.run('go', { by: person });
				await vi.waitFor(() => expect(run.state.reviews).toHaveLength(1));
				if (when === 'act') {
					approve(run);
					await vi.waitFor(() => expect(lab.log).toHaveLength(1));
				}
				wall += set_;
				passed += past;
				if (when === 'decision') {
					expect(approve(run)).toMatchObject({ ok: false, refused: { code: 'expired' } });
					expect(await run.returned).toMatchObject({ kind: 'refused', reason: { code: 'expired' } });
					expect(lab.log).toEqual([]);
				} else {
					finish();
					await vi.waitFor(() => expect(run.state.reviews).toHaveLength(2));
					expect(run.state.reviews[1]!.reasons.map(({ code }) => code)).toContain('expired');
					expect(lab.log).toHaveLength(1);
					await engine.dispose();
				}
			}
			for (const fake of faked) fake.mockRestore();
		}
	);

	test('S2-87 just before, a decision counts', async () => {
		const { engine, lab, clock, settle } = laboratory([{ calls: [set('a', 'x')] }, {}], {
			policy: { ceiling: 'review' },
			patience: { reviewMs: 1000 }
		});
		const run = engine.run('go', { by: person });
		await settle();
		await clock.advance(999);
		expect(approve(run)).toEqual({ ok: true });
		await run.returned;
		expect(lab.log).toHaveLength(1);
	});
});

describe('S2-90 what is hashed is what runs', SLOW, () => {
	const near: [string, (value: JSONValue) => JSONValue][] = [
		['itself', (value) => value],
		['as text', (value) => JSON.stringify(value)],
		['as text in text', (value) => JSON.stringify(JSON.stringify(value))],
		['in a list', (value) => [value]],
		['in an object', (value) => ({ value })],
		['composed', (value) => JSON.parse(JSON.stringify(value).normalize('NFC')) as JSONValue],
		['decomposed', (value) => JSON.parse(JSON.stringify(value).normalize('NFD')) as JSONValue],
		['with a comma', (value) => (typeof value === 'string' ? `${value}","` : value)],
		['with keys turned round', (value) => turned(value)],
		['with zero below zero', (value) => (value === 0 ? -0 : value)],
		['with figures as text', (value) => (typeof value === 'number' ? String(value) : value)],
		['with nothing as an empty list', (value) => value ?? []],
		['with lists as objects', (value) => (Array.isArray(value) ? ({ ...value } as never) : value)]
	];
	const turned = (value: JSONValue): JSONValue =>
		typeof value === 'object' && value && !Array.isArray(value)
			? Object.fromEntries(
					Object.entries(value)
						.reverse()
						.map(([key, part]) => [key, turned(part as JSONValue)])
				)
			: value;

	test('S2-90 S2-87 the canonical form is injective against near collisions', () => {
		const text = fc.array(fc.constantFrom('é', 'e\u0301', '"', '\\', ',', ':', '{', 'a', '0', '\u2028'), {
			maxLength: 4
		});
		const json = fc.letrec<{ value: JSONValue }>((tie) => ({
			value: fc.oneof(
				{ maxDepth: 3 },
				fc.constantFrom<JSONValue>(null, true, 0, -0, 1, 1e21, 1e-7, '', 'null', '0', '[]', '{}'),
				text.map((signs) => signs.join('')),
				fc.array(tie('value'), { maxLength: 3 }),
				fc.dictionary(
					text.map((signs) => signs.join('')),
					tie('value'),
					{ maxKeys: 3 }
				)
			)
		})).value;
		const plain = (value: JSONValue) => (copyJSON(value) as { value: JSONValue }).value;
		const met = { same: 0, other: 0 };
		fc.assert(
			fc.property(json, fc.constantFrom(...near), fc.constantFrom(...near), (value, [, one], [, two]) => {
				const [a, b] = [plain(one(value)), plain(two(value))];
				const same = isDeepStrictEqual(a, b);
				met[same ? 'same' : 'other'] += 1;
				expect(canonicalJSON(a) === canonicalJSON(b)).toBe(same);
			}),
			{ numRuns: 3000 }
		);
		expect(Math.min(met.same, met.other)).toBeGreaterThan(100);
	});

	class Money {
		amount = 1;
		toJSON() {
			return 1;
		}
	}
	const loop: unknown[] = [];
	loop.push(loop);
	const bent: [string, unknown, string][] = [
		['NaN', NaN, 'NaN'],
		['Infinity', -Infinity, 'Infinity'],
		['a bigint', 1n, 'bigint'],
		['a function', () => 1, 'function'],
		['a symbol', Symbol('s'), 'symbol'],
		['a Map', new Map([['a', 1]]), 'Map'],
		['a Set', new Set([1]), 'Set'],
		['a Date', new Date(0), 'Date'],
		['a class instance that has toJSON', new Money(), 'Money'],
		['a cycle', loop, 'circle'],
		['half a character', 'x\ud83d', 'half'],
		['the other half', '\ude00x', 'half'],
		['a getter', Object.defineProperty({}, 'x', { enumerable: true, get: () => 1 }), 'getter'],
		['an own __proto__', JSON.parse('{"__proto__":{"x":1}}'), 'key'],
		['half a character as a key', { '\ud83d': 1 }, 'key'],
		['a symbol as a key', { [Symbol('s')]: 1 }, 'symbol'],
		// eslint-disable-next-line no-sparse-arrays
		['a list with a hole', [1, , 3], 'hole'],
		['undefined in a list', [undefined], 'hole']
	];

	test.each(bent)(
		'S2-90 S0-04 %s is refused with its path, in whatever way it comes',
		async (_what, value, word) => {
			const copy = copyArgs({ key: 'a', list: [{ value }] });
			expect(copy).toMatchObject({ ok: false, reason: { code: 'not-json' } });
			const { text } = (copy as { reason: { text: string } }).reason;
			expect(text).toMatch(/^"list\/0\/value/);
			expect(text).toContain(word);

			const { engine, settle, lab } = laboratory([{ calls: [set('a', 'x')] }, {}], {
				policy: { ceiling: 'review' },
				change: { set: { args: z.looseObject({ key: z.any() }) as never } }
			});
			const called = await engine.call({ kind: 'app', id: 'app' }, 'lab', 'set', { key: value }).returned;
			expect(called).toMatchObject({ kind: 'refused', reason: { code: 'not-json' } });
			expect(called.reason!.text).toMatch(/^"key/);
			const run = engine.run('go', { by: person });
			await settle();
			const { id } = run.state.steps[0]!;
			const steps = { [id]: { verdict: 'edit' as const, args: { key: value } } };
			expect(run.decide({ review: run.state.reviews[0]!.id, steps }, person)).toMatchObject({
				ok: false,
				refused: { code: 'not-json' }
			});
			// Nothing was lost by it.
			approve(run);
			await run.returned;
			expect(lab.log).toHaveLength(1);
		}
	);

	test.each([
		['{"instance":"lab","key":"a","value":"\\ud83d"}', '"value"'],
		['{"instance":"lab","key":"a","__proto__":{"value":"x"}}', '"__proto__"']
	])('S2-90 the model’s own %s is refused to it, and it reads where', async (raw, where) => {
		const { engine, lab, requests } = laboratory([{ calls: [{ ...set('a', 'x'), raw }] }, {}], {
			change: { set: { args: z.looseObject({ key: z.string().describe('Key') }) as never } }
		});
		await engine.run('go', { by: person }).returned;
		expect(lab.log).toEqual([]);
		const [result] = requests.at(-1)!.messages.filter(({ role }) => role === 'result');
		expect(result).toMatchObject({ performative: 'refuse', content: { refused: { code: 'args-invalid' } } });
		expect(JSON.stringify((result as { content: JSONValue }).content)).toContain(where.replaceAll('"', ''));
	});

	test('S2-90 plain values pass as they are, members that are undefined count as not there', () => {
		const value = { text: 'é 😀', list: [0, null, { deep: true }], none: undefined };
		expect(copyArgs(value)).toEqual({ ok: true, value: { text: 'é 😀', list: [0, null, { deep: true }] } });
		expect(copyArgs(Object.assign(Object.create(null) as object, { a: 1 }))).toEqual({
			ok: true,
			value: { a: 1 }
		});
	});
});

describe('S2-87 compare and set', SLOW, () => {
	/** A server beside the page: it holds the truth, and the page a copy. */
	class Remote {
		text = 'one';
		etag = 1;
		seen = { text: 'one', etag: 1 };
		writes: string[] = [];
		put(text: string, ifMatch: number): number | undefined {
			if (ifMatch !== this.etag) return undefined;
			this.text = text;
			this.writes.push(text);
			return (this.etag += 1);
		}
	}
	const manifest = (more: { compareAndSet?: boolean }) =>
		defineManifest<Remote>()({
			kind: 'remote',
			description: 'A note on a server',
			reads: {
				note: {
					description: 'Its text',
					read: ({ seen }) => seen.text,
					version: ({ seen }) => seen.etag,
					trust: 'user',
					sensitivity: 'page'
				}
			},
			acts: {
				save: {
					description: 'Saves the note',
					args: z.strictObject({ text: z.string().describe('New text') }),
					effect: 'reversible',
					reach: 'app',
					touches: ['note'],
					...more,
					perform(remote, { text }, { expect: expected }) {
						const etag = remote.put(text, more.compareAndSet ? (expected.note as number) : remote.etag);
						if (etag === undefined) return refuse('stale', 'It was changed on the server meanwhile.');
						remote.seen = { text, etag };
						return done();
					}
				}
			},
			undo: () => ({ undone: 0, kept: [] })
		});
	async function save(compareAndSet: boolean) {
		const remote = new Remote();
		const registry = createRegistry();
		registry.register(manifest({ compareAndSet }), remote, { id: 'note', label: 'Note' });
		const made = bench([{ calls: [{ instance: 'note', act: 'save', args: { text: 'mine' } }] }, {}], {
			registry,
			policy: { ceiling: 'review' }
		});
		made.dispose();
		const run = made.engine.run('go', { by: person });
		await made.settle();
		return { remote, run };
	}

	test('S2-87 what slips in between the last look and the write is refused by the receiver', async () => {
		const { remote, run } = await save(true);
		expect(run.state.steps[0]!.weak).toBeUndefined();
		// Somebody saves there; the page has not heard of it.
		remote.put('theirs', 1);
		approve(run);
		expect(await run.returned).toMatchObject({ kind: 'failed' });
		expect(remote.text).toBe('theirs');
		expect(run.state.steps[0]).toMatchObject({ status: 'failed', reasons: [{ code: 'stale' }] });
	});

	test('S2-87 without it the write goes over what nobody saw, so the card says that it is weak', async () => {
		const { remote, run } = await save(false);
		expect(run.state.steps[0]!.weak).toBe(true);
		remote.put('theirs', 1);
		approve(run);
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(remote.writes).toEqual(['theirs', 'mine']);
	});

	test('S2-87 weak is what reaches beyond the page with nothing compared', async () => {
		for (const reach of ['page', 'app', 'world'] as const)
			for (const compareAndSet of [undefined, false, true])
				for (const touches of [[], ['cells']]) {
					const { engine, settle } = laboratory([{ calls: [set('a', 'x')] }], {
						policy: { ceiling: 'review' },
						change: { set: { reach, compareAndSet, touches } }
					});
					const run = engine.run('go', { by: person });
					await settle();
					const weak = reach !== 'page' && !(compareAndSet === true && touches.length > 0);
					expect([reach, compareAndSet, touches.length, run.state.steps[0]!.weak === true]).toEqual([
						reach,
						compareAndSet,
						touches.length,
						weak
					]);
				}
	});

	test('S2-87 a declaration that is none is refused at registration', () => {
		for (const compareAndSet of ['yes', 1, null, {}]) {
			const dispose = createRegistry().register(manifest({ compareAndSet } as never), new Remote(), {
				id: 'note',
				label: 'Note'
			});
			expect(dispose.refused).toMatchObject({
				code: 'args',
				text: expect.stringContaining('save.compareAndSet')
			});
		}
	});
});
