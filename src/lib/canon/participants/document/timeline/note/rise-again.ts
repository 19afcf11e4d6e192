import { livingSize } from '../row/piece.js';
import type { Table } from '../table.js';

/**
 * The person has brought back words of a run that is taken back (they had deleted them, so that its undo could not). The run
 * stands again, as the newest unit: else nobody could take these words back any more.
 */
export function riseAgain(table: Table, before: Table): Table {
	const was = unwanted(before);
	const again = [...unwanted(table)].filter(([run, size]) => size > (was.get(run) ?? 0)).map(([run]) => run);
	if (again.length === 0) return table;
	const isOther = (entry: Table['units'][number]): boolean =>
		entry.by !== 'run' || !again.includes(entry.run);
	return {
		...table,
		runs: {
			...table.runs,
			...Object.fromEntries(again.map((run) => [run, { ...table.runs[run]!, stands: true }]))
		},
		units: [...table.units.filter(isOther), ...again.map((run) => ({ by: 'run', run }) as const)],
		undone: table.undone.filter(isOther)
	};
}

/** How much stands of runs that do not: the structure may hold some of it. */
function unwanted({ pieces, runs }: Table): Map<string, number> {
	const out = new Map<string, number>();
	for (const it of Object.values(runs).every(({ stands }) => stands) ? [] : pieces.toArray())
		if (it.ins !== null && runs[it.ins]?.stands === false)
			out.set(it.ins, (out.get(it.ins) ?? 0) + livingSize(it));
	return out;
}
