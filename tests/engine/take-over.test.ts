import { describe, expect, test } from 'vitest';
import { EngineAgent, fold, verify, type AgentOptions } from '../../src/lib/agent/index.js';
import { scripted, type ScriptedTurn } from '../../src/lib/agent/adapters/scripted.js';
import type { TurnRequest } from '../../src/lib/agent/protocol/turn.js';
import { createRegistry } from '../../src/lib/agent/capability/registry.js';
import { memoryStore } from '../../src/lib/agent/stores/memory.js';
import { deterministic, person } from '../../src/lib/testing/index.js';
import { send, write } from '../fixtures/engine.js';
import { Sheet, sheetManifest } from '../fixtures/sheet.js';

const results = (request: TurnRequest): number =>
	request.messages.filter(({ role }) => role === 'result').length;

/** Two tabs of one app over one store: each with a page, a clock and an owner's name of its own. */
function tabs(script: (request: TurnRequest) => ScriptedTurn, options: Partial<AgentOptions> = {}) {
	const { clock } = deterministic();
	const store = memoryStore({ now: () => clock.now() });
	let seed = 0;
	const open = (more: Partial<AgentOptions> = {}) => {
		const ports = { ...deterministic((seed += 1)), clock };
		const sheet = new Sheet();
		const registry = createRegistry();
		registry.register(sheetManifest, sheet, { id: 'sheet', label: 'Sheet' });
		const transport = scripted(script, { clock });
		const identity = { id: 'ada', name: 'Ada', description: 'keeps sheets' };
		const engine = new EngineAgent({ identity, transport, registry, store, ...ports, ...options, ...more });
		return { engine, sheet };
	};
	const settle = async () => {
		for (let i = 0; i < 8; i++) await clock.advance(0);
	};
	return { open, settle, clock, store };
}

const approve = (engine: EngineAgent, id: string) => {
	const run = engine.get(id)!;
	const review = run.state.reviews.find(({ status }) => status === 'open');
	return review && run.decide({ review: review.id, verdict: 'approve' }, person);
};

const once = (call: ReturnType<typeof write>) => (request: TurnRequest) =>
	results(request) === 0 ? { calls: [call] } : { say: 'Done.' };

describe('a run in two tabs', () => {
	test('S2-91 I15 is carried on in one and followed in the other, which decides nothing', async () => {
		const { open, settle } = tabs(once(write('amount', '5')));
		const one = open();
		await settle();
		const two = open();
		await settle();
		const { id } = one.engine.run('Write', { by: person });
		await settle();
		const seen = two.engine.get(id)!;
		expect(seen.state).toMatchObject({ state: 'reviewing', elsewhere: true });
		expect(two.engine.pending).toMatchObject([{ kind: 'escalation', run: id, reason: { code: 'owner' } }]);
		const refused = { ok: false, refused: { code: 'owner' } };
		expect(approve(two.engine, id)).toMatchObject(refused);
		expect(seen.pause(person)).toMatchObject(refused);
		expect(seen.renew({ acts: 1 }, person)).toMatchObject(refused);
		expect(await seen.steer('in euros', person)).toMatchObject({ refused: { code: 'owner' } });
		expect(seen.resume({ kind: 'app', id: 'app' })).toMatchObject({ refused: { code: 'person-required' } });
		// Settings of this page are not written into it either.
		const told = seen.journal.length;
		two.engine.setLevel('suggest', person);
		two.engine.setConsent('sheet', 'deny', person);
		await settle();
		expect(seen.journal).toHaveLength(told);
		expect(approve(one.engine, id)).toEqual({ ok: true });
		await settle();
		expect(await seen.returned).toMatchObject({ kind: 'completed' });
		expect(seen.state.elsewhere).toBeUndefined();
		expect(seen.journal.map(({ hash }) => hash)).toEqual(one.engine.get(id)!.journal.map(({ hash }) => hash));
		expect([one.sheet.cells.amount, two.sheet.log]).toEqual(['5', []]);
		expect(two.engine.pending).toEqual([]);
	});

	test('S2-91 I7 is brought here by a person: what was allowed there is asked again, and runs once', async () => {
		const { open, settle, store } = tabs(
			(request) => (results(request) === 0 ? { calls: [send('x@y.example')] } : { say: 'Done.' }),
			{}
		);
		const one = open();
		await settle();
		const two = open();
		const { id } = one.engine.run('Send', { by: person });
		await settle();
		// Approved, and paused before it runs.
		one.engine.get(id)!.pause(person);
		approve(one.engine, id);
		await settle();
		expect(two.engine.get(id)!.resume(person)).toEqual({ ok: true });
		await settle();
		const mine = two.engine.get(id)!;
		expect(mine.state.elsewhere).toBeUndefined();
		mine.resume(person);
		await settle();
		const open2 = mine.state.reviews.findLast(({ status }) => status === 'open');
		expect(open2?.reasons.map(({ code }) => code)).toContain('owner');
		expect(one.engine.get(id)!.state.elsewhere).toBe(true);
		expect(approve(one.engine, id)).toMatchObject({ refused: { code: 'owner' } });
		approve(two.engine, id);
		await settle();
		expect(await mine.returned).toMatchObject({ kind: 'completed' });
		expect([one.sheet.sent, two.sheet.sent]).toEqual([[], ['x@y.example']]);
		const kept = await store.read(id);
		expect(verify(mine.journal)).toEqual([]);
		expect(kept.map(({ hash }) => hash)).toEqual(mine.journal.map(({ hash }) => hash));
		expect(await one.engine.get(id)!.returned).toMatchObject({ kind: 'completed' });
		expect(fold(mine.journal)).toEqual(mine.state);
	});

	test('S2-91 I13 I15 taken over in mid-act: the act is unknown, never done twice, and the old owner records nothing more', async () => {
		const { open, settle, store } = tabs((request) =>
			results(request) === 0 ? { calls: [send('x@y.example')] } : { say: 'Done.' }
		);
		const one = open();
		await settle();
		const two = open();
		const { id } = one.engine.run('Send', { by: person });
		await settle();
		let taken: Promise<unknown> | undefined;
		one.engine.subscribe(({ kind }) => {
			if (kind !== 'effect.dispatched') return;
			// In the very tick of the dispatch the other tab takes the run.
			taken = Promise.resolve(two.engine.get(id)!.resume(person));
		});
		approve(one.engine, id);
		await settle();
		await taken;
		await settle();
		const mine = two.engine.get(id)!;
		expect(one.sheet.sent.length + two.sheet.sent.length).toBe(1);
		expect(one.engine.get(id)!.state.elsewhere).toBe(true);
		const [effect] = mine.state.effects;
		if (effect?.status === 'unknown') {
			expect(two.engine.pending).toContainEqual({
				kind: 'unknown-effect',
				run: id,
				operation: effect.operation
			});
			mine.settle(effect.operation, 'done', person);
		}
		await settle();
		expect(mine.state.effects).toMatchObject([{ status: expect.stringMatching(/^confirmed|withdrawn$/) }]);
		expect(one.sheet.sent.length + two.sheet.sent.length).toBe(1);
		expect(verify(await store.read(id).then((kept) => kept.slice()))).toEqual([]);
	});

	test('S2-91 a tab whose owner is gone takes the run over after a while, and returns control', async () => {
		const { open, settle, clock } = tabs(once(write('amount', '5')));
		const one = open();
		await settle();
		const two = open();
		const { id } = one.engine.run('Write', { by: person });
		await settle();
		one.engine.abandon();
		await settle();
		expect(two.engine.get(id)!.state.elsewhere).toBe(true);
		await clock.advance(5_000);
		await settle();
		expect(await two.engine.get(id)!.returned).toMatchObject({
			kind: 'interrupted',
			reason: { code: 'recovery' }
		});
		expect(two.engine.get(id)!.state.elsewhere).toBeUndefined();
	});

	test('S2-91 a page that is loaded again within that time has its run back', async () => {
		const { open, settle, clock } = tabs(once(write('amount', '5')), { recovery: 'resume' });
		const one = open();
		await settle();
		const two = open();
		const { id } = one.engine.run('Write', { by: person });
		await settle();
		one.engine.abandon();
		await settle();
		const again = open();
		expect(await again.engine.ready).toEqual({ returned: [], resumed: [id], unknown: [] });
		await clock.advance(10_000);
		await settle();
		expect(two.engine.get(id)!.state).toMatchObject({ elsewhere: true, state: 'reviewing' });
		approve(again.engine, id);
		await settle();
		expect(await again.engine.get(id)!.returned).toMatchObject({ kind: 'completed' });
		expect(again.sheet.cells.amount).toBe('5');
	});

	test('S2-57 S2-91 stop by a person ends a run wherever it is carried on', async () => {
		const { open, settle, clock } = tabs(once(write('amount', '5')));
		const one = open();
		await settle();
		const two = open();
		const { id } = one.engine.run('Write', { by: person });
		await settle();
		const stopped = two.engine.get(id)!.stop('enough', person);
		await settle();
		await clock.advance(0);
		expect(await stopped).toMatchObject({ confirmed: [], unknown: [] });
		expect(await one.engine.get(id)!.returned).toMatchObject({ kind: 'interrupted' });
		expect(one.sheet.log).toEqual([]);
	});

	test('S2-91 where nothing can be owned nothing runs: a new run waits, and says why', async () => {
		const { open, settle, store } = tabs(once(write('amount', '5')));
		const none = { ...store, claim: async () => undefined };
		const one = open({ store: none });
		await one.engine.ready;
		const run = one.engine.run('Write', { by: person });
		await settle();
		expect(run.state.escalations).toMatchObject([{ code: 'owner' }]);
		expect(one.sheet.log).toEqual([]);
		const stopped = run.stop(undefined, person);
		await settle();
		expect(await stopped).toMatchObject({ confirmed: [] });
	});

	test('S2-91 runs of another agent in the same store are left alone', async () => {
		const { open, settle } = tabs(once(write('amount', '5')));
		const one = open();
		await settle();
		const { id } = one.engine.run('Write', { by: person });
		await settle();
		const other = open({ identity: { id: 'bob', name: 'Bob', description: 'somebody else' } });
		await settle();
		expect(other.engine.get(id)).toBeUndefined();
		one.engine.abandon();
		await settle();
		const third = open({ identity: { id: 'bob', name: 'Bob', description: 'somebody else' } });
		expect(await third.engine.ready).toEqual({ returned: [], resumed: [], unknown: [] });
		const again = open();
		expect(await again.engine.ready).toMatchObject({ returned: [id] });
	});

	test('I15 a frozen owner that wakes after a take-over loses what it recorded meanwhile, and says where the run is', async () => {
		const { open, settle, store } = tabs(once(write('amount', '5')));
		let frozen: Promise<void> | undefined;
		const slow: typeof store = {
			...store,
			append: async (...args) => {
				await frozen;
				return store.append(...args);
			}
		};
		const one = open({ store: { ...slow, subscribe: undefined } as never });
		await settle();
		const two = open();
		const { id } = one.engine.run('Write', { by: person });
		await settle();
		let wake!: () => void;
		frozen = new Promise((resolve) => (wake = resolve));
		approve(one.engine, id);
		await settle();
		two.engine.get(id)!.resume(person);
		await settle();
		approve(two.engine, id);
		await settle();
		expect(await two.engine.get(id)!.returned).toMatchObject({ kind: 'completed' });
		wake();
		frozen = undefined;
		await settle();
		const there = one.engine.get(id)!;
		expect(there.journal.map(({ hash }) => hash)).toEqual(
			two.engine.get(id)!.journal.map(({ hash }) => hash)
		);
		expect(verify(there.journal)).toEqual([]);
	});
});
