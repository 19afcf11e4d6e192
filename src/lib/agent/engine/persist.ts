import { store } from '../journal/stored.js';
import type { Clock, JournalStore } from '../protocol/ports.js';
import type { JournalRecord } from '../protocol/records.js';
import type { JSONValue } from '../protocol/words.js';
import { answered } from './waiting.js';

/** How a store refused. */
export type Refusal = 'conflict' | 'fenced' | 'failed';

interface Queue {
	next: number;
	waiting: JournalRecord[];
	writing: Promise<boolean>;
	refused: boolean;
}

/** Writes journals behind the engine: in order, in batches of one tick. After a refusal nothing more is written. */
export class Persist {
	readonly #queues = new Map<string, Queue>();

	constructor(
		private readonly to: JournalStore,
		private readonly clock: Clock,
		private readonly onrefused: (run: string, why: Refusal) => void
	) {}

	/** The first `next` records are in the store already. */
	known(run: string, next: number): void {
		this.#queues.set(run, { next, waiting: [], writing: Promise.resolve(true), refused: false });
	}

	append(record: JournalRecord): void {
		const { run } = record;
		if (!this.#queues.has(run)) this.known(run, 0);
		if (this.#queues.get(run)!.waiting.push(record) === 1) void this.#then(run);
	}

	/** Resolves when everything of the run is in the store, durably; false where the store refused. */
	barrier(run: string): Promise<boolean> {
		return this.#then(run, true);
	}

	/** A person took the run up again: writing is tried again. */
	retry(run: string): void {
		const queue = this.#queues.get(run);
		if (!queue?.refused) return;
		queue.refused = false;
		void this.#then(run);
	}

	/** Writes what waits, behind what is being written. */
	#then(run: string, durable = false): Promise<boolean> {
		const queue = this.#queues.get(run)!;
		return (queue.writing = queue.writing.then(() => this.#write(run, queue, durable)));
	}

	async #write(run: string, queue: Queue, durable: boolean): Promise<boolean> {
		if (queue.refused) return false;
		const batch = queue.waiting.splice(0);
		if (batch.length === 0) return true;
		const blobs: Record<string, JSONValue> = {};
		const lines = batch.map((record) => ({ ...record, data: store(record.data, blobs) }));
		let answer: 'ok' | Refusal;
		try {
			answer = await answered(this.clock, () => this.to.append(run, queue.next, lines, blobs, { durable }));
		} catch {
			answer = 'failed';
		}
		if (answer === 'ok') {
			queue.next += batch.length;
			return true;
		}
		// Nothing is lost: the records wait, in memory, for the next try.
		queue.waiting.unshift(...batch);
		queue.refused = true;
		this.onrefused(run, answer);
		return false;
	}
}
