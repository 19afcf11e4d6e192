import { describe, expect, test } from 'vitest';
import { defineManifest, labelled } from '../../src/lib/agent/capability/index.js';
import {
	createRegistry,
	fold,
	type JournalRecord,
	type Label,
	type Run,
	type TurnMessage,
	type TurnRequest
} from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, write } from '../fixtures/engine.js';
import { laboratory, look, set } from '../fixtures/lab.js';
import { Sheet, sheetManifest } from '../fixtures/sheet.js';

const AUTO = { policy: { ceiling: 'auto' as const } };
type Shown = { instance: string; read: string; form: string; label: Label };
const opened = (run: Run) =>
	run.journal
		.filter(({ kind }) => kind === 'turn.opened')
		.map(({ data }) => data as unknown as { shown: Shown[]; context: string; leftOut: object[] });
const results = ({ messages }: TurnRequest) =>
	messages.filter(
		(message): message is Extract<TurnMessage, { role: 'result' }> => message.role === 'result'
	);

describe('S2-24 a snapshot when the turn opens', () => {
	test('S2-24 what changes during the turn shows in the next one, not before', async () => {
		const { engine, sheet, requests, settle } = bench([{ calls: [write('due', 'now')] }, {}], AUTO);
		const run = engine.run('go', { by: person });
		const seen: string[] = [];
		engine.on((event) => {
			if (event.type !== 'call.start' || seen.length > 0) return;
			// The model is still answering: a person moves to another city.
			sheet.write('city', 'Vigo');
			seen.push(requests.at(-1)!.context);
		});
		await settle();
		await run.returned;
		expect(seen).toEqual([requests[0]!.context]);
		expect(requests[0]!.context).toContain('Bilbao');
		expect(requests[0]!.context).not.toContain('Vigo');
		expect(opened(run)[0]!.context).toBe(requests[0]!.context);
		expect(requests[1]!.context).toContain('Vigo');
		expect(requests[1]!.context).not.toContain('Bilbao');
	});
});

describe('S2-83 the label of each read, in the context and in the journal', () => {
	const part = (origin: Label['origins'][number]): Partial<Label> => ({
		integrity: origin === 'participant' ? 'untrusted' : 'trusted',
		origins: [origin],
		sources: [`by ${origin}`]
	});
	const shelf = defineManifest<object>()({
		kind: 'shelf',
		description: 'Where things of any origin lie',
		reads: {
			typed: read('a note', { trust: 'user' }),
			ours: read('a total', { trust: 'app' }),
			pasted: read('a letter', { trust: 'imported' }),
			chat: read(labelled('a message', part('participant')), { trust: 'app' }),
			drafted: read(labelled('a draft', part('agent')), { trust: 'app' }),
			silent: read('whatever', {})
		},
		acts: {}
	});
	function read(value: unknown, more: { trust?: 'user' | 'app' | 'imported' }) {
		return {
			description: 'One thing',
			read: () => value,
			version: () => 1,
			sensitivity: 'page',
			...more
		} as const;
	}
	const told = async () => {
		const registry = createRegistry();
		registry.register(shelf, {}, { id: 'shelf', label: 'Shelf' });
		const made = bench([{ say: 'Seen.' }], { registry });
		made.dispose();
		const run = made.engine.run('look', { by: person });
		await run.returned;
		return { ...made, run };
	};
	const expected: Record<string, [Label['integrity'], Label['origins'][number]]> = {
		typed: ['trusted', 'user'],
		ours: ['trusted', 'app'],
		pasted: ['untrusted', 'imported'],
		chat: ['untrusted', 'participant'],
		drafted: ['trusted', 'agent'],
		silent: ['untrusted', 'imported']
	};

	test('S2-83 each of the five origins stands beside its read in the record of the turn', async () => {
		const { run } = await told();
		const shown = opened(run)[0]!.shown;
		expect(shown.map(({ read }) => read).sort()).toEqual(Object.keys(expected).sort());
		for (const { read, label } of shown) {
			const [integrity, origin] = expected[read]!;
			expect([read, label.integrity]).toEqual([read, integrity]);
			expect(label.origins, read).toContain(origin);
			expect(label.sources.length, read).toBeGreaterThan(0);
		}
		// It survives the way through a file.
		const kept = JSON.parse(JSON.stringify(run.journal)) as JournalRecord[];
		expect(fold(kept).label).toEqual(run.state.label);
	});

	test('S2-83 the model is told of each read whether it is to be trusted', async () => {
		const { requests } = await told();
		for (const [read, [integrity]] of Object.entries(expected)) {
			const blocks = requests[0]!.context.split(/\n(?=[^\n]*begin )/);
			const block = blocks.filter((text) => text.includes(`shelf.${read}`) && text.includes('begin'));
			expect(block.length, read).toBeGreaterThan(0);
			expect(block[0], read).toMatch(integrity === 'untrusted' ? /untrusted/ : /(?<!un)trusted/);
		}
	});

	test('S2-83 the label of the run is the join of all that was shown', async () => {
		const { run } = await told();
		expect(run.state.label.integrity).toBe('untrusted');
		for (const [, origin] of Object.values(expected)) expect(run.state.label.origins).toContain(origin);
	});
});

describe('S2-93 S2-118 thirty of a kind', () => {
	const thirty = (script: Parameters<typeof bench>[0], tokens?: number) => {
		const made = bench(script, { ...AUTO, ...(tokens ? { context: { tokens } } : {}) });
		made.dispose();
		const sheets = Array.from({ length: 30 }, (_, index) => new Sheet({ amount: `${index}` }));
		const leave = sheets.map((sheet, index) =>
			made.registry.register(sheetManifest, sheet, { id: `s${index}`, label: `Sheet of customer ${index}` })
		);
		return { ...made, sheets, leave };
	};
	const on = (index: number, value: string) => ({ ...write('amount', value), instance: `s${index}` });

	test('S2-93 each act reaches exactly the one that was named', async () => {
		const order = [7, 29, 0, 13, 1, 28];
		const { engine, sheets } = thirty([{ calls: order.map((index) => on(index, `to ${index}`)) }, {}]);
		const run = engine.run('go', { by: person });
		expect((await run.returned).kind).toBe('completed');
		for (const [index, { cells }] of sheets.entries())
			expect(cells.amount).toBe(order.includes(index) ? `to ${index}` : `${index}`);
	});

	test('S2-93 an id stays the same over turns and over a remount', async () => {
		const replaced = new Sheet({ amount: 'new' });
		const made = thirty((_request, index) => {
			if (index === 1) return { calls: [on(7, 'second')] };
			if (index > 1) return {};
			// While the model answers, the seventh leaves the page and another one takes its place.
			made.leave[7]!();
			made.registry.register(sheetManifest, replaced, { id: 's7', label: 'Sheet of customer 7' });
			return { calls: [on(8, 'first')] };
		});
		const run = made.engine.run('go', { by: person });
		expect((await run.returned).kind).toBe('completed');
		const ids = (request: TurnRequest) => request.tools.find(({ act }) => act === 'write')!.instances!;
		expect([...ids(made.requests[1]!)].sort()).toEqual([...ids(made.requests[0]!)].sort());
		expect([made.sheets[7]!.cells.amount, replaced.cells.amount]).toEqual(['7', 'second']);
		expect(made.sheets[8]!.cells.amount).toBe('first');
	});

	test('S2-118 all are told by id and label in one tool, whatever room the context has', async () => {
		for (const tokens of [200, 4000]) {
			const { engine, requests } = thirty([{}], tokens);
			const run = engine.run('go', { by: person });
			await run.returned;
			const tools = requests[0]!.tools.filter(({ act }) => act === 'write');
			expect(tools).toHaveLength(1);
			expect(new Set(tools[0]!.instances).size).toBe(30);
			for (let index = 0; index < 30; index++)
				expect(JSON.stringify(tools[0])).toContain(`Sheet of customer ${index}`);
			expect(requests[0]!.context.length / 4).toBeLessThanOrEqual(tokens);
		}
	});
});

describe('S2-95 what was left out can be pulled', () => {
	test('S2-95 a read the budget left out is listed, and comes when the model asks for it', async () => {
		const long = 'A very long note. '.repeat(200);
		const { engine, requests, sheet } = bench(
			(request, index) =>
				index === 0
					? { control: [{ name: 'pull', args: { instance: 'sheet', read: 'cells' } }] }
					: { say: 'Read.' },
			{ context: { tokens: 300 } },
			new Sheet({ note: long })
		);
		const run = engine.run('go', { by: person });
		await run.returned;
		expect(requests[0]!.context).not.toContain(long);
		expect(run.state.leftOut.map(({ instance, read }) => [instance, read])).toContainEqual([
			'sheet',
			'cells'
		]);
		expect(requests[0]!.context).toContain('cells');
		expect(results(requests[1]!)).toMatchObject([
			{ performative: 'inform', content: { value: sheet.cells } }
		]);
	});
});

describe('S2-120 what a run did outside, what it cost and for whom', () => {
	test('S2-120 stands in its state, act by act, and adds up', async () => {
		const { engine, settle } = laboratory(
			[
				{
					calls: [set('a', 'x'), { instance: 'lab', act: 'wire', args: { value: 'out' } }],
					usage: { input: 10, output: 5, cost: 0.25 }
				},
				{ calls: [look('x')], usage: { input: 10, output: 5, cost: 0.25 } },
				{ usage: { input: 10, output: 5, cost: 0.25 } }
			],
			{ budget: { cost: 10 }, change: { wire: { cost: 2 } } }
		);
		const run = engine.run('go', { by: person });
		await settle();
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
		await run.returned;
		expect(run.state.principal).toEqual(person);
		expect(
			run.state.effects.map(({ act, reach, status, decidedBy, cost }) => [
				act,
				reach,
				status,
				decidedBy.kind,
				cost ?? 0
			])
		).toEqual([
			['set', 'page', 'confirmed', 'rule', 0],
			['wire', 'world', 'confirmed', 'human', 2]
		]);
		expect(run.state.outcome!.effects).toEqual(run.state.effects);
		expect(run.state.budget.spent.cost).toBeCloseTo(2.75);
		expect(run.state.outcome!.spent.cost).toBeCloseTo(2.75);
	});
});
