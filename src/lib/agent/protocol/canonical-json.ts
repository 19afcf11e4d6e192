import type { JSONValue } from './words.js';

/**
 * One text for one JSON value: keys in order of their UTF-16 code units, no spaces, lone surrogates escaped, `-0` as `0`
 * (JSON knows one zero). Two values have the same text exactly when they are equal part by part, so a digest of it stands for
 * the value.
 * @throws {TypeError} at anything that is no JSON: take a copy with `copyJSON` first
 * @since 0.1.0
 */
export function canonicalJSON(value: JSONValue): string {
	if (typeof value === 'string') return JSON.stringify(value);
	let text = '';
	if (Array.isArray(value)) {
		const list = value as readonly JSONValue[];
		// By index: a hole is no JSON.
		for (let i = 0; i < list.length; i++) text += (i === 0 ? '' : ',') + canonicalJSON(list[i]!);
		return `[${text}]`;
	}
	if (isObject(value)) {
		// The default order of `sort` is by code unit, independent of the locale.
		for (const key of Object.keys(value).sort())
			text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJSON(value[key] as JSONValue)}`;
		return `{${text}}`;
	}
	if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return JSON.stringify(value);
	throw new TypeError(`${typeof value} has no canonical form: take a copy with copyJSON first`);
}

/** Plain ones only: a class instance has no canonical form. */
const isObject = (value: JSONValue): value is { readonly [key: string]: JSONValue } => {
	if (typeof value !== 'object' || value === null) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
};
