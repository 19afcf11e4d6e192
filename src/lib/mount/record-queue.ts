import { createSubscriber } from 'svelte/reactivity';
import type { Actor } from '../actor/actor.js';
import type { KnownRecord } from '../agent/journal/kinds.js';
import type { JournalRecord } from '../agent/protocol/records.js';
import { hearEmissions } from '../uix/soma/index.js';

/** Surfaces that tell what records say. `panel` stands for the conversation. @since 0.1.0 */
export type EmittingSurface = 'panel' | 'review' | 'question' | 'aura';

/**
 * What a record means, under the name every surface's contract has for it: `offer plan review authorize act escalate` and
 * `returned` are of the family delegate; `risk` is signal.warn+risk, `processing` sustain.processing, `applied`
 * commit.apply+affirm.
 * @since 0.1.0
 */
export type RecordEvent =
	| 'offer'
	| 'plan'
	| 'risk'
	| 'review'
	| 'authorize'
	| 'act'
	| 'processing'
	| 'applied'
	| 'escalate'
	| 'returned';

/** Who did what a record says, and in which delegation: hand it to `runtime.trigger` as it is. @since 0.1.0 */
export interface ToldRecord {
	by: Actor;
	cause: { run: string; step?: string };
}

/** One surface that takes its share of the records. @since 0.1.0 */
export interface RecordEmitter {
	surface: EmittingSurface;
	/** The instance a surface stands for, where it stands for one: it is asked first about records of that instance. */
	instance?: string;
	/** Triggers the event of that name on the surface's own runtime. */
	emit(event: RecordEvent, told: ToldRecord): void;
}

/** What is needed of an agent to read its records. */
interface RecordSource {
	subscribe(listener: (record: JournalRecord) => void): () => void;
}

/**
 * Reads the records of an agent in order and has each told once, by one surface. Where the surface it belongs to is not
 * mounted, Aura tells it in its stead; without Aura nobody does. Records from before the connection are never told.
 * @since 0.1.0
 */
export class RecordQueue {
	readonly #source: RecordSource | undefined;
	#off: (() => void) | undefined;
	readonly #emitters: RecordEmitter[] = [];
	/** Highest seq told, by run: a record that is heard twice is told once. */
	readonly #told = new Map<string, number>();
	#changed: () => void = () => {};
	readonly #listen = createSubscriber((update) => {
		this.#changed = update;
		return () => (this.#changed = () => {});
	});
	/** Which instance a step acts on. */
	readonly #places = new Map<string, string>();
	readonly #waiting: KnownRecord[] = [];
	#working = false;
	/** An act that was dispatched and whose component may still say so itself. */
	#dispatched: Extract<KnownRecord, { kind: 'effect.dispatched' }> | undefined;
	#spoken = false;

	/** @param source read while a surface is registered; without it records come by {@link push} or {@link connect} */
	constructor(source?: RecordSource) {
		this.#source = source;
	}

	/** Reads from `source` until the returned function is called. */
	connect(source: RecordSource): () => void {
		const deaf = hearEmissions((emission) => {
			const step = emission.cause?.step ?? emission.actor.step;
			if (emission.family !== 'delegate' || emission.verb !== 'act') return;
			if (step !== undefined && this.#dispatched?.data.step === step) this.#spoken = true;
		});
		const off = source.subscribe((record) => this.push(record));
		return () => {
			off();
			deaf();
		};
	}

	/** A surface takes its share; the newest of a kind is asked. Returns how to take leave. */
	register(emitter: RecordEmitter): () => void {
		this.#emitters.push(emitter);
		this.#changed();
		if (this.#source !== undefined) this.#off ??= this.connect(this.#source);
		return () => {
			const at = this.#emitters.indexOf(emitter);
			if (at < 0) return;
			this.#emitters.splice(at, 1);
			this.#changed();
			if (this.#emitters.length > 0) return;
			this.#off?.();
			this.#off = undefined;
		};
	}

	/** Is a surface of this kind mounted? Reactive. */
	has(surface: EmittingSurface): boolean {
		this.#listen();
		return this.#emitters.some((emitter) => emitter.surface === surface);
	}

	/** Takes one record. Records that arrive while one is being told wait their turn. */
	push(record: JournalRecord): void {
		if (record.seq <= (this.#told.get(record.run) ?? -1)) return;
		this.#told.set(record.run, record.seq);
		// The engine writes no other kinds; one that is not known here falls through unspoken.
		this.#waiting.push(record as unknown as KnownRecord);
		if (this.#working) return;
		this.#working = true;
		try {
			for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
				this.#tell(next);
		} finally {
			this.#working = false;
		}
	}

	#tell(record: KnownRecord): void {
		this.#flush();
		switch (record.kind) {
			case 'run.opened':
				if (record.data.offer) this.#emit('panel', 'offer', record);
				return;
			case 'plan.proposed':
				for (const step of record.data.steps) this.#places.set(step.id, step.instance);
				return this.#emit('review', 'plan', record);
			case 'review.opened':
				this.#emit('review', 'risk', record);
				return this.#emit('review', 'review', record);
			case 'grants.issued': {
				const byPerson = record.data.grants.some((grant) => grant.how === 'person');
				return this.#emit(byPerson ? 'review' : 'aura', 'authorize', record);
			}
			case 'effect.dispatched':
				// The component speaks for itself during the call that follows in this tick; only then is it Aura's turn.
				this.#dispatched = record;
				this.#spoken = false;
				return queueMicrotask(() => this.#flush());
			case 'effect.settled':
				if (record.data.status === 'confirmed') this.#emit('aura', 'applied', record);
				return;
			case 'escalation.raised':
				if (record.data.reason.code !== 'paused') this.#emit('question', 'escalate', record);
				return;
			case 'run.ended':
				return this.#emit('aura', 'returned', record);
		}
	}

	#flush(): void {
		const record = this.#dispatched;
		if (record === undefined) return;
		this.#dispatched = undefined;
		if (!this.#spoken) this.#emit('aura', 'act', record);
		this.#emit('aura', 'processing', record);
	}

	#emit(surface: EmittingSurface, event: RecordEvent, record: KnownRecord): void {
		const step = stepOf(record);
		const instance = step === undefined ? undefined : this.#places.get(step);
		const emitter = this.#find(surface, instance) ?? this.#find('aura', instance);
		if (emitter === undefined) return;
		const told = { by: record.by, cause: { run: record.run, ...(step === undefined ? {} : { step }) } };
		emitter.emit(event, told);
	}

	#find(surface: EmittingSurface, instance: string | undefined): RecordEmitter | undefined {
		const kind = this.#emitters.filter((emitter) => emitter.surface === surface);
		return (
			(instance === undefined ? undefined : kind.findLast((one) => one.instance === instance)) ??
			kind.findLast((one) => one.instance === undefined) ??
			kind.at(-1)
		);
	}
}

function stepOf(record: KnownRecord): string | undefined {
	return record.kind === 'effect.dispatched' || record.kind === 'effect.settled'
		? record.data.step
		: undefined;
}
