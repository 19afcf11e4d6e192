import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	array,
	boolean,
	nothing,
	number,
	object,
	optional,
	record,
	string,
	union,
	type SmallSchema
} from '../../src/lib/canon/participants/schema.js';

type Verdict = { value?: unknown; issues?: readonly { message: string; path?: readonly unknown[] }[] };
const validate = (schema: SmallSchema<unknown>, value: unknown) =>
	schema['~standard'].validate(value) as Verdict;

/** A schema together with a generator of values that fit it. */
interface Pair {
	schema: SmallSchema<unknown>;
	fits: fc.Arbitrary<unknown>;
}
const leaf = fc.constantFrom<Pair>(
	{ schema: string(), fits: fc.string() },
	{ schema: number(), fits: fc.double({ noNaN: true, noDefaultInfinity: true }) },
	{ schema: boolean(), fits: fc.boolean() },
	{ schema: nothing(), fits: fc.constant(null) }
);
const key = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('__proto__', 'constructor', 'toString'));
const pairs = fc.letrec<{ any: Pair }>((tie) => ({
	any: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		leaf,
		tie('any').map(({ schema, fits }) => ({ schema: array(schema), fits: fc.array(fits, { maxLength: 4 }) })),
		tie('any').map(({ schema, fits }) => ({ schema: record(schema), fits: dictionary(fits) })),
		fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((inner) => ({
			schema: union(inner.map(({ schema }) => schema)),
			fits: fc.oneof(...inner.map(({ fits }) => fits))
		})),
		fc.uniqueArray(fc.tuple(key, tie('any')), { selector: ([name]) => name, maxLength: 4 }).map((inner) => ({
			schema: object(Object.fromEntries(inner.map(([name, { schema }]) => [name, schema]))),
			fits: fc
				.tuple(...inner.map(([, { fits }]) => fits))
				.map((values) => Object.fromEntries(values.map((v, at) => [inner[at]![0], v])))
		}))
	)
})).any;

function dictionary(fits: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
	return fc.array(fc.tuple(key, fits), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}

describe('schemas of the house', () => {
	it('accept every value that fits, and give it back equal and plain', () => {
		expect.hasAssertions();
		fc.assert(
			fc.property(
				pairs.chain(({ schema, fits }) => fits.map((value) => ({ schema, value }))),
				({ schema, value }) => {
					const verdict = validate(schema, value);
					expect(verdict.issues).toBeUndefined();
					// The matcher stumbles over an own key `constructor`.
					expect(isDeepStrictEqual(verdict.value, value)).toBe(true);
				}
			)
		);
	});

	it('refuse what is no JSON of theirs without throwing, and name the place', () => {
		expect.hasAssertions();
		const strange = fc.constantFrom<unknown>(undefined, NaN, Infinity, Symbol('x'), 1n, () => 1);
		fc.assert(
			fc.property(pairs, strange, ({ schema }, value) => {
				expect(validate(schema, value).issues?.length).toBeGreaterThan(0);
				expect(validate(array(schema), [value]).issues?.[0]?.path?.[0]).toBe(0);
			})
		);
	});

	it('give the same projection as input and output, with descriptions', () => {
		const schema = object({ to: string('Whom'), times: optional(number('How often')) }, 'A greeting');
		expect(schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })).toStrictEqual({
			type: 'object',
			properties: {
				to: { type: 'string', description: 'Whom' },
				times: { type: 'number', description: 'How often' }
			},
			required: ['to'],
			additionalProperties: false,
			description: 'A greeting'
		});
		expect(schema['~standard'].jsonSchema.output({ target: 'draft-2020-12' })).toBe(schema.json);
	});

	it('tell missing, unknown and wrong keys apart', () => {
		const schema = object({ to: string(), times: optional(number()) });
		expect(validate(schema, { to: 'x' })).toStrictEqual({ value: { to: 'x' } });
		expect(validate(schema, {}).issues).toStrictEqual([{ message: '"to" is missing', path: ['to'] }]);
		expect(validate(schema, { to: 'x', extra: 1 }).issues).toStrictEqual([
			{ message: 'there is no "extra"', path: ['extra'] }
		]);
		expect(validate(schema, { to: 'x', times: '2' }).issues).toStrictEqual([
			{ message: 'expected a number', path: ['times'] }
		]);
	});
});
