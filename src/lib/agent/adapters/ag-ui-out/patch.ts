import type { JSONValue } from '../../protocol/words.js';
import type { AgUiPatch } from './event.js';

type Branch = { readonly [key: string]: JSONValue } | readonly JSONValue[];

const isBranch = (value: JSONValue | undefined): value is Branch =>
	typeof value === 'object' && value !== null;

const has = (value: Branch, key: string) => Object.hasOwn(value, key);

const at = (value: Branch, key: string) => (value as Readonly<Record<string, JSONValue>>)[key];

/**
 * What turns one value into another, as a JSON Patch: leaf by leaf, lists by place. Keys are of our own making, so that no
 * path needs an escape.
 */
export function patch(before: JSONValue, after: JSONValue, path: string, out: AgUiPatch[] = []): AgUiPatch[] {
	if (before === after) return out;
	if (!isBranch(before) || !isBranch(after) || Array.isArray(before) !== Array.isArray(after)) {
		out.push({ op: 'replace', path, value: after });
		return out;
	}
	for (const key of Object.keys(after)) {
		const value = at(after, key)!;
		if (has(before, key)) patch(at(before, key)!, value, `${path}/${key}`, out);
		else out.push({ op: 'add', path: `${path}/${key}`, value });
	}
	// From the end, so that no place moves before it is taken away.
	for (const key of Object.keys(before).reverse())
		if (!has(after, key)) out.push({ op: 'remove', path: `${path}/${key}` });
	return out;
}
