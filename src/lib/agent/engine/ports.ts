import type { Clock, Ids, Random } from '../protocol/ports.js';
import { onabort } from './waiting.js';

const sleep: Clock['sleep'] = (ms, signal) =>
	new Promise((resolve, reject) => {
		// Longer delays overflow the timer and would fire at once.
		const timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1));
		if (signal)
			onabort(signal, () => {
				clearTimeout(timer);
				reject(signal.reason);
			});
	});

/**
 * Real time that never goes back and never lags: the later of the wall clock and what has passed since the last look. So a
 * permission or a review lives no longer because somebody set the clock back or the page was asleep.
 * @since 0.1.0
 */
export const createClock = (): Clock => {
	let time = -Infinity;
	let seen = performance.now();
	return {
		now() {
			const passed = performance.now();
			time = Math.max(Date.now(), time + Math.max(0, passed - seen));
			seen = passed;
			return Math.floor(time);
		},
		sleep
	};
};

/** One for the page: all engines tell the same time. @since 0.1.0 */
export const systemClock: Clock = createClock();

/** Cryptographic randomness where the platform has it. @since 0.1.0 */
export const systemRandom: Random = {
	next: () => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32
};

/** Ids that stay unique over engines and reloads: a random epoch and a counter. @since 0.1.0 */
export function createIds(random: Random = systemRandom): Ids {
	let epoch: string | undefined;
	let count = 0;
	return {
		next(kind) {
			epoch ??= Array.from({ length: 8 }, () => Math.floor(random.next() * 36).toString(36)).join('');
			return `${kind}-${epoch}-${(count += 1)}`;
		}
	};
}
