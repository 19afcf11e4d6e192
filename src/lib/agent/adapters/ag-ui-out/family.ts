import type { JournalRecord } from '../../protocol/records.js';
import type { RunState } from '../../protocol/run-state.js';
import type { Data } from './messages.js';

/** How far a run, or one that an act of it began, is from resting. */
interface Track {
	parent?: string;
	asks: boolean;
	/** Reads and acts that were let in and have no outcome, by call or step. */
	under: Set<string>;
	isOver: boolean;
}

/** A run and those that its acts began, and theirs: what one of them waits for, all above it wait for. */
export class Family {
	readonly #tracks = new Map<string, Track>();

	constructor(readonly stateOf: (run: string) => RunState) {}

	has(run: string | undefined): boolean {
		return this.#tracks.has(run!);
	}

	/** Those that have not ended, from above. */
	get live(): string[] {
		return [...this.#tracks].flatMap(([run, { isOver }]) => (isOver ? [] : [run]));
	}

	join(run: string, journal: readonly JournalRecord[], parent?: string): void {
		this.#tracks.set(run, { parent, asks: false, under: new Set(), isOver: false });
		for (const { kind, data } of journal) this.follow(run, kind, data as Data);
	}

	follow(run: string, kind: string, { call, step }: Data): void {
		const track = this.#tracks.get(run)!;
		const { under } = track;
		if (kind === 'turn.opened') track.asks = true;
		else if (kind === 'turn.failed' || kind === 'turn.closed') track.asks = false;
		else if (kind === 'call.admitted') under.add(call!);
		else if (kind === 'call.closed') under.delete(call!);
		else if (kind === 'effect.dispatched') under.add(step!);
		else if (kind === 'effect.released' || kind === 'effect.settled') under.delete(step!);
		else if (kind === 'run.ended') track.isOver = true;
	}

	/** Does a run wait for a person, with nothing under way of which something would still be heard? */
	rests(run: string): boolean {
		const below = this.live.filter((one) => this.#tracks.get(one)!.parent === run);
		// What its act waits for is a person's, too.
		if (below.length > 0) return below.every((one) => this.rests(one));
		const { asks, under } = this.#tracks.get(run)!;
		const { activity, escalations, budget, turns } = this.stateOf(run);
		if (asks || under.size > 0 || (activity !== 'waiting' && activity !== 'paused')) return false;
		const { reserved } = budget;
		// Before it waits for a renewal it still says what it did.
		const wrapsUp =
			escalations.length === 1 &&
			escalations[0]!.code.startsWith('budget.') &&
			turns.length > 0 &&
			reserved.turns > 0 &&
			reserved.tokens > 0;
		return !wrapsUp;
	}
}
