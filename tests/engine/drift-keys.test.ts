import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ActResult, defineManifest, done } from '../../src/lib/agent/capability/index.js';
import { Fold } from '../../src/lib/agent/journal/fold.js';
import type { Kinds } from '../../src/lib/agent/journal/kinds.js';
import type { ScriptedTurn } from '../../src/lib/agent/adapters/scripted.js';
import { createRegistry, verify } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench } from '../fixtures/engine.js';

/** Rows that are read as a list, each to be had by its id too. */
class Rows {
	rows = new Map<string, { text: string; version: number }>();

	constructor(count: number) {
		for (let at = 1; at <= count; at++) this.rows.set(`r${at}`, { text: `row ${at}`, version: 1 });
	}

	put(id: string, text: string): ActResult {
		this.rows.set(id, { text, version: (this.rows.get(id)?.version ?? 0) + 1 });
		return done();
	}
}

const manifest = (keys?: (rows: Rows) => readonly string[]) =>
	defineManifest<Rows>()({
		kind: 'rows',
		description: 'Rows',
		reads: {
			row: {
				description: 'The rows',
				read: ({ rows }, key) =>
					key === undefined
						? { list: [...rows].map(([id, { text }]) => ({ id, text })) }
						: (rows.get(key)?.text ?? null),
				version: ({ rows }, key) =>
					key === undefined
						? [...rows.values()].map(({ version }) => version).join()
						: (rows.get(key)?.version ?? 'none'),
				trust: 'user',
				sensitivity: 'page',
				...(keys && { keys })
			}
		},
		acts: {
			put: {
				description: 'Writes a row',
				args: z.strictObject({ id: z.string().describe('Which'), text: z.string().describe('What') }),
				effect: 'reversible',
				touches: (_, { id }) => [{ read: 'row', key: id }],
				perform: (rows, { id, text }) => rows.put(id, text)
			}
		},
		undo: () => ({ undone: 1, kept: [] })
	});

const put = (id: string, text: string) => ({ instance: 'rows', act: 'put', args: { id, text } });
const pull = (key: string) => ({ name: 'pull', args: { instance: 'rows', read: 'row', key } });

/** `meanwhile[n]` is what a person does while the model is at its turn `n`. */
function office(
	keys: ((rows: Rows) => readonly string[]) | undefined,
	turns: readonly ScriptedTurn[],
	meanwhile: readonly (((rows: Rows) => void) | undefined)[],
	count = 3
) {
	const rows = new Rows(count);
	const registry = createRegistry();
	const made = bench(
		(_, index) => {
			meanwhile[index]?.(rows);
			return turns[index] ?? {};
		},
		{ registry, policy: { ceiling: 'auto' } }
	);
	made.dispose();
	registry.register(manifest(keys), rows, { id: 'rows', label: 'Rows' });
	expect(registry.problems).toEqual([]);
	return { ...made, rows };
}
const all = ({ rows }: Rows) => [...rows.keys()];
const opened = (journal: readonly { kind: string; data: unknown }[]) =>
	journal.filter(({ kind }) => kind === 'turn.opened').map(({ data }) => data as Kinds['turn.opened']);

describe('S2-87 a read that says which keys its whole value shows', () => {
	test('S2-87 an edit between what the model saw and what it proposes is noticed, and told', async () => {
		const one = office(
			all,
			[{ calls: [put('r2', 'agent')] }, { calls: [put('r2', 'person, agent')] }, {}],
			[(rows) => void rows.put('r2', 'person')]
		);
		const run = one.engine.run('go', { by: person });
		await run.returned;
		expect(run.state.steps).toMatchObject([
			{ status: 'refused', reasons: [{ code: 'stale' }] },
			{ status: 'confirmed' }
		]);
		expect(JSON.stringify(one.requests[1]!.messages)).toContain('"row:r2":"person"');
		expect(one.rows.rows.get('r2')!.text).toBe('person, agent');
		expect(run.state.reviews).toEqual([]);
		expect(verify(run.journal)).toEqual([]);
	});

	test('S2-87 an edit of another key voids nothing', async () => {
		const one = office(all, [{ calls: [put('r2', 'agent')] }, {}], [(rows) => void rows.put('r1', 'person')]);
		expect(await one.engine.run('go', { by: person }).returned).toMatchObject({ kind: 'completed' });
		expect([...one.rows.rows.values()].map(({ text }) => text)).toEqual(['person', 'agent', 'row 3']);
	});

	test('their versions stand in the record of the turn, at most 300 of them, and the fold knows them', async () => {
		const one = office(all, [{}], [], 400);
		const run = one.engine.run('go', { by: person });
		await run.returned;
		const [turn] = opened(run.journal);
		const { keys } = turn!.shown.find(({ read }) => read === 'row')!;
		expect(Object.keys(keys!)).toHaveLength(300);
		expect(keys!['r300']).toBe(1);
		const fold = new Fold();
		for (const record of run.journal) fold.apply(record);
		expect(fold.known.get('rows.row:r300')).toBe(1);
		expect(fold.known.has('rows.row:r301')).toBe(false);
	});

	test.each([
		['throw', () => all(undefined as never)],
		['are no list', () => 'r2' as never],
		['are no texts', () => [1, null] as never]
	])('keys that %s are none, and the run goes on', async (_, keys) => {
		const one = office(keys, [{ calls: [put('r2', 'agent')] }, {}], []);
		const run = one.engine.run('go', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(opened(run.journal)[0]!.shown[0]!.keys).toBeUndefined();
	});

	test('something else than a function is refused at registration', () => {
		const registry = createRegistry();
		registry.register(manifest(['r1'] as never), new Rows(1), { id: 'rows', label: 'Rows' });
		expect(registry.problems).toMatchObject([{ id: 'rows', reason: { code: 'args' } }]);
	});
});

describe('S2-87 what a result showed counts from the next turn on', () => {
	const none = () => [];

	test('an edit after a pull and before the proposal is noticed', async () => {
		const one = office(
			none,
			[{ control: [pull('r2')] }, { calls: [put('r2', 'agent')] }, {}],
			[undefined, (rows) => void rows.put('r2', 'person')]
		);
		const run = one.engine.run('go', { by: person });
		await run.returned;
		expect(run.state.steps).toMatchObject([{ status: 'refused', reasons: [{ code: 'stale' }] }]);
		expect(one.rows.rows.get('r2')!.text).toBe('person');
	});

	test('a pull beside a proposal does not make the proposal fresh', async () => {
		const one = office(
			all,
			[{ control: [pull('r2')], calls: [put('r2', 'agent')] }, {}],
			[(rows) => void rows.put('r2', 'person')]
		);
		const run = one.engine.run('go', { by: person });
		await run.returned;
		expect(run.state.steps).toMatchObject([{ status: 'refused', reasons: [{ code: 'stale' }] }]);
		expect(one.rows.rows.get('r2')!.text).toBe('person');
	});

	test('a step of the same plan does not profit from what a refusal before it tells', async () => {
		const one = office(
			all,
			[{ calls: [put('r2', 'one'), put('r2', 'two')] }, {}],
			[(rows) => void rows.put('r2', 'person')]
		);
		const run = one.engine.run('go', { by: person });
		await run.returned;
		expect(run.state.steps.map(({ status }) => status)).toEqual(['refused', 'refused']);
		expect(one.rows.rows.get('r2')!.text).toBe('person');
	});

	test('what was refused with its fresh state can be proposed again, though no context shows it', async () => {
		let shown = true;
		const one = office(
			(rows) => (shown ? all(rows) : []),
			[{ calls: [put('r2', 'agent')] }, { calls: [put('r2', 'person, agent')] }, {}],
			[
				(rows) => {
					shown = false;
					rows.put('r2', 'person');
				}
			]
		);
		const run = one.engine.run('go', { by: person });
		await run.returned;
		expect(run.state.steps.map(({ status }) => status)).toEqual(['refused', 'confirmed']);
		expect(one.rows.rows.get('r2')!.text).toBe('person, agent');
	});
});
