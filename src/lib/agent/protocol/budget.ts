import type { Budget } from './words.js';

/** The defaults of {@link Budget}. @since 0.1.0 */
export const BUDGET: Budget = Object.freeze({
	acts: 40,
	turns: 20,
	tokens: 200_000,
	cost: 1,
	ms: 600_000,
	actsPerInstance: 40,
	actsPerMinute: 60
});

/** The names of the limits, in the order in which they are checked. @since 0.1.0 */
export const LIMITS = Object.freeze(Object.keys(BUDGET)) as readonly (keyof Budget)[];

/** Nothing spent. @since 0.1.0 */
export const NOTHING = Object.freeze(
	Object.fromEntries(LIMITS.map((limit) => [limit, 0]))
) as unknown as Budget;

/** The smaller of two budgets, limit by limit; what `b` leaves out or gives as no finite positive number is `a`'s. @since 0.1.0 */
export const capped = (a: Budget, b: Partial<Budget> = {}): Budget => {
	const out = { ...a };
	for (const limit of LIMITS) {
		const value = b[limit];
		if (typeof value === 'number' && value >= 0) out[limit] = Math.min(a[limit], value);
	}
	return out;
};

/** Sum of two budgets, limit by limit. @since 0.1.0 */
export const plus = (a: Budget, b: Partial<Budget>): Budget => {
	// What adds nothing leaves the very same.
	if (LIMITS.every((limit) => (b[limit] ?? 0) === 0)) return a;
	const out = { ...a };
	for (const limit of LIMITS) out[limit] = a[limit] + (b[limit] ?? 0);
	return out;
};
