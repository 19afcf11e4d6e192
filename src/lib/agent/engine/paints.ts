import type { Fold } from '../journal/fold.js';
import { isClosed } from '../journal/memory.js';
import type { Conductor } from './conductor.js';

/** What a participant shows of a step before it is done. */
export interface Paint {
	turn: string;
	call: string;
	/** Tries of the turn that had failed when it was begun. */
	failures: number;
	takeAway(): void;
}

/** Takes away the paint of whatever is settled, by the records as they are now; `all`, where the engine goes. */
export function sweep({ fold, paints }: Conductor, all = false): void {
	for (const [step, paint] of paints)
		if (all || !stands(fold, step, paint)) {
			paints.delete(step);
			paint.takeAway();
		}
}

function stands(run: Fold, id: string, { turn: of, call, failures }: Paint): boolean {
	if (run.over) return false;
	const step = run.steps.get(id)?.step;
	if (step) return !isClosed(step) && (!run.stopping || step.status === 'dispatched');
	const turn = run.turns.find(({ id }) => id === of)!;
	if (run.stopping || turn.revision !== run.revision || turn.failures !== failures) return false;
	return !turn.closed || run.calls.get(call)?.status === 'open';
}
