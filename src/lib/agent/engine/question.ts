import type { Actor } from '../../actor/actor.js';
import { isSchema, project } from '../capability/projection.js';
import { copyJSON } from '../journal/copy.js';
import type { Issue, Question, QuestionSpec } from '../protocol/run-state.js';
import type { Schema } from '../protocol/schema.js';

/** A question as it is recorded: its schema is always the JSON Schema projection. */
export function asQuestion(spec: QuestionSpec, as: { id: string; run: string; from: Actor }): Question {
	const schema = projection(spec.schema);
	return {
		...as,
		text: spec.text,
		reason: spec.reason ?? 'question',
		status: 'open',
		schema,
		url: spec.url,
		expiresAt: spec.expiresAt
	};
}

function projection(
	schema: Schema | Record<string, unknown> | undefined
): Record<string, unknown> | undefined {
	if (schema === undefined) return undefined;
	if (isSchema(schema)) {
		const out = project(schema);
		return out.ok ? out.json : undefined;
	}
	const copy = copyJSON(schema);
	const plain = copy.ok && typeof copy.value === 'object' && !Array.isArray(copy.value);
	return plain ? ((copy.value ?? undefined) as Record<string, unknown> | undefined) : undefined;
}

type Node = Record<string, unknown>;

/**
 * Checks an answer against the flat JSON Schemas questions are made of: objects of strings, numbers, booleans, enums and
 * lists of enums.
 * @see MCP specification 2025-06-18, elicitation, for the subset
 */
export function checkAnswer(schema: Node | undefined, value: unknown, path = ''): Issue[] {
	if (schema === undefined) return typeof value === 'string' ? [] : [{ path, message: 'Give a text.' }];
	// A schema may come from a model: what is none demands nothing.
	if (typeof schema !== 'object' || schema === null) return [];
	const fault = (message: string): Issue[] => [{ path, message }];
	if (Array.isArray(schema.enum))
		return schema.enum.includes(value) ? [] : fault(`Choose one of ${schema.enum.map(String).join(', ')}.`);
	switch (schema.type) {
		case 'object':
			return checkObject(schema, value, path);
		case 'array': {
			if (!Array.isArray(value)) return fault('Give a list.');
			if (typeof schema.minItems === 'number' && value.length < schema.minItems)
				return fault(`Choose at least ${schema.minItems}.`);
			if (typeof schema.maxItems === 'number' && value.length > schema.maxItems)
				return fault(`Choose at most ${schema.maxItems}.`);
			if (schema.uniqueItems === true && new Set(value).size < value.length)
				return fault('Choose each once.');
			return value.flatMap((item, i) =>
				checkAnswer((schema.items ?? {}) as Node, item, join(path, String(i)))
			);
		}
		case 'string':
			return checkText(schema, value, fault);
		case 'integer':
		case 'number':
			return checkNumber(schema, value, fault);
		case 'boolean':
			return typeof value === 'boolean' ? [] : fault('Answer yes or no.');
		default:
			return [];
	}
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}/${key}`);

function checkObject(schema: Node, value: unknown, path: string): Issue[] {
	if (typeof value !== 'object' || value === null || Array.isArray(value))
		return [{ path, message: 'Fill in the fields.' }];
	const properties = (schema.properties ?? {}) as Record<string, Node>;
	const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
	const given = value as Record<string, unknown>;
	const missing = required
		.filter((key) => !Object.hasOwn(given, key) || given[key] === '')
		.map((key) => ({ path: join(path, key), message: 'This is needed.' }));
	const stray = Object.keys(given)
		.filter((key) => !Object.hasOwn(properties, key))
		.map((key) => ({ path: join(path, key), message: 'This was not asked.' }));
	const wrong = Object.entries(properties)
		.filter(([key]) => Object.hasOwn(given, key) && !missing.some((issue) => issue.path === join(path, key)))
		.flatMap(([key, part]) => checkAnswer(part, given[key], join(path, key)));
	return [...missing, ...stray, ...wrong];
}

const FORMATS: Readonly<Record<string, { test: RegExp; say: string }>> = {
	email: { test: /^[^@\s]+@[^@\s]+$/, say: 'Give an e-mail address.' },
	uri: { test: /^[a-z][a-z0-9+.-]*:\S+$/i, say: 'Give a web address.' },
	date: { test: /^\d{4}-\d{2}-\d{2}$/, say: 'Give a date as 2026-11-30.' },
	'date-time': { test: /^\d{4}-\d{2}-\d{2}T\S+$/, say: 'Give date and time as 2026-11-30T10:00.' }
};

function checkText(schema: Node, value: unknown, fault: (message: string) => Issue[]): Issue[] {
	if (typeof value !== 'string') return fault('Give a text.');
	if (typeof schema.minLength === 'number' && value.length < schema.minLength)
		return fault(`Give at least ${schema.minLength} characters.`);
	if (typeof schema.maxLength === 'number' && value.length > schema.maxLength)
		return fault(`Give at most ${schema.maxLength} characters.`);
	const named = typeof schema.format === 'string' && Object.hasOwn(FORMATS, schema.format);
	const format = named ? FORMATS[schema.format as string] : undefined;
	return format && !format.test.test(value) ? fault(format.say) : [];
}

function checkNumber(schema: Node, value: unknown, fault: (message: string) => Issue[]): Issue[] {
	if (typeof value !== 'number' || !Number.isFinite(value)) return fault('Give a number.');
	if (schema.type === 'integer' && !Number.isInteger(value)) return fault('Give a whole number.');
	if (typeof schema.exclusiveMinimum === 'number' && value <= schema.exclusiveMinimum)
		return fault(`Give more than ${schema.exclusiveMinimum}.`);
	if (typeof schema.exclusiveMaximum === 'number' && value >= schema.exclusiveMaximum)
		return fault(`Give less than ${schema.exclusiveMaximum}.`);
	if (typeof schema.minimum === 'number' && value < schema.minimum)
		return fault(`Give at least ${schema.minimum}.`);
	if (typeof schema.maximum === 'number' && value > schema.maximum)
		return fault(`Give at most ${schema.maximum}.`);
	return [];
}
