import { createHash } from 'node:crypto';
import { z } from 'zod';
import { describe, expect, test, vi } from 'vitest';
import { type Actor, APP } from '../../src/lib/actor/index.js';
import { defineManifest, done, escalate, retry } from '../../src/lib/agent/capability/index.js';
import {
	type AgentOptions,
	type AgentTransport,
	canonical,
	createRegistry,
	EngineAgent,
	fold,
	type JournalStore,
	type Run,
	verify
} from '../../src/lib/agent/index.js';
import { memoryStore } from '../../src/lib/agent/stores/memory.js';
import type { TurnEvent } from '../../src/lib/agent/protocol/turn.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, write } from '../fixtures/engine.js';
import { Lab, laboratory, labManifest, look, set, share, wire } from '../fixtures/lab.js';
import { calls, events } from '../fixtures/transports.js';

/** Anything an untyped caller may hand over. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Any = any;

const DAYS = 48 * 3600_000;
const app: Actor = { kind: 'app', id: 'app' };
const circle: Any = {};
circle.self = circle;
const trap = () => {
	throw new Error('trap');
};
const JUNK: Record<string, Any> = {
	null: null,
	undefined: undefined,
	'a number': 5,
	'an empty object': {},
	'a list': [],
	'a symbol': Symbol('s'),
	'a function': () => 1,
	'a bigint': 1n,
	'a circle': circle,
	'a proxy that throws': new Proxy({}, { get: trap, has: trap, ownKeys: trap })
};

const sound = (run: Run) => {
	expect(verify(run.journal)).toEqual([]);
	expect(fold(run.journal)).toEqual(run.state);
	expect(canonical(run.journal)).not.toBe('');
};

/** A run whose one step waits for a person. */
async function reviewing(options: Partial<AgentOptions> = {}) {
	const made = bench([{ calls: [write('city', 'Oslo')] }], options);
	const run = made.engine.run('go', { by: person });
	await made.settle();
	return { ...made, run, review: run.state.reviews.at(-1)! };
}

/** A run that wrote once, without anybody. */
async function written() {
	const made = bench([{ calls: [write('city', 'Oslo')] }], { policy: { ceiling: 'auto' } });
	const run = made.engine.run('go', { by: person });
	await made.settle();
	return { ...made, run };
}

const waits = (engine: EngineAgent, run: Run): boolean =>
	run.state.outcome !== undefined || engine.pending.length > 0;

describe('S0-04 what is handed in is taken at one border', () => {
	test.for<[string, Any]>([
		['instances that are no list', { instances: 5 }],
		['a budget that is null', { budget: null }],
		['a level nobody knows', { level: 'most' }],
		['a thread that is no text', { thread: {} }]
	])('S0-04 %s: the run returns refused, and the engine goes on', async ([, options]) => {
		const { engine, settle } = laboratory([{}]);
		const bad = engine.run('x', options);
		expect((await bad.returned).reason?.code).toBe('args');
		expect(engine.pending).toEqual([]);
		const run = engine.run('go', { by: person });
		await settle();
		expect(run.state.outcome?.kind).toBe('answered');
		sound(bad);
	});
	test.for(Object.keys(JUNK))(
		'S0-04 %s in any verb throws nowhere and leaves sound journals',
		async (name) => {
			const junk = JUNK[name];
			const { engine, run, review, settle } = await reviewing();
			const verbs: (() => unknown)[] = [
				() => run.decide(junk, person),
				() => run.decide({ review: junk, verdict: 'approve' }, person),
				() => run.decide({ review: review.id, steps: junk }, person),
				() => run.decide({ review: review.id, steps: { [review.steps[0]!]: junk } }, person),
				() => run.answer(junk, junk, person),
				() => run.decline(junk, junk, person),
				() => run.renew(junk, person),
				() => run.settle(junk, junk, person),
				() => engine.setLevel(junk, person),
				() => engine.setConsent(junk, junk, person),
				() => engine.call(person, junk, junk, junk),
				() => engine.run(junk),
				() => engine.run({ text: 'x', attachments: [{ name: junk, text: junk, label: junk }] }),
				() => engine.run('x', { thread: junk, level: junk, budget: junk, whenBusy: junk }),
				() => run.steer({ kind: junk, text: junk }, person),
				() => run.steer(junk, person),
				() => run.pause(junk),
				() => run.resume(junk),
				() => engine.undo(junk, junk),
				() => run.stop(junk, person)
			];
			for (const verb of verbs) {
				await Promise.race([verb(), settle()]);
				await settle();
			}
			for (const { id } of engine.runs) sound(engine.get(id)!);
			expect(JSON.stringify(engine.snapshot())).not.toBe('');
		}
	);
	test('S0-04 a correction without words changes nothing', async () => {
		const { run, settle } = await reviewing();
		const report = await run.steer({ kind: 'correction', text: undefined } as Any, person);
		await settle();
		expect([report.revision, run.state.outcome]).toEqual([1, undefined]);
	});
	test('S2-92 an actor is recorded as it was, once: no getter, no member that is undefined', async () => {
		const { run, review, settle } = await reviewing();
		let n = 0;
		const by = Object.freeze({
			kind: 'human',
			get id() {
				return `me${(n += 1)}`;
			},
			name: undefined
		});
		run.decide({ review: review.id, verdict: 'approve' }, by as Any);
		await settle();
		sound(run);
		expect(run.state.outcome?.kind).toBe('completed');
	});
});

describe('S0-04 who decides', () => {
	test('S0-04 an actor of a kind nobody knows decides nothing and undoes nothing', async () => {
		const stranger = { kind: 'Agent', id: 'x' } as Any;
		const { run, review } = await reviewing();
		expect(run.decide({ review: review.id, verdict: 'approve' }, stranger).refused?.code).toBe(
			'person-required'
		);
		const { engine, run: over } = await written();
		expect((await engine.undo(over.id, stranger)).refused?.code).toBe('person-required');
	});
	test('S2-32 what a program paused a person may hold: then only a person resumes it', async () => {
		const { run } = await reviewing();
		run.pause(app);
		expect(run.pause(person).ok).toBe(true);
		expect(run.resume(app).refused?.code).toBe('person-required');
		expect(run.resume(person).ok).toBe(true);
		sound(run);
	});
	test('S2-32 an unknown effect is settled by a fact, and by nothing else', async () => {
		const { lab, engine, settle } = laboratory([{ calls: [wire('x')] }]);
		lab.next.push(trap);
		const run = engine.run('go', { by: person });
		await settle();
		run.decide({ review: run.state.reviews.at(-1)!.id, verdict: 'approve' }, person);
		await settle();
		const { operation, status } = run.state.effects[0]!;
		expect(status).toBe('unknown');
		expect(run.settle(operation, 'bogus' as Any, person).refused?.code).toBe('args');
		expect(engine.pending.map(({ kind }) => kind)).toContain('unknown-effect');
	});
	test('S2-32 the expiry of a question stands still in a pause', async () => {
		const { lab, clock, engine, settle } = laboratory([{ calls: [set('a', 'x')] }]);
		lab.next.push(() => escalate({ text: '?', expiresAt: clock.now() + 1000 }));
		const run = engine.run('go', { by: person });
		await settle();
		run.pause(person);
		await clock.advance(5000);
		run.resume(person);
		await settle();
		expect(run.state.outcome).toBe(undefined);
		await clock.advance(1000);
		expect(run.state.outcome?.reason?.code).toBe('expired');
	});
	test('S0-04 what was stopped between its record and its call is not called', async () => {
		const { lab, engine, settle } = laboratory([{ calls: [set('a', 'x')] }]);
		const run = engine.run('go', { by: person });
		engine.subscribe(({ kind }) => {
			if (kind === 'effect.dispatched') void run.stop('x', person);
		});
		await settle();
		expect([lab.log.length, run.state.effects[0]?.status, run.state.outcome?.kind]).toEqual([
			0,
			'failed',
			'interrupted'
		]);
		sound(run);
	});
});

describe('S2-92 undo', () => {
	test('S2-92 twice at once is once', async () => {
		const { sheet, engine, run } = await written();
		const undo = vi.spyOn(sheet, 'undo');
		await Promise.all([engine.undo(run.id, person), engine.undo(run.id, person)]);
		expect([undo.mock.calls.length, run.state.undone]).toEqual([1, 'all']);
	});
	test.for<[string, () => unknown]>([
		['an empty report', () => ({})],
		['a number', () => 5],
		['a report that is no JSON', () => ({ undone: 1, kept: [{ what: 1n, why: 'x' }] })],
		['a count that is none', () => ({ undone: NaN, kept: [] })],
		['a promise that is broken', () => Promise.reject(new Error('no'))],
		['a thenable that throws', () => ({ then: trap })],
		['no answer at all', () => new Promise(() => undefined)]
	])('S2-92 %s: undo says what was kept, and never hangs or rejects', async ([, undo]) => {
		const registry = createRegistry();
		registry.register({ ...labManifest(), undo } as Any, new Lab(), { id: 'm', label: 'M' });
		const { engine, settle, clock } = laboratory([{ calls: [{ ...set('a', 'x'), instance: 'm' }] }], {
			registry
		});
		const run = engine.run('go', { by: person });
		await settle();
		const report = engine.undo(run.id, person);
		await clock.advance(60_000);
		expect((await report).parts.m?.kept).toHaveLength(1);
		expect(run.state.undone).toBe('partial');
		sound(run);
	});
	test('S2-92 any name of an instance stands in the report', async () => {
		const registry = createRegistry();
		registry.register(labManifest(), new Lab(), { id: '__proto__', label: 'P' });
		const { engine, settle } = laboratory([], { registry });
		const run = engine.call(person, '__proto__', 'set', { key: 'a', value: 'x' });
		await settle();
		expect(Object.keys((await engine.undo(run.id, person)).parts)).toEqual(['__proto__']);
		sound(run);
	});
	test('S2-92 undo waits for an act under way in the same component', async () => {
		const order: string[] = [];
		const registry = createRegistry();
		const page = new Lab();
		const undo = () => {
			order.push('undo');
			return { undone: 1, kept: [] };
		};
		registry.register({ ...labManifest(), undo }, page, { id: 'm', label: 'M' });
		const step = { ...set('a', 'x'), instance: 'm' };
		const { engine, settle, clock } = laboratory([{ calls: [step] }, {}, { calls: [step] }], { registry });
		const one = engine.run('go', { by: person });
		await settle();
		page.next.push(async () => {
			order.push('start');
			await clock.sleep(100);
			order.push('end');
			return done();
		});
		engine.run('go', { by: person });
		await settle();
		void engine.undo(one.id, person);
		await clock.advance(200);
		expect(order).toEqual(['start', 'end', 'undo']);
	});
});

describe('S2-92 the journal', () => {
	const odd: Record<string, Any[]> = {
		'a name that is a symbol': [{ type: 'call.start', id: 'a', name: Symbol('x') }],
		'an id that is NaN': [{ type: 'call.start', id: NaN, name: 'x' }],
		'an end that is a function': [{ type: 'end', reason: () => 1 }],
		'arguments that are a function': [
			{ type: 'call.start', id: 'a', name: 'sheet__write' },
			{ type: 'call.end', id: 'a', verdict: 'complete', raw: () => 1 }
		],
		'usage with a function': [{ type: 'usage', usage: { input: 1, output: 1, reasoning: () => 1 } }],
		'usage with NaN': [{ type: 'usage', usage: { input: 1, output: 1, cacheRead: NaN } }],
		'an interrupt whose text is a function': [{ type: 'interrupt', id: 'i', reason: 'x', text: () => 1 }],
		'an interrupt that expires at NaN': [{ type: 'interrupt', id: 'i', reason: 'x', expiresAt: NaN }],
		'an interrupt without an id': [{ type: 'interrupt', reason: 'x' }],
		'a result that failed by NaN': [
			{ type: 'call.start', id: 'a', name: 'z', executed: 'there' },
			{ type: 'call.result', id: 'a', content: 1, failed: NaN },
			{ type: 'call.end', id: 'a', verdict: NaN, raw: '{}' }
		],
		'a refusal of objects': [{ type: 'refusal', category: () => 1, text: {} }],
		'arguments nested without end': calls('a', 'sheet__write', {}).map((event) =>
			'raw' in event
				? { ...event, raw: `{"instance":"sheet","x":${'['.repeat(20_000)}${']'.repeat(20_000)}}` }
				: event
		)
	};
	test.for(Object.keys(odd))('S2-92 from a wire that sends %s it stays readable', async (name) => {
		const sent = [...odd[name]!, { type: 'end', reason: 'stop' }] as TurnEvent[];
		const { engine, clock } = bench(events(sent), { policy: { ceiling: 'auto' } });
		const run = engine.run('go', { by: person });
		await clock.advance(10_000);
		expect(waits(engine, run)).toBe(true);
		expect(run.state.outcome?.reason?.code).not.toBe('threw');
		sound(run);
		const { runs, blobs } = JSON.parse(JSON.stringify(engine.snapshot()));
		expect(fold(runs[0], blobs)).toEqual(run.state);
		expect(verify(runs[0], { blobs })).toEqual([]);
	});
	test.for<[string, string]>([
		['of nothing', 'a'.repeat(64)],
		['of a private value', createHash('sha256').update('"my pin"').digest('hex')]
	])('S2-92 a result that looks like a placeholder %s is itself after a restore', async ([, $blob]) => {
		const { lab, engine, settle } = laboratory([{ calls: [set('a', 'x')] }], {
			diary: true,
			consent: { allow: ['diary'] }
		});
		lab.next.push(() => done({ $blob }));
		const run = engine.run('go', { by: person });
		await settle();
		const { runs, blobs } = JSON.parse(JSON.stringify(engine.snapshot()));
		expect(fold(runs[0], blobs)).toEqual(run.state);
		expect(run.state.steps[0]?.result).toEqual({ $blob });
		expect(verify(runs[0])).toEqual([]);
		expect(verify(runs[0], { blobs: {} })).toEqual([]);
		sound(run);
	});
	test('S2-92 what a card was bound to stands in no stored line where it is private', async () => {
		const manifest = defineManifest<{ v: number }>()({
			kind: 'safe',
			description: 'A safe',
			reads: {
				pin: {
					description: 'Its pin',
					read: () => ({ no: 'PRIVATE-4711' }),
					version: ({ v }) => v,
					trust: 'user'
				},
				owners: {
					description: 'Whose',
					read: () => ({ 'Eva Secreta': 1 }),
					version: ({ v }) => v,
					trust: 'user'
				}
			},
			acts: {
				bump: {
					description: 'Bumps',
					args: z.strictObject({ by: z.string().describe('How much') }),
					touches: ['pin'],
					perform: () => done()
				}
			}
		});
		const registry = createRegistry();
		registry.register(manifest, { v: 1 }, { id: 'safe', label: 'Safe' });
		const { engine, settle } = laboratory(
			[{ calls: [{ instance: 'safe', act: 'bump', args: { by: 'x' } }] }],
			{
				registry,
				consent: { allow: ['safe'] }
			}
		);
		const run = engine.run('go', { by: person });
		await settle();
		expect(run.state.state).toBe('reviewing');
		expect(JSON.stringify(engine.snapshot().runs)).not.toMatch(/4711|Eva Secreta/);
		sound(run);
	});
	test('S2-92 a read that an engine before this one had admitted is counted once', async () => {
		const page = new Lab();
		const story = (request: Any) =>
			request.messages.some(({ role }: Any) => role === 'assistant') ? {} : { calls: [look('q')] };
		const first = laboratory(story, { lab: page });
		let taken: Any;
		first.engine.subscribe(({ kind }) => {
			if (kind !== 'call.admitted') return;
			taken = first.engine.snapshot();
			first.engine.abandon();
		});
		first.engine.run('go', { by: person });
		await first.settle();
		const engine = EngineAgent.restore({ ...first.options, recovery: 'resume' }, taken);
		await engine.ready;
		await first.settle();
		expect([engine.runs[0]?.outcome?.kind, engine.runs[0]?.budget.spent.acts]).toEqual(['answered', 1]);
	});
});

describe('S2-32 no limit is passed over', () => {
	const failing: TurnEvent[] = [
		{ type: 'usage', usage: { input: 900, output: 0, cost: 0.9 } },
		{ type: 'error', reason: { code: 'http', text: '' }, retryable: true }
	];
	test('S2-32 a failed request is tried again only where tokens and cost have room', async () => {
		const { engine, clock, requests } = bench(events(failing, failing, failing), {
			budget: { tokens: 1000, cost: 1 }
		});
		const run = engine.run('go', { by: person });
		await clock.advance(20_000);
		// The last words of a spent run are no try.
		expect(requests.filter(({ tools }) => tools.length > 0)).toHaveLength(2);
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['budget.tokens']);
	});
	test.for<[string, () => number]>([
		['NaN', () => NaN],
		['a negative figure', () => -1e9],
		['nothing but an error', trap]
	])('S2-32 an estimator that gives %s does not switch the limit off', async ([, estimate]) => {
		const { engine, settle } = laboratory(
			(_request, i) => ({ say: 'x'.repeat(4000), calls: [set('a', String(i))] }),
			{ budget: { tokens: 3000 }, context: { estimate } }
		);
		const run = engine.run('go', { by: person });
		for (let i = 0; i < 10; i++) await settle();
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['budget.tokens']);
	});
	test('S2-32 an act that comes back with a question again and again is counted each time', async () => {
		const { lab, engine, settle } = laboratory([{ calls: [set('a', 'x')] }], { budget: { acts: 3 } });
		for (let i = 0; i < 50; i++) lab.next.push(() => escalate({ text: '?' }));
		const run = engine.run('go', { by: person });
		for (let i = 0; i < 30; i++) {
			await settle();
			for (const { id, status } of run.state.questions) if (status === 'open') run.answer(id, 'y', APP);
		}
		expect([lab.log.length, run.state.budget.spent.acts]).toEqual([3, 3]);
		sound(run);
	});
	test.for<Any>([
		{ reviewMs: Infinity },
		{ escalationMs: Infinity },
		{ settleMs: Infinity },
		{ turnMs: Infinity },
		{ reviewMs: NaN }
	])('S2-32 patience without end (%o) is a long one', async (patience) => {
		const { engine, settle } = laboratory([{ calls: [wire('x')] }], { patience });
		const run = engine.run('go', { by: person });
		await settle();
		expect(run.state.state).toBe('reviewing');
		sound(run);
	});
	test('S2-32 a wire that pauses for ever is stopped by the limit of turns', async () => {
		let n = 0;
		const transport: AgentTransport = {
			name: 'pauses',
			async *open() {
				n += 1;
				yield { type: 'text', delta: `${n}` };
				yield { type: 'usage', usage: { input: 0, output: 0 } };
				yield { type: 'end', reason: n > 300 ? 'stop' : 'pause' };
			}
		};
		const { engine, settle } = laboratory(transport, { budget: { turns: 5 } });
		const run = engine.run('go', { by: person });
		for (let i = 0; i < 50; i++) await settle();
		expect(n).toBeLessThanOrEqual(11);
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['budget.turns']);
	});
});

describe('S0-04 what an app answers amiss ends no run by a fault of ours', () => {
	const step = { ...set('a', 'x'), instance: 'm' };
	test.for<[string, Any]>([
		['a level that is a list of symbols', { level: () => [Symbol('s')] }],
		['a level that throws when looked at', { level: () => JUNK['a proxy that throws'] }],
		['a touched key that is a symbol', { touches: () => [{ read: 'cells', key: Symbol('k') }] }]
	])('S0-04 %s', async ([, change]) => {
		const registry = createRegistry();
		registry.register(labManifest({ set: change }), new Lab(), { id: 'm', label: 'M' });
		const { engine, settle } = laboratory([{ calls: [step] }], { registry });
		const run = engine.run('go', { by: person });
		await settle();
		expect(waits(engine, run)).toBe(true);
		expect(run.state.outcome?.reason?.code).not.toBe('threw');
		sound(run);
	});
	test('S0-04 locks that give nothing to be released by are not given', async () => {
		const locks = { acquire: async () => 5 } as Any;
		const { lab, engine, settle } = laboratory([{ calls: [set('a', 'x')] }], { locks });
		const run = engine.run('go', { by: person });
		await settle();
		expect([lab.log.length, run.state.steps[0]?.reasons[0]?.code]).toEqual([0, 'locked']);
		sound(run);
	});
});

describe('S0-04 nobody waits for ever', () => {
	test('S0-04 a wire that asks to be tried again in an age is given up when the time of the run is over', async () => {
		const later: TurnEvent = {
			type: 'error',
			reason: { code: 'http', text: '' },
			retryable: true,
			afterMs: 1e12
		};
		const { engine, clock } = laboratory(events([later]), { budget: { ms: 1000 } });
		const run = engine.run('go', { by: person });
		await clock.advance(2000);
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['budget.ms']);
	});
	test('S0-04 an act that asks to be tried again in an age likewise', async () => {
		const { lab, engine, clock } = laboratory([{ calls: [set('a', 'x')] }], { budget: { ms: 1000 } });
		lab.next.push(() => retry('later', 'not now', 1e12));
		const run = engine.run('go', { by: person });
		await clock.advance(2000);
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['budget.ms']);
	});
	test.for<[string, Partial<JournalStore>]>([
		['what is open', { listOpen: () => new Promise(() => undefined) }],
		['a record', { append: () => new Promise(() => undefined) }]
	])('S0-04 a store that never answers for %s', async ([, silent]) => {
		const report = vi.spyOn(console, 'error').mockImplementation(() => undefined);
		const { engine, clock } = laboratory([{ calls: [share('a', 'x')] }], {
			store: { ...memoryStore(), ...silent }
		});
		const run = engine.run('go', { by: person });
		await clock.advance(DAYS);
		expect(waits(engine, run)).toBe(true);
		report.mockRestore();
	});
	test('S0-04 a stream that never waits leaves room for the stop of a person', async () => {
		let open = true;
		const transport: AgentTransport = {
			name: 'floods',
			async *open() {
				while (open) yield { type: 'reasoning', delta: '' };
				yield { type: 'end', reason: 'stop' };
			}
		};
		const engine = new EngineAgent({
			identity: { id: 'a', name: 'A', description: 'a' },
			transport,
			registry: createRegistry()
		});
		const run = engine.run('go', { by: person });
		setTimeout(() => void run.stop('x', person), 0);
		expect((await run.returned).kind).toBe('interrupted');
		open = false;
	});
	test('S0-04 calls under one id get ids of their own', async () => {
		const starts = Array.from({ length: 600 }, (): TurnEvent => ({
			type: 'call.start',
			id: 'x',
			name: 'nope'
		}));
		const { engine, settle } = laboratory(events([...starts, { type: 'end', reason: 'stop' }]));
		const run = engine.run('go', { by: person });
		for (let i = 0; i < 60 && !run.state.outcome; i++) await settle();
		const ids = run.state.calls.map(({ id }) => id);
		expect([ids[0], ids[1], ids[599], new Set(ids).size]).toEqual(['x', 'x-2', 'x-600', 600]);
	});
	test('S0-04 a listener whose promise breaks disturbs nobody', async () => {
		const report = vi.spyOn(console, 'error').mockImplementation(() => undefined);
		const loose: unknown[] = [];
		const hear = (error: unknown) => void loose.push(error);
		process.on('unhandledRejection', hear);
		const { engine, settle } = bench([{}]);
		engine.subscribe(async () => trap());
		engine.run('go', { by: person });
		await settle();
		await new Promise((resolve) => setTimeout(resolve));
		process.off('unhandledRejection', hear);
		expect([loose.length, report.mock.calls.length]).toEqual([0, 1]);
		report.mockRestore();
	});
});
