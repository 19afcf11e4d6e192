import { SvelteMap } from 'svelte/reactivity';
import type { AgentEvent } from '../../../agent/protocol/turn.js';
import type { JournalRecord } from '../../../agent/protocol/records.js';

/** One call whose arguments are arriving. */
export interface Arriving {
	id: string;
	name: string;
	raw: string;
}

/** What of one turn has arrived so far. */
export interface StreamedTurn {
	text: string;
	calls: readonly Arriving[];
}

/** A turn as it comes in, before it is drawn. */
interface Incoming {
	text: string;
	calls: Arriving[];
}

/**
 * What arrives of turns that are open: collected as it comes, shown once a frame. When a turn is closed, what was recorded of
 * it takes its place, and a late piece repaints nothing.
 */
export class Streamed {
	/** Counts what was drawn. */
	drawn = $state(0);
	readonly #turns = new SvelteMap<string, StreamedTurn>();
	readonly #incoming = new Map<string, Incoming>();
	readonly #dirty = new Set<string>();
	/** Turns that began before anybody listened: what is heard of them is not their beginning. */
	readonly #torn: ReadonlySet<string>;
	#frame: number | undefined;

	constructor(torn: Iterable<string>) {
		this.#torn = new Set(torn);
	}

	/** What of a turn is there to be shown; undefined where nothing arrives. */
	turn(id: string): StreamedTurn | undefined {
		return this.#turns.get(id);
	}

	hear(event: AgentEvent): void {
		const { turn, type } = event;
		if (type !== 'text' && type !== 'call.start' && type !== 'call.args') return;
		let into = this.#incoming.get(turn);
		if (!into) {
			into = { text: this.#torn.has(turn) && type === 'text' ? '…' : '', calls: [] };
			this.#incoming.set(turn, into);
		}
		if (type === 'text') into.text += event.delta;
		else if (type === 'call.start') {
			if (event.executed !== 'there') into.calls.push({ id: event.id, name: event.name, raw: '' });
		} else {
			const call = into.calls.find(({ id }) => id === event.id);
			if (!call) return;
			call.raw += event.delta;
		}
		this.#dirty.add(turn);
		this.#frame ??= requestAnimationFrame(() => this.#draw());
	}

	/** A turn that was closed, or broke off, is what its record says. */
	take({ kind, data }: JournalRecord): void {
		if (kind !== 'turn.closed' && kind !== 'turn.failed') return;
		const { turn } = data as { turn: string };
		this.#incoming.delete(turn);
		// The record is drawn with the next frame, and until then what was there stays.
		this.#dirty.add(turn);
		this.#frame ??= requestAnimationFrame(() => this.#draw());
	}

	/** Draws nothing more. */
	end(): void {
		if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
		this.#frame = undefined;
	}

	#draw(): void {
		this.#frame = undefined;
		for (const turn of this.#dirty) {
			const now = this.#incoming.get(turn);
			if (now) this.#turns.set(turn, { text: now.text, calls: now.calls.map((call) => ({ ...call })) });
			else this.#turns.delete(turn);
		}
		this.#dirty.clear();
		this.drawn += 1;
	}
}
