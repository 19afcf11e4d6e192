import type { Clock, Ids, Random } from '../protocol/ports.js';

/** Real time. @since 0.1.0 */
export const systemClock: Clock = {
	now: () => Date.now(),
	sleep: (ms, signal) =>
		new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(signal.reason);
			const abort = () => {
				clearTimeout(timer);
				reject(signal!.reason);
			};
			// Longer delays overflow the timer and would fire at once.
			const timer = setTimeout(
				() => {
					signal?.removeEventListener('abort', abort);
					resolve();
				},
				Math.min(ms, 2 ** 31 - 1)
			);
			signal?.addEventListener('abort', abort, { once: true });
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
