import { canonicalJSON } from '../journal/canonical-json.js';
import { copyJSON, deepFreeze, faultText } from '../journal/copy.js';
import { sha256 } from '../journal/sha256.js';
import { reason } from '../protocol/codes.js';
import type { Effect, JSONValue, Label, Reach, Reason } from '../protocol/words.js';
import type { AgentAct, AgentManifest, AgentRead } from './manifest.js';
import { isSchema, project, projectArgs, propertiesOf } from './projection.js';

/** An act with every default filled in and its arguments projected. @since 0.1.0 */
export interface CompiledAct {
	readonly name: string;
	// Argument types differ from act to act; here they are data that the schema has checked.
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	readonly act: AgentAct<any, any>;
	/** JSON Schema of the arguments, without `instance`. */
	readonly schema: Record<string, unknown>;
	readonly effect: Effect;
	readonly reach: Reach;
	readonly clearance: Label['confidentiality'];
	/** Milliseconds. */
	readonly timeoutMs: number;
	readonly level?: CompiledAct['act']['level'];
}

/** A checked manifest, or the first thing that is wrong with it. @internal */
export type Compiled =
	{ ok: true; acts: ReadonlyMap<string, CompiledAct>; hash: string } | { ok: false; reason: Reason };

/** @internal */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyManifest = AgentManifest<any, any>;

const CLEARANCE = { page: 'private', app: 'page', world: 'public' } as const;
const TIMEOUT_MS = 30_000;

// Thirty forms share one manifest: it is checked and hashed once.
const known = new WeakMap<AnyManifest, Compiled>();

/**
 * Checks what a manifest declares and fills in the defaults, which are the dangerous ones: an undeclared act is irreversible
 * and reaches the world. Never throws.
 * @internal
 */
export function compileManifest(manifest: AnyManifest): Compiled {
	if (typeof manifest !== 'object' || manifest === null)
		return refused('args', 'The manifest is no object: make it with defineManifest');
	let compiled = known.get(manifest);
	if (!compiled) {
		try {
			compiled = compile(manifest);
		} catch (error) {
			compiled = refused('args', `The manifest cannot be read: ${faultText(error)}`);
		}
		known.set(manifest, compiled);
	}
	return compiled;
}

function compile(manifest: AnyManifest): Compiled {
	const { kind } = manifest;
	if (typeof kind !== 'string' || !isKind(kind))
		return refused('args', `The kind ${quoted(kind)} cannot be addressed: no spaces, no ". # @" in it`);
	if (isBlank(manifest.description))
		return refused('description-missing', `Manifest "${kind}" has no description`);
	for (const [name, read] of Object.entries(manifest.reads as Record<string, AgentRead<unknown>>)) {
		const why = readFault(name, read);
		if (why) return { ok: false, reason: why };
	}
	const acts = new Map<string, CompiledAct>();
	for (const [name, act] of Object.entries(manifest.acts)) {
		const why = actFault(name, act, manifest);
		if (why) return { ok: false, reason: why };
		const schema = projectArgs(act.args);
		if (!schema.ok) return refused('args', `Act "${name}": ${schema.reason.text}`);
		const misnamed = nameFault(name, act, schema.json, manifest);
		if (misnamed) return { ok: false, reason: misnamed };
		acts.set(name, withDefaults(name, act, schema.json));
	}
	return { ok: true, acts, hash: sha256(canonicalJSON(declared(manifest))) };
}

function withDefaults(name: string, act: CompiledAct['act'], json: Record<string, unknown>): CompiledAct {
	const effect = act.effect ?? 'irreversible';
	const reach = act.reach ?? (effect === 'irreversible' ? 'world' : 'page');
	return Object.freeze({
		name,
		act,
		schema: deepFreeze(json),
		effect,
		reach,
		clearance: act.clearance ?? CLEARANCE[reach],
		timeoutMs: act.timeoutMs ?? TIMEOUT_MS,
		...(act.level === undefined ? {} : { level: act.level })
	});
}

function readFault(name: string, read: AgentRead<unknown>): Reason | undefined {
	if (name === '' || !/^[^\s\p{Cc}:]+$/u.test(name))
		return reason('args', `The read "${name}" cannot be addressed: no spaces and no ":" in its name`);
	if (isBlank(read.description)) return reason('description-missing', `Read "${name}" has no description`);
	if (typeof read.read !== 'function' || typeof read.version !== 'function')
		return reason('args', `Read "${name}" needs the functions read and version`);
	if (!oneOf(read.sensitivity, ['public', 'page', 'private', 'secret']))
		return reason('args', `Read "${name}" has the unknown sensitivity ${quoted(read.sensitivity)}`);
	return undefined;
}

function actFault(name: string, act: CompiledAct['act'], manifest: AnyManifest): Reason | undefined {
	if (isBlank(act.description)) return reason('description-missing', `Act "${name}" has no description`);
	if (typeof act.perform !== 'function') return reason('args', `Act "${name}" needs the function perform`);
	if (!isSchema(act.args))
		return reason('args', `Act "${name}" needs a schema in args; without arguments, an empty object schema`);
	const words: [string, unknown, readonly string[]][] = [
		['effect', act.effect, ['none', 'reversible', 'irreversible']],
		['reach', act.reach, ['page', 'app', 'world']],
		['clearance', act.clearance, ['public', 'page', 'private']],
		['level', typeof act.level === 'function' ? undefined : act.level, ['suggest', 'review', 'auto']]
	];
	for (const [field, word, allowed] of words)
		if (!oneOf(word, allowed))
			return reason(
				'args',
				`Act "${name}" has the unknown ${field} ${quoted(word)}; use ${allowed.join(', ')}`
			);
	if (act.timeoutMs !== undefined && !(act.timeoutMs > 0 && Number.isFinite(act.timeoutMs)))
		return reason('args', `Act "${name}" needs a positive, finite timeoutMs`);
	if (act.effect === 'reversible' && typeof manifest.undo !== 'function')
		return reason(
			'reversible-without-undo',
			`Act "${name}" is declared reversible, but manifest "${manifest.kind}" has no undo: add it or declare the act irreversible`
		);
	return undefined;
}

/** Names in one part of the manifest that must exist in another. */
function nameFault(
	name: string,
	act: CompiledAct['act'],
	json: Record<string, unknown>,
	manifest: AnyManifest
): Reason | undefined {
	const properties = propertiesOf(json);
	const has = (argument: string) => Object.hasOwn(properties, argument);
	if (act.stream !== undefined && !(has(act.stream) && isText(properties[act.stream])))
		return reason('args', `Act "${name}" streams ${quoted(act.stream)}: name one of its string arguments`);
	for (const sink of Object.keys(act.sinks ?? {}))
		if (!has(sink))
			return reason('args', `Act "${name}" declares the sink "${sink}": name one of its arguments`);
	if (act.compensate !== undefined && !Object.hasOwn(manifest.acts, act.compensate))
		return reason(
			'args',
			`Act "${name}" is made good by ${quoted(act.compensate)}: name an act of this manifest`
		);
	if (Array.isArray(act.touches))
		for (const touched of act.touches as readonly unknown[])
			if (typeof touched !== 'string' || !Object.hasOwn(manifest.reads, touched))
				return reason(
					'touch-unknown',
					`Act "${name}" touches ${quoted(touched)}: name one of the reads ${Object.keys(manifest.reads).join(', ')}`
				);
	return undefined;
}

/** The declared data alone: a function counts as the mark `fn`, a schema as its projection. */
function declared(value: unknown): JSONValue {
	const walk = (node: unknown): unknown => {
		if (isSchema(node)) {
			const projected = project(node);
			return projected.ok ? projected.json : 'schema';
		}
		if (typeof node === 'function') return 'fn';
		if (Array.isArray(node)) return node.map(walk);
		if (typeof node !== 'object' || node === null) return node;
		return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, walk(member)]));
	};
	const copy = copyJSON(walk(value));
	if (!copy.ok) throw new Error(copy.reason.text);
	return copy.value;
}

const refused = (code: 'args' | 'description-missing', text: string): Compiled => ({
	ok: false,
	reason: reason(code, text)
});
const isKind = (kind: string): boolean => /^[^\s\p{Cc}.#@]{1,256}$/u.test(kind);
const isBlank = (text: unknown): boolean => typeof text !== 'string' || text.trim() === '';
const oneOf = (word: unknown, allowed: readonly string[]): boolean =>
	word === undefined || allowed.includes(word as string);
const quoted = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : String(value));

/** Text, or text or nothing. */
function isText(json: unknown): boolean {
	const { type, anyOf, oneOf: either } = json as { type?: unknown; anyOf?: unknown; oneOf?: unknown };
	if (type === 'string' || (Array.isArray(type) && type.includes('string'))) return true;
	const parts = anyOf ?? either;
	return Array.isArray(parts) && parts.some(isText);
}
