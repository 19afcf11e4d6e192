import type { Fold } from '../journal/fold.js';
import type { Kinds } from '../journal/kinds.js';
import { outcomeKind } from '../run/outcome.js';
import type { End } from './conduct.js';

/** How a run ends, by what it did and why it stops. */
export function ending(run: Fold, { reason, text, broken, exhausted, refused }: End): Kinds['run.ended'] {
	const { stopping, level, admitted, opened, turns, turn } = run;
	const { effects, steps } = run.view();
	const count = (...of: string[]) => effects.filter(({ status }) => of.includes(status)).length;
	const confirmed = count('confirmed');
	const expired = reason?.code === 'expired';
	const superseded = stopping?.superseded === true;
	// Nobody cancelled what a closed page left behind.
	const cancelled = stopping && !admitted && !superseded && stopping.reason?.code !== 'recovery';
	// The last words of a wrap-up say more than those of the turn before.
	const last = (exhausted && turns.findLast(({ opened }) => opened.wrapUp)?.text) || turn?.text;
	return {
		verb: cancelled ? 'cancel' : 'return',
		kind: outcomeKind({
			superseded,
			interrupted: stopping !== undefined,
			broken: broken ?? (expired && confirmed > 0),
			exhausted: exhausted ?? false,
			refused: refused ?? (expired && confirmed === 0 && !exhausted),
			proposed: level === 'suggest' && steps.some(({ status }) => status === 'proposed'),
			steps: steps.length,
			admitted,
			confirmed,
			faulty: count('failed', 'unknown')
		}),
		reason,
		label: run.label,
		text: text ?? last,
		value: opened.call ? steps[0]?.result : undefined
	};
}
