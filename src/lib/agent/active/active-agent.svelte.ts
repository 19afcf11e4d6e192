import { untrack } from 'svelte';
import { createSubscriber, SvelteMap } from 'svelte/reactivity';
import type { ReadConsent } from '../capability/consent.js';
import { EngineAgent } from '../engine/engine.js';
import type { AgentOptions } from '../engine/options.js';
import type { JournalRecord } from '../protocol/records.js';
import type { Pending, RunState } from '../protocol/run-state.js';

/** Without a window there is nobody to delegate and nothing to act on. */
const SERVER = typeof window === 'undefined';

/** Longest time in ms a hidden page, which draws no frames, waits for what its agent did. */
const HIDDEN_MS = 100;

/**
 * An agent for a Svelte app: the verbs of {@link EngineAgent}, bound, and its state by runes. What templates, deriveds and
 * effects read is brought up to date once a frame and only where a run changed; code outside of them reads the present.
 * On a server it is inert: nothing runs, and a run is refused with the code `server`.
 * @example
 * const ada = defineActiveAgent({ identity: { id: 'ada', name: 'Ada', description: 'Fills in forms' }, transport })
 * const { run } = ada
 * @since 0.1.0
 */
export class ActiveAgent {
	/** The engine below, for everything that is not reactive. */
	readonly engine: EngineAgent;
	/** Starts a run. */
	readonly run: EngineAgent['run'];
	/** Offers a run; it starts when a person accepts it. */
	readonly offer: EngineAgent['offer'];
	/** One act through the same door, without a model. */
	readonly call: EngineAgent['call'];
	readonly get: EngineAgent['get'];
	/** Takes back what a run did, and only that. */
	readonly undo: EngineAgent['undo'];
	readonly redo: EngineAgent['redo'];
	readonly setLevel: EngineAgent['setLevel'];
	readonly setConsent: EngineAgent['setConsent'];
	/** Hears deltas, for painting. */
	readonly on: EngineAgent['on'];
	/** Hears records, at once and in order. */
	readonly subscribe: EngineAgent['subscribe'];

	readonly #states = new SvelteMap<string, RunState>();
	#order: readonly string[] = $state.raw([]);
	#waiting: readonly Pending[] = $state.raw([]);
	/** The run that ended last; the engine lists runs by their beginning. */
	#ended: string | undefined = $state.raw(undefined);

	#lastEnded: string | undefined;
	readonly #dirty = new Set<string>();
	#cancel: (() => void) | undefined;
	readonly #off: () => void;
	readonly #consented: () => void;
	readonly #leveled: () => void;

	/** @param source how the agent is made, or an engine that stands already, for example a restored one */
	constructor(source: AgentOptions | EngineAgent) {
		const engine = source instanceof EngineAgent ? source : new EngineAgent({ inert: SERVER, ...source });
		this.engine = engine;
		this.#consented = createSubscriber((update) => engine.onconsent(update));
		this.#leveled = createSubscriber((update) => engine.onlevel(update));
		this.run = engine.run.bind(engine);
		this.offer = engine.offer.bind(engine);
		this.call = engine.call.bind(engine);
		this.get = engine.get.bind(engine);
		this.undo = engine.undo.bind(engine);
		this.redo = engine.redo.bind(engine);
		this.setLevel = engine.setLevel.bind(engine);
		this.setConsent = engine.setConsent.bind(engine);
		this.on = engine.on.bind(engine);
		this.subscribe = engine.subscribe.bind(engine);
		this.#off = SERVER ? () => {} : this.#listen();
	}

	/** Every run of this agent, in order of their beginning. */
	get runs(): readonly RunState[] {
		if (!$effect.tracking()) return this.engine.runs;
		return this.#order.flatMap((id) => this.#states.get(id) ?? []);
	}

	/** The live run, else the last that ended. A queued run and an open offer come after the one that is under way. */
	get current(): RunState | undefined {
		const { runs } = this;
		const ended = $effect.tracking() ? this.#ended : this.#lastEnded;
		const open = runs.filter((run) => !over(run));
		return (
			open.find((run) => run.state !== 'offered' || run.activity === 'thinking') ??
			open[0] ??
			runs.find((run) => run.id === ended && over(run)) ??
			runs.at(-1)
		);
	}

	/** Everything that waits for a person, over all runs. */
	get pending(): readonly Pending[] {
		return $effect.tracking() ? this.#waiting : this.engine.pending;
	}

	/** What may leave of all that is mounted, read by read, and what decides it: make switches of it. */
	get consents(): readonly ReadConsent[] {
		this.#consented();
		return this.engine.consents;
	}

	/** The most the app allows, and what the person set; the lower of the two counts. */
	get levels(): EngineAgent['levels'] {
		this.#leveled();
		return this.engine.levels;
	}

	/** Ends what is open and lets go of the engine. */
	dispose = async (): Promise<void> => {
		await this.engine.dispose();
		this.#cancel?.();
		this.#flush();
		this.#off();
	};

	#listen(): () => void {
		for (const run of this.engine.runs) this.#dirty.add(run.id);
		// Whoever makes an agent inside an effect does not depend on what it holds.
		untrack(() => this.#flush());
		const changed = (run: string) => {
			this.#dirty.add(run);
			this.#cancel ??= nextFrame(() => this.#flush());
		};
		const off = this.engine.onmove(changed);
		const unsubscribe = this.engine.subscribe((record: JournalRecord) => {
			if (record.kind === 'run.ended') this.#lastEnded = record.run;
			changed(record.run);
		});
		return () => {
			off();
			unsubscribe();
		};
	}

	#flush(): void {
		this.#cancel = undefined;
		for (const id of this.#dirty) {
			const run = this.engine.get(id)?.state;
			if (run !== undefined) this.#states.set(id, run);
		}
		this.#dirty.clear();
		const order = this.engine.runs.map((run) => run.id);
		if (!equal(order, this.#order)) this.#order = order;
		const { pending } = this.engine;
		if (!equal(pending.map(keyOf), this.#waiting.map(keyOf))) this.#waiting = pending;
		this.#ended = this.#lastEnded;
	}
}

/**
 * Makes the agent of an app, once, at app level; hand it to `AgentRoot`.
 * @since 0.1.0
 */
export const defineActiveAgent = (options: AgentOptions): ActiveAgent => new ActiveAgent(options);

const over = (run: RunState): boolean => run.state === 'returned' || run.state === 'cancelled';

const equal = (a: readonly unknown[], b: readonly unknown[]): boolean =>
	a.length === b.length && a.every((value, index) => value === b[index]);

/** What tells one thing that waits from another; the frozen objects of the engine are the same while nothing changed. */
const keyOf = (one: Pending): unknown => {
	if (one.kind === 'review') return one.review;
	if (one.kind === 'question') return one.question;
	if (one.kind === 'escalation') return one.reason;
	return one.kind === 'unknown-effect' ? `${one.run} ${one.operation}` : `${one.kind} ${one.run}`;
};

/** Calls back with the next frame; without frames in a microtask, on a hidden page a little later. */
function nextFrame(flush: () => void): () => void {
	if (typeof requestAnimationFrame !== 'function') {
		let live = true;
		queueMicrotask(() => live && flush());
		return () => (live = false);
	}
	const cancel = () => {
		cancelAnimationFrame(frame);
		clearTimeout(timer);
	};
	const once = () => {
		cancel();
		flush();
	};
	const frame = requestAnimationFrame(once);
	const timer = setTimeout(once, HIDDEN_MS);
	return cancel;
}
