import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { relay, toOpenAI, type RelayOptions, type RelayReport } from '../../src/lib/relay/index.js';
import { ask, deferred, errorOf, mounts, provider, stream, textOf, type Served } from '../fixtures/relay.js';

const KEY = 'sk-live-0123456789abcdef';
const HELLO = { messages: [{ role: 'user', content: 'Hello' }], stream: true };
const open: Served[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((one) => one.close()));
});

/** A relay in a server before a provider of our own; both real, both on loopback. */
async function setting(mount: keyof typeof mounts, listener: RequestListener, options: RelayOptions = {}) {
	const upstream = await provider(listener);
	const reports: RelayReport[] = [];
	const target = { ...toOpenAI({ key: KEY }), url: upstream.url };
	const handler = relay(target, { model: 'small', report: (what) => reports.push(what), ...options });
	const mounted = await mounts[mount]!(handler);
	open.push(mounted, upstream);
	const send = (init: RequestInit = {}, body: unknown = HELLO) => fetch(ask(body, mounted.url, init));
	return { send, reports, url: mounted.url, host: new URL(upstream.url).host };
}

const event = (text: string) => `data: {"choices":[{"delta":{"content":"${text}"}}]}\n\n`;

describe.each(Object.keys(mounts))('S2-81 a relay in %s', (mount) => {
	test('passes every piece when it comes, and what was asked', async () => {
		let asked: { body: string; headers: IncomingMessage['headers'] } | undefined;
		let answer: ServerResponse | undefined;
		const { send } = await setting(mount, async (incoming, outgoing) => {
			asked = { body: await textOf(incoming), headers: incoming.headers };
			stream(outgoing, event('One'));
			answer = outgoing;
		});
		const response = await send();
		expect(response.status).toBe(200);
		expect(response.headers.get('content-type')).toBe('text/event-stream');
		expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
		const reader = response.body!.getReader();
		const decoder = new TextDecoder();
		// The second piece is only sent when the first has arrived.
		expect(decoder.decode((await reader.read()).value)).toBe(event('One'));
		answer!.write(event('Two'));
		expect(decoder.decode((await reader.read()).value)).toBe(event('Two'));
		answer!.end('data: [DONE]\n\n');
		expect(decoder.decode((await reader.read()).value)).toBe('data: [DONE]\n\n');
		expect((await reader.read()).done).toBe(true);
		expect(JSON.parse(asked!.body)).toEqual({ ...HELLO, model: 'small', max_completion_tokens: 8192 });
		expect(asked!.headers.authorization).toBe(`Bearer ${KEY}`);
		expect(asked!.headers.origin).toBeUndefined();
	});

	test('hangs up when the visitor leaves, in the middle of an answer', async () => {
		let closed: Promise<unknown> | undefined;
		const { send } = await setting(mount, (_incoming, outgoing) => {
			closed = once(outgoing, 'close');
			stream(outgoing, event('One'));
		});
		const leave = new AbortController();
		const response = await send({ signal: leave.signal });
		await response.body!.getReader().read();
		leave.abort();
		await closed;
		expect(closed).toBeDefined();
	});

	test('hangs up when the visitor leaves before there is an answer', async () => {
		const arrived = deferred<ServerResponse>();
		const { send } = await setting(mount, (_incoming, outgoing) => arrived.resolve(outgoing));
		const leave = new AbortController();
		const response = send({ signal: leave.signal });
		const outgoing = await arrived.promise;
		const closed = once(outgoing, 'close');
		leave.abort();
		await expect(response).rejects.toThrow();
		// It tells nobody that the visitor left, once the question is read; but it takes no answer either.
		if (mount === 'SvelteKit') stream(outgoing, event('One'));
		await closed;
	});

	test('a line that is lost over there is lost here: never an end', async () => {
		const { send } = await setting(mount, (_incoming, outgoing) => {
			stream(outgoing, event('One'));
			outgoing.write(event('Two'), () => outgoing.destroy());
		});
		const response = await send();
		// A server that has sent nothing yet may say so at once.
		if (response.status === 200) await expect(response.text()).rejects.toThrow();
		else expect(response.status).toBe(500);
	});

	test('a line that falls silent is cut', async () => {
		let closed: Promise<unknown> | undefined;
		const { send } = await setting(
			mount,
			(_incoming, outgoing) => {
				closed = once(outgoing, 'close');
				stream(outgoing, event('One'));
			},
			{ idleMs: 60 }
		);
		await expect((await send()).text()).rejects.toThrow();
		await closed;
	});

	test('too much is refused while it arrives', async () => {
		let asked = 0;
		const { send } = await setting(mount, () => (asked += 1), { maxBytes: 100_000 });
		const piece = new TextEncoder().encode(' '.repeat(50_000));
		let left = 10;
		const body = new ReadableStream<Uint8Array>({
			pull(controller) {
				controller.enqueue(piece);
				if ((left -= 1) === 0) controller.close();
			}
		});
		const response = await send({ body, duplex: 'half' } as RequestInit);
		expect(await errorOf(response)).toMatchObject({ code: 'too-large', status: 413 });
		expect(asked).toBe(0);
		// The server is as it was.
		expect((await send({}, '[]')).status).toBe(400);
	});

	test('a provider that asks to wait is passed on', async () => {
		const { send } = await setting(mount, (_incoming, outgoing) => {
			outgoing.writeHead(429, { 'retry-after': '7', 'content-type': 'application/json', 'x-internal': 'a' });
			outgoing.end(JSON.stringify({ error: { message: 'Rate limit in org-12345678 on tokens.' } }));
		});
		const response = await send();
		expect([response.headers.get('retry-after'), response.headers.has('x-internal')]).toEqual(['7', false]);
		expect(await errorOf(response)).toMatchObject({
			code: 'upstream',
			status: 429,
			text: expect.stringMatching(/Rate limit in … on tokens/)
		});
	});
});

describe('an answer that is none', () => {
	const answering = (listener: RequestListener, options?: RelayOptions) =>
		setting('node:http', listener, options);

	test('a page of HTML with 500 says nothing', async () => {
		const { send, host } = await answering((_incoming, outgoing) => {
			outgoing.writeHead(500, { 'content-type': 'text/html' });
			outgoing.end(`<h1>nginx at 10.0.0.1</h1>${KEY}`);
		});
		const response = await send();
		const text = await response.text();
		expect(response.status).toBe(500);
		expect(response.headers.get('content-type')).toBe('application/json');
		expect(text).not.toMatch(/nginx|10\.0|sk-live/);
		expect(text).not.toContain(host);
	});

	test('a page of HTML with 200 is not the provider', async () => {
		const { send } = await answering((_incoming, outgoing) => {
			outgoing.writeHead(200, { 'content-type': 'text/html' });
			outgoing.end('<h1>Sign in to the airport</h1>');
		});
		expect(await errorOf(await send())).toEqual({ code: 'answer', status: 502, text: expect.any(String) });
	});

	test.each([401, 403])('a key that is refused with %i is not repeated, not even in part', async (status) => {
		const { send } = await answering((_incoming, outgoing) => {
			outgoing.writeHead(status, { 'content-type': 'application/json', 'www-authenticate': 'Basic' });
			outgoing.end(JSON.stringify({ error: { message: 'Incorrect API key: live…cdef' } }));
		});
		const response = await send();
		expect(response.headers.has('www-authenticate')).toBe(false);
		const error = await errorOf(response);
		expect(error).toMatchObject({ code: 'upstream', status });
		expect(error.text).not.toContain('cdef');
	});

	test('an error without end is read as far as it matters', async () => {
		let written = 0;
		let closed: Promise<unknown> | undefined;
		const { send } = await answering((_incoming, outgoing) => {
			closed = once(outgoing, 'close');
			outgoing.writeHead(400, { 'content-type': 'application/json' });
			const more = () => {
				while (!outgoing.destroyed) {
					written += 65_536;
					if (!outgoing.write('x'.repeat(65_536))) return void outgoing.once('drain', more);
				}
			};
			more();
		});
		expect(await errorOf(await send())).toMatchObject({ code: 'upstream', status: 400 });
		await closed;
		expect(written).toBeLessThan(50_000_000);
	});

	test('elsewhere the key does not go', async () => {
		let asked = 0;
		const { send } = await answering((_incoming, outgoing) => {
			asked += 1;
			outgoing.writeHead(307, { location: '/elsewhere' });
			outgoing.end();
		});
		expect(await errorOf(await send())).toMatchObject({ code: 'redirect', status: 502 });
		expect(asked).toBe(1);
	});

	test('nobody there', async () => {
		const { send, reports, host } = await answering((incoming) => incoming.destroy());
		const response = await send();
		const text = await response.text();
		expect(response.status).toBe(502);
		expect(JSON.parse(text).error.code).toBe('unreachable');
		expect(text).not.toContain(host);
		expect(reports[0]?.cause).toBeTruthy();
	});

	test('nobody who answers in time', async () => {
		let closed: Promise<unknown> | undefined;
		const { send } = await answering(
			(_incoming, outgoing) => {
				closed = once(outgoing, 'close');
			},
			{ timeoutMs: 100 }
		);
		expect(await errorOf(await send())).toMatchObject({ code: 'silent', status: 504 });
		await closed;
	});

	test('a request that never ends is not waited for', async () => {
		let asked = 0;
		const { send } = await answering(() => (asked += 1), { timeoutMs: 100 });
		const body = new ReadableStream<Uint8Array>({
			start(controller) {
				controller.enqueue(new TextEncoder().encode('{'));
			}
		});
		const leave = new AbortController();
		const response = await send({ body, duplex: 'half', signal: leave.signal } as RequestInit);
		expect(await errorOf(response)).toMatchObject({ code: 'slow', status: 408 });
		leave.abort();
		expect(asked).toBe(0);
	});

	test('a key that is repeated in the stream is blotted out', async () => {
		const { send } = await answering((incoming, outgoing) => {
			stream(outgoing);
			const line = `data: {"error":"${incoming.headers.authorization}"}\n\n`;
			void (async () => {
				for (const sign of line) await new Promise((resolve) => outgoing.write(sign, resolve));
				outgoing.end();
			})();
		});
		const text = await (await send()).text();
		expect(text).toMatch(/^data: \{"error":"\*+"\}\n\n$/);
	});
});

test('nothing is taken from a provider that nobody takes from here', async () => {
	let pulled = 0;
	const handler = relay(toOpenAI(), {
		model: 'small',
		fetch: async () =>
			new Response(
				new ReadableStream<Uint8Array>(
					{
						pull(controller) {
							pulled += 1;
							controller.enqueue(new Uint8Array(1000));
						}
					},
					{ highWaterMark: 0 }
				),
				{ headers: { 'content-type': 'text/event-stream' } }
			)
	});
	const response = await handler(ask(HELLO, 'https://app.example/api/agent'));
	const reader = response.body!.getReader();
	for (let at = 1; at <= 5; at++) {
		await reader.read();
		expect(pulled).toBe(at);
	}
	await reader.cancel();
});

test('a visitor who takes nothing more does not hold the line for ever', async () => {
	const hungUp = deferred<void>();
	const handler = relay(toOpenAI(), {
		model: 'small',
		idleMs: 30,
		async fetch(_url, { signal }) {
			signal?.addEventListener('abort', () => hungUp.resolve());
			const body = new ReadableStream<Uint8Array>({
				pull: (controller) => controller.enqueue(new Uint8Array(10))
			});
			return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
		}
	});
	const response = await handler(ask(HELLO, 'https://app.example/api/agent'));
	const reader = response.body!.getReader();
	await reader.read();
	await hungUp.promise;
	await expect(reader.read()).rejects.toThrow('broke off');
});

test('a path of two slashes names no host', async () => {
	const { url } = await setting('node:http', (_incoming, outgoing) => stream(outgoing));
	const { port } = new URL(url);
	const response = await fetch(`http://127.0.0.1:${port}//evil.example/api`, {
		method: 'POST',
		body: JSON.stringify(HELLO),
		headers: { 'content-type': 'application/json', origin: 'http://evil.example' }
	});
	expect(await errorOf(response)).toMatchObject({ code: 'origin' });
});

test('a method that no request can have is answered', async () => {
	const { url } = await setting('node:http', (_incoming, outgoing) => stream(outgoing));
	const { request } = await import('node:http');
	const asked = request(url, { method: 'TRACE' }).end();
	const [response] = (await once(asked, 'response')) as [IncomingMessage];
	expect([response.statusCode, JSON.parse(await textOf(response)).error.code]).toEqual([405, 'method']);
});
