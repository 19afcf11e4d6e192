import { describe, expect, test } from 'vitest';
import type { Registry } from '../../src/lib/agent/capability/registry.js';
import { admit, admitRead, type Facts } from '../../src/lib/agent/gate/admit.js';
import { exhausted } from '../../src/lib/agent/gate/budget.js';
import { Fold } from '../../src/lib/agent/journal/fold.js';
import type { StepMemory } from '../../src/lib/agent/journal/memory.js';
import { reason } from '../../src/lib/agent/protocol/codes.js';
import { person } from '../../src/lib/testing/index.js';
import { laboratory, set } from '../fixtures/lab.js';

/** A step as it stands at the door, of a real run: everything about it is as it should be. */
async function atTheDoor(ceiling: 'auto' | 'review' = 'review') {
	const made = laboratory([{ calls: [set('a', 'x')] }, {}], { policy: { ceiling } });
	const run = made.engine.run('go', { by: person });
	await made.settle();
	if (ceiling === 'review') run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
	await run.returned;
	const fold = new Fold();
	for (const record of run.journal) {
		fold.apply(record);
		if (record.kind === 'effect.intended') break;
	}
	const step = [...fold.steps.values()][0]!;
	const facts: Facts = {
		run: fold,
		entry: (made.registry as Registry).entry('lab'),
		versions: step.grant!.bound,
		denied: [],
		unsettled: false,
		policy: '0',
		locked: true,
		cost: 0
	};
	return { fold, step, facts, now: made.clock.now() };
}
const code = (admission: ReturnType<typeof admit>) =>
	admission.verdict === 'admitted'
		? 'admitted'
		: [admission.verdict, ...admission.reasons.map((why) => why.code)];

describe('I1 the last look', () => {
	test('I1 as it should be, it is admitted, by the fingerprint it was granted on', async () => {
		for (const ceiling of ['auto', 'review'] as const) {
			const { step, facts, now } = await atTheDoor(ceiling);
			expect(admit(step, facts, now)).toEqual({ verdict: 'admitted', fingerprint: step.grant!.fingerprint });
		}
	});

	type Door = Awaited<ReturnType<typeof atTheDoor>>;
	const refusing: [
		string,
		(door: Door) => Partial<{ step: StepMemory; facts: Partial<Facts>; now: number }>,
		unknown,
		unknown?
	][] = [
		['the run is over', ({ fold }) => ((fold.state = 'returned'), {}), ['refused', 'run-over']],
		['a stop was requested', ({ fold }) => ((fold.stopping = {}), {}), ['refused', 'stopping']],
		[
			'the run is paused',
			({ fold }) => (fold.escalations.set('paused', reason('paused')), {}),
			['refused', 'illegal-transition']
		],
		['nothing is mounted', () => ({ facts: { entry: undefined } }), ['refused', 'instance-gone']],
		[
			'the act is not available',
			() => ({ facts: { missing: reason('unavailable') } }),
			['refused', 'unavailable']
		],
		['policy denies', () => ({ facts: { denied: [reason('denied')] } }), ['refused', 'denied']],
		[
			'there is no permission',
			({ step }) => ({ step: { ...step, grant: undefined } }),
			['refused', 'grant-used']
		],
		[
			'the permission is another step’s',
			({ step }) => ({ step: { ...step, grant: { ...step.grant!, step: 'x' } } }),
			['refused', 'grant-used']
		],
		['it has run out', ({ step }) => ({ now: step.grant!.expires }), ['review', 'expired'], ['review']],
		['policy asks for more now', () => ({ facts: { unsettled: true } }), ['review']],
		[
			'the operation is under way',
			({ fold, step }) => (
				(fold.effects.get(step.grant!.operation)!.entry = {
					...fold.effects.get(step.grant!.operation)!.entry,
					status: 'dispatched'
				}),
				{}
			),
			['refused', 'duplicate-commitment']
		],
		[
			'the operation was never intended',
			({ fold }) => (fold.effects.clear(), {}),
			['refused', 'duplicate-commitment']
		],
		['the locks are not held', () => ({ facts: { locked: false } }), ['refused', 'locked']],
		[
			'a touched version moved',
			({ facts }) => ({
				facts: { versions: facts.versions.map((touch) => ({ ...touch, version: 'other' })) }
			}),
			['review', 'drift'],
			['refused', 'stale']
		],
		[
			'a touched version cannot be told',
			({ facts }) => ({ facts: { versions: facts.versions.map((touch) => ({ ...touch, version: NaN })) } }),
			['review', 'drift'],
			['refused', 'stale']
		],
		[
			'it was mounted anew',
			({ facts }) => ({ facts: { entry: { ...facts.entry!, epoch: 2 } } }),
			['review', 'drift'],
			['refused', 'instance-gone']
		],
		[
			'the manifest is another',
			({ facts }) => ({ facts: { entry: { ...facts.entry!, manifestHash: 'x' } } }),
			['review', 'drift'],
			['review']
		],
		['the policy is another', () => ({ facts: { policy: '1' } }), ['review', 'drift'], ['review']],
		['the instructions are newer', ({ fold }) => ((fold.revision = 2), {}), ['review', 'drift'], ['review']],
		[
			'the arguments are others',
			({ step }) => ({ step: { ...step, step: { ...step.step, args: { key: 'a', value: 'forged' } } } }),
			['review', 'drift'],
			['review']
		],
		[
			'the label is another',
			({ step }) => ({
				step: {
					...step,
					step: { ...step.step, label: { ...step.step.label, integrity: 'untrusted' as const } }
				}
			}),
			['review', 'drift'],
			['review']
		],
		[
			'the nonce is another',
			({ step }) => ({ step: { ...step, grant: { ...step.grant!, nonce: 'x' } } }),
			['review', 'drift'],
			['review']
		]
	];
	test.each(refusing)('I1 not admitted: %s', async (_what, change, expected, byPolicy = expected) => {
		for (const [ceiling, want] of [
			['review', expected],
			['auto', byPolicy]
		] as const) {
			const door = await atTheDoor(ceiling);
			const { step = door.step, facts, now = door.now } = change(door);
			expect(code(admit(step, { ...door.facts, ...facts }, now))).toEqual(want);
		}
	});

	test('S2-88 what drifted is named', async () => {
		const { step, facts, now } = await atTheDoor();
		const versions = facts.versions.map((touch) => ({ ...touch, version: 7 }));
		expect(admit(step, { ...facts, versions }, now)).toMatchObject({ drifted: versions });
	});
});

describe('I1 the same door for what takes nothing', () => {
	test('I1 over, stopping, gone, unavailable, denied', async () => {
		const { fold, facts } = await atTheDoor();
		expect(admitRead(facts).verdict).toBe('admitted');
		expect(code(admitRead({ ...facts, entry: undefined }))).toEqual(['refused', 'instance-gone']);
		expect(code(admitRead({ ...facts, missing: reason('unavailable') }))).toEqual(['refused', 'unavailable']);
		expect(code(admitRead({ ...facts, denied: [reason('denied')] }))).toEqual(['refused', 'denied']);
		fold.stopping = {};
		expect(code(admitRead(facts))).toEqual(['refused', 'stopping']);
		fold.state = 'returned';
		expect(code(admitRead(facts))).toEqual(['refused', 'run-over']);
	});
});

describe('S2-39 room for one more act', () => {
	test('S2-39 each limit is exact', async () => {
		const { fold, now } = await atTheDoor();
		const of = (limit: Partial<Fold['limit']>, cost = 0, counted = false) => {
			const before = fold.limit;
			fold.limit = { ...before, ...limit };
			const out = exhausted(fold, 'lab', cost, now, counted);
			fold.limit = before;
			return out;
		};
		// One act is counted already.
		expect(of({ acts: 2, actsPerInstance: 2, actsPerMinute: 2 })).toBeUndefined();
		expect(of({ acts: 1 })).toBe('acts');
		expect(of({ actsPerInstance: 1 })).toBe('actsPerInstance');
		expect(of({ actsPerMinute: 1 })).toBe('actsPerMinute');
		expect(of({ acts: 1, actsPerInstance: 1, actsPerMinute: 1 }, 0, true)).toBeUndefined();
		expect(of({ cost: 0.5 }, 0.5)).toBeUndefined();
		expect(of({ cost: 0.5 }, 0.6)).toBe('cost');
		expect(of({ cost: 0 }, 0)).toBeUndefined();
		expect(of({ ms: 0 })).toBe('ms');
		expect(exhausted(fold, 'other', 0, now)).toBeUndefined();
	});

	test('S2-39 the minute moves on', async () => {
		const { fold, now } = await atTheDoor();
		fold.limit = { ...fold.limit, actsPerMinute: 1 };
		expect(exhausted(fold, 'lab', 0, now + 59_999)).toBe('actsPerMinute');
		expect(exhausted(fold, 'lab', 0, now + 60_000)).toBeUndefined();
	});
});
