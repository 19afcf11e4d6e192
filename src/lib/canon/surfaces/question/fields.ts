import type { JSONValue } from '../../../agent/protocol/words.js';

/** One choice of a field. */
export interface Choice {
	value: JSONValue;
	label: string;
}

/** One thing to fill in, made from a part of a JSON Schema. @since 0.1.0 */
export interface QuestionField {
	/** Key in the answer; empty when the answer is this one value. */
	key: string;
	label: string;
	hint?: string;
	required: boolean;
	kind: 'text' | 'long' | 'number' | 'whole' | 'yes-no' | 'one-of' | 'some-of' | 'json';
	/** `type` of the input, for texts. */
	input: 'text' | 'email' | 'url' | 'date' | 'datetime-local' | 'time';
	choices: readonly Choice[];
	initial?: JSONValue;
	min?: number;
	max?: number;
	minLength?: number;
	maxLength?: number;
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

/**
 * The fields of a question. An object gives one for each property, any other schema one for the value itself, none at all
 * a plain text.
 * @param label how the single field is called
 * @since 0.1.0
 */
export function fieldsOf(schema: Schema | undefined, label: string): readonly QuestionField[] {
	if (schema === undefined) return [fieldOf('', {}, label, true)];
	const properties = schema.properties;
	if (!isObject(properties)) return [fieldOf('', schema, label, true)];
	const required = Array.isArray(schema.required) ? schema.required : [];
	return Object.entries(properties).map(([key, part]) =>
		fieldOf(key, isObject(part) ? part : {}, wordsOf(key), required.includes(key))
	);
}

function fieldOf(key: string, given: Schema, name: string, required: boolean): QuestionField {
	const { schema, nullable } = single(given);
	const label = typeof schema.title === 'string' && schema.title !== '' ? schema.title : name;
	const choices = choicesOf(schema) ?? choicesOf(isObject(schema.items) ? schema.items : {}) ?? [];
	const number = (name: string) => (typeof schema[name] === 'number' ? { [bound(name)]: schema[name] } : {});
	return {
		key,
		label,
		...(typeof schema.description === 'string' ? { hint: schema.description } : {}),
		required: required && !nullable,
		kind: kindOf(schema, choices),
		input: INPUTS[String(schema.format)] ?? 'text',
		choices,
		...('default' in schema ? { initial: schema.default as JSONValue } : {}),
		...number('minimum'),
		...number('maximum'),
		...number('minLength'),
		...number('maxLength'),
		secret: schema.format === 'password' || schema.writeOnly === true || SECRET.test(`${key} ${label}`)
	};
}

const bound = (name: string) => (name === 'minimum' ? 'min' : name === 'maximum' ? 'max' : name);

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

function kindOf(schema: Schema, choices: readonly Choice[]): QuestionField['kind'] {
	const type = schema.type;
	if (type === 'array') return choices.length > 0 ? 'some-of' : 'json';
	if (choices.length > 0) return 'one-of';
	if (type === 'boolean') return 'yes-no';
	if (type === 'integer') return 'whole';
	if (type === 'number') return 'number';
	if (type === 'object') return 'json';
	const long = typeof schema.maxLength === 'number' && schema.maxLength > 200;
	return long ? 'long' : 'text';
}

/** "costCentre", "cost_centre" → "Cost centre". */
function wordsOf(key: string): string {
	const words = key
		.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
		.replace(/[_-]+/g, ' ')
		.trim()
		.toLowerCase();
	return words.charAt(0).toUpperCase() + words.slice(1);
}
