import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scripted } from '../../src/lib/agent/adapters/scripted.js';
import { replay, tap, type ReplayOptions, type TapOptions } from '../../src/lib/agent/adapters/tap.js';
import {
	canonical,
	type AgentTransport,
	type TurnEvent,
	type TurnRequest
} from '../../src/lib/agent/index.js';
import { transportOf } from '../../src/lib/agent/adapters/wire/open.js';
import { Names } from '../../src/lib/agent/adapters/wire/names.js';
import { Turn } from '../../src/lib/agent/adapters/wire/turn.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, write } from '../fixtures/engine.js';
import { events } from '../fixtures/transports.js';

const request: TurnRequest = {
	run: 'r',
	turn: 't',
	thread: 'th',
	system: 'You help Ada.',
	messages: [{ role: 'user', from: person, text: 'Call 555-0199.' }],
	context: 'phone: 555-0199',
	tools: [{ name: 'sheet__write', description: 'Writes.', schema: { type: 'object' } }],
	limits: {}
};

async function heard(transport: AgentTransport, signal = new AbortController().signal): Promise<TurnEvent[]> {
	const all: TurnEvent[] = [];
	for await (const event of transport.open(request, signal)) all.push(event);
	return all;
}

/** What is recorded of one stream, and what was heard meanwhile. */
async function recorded(transport: AgentTransport, options?: TapOptions) {
	const lines: string[] = [];
	const seen = await heard(tap(transport, (line) => lines.push(line), options));
	return { lines, seen };
}

const played = async (lines: string | Iterable<string>, options?: ReplayOptions): Promise<TurnEvent[]> =>
	heard(replay(lines, options));

const stop: TurnEvent = { type: 'end', reason: 'stop' };
const say = (delta: string): TurnEvent => ({ type: 'text', delta });
const trouble = (code: string, retryable = false) => ({ type: 'error', reason: { code }, retryable });

/** One of each type of event. */
const EVERY: TurnEvent[] = [
	say('Hi '),
	say('\ud83d'),
	{ type: 'reasoning', delta: 'Hm.' },
	{ type: 'reasoning' },
	{ type: 'reasoning', echo: { by: 'x', value: [{ signature: 'abc' }] } },
	{ type: 'call.start', id: 'a', name: 'sheet__write', executed: 'there' },
	{ type: 'call.args', id: 'a', delta: '{"__proto__":' },
	{ type: 'call.args', id: 'a', delta: '{}}' },
	{ type: 'call.end', id: 'a', verdict: 'complete', raw: '{"__proto__":{}}' },
	{ type: 'call.result', id: 'a', content: JSON.parse('{"__proto__":{"x":1}}') as never, failed: true },
	{ type: 'state.snapshot', state: { a: null }, revision: 1 },
	{ type: 'state.delta', patch: [{ op: 'add', path: '/a', value: 1 }], revision: 2 },
	{ type: 'activity', id: 'b', kind: 'search', content: { q: 'x' } },
	{ type: 'source', url: 'https://example.com', title: 'Page' },
	{ type: 'interrupt', id: 'i', reason: 'approval', text: 'May I?', call: 'a', schema: {}, expiresAt: 9 },
	{ type: 'refusal', category: 'cyber', text: 'No.' },
	{ type: 'usage', usage: { input: 9, output: 1, cacheRead: 3, cost: 0.25, estimated: true } },
	{ type: 'custom', name: 'x', value: [1, 'two'] }
];

describe('the round trip', () => {
	test.each<[string, TurnEvent]>([
		['an end', { type: 'end', reason: 'length', raw: 'max_tokens' }],
		['an error', { type: 'error', reason: { code: 'http', text: 'Busy.' }, retryable: true, afterMs: 250 }]
	])('S2-23 each event comes back as it was, up to %s', async (_, end) => {
		const all = [...EVERY, end];
		const { lines, seen } = await recorded(events(all));
		expect(seen).toEqual(all);
		expect(await played(lines)).toStrictEqual(all);
		expect(await played(`${lines.join('\n')}\n`)).toStrictEqual(all);
	});

	test('S2-23 a run on the recording makes the same journal as the run that was recorded', async () => {
		const lines: string[] = [];
		const script = scripted([
			{ say: ['I fill ', 'it in.'], calls: [write('amount', '120')] },
			{ cut: true, calls: [write('due', '7 May')] },
			{ say: 'Done.', usage: { input: 40, output: 8 } }
		]);
		const run = async (transport: AgentTransport) => {
			const { engine, sheet, clock } = bench(transport, { policy: { ceiling: 'auto' } });
			const made = engine.run('Fill in the sheet', { by: person });
			for (let i = 0; i < 5; i += 1) await clock.advance(5_000);
			await made.returned;
			return { journal: canonical(made.journal), log: sheet.log };
		};
		const first = await run(tap(script, (line) => lines.push(line)));
		const again = await run(replay(lines));
		expect(again).toEqual(first);
		expect(first.log.length).toBeGreaterThan(0);
		expect(lines.filter((line) => line.includes('"request"'))).toHaveLength(3);
	});

	test('S2-23 streams at the same time are kept apart, and several recordings stand behind each other', async () => {
		const lines: string[] = [];
		const tapped = tap(events([say('a'), say('b'), stop], [say('c'), stop]), (line) => lines.push(line));
		const [one, two] = [0, 1].map(() => tapped.open(request, new AbortController().signal));
		const [first, second] = [one!, two!].map((each) => each[Symbol.asyncIterator]());
		await first!.next();
		for (const each of [second!, first!, second!, first!, second!, first!]) await each.next();
		await heard(tap(events([say('d'), stop]), (line) => lines.push(line)));
		const again = replay(lines);
		expect([await heard(again), await heard(again), await heard(again)]).toEqual([
			[say('a'), say('b'), stop],
			[say('c'), stop],
			[say('d'), stop]
		]);
	});

	test('S2-23 any events of any text come back', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.jsonValue())), async (given) => {
				const all = given.flatMap<TurnEvent>(([delta, value]) => [
					say(delta),
					{ type: 'custom', name: delta, value: JSON.parse(JSON.stringify(value)) as never }
				]);
				const { lines } = await recorded(events([...all, stop]));
				expect(await played(lines)).toStrictEqual([...all, stop]);
			}),
			{ numRuns: 50 }
		);
	});

	test('S2-23 paced, each event has its time; a stop in between is heard', async () => {
		let now = 0;
		const slow: AgentTransport = {
			name: 'slow',
			async *open() {
				for (const delta of ['a', 'b']) {
					now += 30;
					yield await Promise.resolve(say(delta));
				}
				yield stop;
			}
		};
		const { lines } = await recorded(slow, { now: () => now });
		const slept: number[] = [];
		const clock = { sleep: (ms: number) => Promise.resolve(void slept.push(ms)) };
		expect(await played(lines, { paced: true, clock })).toEqual([say('a'), say('b'), stop]);
		expect(slept).toEqual([30, 30]);
		const abort = new AbortController();
		const cut = replay(lines, {
			paced: true,
			clock: { sleep: () => (abort.abort(), Promise.reject(new Error())) }
		});
		expect(await heard(cut, abort.signal)).toMatchObject([trouble('aborted')]);
		const real = heard(replay(lines, { paced: true }), AbortSignal.timeout(1));
		expect((await real).at(-1)).toMatchObject(trouble('aborted'));
	});
});

describe('a recording that cannot be played', () => {
	const lines = ['{"tap":1,"transport":"x"}', '{"open":0,"request":{}}'];
	const event = (delta: string) => JSON.stringify({ open: 0, ms: 0, event: say(delta) });
	const end = JSON.stringify({ open: 0, ms: 0, event: stop });

	test.each<[string, readonly string[], string]>([
		['nothing', [], 'protocol'],
		['no recording', ['hello'], 'protocol'],
		['a recording without its first line', [lines[1]!, event('a'), end], 'protocol'],
		['another version', ['{"tap":2}', lines[1]!, event('a'), end], 'protocol'],
		['no request', [lines[0]!], 'protocol'],
		['a broken line', [...lines, event('a').slice(0, -5), end], 'protocol'],
		['a line of another kind', [...lines, '[1]', end], 'protocol'],
		['an event without a type', [...lines, '{"open":0,"ms":0,"event":{}}', end], 'protocol'],
		['no end', lines, 'truncated']
	])('S2-23 %s is an error in its place', async (_, given, code) => {
		expect(await played(given)).toMatchObject([trouble(code)]);
	});

	test('S2-23 what stands before the fault is played, and other streams are whole', async () => {
		const transport = replay([
			...lines,
			event('a'),
			'{"open":0,"ms"',
			event('b'),
			'{"open":1,"request":{}}',
			'{"open":1,"ms":1,"event":{"type":"text","delta":"c"}}',
			'{"open":1,"ms":1,"event":{"type":"end","reason":"stop"}}'
		]);
		expect(await heard(transport)).toMatchObject([say('a'), trouble('protocol')]);
		expect(await heard(transport)).toEqual([say('c'), stop]);
		expect(await heard(transport)).toMatchObject([trouble('protocol')]);
	});

	test('S2-23 where the line of a request is broken, its events are of no other', async () => {
		const transport = replay([
			...lines,
			end,
			'{"open":1,"requ',
			'{"open":1,"ms":1,"event":{"type":"text","delta":"c"}}'
		]);
		expect(await heard(transport)).toEqual([stop]);
		expect(await heard(transport)).toMatchObject([trouble('protocol')]);
	});

	test('S2-23 a stream that ended without an end plays as one; one that threw or was left is tried again', async () => {
		expect(await played((await recorded(events([say('a')]))).lines)).toEqual([say('a')]);
		const thrown: string[] = [];
		const throwing = tap(events([say('a'), { throws: 'no' }]), (line) => thrown.push(line));
		await expect(heard(throwing)).rejects.toThrow('no');
		expect(await played(thrown)).toMatchObject([say('a'), trouble('network', true)]);
		const left: string[] = [];
		for await (const _ of tap(events([say('a'), say('b'), stop]), (line) => left.push(line)).open(
			request,
			new AbortController().signal
		))
			break;
		expect(await played(left)).toMatchObject([say('a'), trouble('truncated', true)]);
	});

	test('S2-23 any lines in any order, whole or cut: one end at most, and nothing is thrown', async () => {
		const all = (await recorded(events([...EVERY, stop]))).lines;
		await fc.assert(
			fc.asyncProperty(fc.array(fc.tuple(fc.nat(all.length - 1), fc.option(fc.nat(80)))), async (picks) => {
				const transport = replay(picks.map(([at, cut]) => all[at]!.slice(0, cut ?? undefined)));
				for (let i = 0; i < 2; i += 1) {
					const seen = await heard(transport);
					expect(seen.slice(0, -1).some(({ type }) => type === 'end' || type === 'error')).toBe(false);
				}
			}),
			{ numRuns: 100 }
		);
	});
});

describe('the tap', () => {
	test.each<[string, (line: string) => unknown]>([
		['throws', () => { throw new Error('full'); }], // prettier-ignore
		['rejects', () => Promise.reject(new Error('full'))],
		['hangs', () => new Promise(() => undefined)]
	])('S2-23 a sink that %s disturbs nothing', async (_, sink) => {
		expect(await heard(tap(events([...EVERY, stop]), sink))).toEqual([...EVERY, stop]);
	});

	test('S2-23 an event that cannot be written is heard, and told as a fault of the recording', async () => {
		const odd = { type: 'custom', name: 'x', value: 1n } as unknown as TurnEvent;
		const { lines, seen } = await recorded(events([say('a'), odd, stop]));
		expect(seen).toEqual([say('a'), odd, stop]);
		expect(await played(lines)).toMatchObject([say('a'), trouble('protocol')]);
		const redact = () => {
			throw new Error('no');
		};
		const masked = await recorded(events([say('a'), stop]), { redact });
		expect(masked.seen).toEqual([say('a'), stop]);
		expect(masked.lines.join('')).not.toContain('Ada');
		expect(await played(masked.lines)).toMatchObject([trouble('protocol')]);
	});

	test('S2-23 who leaves early reaches the transport, also while it is waited for', async () => {
		let left = 0;
		const endless: AgentTransport = {
			name: 'endless',
			open: () => ({
				[Symbol.asyncIterator]: () => ({
					next: () => new Promise<never>(() => undefined),
					return: () => Promise.resolve({ done: true as const, value: void (left += 1) })
				})
			})
		};
		const stream = tap(endless, () => undefined)
			.open(request, new AbortController().signal)
			[Symbol.asyncIterator]();
		void stream.next();
		expect(await stream.return!()).toMatchObject({ done: true });
		expect(left).toBe(1);
	});

	test('S2-23 no header and no key enters', async () => {
		const server = createServer((_, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream', 'set-cookie': 'sid=secret-cookie' });
			response.end('data: {}\n\n');
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const wire = transportOf(
			{
				framing: 'events',
				begin(asked) {
					const turn = new Turn(asked, new Names([]), 'small');
					return { body: {}, turn, read: () => turn.end('stop') };
				}
			},
			{
				url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
				headers: { authorization: 'Bearer secret-key' }
			}
		);
		const { lines, seen } = await recorded({ name: 'small', ...wire });
		server.close();
		expect(seen).toEqual([stop]);
		expect(lines.join('')).not.toContain('secret');
	});

	test('S2-23 texts can be redacted, also one in two pieces; what is structure stays, and it still plays', async () => {
		const secret = '555-0199';
		const { lines, seen } = await recorded(
			events([
				{ type: 'reasoning', delta: 'The number is 555-' },
				{ type: 'reasoning', delta: '0199.' },
				say('I call 55'),
				say('5-0199'),
				{ type: 'call.start', id: 'a', name: 'sheet__write' },
				{ type: 'call.args', id: 'a', delta: '{"to":"555' },
				{ type: 'call.args', id: 'a', delta: '-0199"}' },
				{ type: 'call.end', id: 'a', verdict: 'complete', raw: '{"to":"555-0199"}' },
				{ type: 'custom', name: 'x', value: [{ name: secret }] },
				{ type: 'reasoning', echo: { by: 'x', value: secret } },
				{ type: 'end', reason: 'calls', raw: 'tool_calls' }
			]),
			{ redact: (text) => text.replaceAll(secret, '•') }
		);
		expect(JSON.stringify(seen)).toContain('555-');
		expect(lines.join('')).not.toMatch(/555|0199/);
		expect(await played(lines)).toEqual([
			{ type: 'reasoning', delta: 'The number is •.' },
			say('I call •'),
			{ type: 'call.start', id: 'a', name: 'sheet__write' },
			{ type: 'call.end', id: 'a', verdict: 'complete', raw: '{"to":"•"}' },
			{ type: 'custom', name: 'x', value: [{ name: '•' }] },
			{ type: 'reasoning', echo: { by: 'x', value: '•' } },
			{ type: 'end', reason: 'calls', raw: 'tool_calls' }
		]);
		const all = await recorded(events([...EVERY, { type: 'end', reason: 'stop' }]), { redact: () => '•' });
		const again = await played(all.lines);
		expect(again.map(({ type }) => type)).toEqual(
			[...EVERY, stop].filter(({ type }, i) => type !== 'call.args' && i !== 1).map(({ type }) => type)
		);
		expect(again.at(-1)).toEqual(stop);
		expect(all.lines.join('')).not.toMatch(/Ada|Hi|May I|example\.com/);
	});
});
