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

/** Room for the places within a rank. */
const RANK = 1e6;

/**
 * Instances by how much they matter now: focused, touched by this run, visible, recent, others. Within a rank the latest
 * first where lateness is known, else in order of registration, and a parent always before its children. `off`: all its reads
 * are switched off, or those of an instance it stands in.
 * @since 0.1.0
 */
export function ranked(
	entries: readonly Entry[],
	{ touched, recent }: Attention
): readonly { entry: Entry; off: boolean }[] {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const touchedAt = placed(touched, RANK);
	const recentAt = placed(recent, 3 * RANK);
	const weight = ({ id, focused, visible }: Entry): number =>
		focused ? 0 : (touchedAt.get(id) ?? (visible ? 2 * RANK : (recentAt.get(id) ?? 4 * RANK)));
	const rank = (entry: Entry) => Math.floor(weight(entry) / RANK);
	/** An instance and what it stands in; ends where parents stand in a circle. */
	const upwards = (entry: Entry): ReadonlySet<Entry> => {
		const chain = new Set<Entry>();
		for (let at: Entry | undefined = entry; at && !chain.has(at); at = byId.get(at.parent ?? ''))
			chain.add(at);
		return chain;
	};
	const out = new Set<Entry>();
	for (const entry of [...entries].sort((a, b) => weight(a) - weight(b) || a.order - b.order)) {
		const chain: Entry[] = [];
		for (const at of upwards(entry)) {
			if (out.has(at) || rank(at) !== rank(entry)) break;
			chain.unshift(at);
		}
		for (const at of chain) out.add(at);
	}
	const off = new Set(entries.filter(isOff));
	return [...out].map((entry) => ({ entry, off: [...upwards(entry)].some((at) => off.has(at)) }));
}

function isOff({ manifest, provider }: Entry): boolean {
	const life = provider();
	const reads = Object.values(manifest.reads as Record<string, AgentRead<unknown>>);
	return life !== undefined && reads.length > 0 && !reads.some((read) => isEnabled(read, life));
}

/** The first place of an id counts. */
const placed = (ids: readonly string[], from: number): ReadonlyMap<string, number> =>
	new Map(ids.map((id, place) => [id, from + place] as const).reverse());
