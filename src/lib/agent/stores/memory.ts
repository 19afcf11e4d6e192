import type { JournalStore } from '../protocol/ports.js';
import type { JournalRecord } from '../protocol/records.js';
import type { JSONValue } from '../protocol/words.js';

interface Kept {
	records: JournalRecord[];
	epoch: number;
	owner?: { id: string; until: number };
}

/** Kinds with which a run ends. */
const END = 'run.ended';

/**
 * Journals in memory: for tests, and as the model of what a store does. Gone with the page.
 * @since 0.1.0
 */
export function memoryStore(options: { now?: () => number } = {}): JournalStore {
	const now = options.now ?? (() => Date.now());
	const runs = new Map<string, Kept>();
	const blobs = new Map<string, JSONValue>();
	const listeners = new Set<(run: string, seq: number) => void>();
	const kept = (run: string): Kept => {
		let found = runs.get(run);
		if (!found) runs.set(run, (found = { records: [], epoch: 0 }));
		return found;
	};
	return {
		async append(run, expectedSeq, records, added, { epoch } = {}) {
			const known = kept(run);
			if (epoch !== undefined && epoch < known.epoch) return 'fenced';
			if (expectedSeq !== known.records.length) return 'conflict';
			known.records.push(...records);
			for (const [digest, value] of Object.entries(added)) blobs.set(digest, value);
			for (const listener of [...listeners]) listener(run, known.records.length - 1);
			return 'ok';
		},
		async read(run, first = 0) {
			return (runs.get(run)?.records ?? []).slice(first);
		},
		async blob(digest) {
			return blobs.get(digest);
		},
		async claim(run, owner, ttlMs) {
			const known = kept(run);
			if (known.owner && known.owner.id !== owner && known.owner.until > now()) return undefined;
			known.owner = { id: owner, until: now() + ttlMs };
			known.epoch += 1;
			return known.epoch;
		},
		async release(run, owner) {
			const known = runs.get(run);
			if (known?.owner?.id === owner) delete known.owner;
		},
		async listOpen() {
			return [...runs]
				.filter(([, { records }]) => records.length > 0 && !records.some(({ kind }) => kind === END))
				.map(([run]) => run);
		},
		async list() {
			return [...runs].filter(([, { records }]) => records.length > 0).map(([run]) => run);
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		}
	};
}
