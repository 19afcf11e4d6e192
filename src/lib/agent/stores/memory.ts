import type { JournalStore } from '../protocol/ports.js';
import type { JournalRecord } from '../protocol/records.js';
import type { JSONValue } from '../protocol/words.js';
import { digestsOf } from '../journal/digests.js';

interface Kept {
	records: JournalRecord[];
	epoch: number;
	owner?: { id: string; until: number };
}

/** Kinds with which a run ends. */
const END = 'run.ended';

/** How often a claim that runs out is looked at, in milliseconds. */
const LOOK_MS = 250;

/**
 * Journals in memory: for tests, and as the model of what a store does. Gone with the page.
 * @since 0.1.0
 */
export function memoryStore(
	options: { now?: () => number } = {}
): JournalStore & Required<Pick<JournalStore, 'vacant' | 'erase' | 'remove' | 'list' | 'subscribe'>> {
	const now = options.now ?? (() => Date.now());
	const runs = new Map<string, Kept>();
	const blobs = new Map<string, JSONValue>();
	const erased = new Set<string>();
	const listeners = new Set<(run: string, seq: number) => void>();
	const waiting = new Map<string, Set<() => void>>();
	const kept = (run: string): Kept => {
		let found = runs.get(run);
		if (!found) runs.set(run, (found = { records: [], epoch: 0 }));
		return found;
	};
	const holder = (run: string): string | undefined => {
		const { owner } = runs.get(run) ?? {};
		return owner && owner.until > now() ? owner.id : undefined;
	};
	const freed = (run: string): void => {
		for (const go of waiting.get(run) ?? []) go();
		waiting.delete(run);
	};
	return {
		async append(run, expectedSeq, records, added, { epoch } = {}) {
			const known = kept(run);
			if (epoch !== undefined && epoch < known.epoch) return 'fenced';
			if (expectedSeq !== known.records.length) return 'conflict';
			known.records.push(...records);
			for (const [digest, value] of Object.entries(added)) if (!erased.has(digest)) blobs.set(digest, value);
			if (records.length > 0) for (const listener of [...listeners]) listener(run, known.records.length - 1);
			return 'ok';
		},
		async read(run, first = 0) {
			return (runs.get(run)?.records ?? []).slice(first);
		},
		async blob(digest) {
			return blobs.get(digest);
		},
		async claim(run, owner, ttlMs, { steal = false } = {}) {
			const known = kept(run);
			const held = holder(run);
			if (held !== undefined && held !== owner && !steal) return undefined;
			if (held !== owner) known.epoch += 1;
			known.owner = { id: owner, until: now() + ttlMs };
			return known.epoch;
		},
		async release(run, owner) {
			const known = runs.get(run);
			if (known?.owner?.id !== owner) return;
			delete known.owner;
			freed(run);
		},
		vacant(run, signal) {
			return new Promise((resolve, reject) => {
				if (signal.aborted) return reject(signal.reason);
				if (holder(run) === undefined) return resolve();
				// A claim that runs out frees nobody by itself.
				const timer = setInterval(() => holder(run) === undefined && go(), LOOK_MS);
				const go = () => {
					clearInterval(timer);
					signal.removeEventListener('abort', abort);
					waiting.get(run)?.delete(go);
					resolve();
				};
				const abort = () => {
					clearInterval(timer);
					waiting.get(run)?.delete(go);
					reject(signal.reason);
				};
				signal.addEventListener('abort', abort, { once: true });
				waiting.set(run, (waiting.get(run) ?? new Set()).add(go));
			});
		},
		async erase(digests) {
			for (const digest of digests) {
				erased.add(digest);
				blobs.delete(digest);
			}
		},
		async remove(run) {
			const gone = runs.get(run);
			if (!gone) return;
			runs.delete(run);
			const left = new Set([...runs.values()].flatMap(({ records }) => [...digestsOf(records)]));
			for (const digest of digestsOf(gone.records)) if (!left.has(digest)) blobs.delete(digest);
			freed(run);
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
