import type { Situation } from '../situation.js';

/** "1 step", "3 steps". */
export const some = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** "Invoice, Order 118 and Outbox". */
export const list = (names: readonly string[]): string =>
	names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;

/** " in Invoice", or nothing where nothing was touched. */
export const within = ({ where }: Pick<Situation, 'where'>): string =>
	where.length === 0 ? '' : ` in ${list(where)}`;

/** "3 done, 1 rejected": what became of the steps, only what there is. */
export const tally = (facts: Situation): string => {
	const parts: readonly (readonly [number, string])[] = [
		[facts.done, 'done'],
		[facts.rejected, 'rejected'],
		[facts.refused, 'refused'],
		[facts.failed, 'failed'],
		[facts.unknown, 'of unknown outcome'],
		[facts.skipped, 'not done']
	];
	return (
		parts
			.filter(([n]) => n > 0)
			.map(([n, what]) => `${n} ${what}`)
			.join(', ') || 'nothing was changed'
	);
};
