import { copyJSON, faultText } from '../journal/copy.js';
import type { Kinds, TurnCall } from '../journal/kinds.js';
import { type Code, reason } from '../protocol/codes.js';
import type { Clock } from '../protocol/ports.js';
import type { AgentTransport, TurnEvent, TurnRequest, Usage } from '../protocol/turn.js';
import type { JSONValue, Reason } from '../protocol/words.js';
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
	interrupts: NonNullable<Kinds['turn.closed']['interrupts']>[number][];
}

interface Open {
	call: TurnCall;
	parts: string[];
	ended: boolean;
}

/** What reading needs of its surroundings. */
export interface Listening {
	transport: AgentTransport;
	request: TurnRequest;
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
	const heard: Heard = { text: '', calls: [], interrupts: [] };
	const open = new Map<string, Open>();
	const timers = new AbortController();
	let last = clock.now();
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
				last = clock.now();
				if (!take(heard, open, step.value, about)) continue;
			}
			leave(events);
			break;
		}
	} catch (error) {
		heard.error = signal.aborted ? fault(false, 'aborted') : fault(true, 'transport', faultText(error));
	} finally {
		timers.abort();
	}
	for (const one of open.values()) cut(one);
	return heard;
}

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
	const { code, text } = why ?? {};
	return typeof code === 'string' && typeof text === 'string' ? { code, text } : reason('transport');
};

/** What a wire brings is taken as JSON or not at all. */
const plain = (value: JSONValue): JSONValue => {
	const copy = copyJSON(value);
	return copy.ok ? copy.value : null;
};

/** Figures that can be counted with; others are estimated instead. */
const isUsage = (usage: Usage): boolean =>
	[usage.input, usage.output, usage.cost ?? 0].every((count) => Number.isFinite(count) && count >= 0);

/** An id that no call of the turn has. */
function unused(id: string, calls: readonly TurnCall[]): string {
	let free = id;
	for (let n = 2; calls.some((call) => call.id === free); n++) free = `${id}-${n}`;
	return free;
}

/** Takes in one event. @returns true at the one end */
function take(heard: Heard, open: Map<string, Open>, event: TurnEvent, about: Listening): boolean {
	let known = event;
	switch (event.type) {
		case 'text':
			heard.text += event.delta;
			break;
		case 'reasoning':
			if (event.echo !== undefined) heard.echo = plain(event.echo);
			break;
		case 'call.start': {
			const { name, executed } = event;
			// An id that comes again names another call: the one before it is what it is by now.
			const before = open.get(event.id);
			if (before) cut(before);
			const id = unused(about.fresh(event.id), heard.calls);
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
				if (!call.there) return false;
				call.result = plain(event.content);
				if (event.failed) call.failed = true;
			} else if (ended) return false;
			else if (event.type === 'call.args') parts.push(event.delta);
			else {
				one.ended = true;
				call.raw = event.raw;
				call.verdict = event.verdict;
			}
			known = { ...event, id: call.id };
			break;
		}
		case 'refusal':
			heard.refusal = reason('model-refused', event.text || undefined, { category: event.category });
			break;
		case 'interrupt': {
			const { id, reason: why, text = why, schema: given, expiresAt } = event;
			const schema = given && (plain(given as JSONValue) as Record<string, unknown>);
			heard.interrupts.push({ id, text, schema, expiresAt });
			break;
		}
		case 'usage':
			if (isUsage(event.usage)) heard.usage = { ...event.usage };
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
