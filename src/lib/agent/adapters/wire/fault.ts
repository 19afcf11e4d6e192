import type { TurnEvent } from '../../protocol/turn.js';

/**
 * Why a wire failed. `aborted`: by the signal; `network`: no connection, lost or silent; `truncated`: it ended without an end;
 * `protocol`: not the wire we know; `content-type`: another kind of answer; `http`: the server answered with an error;
 * `provider`: it reported an error in the stream; `cancelled-there`: somebody ended it over there; `url`: the option of that
 * name is no address.
 * @since 0.1.0
 */
export type WireCode =
	| 'aborted'
	| 'network'
	| 'truncated'
	| 'protocol'
	| 'content-type'
	| 'http'
	| 'provider'
	| 'cancelled-there'
	| 'url';

/** The one event of a turn that failed. @internal */
export type ErrorEvent = Extract<TurnEvent, { type: 'error' }>;

const RETRYABLE = new Set<WireCode>(['network', 'truncated']);

/** Longest text of a fault that comes from outside, in characters. */
const LONGEST = 500;

/**
 * Ends the reading of a turn from wherever it is thrown; never leaves `open()`.
 * @internal
 */
export class Fault extends Error {
	readonly event: ErrorEvent;

	/** @param more `retryable` by default as the code says; `afterMs`: how long to wait, in milliseconds */
	constructor(
		code: WireCode,
		text: string,
		more: { retryable?: boolean; afterMs?: number | undefined } = {}
	) {
		super(text);
		const { retryable = RETRYABLE.has(code), afterMs } = more;
		const told = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
		this.event = {
			type: 'error',
			reason: { code, text: told },
			retryable,
			...(afterMs === undefined ? undefined : { afterMs })
		};
	}
}
