import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Registry } from '../../src/lib/agent/capability/registry.js';
import { assess } from '../../src/lib/agent/gate/assess.js';
import { effectiveLevel, isLower } from '../../src/lib/agent/gate/level.js';
import { find, type Found } from '../../src/lib/agent/gate/look.js';
import { createRegistry } from '../../src/lib/agent/index.js';
import { CLEAN } from '../../src/lib/agent/protocol/labels.js';
import type { Level } from '../../src/lib/agent/protocol/words.js';
import { person } from '../../src/lib/testing/index.js';
import { Lab, laboratory, labManifest, set, share, wire } from '../fixtures/lab.js';

const LEVELS = ['suggest', 'review', 'auto'] as const;
const rank = (level: Level) => LEVELS.indexOf(level);
const given = fc.constantFrom<Level | undefined>(...LEVELS, undefined);

describe('S2-49 the effective level is the lowest of all', () => {
	test('S2-49 for every ceiling, setting, demand of the act and of the registration', () => {
		let cases = 0;
		for (const ceiling of LEVELS)
			for (const user of LEVELS)
				for (const act of LEVELS)
					for (const as of [...LEVELS, undefined])
						for (const run of [...LEVELS, undefined]) {
							const lowest = Math.min(
								...[ceiling, user, act, as, run].filter((one) => one !== undefined).map(rank)
							);
							expect(effectiveLevel(ceiling, user, run, act, as)).toBe(LEVELS[lowest]);
							cases += 1;
						}
		expect(cases).toBe(3 * 3 * 3 * 4 * 4);
	});

	test('S2-49 nobody can loosen what another demands: adding a voice never raises, order is nothing', () => {
		fc.assert(
			fc.property(fc.array(given), given, (levels, one) => {
				const before = effectiveLevel(...levels);
				const after = effectiveLevel(...levels, one);
				if (levels.some((level) => level !== undefined)) expect(isLower(before, after)).toBe(false);
				expect(effectiveLevel(one, ...levels)).toBe(after);
			})
		);
	});

	test('S2-47 unset is review, and a word that is no level loosens nothing', () => {
		expect(effectiveLevel()).toBe('review');
		expect(effectiveLevel(undefined, undefined)).toBe('review');
		expect(effectiveLevel('full' as Level)).toBe('review');
		expect(effectiveLevel('auto', 'toString' as Level)).toBe('review');
	});

	test('S2-49 ceiling × setting × demand decide a real step, act and registration alike', async () => {
		for (const ceiling of LEVELS)
			for (const user of LEVELS)
				for (const demand of LEVELS)
					for (const where of ['act', 'registration'] as const) {
						const { engine, settle, lab } = laboratory([{ calls: [set('a', 'x')] }], {
							policy: { ceiling, user },
							...(where === 'act' ? { change: { set: { level: demand } } } : { level: demand })
						});
						const run = engine.run('go', { by: person });
						await settle();
						const lowest = LEVELS[Math.min(rank(ceiling), rank(user), rank(demand))]!;
						const seen = { suggest: 'proposed', review: 'proposed', auto: 'confirmed' }[lowest];
						expect([ceiling, user, demand, run.state.steps[0]!.status]).toEqual([
							ceiling,
							user,
							demand,
							seen
						]);
						expect(lab.log).toHaveLength(lowest === 'auto' ? 1 : 0);
						expect(run.state.reviews).toHaveLength(lowest === 'review' ? 1 : 0);
					}
	});
});

describe('S2-49 the gate hears every voice', () => {
	test('S2-49 ceiling, person, run, act and registration: the lowest decides who must agree', () => {
		const verdict = { suggest: 'propose', review: 'ask', auto: 'allow' } as const;
		let cases = 0;
		for (const act of LEVELS)
			for (const as of LEVELS) {
				const registry = createRegistry() as Registry;
				const manifest = labManifest({ set: { level: act } });
				registry.register(manifest, new Lab(), { id: 'lab', label: 'Lab', level: as });
				const found = find(registry, 'lab', 'set') as Found;
				for (const ceiling of LEVELS)
					for (const user of LEVELS)
						for (const level of LEVELS) {
							const seen = assess({
								found,
								step: {
									id: 's',
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
								},
								control: CLEAN,
								words: [],
								policy: { ceiling, user, rules: [], version: '0' },
								level,
								run: () => ({}) as never,
								now: 0
							});
							const lowest = LEVELS[Math.min(...[act, as, ceiling, user, level].map(rank))]!;
							expect(seen.verdict).toBe(verdict[lowest]);
							cases += 1;
						}
			}
		expect(cases).toBe(3 ** 5);
	});
});

describe('S2-46 suggest only proposes', () => {
	test('S2-46 X-03 no provider is called, the steps stay proposals with their previews', async () => {
		let previews = 0;
		const { engine, lab } = laboratory([{ say: 'I would.', calls: [set('a', 'x'), wire('b')] }], {
			policy: { ceiling: 'suggest' },
			change: {
				set: {
					preview: () => {
						previews += 1;
						return { kind: 'note', text: 'a becomes x' };
					}
				}
			}
		});
		const run = engine.run('go', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'proposed', text: 'I would.' });
		expect(lab.log).toEqual([]);
		expect(previews).toBeGreaterThan(0);
		expect(run.state.steps.map(({ status, preview }) => [status, preview?.kind])).toEqual([
			['proposed', 'note'],
			['proposed', undefined]
		]);
		expect(run.state.effects).toEqual([]);
	});

	test('S2-46 what changes nothing runs under suggest too', async () => {
		const { engine, lab, settle } = laboratory(
			[{ calls: [{ instance: 'lab', act: 'look', args: { value: 'x' } }] }, { say: 'Seen.' }],
			{ policy: { ceiling: 'suggest' } }
		);
		const run = engine.run('go', { by: person });
		await settle();
		expect(await run.returned).toMatchObject({ kind: 'answered', text: 'Seen.' });
		expect(lab.log.map(({ act }) => act)).toEqual(['look']);
	});

	test('S2-46 an act of level suggest stays a proposal and the run goes on', async () => {
		const { engine, lab } = laboratory([{ calls: [set('a', 'x'), share('b', 'y')] }, { say: 'End.' }], {
			change: { set: { level: 'suggest' } }
		});
		const run = engine.run('go', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(run.state.steps.map(({ status }) => status)).toEqual(['proposed', 'confirmed']);
		expect(lab.log.map(({ act }) => act)).toEqual(['share']);
	});
});

describe('S2-48 S2-51 auto is for what can be undone', () => {
	test('S2-48 reversible runs by policy, recorded as authorized', async () => {
		const { engine } = laboratory([{ calls: [set('a', 'x')] }, {}]);
		const run = engine.run('go', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(run.state.effects[0]).toMatchObject({ how: 'policy', decidedBy: { kind: 'rule', id: 'policy' } });
		expect(run.journal.some(({ kind }) => kind === 'grants.issued')).toBe(true);
		expect(run.state.reviews).toEqual([]);
	});

	test('S2-51 irreversible never runs unasked, in any configuration', async () => {
		const rule = fc.record({
			by: fc.constantFrom('app' as const, 'user' as const),
			verdict: fc.constantFrom('allow' as const, 'ask' as const),
			reason: fc.constant('so'),
			act: fc.constantFrom(undefined, 'wire'),
			instance: fc.constantFrom(undefined, 'lab')
		});
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...LEVELS),
				given,
				given,
				given,
				fc.array(rule, { maxLength: 4 }),
				fc.constantFrom(undefined, 'page' as const, 'app' as const, 'world' as const),
				async (ceiling, user, act, as, rules, reach) => {
					const { engine, lab, settle } = laboratory([{ calls: [wire('b')] }], {
						policy: {
							ceiling,
							user,
							rules: rules.map(({ act, instance, ...rest }) => ({
								...rest,
								...(act ? { act } : {}),
								...(instance ? { instance } : {})
							}))
						},
						change: { wire: { level: act, reach, effect: 'irreversible' } },
						level: as
					});
					const run = engine.run('b', { by: person });
					await settle();
					expect(lab.log).toEqual([]);
					expect(['reviewing', 'returned']).toContain(run.state.state);
					if (run.state.state === 'reviewing')
						expect(run.state.reviews[0]!.reasons.map(({ code }) => code)).toContain('irreversible');
				}
			),
			{ numRuns: 60 }
		);
	});

	test('S2-51 an act that declares nothing of itself is irreversible and reaches the world', async () => {
		const { engine, settle } = laboratory([{ calls: [wire('b')] }]);
		const run = engine.run('go', { by: person });
		await settle();
		expect(run.state.steps[0]).toMatchObject({ effect: 'irreversible', reach: 'world', asks: 'person' });
	});
});

describe('a level that depends on the call', () => {
	test('S2-49 is asked for each call; one that throws or says nothing sensible is review', async () => {
		const levels: [() => unknown, number][] = [
			[() => 'auto', 1],
			[() => undefined, 1],
			[() => 'suggest', 0],
			[
				() => {
					throw new Error('x');
				},
				0
			],
			[() => 'full', 0]
		];
		for (const [level, performed] of levels) {
			const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x')] }, {}], {
				change: { set: { level: level as never } }
			});
			engine.run('go', { by: person });
			await settle();
			expect([String(level), lab.log.length]).toEqual([String(level), performed]);
		}
	});
});

describe('setLevel', () => {
	test('S2-49 lower counts at once, also for what was granted already', async () => {
		let finish = (): void => undefined;
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}]);
		lab.next.push(() => new Promise((resolve) => (finish = () => resolve({ kind: 'done' }))));
		const run = engine.run('go', { by: person });
		await settle();
		expect(run.state.steps[1]!.status).toBe('granted');
		engine.setLevel('review', { kind: 'agent', id: 'x' });
		expect(run.state.level).toBe('review');
		finish();
		await settle();
		expect(run.state.state).toBe('reviewing');
		expect(lab.log).toHaveLength(1);
		expect(run.state.reviews[0]!.steps).toEqual([run.state.steps[1]!.id]);
	});

	test('S2-46 lowered to suggest while granted: the step stays a proposal', async () => {
		let finish = (): void => undefined;
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}]);
		lab.next.push(() => new Promise((resolve) => (finish = () => resolve({ kind: 'done' }))));
		const run = engine.run('go', { by: person });
		await settle();
		engine.setLevel('suggest', person);
		finish();
		await settle();
		expect(lab.log).toHaveLength(1);
		expect(run.state.steps.map(({ status }) => status)).toEqual(['confirmed', 'proposed']);
	});

	test('S2-114 higher counts from the next turn, and only a person may raise', async () => {
		const { engine, lab, settle } = laboratory(
			(_request, index) => (index < 2 ? { calls: [set('a', `${index}`)] } : {}),
			{ policy: { ceiling: 'auto', user: 'review' } }
		);
		const run = engine.run('go', { by: person });
		await settle();
		for (const kind of ['app', 'rule', 'agent', 'outside'] as const)
			engine.setLevel('auto', { kind, id: 'x' });
		engine.setLevel('auto');
		expect(run.state.level).toBe('review');
		engine.setLevel('auto', person);
		expect(run.state.level).toBe('review');
		expect(run.state.state).toBe('reviewing');
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
		await settle();
		expect(run.state.level).toBe('auto');
		expect(lab.log).toHaveLength(2);
		expect(run.state.reviews).toHaveLength(1);
		expect(run.journal.some(({ kind }) => kind === 'level.set')).toBe(true);
	});
});
