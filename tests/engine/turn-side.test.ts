import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineAgent, verify } from '../../src/lib/agent/index.js';
import { onDemand, type TurnSide } from '../../src/lib/agent/engine/on-demand.js';
import { scripted } from '../../src/lib/agent/adapters/scripted.js';
import { person } from '../../src/lib/testing/index.js';
import { laboratory, set, share } from '../fixtures/lab.js';
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

describe('what only a run needs is loaded with its first turn or its first step', () => {
	const root = resolve(import.meta.dirname, '../../src/lib');
	const SIDE = {
		'agent/engine':
			'turn stream opening history painter sort sort-turn turn-side act assess-plan settle dispatch written edit close-step ask read-for fresh said redaction locking undo question',
		'agent/capability': 'context ranking rendering sanitise addressing',
		'agent/gate': 'assess admit bounded look policy taint fingerprint',
		'agent/protocol': 'partial-json'
	};
	const parts = Object.entries(SIDE).flatMap(([room, names]) =>
		names.split(' ').map((name) => resolve(root, room, `${name}.ts`))
	);

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

	test('S2-18 an offer, a refused run and one that is stopped before its turn never need it', async () => {
		const seen = loading();
		const { engine } = cold([]);
		engine.offer('later');
		await engine.run('never mind', { by: person }).stop('no', person);
		expect((await engine.undo('nobody', person)).refused?.code).toBe('run-over');
		await engine.dispose();
		await engine.run('too late').returned;
		expect(seen.count).toBe(0);
		expect(onDemand.turnSide).toBeUndefined();
	});

	test('S2-18 a caller without a model makes the same records, whether or not it is there', async () => {
		const call = async (made: ReturnType<typeof laboratory>) => {
			const { engine, lab } = made;
			const run = engine.call({ kind: 'rule', id: 'nightly' }, 'lab', 'set', { key: 'a', value: 'x' });
			expect((await run.returned).kind).toBe('completed');
			expect(lab.cells.a).toBe('x');
			return JSON.stringify(run.journal);
		};
		const warm = await call(laboratory([]));
		const seen = loading();
		expect(await call(cold([]))).toBe(warm);
		expect(seen.count).toBe(1);
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

describe('an engine that goes on where another one was, and has not loaded it yet', () => {
	/** A laboratory over the records of another one, in which it is not there yet. */
	function after(before: ReturnType<typeof laboratory>, recovery?: 'resume') {
		const { engine, options, lab, clock, settle } = before;
		const snapshot = structuredClone(engine.snapshot());
		engine.abandon();
		onDemand.turnSide = undefined;
		return { engine: EngineAgent.restore({ ...options, recovery }, snapshot), lab, clock, settle };
	}

	/** One that was left while a card was open. */
	async function reviewing() {
		const made = laboratory([{ calls: [set('a', 'x')] }, { say: 'Done.' }], {
			policy: { ceiling: 'review' }
		});
		made.engine.run('go', { by: person });
		await made.settle();
		return made;
	}

	test('S2-121 S2-91 decides an edit in the same tick once it is ready, and says before that it is not', async () => {
		const before = await reviewing();
		const seen = loading();
		const { engine, lab } = after(before, 'resume');
		const [run] = engine.runs.map(({ id }) => engine.get(id)!);
		const { id: review, steps } = run!.state.reviews[0]!;
		const edit = { verdict: 'edit', args: { key: 'a', value: 'y' } } as const;
		const decision = { review, steps: { [steps[0]!]: edit } };
		const length = run!.journal.length;
		expect(run!.decide(decision, person)).toMatchObject({ ok: false, refused: { code: 'not-ready' } });
		expect(run!.journal).toHaveLength(length);
		expect(await engine.ready).toMatchObject({ resumed: [run!.id] });
		expect(seen.count).toBe(1);
		expect(run!.decide(decision, person)).toEqual({ ok: true });
		expect((await run!.returned).kind).toBe('completed');
		expect(lab.cells.a).toBe('y');
		expect(verify(run!.journal)).toEqual([]);
	});

	test('S2-43 S2-91 takes an answer once it is ready, and says before that it is not', async () => {
		const before = laboratory([{ control: [{ name: 'ask', args: { text: 'Which?' } }] }, { say: 'Done.' }]);
		before.engine.run('go', { by: person });
		await before.settle();
		const { engine } = after(before, 'resume');
		const [run] = engine.runs.map(({ id }) => engine.get(id)!);
		const { id: question } = run!.state.questions[0]!;
		expect(run!.answer(question, 'that', person)).toMatchObject({
			ok: false,
			refused: { code: 'not-ready' }
		});
		await engine.ready;
		expect(run!.answer(question, 1, person)).toMatchObject({ refused: { code: 'answer-invalid' } });
		expect(run!.answer(question, 'that', person)).toEqual({ ok: true });
		expect((await run!.returned).kind).toBe('answered');
		expect(verify(run!.journal)).toEqual([]);
	});

	test('S2-91 approves before it is ready', async () => {
		const before = await reviewing();
		const { engine, lab } = after(before, 'resume');
		const [run] = engine.runs.map(({ id }) => engine.get(id)!);
		const { id: review } = run!.state.reviews[0]!;
		expect(run!.decide({ review, verdict: 'approve' }, person)).toEqual({ ok: true });
		expect((await run!.returned).kind).toBe('completed');
		expect(lab.cells.a).toBe('x');
		expect(verify(run!.journal)).toEqual([]);
	});

	test('S2-32 returns what waited for a decision without loading anything', async () => {
		const before = await reviewing();
		const seen = loading();
		const { engine } = after(before);
		expect((await engine.ready).returned).toHaveLength(1);
		expect(seen.count).toBe(0);
	});

	test('S2-32 S2-91 is not ready before it can tell what became of an act, however long that takes', async () => {
		const made = laboratory([{ calls: [share('a', 'x')] }]);
		made.lab.next = [() => new Promise(() => {})];
		made.engine.run('go', { by: person });
		await made.settle();
		expect(made.lab.log).toHaveLength(1);
		const seen = loading(...Array.from({ length: 4 }, () => fails('offline')));
		const { engine, clock } = after(made);
		let report: unknown;
		void engine.ready.then((told) => (report = told));
		await clock.advance(5000);
		expect([seen.count, report]).toEqual([4, undefined]);
		await clock.advance(1000);
		expect(report).toMatchObject({ returned: [{}], unknown: [{}] });
		const [state] = engine.runs;
		expect(state).toMatchObject({ effects: [{ status: 'unknown' }] });
		expect(verify(engine.get(state!.id)!.journal)).toEqual([]);
	});

	test('S2-32 can be shut down while it waits for that', async () => {
		const made = laboratory([{ calls: [share('a', 'x')] }]);
		made.lab.next = [() => new Promise(() => {})];
		made.engine.run('go', { by: person });
		await made.settle();
		loading(...Array.from({ length: 9 }, () => fails('offline')));
		const { engine, clock } = after(made);
		const [run] = engine.runs.map(({ id }) => engine.get(id)!);
		const gone = engine.dispose();
		await clock.advance(20_000);
		await gone;
		expect(await engine.ready).toEqual({ returned: [], resumed: [], unknown: [] });
		expect(run!.state).toMatchObject({ outcome: { kind: 'interrupted' }, effects: [{ status: 'unknown' }] });
		expect(verify(run!.journal)).toEqual([]);
	});

	test('S2-106 takes a run back, or says that it could not be loaded', async () => {
		const made = laboratory([{ calls: [set('a', 'x')] }, { say: 'Done.' }]);
		const { id, returned } = made.engine.run('go', { by: person });
		await returned;
		const seen = loading(...Array.from({ length: 3 }, () => fails('offline')));
		const { engine, clock } = after(made);
		await engine.ready;
		const refused = engine.undo(id, person);
		await clock.advance(5000);
		expect(await refused).toMatchObject({ ok: false, refused: { code: 'transport', text: 'offline' } });
		const [first, second] = await Promise.all([engine.undo(id, person), engine.undo(id, person)]);
		expect(first).toMatchObject({ ok: true, parts: { lab: { undone: 1 } } });
		expect(second).toMatchObject({ ok: true });
		expect(engine.get(id)!.journal.filter(({ kind }) => kind === 'run.undone')).toHaveLength(1);
		expect(seen.count).toBeGreaterThan(3);
	});
});

describe('S2-32 a caller without a model on a page that cannot load it', () => {
	test('S2-32 waits for a person as a run does, and can be stopped', async () => {
		const { engine, clock, lab } = cold([]);
		loading(...Array.from({ length: 3 }, () => fails('offline')));
		const call = () => engine.call({ kind: 'rule', id: 'nightly' }, 'lab', 'set', { key: 'a', value: 'x' });
		const run = call();
		await clock.advance(5000);
		expect(run.state).toMatchObject({ state: 'escalated', escalations: [{ code: 'transport' }] });
		const stopped = call();
		await stopped.stop('enough', person);
		expect(stopped.state.outcome?.kind).toBe('interrupted');
		expect(lab.log).toEqual([]);
		expect(run.resume(person)).toEqual({ ok: true });
		expect((await run.returned).kind).toBe('completed');
		expect(lab.cells.a).toBe('x');
		for (const one of [run, stopped]) expect(verify(one.journal)).toEqual([]);
	});
});
