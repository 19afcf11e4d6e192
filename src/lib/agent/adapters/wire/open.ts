import type { TurnEvent, TurnRequest, Usage } from '../../protocol/turn.js';
import { Fault } from './fault.js';
import { isObject } from './history.js';
import type { Speaker } from './late.js';
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
	/**
	 * What a turn costs, in the app's currency, so that the budget's `cost` can hold: providers tell tokens, not prices. What a
	 * wire tells itself, as OpenRouter does, is kept where this gives undefined.
	 * @default no price: a turn costs what the wire says, else 0
	 */
	price?: (usage: Usage) => number | undefined;
	/** Longest silence of the connection in milliseconds, comments and heartbeats counted as sounds. @default 60_000 */
	idleMs?: number;
	/** Longest single message of the stream, in characters. @default 10_000_000 */
	maxEventBytes?: number;
}

/** Plain headers by name. @since 0.1.0 */
export type HeadersOf = Readonly<Record<string, string>>;

/** What one format adds to what all have in common. @internal */
export interface Format {
	/** `events`: server-sent events; `lines`: JSON by lines. */
	framing: 'events' | 'lines';
	headers?: HeadersOf;
	/** Prepares one request; asynchronous where a part has to be loaded first. */
	begin(request: TurnRequest): Begun | Promise<Begun>;
}

/** One request: what is sent, where it is noted down, and how a frame is read. @internal */
export interface Begun {
	body: unknown;
	turn: Turn;
	/**
	 * Takes one frame.
	 * @returns true when nothing may follow
	 */
	read(frame: Frame): boolean | void;
}

const ACCEPTS = {
	events: ['text/event-stream', /^text\/event-stream\s*(;|$)/i],
	lines: ['application/x-ndjson', /^(application|text)\/[\w.+-]*json\w*\s*(;|$)/i]
} as const;

/** After the end was said, usage may follow; a connection that stays open is not waited for. */
const GRACE_MS = 2_000;
/** A long silence with heartbeats is told, so that nobody takes it for a dead line. */
const PULSE_MS = 5_000;
/** Longest that a timer can wait. */
const LONGEST_MS = 2 ** 31 - 1;
/** What takes a turn back whose end was said; a line that is lost or garbled after it changes nothing. */
const TAKES_BACK = new Set(['aborted', 'provider', 'cancelled-there']);
/** As much of the body of an error as is read, in characters. */
const EXCERPT = 4_096;

/**
 * A transport over HTTP for one format: one request, all its events, one end. Whatever the network or the server does, nothing
 * is thrown and nothing that was delivered is lost.
 * @internal
 */
export function transportOf(format: Format, options: WireOptions): Speaker {
	return {
		open(request, signal) {
			const line = new Line(options.idleMs ?? 60_000);
			const events = eventsOf(format, options, request, line, signal);
			const leave = events.return.bind(events);
			// Who leaves while a message is waited for would wait for it too.
			events.return = (value) => {
				line.end();
				return leave(value);
			};
			return events;
		}
	};
}

async function* eventsOf(
	format: Format,
	options: WireOptions,
	request: TurnRequest,
	line: Line,
	signal: AbortSignal
): AsyncGenerator<TurnEvent, undefined> {
	const { idleMs } = line;
	let turn: Turn | undefined;
	let fault: Fault | undefined;
	try {
		line.follow(signal);
		try {
			const begun = await line.within(Promise.resolve(format.begin(request)));
			turn = begun.turn;
			await line.open(format, options, sendable(begun.body));
			const most = options.maxEventBytes ?? 10_000_000;
			const reader = format.framing === 'events' ? new EventReader(most) : new LineReader(most);
			let told = Date.now();
			/** When nothing more is waited for. */
			let until = 0;
			for (let over = false; !over;) {
				until = turn.hasEnded ? until || Date.now() + GRACE_MS : 0;
				const left = until === 0 ? idleMs : Math.min(idleMs, until - Date.now());
				if (left <= 0) break;
				const bytes = await line.next(left);
				for (const frame of bytes ? reader.push(bytes) : reader.end())
					if ((over = read(begun.read, frame, !bytes))) break;
				over ||= !bytes;
				const events = priced(turn.take(), options);
				const now = Date.now();
				if (events.length > 0) yield* events;
				else if (!over && now - told > PULSE_MS) yield { type: 'reasoning' };
				else continue;
				told = now;
			}
		} catch (error) {
			fault = error instanceof Fault ? error : new Fault('protocol', said(error));
		}
		fault = line.fault ?? fault;
		if (turn?.hasEnded && fault && !TAKES_BACK.has(fault.event.reason.code)) fault = undefined;
		for (const event of priced(turn?.close(fault) ?? [fault!.event], options)) {
			// The signal has the last word, up to the last moment.
			const last = event.type === 'end' ? line.fault?.event : undefined;
			yield last?.reason.code === 'aborted' ? last : event;
		}
	} finally {
		line.end();
	}
}

/** Events with what they cost. A price that cannot be told is none. */
function priced(events: readonly TurnEvent[], { price }: WireOptions): readonly TurnEvent[] {
	if (!price) return events;
	return events.map((event) => {
		if (event.type !== 'usage') return event;
		try {
			const cost = price(event.usage);
			return cost === undefined ? event : { ...event, usage: { ...event.usage, cost } };
		} catch {
			return event;
		}
	});
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

/** As JSON that every server can read: halves of surrogate pairs, which a cut text may end in, are none. */
function sendable(body: unknown): string {
	const json = JSON.stringify(body);
	return json.includes('\\ud')
		? json.replace(/\\(ud...|.)/g, (escape) => (escape.length > 2 ? '\ufffd' : escape))
		: json;
}

const ignore = (): void => undefined;

/** The connection of one request, which ends by its own end, by the signal, or by silence. */
class Line {
	/** Why it was ended from here. */
	fault: Fault | undefined;
	readonly idleMs: number;
	readonly #abort = new AbortController();
	#signal: AbortSignal | undefined;
	#leave: (fault: Fault) => void = ignore;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

	constructor(idleMs: number) {
		this.idleMs = idleMs;
	}

	/** Ends with the signal. */
	follow(signal: AbortSignal): void {
		this.#signal = signal;
		if (signal.aborted) this.end();
		else signal.addEventListener('abort', this.end);
	}

	/** Ends it; without a fault, because somebody wanted it. */
	readonly end = (fault?: unknown): void => {
		if (this.fault) return;
		this.fault = fault instanceof Fault ? fault : new Fault('aborted', 'The request was aborted.');
		clearTimeout(this.#timer);
		this.#signal?.removeEventListener('abort', this.end);
		this.#leave(this.fault);
		this.#abort.abort();
		this.#reader?.cancel().catch(ignore);
	};

	/** Sends the request, up to a body of the right kind. */
	async open(format: Format, options: WireOptions, body: string): Promise<void> {
		const [accept, fits] = ACCEPTS[format.framing];
		const sent = (async () => {
			const { headers: asked = {} } = options;
			const headers: Record<string, string> = {
				'content-type': 'application/json',
				accept,
				...format.headers
			};
			const own = typeof asked === 'function' ? await asked() : asked;
			for (const [name, value] of Object.entries(own)) headers[name.toLowerCase()] = value;
			if (this.fault) throw this.fault;
			const { signal } = this.#abort;
			try {
				return await (options.fetch ?? fetch)(options.url, { method: 'POST', headers, body, signal });
			} catch (error) {
				throw isAddress(options.url) ? error : new Fault('url', NO_ADDRESS);
			}
		})();
		// One that comes too late is not left open.
		sent.then((late) => this.fault && late.body?.cancel()).catch(ignore);
		const response = await this.within(sent);
		const { headers, ok, status } = response;
		const type = headers.get('content-type') ?? '';
		if (ok && (type === '' || fits.test(type))) {
			if (!response.body) throw new Fault('truncated', 'The answer has no body.');
			this.#reader = response.body.getReader();
			return;
		}
		const excerpt = await this.#excerpt(response);
		const { error, message = error } = objectOf(excerpt);
		// An error that is called a success is an error all the same.
		if (ok && error) throw reported(error);
		const why = isObject(error) ? (error.message ?? error.text) : message;
		const told = `The server ${ok ? `sent ${type}` : `answered ${status}`}. ${typeof why === 'string' ? why : excerpt}`;
		throw new Fault(ok ? 'content-type' : 'http', told.trim(), {
			retryable: status === 408 || status === 429 || status >= 500,
			afterMs: ok ? undefined : retryAfter(headers)
		});
	}

	/** @returns undefined at the end of the stream */
	async next(mostMs: number): Promise<Uint8Array | undefined> {
		return (await this.within(this.#reader!.read(), mostMs)).value;
	}

	/** Waits, but not for ever, and not after the end. */
	within<T>(promise: Promise<T>, ms = this.idleMs): Promise<T> {
		return new Promise((resolve, reject) => {
			this.#leave = reject;
			if (this.fault) reject(this.fault);
			else
				this.#timer = setTimeout(
					() => this.end(new Fault('network', `Nothing came for ${ms} ms.`)),
					Math.min(ms, LONGEST_MS)
				);
			promise
				.finally(() => clearTimeout(this.#timer))
				.then(resolve, (error: unknown) =>
					reject(error instanceof Fault ? error : new Fault('network', said(error)))
				);
		});
	}

	/** The beginning of the body of an answer that is not the one asked for. */
	async #excerpt({ body }: Response): Promise<string> {
		const decoder = new TextDecoder();
		let read = '';
		try {
			const reader = (this.#reader = body!.getReader());
			this.#timer = setTimeout(() => reader.cancel().catch(ignore), GRACE_MS);
			while (read.length < EXCERPT) {
				const { done, value } = await reader.read();
				if (done) break;
				read += decoder.decode(value, { stream: true });
			}
		} catch {
			// What there is has to do.
		}
		clearTimeout(this.#timer);
		return read.trim();
	}
}

/** Without the address itself: it may hold a key. */
const NO_ADDRESS =
	'The option `url` is no address that can be asked from here. Outside a page it has to be whole, with "https://" and the host.';

/** Whether a request could be made of it at all. Asked only where one failed, for a `fetch` of the app may know paths. */
function isAddress(url: string | URL): boolean {
	try {
		// "localhost:11434/…" parses, under a scheme of that name.
		return !/^[\w.-]+:\d/.test(new Request(url).url);
	} catch {
		return false;
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

/** Milliseconds, seconds or a date, as milliseconds from now. @see RFC 9110, section 10.2.3 */
function retryAfter(headers: Headers): number | undefined {
	const after = headers.get('retry-after') || 'unsaid';
	const ms = Number(headers.get('retry-after-ms')) || Number(after) * 1_000 || Date.parse(after) - Date.now();
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
