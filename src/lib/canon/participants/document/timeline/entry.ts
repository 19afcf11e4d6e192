/**
 * Neighbouring units of the timeline that come from one side: a run, or so many events of the person's history. Counted
 * and not listed: a person who types beside a live run makes an event with every key.
 */
export type Entry =
	{ readonly by: 'run'; readonly run: string } | { readonly by: 'person'; readonly events: number };

/** One thing Mod-z takes back: a whole run, or one event of the person's history. @since 0.1.0 */
export type Unit = { readonly by: 'run'; readonly run: string } | { readonly by: 'person' };

/** A row of entries as single units, oldest first. */
export const unitsOf = (row: readonly Entry[]): Unit[] =>
	row.flatMap((entry): Unit[] =>
		entry.by === 'run' ? [entry] : Array.from({ length: entry.events }, () => ({ by: 'person' }))
	);
