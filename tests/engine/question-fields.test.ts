import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JSONValue } from '../../src/lib/agent/protocol/words.js';
import { collect, startOf, type Entry } from '../../src/lib/canon/surfaces/question/answer.js';
import { fieldsOf } from '../../src/lib/canon/surfaces/question/fields.js';
import { en } from '../../src/lib/langs/index.js';

const project = (schema: z.ZodType) => z.toJSONSchema(schema) as Record<string, unknown>;

describe('S2-45 the fields of a question come from its schema alone', () => {
	it('asks for one text where there is no schema', () => {
		expect(fieldsOf(undefined, 'Your answer')).toMatchObject([
			{ key: '', label: 'Your answer', kind: 'text', required: true }
		]);
	});

	it('knows every kind a plain form can show', () => {
		const schema = project(
			z.object({
				name: z.string().describe('As on the invoice'),
				mail: z.email(),
				due: z.iso.date(),
				note: z.string().max(2_000).optional(),
				amount: z.number().min(0),
				guests: z.int().default(2),
				urgent: z.boolean().default(false),
				account: z.enum(['operations', 'machines']),
				days: z.array(z.enum(['mon', 'tue', 'wed'])),
				costCentre: z.string().nullable()
			})
		);
		const fields = Object.fromEntries(fieldsOf(schema, '').map((field) => [field.key, field]));
		expect(fields.name).toMatchObject({
			label: 'Name',
			hint: 'As on the invoice',
			kind: 'text',
			required: true
		});
		expect(fields.mail).toMatchObject({ input: 'email' });
		expect(fields.due).toMatchObject({ input: 'date' });
		expect(fields.note).toMatchObject({ kind: 'long', required: false });
		expect(fields.amount).toMatchObject({ kind: 'number', min: 0 });
		expect(fields.guests).toMatchObject({ kind: 'whole', initial: 2 });
		expect(fields.urgent).toMatchObject({ kind: 'yes-no', initial: false });
		expect(fields.account).toMatchObject({ kind: 'one-of' });
		expect(fields.account?.choices.map(({ value }) => value)).toEqual(['operations', 'machines']);
		expect(fields.days).toMatchObject({ kind: 'some-of' });
		expect(fields.costCentre).toMatchObject({ label: 'Cost centre', kind: 'text', required: false });
	});

	it('takes names of choices from enumNames and from titled constants', () => {
		const named = fieldsOf({ type: 'string', enum: ['a', 'b'], enumNames: ['Anna', 'Bea'] }, '')[0];
		expect(named?.choices.map(({ label }) => label)).toEqual(['Anna', 'Bea']);
		const titled = fieldsOf(
			{
				oneOf: [
					{ const: 1, title: 'One' },
					{ const: 2, title: 'Two' }
				]
			},
			''
		)[0];
		expect(titled?.choices).toEqual([
			{ value: 1, label: 'One' },
			{ value: 2, label: 'Two' }
		]);
	});

	it('asks for no secrets', () => {
		const secret = (key: string, part: Record<string, unknown> = { type: 'string' }) =>
			fieldsOf({ type: 'object', properties: { [key]: part } }, '')[0]?.secret;
		expect(secret('password')).toBe(true);
		expect(secret('value', { type: 'string', format: 'password' })).toBe(true);
		expect(secret('cardNumber')).toBe(true);
		expect(secret('value', { type: 'string', writeOnly: true })).toBe(true);
		expect(secret('amount')).toBe(false);
		expect(secret('passenger')).toBe(false);
	});
});

describe('the answer a form gives', () => {
	const schema = project(
		z.object({
			account: z.enum(['operations', 'machines']),
			guests: z.int().default(2),
			days: z.array(z.enum(['mon', 'tue'])),
			note: z.string().optional()
		})
	);
	const fields = fieldsOf(schema, '');
	const answer = (entries: Record<string, Entry>) => collect(fields, entries, en);

	it('is plain JSON in the types of the schema, without what was left empty', () => {
		expect(answer({ account: '1', guests: ' 4 ', days: [1], note: '' })).toEqual({
			ok: true,
			value: { account: 'machines', guests: 4, days: ['tue'] }
		});
	});

	it('starts from defaults', () => {
		expect(answer({ account: '0' })).toEqual({
			ok: true,
			value: { account: 'operations', guests: 2, days: [] }
		});
		expect(fields.map(startOf)).toEqual(['', '2', [], '']);
	});

	it('says by field what is missing or is no number', () => {
		expect(answer({ guests: 'many' })).toEqual({
			ok: false,
			issues: [
				{ path: 'account', message: 'Account is needed.' },
				{ path: 'guests', message: 'Write a number.' }
			]
		});
		expect(answer({ account: '0', guests: '2.5' })).toMatchObject({
			issues: [{ path: 'guests', message: 'Write a whole number.' }]
		});
	});

	it.each<[Record<string, unknown> | undefined, Entry, JSONValue]>([
		[undefined, 'By lorry', 'By lorry'],
		[{ type: 'number' }, '12.5', 12.5],
		[{ type: 'boolean' }, true, true],
		[{ type: 'array', items: { enum: ['a', 'b'] } }, [0, 1], ['a', 'b']],
		[{ type: 'array', items: { type: 'object' } }, '[{"x":1}]', [{ x: 1 }]]
	])('is the value itself where the schema is no object: %j', (one, entry, value) => {
		expect(collect(fieldsOf(one, 'Answer'), { '': entry }, en)).toEqual({ ok: true, value });
	});
});
