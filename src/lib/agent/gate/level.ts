import type { Level } from '../protocol/words.js';

const RANK: Record<Level, number> = { suggest: 0, review: 1, auto: 2 };

/**
 * The level in force: the lowest of all that were given. Nobody can loosen what another demands.
 * @default 'review', where nobody gave one
 * @since 0.1.0
 */
export function effectiveLevel(...levels: readonly (Level | undefined)[]): Level {
	let lowest: Level | undefined;
	for (const given of levels) {
		if (given === undefined) continue;
		// A word that is no level loosens nothing.
		const level = typeof given === 'string' && Object.hasOwn(RANK, given) ? given : 'review';
		if (lowest === undefined || RANK[level] < RANK[lowest]) lowest = level;
	}
	return lowest ?? 'review';
}

/** Is `a` a lower level than `b`? @since 0.1.0 */
export const isLower = (a: Level, b: Level): boolean => RANK[a] < RANK[b];
