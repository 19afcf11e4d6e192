import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyJSON, deepFreeze } from '../../src/lib/agent/journal/copy.js';
import { labelled } from '../../src/lib/agent/protocol/labelled.js';
import type { Label } from '../../src/lib/agent/protocol/words.js';

const taken = (value: unknown): unknown => {
	const copy = copyJSON(value);
	if (!copy.ok) throw new Error(copy.reason.text);
	return copy.value;
};
const refusal = (value: unknown): string => {
	const copy = copyJSON(value);
	if (copy.ok) throw new Error('was taken');
	expect(copy.reason.code).toBe('not-json');
	return copy.reason.text;
};
const frozenThrough = (value: unknown): boolean =>
	typeof value !== 'object' ||
	value === null ||
	(Object.isFrozen(value) && Object.values(value).every(frozenThrough));

describe('copyJSON', () => {
	it('agrees with JSON on everything JSON can carry, frozen and apart from its source', () => {
		fc.assert(
			fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
				const copy = taken(value);
				expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
				expect(frozenThrough(copy)).toBe(true);
				if (typeof value === 'object' && value !== null) {
					expect(copy).not.toBe(value);
					expect(Object.isFrozen(value)).toBe(false);
				}
			})
		);
	});

	it('never throws, whatever it is given', () => {
		fc.assert(
			fc.property(
				fc.anything({
					withBigInt: true,
					withDate: true,
					withMap: true,
					withSet: true,
					withNullPrototype: true
				}),
				(value) => {
					const copy = copyJSON(value);
					expect(copy.ok ? JSON.stringify(copy.value) : copy.reason.code).toEqual(expect.any(String));
				}
			)
		);
	});

	it('treats undefined as JSON does, and on top as null', () => {
		expect(taken({ a: undefined, b: [undefined, 1] })).toEqual({ b: [null, 1] });
		expect(Object.keys(taken({ a: undefined }) as object)).toEqual([]);
		expect(taken(undefined)).toBe(null);
		expect(Object.is(taken(-0), 0)).toBe(true);
	});

	it.each<[string, unknown, string]>([
		['a function', { a: { f: () => 1 } }, '"a/f"'],
		['a symbol', [1, Symbol('s')], '"1"'],
		['a bigint', { n: 1n }, '"n"'],
		['NaN', { n: NaN }, '"n"'],
		['Infinity', [[-Infinity]], '"0/0"'],
		['a Date', { at: new Date(0) }, '"at"'],
		['a Map', new Map(), 'The value'],
		['a Set', { s: new Set() }, '"s"'],
		['a class instance', { u: new URL('https://example.org') }, '"u"'],
		['a boxed text', { t: Object('x') }, '"t"'],
		['a slash in a key', { 'a/b': { '~': 1n } }, '"a~1b/~0"']
	])('S0-18 refuses %s with its path instead of bending it', (_, value, where) => {
		expect(refusal(value).startsWith(`${where}: `)).toBe(true);
	});

	it('refuses cycles, but not one object in two places', () => {
		const loop: { inner?: unknown } = {};
		loop.inner = [loop];
		expect(refusal(loop)).toMatch(/^"inner\/0": /);
		const shared = { a: 1 };
		expect(taken([shared, shared])).toEqual([{ a: 1 }, { a: 1 }]);
	});

	it('takes nesting of 200 and refuses 201', () => {
		const nest = (depth: number): unknown => {
			let value: unknown = 1;
			for (let i = 0; i < depth; i++) value = [value];
			return value;
		};
		expect(JSON.stringify(taken(nest(200)))).toBe('['.repeat(200) + '1' + ']'.repeat(200));
		expect(refusal(nest(201))).toMatch(/200/);
		expect(refusal(nest(100_000))).toMatch(/200/);
	});

	it('turns a getter or a proxy that throws into a refusal', () => {
		const getter = Object.defineProperty({}, 'a', {
			enumerable: true,
			get() {
				throw new Error('gone');
			}
		});
		expect(refusal({ deep: getter })).toBe('"deep/a": gone');
		const revoked = Proxy.revocable({}, {});
		revoked.revoke();
		expect(refusal([revoked.proxy])).toMatch(/^"0": /);
		const hostile = new Proxy(
			{},
			{
				ownKeys() {
					throw {
						toString() {
							throw 1;
						}
					};
				}
			}
		);
		expect(refusal(hostile)).toBe('The value: an unreadable error');
	});

	it('keeps __proto__ a key and pollutes nothing', () => {
		const copy = taken(JSON.parse('{"__proto__":{"polluted":true},"constructor":1}')) as object;
		expect(Object.hasOwn(copy, '__proto__')).toBe(true);
		expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
		expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true},"constructor":1}');
	});

	it('unwraps labelled parts and tells where they stood', () => {
		const seen: [string, Partial<Label>][] = [];
		const copy = copyJSON(
			{
				text: labelled('pasted', { origins: ['imported'] }),
				list: [1, labelled({ a: labelled(2, { sources: ['x'] }) }, {})]
			},
			(path, label) => seen.push([path.join('/'), label])
		);
		expect(copy).toEqual({ ok: true, value: { text: 'pasted', list: [1, { a: 2 }] } });
		expect(seen).toEqual([
			['text', { origins: ['imported'] }],
			['list/1', {}],
			['list/1/a', { sources: ['x'] }]
		]);
	});

	it('does not take data that looks like a labelled part for one', () => {
		const seen: unknown[] = [];
		copyJSON(JSON.parse('{"value":1,"label":{"integrity":"trusted"}}'), (path) => seen.push(path));
		expect(seen).toEqual([]);
	});
});

describe('deepFreeze', () => {
	it('freezes in place, cycles included', () => {
		const loop: { list: unknown[] } = { list: [{ a: [1] }] };
		loop.list.push(loop);
		expect(deepFreeze(loop)).toBe(loop);
		expect(Object.isFrozen(loop.list[0])).toBe(true);
		expect(Object.isFrozen((loop.list[0] as { a: unknown }).a)).toBe(true);
	});
});
