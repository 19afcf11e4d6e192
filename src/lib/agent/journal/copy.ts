import { isLabelled } from '../protocol/labelled.js';
import type { JSONValue, Label, Reason } from '../protocol/words.js';

/** Deepest nesting of lists and objects that is taken over. */
const MAX_DEPTH = 200;

/** Where something stands in a value: keys and indexes from the top. @since 0.1.0 */
export type Path = readonly (string | number)[];

/** A copy, or why there is none (`not-json`, the text names the path and the cure). @since 0.1.0 */
export type Copied = { ok: true; value: JSONValue } | { ok: false; reason: Reason };

/**
 * Takes a JSON copy of anything: plain values, frozen ones, `$state` proxies (which can be neither frozen nor cloned). Only
 * the copy is frozen, the source is left as it is. As in JSON, `undefined` members are dropped and `undefined` in a list is
 * `null`; so is `undefined` itself, and `-0` is `0`. Everything else that JSON cannot carry is refused, never bent: functions,
 * symbols, bigint, NaN and infinities, dates, maps, sets and other class instances, cycles, nesting over 200, and getters
 * or proxies that throw. An own key `__proto__` stays a key.
 * @param onpart told of each part marked by `labelled`, with its path in the copy, in reading order
 * @since 0.1.0
 */
export function copyJSON(value: unknown, onpart?: (path: Path, label: Partial<Label>) => void): Copied {
	const path: (string | number)[] = [];
	const above = new Set<object>();
	try {
		return { ok: true, value: take(value, path, above, onpart) ?? null };
	} catch (error) {
		// The path stands where the walk broke off.
		const where = path.length === 0 ? 'The value' : `"${pathText(path)}"`;
		const text =
			error instanceof NotJSON ? `${where} ${error.message}` : `${where} cannot be read: ${faultText(error)}`;
		return { ok: false, reason: { code: 'not-json', text } };
	}
}

class NotJSON extends Error {}

function take(
	value: unknown,
	path: (string | number)[],
	above: Set<object>,
	onpart: ((path: Path, label: Partial<Label>) => void) | undefined
): JSONValue | undefined {
	switch (typeof value) {
		case 'string':
		case 'boolean':
		case 'undefined':
			return value;
		case 'number':
			if (!Number.isFinite(value)) throw new NotJSON(`is ${value}; give null or leave it out`);
			// JSON knows one zero.
			return value + 0;
		case 'object':
			break;
		default:
			throw new NotJSON(`is a ${typeof value}, which JSON cannot carry; give text, a number or leave it out`);
	}
	if (value === null) return null;
	if (above.has(value)) throw new NotJSON('contains itself; give an id instead of the object');
	if (above.size >= MAX_DEPTH) throw new NotJSON(`is nested deeper than ${MAX_DEPTH}; give a flatter value`);
	above.add(value);
	const copy = takeObject(value, path, above, onpart);
	above.delete(value);
	return copy;
}

function takeObject(
	value: object,
	path: (string | number)[],
	above: Set<object>,
	onpart: ((path: Path, label: Partial<Label>) => void) | undefined
): JSONValue | undefined {
	if (isLabelled(value)) {
		onpart?.([...path], value.label);
		return take(value.value, path, above, onpart);
	}
	if (Array.isArray(value)) {
		const list: JSONValue[] = [];
		for (let i = 0; i < value.length; i++) {
			path.push(i);
			list.push(take(value[i], path, above, onpart) ?? null);
			path.pop();
		}
		return Object.freeze(list);
	}
	const prototype: unknown = Object.getPrototypeOf(value);
	// Plain objects of another window have another Object.prototype, but it is a root as well.
	if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw new NotJSON(instanceText(value));
	const copy: Record<string, JSONValue> = {};
	for (const key of Object.keys(value)) {
		path.push(key);
		const member = take((value as Record<string, unknown>)[key], path, above, onpart);
		path.pop();
		if (member === undefined) continue;
		if (key === '__proto__')
			Object.defineProperty(copy, key, {
				value: member,
				enumerable: true,
				configurable: true,
				writable: true
			});
		else copy[key] = member;
	}
	return Object.freeze(copy);
}

function instanceText(value: object): string {
	if (value instanceof Date) return 'is a Date; give its ISO text (date.toISOString())';
	if (value instanceof Map) return 'is a Map; give an object (Object.fromEntries(map))';
	if (value instanceof Set) return 'is a Set; give a list ([...set])';
	const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name;
	const what = typeof name === 'string' && name !== '' ? `an instance of ${name}` : 'a class instance';
	return `is ${what}; give a plain object with the fields that matter`;
}

/** A path as text: `items/0/name`, with `~` and `/` inside a key written `~0` and `~1`. @since 0.1.0 */
export const pathText = (path: Path): string =>
	path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('/');

/** What a thrown value says, even if it is no error or its text cannot be read. @internal */
export function faultText(error: unknown): string {
	try {
		return error instanceof Error ? error.message || error.name : String(error);
	} catch {
		return 'an unreadable error';
	}
}

/**
 * Freezes plain data through and through, in place, and gives it back. An object that is frozen already counts as frozen whole
 * (records share their parts): data from outside goes through {@link copyJSON} first.
 * @since 0.1.0
 */
export function deepFreeze<T>(value: T): T {
	if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
	Object.freeze(value);
	for (const key of Object.keys(value)) deepFreeze((value as Record<string, unknown>)[key]);
	return value;
}
