import type { Reason } from '../../agent/protocol/words.js';
import { DEV } from '../../uix/development.js';

const told = new Set<string>();

/**
 * Why a press decided nothing: no person made it. A surface shows it; in development the console says it once too, because
 * who tests with events that a script makes wonders why nothing happens.
 * @internal
 */
export function notByHand(surface: string): Reason {
	if (DEV && !told.has(surface)) {
		told.add(surface);
		console.warn(
			`${surface}: an event that no person made decided nothing. Press as a person does (in tests with a driver that makes ` +
				'trusted events), or call the verb of the run with the actor it is for.'
		);
	}
	return { code: 'person-required', text: 'Only a person may decide this.' };
}
