import { copyJSON, faultText, isObject, pathText } from '../journal/copy.js';
import { reason } from '../protocol/codes.js';
import type { Issue } from '../protocol/run-state.js';
import type { Schema } from '../protocol/schema.js';
import type { JSONValue, Reason } from '../protocol/words.js';

/** A projection, or why there is none (`args`). @since 0.1.0 */
export type Projected = { ok: true; json: Record<string, unknown> } | { ok: false; reason: Reason };

/** Parsed arguments as a frozen copy, or the faults: `args-invalid`, `schema-async` or `not-json`. @since 0.1.0 */
export type Parsed = { ok: true; value: JSONValue } | { ok: false; reason: Reason; issues: readonly Issue[] };

/** Dialects by preference; a library may know only the second. */
const TARGETS = ['draft-2020-12', 'draft-07'] as const;

/**
 * What a schema takes, as JSON Schema: the form in which a model or a form sees it. Always a frozen copy without `$schema`.
 * @returns code `args` where the library cannot say it in JSON Schema (dates, transforms of unknown input)
 * @see https://standardschema.dev/json-schema
 * @since 0.1.0
 */
export function project(schema: Schema): Projected {
	let text = '';
	for (const target of TARGETS) {
		try {
			const copy = copyJSON(schema['~standard'].jsonSchema.input({ target }));
			if (!copy.ok) text ||= copy.reason.text;
			else if (isObject(copy.value)) {
				const { $schema: _dialect, ...json } = copy.value;
				return { ok: true, json: Object.freeze(json) };
			}
		} catch (error) {
			// valibot's own objects validate, but cannot say what they take.
			text ||= faultText(error);
		}
	}
	return { ok: false, reason: reason('args', `No JSON Schema form: ${text}`) };
}

/**
 * {@link project} for the arguments of an act: they must be an object, and `instance` is no name for an argument, because it
 * says which instance is meant.
 * @since 0.1.0
 */
export function projectArgs(schema: Schema): Projected {
	const projected = project(schema);
	if (!projected.ok) return projected;
	if (projected.json.type !== 'object' || Object.hasOwn(propertiesOf(projected.json), 'instance'))
		return { ok: false, reason: reason('args', 'One object is needed, without "instance"') };
	return projected;
}

/**
 * Validates and copies: what goes on is only the copy, frozen plain JSON. Of a library's issues path and message are kept,
 * because the rest may hold the rejected value or the schema itself.
 * @since 0.1.0
 */
export function parseArgs(schema: Schema, value: unknown): Parsed {
	let result: ReturnType<Schema['~standard']['validate']>;
	try {
		result = schema['~standard'].validate(value);
		if ('then' in result) {
			// Nobody will look at it, so its failure must not surface as an unhandled one.
			Promise.resolve(result).catch(() => undefined);
			return fault(reason('schema-async'));
		}
	} catch (error) {
		const message = faultText(error);
		return fault(reason('args-invalid', message), [{ path: '', message }]);
	}
	if (result.issues) {
		const issues = result.issues.map((issue) =>
			Object.freeze({ path: issuePath(issue.path), message: String(issue.message) })
		);
		const first = issues
			.slice(0, 3)
			.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
		return fault(reason('args-invalid', first.join('; ') || undefined), Object.freeze(issues));
	}
	const copy = copyJSON(result.value);
	return copy.ok ? copy : fault(copy.reason);
}

/**
 * Arguments without a description, by path (`address/city`; list items are called `*`). The model sees nothing of an argument but name, type and this.
 * @since 0.1.0
 */
export function undescribedArgs(json: Record<string, unknown>): readonly string[] {
	const found: string[] = [];
	const seen = new Set<object>();
	const visit = (node: unknown, path: readonly string[]): void => {
		if (!isObject(node) || seen.has(node)) return;
		seen.add(node);
		for (const [name, property] of Object.entries(propertiesOf(node))) {
			const at = [...path, name];
			if (!isDescribed(property, json)) found.push(at.join('/'));
			visit(property, at);
		}
		for (const key of ['anyOf', 'oneOf', 'allOf'] as const)
			if (Array.isArray(node[key])) for (const part of node[key]) visit(part, path);
		for (const key of ['items', 'additionalProperties'] as const) visit(node[key], [...path, '*']);
		if (Array.isArray(node.prefixItems))
			node.prefixItems.forEach((part, i) => visit(part, [...path, String(i)]));
		if (typeof node.$ref === 'string') visit(target(node.$ref, json), path);
	};
	visit(json, []);
	return found;
}

/** Declared properties of an object schema. @internal */
export function propertiesOf(json: Record<string, unknown>): Record<string, unknown> {
	return isObject(json.properties) ? json.properties : {};
}

/** Is this a schema of some library? Theirs may be functions. @internal */
export const isSchema = (value: unknown): value is Schema =>
	((typeof value === 'object' && value !== null) || typeof value === 'function') &&
	isObject((value as { '~standard'?: unknown })['~standard']);

const fault = (why: Reason, issues: readonly Issue[] = []): Parsed => ({ ok: false, reason: why, issues });

/** Segments may be bare keys or objects with a `key`. */
const issuePath = (path: readonly unknown[] = []): string =>
	pathText(path.map((part) => String(isObject(part) && 'key' in part ? part.key : part)));

function isDescribed(node: unknown, root: Record<string, unknown>): boolean {
	if (!isObject(node)) return false;
	if (typeof node.description === 'string' && node.description.trim() !== '') return true;
	const referred = typeof node.$ref === 'string' ? target(node.$ref, root) : undefined;
	return isObject(referred) && typeof referred.description === 'string' && referred.description.trim() !== '';
}

/** Follows a reference within the same schema. */
function target(ref: string, root: Record<string, unknown>): unknown {
	if (!ref.startsWith('#')) return undefined;
	let node: unknown = root;
	for (const part of ref.slice(1).split('/').slice(1)) {
		if (!isObject(node)) return undefined;
		node = node[part.replaceAll('~1', '/').replaceAll('~0', '~')];
	}
	return node;
}
