import type { RunState } from '../../../agent/protocol/run-state.js';
import type { Budget } from '../../../agent/protocol/words.js';

/** A limit this far used up is renewed with the others, or it would stop the run again at once. */
const NEARLY = 0.9;

/**
 * A sensible renewal of what is used up: half of what was granted at first. Waits for a person to be given.
 * @since 0.1.0
 */
export function renewalOf(run: RunState): Partial<Budget> {
	const { limit, spent, reserved } = run.budget;
	const limits = Object.keys(limit) as (keyof Budget)[];
	const used = (one: keyof Budget) => (limit[one] > 0 ? (spent[one] + reserved[one]) / limit[one] : 1);
	// The reason names the limit that was reached; without one it is the fullest.
	const named = limits.filter((one) => run.escalations.some((reason) => reason.code === `budget.${one}`));
	const fullest = limits.reduce((most, one) => (used(one) > used(most) ? one : most), limits[0] ?? 'acts');
	const more = (one: keyof Budget) => {
		const half = limit[one] / 2;
		return one === 'cost' ? Math.max(0.01, Number(half.toFixed(2))) : Math.max(1, Math.ceil(half));
	};
	return Object.fromEntries(
		limits
			.filter((one) => (named.length > 0 ? named.includes(one) : one === fullest) || used(one) >= NEARLY)
			.map((one) => [one, more(one)])
	);
}
