import { isEnabled, readsOf } from './reading.js';
import type { Entry } from './registry.js';

/** What is known about the person's and the run's attention. @since 0.1.0 */
export interface Attention {
	/** Instances this run touched, latest first. */
	readonly touched: readonly string[];
	/** Instances used lately by anybody, latest first. */
	readonly recent: readonly string[];
}

/** How much an instance matters now: the lower the more. @since 0.1.0 */
export const RANK = { focused: 0, inside: 1, touched: 2, visible: 3, recent: 4, other: 5 } as const;

/** An instance in its place. `off`: all its reads are switched off, or those of an instance it stands in. @since 0.1.0 */
export interface Ranked {
	readonly entry: Entry;
	readonly rank: number;
	readonly off: boolean;
}

/**
 * Instances by how much they matter now: focused, inside of a focused one, touched by this run, visible, recent, others.
 * Within a rank the latest first where lateness is known, else in order of registration, and a parent always before its
 * children. In time linear in the instances, but for pages whose instances stand deep in each other.
 * @since 0.1.0
 */
export function ranked(entries: readonly Entry[], { touched, recent }: Attention): readonly Ranked[] {
	const touchedAt = placed(touched);
	const recentAt = placed(recent);
	const inOrder = entries.every((entry, i) => i === 0 || entries[i - 1]!.order <= entry.order)
		? entries
		: [...entries].sort((a, b) => a.order - b.order);
	const up = upwards(entries);
	const off = new Set(entries.filter(isOff));
	const rankOf = (entry: Entry): number => {
		const { id, focused, visible } = entry;
		if (focused) return RANK.focused;
		if (up?.(entry).some((at) => at.focused)) return RANK.inside;
		if (touchedAt.has(id)) return RANK.touched;
		if (visible) return RANK.visible;
		return recentAt.has(id) ? RANK.recent : RANK.other;
	};
	const ranks: Entry[][] = Array.from({ length: RANK.other + 1 }, () => []);
	const places = up && new Map<Entry, number>();
	for (const entry of inOrder) {
		const rank = rankOf(entry);
		places?.set(entry, rank);
		ranks[rank]!.push(entry);
	}
	for (const [rank, at] of [
		[RANK.touched, touchedAt],
		[RANK.recent, recentAt]
	] as const)
		ranks[rank]!.sort((a, b) => at.get(a.id)! - at.get(b.id)!);
	const out: Ranked[] = [];
	const done = new Set<Entry>();
	ranks.forEach((members, rank) => {
		for (const entry of members) {
			const chain = [entry];
			if (up) {
				if (done.has(entry)) continue;
				for (const at of up(entry)) {
					if (done.has(at) || places!.get(at) !== rank) break;
					chain.unshift(at);
				}
				for (const at of chain) done.add(at);
			}
			for (const at of chain)
				out.push({
					entry: at,
					rank,
					off: off.size > 0 && (off.has(at) || (up?.(at).some((one) => off.has(one)) ?? false))
				});
		}
	});
	return out;
}

/** What an instance stands in, the nearest first; ends where parents stand in a circle. None where nothing has a parent. */
function upwards(entries: readonly Entry[]): ((entry: Entry) => readonly Entry[]) | undefined {
	if (!entries.some(({ parent }) => parent !== undefined)) return undefined;
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const known = new Map<Entry, readonly Entry[]>();
	return (entry) => {
		let chain = known.get(entry);
		if (!chain) {
			const seen = new Set<Entry>([entry]);
			for (let at = byId.get(entry.parent ?? ''); at && !seen.has(at); at = byId.get(at.parent ?? ''))
				seen.add(at);
			seen.delete(entry);
			known.set(entry, (chain = [...seen]));
		}
		return chain;
	};
}

function isOff({ manifest, provider }: Entry): boolean {
	const reads = readsOf(manifest);
	if (reads.length === 0 || !reads.every(([, { enabled }]) => enabled)) return false;
	const life = provider();
	return life !== undefined && !reads.some(([, read]) => isEnabled(read, life));
}

/** The first place of an id counts. */
const placed = (ids: readonly string[]): ReadonlyMap<string, number> =>
	new Map(ids.map((id, place) => [id, place] as const).reverse());
