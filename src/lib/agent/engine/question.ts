import type { Issue } from '../protocol/run-state.js';

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
	const choices = choicesOf(schema);
	if (choices) return choices.includes(value) ? [] : fault(`Choose one of ${choices.map(said).join(', ')}.`);
	switch (schema.type) {
		case 'object':
			return checkObject(schema, value, path);
		case 'array': {
			if (!Array.isArray(value)) return fault('Give a list.');
			const items = (schema.items ?? {}) as Node;
			const wrong =
				beyond(schema, COUNTS, value.length) ??
				(schema.uniqueItems === true && new Set(value).size < value.length ? 'Choose each once.' : undefined);
			return wrong
				? fault(wrong)
				: value.flatMap((item, i) => checkAnswer(items, item, join(path, String(i))));
		}
		case 'string': {
			if (typeof value !== 'string') return fault('Give a text.');
			const { format } = schema;
			const [test, say] =
				typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format]! : [];
			const wrong = beyond(schema, LENGTHS, value.length) ?? (test?.test(value) === false ? say : undefined);
			return wrong ? fault(wrong) : [];
		}
		case 'integer':
		case 'number': {
			if (!Number.isFinite(value)) return fault('Give a number.');
			if (schema.type === 'integer' && !Number.isInteger(value)) return fault('Give a whole number.');
			const wrong = beyond(schema, SIZES, value as number);
			return wrong ? fault(wrong) : [];
		}
		case 'boolean':
			return typeof value === 'boolean' ? [] : fault('Answer yes or no.');
		default:
			return [];
	}
}

/** The values a schema names one by one: as `enum`, or as constants with a title each. */
function choicesOf(schema: Node): readonly unknown[] | undefined {
	if (Array.isArray(schema.enum)) return schema.enum;
	const options = [schema.oneOf, schema.anyOf].find(Array.isArray) as readonly (Node | null)[] | undefined;
	const titled = options?.every((one) => typeof one === 'object' && one !== null && 'const' in one);
	return titled ? options!.map((one) => one!.const) : undefined;
}

/** A choice as it can be read; not every value has a text of its own. */
const said = (choice: unknown): string => (typeof choice === 'string' ? choice : JSON.stringify(choice));

const join = (path: string, key: string): string => (path === '' ? key : `${path}/${key}`);

function checkObject(schema: Node, value: unknown, path: string): Issue[] {
	if (typeof value !== 'object' || value === null || Array.isArray(value))
		return [{ path, message: 'Fill in the fields.' }];
	const properties = (schema.properties ?? {}) as Record<string, Node>;
	const required = Array.isArray(schema.required)
		? schema.required.filter((key): key is string => typeof key === 'string')
		: [];
	const given = value as Record<string, unknown>;
	const say = (keys: readonly string[], message: string): Issue[] =>
		keys.map((key) => ({ path: join(path, key), message }));
	const missing = required.filter((key) => !Object.hasOwn(given, key) || given[key] === '');
	const stray = Object.keys(given).filter((key) => !Object.hasOwn(properties, key));
	const wrong = Object.entries(properties)
		.filter(([key]) => Object.hasOwn(given, key) && !missing.includes(key))
		.flatMap(([key, part]) => checkAnswer(part, given[key], join(path, key)));
	return [...say(missing, 'This is needed.'), ...say(stray, 'This was not asked.'), ...wrong];
}

type Limits = Readonly<Record<string, readonly [asks: string, unit: string]>>;

const LEAST = 'at least';
const MOST = 'at most';
const COUNTS: Limits = { minItems: [`Choose ${LEAST}`, ''], maxItems: [`Choose ${MOST}`, ''] };
const LENGTHS: Limits = {
	minLength: [`Give ${LEAST}`, ' characters'],
	maxLength: [`Give ${MOST}`, ' characters']
};
const SIZES: Limits = {
	exclusiveMinimum: ['Give more than', ''],
	exclusiveMaximum: ['Give less than', ''],
	minimum: [`Give ${LEAST}`, ''],
	maximum: [`Give ${MOST}`, '']
};

/** Which limit of a schema a figure is beyond, in words. */
function beyond(schema: Node, limits: Limits, figure: number): string | undefined {
	for (const [name, [asks, unit]] of Object.entries(limits)) {
		const limit = schema[name];
		if (typeof limit !== 'number') continue;
		const over = /min/i.test(name) ? limit - figure : figure - limit;
		if (over > 0 || (over === 0 && name.startsWith('excl'))) return `${asks} ${limit}${unit}.`;
	}
	return undefined;
}

const FORMATS: Readonly<Record<string, readonly [test: RegExp, say: string]>> = {
	email: [/^[^@\s]+@[^@\s]+$/, 'Give an e-mail address.'],
	uri: [/^[a-z][a-z0-9+.-]*:\S+$/i, 'Give a web address.'],
	date: [/^\d{4}-\d{2}-\d{2}$/, 'Give a date as 2026-11-30.'],
	'date-time': [/^\d{4}-\d{2}-\d{2}T\S+$/, 'Give date and time as 2026-11-30T10:00.']
};
