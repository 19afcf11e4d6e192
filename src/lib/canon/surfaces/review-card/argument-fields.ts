import type { Issue } from '../../../agent/protocol/run-state.js';
import type { JSONValue } from '../../../agent/protocol/words.js';
import { keyInWords, valueOf } from '../field/field.js';

/** How one value of the arguments is corrected. `json`: anything that has no plain field, as exact text. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'json';

/** One value of the arguments, by path (`a/b`, JSON Pointer escapes, no leading slash). */
export interface ArgumentField {
	path: string;
	keys: readonly string[];
	kind: FieldKind;
	value: JSONValue;
}

/** The whole argument object a person gave, or the fields that do not hold a value yet. */
export type Collected =
	{ ok: true; args: JSONValue } | { ok: false; faults: readonly { path: string; kind: 'number' | 'json' }[] };

/** Lists the values of an argument object in order; objects are walked, lists and null stand as exact text. */
export function argumentFields(args: JSONValue): readonly ArgumentField[] {
	const fields: ArgumentField[] = [];
	const walk = (value: JSONValue, keys: readonly string[]): void => {
		if (isObject(value) && (Object.keys(value).length > 0 || keys.length === 0)) {
			for (const key of Object.keys(value)) walk(value[key] ?? null, [...keys, key]);
			return;
		}
		fields.push({ path: pathOf(keys), keys, kind: kindOf(value), value });
	};
	walk(args, []);
	return fields;
}

/** What stands in a field before anybody typed. */
export function textOf(field: ArgumentField): string {
	if (field.kind === 'json') return JSON.stringify(field.value, null, 2);
	return String(field.value);
}

/** Puts what was typed back into one whole argument object. A field nobody touched keeps its value. */
export function collect(
	args: JSONValue,
	fields: readonly ArgumentField[],
	typed: Readonly<Record<string, string>>
): Collected {
	const faults: { path: string; kind: 'number' | 'json' }[] = [];
	let result = JSON.parse(JSON.stringify(args)) as JSONValue;
	for (const field of fields) {
		const text = typed[field.path];
		if (text === undefined || text === textOf(field)) continue;
		const value = field.kind === 'boolean' ? text === 'true' : valueOf(field.kind, text);
		if (value === undefined)
			faults.push({ path: field.path, kind: field.kind === 'number' ? 'number' : 'json' });
		else result = place(result, field.keys, value);
	}
	return faults.length > 0 ? { ok: false, faults } : { ok: true, args: result };
}

/** The field an issue belongs to: the one at its path, else the nearest around it; undefined: the step as a whole. */
export function fieldFor(fields: readonly ArgumentField[], issue: Issue): ArgumentField | undefined {
	const path = issue.path.replace(/^\//, '');
	return (
		fields.find((field) => field.path === path) ??
		fields.find((field) => path.startsWith(`${field.path}/`) || field.path === '')
	);
}

/** A whole path in words: `place/city` → "Place › City". */
export function pathName(path: string): string {
	return path.split('/').map(fieldName).join(' › ');
}

/** The last key of a path in words: `dueDate`, `due_date` → "Due date". */
export function fieldName(path: string): string {
	const key = path.slice(path.lastIndexOf('/') + 1);
	return keyInWords(key.replace(/~1/g, '/').replace(/~0/g, '~'));
}

function pathOf(keys: readonly string[]): string {
	return keys.map((key) => key.replace(/~/g, '~0').replace(/\//g, '~1')).join('/');
}

function kindOf(value: JSONValue): FieldKind {
	if (typeof value === 'string') return 'text';
	if (typeof value === 'number') return 'number';
	return typeof value === 'boolean' ? 'boolean' : 'json';
}

function place(root: JSONValue, keys: readonly string[], value: JSONValue): JSONValue {
	const [key, ...rest] = keys;
	if (key === undefined || !isObject(root)) return value;
	// defineProperty: an argument may be called `__proto__`.
	Object.defineProperty(root, key, {
		value: rest.length > 0 ? place(root[key] ?? null, rest, value) : value,
		enumerable: true,
		configurable: true,
		writable: true
	});
	return root;
}

function isObject(value: JSONValue): value is { readonly [key: string]: JSONValue } {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
