/**
 * A moved block, from its first sign to its last, and the sign at its home change places. Null where they do not lie apart:
 * somebody took the place it came from into the block.
 */
export function swapped<T>(row: readonly T[], from: number, to: number, home: number): T[] | null {
	if (to < from || (home > from && home < to)) return null;
	const sign = row[home]!;
	const block = row.slice(from, to + 1);
	return home > to
		? [...row.slice(0, from), sign, ...row.slice(to + 1, home), ...block, ...row.slice(home + 1)]
		: [...row.slice(0, home), ...block, ...row.slice(home + 1, from), sign, ...row.slice(to + 1)];
}
