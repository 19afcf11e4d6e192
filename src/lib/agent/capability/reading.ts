import { copyJSON, faultText } from '../journal/copy.js';
import { reason } from '../protocol/codes.js';
import { join, over } from '../protocol/labels.js';
import type { JSONValue, Label, Reason } from '../protocol/words.js';
import type { AgentRead } from './manifest.js';
import type { Entry } from './registry.js';

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

/**
 * Reads once, as a frozen JSON copy. The label is the declared one joined with those of marked parts. Never throws:
 * `args` (no such read), `denied` (secret), `not-ready`, `unavailable` (switched off), `threw`, `not-json`.
 * @since 0.1.0
 */
export function readValue(entry: Entry, name: string, key?: string): ReadOut {
	const found = openRead(entry, name);
	if (!found.ok) return found;
	const { read, provider } = found;
	const address = readAddress(entry.id, name, key);
	let label = readLabel(read, address);
	try {
		const version = read.version(provider, key);
		if (!isVersion(version)) return versionless(name);
		const declared = label;
		const copy = copyJSON(read.read(provider, key), (_path, part) => {
			label = join(label, over(declared, part));
		});
		if (!copy.ok) return { ok: false, reason: reason('not-json', `Read "${name}": ${copy.reason.text}`) };
		return { ok: true, value: copy.value, version, label };
	} catch (error) {
		return { ok: false, reason: reason('threw', `Read "${name}" threw: ${faultText(error)}`) };
	}
}

/** The present version alone; the same refusals as {@link readValue}, but secret reads have one too. @since 0.1.0 */
export function readVersion(entry: Entry, name: string, key?: string): Versioned {
	const found = openRead(entry, name, true);
	if (!found.ok) return found;
	try {
		const version = found.read.version(found.provider, key);
		return isVersion(version) ? { ok: true, version } : versionless(name);
	} catch (error) {
		return { ok: false, reason: reason('threw', `Version of read "${name}" threw: ${faultText(error)}`) };
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

type Opened = { ok: true; read: AgentRead<unknown>; provider: unknown } | { ok: false; reason: Reason };

function openRead(entry: Entry, name: string, blind = false): Opened {
	const reads = entry.manifest.reads as Record<string, AgentRead<unknown>>;
	const read = Object.hasOwn(reads, name) ? reads[name] : undefined;
	if (!read) {
		const names = Object.keys(reads).join(', ');
		return { ok: false, reason: reason('args', `"${entry.id}" has no read "${name}". It has: ${names}`) };
	}
	if (read.sensitivity === 'secret' && !blind)
		return { ok: false, reason: reason('denied', `Read "${name}" is secret and never leaves`) };
	const provider = entry.provider();
	if (provider === undefined) return { ok: false, reason: reason('not-ready') };
	if (!blind && !isEnabled(read, provider))
		return { ok: false, reason: reason('unavailable', `Read "${name}" is switched off right now`) };
	return { ok: true, read, provider };
}

const isVersion = (value: unknown): value is string | number =>
	typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

const versionless = (name: string): { ok: false; reason: Reason } => ({
	ok: false,
	reason: reason('not-json', `The version of read "${name}" is no text and no finite number; give one`)
});
