import type { Clock, Ids, Random } from '../protocol/ports.js';
import { onabort } from './waiting.js';

/** Real time. @since 0.1.0 */
export const systemClock: Clock = {
	now: () => Date.now(),
	sleep: (ms, signal) =>
		new Promise((resolve, reject) => {
			// Longer delays overflow the timer and would fire at once.
			const timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1));
			if (signal)
				onabort(signal, () => {
					clearTimeout(timer);
					reject(signal.reason);
				});
		})
};

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
