import { deepFreeze } from './copy.js';

/** Reads that a turn did not show, all for one reason: the same reads of some instances. @since 0.1.0 */
export interface Omission {
	why: string;
	reads: readonly string[];
	instances: readonly string[];
}

/** One read that a turn did not show. @since 0.1.0 */
export interface LeftOut {
	instance: string;
	read: string;
	why: string;
}

// A page of thousands is left out anew each turn; who looks at it between two turns sees the same list.
const spreads = new WeakMap<readonly Omission[], readonly LeftOut[]>();

/** Read by read, what is recorded in groups because it would be most of the journal. @internal */
export function spread(groups: readonly Omission[]): readonly LeftOut[] {
	let list = spreads.get(groups);
	if (!list) {
		list = groups.flatMap(({ why, reads, instances }) =>
			instances.flatMap((instance) => reads.map((read) => ({ instance, read, why })))
		);
		spreads.set(groups, deepFreeze(list));
	}
	return list;
}
