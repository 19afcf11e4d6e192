import { type Actor, APP } from '../../actor/actor.js';
import { isObject } from '../journal/copy.js';
import { digestsOf } from '../journal/digests.js';
import type { Kinds } from '../journal/kinds.js';
import { type Blobs, restore } from '../journal/stored.js';
import { reason } from '../protocol/codes.js';
import type { JournalStore } from '../protocol/ports.js';
import type { JournalRecord } from '../protocol/records.js';
import type { RecoveryReport } from '../protocol/run-state.js';
import type { Conductor } from './conductor.js';
import type { Core } from './core.js';
import { Persist, type Refusal } from './persist.js';
import { marks } from './remark.js';
import { answered, DONE } from './waiting.js';

/** How long nobody's run is left to the page that may be loading again, in milliseconds. */
export const GRACE_MS = 5_000;

/** What those who keep the runs of an engine need of it. */
export interface Shelf {
	readonly core: Core;
	all(): readonly Conductor[];
	get(run: string): Conductor | undefined;
	/** Takes a journal over, in the place of what is known of its run. */
	put(journal: readonly JournalRecord[]): Conductor | undefined;
	/** Goes on with runs that were found open. */
	recover(found: readonly Conductor[], how?: 'resume'): Promise<RecoveryReport>;
	/** Settings and marks of engines before this one hold. */
	recall(records: readonly JournalRecord[]): void;
	/** Where a run is carried on is another place than before. */
	moved(run: string): void;
}

/**
 * Keeps the runs of an engine in a store that others write to as well: each run is carried on in one place, and followed
 * everywhere else. Who owns it is told by the store; what was written under an older claim is refused there.
 */
export class Keeper {
	readonly persist: Persist;
	readonly #gone = new AbortController();
	/** What is heard of a run is taken in one by one. */
	readonly #hearing = new Map<string, Promise<void>>();
	#off: (() => void) | undefined;

	constructor(
		private readonly store: JournalStore,
		private readonly shelf: Shelf
	) {
		const { clock, ids } = shelf.core;
		this.persist = new Persist(
			store,
			clock,
			ids.next('owner'),
			(run) => shelf.get(run)?.journal ?? [],
			(run, why) => this.#refused(run, why)
		);
	}

	/** Finds what engines before this one left, and what others are at. */
	async load(): Promise<RecoveryReport> {
		const { store, shelf, persist } = this;
		const { clock } = shelf.core;
		const fault = (error: unknown) => void shelf.core.report(error);
		const ask = <T>(what: () => Promise<T>) => answered(clock, what).catch(fault);
		const found: Conductor[] = [];
		const others: Conductor[] = [];
		const marked: JournalRecord[] = [];
		const { subscribe } = store;
		shelf.core.safely(() => (this.#off = subscribe?.call(store, (run, seq) => this.#heard(run, seq))));
		try {
			const open = (await ask(async () => store.listOpen())) ?? [];
			const journals: (readonly JournalRecord[])[] = [];
			for (const run of open) {
				const own = (await ask(() => persist.own(run))) ?? false;
				// It began here meanwhile, or came with a snapshot.
				if (shelf.get(run)) continue;
				// One journal that cannot be read keeps no other from being dealt with.
				const journal = await ask(() => this.#read(run));
				if (journal && this.#isOurs(journal)) journals.push(journal);
				else if (own) persist.end(run);
			}
			const threads = new Set(journals.map(([opened]) => opened && threadOf(opened)));
			let ended: (readonly JournalRecord[])[] = [];
			for (const run of (await ask(async () => store.list?.())) ?? []) {
				if (open.includes(run) || shelf.get(run)) continue;
				const journal = await ask(() => this.#read(run));
				if (journal?.[0]) ended.push(journal);
			}
			ended = ended.sort(byBeginning).reverse();
			let room = shelf.core.options.history ?? HISTORY;
			for (const journal of ended)
				if (this.#isOurs(journal) && (threads.has(threadOf(journal[0]!)) || room-- > 0))
					journals.push(journal);
				// Of other runs only what they left on the page still counts.
				else marked.push(...journal.filter(marks));
			for (const journal of journals.sort(byBeginning)) {
				const conductor = this.#put(journal);
				if (!conductor || conductor.fold.over) continue;
				if (persist.owns(conductor.id)) found.push(conductor);
				else others.push(conductor);
			}
		} catch (error) {
			// A store that answers with what is no list keeps no run from beginning.
			fault(error);
		}
		shelf.recall([...shelf.all().flatMap(({ adopted, journal }) => (adopted ? journal : [])), ...marked]);
		for (const conductor of others) this.#follow(conductor);
		const report = await shelf.recover(found);
		// Whoever looks on has heard of no record.
		for (const { id, adopted } of shelf.all()) if (adopted) shelf.moved(id);
		return report;
	}

	/**
	 * Brings a run here from wherever it is carried on. What had been allowed there is asked again: this is another page.
	 * @returns whether it is carried on here now
	 */
	async take(run: string, by: Actor): Promise<boolean> {
		return this.#inherit(run, by, true);
	}

	leave(): void {
		this.#gone.abort(DONE);
		this.#off?.();
		this.persist.leave();
	}

	async #inherit(run: string, by: Actor, steal: boolean): Promise<boolean> {
		const { shelf, persist } = this;
		const { core } = shelf;
		const before = shelf.get(run);
		if (!before?.elsewhere) return before !== undefined;
		try {
			if (!(await persist.own(run, steal))) {
				before.elsewhere = reason('owner', steal ? NOWHERE : undefined);
				shelf.moved(run);
				return false;
			}
			const conductor = this.#put(await answered(core.clock, () => this.#read(run)));
			if (!conductor) return false;
			shelf.moved(run);
			if (conductor.fold.over) return true;
			conductor.append('run.taken', {}, by);
			await shelf.recover([conductor], steal ? 'resume' : undefined);
			return true;
		} catch (error) {
			core.report(error);
			return false;
		}
	}

	async #read(run: string, from = 0): Promise<JournalRecord[]> {
		const { store } = this;
		const records = await store.read(run, from);
		const blobs: Blobs = {};
		for (const digest of digestsOf(records)) {
			const blob = await store.blob(digest);
			if (blob !== undefined) blobs[digest] = blob;
		}
		return restore(records, blobs);
	}

	#put(journal: readonly JournalRecord[]): Conductor | undefined {
		const conductor = this.shelf.put(journal);
		if (conductor) this.persist.known(conductor.id, journal.length);
		return conductor;
	}

	/** Several agents may keep their runs in one store. */
	#isOurs([opened]: readonly JournalRecord[]): boolean {
		const { agent } = (isObject(opened?.data) ? opened.data : {}) as Partial<Kinds['run.opened']>;
		return agent === undefined || agent.id === this.shelf.core.identity.id;
	}

	/** The store did not take a record. */
	#refused(run: string, why: Refusal): void {
		const conductor = this.shelf.get(run);
		if (!conductor || conductor.elsewhere) return;
		if (why === 'failed' || this.persist.written(run) === 0) {
			// A run that nobody else knows is nobody else's: here it cannot be kept.
			const key = why === 'fenced' ? 'owner' : 'store';
			conductor.escalate(key, reason(key, why === 'fenced' ? NOWHERE : undefined));
			conductor.drive();
		} else void this.#lose(run);
	}

	/** The run is another engine's: what this one has recorded since is not what happened. */
	async #lose(run: string): Promise<void> {
		const { shelf } = this;
		shelf.get(run)!.leave(true);
		let journal: readonly JournalRecord[] | undefined;
		// Until it can be read nothing of it is shown as if it were true.
		for (let wait = 1000; !journal && !this.#gone.signal.aborted; wait = Math.min(wait * 2, 60_000))
			try {
				journal = await answered(shelf.core.clock, () => this.#read(run));
			} catch (error) {
				shelf.core.report(error);
				await shelf.core.clock.sleep(wait, this.#gone.signal).catch(() => undefined);
			}
		const conductor = journal && this.#put(journal);
		if (conductor) this.#follow(conductor);
	}

	/** Shows a run that is carried on elsewhere, for as long as it is. */
	#follow(conductor: Conductor): void {
		const { fold, id } = conductor;
		if (!fold.over) {
			conductor.elsewhere = reason('owner');
			this.#watch(id);
		}
		this.shelf.moved(id);
	}

	/** Takes a run over that its owner left behind, unless that one comes back for it. */
	#watch(run: string): void {
		const { store, shelf } = this;
		const { signal } = this.#gone;
		if (!store.vacant) return;
		void Promise.resolve(store.vacant(run, signal))
			.then(() => shelf.core.clock.sleep(GRACE_MS, signal))
			.then(async () => {
				if (!shelf.get(run)?.elsewhere || (await this.#inherit(run, APP, false))) return;
				this.#watch(run);
			})
			.catch((error: unknown) => !signal.aborted && shelf.core.report(error));
	}

	/** Somebody wrote to a run. */
	#heard(run: string, seq: number): void {
		const { persist } = this;
		if (persist.owns(run)) {
			if (seq >= persist.written(run)) void persist.check(run);
			return;
		}
		const hearing = (this.#hearing.get(run) ?? Promise.resolve()).then(() => this.#learn(run, seq));
		this.#hearing.set(
			run,
			hearing.catch((error: unknown) => this.shelf.core.report(error))
		);
	}

	async #learn(run: string, seq: number): Promise<void> {
		const { shelf, persist } = this;
		const { clock } = shelf.core;
		const known = shelf.get(run);
		if (persist.owns(run) || this.#gone.signal.aborted) return;
		if (!known) {
			const journal = await answered(clock, () => this.#read(run));
			if (shelf.get(run) || persist.owns(run) || !journal[0] || !this.#isOurs(journal)) return;
			const conductor = this.#put(journal);
			if (conductor) this.#follow(conductor);
			return;
		}
		const from = known.journal.length;
		if (seq < from || !(known.elsewhere ?? known.fold.over)) return;
		const records = await answered(clock, () => this.#read(run, from));
		if (shelf.get(run) !== known || known.journal.length !== from || persist.owns(run)) return;
		known.learn(records);
		persist.known(run, known.journal.length);
		shelf.moved(run);
	}
}

const NOWHERE = 'This window cannot carry runs on: its browser offers no locks that tell who does.';

/** How many runs that have ended are shown again. */
const HISTORY = 20;

const byBeginning = ([a]: readonly JournalRecord[], [b]: readonly JournalRecord[]): number =>
	(a?.at ?? 0) - (b?.at ?? 0);

const threadOf = ({ data }: JournalRecord): unknown => (isObject(data) ? data.thread : undefined);
