import type { FormErrors, FormValue } from './field.js';

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree =>
	typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** `a.b[0].c` → `['a', 'b', '0', 'c']`, as form libraries write it. @internal */
export const split = (path: string): string[] => path.split(/[[\].]+/).filter(Boolean);

const join = (path: string, key: string, listed: boolean): string =>
	listed ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;

/** Paths of all leaves; a list of plain values is one leaf. @internal */
export function leaves(data: unknown, path = ''): string[] {
	const listed = Array.isArray(data);
	if (!(isTree(data) || (listed && data.some(isTree)))) return path === '' ? [] : [path];
	return Object.entries(data as object).flatMap(([key, value]) => leaves(value, join(path, key, listed)));
}

/** @internal */
export function at(data: unknown, path: string): unknown {
	let here = data;
	for (const key of split(path)) {
		if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
		here = (here as Tree)[key];
	}
	return here;
}

/** A copy with one leaf replaced; what is off the path is shared. @internal */
export function withAt(data: unknown, path: readonly string[], value: unknown): unknown {
	const [key, ...rest] = path;
	if (key === undefined) return value;
	const copy = Array.isArray(data) ? [...data] : { ...(data as Tree | undefined) };
	const inner = Object.hasOwn(copy, key) ? (copy as Tree)[key] : undefined;
	// Defined, not assigned: a key `__proto__` must stay a key.
	Object.defineProperty(copy, key, {
		value: withAt(inner, rest, value),
		enumerable: true,
		configurable: true,
		writable: true
	});
	return copy;
}

/** Nested errors as messages by path. `_errors` of a list belong to the list, at the top to the whole form (`''`). @internal */
export function flatErrors(errors: unknown, path = ''): FormErrors {
	const found: Record<string, readonly string[]> = {};
	const walk = (node: unknown, here: string) => {
		if (Array.isArray(node)) {
			if (node.length > 0) found[here] = node.map(String);
		} else if (typeof node === 'object' && node !== null)
			for (const [key, inner] of Object.entries(node))
				walk(inner, key === '_errors' ? here : join(here, key, /^\d+$/.test(key)));
	};
	walk(errors, path);
	return found;
}

/** A value of the store as plain JSON. Days at midnight UTC are written without time. @internal */
export function plain(value: unknown): FormValue {
	if (value === undefined || value === null) return null;
	if (value instanceof Date)
		return Number.isNaN(+value) ? null : value.toISOString().replace(/T00:00:00\.000Z$/, '');
	if (typeof value === 'bigint') return String(value);
	if (Array.isArray(value)) return value.map(plain);
	return typeof value === 'object' || typeof value === 'function' ? String(value) : (value as FormValue);
}

/** Plain JSON as the store wants it, judged by what stands there. @internal */
export function lively(value: FormValue, model: unknown): unknown {
	if (value === null) return model === undefined || model instanceof Date ? undefined : null;
	return model instanceof Date && typeof value === 'string' ? new Date(value) : value;
}
