import { copyJSON, faultText, isObject } from '../journal/copy.js';
import type { Kinds, TurnCall } from '../journal/kinds.js';
import { type Code, reason } from '../protocol/codes.js';
import type { Clock } from '../protocol/ports.js';
import type { AgentTransport, TurnEvent, Usage } from '../protocol/turn.js';
import type { JSONValue, Reason } from '../protocol/words.js';
import { words } from './border.js';
import type { SanitisedRequest } from './sanitised.js';
import { type Shared, SharedState } from './shared.js';
import { after, onabort } from './waiting.js';

/** A turn as it came over the wire; without `error` it ended properly. */
export interface Heard {
	text: string;
	calls: TurnCall[];
	end?: Kinds['turn.closed']['end'];
	error?: { reason: Reason; retryable: boolean; afterMs?: number };
	usage?: Usage;
	echo?: JSONValue;
	refusal?: Reason;
	/** Pages that were looked at over there. */
	sources: string[];
	interrupts: NonNullable<Kinds['turn.closed']['interrupts']>[number][];
	/** The state shared with the other side, if anything of it came. */
	shared?: Shared;
}

interface Open {
	call: TurnCall;
	parts: string[];
	ended: boolean;
}

/** What reading needs of its surroundings. */
export interface Listening {
	transport: AgentTransport;
	request: SanitisedRequest;
	/** Aborts the request; silence does so too. */
	abort: AbortController;
	clock: Clock;
	/** Longest silence in milliseconds. */
	silenceMs: number;
	/** Longest the whole may take, in milliseconds. */
	leftMs: number;
	/** Gives a call id that the run has not seen. */
	fresh: (id: string) => string;
	tell: (event: TurnEvent) => void;
	/** What is shared with the other side by now; none if that is not known. */
	shared?: Shared | undefined;
}

type Fault = NonNullable<Heard['error']>;

const fault = (retryable: boolean, code: Code, text?: string): Fault => ({
	reason: reason(code, text),
	retryable
});

/**
 * Reads one turn to its one end. Whatever a transport does (ends early, never ends, throws, speaks of calls nobody opened,
 * goes on after its end), exactly one verdict comes out and nothing that was heard is lost.
 */
export async function listen(about: Listening): Promise<Heard> {
	const { abort, clock, silenceMs, leftMs } = about;
	const { signal } = abort;
	const heard: Heard = { text: '', calls: [], sources: [], interrupts: [] };
	const open = new Map<string, Open>();
	const taken = new Map<string, number>();
	const shared = new SharedState(about.shared);
	const timers = new AbortController();
	let last = clock.now();
	let rested = last;
	const stopped = new Promise<Fault>((resolve) => {
		const watch = (ms: number) =>
			after(clock, ms, timers.signal, () => {
				const left = last + silenceMs - clock.now();
				if (left > 0) watch(left);
				else resolve(fault(true, 'network'));
			});
		onabort(signal, () => resolve(fault(false, 'aborted')));
		if (Number.isFinite(leftMs))
			after(clock, leftMs, timers.signal, () => resolve(fault(false, 'budget.ms')));
		watch(silenceMs);
	});
	try {
		const events = about.transport.open(about.request, signal)[Symbol.asyncIterator]();
		for (;;) {
			const step = await Promise.race([events.next(), stopped]);
			if ('retryable' in step) {
				heard.error = step;
				abort.abort(step.reason);
			} else if (step.done) {
				heard.error = fault(true, 'truncated');
				break;
			} else {
				const now = clock.now();
				if (now - last > BUSY) rested = now;
				last = now;
				const event = plain(step.value);
				const lost = isOfState(event) ? shared.take(event) : undefined;
				const over = lost !== undefined || take(heard, open, taken, event, about);
				// Nothing that was meant for another state may happen to this one.
				if (lost !== undefined) heard.error = fault(true, 'desync', lost);
				if (!over && now - rested > BUSY) {
					// A stream that never waits would starve the page, its timers and the person's stop.
					await clock.sleep(0);
					rested = last = clock.now();
				}
				if (!over) continue;
			}
			leave(events);
			break;
		}
		if (shared.changed && !heard.error) {
			const held = shared.end();
			if (typeof held === 'string') heard.error = fault(true, 'desync', held);
			else heard.shared = held;
		}
	} catch (error) {
		heard.error = signal.aborted ? fault(false, 'aborted') : fault(true, 'transport', faultText(error));
	} finally {
		timers.abort();
	}
	for (const one of open.values()) cut(one);
	return heard;
}

const isOfState = (event: TurnEvent): event is Extract<TurnEvent, { type: `state.${string}` }> =>
	event.type === 'state.snapshot' || event.type === 'state.delta';

/** A stream that ignores its signal, or cannot be closed, is left behind and not waited for. */
function leave(events: AsyncIterator<TurnEvent>): void {
	try {
		events.return?.()?.then(undefined, () => undefined);
	} catch {
		// It has said all it had to say.
	}
}

/** What nobody closed was cut. */
function cut({ call, parts, ended }: Open): void {
	if (!ended) call.raw = parts.join('');
}

/** Why a wire says it failed; one that says nothing sensible failed all the same. */
const told = (why: Reason): Reason => {
	const { code, text } = (why ?? {}) as Partial<Reason>;
	return typeof code === 'string' && typeof text === 'string' ? { code, text } : reason('transport');
};

/** Milliseconds for which a stream may go on without waiting. */
const BUSY = 50;

/** What an event has to say in words, by its type. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
	text: ['delta'],
	'call.start': ['id', 'name'],
	'call.args': ['id', 'delta'],
	'call.end': ['id', 'raw'],
	'call.result': ['id'],
	interrupt: ['id', 'reason'],
	end: ['reason']
};

/** An event as plain data of its own. Members that are no JSON are left out; without what it is about it is no event. */
function plain(event: TurnEvent): TurnEvent {
	const out: Record<string, unknown> = {};
	for (const [key, value] of Object.entries(event)) {
		const copy = typeof value === 'string' ? { ok: true as const, value } : copyJSON(value);
		if (copy.ok && value !== undefined) out[key] = copy.value;
	}
	const missing = ['type', ...((WORDS[out.type as string] ?? []) as string[])].find(
		(key) => typeof out[key] !== 'string'
	);
	if (missing !== undefined) throw new TypeError(`An event came without "${missing}".`);
	return out as TurnEvent;
}

const VERDICTS = new Set<unknown>(['complete', 'incomplete', 'invalid']);

/** Figures that can be counted with; others are estimated instead. */
const isUsage = (usage: Usage): boolean =>
	isObject(usage) &&
	[usage.input, usage.output, usage.cost ?? 0].every((count) => Number.isFinite(count) && count >= 0);

/** An id that no call of the turn has. */
function unused(id: string, taken: Map<string, number>): string {
	let free = id;
	let n = taken.get(id) ?? 1;
	while (taken.has(free)) free = `${id}-${(n += 1)}`;
	// Where the next one of the same name goes on counting.
	taken.set(id, n).set(free, taken.get(free) ?? 1);
	return free;
}

/** Takes in one event. @returns true at the one end */
function take(
	heard: Heard,
	open: Map<string, Open>,
	taken: Map<string, number>,
	event: TurnEvent,
	about: Listening
): boolean {
	let known = event;
	switch (event.type) {
		case 'text':
			heard.text += event.delta;
			break;
		case 'reasoning':
			if (event.echo !== undefined) heard.echo = event.echo;
			break;
		case 'call.start': {
			const { name, executed } = event;
			// An id that comes again names another call: the one before it is what it is by now.
			const before = open.get(event.id);
			if (before) cut(before);
			const id = unused(about.fresh(event.id), taken);
			const call: TurnCall = { id, name, raw: '', verdict: 'incomplete' };
			// An unknown tool that says nothing of itself is refused here.
			if (executed === 'there') call.there = true;
			heard.calls.push(call);
			open.set(event.id, { call, parts: [], ended: false });
			known = { ...event, id };
			break;
		}
		case 'call.args':
		case 'call.end':
		case 'call.result': {
			const one = open.get(event.id);
			if (!one) return false;
			const { call, parts, ended } = one;
			if (event.type === 'call.result') {
				if (!call.there) {
					// One that is over is ours to carry out; until then the wire may say that it was done there.
					if (ended) return false;
					call.there = true;
				}
				call.result = event.content ?? null;
				if (event.failed === true) call.failed = true;
			} else if (ended) return false;
			else if (event.type === 'call.args') parts.push(event.delta);
			else {
				one.ended = true;
				call.raw = event.raw;
				call.verdict = VERDICTS.has(event.verdict) ? event.verdict : 'invalid';
			}
			known = { ...event, id: call.id };
			break;
		}
		case 'source':
			heard.sources.push(words(event.url) ?? '');
			break;
		case 'refusal':
			heard.refusal = reason('model-refused', words(event.text) || undefined, {
				category: words(event.category)
			});
			break;
		case 'interrupt': {
			const { id, reason: why, text, schema, expiresAt } = event;
			heard.interrupts.push({
				id,
				text: words(text) ?? why,
				schema: isObject(schema) ? schema : undefined,
				expiresAt: typeof expiresAt === 'number' ? expiresAt : undefined
			});
			break;
		}
		case 'usage':
			if (isUsage(event.usage)) heard.usage = event.usage;
			break;
		case 'end':
			heard.end = heard.interrupts.length > 0 ? 'interrupt' : event.reason;
			break;
		case 'error': {
			const { reason: why, retryable, afterMs } = event;
			const wait = Number.isFinite(afterMs) ? Math.max(0, afterMs!) : undefined;
			heard.error = { reason: told(why), retryable: retryable === true, afterMs: wait };
		}
	}
	about.tell(known);
	return event.type === 'end' || event.type === 'error';
}
