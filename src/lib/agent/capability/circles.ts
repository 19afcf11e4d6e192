import type { Entry } from './registry.js';

/** Instances that stand in themselves, by way of their parents. @since 0.1.0 */
export function circles(entries: readonly Entry[]): readonly Entry[] {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	return entries.filter((entry) => {
		const seen = new Set<Entry>();
		let at = byId.get(entry.parent ?? '');
		for (; at && at !== entry && !seen.has(at); at = byId.get(at.parent ?? '')) seen.add(at);
		return at === entry;
	});
}
