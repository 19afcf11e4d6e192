import { describe, expect, test } from 'vitest';
import { fold, type Actor, type JournalRecord, type Run, type RunState } from '../../src/lib/agent/index.js';
import { toolName } from '../../src/lib/agent/capability/addressing.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, send, write } from '../fixtures/engine.js';
import { laboratory } from '../fixtures/lab.js';
import { Sheet } from '../fixtures/sheet.js';

const AUTO = { policy: { ceiling: 'auto' as const } };
const rule: Actor = { kind: 'rule', id: 'nightly' };
const sum = { instance: 'sheet', act: 'sum', args: { a: 'amount', b: 'amount' } };

type Data = Record<string, unknown>;
const dataOf = (records: readonly JournalRecord[], kind: string): Data[] =>
	records.filter((record) => record.kind === kind).map(({ data }) => data as Data);
const verbs = (run: Run): string[] =>
	run.journal.flatMap(({ data }) => ((data as Data).verb as string | undefined) ?? []);

/** Lets everything run; approves whatever is asked. */
async function through(run: Run, settle: () => Promise<void>): Promise<void> {
	for (let i = 0; i < 20 && !run.state.outcome; i++) {
		await settle();
		const review = run.state.reviews.find(({ status }) => status === 'open');
		if (review) run.decide({ review: review.id, verdict: 'approve' }, person);
	}
	await run.returned;
}

describe('S2-27 a run without a conversation', () => {
	test('S2-27 fills the sheet, reviewed and returned, though nobody named a thread', async () => {
		const { engine, sheet, settle } = bench([
			{ calls: [write('amount', '1500'), write('city', 'Vigo')] },
			{ say: 'Filled in.' }
		]);
		const run = engine.run('Fill in my sheet', { by: person });
		await through(run, settle);
		expect(run.state.outcome).toMatchObject({ kind: 'completed', text: 'Filled in.' });
		expect(sheet.cells).toMatchObject({ amount: '1500', city: 'Vigo' });
	});

	test('S2-27 two such runs share nothing: each is alone with its goal', async () => {
		const { engine, requests } = bench([{ say: 'first answer' }, { say: 'second answer' }]);
		const first = engine.run('first goal', { by: person });
		await first.returned;
		const second = engine.run('second goal', { by: person });
		await second.returned;
		expect(second.state.thread).not.toBe(first.state.thread);
		expect(JSON.stringify(requests[1]!.messages)).toContain('second goal');
		expect(JSON.stringify(requests[1]!.messages)).not.toContain('first');
	});
});

/** Thread → run → turn → call → step → effect, from states alone. */
function walk(states: readonly RunState[]) {
	return [...new Set(states.map(({ thread }) => thread))].map((thread) => ({
		thread,
		runs: states
			.filter((state) => state.thread === thread)
			.map((state) => ({
				goal: state.goal,
				turns: state.turns.map((turn) =>
					turn.calls.map((id) => {
						const call = state.calls.find((one) => one.id === id)!;
						expect(call.turn).toBe(turn.id);
						const step = state.steps.find((one) => one.id === call.step);
						const effect = state.effects.find((one) => one.step === call.step);
						return [call.act ?? call.name, step?.args, effect?.status];
					})
				)
			}))
	}));
}

describe('S2-28 from thread to run to turn to call', () => {
	const told = async () => {
		const made = bench(
			[
				{ calls: [write('amount', '1'), sum] },
				{ calls: [write('city', 'Vigo')] },
				{ say: 'One.' },
				{ say: 'Two.' },
				{ calls: [write('due', 'now')] },
				{ say: 'Three.' }
			],
			AUTO
		);
		const { engine, settle } = made;
		const one = engine.run('one', { by: person, thread: 'a' });
		await through(one, settle);
		await through(engine.run('two', { by: person, thread: 'a' }), settle);
		await through(engine.run('three', { by: person, thread: 'b' }), settle);
		return { ...made, one };
	};
	const tree = [
		{
			thread: 'a',
			runs: [
				{
					goal: 'one',
					turns: [
						[
							['write', { key: 'amount', value: '1' }, 'confirmed'],
							[toolName('sheet', 'sum'), undefined, undefined]
						],
						[['write', { key: 'city', value: 'Vigo' }, 'confirmed']],
						[]
					]
				},
				{ goal: 'two', turns: [[]] }
			]
		},
		{
			thread: 'b',
			runs: [{ goal: 'three', turns: [[['write', { key: 'due', value: 'now' }, 'confirmed']], []] }]
		}
	];

	test('S2-28 in the public state of an engine', async () => {
		const { engine } = await told();
		expect(walk(engine.runs)).toEqual(tree);
	});

	test('S2-28 in journals alone, as they lie in a file', async () => {
		const { engine } = await told();
		const kept = JSON.parse(JSON.stringify(engine.runs.map(({ id }) => engine.get(id)!.journal)));
		expect(walk(kept.map((journal: JournalRecord[]) => fold(journal)))).toEqual(tree);
	});

	test('S2-28 each turn has the one context it was given, with what each read said then', async () => {
		const { one, requests } = await told();
		const opened = dataOf(one.journal, 'turn.opened');
		expect(opened.map(({ turn }) => turn)).toEqual(one.state.turns.map(({ id }) => id));
		expect(opened.map(({ context }) => context)).toEqual(requests.slice(0, 3).map(({ context }) => context));
		const versions = opened.map(({ shown }) => {
			const cells = (shown as { instance: string; read: string; version: unknown }[]).filter(
				({ instance, read }) => instance === 'sheet' && read === 'cells'
			);
			expect(cells.length).toBeGreaterThan(0);
			return cells[0]!.version;
		});
		// One write after the first turn, one after the second.
		expect(versions).toEqual([0, 1, 2]);
	});
});

/** For each act that ran: who authorised it, and that this stands before it. */
function authorised(run: Run): { act: string; by: string; how: unknown }[] {
	return dataOf(run.journal, 'effect.intended').map(({ step }) => {
		const ran = run.journal.findIndex(
			({ kind, data }) => kind === 'effect.intended' && (data as Data).step === step
		);
		const before = run.journal.slice(0, ran).filter(({ data }) => (data as Data).verb === 'authorize');
		const grants = before.flatMap(({ data }) => (data as { grants: Data[] }).grants);
		const grant = grants.find((one) => one.step === step);
		expect(grant, `${String(step)} was authorised before it ran`).toBeDefined();
		const effect = run.state.effects.find((one) => one.step === step)!;
		return { act: effect.act, by: effect.decidedBy.kind, how: effect.how };
	});
}

describe('S2-30 authorising is on record for every act that runs', () => {
	test('S2-30 by policy alone, for each act of a plan', async () => {
		const { engine, settle } = bench(
			[{ calls: [write('amount', '1'), write('city', 'Vigo')] }, { calls: [write('due', 'x')] }, {}],
			AUTO
		);
		const run = engine.run('go', { by: person });
		await through(run, settle);
		const auto = { act: 'write', by: 'rule', how: 'policy' };
		expect(authorised(run)).toEqual([auto, auto, auto]);
		expect(run.state.reviews).toEqual([]);
	});

	test('S2-30 by the person where one decided, beside what policy allowed', async () => {
		const { engine, settle } = bench([{ calls: [write('amount', '1'), send('x@y.example')] }, {}], AUTO);
		const run = engine.run('go', { by: person });
		await through(run, settle);
		expect(authorised(run).map(({ act, how }) => [act, how])).toEqual([
			['write', 'policy'],
			['send', 'person']
		]);
		expect(authorised(run)[1]!.by).toBe('human');
	});

	test('S2-30 for a caller without a model too, and for a try that is repeated', async () => {
		const { engine, lab, settle, clock } = laboratory([]);
		lab.next.push(() => ({ kind: 'retry', reason: { code: 'busy', text: 'Busy.' }, afterMs: 10 }));
		const run = engine.call(rule, 'lab', 'set', { key: 'a', value: 'x' });
		await settle();
		await clock.advance(10);
		await through(run, settle);
		expect(lab.log).toHaveLength(2);
		expect(authorised(run).map(({ how }) => how)).toEqual(['policy']);
		// A try that is repeated is the same operation under a fresh permission.
		expect(verbs(run).filter((verb) => verb === 'authorize')).toHaveLength(2);
	});

	test('S2-30 what was not authorised did not run', async () => {
		const { engine, sheet, settle } = bench([{ calls: [write('amount', '1')] }, {}]);
		const run = engine.run('go', { by: person });
		await settle();
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'reject' }, person);
		await run.returned;
		expect(verbs(run)).not.toContain('authorize');
		expect(sheet.log).toEqual([]);
	});
});

describe('S2-31 a review where policy asks for one, and nowhere else', () => {
	const ask = { verdict: 'ask' as const, act: 'write', reason: 'Look at writes.' };
	test.each([
		['auto, reversible', { policy: { ceiling: 'auto' as const } }, write('amount', '1'), false],
		['auto, irreversible', { policy: { ceiling: 'auto' as const } }, send('x@y.example'), true],
		['auto, a rule asks', { policy: { ceiling: 'auto' as const, rules: [ask] } }, write('amount', '1'), true],
		['review, reversible', { policy: { ceiling: 'review' as const } }, write('amount', '1'), true],
		['nothing set', {}, write('amount', '1'), true],
		['nothing set, no effect', {}, sum, false]
	])('S2-31 %s', async (_what, options, call, reviewed) => {
		const { engine, settle } = bench([{ calls: [call] }, { say: 'Done.' }], options, new Sheet());
		const run = engine.run('go', { by: person });
		await through(run, settle);
		expect(run.state.outcome).toBeDefined();
		expect(verbs(run).includes('review')).toBe(reviewed);
		expect(run.state.reviews).toHaveLength(reviewed ? 1 : 0);
	});
});

describe('S2-69 an act is a direct call of the provider', () => {
	test('S2-69 its own method on the very object that was registered, in the tick of the last look', async () => {
		const calls: { self: unknown; depth: number; intended: boolean }[] = [];
		const runs: Run[] = [];
		class Watched extends Sheet {
			override write(key: string, value: string): void {
				const last = runs[0]!.journal.at(-1)!;
				calls.push({ self: this, depth: calls.length, intended: last.kind.startsWith('effect.') });
				super.write(key, value);
			}
		}
		const sheet = new Watched();
		const { engine, settle } = bench([{ calls: [write('amount', '1')] }, {}], AUTO, sheet);
		runs.push(engine.run('go', { by: person }));
		await through(runs[0]!, settle);
		expect(calls).toEqual([{ self: sheet, depth: 0, intended: true }]);
	});

	test('S2-69 the engine registers nothing: not with the provider, not in the registry, not in the page', async () => {
		const set: PropertyKey[] = [];
		const touched = new Set<PropertyKey>();
		const target = new Sheet();
		const sheet = new Proxy(target, {
			get(object, key) {
				touched.add(key);
				const value = Reflect.get(object, key, object);
				return typeof value === 'function' ? value.bind(object) : value;
			},
			set: (_object, key) => (set.push(key), false),
			defineProperty: (_object, key) => (set.push(key), false)
		});
		const page = Reflect.ownKeys(globalThis).length;
		const { engine, registry, settle } = bench([{ calls: [write('amount', '1'), sum] }, {}], AUTO, sheet);
		const before = registry.instances;
		const run = engine.run('go', { by: person });
		await through(run, settle);
		expect(run.state.outcome).toMatchObject({ kind: 'completed' });
		expect(target.cells.amount).toBe('1');
		expect(set).toEqual([]);
		// What the manifest of the sheet asks for, and nothing beyond it.
		const known = ['cells', 'version', 'write', 'fault', 'undo', 'redo', 'send'];
		expect([...touched].filter((key) => !known.includes(String(key)))).toEqual([]);
		expect(registry.instances.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
		expect(Reflect.ownKeys(globalThis).length).toBe(page);
	});
});
