import { isDeepStrictEqual } from 'node:util';
import jsonpatch, { type Operation } from 'fast-json-patch';
import { describe, expect, test } from 'vitest';
import { applyPatch, patching } from '../../src/lib/agent/protocol/json-patch.js';
import type { JSONValue } from '../../src/lib/agent/protocol/words.js';

type Draw = () => number;

/** The same numbers for the same seed; others are looked for with SEED=<number>. */
function drawing(seed = Number(process.env.SEED ?? 20261130)): Draw {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

const KEYS = ['a', 'b', 'a/b', 'm~n', '', '0', '-', '__proto__', 'constructor'];
const pick = <T>(draw: Draw, list: readonly T[]): T => list[Math.floor(draw() * list.length)]!;

/** Any document; an own key `__proto__` among its names. */
function document(draw: Draw, depth = 3): JSONValue {
	const kind = depth === 0 ? draw() * 0.5 : draw();
	if (kind < 0.5) return pick<JSONValue>(draw, [null, true, 0, 1.5, '', 'text', 'ä']);
	const length = Math.floor(draw() * 4);
	if (kind < 0.75) return Array.from({ length }, () => document(draw, depth - 1));
	return Object.fromEntries(Array.from({ length }, () => [pick(draw, KEYS), document(draw, depth - 1)]));
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** All places of a document, and some that are none. */
function places(value: JSONValue, path = ''): string[] {
	if (typeof value !== 'object' || value === null) return [path];
	const inside = Object.entries(value).flatMap(([key, item]) =>
		places(item as JSONValue, `${path}/${escaped(key)}`)
	);
	return [path, ...inside, `${path}/new`, `${path}/-`, `${path}/${Array.isArray(value) ? value.length : 0}`];
}

function operation(draw: Draw, from: JSONValue): Operation {
	const all = places(from);
	const path = pick(draw, all);
	const value = document(draw, 2);
	switch (pick(draw, ['add', 'replace', 'remove', 'move', 'copy', 'test'] as const)) {
		case 'add':
			return { op: 'add', path, value };
		case 'replace':
			return { op: 'replace', path, value };
		case 'remove':
			return { op: 'remove', path };
		case 'move':
			return { op: 'move', from: pick(draw, all), path };
		case 'copy':
			return { op: 'copy', from: pick(draw, all), path };
		case 'test': {
			try {
				const there = draw() < 0.7 ? (jsonpatch.getValueByPointer(from, path) as JSONValue) : value;
				return { op: 'test', path, value: structuredClone(there ?? null) };
			} catch {
				return { op: 'test', path, value };
			}
		}
	}
}

/** What the library makes of it; it forbids names of prototypes and lets some things pass that the standard forbids. */
function oracle(from: JSONValue, patch: Operation[]): { ok: JSONValue } | 'refused' {
	try {
		const { newDocument } = jsonpatch.applyPatch(
			structuredClone(from),
			structuredClone(patch),
			true,
			true,
			false
		);
		// It takes the place behind the last item for an item.
		return holes(newDocument) ? 'refused' : { ok: newDocument as JSONValue };
	} catch {
		return 'refused';
	}
}

const holes = (value: unknown): boolean =>
	value === undefined || (typeof value === 'object' && value !== null && Object.values(value).some(holes));

function ours(from: JSONValue, patch: Operation[]): { ok: JSONValue } | 'refused' {
	try {
		return { ok: applyPatch(from, patch as unknown as JSONValue) };
	} catch {
		return 'refused';
	}
}

const frozen = <T>(value: T): T => {
	if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
		Object.freeze(value);
		Object.values(value).forEach(frozen);
	}
	return value;
};

describe('S2-25 S2-99 JSON Patch', () => {
	test('S2-25 any patch of any document comes out as a library has it', () => {
		const draw = drawing();
		let applied = 0;
		let refused = 0;
		for (let round = 0; round < 4_000; round += 1) {
			// The library knows no key `__proto__`.
			const from = frozen(
				JSON.parse(JSON.stringify(document(draw)).replaceAll('__proto__', 'proto')) as JSONValue
			);
			const patch: Operation[] = [];
			let now: JSONValue = from;
			for (let n = Math.floor(draw() * 4) + 1; n > 0; n -= 1) {
				const one = JSON.parse(
					JSON.stringify(operation(draw, now)).replaceAll('__proto__', 'proto')
				) as Operation;
				if (stricter(one)) continue;
				patch.push(one);
				const after = oracle(from, patch);
				if (after === 'refused') break;
				now = after.ok;
			}
			const expected = oracle(from, patch);
			const got = ours(from, patch);
			if (!isDeepStrictEqual(expected, got)) {
				expect({ from, patch, got }).toEqual({ from, patch, got: expected });
			}
			if (got === 'refused') refused += 1;
			else applied += 1;
		}
		expect(applied).toBeGreaterThan(500);
		expect(refused).toBeGreaterThan(500);
	});

	const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

	/** Where the library is laxer than the standard: a target inside of the source, a root that goes, a place beyond a list. */
	function stricter(one: Operation): boolean {
		const roots = one.path === '' && (one.op === 'remove' || one.op === 'move');
		const inside = (one.op === 'move' || one.op === 'copy') && `${one.path}/`.startsWith(`${one.from}/`);
		const end = /\/-(\/|$)/.test(one.path) && one.op !== 'add';
		const within = one.op === 'move' && parentOf(one.from) === parentOf(one.path);
		return roots || inside || end || within || ('from' in one && /\/-(\/|$)/.test(one.from));
	}

	const cases: readonly [what: string, from: JSONValue, patch: JSONValue, to: JSONValue | 'refused'][] = [
		['add to an object', {}, [{ op: 'add', path: '/a', value: 1 }], { a: 1 }],
		['add over a member', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
		['add into a list', [1, 3], [{ op: 'add', path: '/1', value: 2 }], [1, 2, 3]],
		['add at the end of a list', [1], [{ op: 'add', path: '/-', value: 2 }], [1, 2]],
		['add beyond the end', [1], [{ op: 'add', path: '/2', value: 2 }], 'refused'],
		['add under nothing', {}, [{ op: 'add', path: '/a/b', value: 2 }], 'refused'],
		['the whole', { a: 1 }, [{ op: 'replace', path: '', value: [1] }], [1]],
		['replace what is not there', {}, [{ op: 'replace', path: '/a', value: 1 }], 'refused'],
		['remove from a list', [1, 2], [{ op: 'remove', path: '/0' }], [2]],
		['remove what is not there', {}, [{ op: 'remove', path: '/a' }], 'refused'],
		['an index with a nought before it', [1, 2], [{ op: 'remove', path: '/01' }], 'refused'],
		['move', { a: { x: 1 } }, [{ op: 'move', from: '/a/x', path: '/b' }], { a: {}, b: 1 }],
		['move in a list', [1, 2, 3], [{ op: 'move', from: '/0', path: '/2' }], [2, 3, 1]],
		['move beyond what is left of a list', [1, 2, 3], [{ op: 'move', from: '/0', path: '/3' }], 'refused'],
		['move into itself', { a: {} }, [{ op: 'move', from: '/a', path: '/a/b' }], 'refused'],
		[
			'move to a list with that name',
			{ a: 1, ab: [] },
			[{ op: 'move', from: '/a', path: '/ab/-' }],
			{ ab: [1] }
		],
		['copy', { a: { x: 1 } }, [{ op: 'copy', from: '/a', path: '/b' }], { a: { x: 1 }, b: { x: 1 } }],
		['copy all of it into it', { a: 1 }, [{ op: 'copy', from: '', path: '/b' }], { a: 1, b: { a: 1 } }],
		[
			'a test that holds',
			{ a: { x: 1, y: [2] } },
			[{ op: 'test', path: '/a', value: { y: [2], x: 1 } }],
			{ a: { x: 1, y: [2] } }
		],
		[
			'a test that fails',
			{ a: 1 },
			[
				{ op: 'add', path: '/b', value: 1 },
				{ op: 'test', path: '/a', value: '1' }
			],
			'refused'
		],
		['a list that is no object', { a: [] }, [{ op: 'test', path: '/a', value: {} }], 'refused'],
		[
			'a name with signs',
			{ 'a/b': 1, 'm~n': 2 },
			[
				{ op: 'remove', path: '/a~1b' },
				{ op: 'replace', path: '/m~0n', value: 3 }
			],
			{ 'm~n': 3 }
		],
		['~01 is ~1', {}, [{ op: 'add', path: '/~01', value: 1 }], { '~1': 1 }],
		['an escape that is none', {}, [{ op: 'add', path: '/~2', value: 1 }], 'refused'],
		['a pointer that is none', {}, [{ op: 'add', path: 'a', value: 1 }], 'refused'],
		['the empty name', { '': 1 }, [{ op: 'replace', path: '/', value: 2 }], { '': 2 }],
		['no value', {}, [{ op: 'add', path: '/a' }], 'refused'],
		['null as the value', {}, [{ op: 'add', path: '/a', value: null }], { a: null }],
		['an operation nobody knows', { a: 1 }, [{ op: 'increment', path: '/a', value: 1 }], 'refused'],
		['an operation that is none', {}, [7], 'refused'],
		['no list', {}, { op: 'add', path: '/a', value: 1 }, 'refused'],
		['more than is read', { a: 1 }, [{ op: 'remove', path: '/a', value: 1, note: '' }], {}],
		['a text as a list', { a: 'text' }, [{ op: 'replace', path: '/a/0', value: 'T' }], 'refused'],
		['the length of a list', [1], [{ op: 'replace', path: '/length', value: 0 }], 'refused'],
		['what objects have anyway', {}, [{ op: 'remove', path: '/constructor' }], 'refused'],
		['a way through it', {}, [{ op: 'add', path: '/constructor/prototype/x', value: 1 }], 'refused'],
		['a way through the prototype', {}, [{ op: 'add', path: '/__proto__/x', value: 1 }], 'refused']
	];
	test.for(cases)('S2-25 %s', ([, from, patch, to]) => {
		const before = JSON.stringify(from);
		expect(ours(frozen(from), patch as unknown as Operation[])).toEqual(to === 'refused' ? to : { ok: to });
		expect(JSON.stringify(from)).toBe(before);
	});

	test('S2-25 a key named __proto__ is a key', () => {
		const made = applyPatch({}, [
			{ op: 'add', path: '/__proto__', value: { hurt: 1 } },
			{ op: 'add', path: '/__proto__/more', value: 2 }
		]) as Record<string, unknown>;
		expect(JSON.stringify(made)).toBe('{"__proto__":{"hurt":1,"more":2}}');
		expect(({} as Record<string, unknown>).hurt).toBeUndefined();
		expect(made.hurt).toBeUndefined();
		expect(JSON.stringify(applyPatch(made as JSONValue, [{ op: 'remove', path: '/__proto__' }]))).toBe('{}');
	});

	test('S2-25 what a patch does not touch is shared, and what it made itself is not made again', () => {
		const from = frozen({ rows: Array.from({ length: 50 }, (_, n) => ({ n })), other: { deep: [1] } });
		const about = patching();
		const first = applyPatch(from, [{ op: 'replace', path: '/rows/1/n', value: 'x' }], about) as typeof from;
		expect(first.other).toBe(from.other);
		expect(first.rows[0]).toBe(from.rows[0]);
		expect(first.rows).not.toBe(from.rows);
		expect(from.rows[1]).toEqual({ n: 1 });
		const second = applyPatch(
			first,
			[{ op: 'replace', path: '/rows/2/n', value: 'y' }],
			about
		) as typeof from;
		expect(second.rows).toBe(first.rows);
		// On its own, a patch changes nothing that was handed out.
		const third = applyPatch(first, [{ op: 'replace', path: '/rows/2/n', value: 'z' }]) as typeof from;
		expect(third.rows).not.toBe(first.rows);
		expect(first.rows[2]).toEqual({ n: 'y' });
	});

	test('S2-25 what was copied changes in one place only', () => {
		const about = patching();
		const twice = applyPatch(
			{ a: { n: { x: 1 } } },
			[
				{ op: 'replace', path: '/a/n/x', value: 2 },
				{ op: 'copy', from: '/a', path: '/b' },
				{ op: 'replace', path: '/a/n/x', value: 3 },
				{ op: 'replace', path: '/b/n/x', value: 4 }
			],
			about
		);
		expect(twice).toEqual({ a: { n: { x: 3 } }, b: { n: { x: 4 } } });
	});

	test('S2-25 a few operations cannot make a document without end', () => {
		const doubling = Array.from({ length: 60 }, (_, n) => ({ op: 'copy', from: '', path: `/x${n}` }));
		expect(() => applyPatch({ a: { b: 1 } }, doubling)).toThrow('grows too much');
		const deep = [{ op: 'add', path: '/a'.repeat(500), value: 1 }];
		expect(() => applyPatch({}, deep)).toThrow('too deep');
	});
});
