import type { Fold } from '../journal/fold.js';
import { LIMITS } from '../protocol/budget.js';
import type { Budget } from '../protocol/words.js';

/** Whatever comes next: the least that a request or a moment may take. */
const ANY = 1e-6;

/** Sums of fractions are not exact. */
const EXACT = 1e-9;

type Draw = (run: Fold, now: number, instance: string) => number;

/** What one run alone takes of a limit: spent, or set aside for what is under way. */
const DRAWN: Readonly<Record<keyof Budget, Draw>> = {
	acts: ({ spent }) => spent.acts,
	turns: ({ spent, reserve }) => spent.turns + reserve.turns,
	tokens: ({ spent, reserve, reservedTokens }) => spent.tokens + reserve.tokens + reservedTokens,
	cost: ({ spent, reservedCost }) => spent.cost + reservedCost,
	ms: (run, now) => run.ran(now),
	actsPerInstance: ({ perInstance }, _now, instance) => perInstance.get(instance) ?? 0,
	actsPerMinute: (run, now) => run.actsInMinute(now)
};

/** What is taken of a limit of `run`: by itself, and by every run that an act of it began. */
export function drawn(run: Fold, limit: keyof Budget, now: number, instance = ''): number {
	let sum = DRAWN[limit](run, now, instance);
	for (const one of run.below)
		// What a person added there was added here too.
		sum += drawn(one, limit, now, instance) - (one.limit[limit] - one.opened.budget[limit]);
	return sum;
}

/** The first of `run` and the runs above it whose limit has no room for `more`. */
function lacking(run: Fold, limit: keyof Budget, more: number, now: number, instance?: string) {
	for (let at: Fold | undefined = run; at; at = at.above)
		if (drawn(at, limit, now, instance) + more > at.limit[limit] + EXACT) return at;
	return undefined;
}

/** What a run may still take of a limit: of its own, and of that of each run above it. @since 0.1.0 */
export function left(run: Fold, limit: keyof Budget, now: number): number {
	let least = Infinity;
	for (let at: Fold | undefined = run; at; at = at.above)
		least = Math.min(least, at.limit[limit] - drawn(at, limit, now));
	return Math.max(0, least);
}

/** The most that a run below may be given: what is left, of each limit. A rate is not used up. @since 0.1.0 */
export const room = (run: Fold, now: number): Budget =>
	Object.fromEntries(
		LIMITS.map((limit) => [limit, limit === 'actsPerMinute' ? run.limit[limit] : left(run, limit, now)])
	) as unknown as Budget;

/**
 * The first limit that one more act would exceed, in the run or in one above it.
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
	if (!counted && lacking(run, 'acts', 1, now)) return 'acts';
	if (!counted && lacking(run, 'actsPerInstance', 1, now, instance)) return 'actsPerInstance';
	if (!counted && lacking(run, 'actsPerMinute', 1, now)) return 'actsPerMinute';
	if (cost > 0 && lacking(run, 'cost', cost, now)) return 'cost';
	return timeless(run, now);
}

/** Is the running time used up? @since 0.1.0 */
export const timeless = (run: Fold, now: number): 'ms' | undefined => lacking(run, 'ms', ANY, now) && 'ms';

/** The first limit that one more try of a request would exceed. @since 0.1.0 */
export function wordless(run: Fold, now: number): 'tokens' | 'cost' | undefined {
	if (lacking(run, 'tokens', ANY, now)) return 'tokens';
	// Where nothing costs anything, nothing is too dear.
	const broke = lacking(run, 'cost', ANY, now);
	return broke && drawn(broke, 'cost', now) > 0 ? 'cost' : undefined;
}

/**
 * The first limit that one more turn would exceed. Going on with a paused one costs no turn, but nobody may pause for ever.
 * @since 0.1.0
 */
export function speechless(run: Fold, now: number, continues?: true): keyof Budget | undefined {
	if (continues ? run.turns.length + 1 > 2 * run.limit.turns : lacking(run, 'turns', 1, now)) return 'turns';
	return wordless(run, now) ?? timeless(run, now);
}

/** Of which limit, as it stands in `run` or in a run above it, there is least. @since 0.1.0 */
export function tightest(run: Fold, limit: keyof Budget, now: number): { of: number; spent: number } {
	let at = run;
	for (let one = run.above; one; one = one.above)
		if (one.limit[limit] - drawn(one, limit, now) < at.limit[limit] - drawn(at, limit, now)) at = one;
	const spent = (one: Fold): number => one.below.reduce((sum, run) => sum + spent(run), one.spent[limit]);
	return { of: at.limit[limit], spent: at.below.length > 0 ? spent(at) : at.spent[limit] };
}

/** From which part of a limit on the model is told. */
const NEAR = 0.8;

/** Limits of which most is used up, with what is left of them: told to the model while it can still choose. @since 0.1.0 */
export function nearing(run: Fold, now: number): Partial<Budget> | undefined {
	const near = LIMITS.flatMap((limit) => {
		// A minute passes, and an instance is not all.
		if (limit === 'actsPerMinute') return [];
		const instances = limit === 'actsPerInstance' ? [...run.perInstance.keys()] : [''];
		let least = Infinity;
		for (let at: Fold | undefined = run; at; at = at.above)
			for (const instance of instances) {
				const most = at.limit[limit];
				const used = drawn(at, limit, now, instance);
				if (used > 0 && used >= most * NEAR - EXACT) least = Math.min(least, Math.max(0, most - used));
			}
		return Number.isFinite(least) ? [[limit, least] as const] : [];
	});
	return near.length > 0 ? Object.fromEntries(near) : undefined;
}
