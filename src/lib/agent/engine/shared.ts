import { copyJSON } from '../journal/copy.js';
import { applyPatch, patching } from '../protocol/json-patch.js';
import type { TurnEvent } from '../protocol/turn.js';
import type { JSONValue } from '../protocol/words.js';

type StateEvent = Extract<TurnEvent, { type: `state.${string}` }>;

/** A state and its number, where the other side counts. */
export interface Shared {
	state: JSONValue;
	revision?: number;
}

/** The state shared with the other side during one turn. */
export class SharedState {
	/** Did anything of it come in this turn? */
	changed = false;
	#is: Shared | undefined;
	readonly #patching = patching();

	/** @param is what both sides hold by now; none if that is not known */
	constructor(is: Shared | undefined) {
		this.#is = is;
	}

	/**
	 * Takes in what came. A state with a number is followed by the next number; one that was taken already changes nothing.
	 * @returns why the two sides are out of step
	 */
	take(event: StateEvent): string | undefined {
		const { revision } = event;
		if (event.type === 'state.snapshot') this.#is = { state: event.state ?? null, revision };
		else {
			if (!this.#is) return 'A change came before the state.';
			const known = this.#is.revision;
			const counts = revision !== undefined && known !== undefined;
			if (counts && revision <= known) return undefined;
			if (counts && revision > known + 1) return `Revision ${revision} came after ${known}.`;
			try {
				this.#is = { state: applyPatch(this.#is.state, event.patch, this.#patching), revision };
			} catch (error) {
				return (error as Error).message;
			}
		}
		this.changed = true;
		return undefined;
	}

	/** What both sides hold at the end, as data of its own. @returns why it is none */
	end(): Shared | string {
		const copy = copyJSON(this.#is!.state);
		return copy.ok ? { ...this.#is, state: copy.value } : copy.reason.text;
	}
}
