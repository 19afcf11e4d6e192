import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineAgent, verify } from '../../src/lib/agent/index.js';
import { onDemand, type TurnSide } from '../../src/lib/agent/engine/on-demand.js';
import { scripted } from '../../src/lib/agent/adapters/scripted.js';
import { person } from '../../src/lib/testing/index.js';
import { laboratory, set } from '../fixtures/lab.js';
import { reach, readFromDisk } from './import-graph.js';

const { load } = onDemand;

/** What loading comes to, try by try; then it is the real thing. */
function loading(...tries: readonly (() => Promise<TurnSide>)[]): { count: number } {
	const seen = { count: 0 };
	onDemand.load = () => (tries[seen.count++] ?? load)();
	return seen;
}

const fails = (text: string) => () => Promise.reject(new Error(text));
const hangs = () => new Promise<TurnSide>(() => {});

/** A laboratory in which the turn side is not there yet. */
function cold(...given: Parameters<typeof laboratory>) {
	const made = laboratory(...given);
	onDemand.turnSide = undefined;
	return made;
}

beforeEach(() => {
	onDemand.turnSide = undefined;
	onDemand.load = load;
});
afterEach(() => {
	onDemand.load = load;
});

describe('what only a run with a model needs is loaded with its first turn', () => {
	const root = resolve(import.meta.dirname, '../../src/lib');
	const SIDE = ['turn', 'stream', 'opening', 'history', 'painter', 'sort', 'sort-turn', 'turn-side'].map(
		(name) => `agent/engine/${name}.ts`
	);
	const MORE = ['context', 'ranking', 'rendering', 'sanitise', 'addressing'].map(
		(name) => `agent/capability/${name}.ts`
	);
	const parts = [...SIDE, ...MORE, 'agent/protocol/partial-json.ts'].map((path) => resolve(root, path));

	test('S2-18 one import alone leads there, and nothing of it is loaded before', () => {
		const entry = resolve(root, 'agent/index.ts');
		const all = reach(entry, readFromDisk).files;
		const first = reach(entry, (path) =>
			readFromDisk(path)?.replace("() => import('./turn-side.js')", 'undefined')
		).files;
		expect(parts.filter((path) => !all.has(path))).toEqual([]);
		expect(parts.filter((path) => first.has(path))).toEqual([]);
		expect(first.has(resolve(root, 'agent/engine/conductor.ts'))).toBe(true);
	});

	test('S2-18 a caller without a model, an offer and a refused run never need it', async () => {
		const seen = loading();
		const { engine, lab } = cold([]);
		const called = engine.call({ kind: 'rule', id: 'nightly' }, 'lab', 'set', { key: 'a', value: 'x' });
		expect((await called.returned).kind).toBe('completed');
		expect(lab.cells.a).toBe('x');
		expect((await engine.undo(called.id, person)).ok).toBe(true);
		engine.offer('later');
		await engine.dispose();
		await engine.run('too late').returned;
		expect(seen.count).toBe(0);
		expect(onDemand.turnSide).toBeUndefined();
	});

	test('S2-18 it is loaded once for all engines, and makes no other records than one that is there', async () => {
		const script = [{ say: 'Both.', calls: [set('a', 'x'), set('b', 'y')] }, { say: 'Done.' }];
		const warm = laboratory(script);
		const told = warm.engine.run('go', { by: person });
		await told.returned;
		const seen = loading();
		const first = cold(script);
		const run = first.engine.run('go', { by: person });
		expect((await run.returned).kind).toBe('completed');
		expect(JSON.stringify(run.journal)).toBe(JSON.stringify(told.journal));
		const second = new EngineAgent({
			identity: { id: 'bob', name: 'Bob', description: 'helps' },
			transport: scripted([{ say: 'Hello.' }])
		});
		expect(await second.run('greet', { by: person }).returned).toMatchObject({ text: 'Hello.' });
		expect(seen.count).toBe(1);
	});
});

describe('S2-32 a page that cannot load it', () => {
	test('S2-32 tries again as after a failed request, and goes on', async () => {
		const { engine, clock } = cold([{ say: 'Hello.' }]);
		const seen = loading(fails('offline'), fails('offline'), load);
		const run = engine.run('go', { by: person });
		await clock.advance(0);
		expect(seen.count).toBe(1);
		await clock.advance(999);
		expect(seen.count).toBe(1);
		await clock.advance(1);
		expect(seen.count).toBe(2);
		expect(run.state.activity).toBe('thinking');
		await clock.advance(4000);
		expect(seen.count).toBe(3);
		expect(await run.returned).toMatchObject({ kind: 'answered', text: 'Hello.' });
		expect(verify(run.journal)).toEqual([]);
	});

	test('S2-32 after the third time control waits for a person, who may try again or stop', async () => {
		const { engine, clock } = cold([{ say: 'Hello.' }]);
		const seen = loading(...Array.from({ length: 6 }, () => fails('offline')));
		const run = engine.run('go', { by: person });
		await clock.advance(5000);
		expect(seen.count).toBe(3);
		expect(run.state).toMatchObject({
			state: 'escalated',
			escalations: [{ code: 'transport', text: 'offline' }],
			turns: []
		});
		expect(engine.pending).toMatchObject([{ kind: 'escalation', run: run.id }]);
		expect(run.resume(person)).toEqual({ ok: true });
		await clock.advance(5000);
		expect(seen.count).toBe(6);
		expect(run.state.state).toBe('escalated');
		expect(run.resume(person)).toEqual({ ok: true });
		expect(await run.returned).toMatchObject({ kind: 'answered', text: 'Hello.' });
		expect(verify(run.journal)).toEqual([]);
	});

	test('S2-32 silence is a fault like any other', async () => {
		const { engine, clock } = cold([], { patience: { turnMs: 1000 } });
		const seen = loading(hangs, hangs, hangs);
		const run = engine.run('go', { by: person });
		await clock.advance(7999);
		expect([seen.count, run.state.state]).toEqual([3, 'offered']);
		await clock.advance(1);
		expect(run.state).toMatchObject({ state: 'escalated', escalations: [{ code: 'transport' }] });
		await run.stop('enough', person);
		expect(run.state.outcome?.kind).toBe('interrupted');
	});

	test.each<[string, () => Promise<TurnSide>]>([
		['while it is under way', hangs],
		['while it waits to try again', fails('offline')]
	])('S2-32 a stop, a correction, a pause and a disposal are heeded at once: %s', async (_, how) => {
		const { engine, settle, clock } = cold([{ say: 'Hello.' }]);
		loading(how, how, how, how, how);
		const stopped = engine.run('go', { by: person });
		await settle();
		await stopped.stop('enough', person);
		expect(stopped.state.outcome?.kind).toBe('interrupted');
		const steered = engine.run('go', { by: person });
		await settle();
		expect(await steered.steer('shorter', person)).toMatchObject({ revision: 2 });
		await settle();
		expect(steered.pause(person)).toEqual({ ok: true });
		await clock.advance(200_000);
		expect(steered.state.activity).toBe('paused');
		await engine.dispose();
		expect(steered.state.outcome?.kind).toBe('interrupted');
		for (const run of [stopped, steered]) expect(verify(run.journal)).toEqual([]);
	});
});
