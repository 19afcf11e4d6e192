import type { JSONValue } from '../../../agent/protocol/words.js';

import { keyInWords, ownOf, type Choice, type Field } from '../field/field.js';

/** A field made from a part of a JSON Schema. @since 0.1.0 */
export interface QuestionField extends Field {
	initial?: JSONValue;
	min?: number;
	max?: number;
	/** Least and most choices. */
	fewest?: number;
	most?: number;
	/** The schema asks for something no agent may ask for. */
	secret: boolean;
}

type Schema = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Schema =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Words in keys and titles that name a secret. */
const SECRET =
	/pass(word|phrase|code)|secret|\bpin\b|\bcvc\b|\bcvv\b|card.?(number|no)\b|api.?key|access.?token|private.?key|contraseña/i;

const INPUTS: Readonly<Record<string, QuestionField['input']>> = {
	email: 'email',
	uri: 'url',
	url: 'url',
	date: 'date',
	'date-time': 'datetime-local',
	time: 'time'
};

const BOUNDS = {
	minimum: 'min',
	maximum: 'max',
	minLength: 'minLength',
	maxLength: 'maxLength',
	minItems: 'fewest',
	maxItems: 'most'
};

/**
 * The fields of a question. An object gives one for each property, any other schema one for the value itself, none at all
 * a plain text.
 * @param label how the single field is called
 * @since 0.1.0
 */
export function fieldsOf(schema: Schema | undefined, label: string): readonly QuestionField[] {
	const { properties, required } = schema ?? {};
	if (!isObject(properties)) return [fieldOf('', schema ?? {}, label, true)];
	return Object.entries(properties).map(([key, part]) =>
		fieldOf(
			key,
			isObject(part) ? part : {},
			keyInWords(key),
			Array.isArray(required) && required.includes(key)
		)
	);
}

function fieldOf(key: string, given: Schema, name: string, required: boolean): QuestionField {
	const { schema, nullable } = single(given);
	const label = typeof schema.title === 'string' && schema.title !== '' ? schema.title : name;
	const choices = choicesOf(schema) ?? choicesOf(isObject(schema.items) ? schema.items : {}) ?? [];
	const bounds = Object.entries(BOUNDS).filter(([name]) => typeof schema[name] === 'number');
	return {
		key,
		label,
		...(typeof schema.description === 'string' ? { hint: schema.description } : {}),
		required: required && !nullable,
		kind: kindOf(schema, choices),
		input: ownOf(INPUTS, String(schema.format)) ?? 'text',
		choices,
		...('default' in schema ? { initial: schema.default as JSONValue } : {}),
		...Object.fromEntries(bounds.map(([name, bound]) => [bound, schema[name]])),
		secret: schema.format === 'password' || schema.writeOnly === true || SECRET.test(`${key} ${label}`)
	};
}

/** A value that may also be null is the value, not required. */
function single(schema: Schema): { schema: Schema; nullable: boolean } {
	const parts = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isObject) : [];
	const rest = parts.filter((part) => part.type !== 'null');
	if (rest.length === 1 && rest.length < parts.length)
		return { schema: { ...schema, anyOf: undefined, ...rest[0] }, nullable: true };
	if (!Array.isArray(schema.type)) return { schema, nullable: false };
	const types = schema.type.filter((type) => type !== 'null');
	return { schema: { ...schema, type: types[0] }, nullable: types.length < schema.type.length };
}

function choicesOf(schema: Schema): readonly Choice[] | undefined {
	if (Array.isArray(schema.enum)) {
		const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
		return schema.enum
			.filter((value) => value !== null)
			.map((value: JSONValue, index) => ({ value, label: String(names[index] ?? value) }));
	}
	const options = [schema.oneOf, schema.anyOf].find(Array.isArray) as readonly unknown[] | undefined;
	const constants = options?.filter(isObject).filter((option) => 'const' in option) ?? [];
	if (constants.length === 0 || constants.length !== options?.length) return undefined;
	return constants.map((option) => ({
		value: option.const as JSONValue,
		label: String(option.title ?? option.const)
	}));
}

const KINDS: Readonly<Record<string, QuestionField['kind']>> = {
	array: 'json',
	object: 'json',
	boolean: 'yes-no',
	integer: 'whole',
	number: 'number'
};

function kindOf({ type, maxLength }: Schema, choices: readonly Choice[]): QuestionField['kind'] {
	if (choices.length > 0) return type === 'array' ? 'some-of' : 'one-of';
	return ownOf(KINDS, String(type)) ?? (typeof maxLength === 'number' && maxLength > 200 ? 'long' : 'text');
}
