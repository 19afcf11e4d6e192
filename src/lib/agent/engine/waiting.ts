import type { Clock } from '../protocol/ports.js';

/** Why a timer is let go that nobody waits for any more; making an error each time would cost more than the timer. */
export const DONE = 'done';

/** Calls `then` after a while, unless `signal` is aborted before. */
export function after(clock: Clock, ms: number, signal: AbortSignal, then: () => void): void {
	clock.sleep(ms, signal).then(then, () => undefined);
}

/** Calls `then` when the time is up, unless `signal` is aborted before. */
export type Timer = (signal: AbortSignal, then: () => void) => void;

/** Calls `then` when `signal` is aborted, at once if it is already. */
export function onabort(signal: AbortSignal, then: () => void): void {
	if (signal.aborted) then();
	else signal.addEventListener('abort', () => then(), { once: true });
}

/** Resolves when `signal` is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
	new Promise((resolve) => onabort(signal, resolve));

/** How long a store may take to answer. */
const STORE_MS = 30_000;

/** What a store answers. @throws where it keeps silent */
export async function answered<T>(clock: Clock, ask: () => Promise<T>): Promise<T> {
	const told = await within(clock, ask(), { ms: STORE_MS, signal: new AbortController().signal });
	if (told === 'timeout') throw new Error('The store gave no answer.');
	return told as T;
}

/** What comes first: the answer, its timeout, or the end of our patience after `signal` is aborted. */
export async function within<T>(
	clock: Clock,
	answer: T | Promise<T>,
	limits: { ms: number | Timer; signal: AbortSignal; patience?: number }
): Promise<T | 'timeout' | 'stop'> {
	const { ms, signal, patience } = limits;
	const timers = new AbortController();
	const late = new Promise<'timeout' | 'stop'>((resolve) => {
		const stop = () => resolve('stop');
		const timeout = () => resolve('timeout');
		if (typeof ms === 'number') after(clock, ms, timers.signal, timeout);
		else ms(timers.signal, timeout);
		onabort(signal, () => (patience ? after(clock, patience, timers.signal, stop) : stop()));
	});
	try {
		return await Promise.race([answer, late]);
	} finally {
		timers.abort(DONE);
	}
}
