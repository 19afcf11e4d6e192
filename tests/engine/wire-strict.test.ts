import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { strictOf } from '$lib/agent/adapters/wire/strict.js';
import type { JSONValue } from '$lib/agent/protocol/words.js';

type Schema = Record<string, unknown>;

const ajv = new Ajv2020({ strict: false, ownProperties: true });
const object = (properties: Schema, required: readonly string[] = []): Schema => ({
	type: 'object',
	properties,
	required
});

describe('the strict form of a schema', () => {
	test('S2-23 every property is required, an optional one may be null, nothing else is taken', () => {
		const { schema } = strictOf(
			object(
				{ title: { type: 'string' }, due: { type: 'string' }, list: { type: 'array', items: object({}) } },
				['title']
			)
		)!;
		expect(schema).toEqual({
			type: 'object',
			properties: {
				title: { type: 'string' },
				due: { anyOf: [{ type: 'string' }, { type: 'null' }] },
				list: {
					anyOf: [
						{
							type: 'array',
							items: { type: 'object', properties: {}, required: [], additionalProperties: false }
						},
						{ type: 'null' }
					]
				}
			},
			required: ['title', 'due', 'list'],
			additionalProperties: false
		});
	});

	test('S2-23 limits are told in words instead', () => {
		const { schema } = strictOf(
			object({ title: { type: 'string', minLength: 3, description: 'A title.' } }, ['title'])
		)!;
		expect(schema.properties).toEqual({
			title: { type: 'string', description: 'A title.\n{"minLength":3}' }
		});
	});

	test('S2-23 what is enumerated gets the type it needs', () => {
		const { schema } = strictOf(object({ tone: { enum: ['dry', 'warm', null] } }, ['tone']))!;
		expect(schema.properties).toEqual({ tone: { type: ['string', 'null'], enum: ['dry', 'warm', null] } });
	});

	test('S2-23 definitions are kept; nothing stands beside a reference; a root that names one is it', () => {
		const { schema, prune } = strictOf({
			$ref: '#/$defs/node',
			$defs: {
				node: object(
					{ next: { $ref: '#/$defs/node', description: 'The one behind.' }, name: { type: 'string' } },
					['name']
				)
			}
		})!;
		const next = { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }], description: 'The one behind.' };
		expect(schema).toMatchObject({
			type: 'object',
			properties: { next, name: { type: 'string' } },
			$defs: { node: { properties: { next } } }
		});
		expect(schema).not.toHaveProperty('$ref');
		expect(prune!({ name: 'a', next: { name: 'b', next: null } })).toEqual({
			name: 'a',
			next: { name: 'b' }
		});
	});

	test.each<[string, Schema]>([
		['alternatives at the root', { anyOf: [object({}), object({})] }],
		['a list at the root', { type: 'array', items: { type: 'string' } }],
		['no type', object({ any: {} })],
		['any keys', { type: 'object', additionalProperties: { type: 'string' } }],
		['more keys', { ...object({}), additionalProperties: true }],
		['a free object inside', object({ any: { type: 'object' } })],
		['a condition', { ...object({}), if: object({}), then: object({}) }],
		['all of two', object({ one: { allOf: [{ type: 'string' }, { enum: ['a'] }] } })],
		['a tuple', object({ pair: { type: 'array', prefixItems: [{ type: 'string' }] } })],
		['a reference to elsewhere', object({ one: { $ref: 'https://example.com/schema' } })],
		['a reference to nothing', object({ one: { $ref: '#/$defs/none' } })],
		['a required key nobody knows', object({}, ['ghost'])],
		[
			'too deep',
			Array.from({ length: 12 }).reduce<Schema>((inner) => object({ inner }, ['inner']), { type: 'string' })
		]
	])('S2-23 %s cannot be strict', (_, schema) => {
		expect(strictOf(schema)).toBeUndefined();
	});

	test('S2-23 where nothing is optional there is nothing to take away', () => {
		expect(strictOf(object({ one: { type: 'string' } }, ['one']))!.prune).toBeUndefined();
	});
});

describe('the way back', () => {
	const back = (schema: Schema, value: JSONValue): unknown => strictOf(schema)!.prune!(value);

	test('S2-23 a null that was asked for stays, one that stands for nothing goes', () => {
		const schema = object({ must: { type: ['string', 'null'] }, may: { type: 'string' } }, ['must']);
		expect(back(schema, { must: null, may: null })).toEqual({ must: null });
		expect(back(schema, { must: 'a', may: 'b' })).toEqual({ must: 'a', may: 'b' });
	});

	test('S2-23 in lists, in definitions and in the branch that is meant', () => {
		const schema = {
			...object(
				{
					rows: { type: 'array', items: { $ref: '#/$defs/row' } },
					where: {
						anyOf: [
							object({ kind: { const: 'at' }, at: { type: 'number' } }, ['kind']),
							object({ kind: { const: 'none' }, at: { type: 'null' } }, ['kind', 'at'])
						]
					}
				},
				['rows', 'where']
			),
			$defs: { row: object({ note: { type: 'string' } }) }
		};
		expect(back(schema, { rows: [{ note: null }, { note: 'x' }], where: { kind: 'at', at: null } })).toEqual({
			rows: [{}, { note: 'x' }],
			where: { kind: 'at' }
		});
		expect(back(schema, { rows: [], where: { kind: 'none', at: null } })).toEqual({
			rows: [],
			where: { kind: 'none', at: null }
		});
	});

	test('S2-23 a key called __proto__ stays a key', () => {
		const value = JSON.parse('{"__proto__":{"a":1},"may":null}') as JSONValue;
		const out = back(object({ may: { type: 'string' } }), value) as object;
		expect(JSON.stringify(out)).toBe('{"__proto__":{"a":1}}');
		expect(Object.getPrototypeOf(out)).toBe(Object.prototype);
	});

	test('S2-23 branches that begin alike are tried once a value, not once a level', () => {
		const schema = {
			...object({ tree: { $ref: '#/$defs/tree' } }, ['tree']),
			$defs: {
				tree: {
					anyOf: [
						object({ child: { $ref: '#/$defs/tree' }, left: { const: 1 } }, ['child', 'left']),
						object({ child: { $ref: '#/$defs/tree' }, right: { type: 'number' } }, ['child']),
						{ type: 'null' }
					]
				}
			}
		};
		let tree: JSONValue = null;
		for (let depth = 0; depth < 60; depth += 1) tree = { child: tree, right: null };
		const pruned = JSON.stringify(back(schema, { tree }));
		expect(pruned).not.toContain('right');
		expect(pruned).toHaveLength(JSON.stringify({ tree }).length - 60 * ',"right":null'.length);
	});

	const scalars: fc.Arbitrary<Schema> = fc.oneof(
		fc.constantFrom<Schema>(
			...['string', 'number', 'integer', 'boolean', 'null'].map((type) => ({ type })),
			{ type: ['string', 'null'] },
			{ type: ['number', 'boolean'] },
			{ $ref: '#/$defs/leaf' },
			{ $ref: '#/$defs/list' }
		),
		fc
			.uniqueArray(fc.constantFrom('a', 'b', 1, 2, true, null), { minLength: 1 })
			.map((some) => ({ enum: some })),
		fc.constantFrom('x', 3, false, null).map((only) => ({ const: only }))
	);
	const { schema: schemas } = fc.letrec<{ schema: Schema; object: Schema }>((tie) => ({
		object: fc
			.dictionary(fc.constantFrom('a', 'b', 'c', 'toString', 'constructor'), tie('schema'), { maxKeys: 4 })
			.chain((properties) =>
				fc.subarray(Object.keys(properties)).map((required) => object({ ...properties }, required))
			),
		schema: fc.oneof(
			{ maxDepth: 3, withCrossShrink: true },
			scalars,
			tie('object'),
			tie('schema').map((items) => ({ type: 'array', items })),
			fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
			tie('object').map((one) => ({ ...one, type: ['object', 'null'] })),
			tie('schema').map((one) => ({ allOf: [one] }))
		)
	}));
	const roots = fc.dictionary(fc.constantFrom('p', 'q', 'r'), schemas, { minKeys: 1 }).chain((properties) =>
		fc.subarray(Object.keys(properties)).map((required) => ({
			...object({ ...properties }, required),
			$defs: {
				leaf: object({ name: { type: 'string' }, size: { type: 'integer' } }, ['name']),
				list: object({ next: { $ref: '#/$defs/list' }, label: { type: ['string', 'null'] } }, ['label'])
			}
		}))
	);

	/** Values that a strict schema takes. */
	function valuesOf(schema: Schema, root: Schema, depth = 0): fc.Arbitrary<unknown> {
		const { $ref, anyOf, enum: some, type } = schema;
		if (typeof $ref === 'string')
			return valuesOf((root.$defs as Record<string, Schema>)[$ref.split('/').at(-1)!]!, root, depth + 1);
		if (Array.isArray(anyOf)) {
			const branches = anyOf as Schema[];
			const shallow = depth > 6 ? branches.filter((branch) => branch.type === 'null') : [];
			return fc.oneof(
				...(shallow.length > 0 ? shallow : branches).map((branch) => valuesOf(branch, root, depth + 1))
			);
		}
		if ('const' in schema) return fc.constant(schema.const);
		if (Array.isArray(some)) return fc.constantFrom(...(some as unknown[]));
		if (Array.isArray(type))
			return fc.oneof(...type.map((one) => valuesOf({ type: one as string }, root, depth)));
		if (type === 'object')
			return fc.record(
				Object.fromEntries(
					Object.entries(schema.properties as Record<string, Schema>).map(([key, one]) => [
						key,
						valuesOf(one, root, depth + 1)
					])
				)
			);
		if (type === 'array')
			return fc.array(valuesOf(schema.items as Schema, root, depth + 1), { maxLength: depth > 6 ? 0 : 2 });
		if (type === 'string') return fc.string({ maxLength: 3 });
		if (type === 'integer') return fc.integer();
		if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
		return type === 'boolean' ? fc.boolean() : fc.constant(null);
	}

	test('S2-23 what is valid strictly is valid by its own schema once it is pruned', () => {
		const seen = { pruned: 0 };
		fc.assert(
			fc.property(
				roots.chain((schema) => {
					const strict = strictOf(schema)!;
					const values = fc.array(valuesOf(strict.schema, strict.schema), { minLength: 6, maxLength: 6 });
					return fc.tuple(fc.constant({ schema, strict }), values);
				}),
				([{ schema, strict }, values]) => {
					const isStrict = ajv.compile(strict.schema);
					const isOwn = ajv.compile(schema);
					for (const given of values) {
						const value = JSON.parse(JSON.stringify(given)) as JSONValue;
						expect(isStrict(value), ajv.errorsText(isStrict.errors)).toBe(true);
						const pruned = strict.prune ? strict.prune(value) : value;
						if (JSON.stringify(pruned) !== JSON.stringify(value)) seen.pruned += 1;
						expect(isOwn(pruned), ajv.errorsText(isOwn.errors)).toBe(true);
					}
				}
			),
			{ numRuns: 40 }
		);
		expect(seen.pruned).toBeGreaterThan(20);
	});
});
