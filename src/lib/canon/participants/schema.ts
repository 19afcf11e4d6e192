import type { OutputOf, Schema } from '../../agent/capability/index.js';

/** A schema of {@link object}, {@link record} and friends: the JSON Schema is at hand without asking. @since 0.1.0 */
export interface SmallSchema<T> extends Schema<T> {
	readonly json: Readonly<Record<string, unknown>>;
	readonly optional?: boolean;
}

interface Issue {
	readonly message: string;
	readonly path: readonly PropertyKey[];
}
/** Adds what is wrong to `issues`; returns the value as it may be used. */
type Check<T> = (value: unknown, path: readonly PropertyKey[], issues: Issue[]) => T;
const checks = new WeakMap<object, Check<unknown>>();

function make<T>(
	check: Check<T>,
	json: Record<string, unknown>,
	description: string | undefined,
	optional = false
): SmallSchema<T> {
	const described = description === undefined ? json : { ...json, description };
	const schema: SmallSchema<T> = {
		json: described,
		optional,
		'~standard': {
			version: 1,
			vendor: 'activeuix',
			validate(value) {
				const issues: Issue[] = [];
				const output = check(value, [], issues);
				return issues.length > 0 ? { issues } : { value: output };
			},
			jsonSchema: { input: () => described, output: () => described }
		}
	};
	checks.set(schema, check as Check<unknown>);
	return schema;
}

const checkOf = (schema: Schema): Check<unknown> => checks.get(schema)!;

function wrong<T>(message: string, path: readonly PropertyKey[], issues: Issue[]): T {
	issues.push({ message, path });
	return undefined as T;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text. @since 0.1.0 */
export const string = (description?: string): SmallSchema<string> =>
	make(
		(v, path, issues) => (typeof v === 'string' ? v : wrong('expected a text', path, issues)),
		{ type: 'string' },
		description
	);

/** A finite number. @since 0.1.0 */
export const number = (description?: string): SmallSchema<number> =>
	make(
		(v, path, issues) =>
			typeof v === 'number' && Number.isFinite(v) ? v : wrong('expected a number', path, issues),
		{ type: 'number' },
		description
	);

/** `true` or `false`. @since 0.1.0 */
export const boolean = (description?: string): SmallSchema<boolean> =>
	make(
		(v, path, issues) => (typeof v === 'boolean' ? v : wrong('expected true or false', path, issues)),
		{ type: 'boolean' },
		description
	);

/** `null`. @since 0.1.0 */
export const nothing = (description?: string): SmallSchema<null> =>
	make(
		(v, path, issues) => (v === null ? v : wrong('expected null', path, issues)),
		{ type: 'null' },
		description
	);

/** A list of one kind of item. @since 0.1.0 */
export const array = <T>(item: SmallSchema<T>, description?: string): SmallSchema<readonly T[]> =>
	make(
		(v, path, issues) =>
			Array.isArray(v)
				? v.map((entry, at) => checkOf(item)(entry, [...path, at], issues) as T)
				: wrong('expected a list', path, issues),
		{ type: 'array', items: item.json },
		description
	);

/** An object with any keys and one kind of value. @since 0.1.0 */
export const record = <T>(
	value: SmallSchema<T>,
	description?: string
): SmallSchema<Readonly<Record<string, T>>> =>
	make(
		(v, path, issues) =>
			isPlain(v)
				? // `fromEntries` defines own properties, so a key `__proto__` stays a key.
					Object.fromEntries(
						Object.entries(v).map(([key, entry]) => [key, checkOf(value)(entry, [...path, key], issues) as T])
					)
				: wrong('expected an object', path, issues),
		{ type: 'object', additionalProperties: value.json },
		description
	);

/** The first alternative that fits. @since 0.1.0 */
export const union = <const S extends readonly SmallSchema<unknown>[]>(
	alternatives: S,
	description?: string
): SmallSchema<OutputOf<S[number]>> =>
	make(
		(v, path, issues) => {
			for (const alternative of alternatives) {
				const inner: Issue[] = [];
				const output = checkOf(alternative)(v, path, inner);
				if (inner.length === 0) return output as OutputOf<S[number]>;
			}
			return wrong('fits none of the alternatives', path, issues);
		},
		{ anyOf: alternatives.map(({ json }) => json) },
		description
	);

/** A key of {@link object} that may be left out. @since 0.1.0 */
export const optional = <T>(
	schema: SmallSchema<T>
): SmallSchema<T | undefined> & { readonly optional: true } =>
	make(
		(v, path, issues) => (v === undefined ? undefined : (checkOf(schema)(v, path, issues) as T)),
		schema.json,
		undefined,
		true
	) as SmallSchema<T | undefined> & { readonly optional: true };

type Optional<S> = { [K in keyof S]: S[K] extends { readonly optional: true } ? K : never }[keyof S];
type ObjectOf<S> = { readonly [K in Exclude<keyof S, Optional<S>>]: OutputOf<S[K]> } & {
	readonly [K in Optional<S>]?: OutputOf<S[K]>;
};

/** An object with exactly these keys; an unknown one is an issue. @since 0.1.0 */
export const object = <const S extends Readonly<Record<string, SmallSchema<unknown>>>>(
	keys: S,
	description?: string
): SmallSchema<ObjectOf<S>> =>
	make(
		(v, path, issues) => {
			if (!isPlain(v)) return wrong('expected an object', path, issues);
			for (const key of Object.keys(v))
				if (!Object.hasOwn(keys, key)) wrong(`there is no "${key}"`, [...path, key], issues);
			const output: [string, unknown][] = [];
			for (const [key, schema] of Object.entries(keys)) {
				const given = Object.hasOwn(v, key) ? v[key] : undefined;
				if (given === undefined && !schema.optional) wrong(`"${key}" is missing`, [...path, key], issues);
				else if (given !== undefined) output.push([key, checkOf(schema)(given, [...path, key], issues)]);
			}
			return Object.fromEntries(output) as ObjectOf<S>;
		},
		{
			type: 'object',
			properties: Object.fromEntries(Object.entries(keys).map(([key, { json }]) => [key, json])),
			required: Object.keys(keys).filter((key) => !keys[key]!.optional),
			additionalProperties: false
		},
		description
	);
