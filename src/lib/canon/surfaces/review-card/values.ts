import type { Preview } from '../../../agent/protocol/run-state.js';
import type { JSONValue } from '../../../agent/protocol/words.js';

/** Is there nothing to show? */
export const isEmpty = (value: JSONValue): boolean => value === null || value === '';

/** An exact value as text: nothing rounded, nothing shortened. What a person approves is what stands here. */
export function textValue(value: JSONValue, words: { yes: string; no: string }): string {
	if (typeof value === 'boolean') return value ? words.yes : words.no;
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const isObject = (value: JSONValue | undefined): value is { readonly [key: string]: JSONValue } =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The text of a value that carries one beside what is for machines: a block of a document, or several. Undefined for any
 * other value, a plain text included.
 */
export function textIn(value: JSONValue): string | undefined {
	if (!isObject(value)) return undefined;
	if (typeof value['text'] === 'string') return value['text'];
	const blocks = value['blocks'];
	if (!Array.isArray(blocks)) return undefined;
	const texts = (blocks as readonly JSONValue[]).map((block) => textIn(block));
	return texts.every((text) => text !== undefined) ? texts.join('\n\n') : undefined;
}

/** Does a preview show this value of the arguments as it is? */
export function shownIn(preview: Preview, value: JSONValue): boolean {
	const same = (other: JSONValue) => JSON.stringify(other) === JSON.stringify(value);
	if (preview.kind === 'text') return same(preview.after);
	return preview.kind === 'fields' && preview.fields.some(({ after }) => same(after));
}
