import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judged } from '$lib/agent/adapters/wire/judged.js';
import { PartialJSON } from '$lib/agent/protocol/partial-json.js';

test.each([
	['nothing', '', 'complete', '{}'],
	['blanks', ' \n\t', 'complete', '{}'],
	['an object', ' {"a":1}', 'complete', ' {"a":1}'],
	['a key called __proto__', '{"__proto__":{"a":1}}', 'complete', '{"__proto__":{"a":1}}'],
	['a cut text', '{"a":"b', 'incomplete', '{"a":"b'],
	['a cut escape', '{"a":"\\u00', 'incomplete', '{"a":"\\u00'],
	['a cut key', '{"a', 'incomplete', '{"a'],
	['a cut word', '[fal', 'incomplete', '[fal'],
	['an escape that is none', '{"a":"\\d"}', 'invalid', '{"a":"\\d"}'],
	['a raw line break', '{"a":"b\nc"}', 'invalid', '{"a":"b\nc"}'],
	['a fence', '```json\n{}\n```', 'invalid', '```json\n{}\n```'],
	['two objects', '{"a":1}{"b":2}', 'invalid', '{"a":1}{"b":2}'],
	['a bracket of another kind', '{"a":[1}', 'invalid', '{"a":[1}']
])('S2-98 %s', (_, said, verdict, raw) => {
	expect(judged(said)).toEqual({ verdict, raw });
});

test('S2-98 arguments are pruned only where they are whole', () => {
	const prune = () => ({ pruned: true });
	expect(judged('{"a":null}', prune)).toEqual({ verdict: 'complete', raw: '{"pruned":true}' });
	expect(judged('{"a":null', prune)).toEqual({ verdict: 'incomplete', raw: '{"a":null' });
});

test('S2-98 the verdict is that of the reader that goes sign by sign, on beginnings and on garbled ones', () => {
	const seen = { complete: 0, incomplete: 0, invalid: 0 };
	const signs = fc.constantFrom(...'{}[]",:\\u0e-+.tn\n5 ');
	fc.assert(
		fc.property(fc.json({ maxDepth: 3 }), fc.nat(), fc.option(signs), fc.nat(), (json, cut, sign, at) => {
			const text = json.slice(0, 1 + (cut % json.length));
			const place = at % text.length;
			const said = sign === null ? text : text.slice(0, place) + sign + text.slice(place + (at % 2));
			const reader = new PartialJSON();
			reader.push(said);
			const { verdict } = judged(said);
			seen[verdict] += 1;
			expect(verdict).toBe(said.trim() === '' ? 'complete' : reader.end());
		}),
		{ numRuns: 3_000 }
	);
	expect(Math.min(...Object.values(seen))).toBeGreaterThan(100);
});
