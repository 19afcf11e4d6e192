import fc from 'fast-check';
import { parse as jsonriver } from 'jsonriver';
import { describe, expect, test } from 'vitest';
import { PartialJSON } from '../../src/lib/agent/protocol/partial-json.js';

/** What a reader shows now, kept. */
const shown = (reader: PartialJSON): unknown => (reader.value === undefined ? undefined : copy(reader.value));

/** A deep copy that keeps `__proto__` an own key and -0 a zero of its own. */
function copy(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(copy);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copy(part)]));
}

/** Could `part` still become `whole`: nothing in it that `whole` contradicts. */
function agrees(part: unknown, whole: unknown): boolean {
	if (part === undefined) return true;
	if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part);
	if (typeof part !== 'object' || part === null) return Object.is(part, whole);
	if (typeof whole !== 'object' || whole === null || Array.isArray(part) !== Array.isArray(whole))
		return false;
	const entries = Object.entries(part);
	return entries.every(
		([key, one]) => Object.hasOwn(whole, key) && agrees(one, (whole as Record<string, unknown>)[key])
	);
}

/** Any text of UTF-16 units, lone surrogates included; what is special in JSON comes often. */
const units = fc
	.array(
		fc.oneof(
			{ weight: 4, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
			{ weight: 2, arbitrary: fc.constantFrom(0x22, 0x5c, 0x0a, 0x09, 0, 0x2f, 0xe9, 0x2028) },
			{ weight: 2, arbitrary: fc.integer({ min: 0xd800, max: 0xdfff }) },
			fc.integer({ min: 0, max: 0xffff })
		),
		{ maxLength: 12 }
	)
	.map((codes) => String.fromCharCode(...codes));

const key = fc.oneof(units, fc.constantFrom('__proto__', 'constructor', 'text', '', '0', 'toString'));

/** One way of many in which a text can be written down: each sign plain or escaped. */
const written = (text: string, escape: boolean[]): string =>
	'"' +
	[...Array(text.length).keys()]
		.map((i) => {
			const code = text.charCodeAt(i);
			const hex = `\\u${code.toString(16).padStart(4, '0')}`;
			const short = JSON.stringify(String.fromCharCode(code)).slice(1, -1);
			return escape[i % escape.length] ? hex : short;
		})
		.join('') +
	'"';

const text = fc
	.tuple(units, fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }))
	.map(([value, how]) => written(value, how));
const named = fc.tuple(key, fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }));
const space = fc.constantFrom('', '', '', ' ', '\n\t', '\r ');
const number = fc.oneof(
	fc.integer().map(String),
	fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
	fc.constantFrom('0', '-0', '-0.0', '1e5', '1E+05', '12.50e-3', '1e999', '123456789012345678901234567890')
);

/** Text of a JSON document: any value, written in any way, no key twice in one object. */
const { node: document } = fc.letrec<{ node: string; list: string; object: string; leaf: string }>((tie) => ({
	leaf: fc.oneof(text, number, fc.constantFrom('true', 'false', 'null')),
	list: fc
		.array(fc.tuple(space, tie('node'), space), { maxLength: 4 })
		.map((items) => `[${items.map((one) => one.join('')).join(',') || ' '}]`),
	object: fc
		.uniqueArray(fc.tuple(named, space, tie('node'), space), { maxLength: 4, selector: ([[name]]) => name })
		.map(
			(members) =>
				`{${members
					.map(
						([[name, how], before, value, after]) =>
							`${before}${written(name, how)}${after}:${before}${value}${after}`
					)
					.join(',')}}`
		),
	node: fc.oneof({ depthSize: 'medium', withCrossShrink: true }, tie('leaf'), tie('list'), tie('object'))
}));

/** A text cut at any places. */
const cut = (source: string, places: readonly number[]): string[] => {
	const at = [...new Set(places.map((place) => place % (source.length + 1)))].sort((a, b) => a - b);
	return [...at, source.length].map((to, i) => source.slice(i === 0 ? 0 : at[i - 1], to));
};
const places = fc.array(fc.nat(), { maxLength: 6 });

/** Documents, and texts that came of one by a mistake. */
const mistaken = fc
	.tuple(
		document,
		fc.nat(),
		fc.nat(3),
		fc.constantFrom('', ',', '"', ']', '}', '0', '-', '.', 'e', 'n', ':', '\\', '\u0001', ' ')
	)
	.map(([source, place, length, instead]) => {
		const at = place % (source.length + 1);
		return source.slice(0, at) + instead + source.slice(at + length);
	});

const parses = (source: string): boolean => {
	try {
		JSON.parse(source);
		return true;
	} catch {
		return false;
	}
};

/** Endings of which one completes any beginning of JSON, tried one after the other: an oracle of its own. */
function ending(source: string): string | undefined {
	const closers: string[] = [];
	let quoted = false;
	for (let i = 0; i < source.length; i++) {
		const sign = source[i]!;
		if (quoted && sign === '\\') i++;
		else if (sign === '"') quoted = !quoted;
		else if (!quoted && sign === '[') closers.unshift(']');
		else if (!quoted && sign === '{') closers.unshift('}');
		else if (!quoted && (sign === ']' || sign === '}')) closers.shift();
	}
	const rest = closers.join('');
	const hex = ['', '0', '00', '000', '0000', 'u0000'];
	const fillers = [
		...[
			'',
			'0',
			'null',
			...['true', 'false', 'null'].flatMap((word) => [1, 2, 3, 4].map((n) => word.slice(n)))
		],
		...['', ...hex, '\\', 'n'].flatMap((inner) => [`${inner}"`, `${inner}":0`]),
		':0',
		'"":0'
	];
	return fillers.map((filler) => filler + rest).find((end) => parses(source + end));
}

const river = async (pieces: readonly string[]): Promise<unknown[]> => {
	const seen: unknown[] = [];
	let now: unknown;
	async function* feed() {
		for (const [i, piece] of pieces.entries()) {
			if (i > 0) seen.push(now);
			yield piece;
		}
		seen.push(now);
	}
	for await (const value of jsonriver(feed())) now = copy(value);
	return [...seen, now];
};

describe('S2-98 arguments are read while they arrive', () => {
	test('S2-98 over every prefix nothing is shown that the whole contradicts, and the whole is what JSON.parse gives', () => {
		fc.assert(
			fc.property(document, (source) => {
				const whole: unknown = JSON.parse(source);
				const reader = new PartialJSON();
				let before: unknown;
				const contradicted = source.split('').findIndex((unit) => {
					const verdict = reader.push(unit);
					const now = shown(reader);
					const sound = verdict !== 'invalid' && agrees(now, whole) && agrees(before, now);
					before = now;
					return !sound;
				});
				expect(contradicted).toBe(-1);
				expect(reader.end()).toBe('complete');
				expect(agrees(shown(reader), whole) && agrees(whole, shown(reader))).toBe(true);
				expect(JSON.stringify(reader.value)).toBe(JSON.stringify(whole));
			}),
			{ numRuns: 150 }
		);
	}, 60_000);

	test('S2-98 where the text is cut makes no difference: any pieces, UTF-16 units, bytes', () => {
		fc.assert(
			fc.property(fc.oneof(document, mistaken), places, (source, at) => {
				const units = new PartialJSON();
				const pieces = new PartialJSON();
				for (const piece of cut(source, at)) {
					for (const unit of piece.split('')) units.push(unit);
					pieces.push(piece);
					expect(shown(pieces)).toEqual(shown(units));
					expect(pieces.verdict).toBe(units.verdict);
					expect(pieces.growing).toBe(units.growing);
				}
				const bytes = new PartialJSON();
				const decoder = new TextDecoder();
				// Bytes carry no lone surrogates.
				const sound = source.toWellFormed?.() ?? source;
				for (const byte of new TextEncoder().encode(sound))
					bytes.push(decoder.decode(Uint8Array.of(byte), { stream: true }));
				const whole = new PartialJSON();
				whole.push(sound);
				expect(bytes.end()).toBe(whole.end());
				expect(shown(bytes)).toEqual(shown(whole));
			}),
			{ numRuns: 150 }
		);
	}, 60_000);

	test('S2-98 the verdict at every prefix: complete where JSON.parse agrees, invalid where no ending could help', () => {
		const verdicts = { complete: 0, incomplete: 0, invalid: 0 };
		fc.assert(
			fc.property(fc.oneof(document, mistaken), (source) => {
				// The oracle tries every ending at every prefix.
				fc.pre(source.length < 60);
				const reader = new PartialJSON();
				for (let end = 0; end <= source.length; end++) {
					const before = reader.verdict;
					const verdict = end === 0 ? before : reader.push(source[end - 1]!);
					const prefix = source.slice(0, end);
					verdicts[verdict] += 1;
					expect(verdict === 'complete', prefix).toBe(parses(prefix));
					if (before === 'invalid') expect(verdict).toBe('invalid');
					else expect(verdict === 'invalid', prefix).toBe(ending(prefix) === undefined);
				}
			}),
			{ numRuns: 100 }
		);
		// Every verdict was met.
		expect(Object.values(verdicts).every((count) => count > 50)).toBe(true);
	}, 60_000);

	test('S2-98 it shows what jsonriver shows, except half surrogate pairs', async () => {
		await fc.assert(
			fc.asyncProperty(document, places, async (any, at) => {
				const source = any.replace(/\\ud[89a-f]../gi, 'u').replace(/[\ud800-\udfff]/g, 'u');
				const pieces = cut(source, at).filter((piece) => piece !== '');
				const reader = new PartialJSON();
				const seen = pieces.map((piece) => {
					reader.push(piece);
					return shown(reader);
				});
				reader.end();
				expect([...seen, shown(reader)]).toEqual(await river(pieces));
			}),
			{ numRuns: 150 }
		);
	}, 60_000);

	test.each([
		['a half escape', '{"a":"x\\', { a: 'x' }],
		['half a code', '{"a":"x\\u00e', { a: 'x' }],
		['the first half of a pair', '{"a":"x\ud83d', { a: 'x' }],
		['the first half of an escaped pair', '{"a":"x\\ud83d', { a: 'x' }],
		['a first half and the beginning of the second', '{"a":"x\\ud83d\\udc', { a: 'x' }],
		['a pair of which one half is escaped', '{"a":"x\ud83d\\udc4d', { a: 'x👍' }],
		['a first half that stays alone', '{"a":"\\ud83dx', { a: '\ud83dx' }],
		['two first halves', '{"a":"\ud83d\ud83d', { a: '\ud83d' }],
		['a first half at the end', '{"a":"x\\ud83d"', { a: 'x\ud83d' }],
		['a number that may go on', '{"a":12', {}],
		['a number that is over', '{"a":12 ', { a: 12 }],
		['half a word', '{"a":fals', {}],
		['a word', '{"a":false', { a: false }],
		['a key without a value', '{"a":1,"b"', { a: 1 }],
		['half a key', '{"a":1,"b', { a: 1 }],
		['the first sign of a value', '{"a":[{"b":"', { a: [{ b: '' }] }],
		['items behind one another', '[[1],[2,"x', [[1], [2, 'x']]],
		['a key twice', '{"a":"old","a":"n', { a: 'n' }],
		['a text on its own', '"ab', 'ab'],
		['a number on its own', '12', undefined]
	])('S2-98 shows no more than is certain: %s', (_, source, value) => {
		const reader = new PartialJSON();
		for (const unit of source.split('')) reader.push(unit);
		expect(reader.value).toEqual(value);
	});

	test('S2-98 `__proto__` is a key like any other, at every depth', () => {
		const source = '{"__proto__":{"polluted":"yes"},"a":[{"__proto__":"x"}]}';
		const reader = new PartialJSON();
		for (const unit of source.split('')) reader.push(unit);
		expect(reader.end()).toBe('complete');
		const value = reader.value as Record<string, unknown>;
		expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
		expect(Object.keys(value)).toEqual(['__proto__', 'a']);
		expect(JSON.stringify(value)).toBe(source);
		expect('polluted' in {}).toBe(false);
	});

	test('S2-98 nesting beyond the limit is invalid, up to it is read', () => {
		const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
		const read = (source: string, options?: { depth: number }) => {
			const reader = new PartialJSON(options);
			reader.push(source);
			return reader.end();
		};
		expect(read(nested(200))).toBe('complete');
		expect(read(nested(201))).toBe('invalid');
		expect(read('{"a":'.repeat(100_000))).toBe('invalid');
		expect(read(nested(3), { depth: 2 })).toBe('invalid');
		expect(read(nested(2), { depth: 2 })).toBe('complete');
	});

	test('S2-98 tells which member grows', () => {
		const reader = new PartialJSON();
		const growing = '{"a":"x","b":[1,{"c":"y"}],"d":1} '.split('').map((unit) => {
			reader.push(unit);
			return reader.growing ?? '.';
		});
		expect(growing.join('')).toBe('...aaaa....bbbbbbbbbbbbbb....ddd..');
		const list = new PartialJSON();
		list.push('[{"a":"x');
		expect(list.growing).toBeUndefined();
	});

	test('S2-98 after something invalid nothing more is taken in', () => {
		const reader = new PartialJSON();
		reader.push('{"a":"x\u0001y","b":1}');
		expect(reader.value).toEqual({ a: 'x' });
		expect(reader.push('"}')).toBe('invalid');
		expect(reader.end()).toBe('invalid');
		expect(reader.value).toEqual({ a: 'x' });
		const over = new PartialJSON();
		over.push('{} ');
		expect(over.verdict).toBe('complete');
		expect(over.push('x')).toBe('invalid');
		expect(over.value).toEqual({});
	});
});
