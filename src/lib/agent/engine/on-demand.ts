import { faultText } from '../journal/copy.js';
import { reason } from '../protocol/codes.js';
import type { Reason } from '../protocol/words.js';
import { RETRIES } from './conduct.js';
import type { Core } from './core.js';
import { within } from './waiting.js';

/** The part of the engine that is loaded when the first run begins. */
export type TurnSide = typeof import('./turn-side.js');

/** The one copy of it, once it is there; who needs it at once hands it in before. */
export const onDemand: { turnSide?: TurnSide; load(): Promise<TurnSide> } = {
	load: () => import('./turn-side.js')
};

/**
 * Loads the turn side. A page that cannot get it is a page that cannot reach its model: it is tried again as a request is.
 * @returns why it is not there after that, unless `signal` was aborted
 */
export async function loadTurnSide(
	{ clock, patience }: Core,
	signal: AbortSignal = new AbortController().signal
): Promise<Reason | undefined> {
	let fault = '';
	const attempt = async () => {
		try {
			onDemand.turnSide = await onDemand.load();
		} catch (error) {
			fault = faultText(error);
		}
	};
	for (const wait of [0, ...RETRIES]) {
		if (wait > 0) await clock.sleep(wait, signal).catch(() => undefined);
		if (!signal.aborted) await within(clock, attempt(), { ms: patience.turnMs, signal });
		if (onDemand.turnSide || signal.aborted) return undefined;
	}
	return reason('transport', fault || undefined);
}
