import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJSON } from '../../src/lib/agent/protocol/canonical-json.js';
import { copyJSON } from '../../src/lib/agent/journal/copy.js';
import type { JSONValue } from '../../src/lib/agent/protocol/words.js';

// A small alphabet, so that equal and nearly equal pairs really occur; surrogates and quotes, because they are escaped.
const sign = fc.constantFrom(
	'a',
	'b',
	'"',
	'\\',
	',',
	':',
	'}',
	'é',
	'\ud800',
	'\udc00',
	'\u2028',
	'__proto__'
);
const text = fc.array(sign, { maxLength: 3 }).map((signs) => signs.join(''));
const json = fc.letrec<{ value: JSONValue }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3 },
		fc.constantFrom<JSONValue>(null, true, false, 0, -0, 1, 1e21, 0.1, -1),
		text,
		fc.array(tie('value'), { maxLength: 3 }),
		fc.array(fc.tuple(text, tie('value')), { maxLength: 3 }).map(Object.fromEntries)
	)
})).value;
const plain = (value: JSONValue): JSONValue => {
	const copy = copyJSON(value);
	if (!copy.ok) throw new Error(copy.reason.text);
	return copy.value;
};

describe('canonicalJSON', () => {
	it('gives equal texts exactly for values that are equal part by part', () => {
		let equal = 0;
		fc.assert(
			fc.property(json, json, (a, b) => {
				const same = isDeepStrictEqual(plain(a), plain(b));
				if (same) equal++;
				expect(canonicalJSON(a) === canonicalJSON(b)).toBe(same);
			}),
			{ numRuns: 3000 }
		);
		expect(equal).toBeGreaterThan(0);
	});

	it('survives parsing: the text of the parsed text is the text', () => {
		fc.assert(
			fc.property(json, (value) => {
				const once = canonicalJSON(value);
				expect(canonicalJSON(JSON.parse(once))).toBe(once);
				expect(plain(JSON.parse(once))).toEqual(plain(value));
			})
		);
	});

	it('does not depend on the order in which keys were written', () => {
		expect(canonicalJSON({ b: 1, a: { d: 2, c: 3 } })).toBe('{"a":{"c":3,"d":2},"b":1}');
		expect(canonicalJSON({ é: 1, z: 2, Z: 3, '10': 4, '9': 5 })).toBe('{"10":4,"9":5,"Z":3,"z":2,"é":1}');
	});

	it('keeps an own key __proto__ apart from none', () => {
		const own = JSON.parse('{"__proto__":{"a":1}}') as JSONValue;
		expect(canonicalJSON(own)).toBe('{"__proto__":{"a":1}}');
		expect(canonicalJSON({})).toBe('{}');
	});

	it('escapes a lone surrogate, so that no two texts share one UTF-8 form', () => {
		expect(canonicalJSON('\ud800')).toBe('"\\ud800"');
		expect(canonicalJSON('\\ud800')).toBe('"\\\\ud800"');
	});

	it.each([
		[NaN],
		[Infinity],
		[undefined],
		[() => 1],
		[Symbol('s')],
		[1n],
		[new Date(0)],
		[new Map()],
		[[undefined]]
	])('throws at %s, which is no JSON', (value) => {
		expect(() => canonicalJSON(value as unknown as JSONValue)).toThrow(TypeError);
	});
});
