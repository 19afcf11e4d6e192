import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fingerprint, fingerprintOf, type Bond } from '../../src/lib/agent/gate/fingerprint.js';
import { deepFreeze } from '../../src/lib/agent/journal/copy.js';
import type { StepMemory } from '../../src/lib/agent/journal/memory.js';
import { CLEAN } from '../../src/lib/agent/protocol/labels.js';
import { person } from '../../src/lib/testing/index.js';
import { laboratory, set } from '../fixtures/lab.js';

const bond: Bond = {
	run: 'r',
	revision: 1,
	step: 's',
	act: 'a',
	manifest: 'm',
	instance: 'i',
	epoch: 1,
	args: { x: 1 },
	label: CLEAN,
	operation: 'o',
	touches: [{ instance: 'i', read: 'x', key: 'k', version: 1 }],
	policy: 'p',
	requester: { kind: 'agent', id: 'ada' },
	expires: 1,
	nonce: 'n'
};

describe('S2-87 a permission is bound to all it was given on', () => {
	const changed: { [K in keyof Bond]: Bond[K][] } = {
		run: ['r2'],
		revision: [2],
		step: ['s2'],
		act: ['a2'],
		manifest: ['m2'],
		instance: ['i2'],
		epoch: [2],
		args: [{ x: 2 }, { x: '1' }, { y: 1 }, {}, [], null, 'x'],
		label: [
			{ ...CLEAN, integrity: 'untrusted' },
			{ ...CLEAN, sources: ['a'] }
		],
		operation: ['o2'],
		touches: [
			[],
			[{ instance: 'i', read: 'x', version: 1 }],
			[{ instance: 'i', read: 'x', key: 'k', version: '1' }],
			[{ instance: 'i', read: 'x', key: 'k', version: 2 }],
			[{ instance: 'j', read: 'x', key: 'k', version: 1 }],
			[{ instance: 'i', read: 'y', key: 'k', version: 1 }],
			[...bond.touches, ...bond.touches]
		],
		policy: ['p2'],
		requester: [
			{ kind: 'rule', id: 'ada' },
			{ kind: 'agent', id: 'ada', version: '2' }
		],
		expires: [2],
		nonce: ['n2']
	};
	const cases = Object.entries(changed).flatMap(([part, values]) =>
		(values as unknown[]).map((value) => [part, JSON.stringify(value), value] as const)
	);
	test.each(cases)('S2-87 another %s %s is another fingerprint', (part, _text, value) => {
		expect(fingerprint({ ...bond, [part]: value })).not.toBe(fingerprint(bond));
	});

	test('S2-87 all of them differ from one another: the form is injective', () => {
		const prints = cases.map(([part, , value]) => fingerprint({ ...bond, [part]: value }));
		expect(new Set(prints).size).toBe(cases.length);
	});

	test('S2-87 equal bonds have equal fingerprints, whatever the order of keys', () => {
		expect(fingerprint({ ...bond, args: { a: 1, b: 2 } })).toBe(
			fingerprint({ ...bond, args: { b: 2, a: 1 } })
		);
		expect(fingerprint(Object.fromEntries(Object.entries(bond).reverse()) as unknown as Bond)).toBe(
			fingerprint(bond)
		);
	});

	test('S2-87 no text can move a boundary between two parts', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (a, b, c, d) => {
				const same = a === c && b === d;
				const left = fingerprint({ ...bond, act: a, manifest: b });
				expect(left === fingerprint({ ...bond, act: c, manifest: d })).toBe(same);
			})
		);
	});

	test('S2-87 arguments are hashed once', () => {
		let reads = 0;
		const counted = { enumerable: true, get: () => ((reads += 1), 'v') };
		const args = Object.freeze(Object.defineProperty({}, 'x', counted)) as never;
		fingerprint({ ...bond, args });
		const once = reads;
		fingerprint({ ...bond, args, nonce: 'other' });
		expect(once).toBeGreaterThan(0);
		expect(reads).toBe(once);
	});

	describe('the fingerprint of a step', () => {
		const fixed = deepFreeze(structuredClone(bond));

		test('S2-87 is that of its bond, however often it is asked', () => {
			const memory = {} as StepMemory;
			expect(fingerprintOf(memory, fixed)).toBe(fingerprint(bond));
			expect(fingerprintOf(memory, { ...fixed })).toBe(fingerprint(bond));
		});

		test.each(cases)('S2-87 is another one as soon as %s is %s', (part, _text, value) => {
			const memory = {} as StepMemory;
			const before = fingerprintOf(memory, fixed);
			const other = { ...fixed, [part]: value };
			expect(fingerprintOf(memory, other)).toBe(fingerprint(other));
			expect(fingerprintOf(memory, other)).not.toBe(before);
			expect(fingerprintOf(memory, fixed)).toBe(before);
		});

		test.each(['args', 'label', 'touches', 'requester'] as const)(
			'S2-87 is worked out anew where what stands in %s can still change',
			(part) => {
				const memory = {} as StepMemory;
				const open = { ...fixed, [part]: structuredClone(bond[part]) };
				const before = fingerprintOf(memory, open);
				Object.assign(part === 'touches' ? open.touches[0]! : open[part]!, { version: 9, extra: 'x' });
				expect(fingerprintOf(memory, open)).not.toBe(before);
			}
		);
	});
});

describe('S2-90 what was approved is what runs', () => {
	test('S2-90 I1 arguments changed by whoever holds them change nothing', async () => {
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'approved')] }, {}], {
			policy: { ceiling: 'review' }
		});
		const run = engine.run('go', { by: person });
		await settle();
		const args = run.state.steps[0]!.args as { value: string };
		expect(() => {
			args.value = 'forged';
		}).toThrow(TypeError);
		const edit = { key: 'a', value: 'edited' };
		const { id } = run.state.steps[0]!;
		run.decide(
			{ review: run.state.reviews[0]!.id, steps: { [id]: { verdict: 'edit', args: edit } } },
			person
		);
		edit.value = 'forged';
		await settle();
		expect(lab.cells.a).toBe('edited');
		expect(Object.isFrozen(lab.log[0]!.args)).toBe(true);
	});

	test('I1 a provider that mutates what it got cannot change the record', async () => {
		const { engine, lab } = laboratory([{ calls: [set('a', 'x')] }, {}]);
		lab.next.push((_lab, call) => {
			const { args } = lab.log[0]!;
			expect(() => (args.value = 'y')).toThrow(TypeError);
			(call.actor as { kind: string }).kind = 'human';
			return { kind: 'done' };
		});
		const run = engine.run('go', { by: person });
		await run.returned;
		expect(run.state.steps[0]).toMatchObject({ args: { value: 'x' }, by: { kind: 'agent' } });
	});

	test('S2-114 another policy version voids what was approved under the older one', async () => {
		const policy = { ceiling: 'review' as const, version: '1' };
		let finish = (): void => undefined;
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}], { policy });
		lab.next.push(() => new Promise((resolve) => (finish = () => resolve({ kind: 'done' }))));
		const run = engine.run('go', { by: person });
		await settle();
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
		await settle();
		policy.version = '2';
		finish();
		await settle();
		expect(lab.log).toHaveLength(1);
		expect(run.state.state).toBe('reviewing');
	});
});
