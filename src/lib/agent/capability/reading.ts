import { copyJSON, faultText } from '../journal/copy.js';
import { type Code, reason } from '../protocol/codes.js';
import { join, over } from '../protocol/labels.js';
import type { JSONValue, Label, Reason } from '../protocol/words.js';
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

/**
 * Reads once, as a frozen JSON copy. The label is the declared one joined with those of marked parts. Never throws:
 * `args` (no such read), `denied` (secret), `not-ready`, `unavailable` (switched off), `threw`, `not-json`.
 * @since 0.1.0
 */
export function readValue(entry: Entry, name: string, key?: string): ReadOut {
	return opened<ReadOut>(entry, name, key, false, (read, provider, version, address) => {
		const declared = readLabel(read, address);
		let label = declared;
		const copy = copyJSON(read.read(provider, key), (_path, part) => {
			label = join(label, over(declared, part));
		});
		return copy.ok ? { ...copy, version, label } : no('not-json', `${address}: ${copy.reason.text}`);
	});
}

/** The present version alone; the same refusals as {@link readValue}, but secret reads have one too. @since 0.1.0 */
export const readVersion = (entry: Entry, name: string, key?: string): Versioned =>
	opened<Versioned>(entry, name, key, true, (_read, _provider, version) => ({ ok: true, version }));

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
			: no('not-json', `${address}: version ${String(version)}`);
	} catch (error) {
		return no('threw', `${address}: ${faultText(error)}`);
	}
}

const no = (code: Code, text?: string): Refused => ({ ok: false, reason: reason(code, text) });
