import { isObject } from '../journal/copy.js';
import type { Fold } from '../journal/fold.js';
import type { ToldAt } from '../journal/kinds.js';
import { keyed, type TurnMemory } from '../journal/memory.js';
import { reason } from '../protocol/codes.js';
import type { JSONValue } from '../protocol/words.js';
import type { Conductor } from './conductor.js';
import type { Core } from './core.js';

const { code, text } = reason('consent');
const WITHHELD: JSONValue = Object.freeze({ withheld: Object.freeze({ code, text }) });

/**
 * An earlier result as it may be sent now. Every request sends the whole conversation anew, so a read that a person took back
 * is left out of the results that showed it: what `run`, which asks now, may not read is not sent again on its behalf either.
 * What the model itself said of it stays, as it does in the records.
 */
export function withheld(core: Core, run: Fold, content: JSONValue, told: readonly ToldAt[] = []): JSONValue {
	const taken = told.filter((touch) => core.mayLeave(run, touch) !== 'allow');
	if (taken.length === 0 || !isObject(content)) return content;
	const { value, state } = content as Record<string, JSONValue | undefined>;
	return {
		...(content as Record<string, JSONValue>),
		...(value === undefined ? {} : { value: WITHHELD }),
		...(isObject(state)
			? { state: { ...state, ...Object.fromEntries(taken.map((touch) => [keyed(touch), WITHHELD])) } }
			: {})
	};
}

/** Names the consents by which {@link withheld} goes: another name after each switch and each answer. */
export const consented = (core: Core, { id, consents, tightened }: Fold): string =>
	[core.switched, id, Math.max(0, ...consents.values()), Math.max(0, ...tightened.values())].join();

/** Does a turn that is to be asked again show what may not leave any more? */
export function outworn({ core, fold, journal }: Conductor, { id, opened }: TurnMemory): boolean {
	const { seq } = journal.findLast(
		({ kind, data }) => kind === 'turn.opened' && (data as { turn?: unknown }).turn === id
	)!;
	// Of what is not mounted any more nobody knows which entries cover it.
	const tightened = [...fold.tightened.values()].some((since) => since > seq);
	return opened.shown.some(({ instance, read, form }) => {
		// An attachment came with the goal: no read, and no id.
		if (form === 'line' || instance.includes(':')) return false;
		const entry = core.registry.entry(instance);
		return entry ? core.consent(fold, entry, read) !== 'allow' : tightened;
	});
}
