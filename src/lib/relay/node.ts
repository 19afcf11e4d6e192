import { refusal, refuse } from './codes.js';
import type { RelayHandler } from './relay.js';

/** What is needed of an `IncomingMessage`. @since 0.1.0 */
export interface NodeRequest {
	method?: string;
	url?: string;
	headers: Readonly<Record<string, string | string[] | undefined>>;
	socket: object;
	readableEnded: boolean;
	on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
	on(event: 'end' | 'close', listener: () => void): unknown;
	on(event: 'error', listener: (error: Error) => void): unknown;
	pause(): unknown;
	resume(): unknown;
}

/** What is needed of a `ServerResponse`. @since 0.1.0 */
export interface NodeResponse {
	statusCode: number;
	setHeader(name: string, value: string): unknown;
	flushHeaders(): void;
	write(chunk: Uint8Array): boolean;
	end(): unknown;
	destroy(): unknown;
	on(event: 'close' | 'drain', listener: () => void): unknown;
}

/**
 * Puts a relay into a server of Node: `http.createServer(toNode(answer))`, a middleware of Express, Connect or Vite. It answers
 * every request it is given, so mount it under the path it is for, before anything that parses or compresses bodies.
 * @since 0.1.0
 */
export function toNode(handler: RelayHandler): (request: NodeRequest, response: NodeResponse) => void {
	return (incoming, outgoing) => {
		const gone = new AbortController();
		outgoing.on('close', () => gone.abort());
		void answer(handler, incoming, gone.signal)
			.then((response) => send(response, outgoing, gone.signal))
			// What was not read of the request would hold up the next one on the same line.
			.then(() => incoming.resume())
			.catch(() => outgoing.destroy());
	};
}

async function answer(handler: RelayHandler, incoming: NodeRequest, signal: AbortSignal): Promise<Response> {
	let request: Request;
	try {
		request = requestOf(incoming, signal);
	} catch {
		// A method or a host that no request can have.
		return refuse(refusal('method'), new Headers());
	}
	return handler(request);
}

function requestOf(incoming: NodeRequest, signal: AbortSignal): Request {
	const { method = 'GET', url = '/', socket } = incoming;
	const headers = new Headers();
	for (const [name, value] of Object.entries(incoming.headers))
		if (!name.startsWith(':')) for (const one of [value ?? []].flat()) headers.append(name, one);
	const scheme = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http';
	// Joined as text: taken as a link, a path that begins with two slashes would name a host.
	const path = url.startsWith('/') ? url : '/';
	const init: RequestInit & { duplex: 'half' } = { method, headers, signal, duplex: 'half' };
	if (method !== 'GET' && method !== 'HEAD') init.body = bodyOf(incoming);
	return new Request(`${scheme}://${headers.get('host') ?? 'localhost'}${path}`, init);
}

/** A body that is read as far as it is asked for. Given up, it is not destroyed: the line has to carry the answer yet. */
function bodyOf(incoming: NodeRequest): ReadableStream<Uint8Array> {
	let over = false;
	return new ReadableStream<Uint8Array>(
		{
			start(controller) {
				const end = (error?: Error) => {
					if (over) return;
					over = true;
					if (error) controller.error(error);
					else controller.close();
				};
				// Somebody has read it before us.
				if (incoming.readableEnded) return end();
				incoming.on('data', (chunk) => {
					if (over) return;
					controller.enqueue(chunk);
					incoming.pause();
				});
				incoming.on('end', () => end());
				incoming.on('error', (error) => end(error));
				incoming.on('close', () => end(new Error('The request broke off.')));
				incoming.pause();
			},
			pull() {
				incoming.resume();
			},
			cancel() {
				over = true;
				incoming.resume();
			}
		},
		{ highWaterMark: 0 }
	);
}

async function send(response: Response, outgoing: NodeResponse, gone: AbortSignal): Promise<void> {
	outgoing.statusCode = response.status;
	response.headers.forEach((value, name) => outgoing.setHeader(name, value));
	if (!response.body) return void outgoing.end();
	const reader = response.body.getReader();
	let wake = (): void => undefined;
	outgoing.on('drain', () => wake());
	gone.addEventListener('abort', () => {
		wake();
		reader.cancel().catch(() => undefined);
	});
	outgoing.flushHeaders();
	for (;;) {
		const { done, value } = await reader.read();
		if (done || gone.aborted) break;
		if (!outgoing.write(value)) await new Promise<void>((resolve) => (wake = resolve));
	}
	outgoing.end();
}
