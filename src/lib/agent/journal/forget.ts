import { AFTERWARDS } from './chain.js';
import { digestsOf } from './digests.js';
import type { JournalStore } from '../protocol/ports.js';

/**
 * Keeps no run longer than it is to be kept: those that ended before a moment are removed, whole.
 * @param endedBefore milliseconds since the epoch
 * @returns the runs that were removed
 * @throws where the store cannot list or remove
 * @example await forgetRuns(store, Date.now() - 90 * 24 * 60 * 60 * 1000)
 * @since 0.1.0
 */
export async function forgetRuns(store: JournalStore, endedBefore: number): Promise<readonly string[]> {
	if (!store.list || !store.remove)
		throw new TypeError('This store cannot list or remove runs: use one that does.');
	const removed: string[] = [];
	for (const run of await store.list()) {
		const journal = await store.read(run);
		const end = journal.findLast(({ kind }) => !AFTERWARDS.has(kind));
		if (end?.kind !== 'run.ended' || end.at >= endedBefore) continue;
		await store.remove(run);
		removed.push(run);
	}
	return removed;
}

/**
 * Erases what people, models and components wrote in a run, as far as it stands apart from its records; that it happened, when
 * and by whose decision stays. Such values read `{ $erased: digest }`, and the chain still holds. Where other runs hold the same
 * value it is gone there too.
 * @returns the digests of what was erased
 * @throws where the store cannot erase
 * @since 0.1.0
 */
export async function eraseRun(store: JournalStore, run: string): Promise<readonly string[]> {
	if (!store.erase) throw new TypeError('This store cannot erase values: use one that does.');
	const digests = [...digestsOf(await store.read(run))];
	await store.erase(digests);
	return digests;
}
