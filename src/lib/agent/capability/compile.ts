import { canonicalJSON } from '../protocol/canonical-json.js';
import { sha256 } from '../protocol/sha256.js';
import { type Code, reason } from '../protocol/codes.js';
import type { Effect, JSONValue, Label, Reach, Reason } from '../protocol/words.js';
import type { AgentAct, AgentManifest, AgentRead } from './manifest.js';
import { inexact, namesIn } from './exact.js';
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
	readonly level: CompiledAct['act']['level'];
	/** Of what a model is told about the act. */
	readonly digest: string;
}

/** A checked manifest. @internal */
export interface Compiled {
	readonly acts: ReadonlyMap<string, CompiledAct>;
	readonly hash: string;
}

/** @internal */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyManifest = AgentManifest<any, any>;

const CLEARANCE = { page: 'private', app: 'page', world: 'public' } as const;
const TIMEOUT_MS = 30_000;
const WORDS: Readonly<Record<string, readonly string[]>> = {
	effect: ['none', 'reversible', 'irreversible'],
	reach: ['page', 'app', 'world'],
	clearance: ['public', 'page', 'private'],
	level: ['suggest', 'review', 'auto'],
	sensitivity: ['public', 'page', 'private', 'secret'],
	trust: ['user', 'app', 'imported']
};

// Thirty forms share one manifest: it is checked and hashed once.
const known = new WeakMap<AnyManifest, Compiled | Reason>();

/**
 * Checks what a manifest declares and fills in the defaults, which are the dangerous ones: an undeclared act is irreversible
 * and reaches the world. The first thing that is wrong with it is a reason.
 * @throws where the manifest cannot be read at all
 * @internal
 */
export function compileManifest(manifest: AnyManifest): Compiled | Reason {
	let compiled = known.get(manifest);
	if (!compiled) {
		const acts = new Map<string, CompiledAct>();
		const [fault] = faults(manifest, acts);
		compiled = fault ?? { acts, hash: sha256(declared(manifest)) };
		known.set(manifest, compiled);
	}
	return compiled;
}

/** What cannot stand where it stands, and what alone can. @internal */
export const cannot = (place: string, value: unknown, only = '', code: Code = 'args'): Reason =>
	reason(
		code,
		`${place} cannot be ${typeof value === 'string' ? `"${value}"` : String(value)}${only && `, only ${only}`}`
	);

type Fits = (value: unknown, field: string) => boolean;

/** Fields, by their names in one text, whose values do not fit. @internal */
export const unfit = (at: string, of: object, fields: string, fits: Fits, code?: Code): Reason[] =>
	fields.split(' ').flatMap((field) => {
		const value = (of as Record<string, unknown>)[field];
		if (fits(value, field)) return [];
		const only = fits === isWord ? WORDS[field]!.join(', ') : ONLY.get(fits);
		return [cannot(`${at}.${field}`, value, only, code)];
	});

/** A text that says something. @internal */
export const isSaid: Fits = (value) => typeof value === 'string' && value.trim() !== '';
/** A word of the house, or none: the default. @internal */
export const isWord: Fits = (value, field) => value === undefined || WORDS[field]!.includes(value as string);
const isFunction: Fits = (value) => typeof value === 'function';
const isFlag: Fits = (value) => value === undefined || typeof value === 'boolean';
const isAmount: Fits = (value) =>
	value === undefined || (typeof value === 'number' && value >= 0 && value < Infinity);

const isManifestTrust: Fits = (word) => word !== 'user' && isWord(word, 'trust');

const ONLY = new Map<Fits, string>([
	[isSaid, 'a text'],
	[isFunction, 'a function'],
	[isFlag, 'true or false'],
	[isAmount, 'a finite number from 0 on'],
	[isManifestTrust, 'app, imported']
]);

/** Everything that is wrong, in order; asked for one after another, so that later checks may rely on earlier ones. */
function* faults(manifest: AnyManifest, acts: Map<string, CompiledAct>): Generator<Reason> {
	const { kind } = manifest;
	if (typeof kind !== 'string' || !/^[^\s\p{Cc}.#@]{1,256}$/u.test(kind))
		yield cannot('kind', kind, '1 to 256 characters, no spaces, none of . # @');
	yield* inexact('kind', [kind]);
	yield* inexact(
		`The name of a read or act of ${kind}`,
		Object.keys({ ...manifest.reads, ...manifest.acts })
	);
	yield* unfit(kind, manifest, 'description', isSaid, 'description-missing');
	yield* unfit(kind, manifest, 'trust', isManifestTrust);
	for (const [name, read] of Object.entries(manifest.reads as Record<string, AgentRead<unknown>>)) {
		if (!/^[^\s\p{Cc}:]+$/u.test(name)) yield cannot('A read', name, 'without spaces and :');
		yield* unfit(name, read, 'description', isSaid, 'description-missing');
		yield* unfit(name, read, 'read version', isFunction);
		if (read.keys !== undefined) yield* unfit(name, read, 'keys', isFunction);
		yield* unfit(name, read, 'sensitivity trust', isWord);
	}
	for (const [name, act] of Object.entries(manifest.acts)) {
		yield* unfit(name, act, 'description', isSaid, 'description-missing');
		yield* unfit(name, act, 'perform', isFunction);
		yield* unfit(name, act, 'effect reach clearance', isWord);
		// A level may be a function: it is asked for each call.
		if (!isFunction(act.level, 'level')) yield* unfit(name, act, 'level', isWord);
		yield* unfit(name, act, 'timeoutMs cost', isAmount);
		yield* unfit(name, act, 'compareAndSet', isFlag);
		if (act.timeoutMs === 0) yield cannot(`${name}.timeoutMs`, 0, 'more');
		if (act.effect === 'reversible' && typeof manifest.undo !== 'function')
			yield cannot(`${name}.effect`, act.effect, 'with the manifest’s undo', 'reversible-without-undo');
		const schema = projectArgs(act.args);
		if (!schema.ok) return yield reason('args', `${name}.args: ${schema.reason.text}`);
		yield* inexact(`${name}.args: a name or value`, namesIn(schema.json));
		yield* misnamed(name, act, propertiesOf(schema.json), manifest);
		acts.set(name, withDefaults(name, act, schema.json));
	}
}

/** As many names as help. */
const FEW = 20;

/** Names in one part of the manifest that must exist in another. */
function* misnamed(
	at: string,
	{ stream, sinks, compensate, touches }: CompiledAct['act'],
	args: Record<string, unknown>,
	manifest: AnyManifest
): Generator<Reason> {
	const stray = (field: string, names: readonly unknown[], within: object, code?: Code) =>
		names
			.filter((name) => typeof name !== 'string' || !Object.hasOwn(within, name))
			.map((name) => cannot(`${at}.${field}`, name, Object.keys(within).slice(0, FEW).join(', '), code));
	if (stream !== undefined && !(Object.hasOwn(args, stream) && isText(args[stream])))
		yield cannot(`${at}.stream`, stream, 'an argument that is a text');
	yield* stray('sinks', Object.keys(sinks ?? {}), args);
	yield* stray('compensate', compensate === undefined ? [] : [compensate], manifest.acts);
	if (Array.isArray(touches)) yield* stray('touches', touches, manifest.reads, 'touch-unknown');
}

function withDefaults(name: string, act: CompiledAct['act'], schema: Record<string, unknown>): CompiledAct {
	const { effect = 'irreversible', timeoutMs = TIMEOUT_MS, level } = act;
	const { reach = effect === 'irreversible' ? 'world' : 'page' } = act;
	const { clearance = CLEARANCE[reach] } = act;
	const digest = sha256(canonicalJSON([act.description, schema as JSONValue]));
	return Object.freeze({ name, act, schema, effect, reach, clearance, timeoutMs, level, digest });
}

/** The declared data alone: a function counts as the mark `fn`, a schema as its projection. */
const declared = (manifest: AnyManifest): string =>
	canonicalJSON(
		JSON.parse(
			JSON.stringify(manifest, function (this: Record<string, unknown>, key) {
				// Not the second argument: a schema may have a `toJSON` of its own.
				const value = this[key];
				if (!isSchema(value)) return typeof value === 'function' ? 'fn' : value;
				const projected = project(value);
				return projected.ok ? projected.json : 'schema';
			})
		) as JSONValue
	);

/** Text, or text or nothing. */
function isText(json: unknown): boolean {
	const { type, anyOf, oneOf = anyOf } = json as { type?: unknown; anyOf?: unknown; oneOf?: unknown };
	return [type].flat().includes('string') || (Array.isArray(oneOf) && oneOf.some(isText));
}
