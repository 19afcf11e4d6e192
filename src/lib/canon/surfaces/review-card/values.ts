import type { JSONValue } from '../../../agent/protocol/words.js';

/** Is there nothing to show? */
export const isEmpty = (value: JSONValue): boolean => value === null || value === '';

/** An exact value as text: nothing rounded, nothing shortened. What a person approves is what stands here. */
export function textValue(value: JSONValue, words: { yes: string; no: string }): string {
	if (typeof value === 'boolean') return value ? words.yes : words.no;
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
