import type { LockPort } from '../protocol/ports.js';

/** Keys are paths: one conflicts with itself and with everything above or below it. */
const conflict = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

interface Want {
	keys: readonly string[];
	/** Hands the locks out. */
	go: () => void;
}

const clash = (one: Want, other: Want): boolean =>
	one.keys.some((a) => other.keys.some((b) => conflict(a, b)));

/**
 * Locks in memory: all keys at once, first come first served, so that no order of requests can end in a deadlock.
 * @since 0.1.0
 */
export function createLocks(): LockPort {
	const held = new Set<Want>();
	const queue = new Set<Want>();
	const advance = (): void => {
		const ahead = [...held];
		for (const want of [...queue]) {
			if (!ahead.some((other) => clash(want, other))) {
				queue.delete(want);
				held.add(want);
				want.go();
			}
			ahead.push(want);
		}
	};
	return {
		acquire: (keys, signal) =>
			new Promise((resolve, reject) => {
				if (signal.aborted) return reject(signal.reason);
				const unlock = () => {
					if (held.delete(want)) advance();
				};
				const want: Want = { keys: [...keys], go: () => resolve(unlock) };
				queue.add(want);
				advance();
				// What was given at once has nothing to be called off.
				if (queue.has(want))
					signal.addEventListener('abort', () => queue.delete(want) && reject(signal.reason), { once: true });
			})
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
