import type { JournalRecord } from './records.js';
import type { JSONValue } from './words.js';

/** Time. `now` is milliseconds since the epoch; `sleep` rejects with `signal.reason` on abort. @since 0.1.0 */
export interface Clock {
	now(): number;
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Names that are unique over engines and reloads. @since 0.1.0 */
export interface Ids {
	next(kind: string): string;
}

/** Uniform numbers in [0, 1). @since 0.1.0 */
export interface Random {
	next(): number;
}

/** Takes all `keys` or none; resolves with the release. Rejects with `signal.reason` on abort. @since 0.1.0 */
export interface LockPort {
	acquire(keys: readonly string[], signal: AbortSignal): Promise<() => void>;
}

/**
 * Where journals are kept. `append` refuses with `conflict` when `expectedSeq` is not the next one and with `fenced` when
 * a newer owner has claimed the run.
 * @since 0.1.0
 */
export interface JournalStore {
	append(
		run: string,
		expectedSeq: number,
		records: readonly JournalRecord[],
		blobs: Readonly<Record<string, JSONValue>>,
		options?: { durable?: boolean; epoch?: number }
	): Promise<'ok' | 'conflict' | 'fenced'>;
	read(run: string, from?: number): Promise<readonly JournalRecord[]>;
	blob(digest: string): Promise<JSONValue | undefined>;
	/**
	 * Makes `owner` the one who carries the run on.
	 * @returns the fencing token under which it appends, higher than every one before; the same where the owner only renews its
	 * claim; undefined while somebody else holds the run, unless it is to be stolen, or where nothing can be owned from here
	 */
	claim(
		run: string,
		owner: string,
		ttlMs: number,
		options?: { steal?: boolean }
	): Promise<number | undefined>;
	release(run: string, owner: string): Promise<void>;
	/** Resolves once nobody holds the run; rejects with `signal.reason` on abort. Without it a run whose owner is gone waits. */
	vacant?(run: string, signal: AbortSignal): Promise<void>;
	/** Forgets payloads for good: they read `{ $erased: digest }` from then on, and no later append brings them back. */
	erase?(digests: readonly string[]): Promise<void>;
	/** Forgets a whole run, with every payload that no other run refers to. */
	remove?(run: string): Promise<void>;
	listOpen(): Promise<readonly string[]>;
	/**
	 * All runs, ended ones too. With it the labels of what agents wrote outlast a reload; without it those of runs that had ended
	 * are lost with the page.
	 */
	list?(): Promise<readonly string[]>;
	/** Hears of every append, those of other tabs and processes too. @returns the end of the subscription */
	subscribe?(listener: (run: string, seq: number) => void): () => void;
}
