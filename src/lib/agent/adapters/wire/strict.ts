import type { JSONValue } from '../../protocol/words.js';
import { isObject } from './history.js';

type Schema = Record<string, unknown>;

/** A schema in the strict subset of a provider, and the way back. @internal */
export interface Strict {
	/** Every property is required, one that was optional may be null; nothing else is taken. */
	schema: Schema;
	/** Takes away what is null for want of an optional key. Undefined where nothing is optional. */
	prune: ((value: JSONValue) => JSONValue) | undefined;
}

/** One schema inside, in its strict form. */
interface Node {
	schema: Schema;
	/** Does a value have the form of this schema? Decides between branches. */
	fits(value: unknown): boolean;
	prune(value: unknown): unknown;
}

/** Thrown where a schema says what the subset cannot. */
class Beyond extends Error {}

/** Says something of a value without limiting it; is left out, or stays as the description. */
const REMARKS = new Set([
	...['$schema', '$id', '$anchor', '$comment', 'title', 'description'],
	...['deprecated', 'readOnly', 'writeOnly']
]);
/** Limits of a value that the subset does not know. They are told to the model in words, and checked here. */
const TOLD = new Set([
	...['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
	...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
	...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'default', 'examples']
]);
const SCALARS = new Set(['string', 'number', 'integer', 'boolean', 'null']);
/** Most of it that OpenAI takes. */
const MOST_DEPTH = 10;
const MOST_PROPERTIES = 5_000;
const MOST_ENUM = 1_000;

/**
 * A JSON Schema in the subset that providers hold a model to: an object at the root and no alternatives there, every property
 * required (an optional one may be null), nothing additional, no limits of length or size (they are moved into the
 * description), `oneOf` as `anyOf`, definitions kept.
 * @returns undefined where the subset cannot say it: then send the schema as it is, and do not call it strict
 * @see OpenAI, Structured outputs, Supported schemas
 * @internal
 */
export function strictOf(schema: Schema): Strict | undefined {
	try {
		return new Strictness(schema).made();
	} catch (error) {
		if (error instanceof Beyond || error instanceof RangeError) return undefined;
		throw error;
	}
}

class Strictness {
	readonly #root: Schema;
	/** What a reference leads to, by what is written there. */
	readonly #targets = new Map<string, Node>();
	#properties = 0;
	#isPruned = false;

	constructor(root: Schema) {
		this.#root = root;
	}

	made(): Strict {
		const { $ref, ...beside } = this.#root;
		// A root that only names its definition is that definition.
		const root = typeof $ref === 'string' ? { ...this.#find($ref), ...beside } : this.#root;
		const { $defs, definitions, ...own } = root;
		const node = this.#node(own, 0);
		if (node.schema.type !== 'object') throw new Beyond();
		this.#targets.set('#', node);
		const schema = { ...node.schema };
		for (const [name, defs] of Object.entries({ $defs, definitions })) {
			if (!isObject(defs)) continue;
			const strict = Object.entries(defs).map(([key, def]) => {
				const made = this.#node(def, 0);
				this.#targets.set(`#/${name}/${key}`, made);
				return [key, made.schema] as const;
			});
			schema[name] = Object.fromEntries(strict);
		}
		return {
			schema,
			prune: this.#isPruned ? (value) => node.prune(value) as JSONValue : undefined
		};
	}

	#node(schema: unknown, depth: number): Node {
		if (!isObject(schema) || depth > MOST_DEPTH) throw new Beyond();
		const told: Schema = {};
		const says: Schema = {};
		for (const [key, value] of Object.entries(schema)) {
			if (value === undefined || REMARKS.has(key) || key.startsWith('x-')) continue;
			if (TOLD.has(key)) told[key] = value;
			else says[key] = value;
		}
		const node = this.#form(says, depth);
		const { description } = schema;
		const words = [
			...(typeof description === 'string' && description !== '' ? [description] : []),
			...(Object.keys(told).length > 0 ? [JSON.stringify(told)] : [])
		];
		if (words.length === 0) return node;
		// Nothing may stand beside a reference.
		const beside = '$ref' in node.schema ? { anyOf: [node.schema] } : node.schema;
		return { ...node, schema: { ...beside, description: words.join('\n') } };
	}

	#form(says: Schema, depth: number): Node {
		const { $ref, anyOf, oneOf, allOf, ...rest } = says;
		const others = Object.keys(rest).length;
		if (typeof $ref === 'string' && others === 0) return this.#reference($ref);
		const only = Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : undefined;
		if (only !== undefined && others === 0) return this.#node(only, depth);
		if (allOf !== undefined || $ref !== undefined) throw new Beyond();
		const branches = anyOf ?? oneOf;
		if (Array.isArray(branches) && others === 0 && (!anyOf || !oneOf)) return this.#any(branches, depth);
		if (branches !== undefined) throw new Beyond();
		if (rest.type === 'object' || (rest.type === undefined && isObject(rest.properties)))
			return this.#object(rest, depth);
		if (rest.type === 'array') return this.#list(rest, depth);
		if (Array.isArray(rest.type) && rest.type.some((type) => type === 'object' || type === 'array')) {
			// Each type as an alternative of its own, with what is said of it.
			const { type, ...about } = rest;
			return this.#any(
				(type as unknown[]).map((one) =>
					SCALARS.has(one as string) ? { type: one } : { type: one, ...about }
				),
				depth
			);
		}
		return scalar(rest);
	}

	#reference(ref: string): Node {
		this.#find(ref);
		const target = (): Node => this.#targets.get(ref)!;
		return {
			schema: { $ref: ref },
			fits: (value) => target().fits(value),
			prune: (value) => target().prune(value)
		};
	}

	/** What a reference leads to: the root, or one of its definitions. */
	#find(ref: string): Schema {
		const [hash, room, name, ...more] = ref.split('/');
		if (ref === '#') return this.#root;
		const defs = room === '$defs' || room === 'definitions' ? this.#root[room] : undefined;
		const isPlain = hash === '#' && name !== undefined && more.length === 0 && !/[~%]/.test(name);
		if (!isPlain || !isObject(defs) || !Object.hasOwn(defs, name) || !isObject(defs[name]))
			throw new Beyond();
		return defs[name];
	}

	#any(branches: readonly unknown[], depth: number): Node {
		if (branches.length === 0) throw new Beyond();
		const nodes = branches.map((branch) => this.#node(branch, depth));
		/** Which branch an object has turned out to be, so that nobody tries again at each level. */
		const known = new WeakMap<object, Node | null>();
		const find = (value: unknown): Node | undefined => {
			const isKey = typeof value === 'object' && value !== null;
			const before = isKey ? known.get(value) : undefined;
			if (before !== undefined) return before ?? undefined;
			const found = nodes.find((node) => node.fits(value));
			if (isKey) known.set(value, found ?? null);
			return found;
		};
		return {
			schema: { anyOf: nodes.map(({ schema }) => schema) },
			fits: (value) => find(value) !== undefined,
			prune: (value) => {
				const found = find(value);
				return found ? found.prune(value) : value;
			}
		};
	}

	#object(says: Schema, depth: number): Node {
		const { type: _, properties, required = [], additionalProperties, ...rest } = says;
		const open = additionalProperties !== undefined && additionalProperties !== false;
		if (!isObject(properties) && additionalProperties !== false) throw new Beyond();
		if (open || !Array.isArray(required) || Object.keys(rest).length > 0) throw new Beyond();
		const own = Object.entries(isObject(properties) ? properties : {});
		this.#properties += own.length;
		if (this.#properties > MOST_PROPERTIES) throw new Beyond();
		const needed = new Set<unknown>(required);
		const nodes = new Map(own.map(([key, schema]) => [key, this.#node(schema, depth + 1)]));
		for (const key of needed) if (!nodes.has(key as string)) throw new Beyond();
		if (needed.size < nodes.size) this.#isPruned = true;
		const isAbsent = (key: string, value: unknown): boolean => value === null && !needed.has(key);
		return {
			schema: {
				type: 'object',
				properties: Object.fromEntries(
					[...nodes].map(([key, { schema }]) => [key, needed.has(key) ? schema : orNull(schema)])
				),
				required: [...nodes.keys()],
				additionalProperties: false
			},
			fits: (value) =>
				isObject(value) &&
				Object.keys(value).every((key) => nodes.has(key)) &&
				[...nodes].every(
					([key, node]) => Object.hasOwn(value, key) && (isAbsent(key, value[key]) || node.fits(value[key]))
				),
			prune: (value) =>
				isObject(value)
					? Object.fromEntries(
							Object.entries(value)
								.filter(([key, one]) => !nodes.has(key) || !isAbsent(key, one))
								.map(([key, one]) => [key, nodes.get(key)?.prune(one) ?? one])
						)
					: value
		};
	}

	#list(says: Schema, depth: number): Node {
		const { type: _, items, ...rest } = says;
		if (Object.keys(rest).length > 0) throw new Beyond();
		const node = this.#node(items, depth + 1);
		return {
			schema: { type: 'array', items: node.schema },
			fits: (value) => Array.isArray(value) && value.every((one) => node.fits(one)),
			prune: (value) => (Array.isArray(value) ? value.map((one) => node.prune(one)) : value)
		};
	}
}

const NOTHING = { type: 'null' };

/** The same, or null. */
function orNull(schema: Schema): Schema {
	const { anyOf } = schema;
	if (!Array.isArray(anyOf)) return { anyOf: [schema, NOTHING] };
	const isThere = anyOf.some((branch: Schema) => branch.type === 'null');
	return isThere ? schema : { ...schema, anyOf: [...(anyOf as Schema[]), NOTHING] };
}

const typeOf = (value: unknown): string => (value === null ? 'null' : typeof value);

/** A value without parts: by its type, or one of some. */
function scalar({ type, enum: some, const: only, ...rest }: Schema): Node {
	const values = Array.isArray(some) ? some : only === undefined ? undefined : [only];
	// A list of values tells their types, which have to be there.
	const types = type === undefined ? [...new Set(values?.map(typeOf))] : [type].flat();
	const isKnown = types.length > 0 && types.every((one) => SCALARS.has(one as string));
	if (!isKnown || Object.keys(rest).length > 0 || (values && values.length > MOST_ENUM)) throw new Beyond();
	return {
		schema: {
			type: types.length === 1 ? types[0] : types,
			...(some === undefined ? undefined : { enum: some }),
			...(only === undefined ? undefined : { const: only })
		},
		fits: (value) =>
			types.some((one) => one === typeOf(value) || (one === 'integer' && Number.isInteger(value))) &&
			(!values || values.includes(value)),
		prune: (value) => value
	};
}
