import { copyJSON, faultText } from '../journal/copy.js';
import type { Kinds, TurnCall } from '../journal/kinds.js';
import { reason } from '../protocol/codes.js';
import type { Clock } from '../protocol/ports.js';
import type { AgentTransport, TurnEvent, TurnRequest, Usage } from '../protocol/turn.js';
import type { JSONValue, Reason } from '../protocol/words.js';

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

const broken = (code: 'truncated' | 'network' | 'transport', text?: string): Heard['error'] => ({
	reason: reason(code, text),
	retryable: true
});

/**
 * Reads one turn to its one end. Whatever a transport does (ends early, never ends, throws, speaks of calls nobody opened,
 * goes on after its end), exactly one verdict comes out and nothing that was heard is lost.
 */
export async function listen(about: Listening): Promise<Heard> {
	const { abort, clock } = about;
	const heard: Heard = { text: '', calls: [], interrupts: [] };
	const open = new Map<string, Open>();
	let stop: (why: 'silence' | 'time' | 'abort') => void;
	const stopped = new Promise<'silence' | 'time' | 'abort'>((resolve) => (stop = resolve));
	const timers = new AbortController();
	const alarm = (ms: number, why: 'silence' | 'time') =>
		Number.isFinite(ms) &&
		clock.sleep(ms, timers.signal).then(
			() => stop(why),
			() => undefined
		);
	abort.signal.addEventListener('abort', () => stop('abort'), { once: true });
	if (abort.signal.aborted) stop!('abort');
	alarm(about.leftMs, 'time');
	let last = clock.now();
	const watch = (): void => {
		clock.sleep(Math.max(1, last + about.silenceMs - clock.now()), timers.signal).then(
			() => (clock.now() - last >= about.silenceMs ? stop('silence') : watch()),
			() => undefined
		);
	};
	watch();
	try {
		const events = about.transport.open(about.request, abort.signal)[Symbol.asyncIterator]();
		for (;;) {
			const step = await Promise.race([events.next(), stopped]);
			if (typeof step === 'string') {
				if (step === 'silence') heard.error = broken('network');
				else if (step === 'time') heard.error = { reason: reason('budget.ms'), retryable: false };
				else heard.error = { reason: reason('aborted'), retryable: false };
				abort.abort(heard.error!.reason);
				leave(events);
				break;
			}
			if (step.done) {
				heard.error = broken('truncated');
				break;
			}
			last = clock.now();
			const event = step.value;
			if (take(heard, open, event, about)) {
				leave(events);
				break;
			}
		}
	} catch (error) {
		heard.error = abort.signal.aborted
			? { reason: reason('aborted'), retryable: false }
			: broken('transport', faultText(error));
	} finally {
		timers.abort();
	}
	// What nobody closed was cut.
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
	switch (event.type) {
		case 'text':
			heard.text += event.delta;
			break;
		case 'reasoning':
			if (event.echo !== undefined) heard.echo = plain(event.echo);
			break;
		case 'call.start': {
			const here = event.executed !== 'there' && about.request.tools.some(({ name }) => name === event.name);
			// An id that comes again names another call: the one before it is what it is by now.
			const before = open.get(event.id);
			if (before) cut(before);
			const call: TurnCall = {
				id: unused(about.fresh(event.id), heard.calls),
				name: event.name,
				raw: '',
				verdict: 'incomplete',
				// Over there, or nowhere: an unknown tool that says nothing of itself is refused here.
				...(event.executed === 'there' && !here ? { there: true as const } : {})
			};
			heard.calls.push(call);
			open.set(event.id, { call, parts: [], ended: false });
			about.tell({ ...event, id: call.id });
			return false;
		}
		case 'call.args': {
			const found = open.get(event.id);
			if (!found || found.ended) return false;
			found.parts.push(event.delta);
			about.tell({ ...event, id: found.call.id });
			return false;
		}
		case 'call.end': {
			const found = open.get(event.id);
			if (!found || found.ended) return false;
			found.ended = true;
			found.call.raw = event.raw;
			found.call.verdict = event.verdict;
			about.tell({ ...event, id: found.call.id });
			return false;
		}
		case 'call.result': {
			const call = open.get(event.id)?.call;
			if (!call?.there) return false;
			call.result = plain(event.content);
			if (event.failed) call.failed = true;
			about.tell({ ...event, id: call.id });
			return false;
		}
		case 'refusal':
			heard.refusal = reason('model-refused', event.text || undefined, { category: event.category });
			break;
		case 'interrupt': {
			const { id, reason: why, text = why, schema, expiresAt } = event;
			heard.interrupts.push({
				id,
				text,
				schema: schema && (plain(schema as JSONValue) as Record<string, unknown>),
				expiresAt
			});
			break;
		}
		case 'usage':
			if (isUsage(event.usage)) heard.usage = { ...event.usage };
			break;
		case 'end':
			heard.end = heard.interrupts.length > 0 ? 'interrupt' : event.reason;
			about.tell(event);
			return true;
		case 'error':
			heard.error = {
				reason: told(event.reason),
				retryable: event.retryable === true,
				afterMs: Number.isFinite(event.afterMs) ? Math.max(0, event.afterMs!) : undefined
			};
			about.tell(event);
			return true;
	}
	about.tell(event);
	return false;
}
