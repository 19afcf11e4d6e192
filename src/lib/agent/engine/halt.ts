import type { Actor } from '../../actor/actor.js';
import type { Reason } from '../protocol/words.js';
import type { Conductor } from './conductor.js';

/** Closes admission in this very tick, for the run and for what its acts began. */
export function halt(conductor: Conductor, why: Reason, by: Actor, superseded?: true): void {
	const { fold, elsewhere, house } = conductor;
	if (fold.over || fold.stopping || elsewhere) return;
	conductor.append('stop.requested', { reason: why, superseded }, by);
	conductor.turnAbort?.abort(why);
	conductor.actAbort?.abort(why);
	for (const { id } of fold.below) {
		const below = house.conductor(id);
		if (below) halt(below, why, by, superseded);
	}
	// What never left the queue has nothing to settle.
	if (!fold.started) conductor.end({ reason: why });
	else conductor.drive();
}
