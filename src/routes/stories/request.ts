import type { TurnRequest } from '$agent/index.js';

/** Turns this run has had. */
export const turnsSoFar = ({ messages }: TurnRequest): number =>
	messages.filter(({ role }) => role === 'assistant').length;

/** The person's own words. */
export const goalOf = ({ messages }: TurnRequest): string =>
	messages.flatMap((message) => (message.role === 'user' ? [message.text] : [])).join('\n');

/** What became of the calls so far: only `inform` has happened. */
export function tally({ messages }: TurnRequest): { done: number; other: number } {
	const results = messages.flatMap((message) => (message.role === 'result' ? [message.performative] : []));
	const done = results.filter((performative) => performative === 'inform').length;
	return { done, other: results.length - done };
}

/** A sentence in the pieces a model would send. */
export const words = (text: string): string[] => text.match(/\S+\s*/g) ?? [];

/** The value of one read, as the context shows it: a line of JSON in a fence of its own. Undefined where it is not shown. */
export function shown({ context }: TurnRequest, address: string): unknown {
	const lines = context.split('\n');
	const begin = lines.findIndex((line) => line.includes(`begin ${address}`));
	const body = begin < 0 ? undefined : lines.slice(begin + 1).find((line) => /^["{[]/.test(line));
	return body === undefined ? undefined : JSON.parse(body);
}
