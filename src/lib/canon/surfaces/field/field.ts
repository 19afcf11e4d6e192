import type { JSONValue } from '../../../agent/protocol/words.js';

export { keyInWords } from '../../../langs/key-in-words.js';

/** One choice of a field. */
export interface Choice {
	value: JSONValue;
	label: string;
}

/** One thing to fill in, whatever it is for. @since 0.1.0 */
export interface Field {
	/** Key or path of the value; empty when there is but one. */
	key: string;
	label: string;
	hint?: string;
	required: boolean;
	kind: 'text' | 'long' | 'number' | 'whole' | 'yes-no' | 'one-of' | 'some-of' | 'json';
	/** `type` of the input, for texts. */
	input: 'text' | 'email' | 'url' | 'date' | 'datetime-local' | 'time';
	choices: readonly Choice[];
	minLength?: number;
	maxLength?: number;
}

/** What a person put into a field: text, a tick, the places of the chosen choices. */
export type Entry = string | boolean | readonly number[];

/** What stands under a key itself: a key that a stranger chose may be the name of something every object has. */
export const ownOf = <T>(of: Readonly<Record<string, T>>, key: string): T | undefined =>
	Object.hasOwn(of, key) ? of[key] : undefined;

/** The value a text stands for; undefined where it stands for none. */
export function valueOf(kind: string, text: string): JSONValue | undefined {
	if (kind === 'number' || kind === 'whole') {
		// Number('') is 0, which nobody typed.
		const number = text.trim() === '' ? NaN : Number(text);
		return Number.isFinite(number) ? number : undefined;
	}
	if (kind !== 'json') return text;
	try {
		return JSON.parse(text) as JSONValue;
	} catch {
		return undefined;
	}
}
