import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMMON, Names } from '$lib/agent/adapters/wire/names.js';

const names = (...tools: string[]): Names => new Names(tools.map((name) => ({ name })));
const SAFE = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

test('S2-23 a name that fits is itself, one that does not is written so that it does', () => {
	const some = names('note__rename', 'note.rename', '7th', '-x', 'größe', '');
	expect(some.out('note__rename')).toBe('note__rename');
	for (const name of ['note.rename', '7th', '-x', 'größe', '']) {
		expect(some.out(name)).toMatch(SAFE);
		expect(some.back(some.out(name))).toBe(name);
	}
	expect(some.out('note.rename')).toMatch(/^note_rename_/);
});

test('S2-23 a name that fits keeps itself, whoever else would like to have it and whenever', () => {
	const first = names('a.b', 'a b', 'a_b');
	expect(first.out('a_b')).toBe('a_b');
	expect(new Set(['a.b', 'a b', 'a_b'].map((name) => first.out(name))).size).toBe(3);
	const taken = names('a.b').out('a.b');
	const both = names('a.b', taken);
	expect(both.out(taken)).toBe(taken);
	expect(both.back(both.out('a.b'))).toBe('a.b');
	expect(both.out('a.b')).not.toBe(taken);
});

test('S2-23 long names that begin alike stay apart', () => {
	const long = 'x'.repeat(64);
	const some = names(`${long}1`, `${long}2`, long);
	expect(some.out(long)).toBe(long);
	expect(new Set([`${long}1`, `${long}2`, long].map((name) => some.out(name))).size).toBe(3);
	expect(some.out(`${long}1`)).toHaveLength(64);
});

test('S2-23 a tool is called the same in every request, and a name of an earlier turn gets one too', () => {
	expect(names('a.b', 'c').out('a.b')).toBe(names('x', 'a.b').out('a.b'));
	const later = names('c');
	expect(later.back(later.out('a.b'))).toBe('a.b');
	expect(later.has('a.b')).toBe(false);
	expect(later.has('c')).toBe(true);
});

test('S2-23 a name that nobody knows is itself', () => {
	expect(names('a').back('b')).toBe('b');
	expect(names('a').back('__proto__')).toBe('__proto__');
});

test('S2-23 what a provider takes besides is kept, and its limit is its own', () => {
	const dotted = new Names([{ name: 'a.b' }, { name: 'abcdefghijklmnop' }], { most: 12, signs: 'a-z.' });
	expect(dotted.out('a.b')).toBe('a.b');
	expect(dotted.out('abcdefghijklmnop')).toHaveLength(12);
});

test('S2-23 any tools and any names of the past: each fits, no two meet, and each leads back', () => {
	const unit = fc.constantFrom('a', 'b', '_', '.', '-', '7', ' ', 'é', '👍', '\ud800');
	const name = fc.oneof(
		fc.string({ unit, maxLength: 4 }),
		fc.string({ unit: fc.constantFrom('a', '.'), minLength: 62, maxLength: 70 }),
		fc.constantFrom('__proto__', 'constructor', 'toString', '', 'a_b'),
		fc.string()
	);
	fc.assert(
		fc.property(fc.array(name, { maxLength: 30 }), fc.array(name, { maxLength: 10 }), (tools, past) => {
			// Among them what others are written as.
			const written = tools.map((one) => names(one).out(one));
			const all = [...new Set([...tools, ...written.slice(0, 5)])];
			const some = new Names(
				all.map((one) => ({ name: one })),
				COMMON
			);
			const every = [...new Set([...all, ...past])];
			const wire = every.map((one) => some.out(one));
			expect(new Set(wire).size).toBe(every.length);
			for (const [i, one] of every.entries()) {
				expect(wire[i]).toMatch(SAFE);
				expect(some.out(one)).toBe(wire[i]);
				expect(some.back(wire[i]!)).toBe(one);
			}
		}),
		{ numRuns: 300 }
	);
});
