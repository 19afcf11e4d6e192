import type { JSONValue } from './words.js';

/** What applying patches to one document after the other may go on using. @internal */
export interface Patching {
	/** Lists and objects that were made by it, and that nobody has seen: they are changed in place. */
	readonly own: WeakSet<object>;
	/** How many values may still be copied: a few operations could else double a document again and again. */
	left: number;
}

/** Copies of `copy` a document may grow by, in values. */
const MOST = 100_000;
/** Deepest place that is looked up. */
const DEEPEST = 100;

/** @internal */
export const patching = (): Patching => ({ own: new WeakSet(), left: MOST });

type Holder = JSONValue[] | { [key: string]: JSONValue };

/**
 * Applies a JSON Patch. The document is not changed: what the patch touches is copied on the way, all the rest is shared.
 * @param about goes on from patch to patch of one document, so that a list that is touched often is copied once; without it
 * everything is copied anew
 * @throws {Error} where an operation does not fit; nothing is said of the document then
 * @see RFC 6902, JSON Patch; RFC 6901, JSON Pointer
 * @internal
 */
export function applyPatch(document: JSONValue, patch: JSONValue, about = patching()): JSONValue {
	if (!Array.isArray(patch)) throw new Error('The patch is no list.');
	// The document itself is a member too, so that replacing all of it is no case of its own.
	const root: Holder = { '': document };
	for (const [index, operation] of patch.entries()) {
		try {
			apply(root, operation as JSONValue, about);
		} catch (error) {
			throw new Error(`Operation ${index}: ${(error as Error).message}`, { cause: error });
		}
	}
	return root['']!;
}

function apply(root: Holder, operation: JSONValue, about: Patching): void {
	if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) no('it is no object');
	const member = (key: string): JSONValue => {
		if (!Object.hasOwn(operation, key)) no(`there is no "${key}"`);
		return (operation as Record<string, JSONValue>)[key]!;
	};
	const op = member('op');
	const path = pointer(member('path'));
	switch (op) {
		case 'add':
			return put(root, path, member('value'), about, true);
		case 'replace':
			find(root, path);
			return put(root, path, member('value'), about, false);
		case 'remove':
			return void take(root, path, about);
		case 'test':
			return same(find(root, path), member('value')) ? undefined : no('the test failed');
		case 'copy':
			return put(root, path, clone(find(root, pointer(member('from'))), about), about, true);
		case 'move': {
			const from = pointer(member('from'));
			const inside = from.length < path.length && from.every((token, i) => token === path[i]);
			if (inside) no('nothing moves into itself');
			return put(root, path, take(root, from, about), about, true);
		}
		default:
			return no(`"${String(op)}" is no operation`);
	}
}

function no(why: string): never {
	throw new Error(`${why}.`);
}

/** The steps of a pointer, from the member that is the document. */
function pointer(text: JSONValue): readonly string[] {
	if (typeof text !== 'string' || !/^(?:\/(?:[^~]|~[01])*)?$/s.test(text)) return no('it is no pointer');
	const path = text.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
	return path.length > DEEPEST ? no('the pointer goes too deep') : path;
}

/** The key a step means in a holder, where there may be something new. */
function keyIn(holder: JSONValue, token: string, add: boolean): string | number {
	if (typeof holder !== 'object' || holder === null) return no(`there is nothing at "${token}"`);
	if (!Array.isArray(holder))
		return add || Object.hasOwn(holder, token) ? token : no(`there is no "${token}"`);
	if (add && token === '-') return holder.length;
	const index = /^(?:0|[1-9]\d*)$/.test(token) ? Number(token) : -1;
	return index >= 0 && index < holder.length + (add ? 1 : 0) ? index : no(`there is no place ${token}`);
}

const at = (holder: JSONValue, token: string): JSONValue =>
	(holder as Record<string | number, JSONValue>)[keyIn(holder, token, false)]!;

const find = (root: Holder, path: readonly string[]): JSONValue => path.reduce<JSONValue>(at, root);

/** Not by assignment: any name stays a name. */
function set(holder: Holder, key: string | number, value: JSONValue): void {
	if (key !== '__proto__') (holder as Record<string | number, JSONValue>)[key] = value;
	else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

/** What holds the last step, as one that may be changed. */
function hold(root: Holder, path: readonly string[], { own }: Patching): Holder {
	let holder = root;
	for (const token of path.slice(0, -1)) {
		const key = keyIn(holder, token, false);
		let next = (holder as Record<string | number, JSONValue>)[key] as Holder;
		if (typeof next !== 'object' || next === null) no(`there is nothing under "${token}"`);
		if (!own.has(next)) {
			next = Array.isArray(next) ? next.slice() : { ...next };
			own.add(next);
			set(holder, key, next);
		}
		holder = next;
	}
	return holder;
}

function put(
	root: Holder,
	path: readonly string[],
	value: JSONValue,
	about: Patching,
	insert: boolean
): void {
	const holder = hold(root, path, about);
	const key = keyIn(holder, path.at(-1)!, insert);
	if (insert && Array.isArray(holder)) holder.splice(key as number, 0, value);
	else set(holder, key, value);
}

function take(root: Holder, path: readonly string[], about: Patching): JSONValue {
	const holder = hold(root, path, about);
	const key = keyIn(holder, path.at(-1)!, false);
	const value = (holder as Record<string | number, JSONValue>)[key]!;
	if (Array.isArray(holder)) holder.splice(key as number, 1);
	// Of a document that was taken away nothing is left.
	else if (holder === root) set(holder, key, null);
	else Reflect.deleteProperty(holder, key);
	return value;
}

/** A copy of its own, so that a change in one place is none in the other. */
function clone(value: JSONValue, about: Patching): JSONValue {
	if (typeof value !== 'object' || value === null) return value;
	if (--about.left < 0) no('the document grows too much');
	const copy = Array.isArray(value)
		? value.map((item) => clone(item as JSONValue, about))
		: Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clone(item as JSONValue, about)]));
	return copy;
}

function same(a: JSONValue, b: JSONValue): boolean {
	if (a === b) return true;
	if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
	if (Array.isArray(a) !== Array.isArray(b)) return false;
	const keys = Object.keys(a);
	return (
		keys.length === Object.keys(b).length &&
		keys.every((key) => Object.hasOwn(b, key) && same(at(a, key), at(b, key)))
	);
}
