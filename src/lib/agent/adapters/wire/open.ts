import type { AgentTransport, TurnRequest } from '../../protocol/turn.js';
import { Fault } from './fault.js';
import { isObject } from './history.js';
import { reported } from './reported.js';
import { EventReader, LineReader, type Frame } from './sse.js';
import type { Turn } from './turn.js';

/** What every adapter takes. @since 0.1.0 */
export interface WireOptions {
	/** The whole endpoint; nothing is appended. A path of your own backend (see the relay) keeps the key there. */
	url: string | URL;
	/** Sent with each request; a function is asked anew each time, so that tokens may change. */
	headers?: HeadersOf | (() => HeadersOf | Promise<HeadersOf>);
	/** @default the global fetch */
	fetch?: typeof fetch;
	/** @default the name of the adapter */
	name?: string;
	/** Longest silence of the connection in milliseconds, comments and heartbeats counted as sounds. @default 60_000 */
	idleMs?: number;
	/** Longest single message of the stream, in characters. @default 10_000_000 */
	maxEventBytes?: number;
}

/** Plain headers by name. @since 0.1.0 */
export type HeadersOf = Readonly<Record<string, string>>;

/** What one format adds to what all have in common. @internal */
export interface Format {
	/** Name of the adapter. */
	name: string;
	/** `events`: server-sent events; `lines`: JSON by lines. */
	framing: 'events' | 'lines';
	headers?: HeadersOf;
	/** Prepares one request: what is sent, where it is noted down, and how a frame is read. */
	begin(request: TurnRequest): {
		body: unknown;
		turn: Turn;
		/**
		 * Takes one frame.
		 * @returns true when nothing may follow
		 */
		read(frame: Frame): boolean | void;
	};
}

const ACCEPTS = {
	events: { accept: 'text/event-stream', fits: /^text\/event-stream\b/i },
	lines: {
		accept: 'application/x-ndjson',
		fits: /^application\/(?:x-ndjson|ndjson|jsonl|jsonlines|json)\b/i
	}
} as const;

/** After the end was said, usage may follow; a connection that stays open is not waited for. */
const GRACE_MS = 2_000;
/** A long silence with heartbeats is told, so that nobody takes it for a dead line. */
const PULSE_MS = 5_000;
/** What takes a turn back whose end was said; a line that is lost or garbled after it changes nothing. */
const TAKES_BACK = new Set(['aborted', 'provider', 'cancelled-there']);
/** As much of the body of an error as is read, in characters. */
const EXCERPT = 4_096;

/**
 * A transport over HTTP for one format: one request, all its events, one end. Whatever the network or the server does, nothing
 * is thrown and nothing that was delivered is lost.
 * @internal
 */
export function transportOf(format: Format, options: WireOptions): AgentTransport {
	return {
		name: options.name ?? format.name,
		async *open(request, signal) {
			let turn: Turn | undefined;
			const line = new Line(options.idleMs ?? 60_000, signal);
			try {
				const begun = format.begin(request);
				turn = begun.turn;
				const body = await line.open(format, options, begun.body);
				const most = options.maxEventBytes ?? 10_000_000;
				const reader = format.framing === 'events' ? new EventReader(most) : new LineReader(most);
				let told = Date.now();
				for (let over = false; !over;) {
					const bytes = await line.next(body, turn.hasEnded ? GRACE_MS : undefined);
					for (const frame of bytes ? reader.push(bytes) : reader.end()) {
						if (over) break;
						over = read(begun.read, frame, bytes === undefined);
					}
					over ||= bytes === undefined;
					const events = turn.take();
					const now = Date.now();
					if (events.length > 0) yield* events;
					else if (now - told > PULSE_MS) yield { type: 'reasoning' };
					else continue;
					told = now;
				}
				yield* turn.close(line.fault);
			} catch (error) {
				const fault = line.fault ?? (error instanceof Fault ? error : new Fault('protocol', said(error)));
				const isLate = turn?.hasEnded && !TAKES_BACK.has(fault.event.reason.code);
				if (turn) yield* turn.close(isLate ? undefined : fault);
				else yield fault.event;
			} finally {
				line.close();
			}
		}
	};
}

/** Takes one frame; what stands half-sent at the end of a stream was cut. */
function read(take: (frame: Frame) => boolean | void, frame: Frame, isRest: boolean): boolean {
	try {
		return take(frame) === true;
	} catch (error) {
		if (isRest && error instanceof Fault && error.event.reason.code === 'protocol') return true;
		throw error;
	}
}

/** The connection of one request, which ends by its own end, by the signal, or by silence. */
class Line {
	/** Why it was ended from here. */
	fault: Fault | undefined;
	readonly #abort = new AbortController();
	readonly #idleMs: number;
	readonly #signal: AbortSignal;
	readonly #gone: Promise<never>;
	#leave: (fault: Fault) => void = () => undefined;
	#reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
	readonly #onabort = (): void => this.#end(new Fault('aborted', 'The request was aborted.'));

	constructor(idleMs: number, signal: AbortSignal) {
		this.#idleMs = idleMs;
		this.#signal = signal;
		this.#gone = new Promise((_, reject) => (this.#leave = reject));
		this.#gone.catch(() => undefined);
		if (signal.aborted) this.#onabort();
		else signal.addEventListener('abort', this.#onabort, { once: true });
	}

	/** Sends the request. @returns the reader of a body of the right kind */
	async open(
		format: Format,
		options: WireOptions,
		body: unknown
	): Promise<ReadableStreamDefaultReader<Uint8Array>> {
		const { accept, fits } = ACCEPTS[format.framing];
		const sent = (async () => {
			const { headers = {} } = options;
			const own = typeof headers === 'function' ? await headers() : headers;
			if (this.fault) throw this.fault;
			return (options.fetch ?? fetch)(options.url, {
				method: 'POST',
				headers: { 'content-type': 'application/json', accept, ...format.headers, ...own },
				body: JSON.stringify(body),
				signal: this.#abort.signal
			});
		})();
		const response = await this.#within(sent, this.#idleMs).catch((error: unknown) => {
			throw error instanceof Fault ? error : new Fault('network', said(error));
		});
		const type = response.headers.get('content-type') ?? '';
		if (!response.ok) {
			const { status, headers } = response;
			const told = messageOf(await this.#excerpt(response));
			throw new Fault('http', `The server answered ${status}. ${told}`.trim(), {
				retryable: status === 408 || status === 429 || status >= 500,
				afterMs: retryAfter(headers.get('retry-after'))
			});
		}
		if (type !== '' && !fits.test(type)) {
			const excerpt = await this.#excerpt(response);
			// An error that is called a success is an error all the same.
			const { error } = objectOf(excerpt);
			if (error) throw reported(error);
			throw new Fault('content-type', `The server sent ${type}. ${messageOf(excerpt)}`.trim());
		}
		if (!response.body) throw new Fault('truncated', 'The answer has no body.');
		return (this.#reader = response.body.getReader());
	}

	/** @returns undefined at the end of the stream */
	async next(
		reader: ReadableStreamDefaultReader<Uint8Array>,
		mostMs = this.#idleMs
	): Promise<Uint8Array | undefined> {
		if (this.fault) throw this.fault;
		try {
			const { done, value } = await this.#within(reader.read(), mostMs);
			return done ? undefined : value;
		} catch (error) {
			throw error instanceof Fault ? error : new Fault('network', said(error));
		}
	}

	close(): void {
		this.#signal.removeEventListener('abort', this.#onabort);
		this.#reader?.cancel().catch(() => undefined);
		this.#abort.abort();
	}

	#end(fault: Fault): void {
		this.fault ??= fault;
		this.#leave(this.fault);
		this.#abort.abort();
	}

	/** Waits, but not for ever, and not after the signal. */
	async #within<T>(promise: Promise<T>, ms: number): Promise<T> {
		const timer = setTimeout(() => this.#end(new Fault('network', `Nothing came for ${ms} ms.`)), ms);
		try {
			return await Promise.race([promise, this.#gone]);
		} finally {
			clearTimeout(timer);
		}
	}

	/** The beginning of the body of an answer that is not the one asked for. */
	async #excerpt({ body }: Response): Promise<string> {
		if (!body) return '';
		const reader = (this.#reader = body.getReader());
		const decoder = new TextDecoder();
		let read = '';
		try {
			while (read.length < EXCERPT) {
				const { done, value } = await this.#within(reader.read(), GRACE_MS);
				if (done) break;
				read += decoder.decode(value, { stream: true });
			}
		} catch {
			// What there is has to do.
		}
		return read.trim();
	}
}

/** The members of a text of JSON, if it is an object. */
function objectOf(json: string): Record<string, unknown> {
	try {
		const value: unknown = JSON.parse(json);
		return isObject(value) ? value : {};
	} catch {
		return {};
	}
}

/** What the JSON of an error says, else the text itself. */
function messageOf(excerpt: string): string {
	const { error, message } = objectOf(excerpt);
	const told = isObject(error) ? error.message : (error ?? message);
	return typeof told === 'string' ? told : excerpt;
}

/** Seconds or a date, as milliseconds from now. @see RFC 9110, section 10.2.3 */
function retryAfter(value: string | null): number | undefined {
	if (value === null) return undefined;
	const seconds = Number(value);
	const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - Date.now();
	return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The JSON object of a frame. @internal */
export function parsed({ data }: Frame): Record<string, unknown> {
	let value: unknown;
	try {
		value = JSON.parse(data);
	} catch {
		throw new Fault('protocol', `A message is no JSON: ${data.slice(0, 100)}`);
	}
	if (!isObject(value)) throw new Fault('protocol', `A message is no object: ${data.slice(0, 100)}`);
	return value;
}
