import { actingAs } from '../../actor/actor.js';
import type { KnownRecord } from '../journal/kinds.js';
import type { Conductor } from './conductor.js';

/** Tells every participant in which the run acted or painted, and which is still there, that the run is over. */
export function tellEnded({ core, fold, journal, painted }: Conductor): void {
	const { id, opened, principal } = fold;
	// A caller without a model acted itself.
	const actor = { ...(opened.call ? principal : core.agent), run: id };
	for (const instance of new Set([...(journal as KnownRecord[]).flatMap(actedIn), ...painted])) {
		const entry = core.registry.entry(instance);
		const provider = entry?.provider();
		if (entry && provider !== undefined)
			core.safely(() => actingAs(actor, () => entry.manifest.ended?.(provider, id)));
	}

	function actedIn({ kind, data }: KnownRecord): string[] {
		if (kind === 'call.admitted') return [data.instance];
		// After a reload only the outcome may tell that an act had been under way.
		return kind === 'effect.dispatched' || kind === 'effect.settled'
			? [fold.effects.get(data.operation)!.entry.instance]
			: [];
	}
}
