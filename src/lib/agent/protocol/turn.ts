import type { Actor } from '../../actor/actor.js';
import type { JSONValue, Reason } from './words.js';

/**
 * What the engine knows of a model: one request in, one stream of events out. Wire formats live in adapters alone.
 * `open` makes exactly one request; the engine retries. After abort the last event is `error` with code `aborted`.
 * @since 0.1.0
 */
export interface AgentTransport {
	readonly name: string;
	open(request: TurnRequest, signal: AbortSignal): AsyncIterable<TurnEvent>;
}

/** One request to a model. @since 0.1.0 */
export interface TurnRequest {
	run: string;
	turn: string;
	thread: string;
	system: string;
	messages: readonly TurnMessage[];
	/** The read snapshot, rendered; always the last block sent, so that everything before it can be cached. */
	context: string;
	tools: readonly Tool[];
	limits: { outputTokens?: number };
	resume?: readonly { interrupt: string; status: 'resolved' | 'cancelled'; payload?: JSONValue }[];
	/** The state shared with the agent behind this very transport, as it was last; no other one is given it. */
	state?: JSONValue;
	/** That state went out of step: all of it is to be sent anew. */
	resync?: true;
}

/** One tool per (kind, act), with the mounted instances as an enum argument; control acts have no `kind`. @since 0.1.0 */
export interface Tool {
	name: string;
	description: string;
	schema: Record<string, unknown>;
	kind?: string;
	act?: string;
	instances?: readonly string[];
}

/** History, closed by construction: every call has exactly one result, directly behind it. @since 0.1.0 */
export type TurnMessage =
	| { role: 'user'; from: Actor; text: string }
	| {
			role: 'assistant';
			text: string;
			calls: readonly { id: string; name: string; /** raw text, as sent */ args: string }[];
			echo?: JSONValue;
	  }
	| {
			role: 'result';
			call: string;
			name: string;
			content: JSONValue;
			performative: 'inform' | 'refuse' | 'failure' | 'cancel';
	  };

/** Tokens of one turn. `input` includes cache figures, `output` includes reasoning. @since 0.1.0 */
export interface Usage {
	input: number;
	cacheRead?: number;
	cacheWrite?: number;
	output: number;
	reasoning?: number;
	/** In the app's currency. */
	cost?: number;
	/** The figures are our own estimate. */
	estimated?: boolean;
}

/** The one event contract every adapter translates to; exactly one of `end` and `error` on every path. @since 0.1.0 */
export type TurnEvent =
	| { type: 'text'; delta: string }
	| { type: 'reasoning'; delta?: string; echo?: JSONValue }
	| { type: 'call.start'; id: string; name: string; executed?: 'here' | 'there' }
	| { type: 'call.args'; id: string; delta: string }
	| { type: 'call.end'; id: string; verdict: 'complete' | 'incomplete' | 'invalid'; raw: string }
	| { type: 'call.result'; id: string; content: JSONValue; failed?: boolean }
	| { type: 'state.snapshot'; state: JSONValue; revision?: number }
	| { type: 'state.delta'; patch: JSONValue; revision?: number }
	| { type: 'activity'; id: string; kind: string; content: JSONValue }
	| { type: 'source'; url: string; title?: string }
	| {
			type: 'interrupt';
			id: string;
			reason: string;
			text?: string;
			call?: string;
			schema?: Record<string, unknown>;
			expiresAt?: number;
	  }
	| { type: 'refusal'; category: string; text: string }
	| { type: 'usage'; usage: Usage }
	| { type: 'custom'; name: string; value: JSONValue }
	| { type: 'end'; reason: EndReason; raw?: string }
	| { type: 'error'; reason: Reason; retryable: boolean; afterMs?: number };

/** How a turn ended. By precedence: refusal, interrupt, pause, length or filter, calls, stop. @since 0.1.0 */
export type EndReason = 'stop' | 'calls' | 'length' | 'refusal' | 'pause' | 'filter' | 'interrupt';

/**
 * Paint for the UI: a turn's events with run, turn and the seq of the record they follow. `paint` is what a participant was
 * told to show of a step that is not done; `partial` is null where that was taken away.
 * @since 0.1.0
 */
export type AgentEvent = { run: string; turn: string; after: number } & (
	TurnEvent | { type: 'paint'; step: string; partial: JSONValue }
);
