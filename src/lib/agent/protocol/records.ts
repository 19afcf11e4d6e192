import type { Actor } from '../../actor/actor.js';
import type { JSONValue } from './words.js';

/**
 * One thing that was decided or done. `data.verb`, where present, moves the run. `prev` and `hash` chain the journal; the
 * hash is taken over the stored form, in which payloads over 1 KB, private values and long lists of a label's sources stand as
 * digests.
 * @since 0.1.0
 */
export interface JournalRecord {
	run: string;
	/** From 0, without gaps. */
	seq: number;
	/** Milliseconds since the epoch. */
	at: number;
	kind: string;
	by: Actor;
	revision: number;
	/** seq of the record that led to this one. */
	cause?: number;
	data: JSONValue;
	prev: string;
	hash: string;
}

/** Everything an engine knows, to be restored elsewhere. @since 0.1.0 */
export interface EngineSnapshot {
	version: 1;
	runs: readonly (readonly JournalRecord[])[];
	blobs: Readonly<Record<string, JSONValue>>;
}

/** A broken law of a journal or a manifest. @since 0.1.0 */
export interface Violation {
	law: string;
	seq?: number;
	text: string;
}
