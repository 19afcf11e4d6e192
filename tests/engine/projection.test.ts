import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Schema } from '../../src/lib/agent/capability/index.js';
import {
	parseArgs,
	project,
	projectArgs,
	undescribedArgs
} from '../../src/lib/agent/capability/projection.js';

/** One schema, said in three libraries. */
const libraries: [string, Schema][] = [
	[
		'zod',
		z.strictObject({
			city: z.string().min(1).describe('City of the address'),
			lines: z
				.array(z.object({ text: z.string().describe('Text of the line') }))
				.optional()
				.describe('Lines')
		})
	],
	[
		'arktype',
		type({
			'+': 'reject',
			city: type('string >= 1').describe('City of the address'),
			'lines?': type({ text: type('string').describe('Text of the line') })
				.array()
				.describe('Lines')
		})
	],
	[
		'valibot',
		toStandardJsonSchema(
			v.strictObject({
				city: v.pipe(v.string(), v.minLength(1), v.description('City of the address')),
				lines: v.optional(
					v.pipe(
						v.array(v.object({ text: v.pipe(v.string(), v.description('Text of the line')) })),
						v.description('Lines')
					)
				)
			})
		)
	]
];

const handmade = (
	validate: Schema['~standard']['validate'],
	json: Record<string, unknown> = { type: 'object' }
): Schema => ({
	'~standard': { version: 1, vendor: 'test', validate, jsonSchema: { input: () => json, output: () => json } }
});

describe.each(libraries)('projection of %s', (_, schema) => {
	it('S2-60 says types, requirements and descriptions', () => {
		const projected = projectArgs(schema);
		expect(projected).toMatchObject({
			ok: true,
			json: {
				type: 'object',
				required: ['city'],
				additionalProperties: false,
				properties: {
					city: { type: 'string', minLength: 1, description: 'City of the address' },
					lines: {
						type: 'array',
						description: 'Lines',
						items: {
							type: 'object',
							required: ['text'],
							properties: { text: { type: 'string', description: 'Text of the line' } }
						}
					}
				}
			}
		});
		expect(projected.ok && '$schema' in projected.json).toBe(false);
		expect(projected.ok && undescribedArgs(projected.json)).toEqual([]);
	});

	it('S2-60 does not drift from its validator: what it says is required or forbidden is', () => {
		fc.assert(
			fc.property(
				fc.record(
					{ city: fc.string(), lines: fc.array(fc.record({ text: fc.string() })), other: fc.boolean() },
					{ requiredKeys: [] }
				),
				(args) => {
					const fits = args.city !== undefined && args.city !== '' && !('other' in args);
					expect(parseArgs(schema, args).ok).toBe(fits);
				}
			)
		);
	});

	it('gives a frozen copy of what parsed, and path and message of what did not', () => {
		const good = parseArgs(schema, { city: 'Trier', lines: [{ text: 'a' }] });
		expect(good).toEqual({ ok: true, value: { city: 'Trier', lines: [{ text: 'a' }] } });
		expect(Object.isFrozen(good.ok && good.value)).toBe(true);
		const bad = parseArgs(schema, { city: 5, lines: [{}] });
		expect(bad).toMatchObject({
			ok: false,
			reason: { code: 'args-invalid' },
			issues: expect.arrayContaining([
				{ path: 'city', message: expect.any(String) },
				{ path: 'lines/0/text', message: expect.any(String) }
			])
		});
		expect(!bad.ok && bad.issues.every((issue) => Object.keys(issue).join() === 'path,message')).toBe(true);
		expect(!bad.ok && bad.reason.text).toContain('city: ');
	});
});

describe('project', () => {
	it('asks for the older dialect where the library does not know the newer', () => {
		const asked: string[] = [];
		const old: Schema = {
			'~standard': {
				...handmade((value) => ({ value }))['~standard'],
				jsonSchema: {
					input: ({ target }) => {
						asked.push(target);
						if (target !== 'draft-07') throw new Error('unknown target');
						return { type: 'object', $schema: 'http://json-schema.org/draft-07/schema#' };
					},
					output: () => ({})
				}
			}
		};
		expect(project(old)).toEqual({ ok: true, json: { type: 'object' } });
		expect(asked).toEqual(['draft-2020-12', 'draft-07']);
	});

	it.each<[string, unknown, RegExp]>([
		['a date', z.date(), /[Dd]ate/],
		['a valibot schema without its wrapper', v.object({}), /./],
		['nothing', undefined, /./],
		[
			'a projection that is no JSON',
			handmade((value) => ({ value }), { type: 'object', default: new Map() }),
			/"default"/
		]
	])('refuses %s with code args', (_, schema, text) => {
		const projected = project(schema as Schema);
		expect(projected).toMatchObject({
			ok: false,
			reason: { code: 'args', text: expect.stringMatching(text) }
		});
	});

	it('refuses what is no object on top, and the argument "instance"', () => {
		expect(project(z.string()).ok).toBe(true);
		expect(projectArgs(z.string())).toMatchObject({ ok: false, reason: { code: 'args' } });
		expect(projectArgs(z.object({ instance: z.string() }))).toMatchObject({
			ok: false,
			reason: { code: 'args' }
		});
		expect(projectArgs(z.object({ a: z.object({ instance: z.string() }) })).ok).toBe(true);
	});
});

describe('parseArgs', () => {
	it('refuses a schema that validates asynchronously, also when it fails later', async () => {
		const late = z.object({ a: z.string().refine(async () => true) });
		expect(parseArgs(late, { a: 'x' })).toMatchObject({
			ok: false,
			reason: { code: 'schema-async' },
			issues: []
		});
		expect(
			parseArgs(
				handmade(() => Promise.reject(new Error('later'))),
				{}
			)
		).toMatchObject({
			reason: { code: 'schema-async' }
		});
		// An unhandled rejection would fail the run.
		await new Promise((resolve) => setTimeout(resolve));
	});

	it('refuses parsed values that are no JSON, for example a transform to a date', () => {
		const dates = z.object({ at: z.string().transform((text) => new Date(text)) });
		expect(projectArgs(dates).ok).toBe(true);
		expect(parseArgs(dates, { at: '2026-11-30' })).toMatchObject({
			ok: false,
			reason: { code: 'not-json', text: expect.stringContaining('"at"') }
		});
	});

	it('turns a validator that throws or answers nonsense into invalid arguments', () => {
		const throwing = handmade(() => {
			throw new Error('boom');
		});
		expect(parseArgs(throwing, {})).toMatchObject({
			ok: false,
			reason: { code: 'args-invalid', text: expect.stringContaining('boom') }
		});
		expect(
			parseArgs(
				handmade(() => 5 as never),
				{}
			)
		).toMatchObject({ ok: false, reason: { code: 'args-invalid' } });
	});

	it('gives defaults and transforms of the schema to the act', () => {
		const schema = z.object({ by: z.number().default(1), name: z.string().trim() });
		expect(parseArgs(schema, { name: ' a ' })).toEqual({ ok: true, value: { by: 1, name: 'a' } });
	});
});

describe('undescribedArgs', () => {
	it('S2-60 finds every argument without a description, at any depth', () => {
		const node: z.ZodType = z.object({
			text: z.string(),
			get children() {
				return z.array(node).describe('Below');
			}
		});
		const projected = projectArgs(
			z.object({
				plain: z.string(),
				said: z.string().describe('Said'),
				blank: z.string().describe(' '),
				maybe: z.string().describe('Perhaps').nullable().optional(),
				either: z
					.union([z.object({ a: z.string() }), z.object({ b: z.string().describe('b') })])
					.describe('Either'),
				list: z.array(z.object({ item: z.string() })).describe('List'),
				map: z.record(z.string(), z.object({ value: z.string() })).describe('Map'),
				pair: z.tuple([z.object({ x: z.number() })]).describe('Pair'),
				tree: node.describe('Tree')
			})
		);
		expect(projected.ok && [...undescribedArgs(projected.json)].sort()).toEqual(
			[
				'blank',
				'either/a',
				'list/*/item',
				'map/*/value',
				'maybe',
				'pair/0/x',
				'plain',
				'tree/children/*/text',
				'tree/text'
			].sort()
		);
	});
});
