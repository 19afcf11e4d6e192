import type { AgentRead } from './manifest.js';
import { isEnabled } from './reading.js';
import type { Entry } from './registry.js';

/** What is known about the person's and the run's attention. @since 0.1.0 */
export interface Attention {
	/** Instances this run touched, latest first. */
	readonly touched: readonly string[];
	/** Instances used lately by anybody, latest first. */
	readonly recent: readonly string[];
}

/**
 * Instances by how much they matter now: focused, touched by this run, visible, recent, others. Within a rank the latest
 * first where lateness is known, else in order of registration, and a parent always before its children.
 * @since 0.1.0
 */
export function ranked(entries: readonly Entry[], attention: Attention): readonly Entry[] {
	const touched = places(attention.touched);
	const recent = places(attention.recent);
	const keys = new Map<Entry, readonly [rank: number, place: number]>();
	for (const entry of entries) {
		const t = touched.get(entry.id);
		const r = recent.get(entry.id);
		if (entry.focused) keys.set(entry, [0, 0]);
		else if (t !== undefined) keys.set(entry, [1, t]);
		else if (entry.visible) keys.set(entry, [2, 0]);
		else if (r !== undefined) keys.set(entry, [3, r]);
		else keys.set(entry, [4, 0]);
	}
	const key = (entry: Entry) => keys.get(entry) as readonly [number, number];
	const sorted = [...entries].sort((a, b) => {
		const [rankA, placeA] = key(a);
		const [rankB, placeB] = key(b);
		return rankA - rankB || placeA - placeB || a.order - b.order;
	});
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	// A Set keeps the order of first insertion, and ends circles of parents.
	const out = new Set<Entry>();
	for (const entry of sorted) {
		const chain: Entry[] = [];
		let at: Entry | undefined = entry;
		while (at && !out.has(at) && !chain.includes(at) && key(at)[0] === key(entry)[0]) {
			chain.push(at);
			at = at.parent === undefined ? undefined : byId.get(at.parent);
		}
		for (const member of chain.reverse()) out.add(member);
	}
	return [...out];
}

/**
 * Instances that are switched off: all their reads are, or those of an instance they stand in.
 * @since 0.1.0
 */
export function switchedOff(entries: readonly Entry[]): ReadonlySet<string> {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const known = new Map<string, boolean>();
	const isOff = (entry: Entry): boolean => {
		const before = known.get(entry.id);
		if (before !== undefined) return before;
		// Set first, so that a circle of parents ends.
		known.set(entry.id, false);
		const parent = entry.parent === undefined ? undefined : byId.get(entry.parent);
		const off = (parent !== undefined && isOff(parent)) || readsAreOff(entry);
		known.set(entry.id, off);
		return off;
	};
	return new Set(entries.filter(isOff).map(({ id }) => id));
}

function readsAreOff(entry: Entry): boolean {
	const provider = entry.provider();
	const reads = Object.values(entry.manifest.reads as Record<string, AgentRead<unknown>>);
	return provider !== undefined && reads.length > 0 && reads.every((read) => !isEnabled(read, provider));
}

const places = (ids: readonly string[]): ReadonlyMap<string, number> => {
	const map = new Map<string, number>();
	ids.forEach((id, place) => {
		if (!map.has(id)) map.set(id, place);
	});
	return map;
};
