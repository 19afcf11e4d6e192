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
	claim(run: string, owner: string, ttlMs: number): Promise<number | undefined>;
	release(run: string, owner: string): Promise<void>;
	listOpen(): Promise<readonly string[]>;
	/**
	 * All runs, ended ones too. With it the labels of what agents wrote outlast a reload; without it those of runs that had ended
	 * are lost with the page.
	 */
	list?(): Promise<readonly string[]>;
	subscribe?(listener: (run: string, seq: number) => void): () => void;
}
