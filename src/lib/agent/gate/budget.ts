import type { Fold } from '../journal/fold.js';
import type { Budget } from '../protocol/words.js';

/**
 * The first limit that one more act would exceed.
 * @param counted the act was counted before, and comes back
 * @since 0.1.0
 */
export function exhausted(
	run: Fold,
	instance: string,
	cost: number,
	now: number,
	counted = false
): keyof Budget | undefined {
	const { limit, spent } = run;
	if (!counted && spent.acts + 1 > limit.acts) return 'acts';
	if (!counted && (run.perInstance.get(instance) ?? 0) + 1 > limit.actsPerInstance) return 'actsPerInstance';
	if (!counted && run.actsInMinute(now) + 1 > limit.actsPerMinute) return 'actsPerMinute';
	if (spent.cost + run.reservedCost + cost > limit.cost && cost > 0) return 'cost';
	if (spent.ms >= limit.ms) return 'ms';
	return undefined;
}
