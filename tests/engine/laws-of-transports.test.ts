import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { describe, expect, test } from 'vitest';
import {
	canonical,
	type AgentEvent,
	type AgentTransport,
	type TurnEvent
} from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, write } from '../fixtures/engine.js';
import { calls, events } from '../fixtures/transports.js';
import { readFromDisk, reach } from './import-graph.js';

const lib = resolve(import.meta.dirname, '../../src/lib');
const adapters = join(lib, 'agent/adapters');
const AUTO = { policy: { ceiling: 'auto' as const } };
const end = (reason: 'stop' | 'calls'): TurnEvent => ({ type: 'end', reason });
const writes = calls('c1', 'sheet__write', { instance: 'sheet', key: 'amount', value: '7' });

async function through(transport: Parameters<typeof bench>[0]) {
	const made = bench(transport, AUTO);
	const heard: AgentEvent[] = [];
	made.engine.on((event) => heard.push(event));
	const run = made.engine.run('Correct it', { by: person });
	for (let i = 0; i < 10 && !run.state.outcome; i++) await made.clock.advance(10);
	await run.returned;
	return { ...made, run, heard };
}

// The source behind every entry is parsed.
describe('S2-18 S2-20 adapters are behind a door of their own', { timeout: 60_000 }, () => {
	const files = readdirSync(adapters).filter((name) => name.endsWith('.ts'));

	test('S2-18 neither the main entry nor the engine leads to one', () => {
		for (const entry of ['index.ts', 'agent/index.ts', 'agent/active/index.ts']) {
			const { files: reached } = reach(join(lib, entry), readFromDisk);
			expect(reached.size).toBeGreaterThan(10);
			expect([...reached].filter((file) => file.startsWith(adapters))).toEqual([]);
		}
	});

	// What tells an engine to clients of a wire is no transport: a server carries it.
	const served = /^ag-ui-(events|server)\.ts$/;

	test('S2-18 each costs at most 4 KB where it is imported; what speaks the wire comes with the first request', async () => {
		expect(files.length).toBeGreaterThan(0);
		for (const file of files) {
			const output = await build({
				configFile: false,
				logLevel: 'silent',
				build: { write: false, lib: { entry: join(adapters, file), formats: ['es'] }, minify: true }
			});
			const [{ output: chunks }] = output as unknown as [
				{ output: { code: string; fileName: string; isEntry: boolean; imports: string[] }[] }
			];
			const first = new Set(chunks.filter(({ isEntry }) => isEntry));
			for (const { imports } of first)
				for (const one of chunks) if (imports.includes(one.fileName)) first.add(one);
			const bytes = [...first].reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);
			expect(bytes, file).toBeGreaterThan(100);
			expect(bytes, file).toBeLessThanOrEqual(served.test(file) ? 10_240 : 4096);
		}
	});

	test('S2-20 no word of a provider’s wire stands outside of them', () => {
		const wire =
			/tool_calls|tool_use\b|content_block|finish_reason|stop_reason|function_call|RUN_FINISHED|TOOL_CALL_|["'](data|event): |api\.(openai|anthropic)/;
		expect("{ type: 'tool_use' }").toMatch(wire);
		const all = readdirSync(lib, { recursive: true, encoding: 'utf8' }).map((name) => join(lib, name));
		// The relay stands on the app's server, before the provider: it has to know what it lets through.
		const speaks = [adapters, join(lib, 'relay')];
		const outside = all.filter(
			(path) => /\.(ts|svelte)$/.test(path) && !speaks.some((room) => path.startsWith(room))
		);
		expect(outside.length).toBeGreaterThan(50);
		expect(outside.filter((path) => wire.test(readFileSync(path, 'utf8')))).toEqual([]);
	});

	test('S2-20 one transport stands for another: the same story, the same journal', async () => {
		const byScript = await through([{ calls: [write('amount', '7')] }, { say: 'Done.' }]);
		const byList = await through(
			events([...writes, end('calls')], [{ type: 'text', delta: 'Done.' }, end('stop')])
		);
		let at = 0;
		/** No generator, nothing of ours: just the port. */
		const byHand: AgentTransport = {
			name: 'by hand',
			open: () => {
				const turn = [
					[...writes, end('calls')],
					[{ type: 'text', delta: 'Done.' } as const, end('stop')]
				][at++]!;
				let next = 0;
				return {
					[Symbol.asyncIterator]: () => ({
						next: () =>
							Promise.resolve(
								next < turn.length ? { value: turn[next++]!, done: false } : { value: undefined, done: true }
							)
					})
				} as AsyncIterable<TurnEvent>;
			}
		};
		const journals = [byScript, byList, await through(byHand)].map(({ run }) => canonical(run.journal));
		expect(byScript.run.state.outcome?.kind).toBe('completed');
		expect(journals[1]).toBe(journals[0]);
		expect(journals[2]).toBe(journals[0]);
	});
});

describe('S2-25 what a reader does not use', () => {
	test('S2-25 state, activity, sources and customs pass through a run that uses none of them', async () => {
		const others: TurnEvent[] = [
			{ type: 'state.snapshot', state: { page: 1 }, revision: 1 },
			{ type: 'state.delta', patch: [{ op: 'replace', path: '/page', value: 2 }], revision: 2 },
			{ type: 'state.delta', patch: [{ op: 'add', path: '/more', value: [] }] },
			{ type: 'activity', id: 'a', kind: 'search', content: { query: 'x' } },
			{ type: 'source', url: 'https://example.org', title: 'Example' },
			{ type: 'custom', name: 'mood', value: null }
		];
		const { run, sheet, heard } = await through(
			events(
				[...others, ...writes, ...others, end('calls')],
				[...others, { type: 'text', delta: 'Done.' }, ...others, end('stop')]
			)
		);
		expect(run.state.outcome).toMatchObject({ kind: 'completed', text: 'Done.' });
		expect(sheet.cells.amount).toBe('7');
		// Who wants them hears them, each with its place.
		const types = heard.map(({ type }) => type);
		for (const { type } of others) expect(types).toContain(type);
		const plain = await through(
			events([...writes, end('calls')], [{ type: 'text', delta: 'Done.' }, end('stop')])
		);
		expect(run.state.steps.map(({ args }) => args)).toEqual(plain.run.state.steps.map(({ args }) => args));
	});
});

describe('S2-98 start, pieces and end', () => {
	test('S2-98 arguments can be painted piece by piece before their end; joined they are the whole', async () => {
		const value = 'a long value that comes in many pieces';
		const { run, heard, sheet } = await through([
			{ say: ['I ', 'write ', 'it.'], calls: [{ ...write('city', value), pieces: 5 }] },
			{ say: 'Done.' }
		]);
		const turn = run.state.turns[0]!;
		const here = heard.filter((event) => event.turn === turn.id);
		const of = <T extends AgentEvent['type']>(type: T) =>
			here.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
		expect(of('text').map(({ delta }) => delta)).toEqual(['I ', 'write ', 'it.']);
		expect(turn.text).toBe('I write it.');
		const [start] = of('call.start');
		const pieces = of('call.args');
		const [last] = of('call.end');
		expect(pieces.length).toBeGreaterThan(5);
		expect(here.indexOf(start!)).toBeLessThan(here.indexOf(pieces[0]!));
		expect(here.indexOf(pieces.at(-1)!)).toBeLessThan(here.indexOf(last!));
		expect(new Set([start!.id, last!.id, ...pieces.map(({ id }) => id)]).size).toBe(1);
		expect(pieces.map(({ delta }) => delta).join('')).toBe(last!.raw);
		expect(JSON.parse(last!.raw)).toEqual({ instance: 'sheet', key: 'city', value });
		expect(sheet.cells.city).toBe(value);
	});

	test('S2-98 at every prefix what is written is nothing', async () => {
		const made = bench([{ calls: [{ ...write('city', 'Vigo'), pieces: 3 }] }, {}], AUTO);
		const seen: (string | undefined)[] = [];
		made.engine.on(({ type }) => {
			if (type === 'call.args') seen.push(made.sheet.cells.city);
		});
		const run = made.engine.run('go', { by: person });
		await made.settle();
		await run.returned;
		expect(seen.length).toBeGreaterThan(3);
		expect(new Set(seen)).toEqual(new Set(['Bilbao']));
		expect(made.sheet.cells.city).toBe('Vigo');
	});
});
