import type { Clock } from '../protocol/ports.js';
import type { AgentTransport, TurnEvent, TurnRequest } from '../protocol/turn.js';

/** Of what a recording is made; another version is not played. */
const VERSION = 1;

/** How a recording is made. @since 0.1.0 */
export interface TapOptions {
	/**
	 * Rewrites each text of what is recorded, of the request and of the events; names, ids and kinds stay. So that no secret
	 * stands in two halves, pieces of text that follow each other are recorded as one then, and pieces of arguments not at all:
	 * their whole follows.
	 */
	redact?: (text: string) => string;
	/** Milliseconds of now. @default Date.now */
	now?: () => number;
}

/** How a recording is played. @since 0.1.0 */
export interface ReplayOptions {
	/** @default the name of the transport that was recorded */
	name?: string;
	/** Each event at its time, instead of all at once. @default false */
	paced?: boolean;
	/** Measures the time between events. @default real time */
	clock?: Pick<Clock, 'sleep'>;
}

/** How a stream was over: by itself, because its reader left, or with an exception. */
type Close = 'end' | 'left' | 'threw';

/** What of an event or a message is structure, and tells nothing. */
const STRUCTURE = new Set([
	...['type', 'role', 'id', 'run', 'turn', 'thread', 'call', 'name', 'kind', 'act', 'instances', 'verdict'],
	...['executed', 'performative', 'code', 'category', 'interrupt', 'status', 'schema']
]);
/** What consists of such parts. */
const PARTS = new Set(['messages', 'calls', 'tools', 'resume', 'reason']);

/**
 * Records what goes through a transport, one line of JSON for the version, each request and each event with its time. What is
 * recorded with `replay` is a transport again, so that a bug report becomes a test. Headers and keys never enter: a tap stands
 * before the wire. Recording disturbs nothing: a sink that throws, rejects or hangs is not waited for.
 * @param sink takes each line, without its line break
 * @example
 * const lines: string[] = []
 * const transport = tap(openai({ url: '/api/agent' }), (line) => lines.push(line))
 * @since 0.1.0
 */
export function tap(
	transport: AgentTransport,
	sink: (line: string) => unknown,
	options: TapOptions = {}
): AgentTransport {
	let opened = 0;
	const hand = (line: string): void => {
		try {
			const taken = sink(line) as PromiseLike<unknown> | undefined;
			if (typeof taken?.then === 'function') taken.then(undefined, () => undefined);
		} catch {
			// Who records is not who runs.
		}
	};
	return {
		name: transport.name,
		open(request, signal) {
			if (opened === 0) hand(JSON.stringify({ tap: VERSION, transport: transport.name }));
			const recorder = new Recorder(opened, hand, options);
			opened += 1;
			recorder.request(request);
			const events = transport.open(request, signal)[Symbol.asyncIterator]();
			return {
				[Symbol.asyncIterator]() {
					return this;
				},
				async next() {
					try {
						const step = await events.next();
						if (step.done) recorder.close('end');
						else recorder.event(step.value);
						return step;
					} catch (error) {
						recorder.close('threw');
						throw error;
					}
				},
				async return() {
					recorder.close('left');
					return (await events.return?.()) ?? { done: true, value: undefined };
				}
			} satisfies AsyncIterableIterator<TurnEvent>;
		}
	};
}

/** Writes down one stream. */
class Recorder {
	readonly #open: number;
	readonly #hand: (line: string) => void;
	readonly #redact: TapOptions['redact'];
	readonly #now: () => number;
	readonly #start: number;
	/** Pieces of text that wait for the next. */
	#held: { ms: number; type: 'text' | 'reasoning'; parts: string[] } | undefined;
	#isOver = false;

	constructor(open: number, hand: (line: string) => void, { redact, now = Date.now }: TapOptions) {
		this.#open = open;
		this.#hand = hand;
		this.#redact = redact;
		this.#now = now;
		this.#start = now();
	}

	request(request: TurnRequest): void {
		this.#write(() => ({ request: this.#told(request) }));
	}

	event(event: TurnEvent): void {
		const ms = this.#ms();
		const { type } = event;
		if (this.#redact && type === 'call.args') return;
		const isText = type === 'text' || type === 'reasoning';
		if (this.#redact && isText && typeof event.delta === 'string' && !('echo' in event)) {
			if (this.#held?.type !== type) this.#flush();
			this.#held ??= { ms, type, parts: [] };
			this.#held.parts.push(event.delta);
			return;
		}
		this.#flush();
		this.#write(() => ({ ms, event: this.#told(event) }));
	}

	close(how: Close): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.#flush();
		this.#write(() => ({ ms: this.#ms(), close: how }));
	}

	#flush(): void {
		if (!this.#held) return;
		const { ms, type, parts } = this.#held;
		this.#held = undefined;
		this.#write(() => ({ ms, event: this.#told({ type, delta: parts.join('') }) }));
	}

	#ms(): number {
		return this.#now() - this.#start;
	}

	#told(about: object): unknown {
		return this.#redact ? masked(about, this.#redact) : about;
	}

	/** What cannot be written down is told to be lost. */
	#write(line: () => object): void {
		let text: string;
		try {
			text = JSON.stringify({ open: this.#open, ...line() });
		} catch {
			text = JSON.stringify({ open: this.#open, lost: true });
		}
		this.#hand(text);
	}
}

/** The same with its texts rewritten. */
function masked(value: unknown, redact: (text: string) => string, isPart = true): unknown {
	if (typeof value === 'string') return redact(value);
	if (Array.isArray(value)) return value.map((one) => masked(one, redact, isPart));
	if (typeof value !== 'object' || value === null) return value;
	const isKept = (key: string, one: unknown): boolean =>
		isPart && (STRUCTURE.has(key) || (key === 'reason' && typeof one === 'string'));
	return Object.fromEntries(
		Object.entries(value).map(([key, one]) => [
			key,
			isKept(key, one) ? one : masked(one, redact, isPart && PARTS.has(key))
		])
	);
}

/** One stream as it was recorded. */
interface Take {
	steps: { ms: number; event: TurnEvent }[];
	close?: Close | 'broken';
}

const fault = (code: string, text: string, retryable = false): TurnEvent => ({
	type: 'error',
	reason: { code, text },
	retryable
});
const aborted = fault('aborted', 'The request was aborted.');
const isOver = ({ type }: TurnEvent): boolean => type === 'end' || type === 'error';

const realTime: Pick<Clock, 'sleep'> = {
	sleep: (ms, signal) =>
		new Promise((resolve) => {
			const timer = setTimeout(resolve, ms);
			signal?.addEventListener('abort', () => {
				clearTimeout(timer);
				resolve();
			});
		})
};

/**
 * A transport that plays a recording: the first request hears the first stream, the next one the next. What cannot be played,
 * because a line is broken, the version is another or the end is missing, is an error event in its place; nothing is thrown.
 * @param recording what a sink was given: the lines, or one text with a line break after each
 * @example
 * const transport = replay(await readFile('report.jsonl', 'utf8'))
 * @since 0.1.0
 */
export function replay(recording: string | Iterable<string>, options: ReplayOptions = {}): AgentTransport {
	const { paced = false, clock = realTime } = options;
	const { name, takes, trouble } = read(typeof recording === 'string' ? recording.split('\n') : recording);
	let opened = 0;
	return {
		name: options.name ?? name,
		async *open(_request, signal) {
			const index = opened;
			opened += 1;
			const take = takes[index];
			let passed = 0;
			for (const { ms, event } of take?.steps ?? []) {
				if (paced && ms > passed) await clock.sleep(ms - passed, signal).catch(() => undefined);
				passed = ms;
				if (signal.aborted) return yield aborted;
				yield event;
				if (isOver(event)) return;
			}
			if (signal.aborted) yield aborted;
			else if (trouble !== undefined) yield fault('protocol', trouble);
			else if (!take) yield fault('protocol', `The recording has no request ${index + 1}.`);
			else if (take.close === 'broken') yield fault('protocol', 'A line of the recording is broken.');
			else if (take.close === 'threw') yield fault('network', 'The transport that was recorded threw.', true);
			// Whoever was heard to its end without one plays without one.
			else if (take.close !== 'end')
				yield fault('truncated', 'The recording breaks off here.', take.close === 'left');
		}
	};
}

/** A line as an object; anything else is a broken one. */
function objectOf(line: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return typeof value === 'object' && value !== null && !Array.isArray(value)
			? (value as Record<string, unknown>)
			: undefined;
	} catch {
		return undefined;
	}
}

function read(lines: Iterable<string>): { name: string; takes: Take[]; trouble?: string } {
	const takes: Take[] = [];
	let name: string | undefined;
	/** Of this part of the recording, by their number: several may stand behind each other. */
	let open = new Map<unknown, Take>();
	/** Since a line is broken, nobody knows what was begun there. */
	let isBroken = false;
	for (const text of lines) {
		if (text.trim() === '') continue;
		const line = objectOf(text);
		if (line && 'tap' in line) {
			if (line.tap !== VERSION)
				return {
					name: 'replay',
					takes: [],
					trouble: `The recording is of version ${JSON.stringify(line.tap)}.`
				};
			if (typeof line.transport === 'string') name ??= line.transport;
			open = new Map();
			isBroken = false;
			continue;
		}
		if (name === undefined) return { name: 'replay', takes: [], trouble: 'This is no recording.' };
		let take = open.get(line?.open);
		if (line && 'request' in line && !take) {
			takes.push((take = { steps: [] }));
			open.set(line.open, take);
			continue;
		}
		const { ms, event, close } = line ?? {};
		const isEvent =
			typeof ms === 'number' && typeof (event as Partial<TurnEvent> | null | undefined)?.type === 'string';
		if (!take && isEvent && isBroken) {
			takes.push((take = { steps: [], close: 'broken' }));
			open.set(line?.open, take);
		} else if (take && isEvent) {
			if (!take.close) take.steps.push({ ms, event: event as TurnEvent });
		} else if (take && (close === 'end' || close === 'left' || close === 'threw')) take.close ??= close;
		else if (take) take.close ??= 'broken';
		else {
			// It may have been of any that is not over.
			isBroken = true;
			for (const one of open.values()) one.close ??= 'broken';
		}
	}
	return { name: name ?? 'replay', takes, ...(name === undefined && { trouble: 'This is no recording.' }) };
}
