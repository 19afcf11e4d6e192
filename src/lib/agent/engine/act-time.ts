import type { Fold } from '../journal/fold.js';
import type { Conductor } from './conductor.js';
import { after, DONE, onabort, type Timer } from './waiting.js';

/** Does any of these runs, or any that their acts began, wait for a person? */
const waits = (runs: readonly Fold[]): boolean =>
	runs.some((run) => !run.over && (['waiting', 'paused'].includes(run.activity) || waits(run.below)));

/**
 * The time that an act may take, to be made before it is called: it stands while a run that was begun since waits for a
 * person, because nobody knows how long a person thinks.
 * @param ms how much of it there is
 */
export function actTime({ core, fold }: Conductor, ms: number): Timer {
	const { clock } = core;
	const before = fold.below.length;
	return (signal, then) => {
		let left = ms;
		let going: { since: number; abort: AbortController } | undefined;
		const look = () => {
			if (waits(fold.below.slice(before)) !== (going !== undefined)) return;
			const now = clock.now();
			if (going) {
				left -= now - going.since;
				going.abort.abort(DONE);
				going = undefined;
			} else {
				going = { since: now, abort: new AbortController() };
				after(clock, Math.max(0, left), going.abort.signal, then);
			}
		};
		const off = core.subscribe(look);
		onabort(signal, () => {
			off();
			going?.abort.abort(DONE);
		});
		look();
	};
}
