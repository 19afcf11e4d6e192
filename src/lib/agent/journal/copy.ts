import { isLabelled } from '../protocol/labelled.js';
import type { JSONValue, Label, Reason } from '../protocol/words.js';

/** Deepest nesting of lists and objects that is taken over. */
const MAX_DEPTH = 200;

/** Where something stands in a value: keys and indexes from the top. @since 0.1.0 */
export type Path = readonly (string | number)[];

/** A copy, or why there is none (`not-json`, the text names the path). @since 0.1.0 */
export type Copied = { ok: true; value: JSONValue } | { ok: false; reason: Reason };

/**
 * Takes a JSON copy of anything: plain values, frozen ones, `$state` proxies (which can be neither frozen nor cloned). Only
 * the copy is frozen, the source is left as it is. As in JSON, `undefined` members are dropped and `undefined` in a list is
 * `null`; so is `undefined` itself, and `-0` is `0`. Everything else that JSON cannot carry is refused, never bent: functions,
 * symbols, bigint, NaN and infinities, dates, maps, sets and other class instances, cycles, nesting over 200, and getters
 * or proxies that throw. An own key `__proto__` stays a key.
 * @param onpart told of each part marked by `labelled`, with its path in the copy, in reading order
 * @param strict for what is going to be carried out: refuses too what would not stay what it was. Getters, holes and `undefined`
 * in lists, keys that are symbols or `__proto__`, halves of characters
 * @since 0.1.0
 */
export function copyJSON(
	value: unknown,
	onpart?: (path: Path, label: Partial<Label>) => void,
	strict = false
): Copied {
	const path: (string | number)[] = [];
	const above = new Set<object>();

	const member = (holder: object, key: string | number): JSONValue | undefined => {
		path.push(key);
		if (strict) sound(holder, key);
		const copy = take((holder as Record<string | number, unknown>)[key]);
		path.pop();
		return copy;
	};
	const take = (value: unknown): JSONValue | undefined => {
		if (strict && typeof value === 'string' && HALF.test(value)) no('half a character');
		if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean')
			return value;
		// JSON knows one zero.
		if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : no(String(value));
		if (typeof value !== 'object') return no(`a ${typeof value}`);
		if (above.has(value)) return no('a circle');
		if (above.size >= MAX_DEPTH) return no(`nesting over ${MAX_DEPTH}`);
		above.add(value);
		const copy = takeObject(value);
		above.delete(value);
		return copy;
	};
	const takeObject = (value: object): JSONValue | undefined => {
		if (isLabelled(value)) {
			onpart?.([...path], value.label);
			return take(value.value);
		}
		if (Array.isArray(value)) {
			const list: JSONValue[] = [];
			for (let i = 0; i < value.length; i++) list.push(member(value, i) ?? null);
			return Object.freeze(list);
		}
		const prototype = Object.getPrototypeOf(value) as object | null;
		// Plain objects of another window have another Object.prototype, but it is a root as well.
		if (prototype && Object.getPrototypeOf(prototype) !== null)
			return no(`an instance of ${String(prototype.constructor?.name)}`);
		if (strict && Object.getOwnPropertySymbols(value).length > 0) no('a symbol as a key');
		const entries: [string, JSONValue][] = [];
		for (const key of Object.keys(value)) {
			const copy = member(value, key);
			if (copy !== undefined) entries.push([key, copy]);
		}
		// Not by assignment: `__proto__` stays a key.
		return Object.freeze(Object.fromEntries(entries));
	};

	try {
		return { ok: true, value: take(value) ?? null };
	} catch (error) {
		// The path stands where the walk broke off.
		const where = path.length === 0 ? 'The value' : `"${pathText(path)}"`;
		return { ok: false, reason: { code: 'not-json', text: `${where}: ${faultText(error)}` } };
	}
}

const no = (what: string): never => {
	throw new Error(`${what} is no JSON`);
};

/** With the flag `u` only those that stand alone match. */
const HALF = /\p{Surrogate}/u;

/** Is a member there, a value by itself, under a name that can be kept? */
function sound(holder: object, key: string | number): void {
	if (key === '__proto__' || HALF.test(String(key))) no('this key');
	const member = Object.getOwnPropertyDescriptor(holder, key);
	if (member?.get ?? member?.set) no('a getter');
	if (Array.isArray(holder) && member?.value === undefined) no('a hole');
}

/** A copy of what is going to be carried out: nothing in it may be bent. @since 0.1.0 */
export const copyArgs = (value: unknown): Copied => copyJSON(value, undefined, true);

/** An object with keys, not a list. @internal */
export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

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
	for (const part of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) deepFreeze(part);
	return value;
}
