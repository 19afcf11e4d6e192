import { store } from '../journal/stored.js';
import type { Clock, JournalStore } from '../protocol/ports.js';
import type { JournalRecord } from '../protocol/records.js';
import type { JSONValue } from '../protocol/words.js';
import { answered, DONE } from './waiting.js';

/** How a store refused: it could not, or the run is another engine's. */
export type Refusal = 'failed' | 'fenced';

/** How long a claim holds in a store that cannot tell whether its owner lives, in milliseconds; it is renewed three times in it. */
export const CLAIM_MS = 60_000;

/** Waits before records of a run that is over are offered again to a store that could not take them, in milliseconds. */
const AGAIN = [1_000, 10_000, 60_000, 600_000];

interface Queue {
	/** Records in the store. */
	next: number;
	waiting: JournalRecord[];
	/** Being written. */
	sent: number;
	writing: Promise<boolean>;
	/** What is written next has to outlast a crash. */
	strict: boolean;
	/** Records were written since the store was last told that they have to. */
	soft: boolean;
	refused: boolean;
	/** Fencing token under which this engine writes; none while the run is not its own. */
	epoch?: number;
	/** Nothing follows: once all is written, the run is let go. */
	ended: boolean;
	tries: number;
}

/**
 * Writes journals behind the engine: each run is claimed before its first record, records go in order and in batches of one
 * tick. After a refusal nothing more is written, and nothing is lost: what the store did not take waits in memory.
 */
export class Persist {
	readonly #queues = new Map<string, Queue>();
	readonly #gone = new AbortController();
	#renewing = false;

	constructor(
		private readonly to: JournalStore,
		private readonly clock: Clock,
		private readonly owner: string,
		/** What is known of a run here. */
		private readonly journal: (run: string) => readonly JournalRecord[],
		private readonly onrefused: (run: string, why: Refusal) => void
	) {}

	/** The first `next` records are in the store already; what waited is forgotten. */
	known(run: string, next: number): void {
		Object.assign(this.#queue(run), { next, waiting: [], sent: 0, refused: false, ended: false });
	}

	append(record: JournalRecord): void {
		const queue = this.#queue(record.run);
		queue.waiting.push(record);
		if (queue.waiting.length === 1) void this.#then(record.run);
	}

	/** Resolves when everything of the run is in the store and outlasts a crash; false where the store refused. */
	barrier(run: string): Promise<boolean> {
		this.#queue(run).strict = true;
		return this.#then(run);
	}

	/**
	 * Makes the run this engine's own, if nobody else holds it, or (`steal`) whoever does.
	 * @returns false where somebody does, or where nothing can be owned from here
	 */
	async own(run: string, steal = false): Promise<boolean> {
		const queue = this.#queue(run);
		const options = steal ? { steal } : undefined;
		queue.epoch = await answered(this.clock, () => this.to.claim(run, this.owner, CLAIM_MS, options));
		if (queue.epoch === undefined) return false;
		void this.#renew();
		return true;
	}

	/** How many records of the run this engine has written, or is writing. */
	written(run: string): number {
		const { next, sent } = this.#queue(run);
		return next + sent;
	}

	/** Is the run this engine's own, as far as it knows? */
	owns(run: string): boolean {
		return this.#queues.get(run)?.epoch !== undefined;
	}

	/** Renews the claim to a run. Who finds that somebody else had it meanwhile has lost it. */
	async check(run: string): Promise<void> {
		const queue = this.#queue(run);
		const { epoch } = queue;
		try {
			if ((await this.own(run)) && queue.epoch === epoch) return;
			const there = await answered(this.clock, () => this.to.read(run, queue.next));
			// It ran out, and nobody wanted it.
			if (queue.epoch !== undefined && there.length === 0) return;
			await this.#release(run, queue);
			this.#refuse(run, 'fenced');
		} catch {
			// A store that does not answer says nothing of who owns what: the next record will tell.
		}
	}

	/** The run is over: it is let go once all of it is in the store. */
	end(run: string): void {
		const queue = this.#queue(run);
		queue.ended = true;
		void this.#then(run);
	}

	/** A person took the run up again: writing is tried again. */
	retry(run: string): void {
		const queue = this.#queues.get(run);
		if (!queue?.refused) return;
		queue.refused = false;
		void this.#then(run);
	}

	/** The page is closed: what is written already is all there will be, and nothing is held any more. */
	leave(): void {
		this.#gone.abort(DONE);
		for (const [run, queue] of this.#queues) void queue.writing.then(() => this.#release(run, queue));
	}

	#queue(run: string): Queue {
		let queue = this.#queues.get(run);
		if (!queue) {
			const writing = Promise.resolve(true);
			const empty = { next: 0, waiting: [], sent: 0, strict: false, soft: false, tries: 0 };
			this.#queues.set(run, (queue = { ...empty, writing, refused: false, ended: false }));
		}
		return queue;
	}

	/** Writes what waits, behind what is being written. */
	#then(run: string): Promise<boolean> {
		const queue = this.#queue(run);
		return (queue.writing = queue.writing.then(() => this.#write(run, queue)));
	}

	async #write(run: string, queue: Queue): Promise<boolean> {
		if (queue.refused) return false;
		const { strict } = queue;
		// What was written before has to outlast a crash as well, also where nothing is new.
		if (queue.waiting.length === 0 && !(strict && queue.soft)) {
			if (queue.ended) await this.#release(run, queue);
			return true;
		}
		queue.strict = false;
		const batch = queue.waiting.splice(0);
		queue.sent = batch.length;
		let why: Refusal | undefined = 'failed';
		try {
			why = await this.#offer(run, queue, batch, strict);
		} catch {
			// The store says no more than that it could not.
		}
		queue.sent = 0;
		if (!why) {
			queue.soft = !strict;
			queue.tries = 0;
			if (queue.ended && queue.waiting.length === 0) await this.#release(run, queue);
			return true;
		}
		queue.waiting.unshift(...batch);
		queue.strict ||= strict;
		this.#refuse(run, why);
		return false;
	}

	/** Offers a batch. What an earlier try has left there, though nobody heard of it, is there. */
	async #offer(
		run: string,
		queue: Queue,
		batch: JournalRecord[],
		durable: boolean
	): Promise<Refusal | undefined> {
		if (queue.epoch === undefined && !(await this.own(run))) return 'fenced';
		const blobs: Record<string, JSONValue> = {};
		const lines = batch.map((record) => ({ ...record, data: store(record.data, blobs) }));
		const { epoch } = queue;
		const answer = await answered(this.clock, () =>
			this.to.append(run, queue.next, lines, blobs, { durable, epoch })
		);
		if (answer === 'ok') {
			queue.next += batch.length;
			batch.length = 0;
			return undefined;
		}
		if (answer !== 'conflict') return answer === 'fenced' ? answer : 'failed';
		const there = await answered(this.clock, () => this.to.read(run, queue.next));
		const same = batch.findIndex(({ hash }, i) => hash !== there[i]?.hash);
		const known = same === -1 ? batch.length : same;
		// Records that are not ours are somebody's who owns the run.
		if (known < there.length) return 'fenced';
		if (known > 0) {
			queue.next += known;
			batch.splice(0, known);
			return this.#offer(run, queue, batch, durable);
		}
		// What the store has lost is written again; what somebody removed of a run that is over stays removed.
		const kept = queue.ended ? queue.next : (await answered(this.clock, () => this.to.read(run))).length;
		if (kept >= queue.next) return 'failed';
		batch.unshift(...this.journal(run).slice(kept, queue.next));
		queue.next = kept;
		return this.#offer(run, queue, batch, durable);
	}

	#refuse(run: string, why: Refusal): void {
		const queue = this.#queue(run);
		queue.refused = true;
		if (why === 'fenced') queue.epoch = undefined;
		this.onrefused(run, why);
		if (why === 'failed' && queue.ended) this.#again(run, queue);
	}

	/** Nobody can be asked about a run that is over: its last records are offered again by and by. */
	#again(run: string, queue: Queue): void {
		const wait = AGAIN[Math.min(queue.tries++, AGAIN.length - 1)]!;
		this.clock.sleep(wait, this.#gone.signal).then(
			() => this.retry(run),
			() => undefined
		);
	}

	async #release(run: string, queue: Queue): Promise<void> {
		if (queue.epoch === undefined) return;
		queue.epoch = undefined;
		await answered(this.clock, () => this.to.release(run, this.owner)).catch(() => undefined);
	}

	/** A claim that is not renewed ends: while one is held, all are renewed. */
	async #renew(): Promise<void> {
		if (this.#renewing) return;
		this.#renewing = true;
		try {
			for (;;) {
				await this.clock.sleep(CLAIM_MS / 3, this.#gone.signal);
				const held = [...this.#queues].filter(([, { epoch }]) => epoch !== undefined);
				if (held.length === 0) break;
				for (const [run] of held) void this.check(run);
			}
		} catch {
			// The page is closed.
		}
		this.#renewing = false;
	}
}
