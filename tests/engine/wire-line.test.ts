import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Fault } from '$lib/agent/adapters/wire/fault.js';
import { Names } from '$lib/agent/adapters/wire/names.js';
import {
	parsed,
	transportOf,
	type Begun,
	type Format,
	type WireOptions
} from '$lib/agent/adapters/wire/open.js';
import { Turn } from '$lib/agent/adapters/wire/turn.js';
import type { TurnEvent } from '$lib/agent/protocol/turn.js';
import { asking } from '../fixtures/served-stream.js';

const request = asking();

/** A wire that says `{ say }`, `{ fails }`, `{ over }` and `{ end }`. */
const formatOf = (
	body: unknown = {},
	framing: Format['framing'] = 'events',
	begin = (begun: Begun): Begun | Promise<Begun> => begun
): Format => ({
	framing,
	begin(asked) {
		const turn = new Turn(asked, new Names(asked.tools), 'small');
		return begin({
			body,
			turn,
			read(frame) {
				const { say, end, fails, over } = parsed(frame);
				turn.text(say);
				if (fails !== undefined) throw new Fault('provider', 'It failed.');
				if (end === true) turn.end('stop');
				return over === true;
			}
		});
	}
});

type Asked = { options?: Partial<WireOptions>; format?: Format; signal?: AbortSignal };

const opened = (url: string, { options, format = formatOf(), signal }: Asked = {}) =>
	transportOf(format, { url, ...options }).open(request, signal ?? new AbortController().signal);

async function heard(url: string, asked: Asked = {}): Promise<TurnEvent[]> {
	const events: TurnEvent[] = [];
	for await (const event of opened(url, asked)) events.push(event);
	return events;
}

/** A fetch without a network. */
const answers = (body: BodyInit | null, init: ResponseInit = {}): typeof fetch =>
	vi.fn(() =>
		Promise.resolve(
			new Response(body, { ...init, headers: { 'content-type': 'text/event-stream', ...init.headers } })
		)
	);

const HELLO = 'data: {"say":"Hello"}\n\n';
const END = 'data: {"end":true}\n\n';
const hello: TurnEvent = { type: 'text', delta: 'Hello' };
const stop: TurnEvent = { type: 'end', reason: 'stop' };
const failed = (code: string, retryable: boolean) => ({ type: 'error', reason: { code }, retryable });

let server: Server | undefined;
afterEach(() => {
	vi.useRealTimers();
	server?.closeAllConnections();
	server?.close();
	server = undefined;
});

async function serve(answer: (response: ServerResponse, url: string, body: string) => void): Promise<string> {
	server = createServer((asked, response) => {
		let body = '';
		asked.on('data', (piece: Buffer) => (body += piece.toString()));
		asked.on('end', () => answer(response, asked.url ?? '', body));
	});
	await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const start = (response: ServerResponse, headers: Record<string, string> = {}): void => {
	response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
};
/** Resolves as soon as a response has lost its reader. */
const gone = (response: ServerResponse): Promise<void> =>
	new Promise((resolve) => response.on('close', resolve));

describe('silence', () => {
	test('S2-23 a line that says nothing is lost, whether before its answer or in it; what came is kept', async () => {
		const mute = await heard(await serve(() => undefined), { options: { idleMs: 30 } });
		expect(mute).toMatchObject([failed('network', true)]);
		server?.close();
		const url = await serve((response) => {
			start(response);
			response.write(HELLO);
		});
		expect(await heard(url, { options: { idleMs: 60 } })).toMatchObject([hello, failed('network', true)]);
	});

	test('S2-23 a comment is a sound', async () => {
		const url = await serve((response) => {
			start(response);
			let beats = 0;
			const timer = setInterval(() => {
				response.write(': beat\n\n');
				if ((beats += 1) < 8) return;
				clearInterval(timer);
				response.end(HELLO + END);
			}, 20);
		});
		expect(await heard(url, { options: { idleMs: 100 } })).toEqual([hello, stop]);
	});

	test('S2-23 where heartbeats alone come for long, it is told that the line lives', async () => {
		vi.useFakeTimers({ toFake: ['Date'] });
		const encoder = new TextEncoder();
		const pieces = [HELLO, ': beat\n\n', ': beat\n\n', END];
		const body = new ReadableStream<Uint8Array>(
			{
				pull(controller) {
					vi.setSystemTime(Date.now() + 3_000);
					const piece = pieces.shift();
					if (piece === undefined) controller.close();
					else controller.enqueue(encoder.encode(piece));
				}
			},
			{ highWaterMark: 0 }
		);
		expect(await heard('http://x/', { options: { fetch: answers(body) } })).toEqual([
			hello,
			{ type: 'reasoning' },
			stop
		]);
	});

	test('S2-23 no silence is too long for a timer', async () => {
		const url = await serve((response) => {
			start(response);
			setTimeout(() => response.end(HELLO + END), 30);
		});
		expect(await heard(url, { options: { idleMs: Infinity } })).toEqual([hello, stop]);
	});
});

describe('the end', () => {
	test('S2-23 a server that says it and keeps the line open is not waited for, nor one that goes on with comments', async () => {
		const url = await serve((response, path) => {
			start(response);
			response.write(HELLO + END);
			if (path === '/beats') {
				const timer = setInterval(() => response.write(': beat\n\n'), 1);
				response.on('close', () => clearInterval(timer));
			}
		});
		expect(await heard(url, { options: { idleMs: 30 } })).toEqual([hello, stop]);
		vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
		const beating: TurnEvent[] = [];
		for await (const event of opened(`${url}beats`)) {
			beating.push(event);
			setTimeout(() => vi.setSystemTime(Date.now() + 3_000), 20);
		}
		expect(beating).toEqual([hello, stop]);
	});

	test('S2-23 an error after the end takes it back; a garbled message or a lost line after it does not', async () => {
		const url = await serve((response, path) => {
			start(response);
			if (path === '/error') response.end(`${HELLO}${END}data: {"fails":true}\n\n`);
			else if (path === '/garbled') response.end(`${HELLO}${END}data: <html>\n\n`);
			else response.write(HELLO + END, () => response.destroy());
		});
		expect(await heard(`${url}error`)).toMatchObject([hello, failed('provider', false)]);
		expect(await heard(`${url}garbled`)).toEqual([hello, stop]);
		expect(await heard(`${url}lost`)).toEqual([hello, stop]);
	});

	test('S2-23 nothing is read behind what nothing may follow', async () => {
		const fetch = answers(`${HELLO}${END}data: {"over":true}\n\ndata: {"say":"more"}\n\n`);
		expect(await heard('http://x/', { options: { fetch } })).toEqual([hello, stop]);
	});

	test.each([
		['lost', 'network'],
		['cut', 'truncated']
	])('S2-23 a line that is %s in the middle is an error of its own', async (how, code) => {
		const url = await serve((response) => {
			start(response);
			if (how === 'cut') response.end(`${HELLO}data: {"say":"he`);
			else response.write(`${HELLO}data: {"say":"he`, () => response.destroy());
		});
		expect(await heard(url)).toMatchObject([hello, failed(code, true)]);
	});

	test('S2-23 what came before a message that is too long is kept', async () => {
		const fetch = answers(`${HELLO}data: {"say":"${'x'.repeat(90)}"}\n\n${END}`);
		const options = { fetch, maxEventBytes: 80 };
		expect(await heard('http://x/', { options })).toMatchObject([hello, failed('protocol', false)]);
	});
});

describe('an abort', () => {
	const never = (): Promise<never> => new Promise(() => undefined);

	test('S2-23 is the last word, also of a fetch that ignores its signal, and what it brings later is closed', async () => {
		const abort = new AbortController();
		let late: (response: Response) => void = () => undefined;
		const fetch: typeof globalThis.fetch = () => new Promise((resolve) => (late = resolve));
		const events = heard('http://x/', { options: { fetch }, signal: abort.signal });
		await new Promise((resolve) => setImmediate(resolve));
		abort.abort();
		expect(await events).toMatchObject([failed('aborted', false)]);
		const closed = new Promise<void>((cancel) =>
			late(new Response(new ReadableStream({ cancel: () => cancel() })))
		);
		await expect(closed).resolves.toBeUndefined();
	});

	test('S2-23 of a body that ignores its cancelling', async () => {
		const abort = new AbortController();
		const encoder = new TextEncoder();
		const body = new ReadableStream<Uint8Array>({
			start: (controller) => controller.enqueue(encoder.encode(HELLO)),
			cancel: never
		});
		const events: TurnEvent[] = [];
		for await (const event of opened('http://x/', {
			options: { fetch: answers(body) },
			signal: abort.signal
		})) {
			events.push(event);
			abort.abort();
		}
		expect(events).toMatchObject([hello, failed('aborted', false)]);
	});

	test('S2-23 before the beginning asks nobody', async () => {
		const fetch = answers(HELLO + END);
		const headers = vi.fn(() => ({}));
		const options = { fetch, headers };
		expect(await heard('http://x/', { options, signal: AbortSignal.abort() })).toMatchObject([
			failed('aborted', false)
		]);
		expect([fetch, headers].map((one) => vi.mocked(one).mock.calls.length)).toEqual([0, 0]);
	});

	test('S2-23 between the last words still counts', async () => {
		const abort = new AbortController();
		const format = formatOf({}, 'events', (begun) => ({
			...begun,
			read(frame) {
				begun.turn.start(0, 'a', 'tool', true);
				return begun.read(frame);
			}
		}));
		const events: TurnEvent[] = [];
		for await (const event of opened('http://x/', {
			format,
			options: { fetch: answers(END) },
			signal: abort.signal
		})) {
			events.push(event);
			if (event.type === 'call.end') abort.abort();
		}
		expect(events.map(({ type }) => type)).toEqual(['call.start', 'call.end', 'error']);
	});

	test('S2-23 nothing hangs on the signal afterwards', async () => {
		const { signal } = new AbortController();
		const added = vi.spyOn(signal, 'addEventListener');
		const removed = vi.spyOn(signal, 'removeEventListener');
		await heard('http://x/', { options: { fetch: answers(END) }, signal });
		expect(added).toHaveBeenCalledTimes(1);
		expect(removed.mock.calls[0]!.slice(0, 2)).toEqual(added.mock.calls[0]!.slice(0, 2));
	});
});

describe('who leaves early', () => {
	test('S2-23 closes the connection, at a message and while one is waited for', async () => {
		let left: Promise<void> | undefined;
		const url = await serve((response) => {
			left = gone(response);
			start(response);
			response.write(HELLO);
		});
		for await (const event of opened(url)) {
			expect(event).toEqual(hello);
			break;
		}
		await left;
		const events = opened(url)[Symbol.asyncIterator]();
		expect(await events.next()).toMatchObject({ value: hello });
		const waiting = events.next();
		await events.return!();
		await waiting;
		await left;
		expect(await events.next()).toEqual({ done: true, value: undefined });
	});

	test('S2-23 before the beginning, nothing is asked', async () => {
		const fetch = answers(END);
		await opened('http://x/', { options: { fetch } })[Symbol.asyncIterator]().return!();
		expect(fetch).not.toHaveBeenCalled();
	});
});

describe('an answer of another kind', () => {
	test.each<[string, string, number | undefined]>([
		['retry-after', '3', 3_000],
		['retry-after', '0', 0],
		['retry-after', '1.5', 1_500],
		['retry-after', new Date(Date.UTC(2030, 0, 1, 0, 0, 7)).toUTCString(), 7_000],
		['retry-after', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
		['retry-after', 'soon', undefined],
		['retry-after', '', undefined],
		['retry-after-ms', '250', 250]
	])('S2-23 %s: %s says when to try again', async (name, value, afterMs) => {
		vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
		const fetch = answers('{"error":{"message":"Slow down."}}', { status: 429, headers: { [name]: value } });
		const [event] = await heard('http://x/', { options: { fetch } });
		expect(event).toEqual({
			type: 'error',
			reason: { code: 'http', text: 'The server answered 429. Slow down.' },
			retryable: true,
			...(afterMs === undefined ? {} : { afterMs })
		});
	});

	test('S2-23 milliseconds come before seconds', async () => {
		const headers = { 'retry-after-ms': '250', 'retry-after': '9' };
		const [event] = await heard('http://x/', { options: { fetch: answers('', { status: 503, headers }) } });
		expect(event).toMatchObject({ afterMs: 250 });
	});

	test('S2-23 a redirect to a login page is no answer, and its page is no text', async () => {
		const url = await serve((response, path) => {
			if (path === '/') response.writeHead(302, { location: '/login' }).end();
			else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Sign in</h1>');
		});
		expect(await heard(url)).toMatchObject([failed('content-type', false)]);
	});

	test.each([
		['Text/Event-Stream;charset=UTF-8', true],
		['text/event-stream ; x=1', true],
		['text/event-streams', false],
		['text/plain', false],
		['application/json', false]
	])('S2-23 content type %s: %s', async (type, fits) => {
		const fetch = answers(HELLO + END, { headers: { 'content-type': type } });
		const events = await heard('http://x/', { options: { fetch } });
		expect(events.at(-1)).toMatchObject(fits ? stop : failed('content-type', false));
	});

	test.each([
		['application/x-ndjson', true],
		['application/json; charset=utf-8', true],
		['application/jsonl', true],
		['text/html', false]
	])('S2-23 of lines, content type %s: %s', async (type, fits) => {
		const fetch = answers('{"say":"Hello"}\n{"end":true}', { headers: { 'content-type': type } });
		const events = await heard('http://x/', { options: { fetch }, format: formatOf({}, 'lines') });
		expect(events.at(-1)).toMatchObject(fits ? stop : failed('content-type', false));
	});

	test('S2-23 without a content type the stream is read, without a body nothing is', async () => {
		const untyped: typeof fetch = () => Promise.resolve(new Response(new TextEncoder().encode(HELLO + END)));
		expect(await heard('http://x/', { options: { fetch: untyped } })).toEqual([hello, stop]);
		const url = await serve((response) => response.writeHead(204).end());
		expect(await heard(url)).toMatchObject([failed('truncated', true)]);
	});

	test('S2-23 the body of an error that does not come is not waited for, and the status is told', async () => {
		const url = await serve((response) => {
			response.writeHead(401, { 'content-type': 'application/json' });
			response.write('{"error":');
		});
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		const events = heard(url);
		await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { timeout: 1_000 });
		await new Promise((resolve) => setImmediate(resolve));
		const waiting = setInterval(() => vi.advanceTimersByTime(500), 5);
		expect(await events).toMatchObject([failed('http', false)]);
		clearInterval(waiting);
	});

	test('S2-23 an error may be as long as it likes, little of it is told', async () => {
		const fetch = answers('x'.repeat(100_000), { status: 500 });
		const [event] = await heard('http://x/', { options: { fetch } });
		expect(event).toMatchObject(failed('http', true));
		expect(JSON.stringify(event).length).toBeLessThan(700);
	});

	test('S2-23 gzip is unpacked; where it is broken, the line is lost', async () => {
		const url = await serve((response, path) => {
			start(response, { 'content-encoding': 'gzip' });
			const packed = gzipSync(HELLO + END);
			response.end(path === '/broken' ? packed.fill(0, 12) : packed);
		});
		expect(await heard(url)).toEqual([hello, stop]);
		expect((await heard(`${url}broken`)).at(-1)).toMatchObject(failed('network', true));
	});
});

describe('what is sent', () => {
	const sent = (fetch: typeof globalThis.fetch) => vi.mocked(fetch).mock.calls[0]![1]!;

	test('S2-23 headers are asked anew each time, and yours come first', async () => {
		const fetch = answers(END);
		let asked = 0;
		const headers = () =>
			Promise.resolve({ Authorization: `Bearer ${(asked += 1)}`, 'Content-Type': 'text/x' });
		await heard('http://x/', { options: { fetch, headers } });
		await heard('http://x/', { options: { fetch, headers } });
		expect(vi.mocked(fetch).mock.calls.map(([, init]) => init!.headers)).toEqual(
			['Bearer 1', 'Bearer 2'].map((authorization) => ({
				accept: 'text/event-stream',
				authorization,
				'content-type': 'text/x'
			}))
		);
	});

	test('S2-23 headers that cannot be had are a lost line, whether they throw or hang', async () => {
		const fetch = answers(END);
		const throws = () => {
			throw new Error('No token.');
		};
		expect(await heard('http://x/', { options: { fetch, headers: throws } })).toMatchObject([
			{ reason: { code: 'network', text: 'No token.' }, retryable: true }
		]);
		const hangs = (): Promise<never> => new Promise(() => undefined);
		expect(await heard('http://x/', { options: { fetch, headers: hangs, idleMs: 20 } })).toMatchObject([
			failed('network', true)
		]);
		expect(fetch).not.toHaveBeenCalled();
	});

	test.each([
		['a BigInt', { count: 1n }],
		['what is no JSON', () => 1],
		['what throws', { toJSON: () => { throw new Error('no'); } }] // prettier-ignore
	])('S2-23 a body with %s cannot be sent, and nothing is thrown', async (_, body) => {
		const fetch = answers(END);
		expect(await heard('http://x/', { options: { fetch }, format: formatOf(body) })).toMatchObject([
			failed('protocol', false)
		]);
		expect(fetch).not.toHaveBeenCalled();
	});

	test('S2-23 half a surrogate pair is none to a server; a text that speaks of one stays', async () => {
		const fetch = answers(END);
		const texts = ['cut \ud83d', '\ude00 cut', 'whole 👍', 'a \\ud83d in words', '\\\ud83d"\n'];
		await heard('http://x/', { options: { fetch }, format: formatOf({ texts }) });
		const body = sent(fetch).body as string;
		expect(body).not.toMatch(/(?<!\\)\\ud/);
		expect(JSON.parse(body)).toEqual({
			texts: ['cut \uFFFD', '\uFFFD cut', 'whole 👍', 'a \\ud83d in words', '\\\uFFFD"\n']
		});
	});

	test('S2-23 a format that cannot begin, at once or later, is an error', async () => {
		const fetch = answers(END);
		for (const begin of [
			(): Begun => {
				throw new TypeError('no');
			},
			(): Promise<Begun> => Promise.reject(new TypeError('no'))
		])
			expect(
				(await heard('http://x/', { options: { fetch }, format: formatOf({}, 'events', begin) })).at(-1)
			).toMatchObject({ type: 'error' });
		expect(fetch).not.toHaveBeenCalled();
	});

	test('S2-23 no server at all is a lost line; a url that is none is a slip, and is not tried again', async () => {
		expect(await heard('http://127.0.0.1:1/')).toMatchObject([failed('network', true)]);
		expect(await heard('no url')).toMatchObject([failed('url', false)]);
	});
});
