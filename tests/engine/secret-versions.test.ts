import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineManifest, done } from '../../src/lib/agent/capability/index.js';
import { createRegistry } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { laboratory } from '../fixtures/lab.js';

/** A safe whose pin is the version of its pin, as a careless app would declare it. */
class Safe {
	expected: unknown[] = [];
	constructor(public pin = 'hunter-4711') {}
}
const safe = defineManifest<Safe>()({
	kind: 'safe',
	description: 'A safe',
	reads: {
		pin: { description: 'Its pin', read: (it) => it.pin, version: (it) => it.pin, sensitivity: 'secret' }
	},
	acts: {
		turn: {
			description: 'Changes the pin',
			args: z.strictObject({ n: z.number().describe('By how much') }),
			effect: 'reversible',
			touches: ['pin'],
			perform(it, { n }, { expect: versions }) {
				it.expected.push(versions.pin);
				it.pin = `hunter-${4711 + n}`;
				return done(undefined, { versions: { pin: it.pin } });
			}
		}
	},
	undo: () => ({ undone: 0, kept: [] })
});
const turn = (n: number) => ({ instance: 'safe', act: 'turn', args: { n } });

async function opened(calls: ReturnType<typeof turn>[], ceiling: 'auto' | 'review' = 'auto') {
	const of = new Safe();
	const registry = createRegistry();
	registry.register(safe, of, { id: 'safe', label: 'Safe' });
	const made = laboratory([{ calls }, {}], { registry, policy: { ceiling } });
	const run = made.engine.run('go', { by: person });
	await made.settle();
	const all = () => JSON.stringify([run.journal, run.state, made.engine.snapshot(), made.requests]);
	return { ...made, of, run, all };
}

describe('S2-78 S2-83 the version of a secret may be the secret', () => {
	test('S2-78 no record, state, snapshot or request holds it, and the provider is told what it knows', async () => {
		const { of, all, run } = await opened([turn(1), turn(2)]);
		expect(run.state.outcome?.kind).toBe('completed');
		expect(of.expected).toEqual(['hunter-4711', 'hunter-4712']);
		expect(all()).not.toContain('hunter');
	});

	test('S2-78 S2-87 drift of a secret is noticed all the same', async () => {
		for (const moved of [true, false]) {
			const { of, all, run, settle } = await opened([turn(1)], 'review');
			if (moved) of.pin = 'hunter-0000';
			run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
			await settle();
			expect([moved, of.expected.length]).toEqual([moved, moved ? 0 : 1]);
			expect(run.state.state).toBe(moved ? 'reviewing' : 'returned');
			expect(all()).not.toContain('hunter');
		}
	});

	test('S2-78 two runs of one script give equal journals, two pages different words for one secret', async () => {
		const [one, other] = [await opened([turn(1)]), await opened([turn(1)])];
		expect(one.run.journal).toEqual(other.run.journal);
		const registry = createRegistry();
		registry.register(safe, new Safe(), { id: 'safe', label: 'Safe' });
		const made = laboratory([{ calls: [turn(1)] }, {}], { registry, random: { next: () => 0.25 } });
		const run = made.engine.run('go', { by: person });
		await made.settle();
		const version = (journal: typeof run.journal) =>
			(journal.find(({ kind }) => kind === 'effect.intended')!.data as { expect: { version: string }[] })
				.expect[0]!.version;
		expect(version(run.journal)).toMatch(/^[0-9a-f]{16}$/);
		expect(version(run.journal)).not.toBe(version(one.run.journal));
	});
});
