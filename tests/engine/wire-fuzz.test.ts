import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AgentTransport, TurnEvent, TurnRequest } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench } from '../fixtures/engine.js';
import { WIRES, type Turn, type Wire } from '../fixtures/one-scenario.js';
import {
	answering,
	asked,
	bytesOf,
	eventsOf,
	every,
	faultsOf,
	type AdapterStreams
} from '../fixtures/served-stream.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** Numbers that look random and are the same each time; others with SEED. */
function numbers(seed: number): (below: number) => number {
	let state = seed >>> 0;
	return (below) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}
const SEED = Number(process.env.SEED ?? 20261130);

/** A stream as its frames, each with what ends it. */
const framesOf = (bytes: Bytes): string[] => {
	const text = new TextDecoder().decode(bytes);
	const end = /\r?\n\r?\n/.test(text) ? /(?<=\n\r?\n)/ : /(?<=\n)/;
	return text.split(end);
};

/** A stream with a frame left out, doubled, moved, cut, and all of them mixed. */
function* disordered(bytes: Bytes, times: number, next: (below: number) => number): Generator<Bytes> {
	const frames = framesOf(bytes);
	for (let i = 0; i < times; i += 1) {
		const all = [...frames];
		const [at, to] = [next(all.length), next(all.length)];
		if (i % 6 === 0) all.splice(at, 1);
		else if (i % 6 === 1) all.splice(to, 0, all[at]!);
		else if (i % 6 === 2) [all[at], all[to]] = [all[to]!, all[at]!];
		else if (i % 6 === 3) all.splice(at, 0, all[at]!.slice(0, next(all[at]!.length)));
		else if (i % 6 === 4) all.push(...frames);
		else for (let left = all.length; left > 1; left -= 1) all.push(...all.splice(next(left), 1));
		yield bytesOf(all.join(''));
	}
}

/** Bytes that mean nothing, alone, and among those that do. */
function* random(bytes: Bytes, times: number, next: (below: number) => number): Generator<Bytes> {
	for (let i = 0; i < times; i += 1) {
		if (i % 3 === 0) yield Uint8Array.from({ length: next(300) }, () => next(256));
		else {
			const garbled = Uint8Array.from(bytes);
			for (let left = 1 + next(4); left > 0; left -= 1)
				garbled[next(garbled.length)] = i % 3 === 1 ? next(256) : '{}[]":,\n\\0'.charCodeAt(next(10));
			yield garbled;
		}
	}
}

/** What holds of any stream; a whole text that contradicts pieces that were told is nobody's fault here. */
const wrong = (events: readonly TurnEvent[]): string[] =>
	faultsOf(events).filter((fault) => !fault.startsWith('pieces are not the whole'));

const modules = import.meta.glob<{ streams: AdapterStreams }>('../fixtures/streams/*.ts', { eager: true });

describe.each(Object.values(modules).map(({ streams }) => streams))(
	'each stream of $adapter',
	({ adapter, type, own, open }) => {
		test(`S2-23 S2-98 disordered, garbled or nothing at all (${adapter}): nothing is thrown, one end`, async () => {
			const next = numbers(SEED);
			let heard = 0;
			for (const { body, request, type: other = type, headers } of own) {
				const bytes = bytesOf(body);
				for (const bad of [...disordered(bytes, 12, next), ...random(bytes, 9, next)]) {
					const fetch = answering([bad], { headers: { 'content-type': other, ...headers } });
					const events = await eventsOf(open(fetch), asked(request));
					expect(wrong(events), new TextDecoder().decode(bad)).toEqual([]);
					heard += 1;
				}
			}
			expect(heard).toBe(own.length * 21);
			expect(heard).toBeGreaterThan(0);
		});
	}
);

/** What the model does: two writes, each with a value of its own. */
const WRITES = ['amount=1 😀', 'due="7\\'];
const turn: Turn = {
	text: 'Größe 😀.',
	calls: WRITES.map((write) => {
		const [key, value] = write.split('=') as [string, string];
		return { name: 'sheet__write', raw: JSON.stringify({ instance: 'sheet', key, value }) };
	}),
	usage: { input: 400, cacheRead: 256, output: 40 }
};
const done: Turn = { text: 'Done.', calls: [], usage: turn.usage };

/** The first answer as given, all later ones as they should be. */
let answer: (index: number, told: Bytes) => Bytes = (_, told) => told;
let wire: Wire;
let opened = 0;

beforeAll(() => {
	vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
		const index = opened;
		opened += 1;
		const body = JSON.parse(init.body as string) as Record<string, unknown>;
		const told = bytesOf(wire.tell(index === 0 ? turn : done, index, body));
		return answering([answer(index, told)], { headers: { 'content-type': wire.type } })(url, init);
	});
});
afterAll(() => vi.unstubAllGlobals());

const wholeOf = (events: readonly TurnEvent[]): string[] =>
	events.flatMap((event) => (event.type === 'call.end' && event.verdict === 'complete' ? [event.raw] : []));
const says = (write: unknown): string => {
	const { key, value } = write as { key?: unknown; value?: unknown };
	return `${String(key)}=${String(value)}`;
};

/** Every call of a history has one result, directly behind it. */
function openCalls({ messages }: TurnRequest): string[] {
	const wanting: string[] = [];
	for (const [at, message] of messages.entries()) {
		if (message.role !== 'assistant') continue;
		const results = messages.slice(at + 1, at + 1 + message.calls.length);
		for (const [i, { id }] of message.calls.entries()) {
			const result = results[i];
			if (result?.role !== 'result' || !message.calls.some((call) => call.id === result.call))
				wanting.push(id);
		}
		if (new Set(results.map((one) => one.role === 'result' && one.call)).size !== results.length)
			wanting.push('twice');
	}
	return wanting;
}

/** A run of the real engine over a wire whose first answer is made anew. */
async function run(first: (told: Bytes) => Bytes) {
	opened = 0;
	answer = (index, told) => (index === 0 ? first(told) : told);
	const turns: TurnEvent[][] = [];
	const inner = wire.open('http://localhost/agent');
	const transport: AgentTransport = {
		name: inner.name,
		async *open(request, signal) {
			const events: TurnEvent[] = [];
			turns.push(events);
			for await (const event of inner.open(request, signal)) {
				events.push(event);
				yield event;
			}
		}
	};
	const { engine, sheet, requests, clock } = bench(transport, { policy: { ceiling: 'auto' } });
	const made = engine.run('Fill in the sheet', { by: person });
	let isOver = false;
	void made.returned.then(() => (isOver = true));
	for (let i = 0; i < 40 && !isOver; i += 1) {
		await new Promise((resolve) => setImmediate(resolve));
		await clock.advance(i % 4 === 3 ? 4_000 : 0);
		if (made.state.state === 'escalated') break;
	}
	const written = sheet.log.map(({ what }) => what);
	const asks = requests.map(openCalls).flat();
	const { state: status } = made.state;
	engine.dispose();
	return { turns, written, asks, status };
}

/** What holds of a run whatever came over its wire. */
function sound({ turns, written, asks, status }: Awaited<ReturnType<typeof run>>): void {
	for (const events of turns) expect(wrong(events)).toEqual([]);
	// Only what was whole in a turn that ended well was carried out.
	const may = turns
		.filter((events) => events.at(-1)?.type === 'end')
		.flatMap((events) => wholeOf(events).map((raw) => says(JSON.parse(raw))));
	for (const one of written) {
		const at = may.indexOf(one);
		expect(at, `"${one}" was carried out and never asked for whole`).toBeGreaterThanOrEqual(0);
		may.splice(at, 1);
	}
	expect(asks).toEqual([]);
	expect(['returned', 'escalated']).toContain(status);
}

describe.each(WIRES)('the real engine over $name', (each) => {
	beforeAll(async () => {
		wire = each;
		opened = 0;
		answer = (_, bytes) => bytes;
		// What comes with the first request is there; the clock of the runs stands still while code loads.
		await eventsOf(each.open('http://localhost/agent'), asked());
	});
	const told = (): Bytes => bytesOf(each.tell(turn, 0, { threadId: 'thread-1', runId: 'turn-1' }));

	test('S2-98 the whole stream is carried out', async () => {
		const made = await run((bytes) => bytes);
		sound(made);
		expect(made.written).toEqual(WRITES);
		expect(made.status).toBe('returned');
	});

	test('S2-23 S2-98 cut all over: only what was over is whole, and a stream without its end is none', async () => {
		wire = each;
		opened = 0;
		const whole = told();
		const transport = each.open('http://localhost/agent');
		answer = (_, bytes) => bytes;
		const all = wholeOf(await eventsOf(transport, asked()));
		expect(all.map((raw) => says(JSON.parse(raw)))).toEqual(WRITES);
		let ended = 0;
		const wrongs: string[] = [];
		// At every byte, of a long stream at every third or so.
		const step = Math.ceil(whole.length / 1_200);
		let cuts = 0;
		for (let length = 0; length < whole.length; length += step) {
			opened = 0;
			cuts += 1;
			answer = (_, bytes) => bytes.subarray(0, length);
			const events = await eventsOf(transport, asked());
			const calls = wholeOf(events);
			wrongs.push(...faultsOf(events));
			if (calls.some((raw, i) => raw !== all[i])) wrongs.push(`at ${length} another call: ${calls.join()}`);
			const last = events.at(-1)!;
			if (last.type === 'end') {
				ended += 1;
				if (calls.length < all.length) wrongs.push(`at ${length} an end that is none`);
			} else if (last.type !== 'error' || last.reason.code !== 'truncated' || !last.retryable)
				wrongs.push(`at ${length} ${JSON.stringify(last)}`);
		}
		expect(wrongs).toEqual([]);
		// Most of it stands before the end.
		expect(ended).toBeLessThan(cuts / 2);
	}, 20_000);

	test('S2-23 S2-98 cut anywhere, no cut call is carried out, and the next request is closed', async () => {
		wire = each;
		const { length } = told();
		for (const at of every(Math.ceil(length / 60), length)) {
			const made = await run((bytes) => bytes.subarray(0, at));
			sound(made);
			for (const one of made.written) expect(WRITES).toContain(one);
			if (made.turns[0]!.at(-1)!.type === 'error') expect(made.written).toEqual([]);
		}
	});

	test('S2-23 S2-98 disordered or garbled, nothing is thrown and only what came whole is carried out', async () => {
		wire = each;
		let carried = 0;
		for (let i = 0; i < 60; i += 1) {
			const made = await run((bytes) => {
				const next = numbers(SEED + i);
				// The one of its kind that comes last.
				return [...(i < 36 ? disordered(bytes, 1 + (i % 6), next) : random(bytes, 1 + (i % 3), next))].at(
					-1
				)!;
			});
			sound(made);
			carried += made.written.length;
		}
		expect(carried).toBeGreaterThan(0);
	});
});
