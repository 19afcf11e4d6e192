import type { TurnMessage, TurnRequest } from '../../protocol/turn.js';
import type { JSONValue } from '../../protocol/words.js';

type Assistant = Extract<TurnMessage, { role: 'assistant' }>;
type User = Extract<TurnMessage, { role: 'user' }>;
type Result = Extract<TurnMessage, { role: 'result' }>;

/** Is it an object, as JSON knows one? @internal */
export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The arguments of a call in the history as an object: providers take nothing else, and a cut text is none. @internal */
export function argsOf(raw: string): Record<string, unknown> {
	try {
		const value: unknown = JSON.parse(raw);
		return isObject(value) ? value : {};
	} catch {
		return {};
	}
}

/** A result as text. @internal */
export const textOf = (content: JSONValue): string =>
	typeof content === 'string' ? content : JSON.stringify(content);

/** A result as text; one that did not come about says so first, where the wire has no sign for that. @internal */
export const toldOf = ({ performative, content }: Result): string =>
	performative === 'inform' ? textOf(content) : `${performative}: ${textOf(content)}`;

/** What users say, each under a name as soon as more than one of them speaks. @internal */
export function speech(messages: readonly TurnMessage[]): (message: User) => string {
	const speakers = new Set(messages.flatMap((one) => (one.role === 'user' ? [one.from.id] : [])));
	return ({ from, text }) => (speakers.size > 1 ? `${from.name ?? from.id}: ${text}` : text);
}

/** What this adapter asked to have back with a message; an echo of another adapter is left out. @internal */
export function echoOf({ echo }: Assistant, by: string): JSONValue | undefined {
	return isObject(echo) && echo.by === by ? (echo.value as JSONValue) : undefined;
}

/** Does the request go on after a pause? Then the context was sent, and nothing new came since. @internal */
export const isContinued = ({ messages }: TurnRequest): boolean => messages.at(-1)?.role === 'assistant';
