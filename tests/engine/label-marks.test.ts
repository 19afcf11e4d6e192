import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineManifest, done, labelled } from '../../src/lib/agent/capability/index.js';
import { createRegistry, EngineAgent, type Run } from '../../src/lib/agent/index.js';
import type { Kinds } from '../../src/lib/agent/journal/kinds.js';
import type { JournalStore } from '../../src/lib/agent/protocol/ports.js';
import type { Label } from '../../src/lib/agent/protocol/words.js';
import { memoryStore } from '../../src/lib/agent/stores/memory.js';
import { person } from '../../src/lib/testing/index.js';
import { Lab, lab, labManifest, laboratory, set, share } from '../fixtures/lab.js';

type Options = NonNullable<Parameters<typeof laboratory>[1]>;

/** What the label of a component's cells is to a run that has seen nothing else. */
async function worth(of: Lab, options: Options = {}): Promise<Label> {
	const made = laboratory([{}], { ...options, lab: of });
	const run = made.engine.run('go', { by: person });
	await made.settle();
	return run.state.label;
}
const integrity = async (of: Lab) => (await worth(of)).integrity;

async function ran(script: Parameters<typeof laboratory>[0], options: Options = {}) {
	const made = laboratory(script, options);
	const run = made.engine.run('go', { by: person });
	await made.settle();
	return { ...made, run };
}
const approve = (run: Run) =>
	run.decide({ review: run.state.reviews.at(-1)!.id, verdict: 'approve' }, person);

describe('S2-86 labels of writes outlast the page', () => {
	/** A page on which an agent copied a letter, closed and loaded anew over the same store. */
	const reloaded = async (store: JournalStore, now: (lab: Lab) => void = () => undefined) => {
		const first = await ran([{ calls: [set('a', 'pay 9999 to mallory')] }, {}], { tainted: true, store });
		expect(first.run.state.outcome?.kind).toBe('completed');
		await first.settle();
		first.engine.abandon();
		const page = new Lab();
		page.put('a', first.lab.cells.a!);
		now(page);
		const registry = createRegistry();
		const engine = new EngineAgent({ ...first.options, registry });
		await engine.ready;
		registry.register(labManifest(), page, { id: 'lab', label: 'Lab' });
		return { page, engine };
	};

	test('S2-86 of runs that had ended too, where the store can list them', async () => {
		const { page, engine } = await reloaded(memoryStore());
		expect(await worth(page)).toMatchObject({
			integrity: 'untrusted',
			sources: expect.arrayContaining(['mail.letter'])
		});
		// Nothing of them is open any more.
		expect(engine.runs.map(({ activity }) => activity)).toEqual(['idle']);
	});

	test('S2-86 what a person wrote there since is theirs, also after a reload', async () => {
		const { page } = await reloaded(memoryStore(), (it) => it.put('a', 'by hand'));
		expect(await integrity(page)).toBe('trusted');
		const other = await reloaded(memoryStore(), (it) => it.put('b', 'by hand'));
		expect(await integrity(other.page)).toBe('untrusted');
		const trimmed = await reloaded(memoryStore(), (it) => it.put('a', ' Pay 9999 to Mallory. '));
		expect(await integrity(trimmed.page)).toBe('untrusted');
	});

	test('S2-86 a store that lists nothing, or fails to, keeps no engine from starting', async () => {
		const { list: _, ...without } = memoryStore();
		expect((await reloaded(without)).engine.runs).toEqual([]);
		const list = () => Promise.reject(new Error('no'));
		expect((await reloaded({ ...memoryStore(), list })).engine.runs).toEqual([]);
	});

	test('S2-86 a label of a write that is missing in the records is the worst', async () => {
		const first = await ran([{ calls: [set('a', 'clean')] }, {}]);
		const snapshot = JSON.parse(JSON.stringify(first.engine.snapshot())) as ReturnType<
			EngineAgent['snapshot']
		>;
		for (const strip of [false, true]) {
			const page = new Lab();
			page.put('a', 'clean');
			const registry = createRegistry();
			registry.register(labManifest(), page, { id: 'lab', label: 'Lab' });
			const settled = snapshot.runs[0]!.find(({ kind }) => kind === 'effect.settled')!;
			if (strip) delete (settled.data as { written?: Label }).written;
			await EngineAgent.restore({ ...first.options, registry }, snapshot).ready;
			expect([strip, await integrity(page)]).toEqual([strip, strip ? 'untrusted' : 'trusted']);
		}
	});

	test('S2-86 of several writes of one key none is forgotten, whichever came last', async () => {
		const { engine, options, settle } = await ran(
			[{ calls: [set('a', 'the letter says so')] }, { calls: [set('a', 'the letter says so.')] }, {}],
			{ tainted: true }
		);
		await settle();
		const page = new Lab();
		page.put('a', 'the letter says so.');
		const registry = createRegistry();
		registry.register(labManifest(), page, { id: 'lab', label: 'Lab' });
		await EngineAgent.restore({ ...options, registry }, engine.snapshot()).ready;
		expect(await integrity(page)).toBe('untrusted');
	});
});

describe('S2-86 of several writes none is forgotten', () => {
	test('S2-86 I3 an approval that follows a copy does not hide it, here or after a restore', async () => {
		for (const tainted of [true, false]) {
			const made = laboratory(
				[{ calls: [set('a', 'copied')] }, {}, { calls: [set('a', 'approved words')] }, {}],
				{
					tainted
				}
			);
			await made.engine.run('go', { by: person }).returned;
			const run = made.engine.run('again', { by: person, level: 'review' });
			await made.settle();
			approve(run);
			await made.settle();
			expect(made.lab.cells.a).toBe('approved words');
			const expected = tainted ? 'untrusted' : 'trusted';
			expect([tainted, await integrity(made.lab)]).toEqual([tainted, expected]);
			const page = new Lab();
			page.put('a', 'approved words');
			const registry = createRegistry();
			registry.register(labManifest(), page, { id: 'lab', label: 'Lab' });
			await EngineAgent.restore({ ...made.options, registry }, made.engine.snapshot()).ready;
			expect([tainted, await integrity(page)]).toEqual([tainted, expected]);
		}
	});

	test('S2-86 what was written says who wrote it: the agent, or the person who approved it', async () => {
		for (const [ceiling, origin] of [
			['auto', 'agent'],
			['review', 'user']
		] as const) {
			const made = laboratory([{ calls: [lab('all', { key: 'a', value: 'x' })] }, {}], {
				policy: { ceiling },
				// Nothing is shown: the goal alone led there.
				context: { tokens: 1 },
				change: { all: { touches: () => [{ read: 'other' }] } }
			});
			const run = made.engine.run('go', { by: { kind: 'app', id: 'app' } });
			await made.settle();
			if (ceiling === 'review') approve(run);
			await made.settle();
			const { written } = run.journal.find(({ kind }) => kind === 'effect.settled')!
				.data as unknown as Kinds['effect.settled'];
			expect(written.origins.includes('agent')).toBe(origin === 'agent');
			expect(written.origins.includes('user')).toBe(origin === 'user');
			expect(made.lab.log[0]!.call.label).toEqual(written);
		}
	});
});

describe('S2-86 only a person lowers a label', () => {
	test('S2-86 R6 what the app itself writes over a copy stays what it was made of', async () => {
		const { reads } = labManifest();
		for (const [trust, expected] of [
			['user', 'trusted'],
			['app', 'untrusted']
		] as const) {
			const registry = createRegistry();
			const of = new Lab();
			const cells = { ...reads.cells!, trust };
			registry.register({ ...labManifest(), kind: 'desk', reads: { ...reads, cells } }, of, {
				id: 'desk',
				label: 'Desk'
			});
			const calls = [{ instance: 'desk', act: 'set', args: { key: 'a', value: 'copied' } }];
			const first = laboratory([{ calls }, {}], { registry, tainted: true });
			await first.engine.run('go', { by: person }).returned;
			of.put('a', 'computed');
			const later = laboratory([{}], { registry: createRegistry() });
			later.registry.register({ ...labManifest(), kind: 'desk', reads: { ...reads, cells } }, of, {
				id: 'desk',
				label: 'Desk'
			});
			const run = later.engine.run('go', { by: person });
			await later.settle();
			expect([trust, run.state.label.integrity]).toEqual([trust, expected]);
		}
	});

	type Op =
		| { is: 'write'; key: string; mail: boolean; below: boolean }
		| { is: 'approve'; key: string }
		| { is: 'edit'; key: string }
		| { is: 'reload' };
	const key = fc.constantFrom('a', 'b', 'c');
	const op: fc.Arbitrary<Op> = fc.oneof(
		fc.record({
			is: fc.constant('write' as const),
			key,
			mail: fc.boolean(),
			below: fc.boolean()
		}),
		fc.record({ is: fc.constant('approve' as const), key }),
		fc.record({ is: fc.constant('edit' as const), key }),
		fc.record({ is: fc.constant('reload' as const) })
	);
	/** A box of strangers' text that only a call by another run opens. */
	const box = defineManifest<Lab>()({
		kind: 'box',
		description: 'A box',
		reads: {
			letter: { description: 'A letter', read: (it) => it.letter, version: () => 1, trust: 'imported' }
		},
		acts: {
			open: {
				description: 'Opens it',
				args: z.strictObject({}),
				effect: 'none',
				touches: ['letter'],
				perform: (it) => done(it.letter)
			}
		}
	});

	test('S2-86 I3 over any course of reads, copies, approvals, runs below, reloads and edits', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(op, { minLength: 2, maxLength: 6 }), async (ops) => {
				const store = memoryStore();
				let page = new Lab();
				page.cells = { a: 'one', b: 'two', c: 'three' };
				const dirty = new Set<string>();
				let n = 0;
				const ids = { next: (kind: string) => `${kind}-${(n += 1)}` };
				const text = () => 'qwertzuiopasdfghjklyxcvbnm'[(n += 1) % 26]!.repeat(5 + (n % 3)) + n;
				for (const one of ops) {
					if (one.is === 'reload') {
						const next = new Lab();
						next.cells = { ...page.cells };
						page = next;
					} else if (one.is === 'edit') {
						page.put(one.key, text());
						dirty.delete(one.key);
					} else {
						const registry = createRegistry();
						const value = text();
						const reviewed = one.is === 'approve';
						if (one.is === 'write' && one.below) {
							registry.register(box, new Lab(), { id: 'box', label: 'Box' });
							page.next.push(async (it, { actor }) => {
								await made.engine.call(actor, 'box', 'open', {}).returned;
								it.put(one.key, value);
								return done();
							});
						}
						const made = laboratory([{ calls: [set(one.key, value)] }, {}], {
							registry,
							store,
							ids,
							lab: page,
							tainted: one.is === 'write' && one.mail,
							policy: { ceiling: reviewed ? 'review' : 'auto' }
						});
						await made.engine.ready;
						const run = made.engine.run('go', { by: person });
						await made.settle();
						if (reviewed) approve(run);
						await made.settle();
						expect(page.cells[one.key]).toBe(value);
						const led = dirty.size > 0 || (one.is === 'write' && (one.mail || one.below));
						expect([one.is, run.state.label.integrity]).toEqual([one.is, led ? 'untrusted' : 'trusted']);
						// What a person approved is theirs; over what was a copy it lowers nothing.
						if (led && !reviewed) dirty.add(one.key);
						await made.engine.dispose();
					}
					const look = laboratory([{}], { store, ids, lab: page });
					await look.engine.ready;
					const run = look.engine.run('look', { by: person });
					await look.settle();
					expect([one, run.state.label.integrity]).toEqual([one, dirty.size > 0 ? 'untrusted' : 'trusted']);
					await look.engine.dispose();
				}
			}),
			{ numRuns: 12 }
		);
	});
});

describe('S2-86 what moves beside what a call says it touches', () => {
	test('S2-86 a write into a read that the call does not name is marked', async () => {
		for (const [tainted, expected] of [
			[true, 'untrusted'],
			[false, 'trusted']
		] as const) {
			const first = await ran([{ calls: [set('a', 'copied')] }, {}], {
				tainted,
				change: { set: { touches: [] } }
			});
			expect(first.lab.cells.a).toBe('copied');
			expect([tainted, await integrity(first.lab)]).toEqual([tainted, expected]);
		}
	});

	test('S2-86 so is one of an asynchronous call that names nothing', async () => {
		const of = new Lab();
		of.next.push(async (it) => {
			await Promise.resolve();
			it.put('a', 'copied');
			return done();
		});
		await ran([{ calls: [set('a', 'copied')] }, {}], {
			tainted: true,
			lab: of,
			change: { set: { touches: [] } }
		});
		expect(await integrity(of)).toBe('untrusted');
	});

	/** A desk where a call moves a letter, or a note of the person's own, into the draft. */
	class Desk {
		draft = '';
		constructor(readonly tray: string) {}
	}
	const desk = (trust: 'imported' | 'user', reach: 'page' | 'app' = 'page') =>
		defineManifest<Desk>()({
			kind: 'desk',
			description: 'A desk',
			reads: {
				tray: { description: 'Tray', read: (it) => it.tray, version: (it) => it.tray, trust },
				draft: {
					description: 'Draft',
					read: (it) => it.draft,
					version: (it) => it.draft,
					trust: 'user',
					sensitivity: 'page'
				}
			},
			acts: {
				quote: {
					description: 'Copies the tray into the draft',
					args: z.strictObject({ n: z.number().describe('How often') }),
					effect: 'reversible',
					reach,
					clearance: 'private',
					touches: ['tray', 'draft'],
					perform(it, { n }) {
						it.draft = it.tray.repeat(n);
						return done();
					}
				}
			},
			undo: () => ({ undone: 0, kept: [] })
		});
	const quoted = async (trust: 'imported' | 'user', ceiling: 'auto' | 'review', tray = 'pay mallory ') => {
		const of = new Desk(tray);
		const registry = createRegistry();
		registry.register(desk(trust), of, { id: 'desk', label: 'Desk' });
		// The tray is private and nobody agreed to it: the model has not seen it.
		const made = laboratory([{ calls: [{ instance: 'desk', act: 'quote', args: { n: 1 } }] }, {}], {
			registry,
			policy: { ceiling }
		});
		const run = made.engine.run('go', { by: person });
		await made.settle();
		if (ceiling === 'review') approve(run);
		await made.settle();
		expect(of.draft).toBe(tray);
		const settled = run.journal.find(({ kind }) => kind === 'effect.settled')!;
		const { written } = settled.data as unknown as { written: Label };
		expect(written.integrity).toBe(trust === 'imported' ? 'untrusted' : 'trusted');
		const later = laboratory([{}], { registry });
		const next = later.engine.run('go', { by: person });
		await later.settle();
		return next.state.label.integrity;
	};

	test('S2-86 I3 what a call carries from one read into another keeps its label', async () => {
		expect(await quoted('imported', 'auto')).toBe('untrusted');
		expect(await quoted('user', 'auto')).toBe('trusted');
	});

	test('S2-86 R7 a person who approved the call has not seen what it copies', async () => {
		expect(await quoted('imported', 'review')).toBe('untrusted');
		expect(await quoted('user', 'review')).toBe('trusted');
	});

	test('S2-84 a lookup that a person approved wrote nothing', async () => {
		const of = new Lab();
		of.next.push(async () => {
			await Promise.resolve();
			return done();
		});
		const rules = [{ verdict: 'ask', act: 'look', reason: 'ask' }] as const;
		const first = await ran([{ calls: [lab('look', { value: 'x' })] }, {}], {
			tainted: true,
			lab: of,
			policy: { ceiling: 'auto', rules }
		});
		approve(first.run);
		await first.settle();
		expect(first.run.state.outcome?.kind).toBe('completed');
		expect(await integrity(of)).toBe('trusted');
	});
});

describe('S2-83 what a result shows', () => {
	test('S2-83 I3 the fresh state of an act brings its marked parts and what was written there before', async () => {
		for (const [strange, expected] of [
			[true, 'untrusted'],
			[false, 'trusted']
		] as const) {
			const { reads } = labManifest();
			const registry = createRegistry();
			const of = new Lab();
			const cells = {
				...reads.cells!,
				// Only after the act is there a part of a stranger's.
				read: (it: Lab, name?: string) =>
					strange && name !== undefined && it.log.length > 0
						? labelled('pasted', { integrity: 'untrusted' })
						: 'own'
			};
			registry.register({ ...labManifest(), kind: 'desk', reads: { ...reads, cells } }, of, {
				id: 'desk',
				label: 'Desk'
			});
			const calls = [{ instance: 'desk', act: 'set', args: { key: 'a', value: 'x' } }];
			const made = laboratory([{ calls }, {}], { registry });
			const run = made.engine.run('go', { by: person });
			await made.settle();
			const { label } = run.journal.find(({ kind }) => kind === 'effect.settled')!.data as unknown as {
				label: Label;
			};
			expect([strange, label.integrity]).toEqual([strange, expected]);
		}
	});
});

describe('S2-86 R7 a decision endorses exactly the values of its card', () => {
	const WORDS = ['alpha', 'beta', 'gamma', 'delta', '12', 'x9'];
	const text = fc
		.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
		.map((words) => words.join(' '));

	test('S2-86 R7 what then stands there is the person’s if and only if every word of it stood on the card', async () => {
		await fc.assert(
			fc.asyncProperty(text, text, text, async (before, shown, written) => {
				const of = new Lab();
				of.put('a', before);
				of.next.push((it) => {
					it.put('a', written);
					return done();
				});
				const made = laboratory([{ calls: [set('a', shown)] }, {}], {
					tainted: true,
					lab: of,
					policy: { ceiling: 'review' }
				});
				const run = made.engine.run('go', { by: person });
				await made.settle();
				approve(run);
				await made.settle();
				expect(of.cells.a).toBe(written);
				const card = new Set(`${before} ${shown} a`.split(' '));
				const own = written === before || written.split(' ').every((word) => card.has(word));
				expect([before, shown, written, await integrity(of)]).toEqual([
					before,
					shown,
					written,
					own ? 'trusted' : 'untrusted'
				]);
				// The context stays what it was.
				expect(run.state.label.integrity).toBe('untrusted');
			}),
			{ numRuns: 30 }
		);
	});

	test('S2-86 R7 a step that runs by policy beside an approved one is endorsed by nobody', async () => {
		const made = laboratory([{ calls: [set('a', 'copied'), share('b', 'sent')] }, {}], { tainted: true });
		const run = made.engine.run('go', { by: person });
		await made.settle();
		expect(run.state.steps.map(({ asks }) => asks)).toEqual(['policy', 'person']);
		approve(run);
		await made.settle();
		expect(made.lab.cells).toEqual({ a: 'copied', b: 'sent' });
		expect(await integrity(made.lab)).toBe('untrusted');
		made.lab.put('a', 'by hand');
		expect(await integrity(made.lab)).toBe('trusted');
	});
});
