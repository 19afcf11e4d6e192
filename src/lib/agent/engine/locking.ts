import { providerKey } from '../effects/locks.js';
import type { Found } from '../gate/look.js';
import { reason } from '../protocol/codes.js';
import type { JSONValue } from '../protocol/words.js';
import type { Core } from './core.js';
import { aborted, after, DONE } from './waiting.js';

/** What an act locks: what it says, else its provider as a whole. */
export function keysOf({ act, entry, provider }: Found, args: JSONValue): readonly string[] {
	let keys: readonly string[] | undefined;
	try {
		keys = act.act.locks?.(provider, args);
	} catch {
		// Who cannot say which part is locked locks the whole.
	}
	const whole = entry.identity();
	return keys ?? (whole ? [providerKey(whole)] : []);
}

/** Takes locks, if they are given within `ms`. @returns their release, or nothing */
export async function locked(
	core: Core,
	keys: readonly string[],
	ms: number,
	abort: AbortController
): Promise<(() => void) | undefined> {
	const { clock, locks } = core;
	let timer: AbortController | undefined;
	try {
		const taken = locks.acquire(keys, abort.signal);
		// Most locks are free, and need no timer.
		let release = await Promise.race([taken, Promise.resolve()]);
		if (!release) {
			timer = new AbortController();
			after(clock, ms, timer.signal, () => abort.abort(reason('timeout')));
			release = await Promise.race([taken, aborted(abort.signal)]);
		}
		if (typeof release === 'function') return () => core.safely(release);
		// Locks that do not heed the signal are given back when they come.
		taken.then((late) => late()).catch(() => undefined);
	} catch {
		// Not given: the caller tells.
	} finally {
		timer?.abort(DONE);
	}
	return undefined;
}
