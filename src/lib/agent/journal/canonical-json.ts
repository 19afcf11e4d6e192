import type { JSONValue } from '../protocol/words.js';

/**
 * One text for one JSON value: keys in order of their UTF-16 code units, no spaces, lone surrogates escaped, `-0` as `0`
 * (JSON knows one zero). Two values have the same text exactly when they are equal part by part, so a digest of it stands for
 * the value.
 * @throws {TypeError} at anything that is no JSON: take a copy with `copyJSON` first
 * @since 0.1.0
 */
export function canonicalJSON(value: JSONValue): string {
	if (value === null || value === true || value === false) return String(value);
	if (typeof value === 'string') return JSON.stringify(value);
	if (typeof value === 'number') {
		if (Number.isFinite(value)) return JSON.stringify(value);
		throw new TypeError(`${value} has no canonical form: take a copy with copyJSON first`);
	}
	if (typeof value !== 'object')
		throw new TypeError(`A ${typeof value} has no canonical form: take a copy with copyJSON first`);
	let text = '';
	if (isList(value)) {
		for (let i = 0; i < value.length; i++)
			text += (i === 0 ? '' : ',') + canonicalJSON(value[i] as JSONValue);
		return `[${text}]`;
	}
	const prototype: unknown = Object.getPrototypeOf(value);
	if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
		throw new TypeError('A class instance has no canonical form: take a copy with copyJSON first');
	// The default order of `sort` is by code unit, independent of the locale.
	for (const key of Object.keys(value).sort())
		text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJSON(value[key] as JSONValue)}`;
	return `{${text}}`;
}

const isList = (value: object): value is readonly JSONValue[] => Array.isArray(value);
