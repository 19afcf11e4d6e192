import { canonicalJSON } from '../protocol/canonical-json.js';
import { sha256 } from '../protocol/sha256.js';
import type { JSONValue, Label } from '../protocol/words.js';
import type { AgentRead } from './manifest.js';
import { readAddress, type ReadOut, readOf, readValue } from './reading.js';
import type { Entry } from './registry.js';

/** A value as it was read under one version, with what was worked out from it. @internal */
export class Kept {
	/** Characters of its JSON. */
	readonly length: number;
	#digest: string | undefined;
	/** Notes of whoever shows it. */
	forms: unknown;

	constructor(
		readonly read: AgentRead<unknown>,
		readonly version: string | number,
		readonly value: JSONValue,
		readonly label: Label
	) {
		this.length = JSON.stringify(value).length;
	}

	/** SHA-256 of the canonical JSON of the value; worked out when it is wanted, because a long one takes its time. */
	get digest(): string {
		return (this.#digest ??= sha256(canonicalJSON(this.value)));
	}
}

// By what stands for the provider, so that what is kept goes with the component, and counts for no other.
const kept = new WeakMap<object, Map<string, Kept>>();

/**
 * {@link readValue} for contexts: as long as the version stays, the component is not asked for the value again. It holds over
 * engines, because a read is told nothing of who reads; consent, switches and labels that writes have raised are not kept.
 * What the gate decides on never comes from here.
 * @internal
 */
export function keptValue(entry: Entry, name: string): Kept | Extract<ReadOut, { ok: false }> {
	const identity = entry.identity();
	const address = readAddress(entry.id, name);
	const read = readOf(entry, name)!;
	const before = identity && kept.get(identity)?.get(address);
	if (before && before.read === read && isVersion(read, entry.provider(), before.version)) return before;
	const out = readValue(entry, name);
	if (!identity) return out.ok ? new Kept(read, out.version, out.value, out.label) : out;
	const all = kept.get(identity) ?? new Map<string, Kept>();
	if (!out.ok) {
		all.delete(address);
		return out;
	}
	const now = new Kept(read, out.version, out.value, out.label);
	kept.set(identity, all.set(address, now));
	return now;
}

function isVersion(read: AgentRead<unknown>, provider: unknown, version: string | number): boolean {
	try {
		return read.version(provider) === version;
	} catch {
		return false;
	}
}
