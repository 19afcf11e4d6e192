import { copyJSON, faultText } from '../journal/copy.js';
import { type Code, reason } from '../protocol/codes.js';
import { join, over } from '../protocol/labels.js';
import type { JSONValue, Label, Reason } from '../protocol/words.js';
import type { AnyManifest } from './compile.js';
import type { AgentRead } from './manifest.js';
import type { Entry } from './registry.js';

/** More keys of one read are not kept in the records. */
const MOST_KEYS = 300;

/** A version, or why there is none. @since 0.1.0 */
export type Versioned = { ok: true; version: string | number } | { ok: false; reason: Reason };

/** A value with its version and label, or why there is none. @since 0.1.0 */
export type ReadOut =
	{ ok: true; value: JSONValue; version: string | number; label: Label } | { ok: false; reason: Reason };

/** How a read is named in labels and in `expect`: `instance.read` or `instance.read:key`. @since 0.1.0 */
export const readAddress = (instance: string, read: string, key?: string): string =>
	key === undefined ? `${instance}.${read}` : `${instance}.${read}:${key}`;

/**
 * The label a read declares. Undeclared trust is untrusted and imported, undeclared sensitivity private. A secret read counts
 * as private here; it is never read at all.
 * @since 0.1.0
 */
export function readLabel<P>(read: AgentRead<P>, address: string): Label {
	const { sensitivity = 'private', trust } = read;
	const vouched = trust === 'user' || trust === 'app';
	return {
		integrity: vouched ? 'trusted' : 'untrusted',
		confidentiality: sensitivity === 'public' || sensitivity === 'page' ? sensitivity : 'private',
		origins: [vouched ? trust : 'imported'],
		sources: [address]
	};
}

/** The declared read of this name. @internal */
export function readOf({ manifest }: Entry, name: string): AgentRead<unknown> | undefined {
	const reads = manifest.reads as Record<string, AgentRead<unknown>>;
	return Object.hasOwn(reads, name) ? reads[name] : undefined;
}

// A manifest is static data: its reads are listed once.
const listed = new WeakMap<AnyManifest, readonly (readonly [string, AgentRead<unknown>])[]>();

/** All reads of a manifest, in its order. @internal */
export function readsOf(manifest: AnyManifest): readonly (readonly [string, AgentRead<unknown>])[] {
	let reads = listed.get(manifest);
	if (!reads)
		listed.set(manifest, (reads = Object.entries(manifest.reads as Record<string, AgentRead<unknown>>)));
	return reads;
}

/**
 * Reads once, as a frozen JSON copy. The label is the declared one joined with those of marked parts. Never throws:
 * `args` (no such read), `denied` (secret), `not-ready`, `unavailable` (switched off), `threw`, `not-json`, `read-async`,
 * `version-unstable` (two versions in one tick: nothing could be bound to it).
 * @since 0.1.0
 */
export function readValue(entry: Entry, name: string, key?: string): ReadOut {
	return opened<ReadOut>(entry, name, key, false, (read, provider, version, address) => {
		if (read.version(provider, key) !== version) return no('version-unstable', unstable(address));
		const declared = readLabel(read, address);
		let label = declared;
		const value = read.read(provider, key);
		if (isPromise(value)) return no('read-async', `${address} gives a promise`);
		const copy = copyJSON(value, (_path, part) => {
			label = join(label, over(declared, part));
		});
		return copy.ok ? { ...copy, version, label } : no('not-json', `${address}: ${copy.reason.text}`);
	});
}

/**
 * The present version alone; the same refusals as {@link readValue}, but secret reads have one too.
 * @param steady ask twice: a version that differs in one tick is `version-unstable`
 * @since 0.1.0
 */
export const readVersion = (entry: Entry, name: string, key?: string, steady = false): Versioned =>
	opened<Versioned>(entry, name, key, true, (read, provider, version, address) =>
		steady && read.version(provider, key) !== version
			? no('version-unstable', unstable(address))
			: { ok: true, version }
	);

/**
 * Keys whose values the read shows when it is shown whole; none where it declares none. Never throws: keys that cannot be told
 * are none.
 * @since 0.1.0
 */
export function shownKeys(entry: Entry, name: string): readonly string[] | undefined {
	const provider = entry.provider();
	const read = readOf(entry, name);
	if (!read?.keys || provider === undefined) return undefined;
	try {
		const keys: unknown = read.keys(provider);
		return Array.isArray(keys)
			? keys.slice(0, MOST_KEYS).filter((key): key is string => typeof key === 'string')
			: [];
	} catch {
		return [];
	}
}

/** Is the read switched on? A predicate that throws counts as off. @since 0.1.0 */
export function isEnabled<P>(read: AgentRead<P>, provider: P): boolean {
	try {
		return read.enabled?.(provider) !== false;
	} catch {
		return false;
	}
}

const unstable = (address: string): string => `${address} has two versions in one moment`;

/** Nobody waits for it, so its failure must not surface as an unhandled one. */
function isPromise(value: unknown): boolean {
	if (typeof (value as { then?: unknown } | null | undefined)?.then !== 'function') return false;
	Promise.resolve(value).catch(() => undefined);
	return true;
}

type Refused = { ok: false; reason: Reason };

/** Finds a read and its version, and goes on from there. */
function opened<Out>(
	entry: Entry,
	name: string,
	key: string | undefined,
	blind: boolean,
	more: (read: AgentRead<unknown>, provider: unknown, version: string | number, address: string) => Out
): Out | Refused {
	const address = readAddress(entry.id, name, key);
	const read = readOf(entry, name);
	const provider = entry.provider();
	if (!read) return no('args', `${address} is no read`);
	if (!blind && read.sensitivity === 'secret') return no('denied', `${address} is secret`);
	if (provider === undefined) return no('not-ready');
	if (!blind && !isEnabled(read, provider)) return no('unavailable', `${address} is switched off`);
	try {
		const version: unknown = read.version(provider, key);
		return typeof version === 'string' || Number.isFinite(version)
			? more(read, provider, version as string | number, address)
			: no('not-json', `${address}: ${blind ? 'its version is none' : `version ${String(version)}`}`);
	} catch (error) {
		// Versions are asked of what may not leave, too: what they say when they fail may quote it.
		return no('threw', `${address}: ${blind ? 'its version cannot be told' : faultText(error)}`);
	}
}

const no = (code: Code, text?: string): Refused => ({ ok: false, reason: reason(code, text) });
