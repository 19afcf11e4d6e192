import type { Reason } from '../agent/protocol/words.js';

/** Everything a relay refuses, with the status and the words it is answered with. @internal */
export const RELAY = {
	method: [405, 'Only POST is answered here.'],
	origin: [403, 'This origin may not use the relay.'],
	'content-type': [415, 'The request has to be application/json, not encoded any further.'],
	'too-large': [413, 'The request is too large.'],
	denied: [403, 'This was not admitted.'],
	rate: [429, 'Too many requests. Try again later.'],
	slow: [408, 'The request did not arrive in time.'],
	json: [400, 'The request is not a JSON object.'],
	depth: [400, 'The request is nested too deeply.'],
	field: [403, 'This field may not be sent.'],
	model: [403, 'This model may not be asked.'],
	tool: [403, 'Only tools that the page runs itself may be offered.'],
	reference: [403, 'Nothing that is stored at the provider may be named.'],
	aborted: [499, 'The request was given up.'],
	internal: [500, 'The relay is not set up rightly. Its report says why.'],
	unreachable: [502, 'The provider could not be reached.'],
	redirect: [502, 'The provider wants to be asked elsewhere.'],
	answer: [502, 'What answered is not the provider.'],
	silent: [504, 'The provider did not begin to answer in time.'],
	upstream: [502, 'The provider answered with an error.']
} as const satisfies Readonly<Record<string, readonly [status: number, text: string]>>;

/**
 * Why a relay refused: the codes of `{ error: { code, text } }`. `upstream` comes with the provider's own status, every
 * other with the one of the table in the docs.
 * @since 0.1.0
 */
export type RelayCode = keyof typeof RELAY;

/** A refusal, before it is an answer. */
export interface Refusal {
	code: RelayCode;
	status: number;
	text: string;
	/** Milliseconds after which trying again makes sense, or the header as the provider sent it. */
	retryAfter?: number | string;
}

/** A refusal with the words of the table, and what more there is to say. */
export function refusal(code: RelayCode, more?: string, rest: Partial<Refusal> = {}): Refusal {
	const [status, text] = RELAY[code];
	return { code, status, text: more === undefined ? text : `${text} ${more}`, ...rest };
}

/** The answer to a refusal. */
export function refuse({ code, status, text, retryAfter }: Refusal, headers: Headers): Response {
	headers.set('content-type', 'application/json');
	if (code === 'method') headers.set('allow', 'POST');
	if (typeof retryAfter === 'number')
		headers.set('retry-after', `${Math.max(1, Math.ceil(retryAfter / 1000))}`);
	else if (retryAfter !== undefined) headers.set('retry-after', retryAfter);
	const error: Reason = { code, text };
	return new Response(JSON.stringify({ error }), { status, headers });
}
