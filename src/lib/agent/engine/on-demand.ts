import { faultText } from '../journal/copy.js';
import { reason } from '../protocol/codes.js';
import type { Reason } from '../protocol/words.js';
import { RETRIES } from './conduct.js';
import type { Core } from './core.js';
import { within } from './waiting.js';

/** The part of the engine that is loaded when the first run begins. */
export type TurnSide = typeof import('./turn-side.js');

/** The part that is loaded where an engine has a store. */
export type KeeperSide = typeof import('./keeper.js');

/** The one copy of it, once it is there; who needs it at once hands it in before. */
export const onDemand: { turnSide?: TurnSide; keeper?: KeeperSide; load(): Promise<TurnSide> } = {
	load: () => import('./turn-side.js')
};

/**
 * Loads the turn side. A page that cannot get it is a page that cannot reach its model: it is tried again as a request is.
 * @returns why it is not there after that, unless `signal` was aborted
 */
export async function loadTurnSide(
	core: Core,
	signal: AbortSignal = new AbortController().signal
): Promise<Reason | undefined> {
	const fault = await tried(core, signal, async () => {
		onDemand.turnSide = await onDemand.load();
	});
	return fault === undefined ? undefined : reason('transport', fault || undefined);
}

/** Loads what keeps runs; the one who asks asks again. */
export async function loadKeeper(core: Core): Promise<KeeperSide | undefined> {
	await tried(core, new AbortController().signal, async () => {
		onDemand.keeper = await import('./keeper.js');
	});
	return onDemand.keeper;
}

/** @returns what went wrong the last time, unless `signal` was aborted */
async function tried(
	{ clock, patience }: Core,
	signal: AbortSignal,
	load: () => Promise<void>
): Promise<string | undefined> {
	let fault: string | undefined;
	const attempt = async () => {
		try {
			await load();
			fault = undefined;
		} catch (error) {
			fault = faultText(error);
		}
	};
	for (const wait of [0, ...RETRIES]) {
		if (wait > 0) await clock.sleep(wait, signal).catch(() => undefined);
		fault = '';
		if (!signal.aborted) await within(clock, attempt(), { ms: patience.turnMs, signal });
		if (fault === undefined || signal.aborted) return undefined;
	}
	return fault;
}
