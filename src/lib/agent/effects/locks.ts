import type { LockPort } from '../protocol/ports.js';

/** Keys are paths: one conflicts with itself and with everything above or below it. */
const conflict = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

interface Held {
	keys: readonly string[];
}

/**
 * Locks in memory: all keys at once, first come first served, so that no order of requests can end in a deadlock.
 * @since 0.1.0
 */
export function createLocks(): LockPort {
	const held = new Set<Held>();
	const queue: { want: Held; go: () => void }[] = [];
	const free = (want: Held, ahead: Iterable<Held>): boolean => {
		for (const other of ahead)
			if (other.keys.some((a) => want.keys.some((b) => conflict(a, b)))) return false;
		return true;
	};
	const release = (mine: Held): void => {
		if (!held.delete(mine)) return;
		const waiting: Held[] = [];
		for (const item of [...queue]) {
			if (free(item.want, held) && free(item.want, waiting)) {
				queue.splice(queue.indexOf(item), 1);
				held.add(item.want);
				item.go();
			} else waiting.push(item.want);
		}
	};
	return {
		acquire(keys, signal) {
			const want: Held = { keys: [...keys].sort() };
			const unlock = () => release(want);
			if (signal.aborted) return Promise.reject(signal.reason);
			if (
				free(want, held) &&
				free(
					want,
					queue.map((item) => item.want)
				)
			) {
				held.add(want);
				return Promise.resolve(unlock);
			}
			return new Promise((resolve, reject) => {
				const item = { want, go: () => resolve(unlock) };
				queue.push(item);
				signal.addEventListener(
					'abort',
					() => {
						const place = queue.indexOf(item);
						if (place < 0) return;
						queue.splice(place, 1);
						reject(signal.reason);
					},
					{ once: true }
				);
			});
		}
	};
}

// Kept by provider object, so that two engines on one page hold each other off and a server request sees no other's.
const names = new WeakMap<object, string>();
let count = 0;

/** A lock key that stands for a provider as a whole. @since 0.1.0 */
export function providerKey(provider: object): string {
	let name = names.get(provider);
	if (name === undefined) names.set(provider, (name = `provider-${(count += 1)}`));
	return name;
}

/** The locks that all engines of a page share. @since 0.1.0 */
export const pageLocks: LockPort = createLocks();
