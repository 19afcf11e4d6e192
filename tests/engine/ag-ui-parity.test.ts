import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EventType, PROTOCOL_VERSION } from '@ag-ui/core';
import { describe, expect, test } from 'vitest';
import { agUi } from '../../src/lib/agent/adapters/ag-ui.js';
import { agUiEvents, type AgUiEvent } from '../../src/lib/agent/adapters/ag-ui-events.js';
import { EVENT_CATEGORY, type AgentTransport, type TurnEvent } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, write } from '../fixtures/engine.js';
import { faultsOf, verified } from '../fixtures/ag-ui-peer.js';
import { A2A, AGENTS_SDK, EVENTS, MAGENTIC, tables } from '../fixtures/parity.js';
import { events, writes } from '../fixtures/transports.js';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(resolve(root, 'docs/ag-ui-parity.md'), 'utf8');
const versionOf = (name: string) =>
	(
		JSON.parse(readFileSync(resolve(root, 'node_modules', name, 'package.json'), 'utf8')) as {
			version: string;
		}
	).version;

/** What a server that sends these tells us. */
async function taken(wire: readonly object[]): Promise<TurnEvent[]> {
	const frames = wire.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
	const transport = agUi({
		url: 'https://agent.example/',
		fetch: () => Promise.resolve(new Response(frames, { headers: { 'content-type': 'text/event-stream' } }))
	});
	const request = {
		run: 'run',
		turn: 'turn',
		thread: 'thread',
		system: '',
		messages: [],
		context: '',
		tools: [],
		limits: {}
	};
	const out: TurnEvent[] = [];
	for await (const event of transport.open(request, new AbortController().signal)) out.push(event);
	return out;
}

const RUN = { threadId: 'thread', runId: 'turn' };
const within = (wire: readonly object[] | '*') => {
	const inner = wire === '*' ? [] : wire;
	const isOver = inner.some((event) => (event as { type: string }).type === 'RUN_ERROR');
	return [{ type: 'RUN_STARTED', ...RUN }, ...inner, ...(isOver ? [] : [{ type: 'RUN_FINISHED', ...RUN }])];
};

/** Tells a whole run; what waits is approved until it is over, each time in a wire run of its own. */
async function sent(
	transport: AgentTransport | Parameters<typeof bench>[0],
	auto = true
): Promise<AgUiEvent[]> {
	const made = bench(transport, auto ? { policy: { ceiling: 'auto' } } : {});
	const run = made.engine.run('Do it', { by: person });
	const all: AgUiEvent[] = [];
	for (let wire = 1; wire < 4; wire++) {
		const told: AgUiEvent[] = [];
		const stream = agUiEvents(made.engine, run, { threadId: 't', runId: `w${wire}` });
		const reading = (async () => {
			for await (const event of stream) told.push(event);
		})();
		const review = run.state.reviews.find(({ status }) => status === 'open');
		if (review) run.decide({ review: review.id, verdict: 'approve' }, person);
		for (let i = 0; i < 100 && !told.some(({ type }) => /^RUN_(F|E)/.test(type)); i++)
			await made.clock.advance(100);
		await reading;
		expect(faultsOf(told)).toEqual([]);
		await verified(told);
		all.push(...told);
		if (run.state.outcome) break;
	}
	return all;
}

const all = Object.values(EventType) as string[];

describe('S2-22 X-10 every event of the pinned AG-UI package', () => {
	test('S2-22 has a row, and no row is of another', () => {
		expect(all).toHaveLength(31);
		expect(Object.keys(EVENTS).sort()).toEqual([...all].sort());
	});

	test('X-10 the page names the versions it speaks of', () => {
		for (const name of ['@ag-ui/core', '@ag-ui/client', '@ag-ui/encoder'])
			expect(page).toContain(`\`${name}\` ${versionOf(name)}`);
		expect(page).toContain(`protocol ${PROTOCOL_VERSION}`);
	});

	test.each(Object.entries(EVENTS))(
		'S2-22 %s is taken as the row says',
		async (type, { taken: as, wire, says = '' }) => {
			const told = await taken(within(wire));
			const types = told.map((event) => event.type);
			expect(types.filter((one) => /^(end|error)$/.test(one))).toEqual([
				type === 'RUN_ERROR' ? 'error' : 'end'
			]);
			for (const one of as) expect(types, type).toContain(one);
			expect(JSON.stringify(told)).toContain(says);
			if (wire === '*') return;
			expect(within(wire).map((event) => (event as { type: string }).type)).toContain(type);
			// What a row does not name is of the events around it, which are not there without it.
			const rest = await taken(within(wire.filter((event) => (event as { type: string }).type !== type)));
			if (as.length === 0) expect(rest.at(-1)?.type).toBe('error');
		}
	);

	test('S2-22 each is sent in some run, or has its reason why it never is', async () => {
		const more: readonly TurnEvent[] = [
			{ type: 'reasoning', delta: 'Hm.' },
			{ type: 'text', delta: 'Let me.' },
			{ type: 'activity', id: 'a', kind: 'search', content: { q: 'x' } },
			{ type: 'custom', name: 'mood', value: 'fine' }
		];
		const end = (reason: 'stop' | 'calls'): TurnEvent => ({ type: 'end', reason });
		const seen = new Set<string>();
		const keep = (told: readonly AgUiEvent[]) => told.forEach(({ type }) => seen.add(type));
		keep(await sent(events([...more, ...writes('c', 'amount', '7'), end('calls')], [end('stop')])));
		keep(await sent([{ calls: [write('amount', '7')] }, { say: 'Done.' }], false));
		keep(await sent([{ fail: { text: 'No.', retryable: false } }]));
		const never = Object.entries(EVENTS).flatMap(([type, { sent }]) =>
			sent.startsWith('none: ') ? [type] : []
		);
		const helpers = all.filter((type) => type.startsWith('SUBAGENT_'));
		expect([...seen].filter((type) => never.includes(type))).toEqual([]);
		expect([...seen, ...never, ...helpers].sort()).toEqual([...all].sort());
	});

	test('S2-22 what is sent and taken again says the same', async () => {
		const spoken: TurnEvent[] = [
			{ type: 'reasoning', delta: 'Hm.' },
			{ type: 'text', delta: 'Let ' },
			{ type: 'text', delta: 'me.' },
			{ type: 'activity', id: 'a', kind: 'search', content: { q: 'x' } },
			{ type: 'custom', name: 'mood', value: 'fine' },
			{ type: 'call.start', id: 'c', name: 'search', executed: 'there' },
			{ type: 'call.args', id: 'c', delta: '{"q":' },
			{ type: 'call.args', id: 'c', delta: '1}' },
			{ type: 'call.end', id: 'c', verdict: 'complete', raw: '{"q":1}' },
			{ type: 'call.result', id: 'c', content: { found: 2 } },
			{ type: 'end', reason: 'stop' }
		];
		const told = await sent(events(spoken));
		const back = await taken(
			told.map((event) =>
				event.type === 'RUN_STARTED' || event.type === 'RUN_FINISHED' ? { ...event, ...RUN } : event
			)
		);
		const joined = (list: readonly TurnEvent[], type: 'text' | 'reasoning') =>
			list.map((event) => (event.type === type ? (event.delta ?? '') : '')).join('');
		expect(joined(back, 'text')).toBe('Let me.');
		expect(joined(back, 'reasoning')).toBe('Hm.');
		expect(back).toContainEqual(spoken[4]);
		expect(back).toContainEqual(
			expect.objectContaining({ type: 'activity', kind: 'search', content: { q: 'x' } })
		);
		expect(back).toContainEqual(
			expect.objectContaining({ type: 'call.end', verdict: 'complete', raw: '{"q":1}' })
		);
		const result = back.find((event) => event.type === 'call.result');
		expect(JSON.parse(result!.content as string)).toEqual({ found: 2 });
		expect(back.find(({ type }) => type === 'state.snapshot')).toMatchObject({ revision: 1 });
		expect(back.at(-1)).toMatchObject({ type: 'end', reason: 'stop' });
	});
});

describe('S2-21 the events of a turn', () => {
	test('S2-21 each is in one of five categories, and every category has some', () => {
		const source = readFileSync(resolve(root, 'src/lib/agent/protocol/turn.ts'), 'utf8');
		const union = source.slice(source.indexOf('export type TurnEvent'));
		const named = [...union.matchAll(/\btype: '([\w.]+)'/g)].map(([, type]) => type);
		expect(named.length).toBeGreaterThan(15);
		expect(Object.keys(EVENT_CATEGORY).sort()).toEqual([...new Set(named)].sort());
		expect([...new Set(Object.values(EVENT_CATEGORY))].sort()).toEqual([
			'custom',
			'lifecycle',
			'message',
			'state',
			'tool call'
		]);
	});
});

describe('S2-127 the page of parity', () => {
	/** The first table under a heading, cell by cell. */
	function under(heading: string): string[][] {
		const [, after = ''] = page.split(new RegExp(`^## ${heading}$`, 'm'));
		const lines = /(?:^\|.*\|\n?)+/m.exec(after)?.[0].trim().split('\n') ?? [];
		const cells = lines.map((line) =>
			line
				.slice(1, -1)
				.split('|')
				.map((cell) => cell.trim())
		);
		return cells.filter((_, i) => i !== 1);
	}

	test.each(Object.entries(tables))('S2-22 S2-127 "%s" is the table of the tests', (heading, rows) => {
		expect(rows.length).toBeGreaterThan(5);
		expect(under(heading)).toEqual(rows);
	});

	test('S2-127 names its baselines with their versions', () => {
		for (const { pinned } of [A2A, AGENTS_SDK, MAGENTIC]) expect(page).toContain(pinned);
	});

	test('S2-127 every state and every outcome of a run has a twin among the task states of A2A', () => {
		const rows = Object.values(A2A.rows);
		expect([...new Set(rows.flatMap(({ states }) => states))].sort()).toEqual(
			['acting', 'authorized', 'cancelled', 'escalated', 'offered', 'planned', 'returned', 'reviewing'].sort()
		);
		expect(rows.flatMap(({ outcomes }) => outcomes).sort()).toEqual(
			'abstained answered completed exhausted failed interrupted partial proposed refused superseded'.split(
				' '
			)
		);
	});

	test('S2-127 the parts a ledger is answered by are parts of a run', () => {
		const run = bench([]).engine.run('Nothing', { by: person });
		const optional = ['plan', 'outcome'];
		for (const { part } of Object.values(MAGENTIC.rows))
			expect([...Object.keys(run.state), ...optional]).toContain(part);
	});
});
