import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Names } from '$lib/agent/adapters/wire/names.js';
import { parsed, transportOf, type Format } from '$lib/agent/adapters/wire/open.js';
import { Turn } from '$lib/agent/adapters/wire/turn.js';
import type { TurnEvent } from '$lib/agent/protocol/turn.js';
import { asking } from '../fixtures/served-stream.js';

const request = asking();

/** The smallest wire there is: `{ say }`, `{ end: true }`. */
const small: Format = {
	framing: 'events',
	begin(asked) {
		const turn = new Turn(asked, new Names(asked.tools), 'small');
		return {
			body: {},
			turn,
			read(frame) {
				const { say, end } = parsed(frame);
				turn.text(say);
				if (end === true) turn.end('stop');
			}
		};
	}
};

let server: Server | undefined;
afterEach(() => {
	server?.closeAllConnections();
	server?.close();
});

async function serve(answer: Parameters<typeof createServer>[1]): Promise<string> {
	server = createServer(answer!);
	await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function read(url: string, signal = new AbortController().signal): Promise<TurnEvent[]> {
	const events: TurnEvent[] = [];
	for await (const event of transportOf(small, { url }).open(request, signal)) events.push(event);
	return events;
}

test('S2-23 a stream is read to its end', async () => {
	const url = await serve((_, response) => {
		response.setHeader('content-type', 'text/event-stream; charset=utf-8');
		response.end('data: {"say":"Hello"}\n\ndata: {"end":true}\n\n');
	});
	expect(await read(url)).toEqual([
		{ type: 'text', delta: 'Hello' },
		{ type: 'end', reason: 'stop' }
	]);
});

test.each([
	['no end', 200, 'text/event-stream', 'data: {"say":"Hel"}\n\ndata: {"sa', 'truncated', true],
	['an empty body', 200, 'text/event-stream', '', 'truncated', true],
	['a login page', 200, 'text/html', '<html>Sign in', 'content-type', false],
	['no JSON', 200, 'text/event-stream', 'data: <html>\n\n', 'protocol', false],
	['an error of the server', 503, 'application/json', '{"error":{"message":"Busy"}}', 'http', true],
	['no right to it', 401, 'text/plain', 'No', 'http', false]
])('S2-23 %s is an error of its own', async (_, status, type, body, code, retryable) => {
	const url = await serve((__, response) => {
		response.writeHead(status, { 'content-type': type });
		response.end(body);
	});
	expect((await read(url)).at(-1)).toMatchObject({ type: 'error', reason: { code }, retryable });
});

test('S2-23 an abort reaches the socket and is the last event', async () => {
	let closed: () => void = () => undefined;
	const gone = new Promise<void>((resolve) => (closed = resolve));
	const url = await serve((_, response) => {
		response.on('close', closed);
		response.setHeader('content-type', 'text/event-stream');
		response.write('data: {"say":"Hello"}\n\n');
	});
	const abort = new AbortController();
	const events: TurnEvent[] = [];
	for await (const event of transportOf(small, { url }).open(request, abort.signal)) {
		events.push(event);
		abort.abort();
	}
	await gone;
	expect(events.map(({ type }) => type)).toEqual(['text', 'error']);
	expect(events.at(-1)).toMatchObject({ reason: { code: 'aborted' }, retryable: false });
});
