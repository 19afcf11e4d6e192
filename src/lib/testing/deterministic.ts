import { onDemand } from '../agent/engine/on-demand.js';
import * as keeper from '../agent/engine/keeper.js';
import * as turnSide from '../agent/engine/turn-side.js';
import type { Clock, Ids, Random } from '../agent/protocol/ports.js';

/** A clock that stands until it is moved. @since 0.1.0 */
export interface TestClock extends Clock {
	/** Moves time on, waking sleepers in order; resolves when what they set off has settled. */
	advance(ms: number): Promise<void>;
}

/** Lets everything that is ready run: promises set off by promises included. */
const settle = async (): Promise<void> => {
	for (let i = 0; i < 50; i++) await Promise.resolve();
};

/**
 * Time, ids and randomness that are the same every time: two runs of one script give byte-equal journals.
 * @param seed @default 1
 * @since 0.1.0
 */
export function deterministic(seed = 1): { clock: TestClock; ids: Ids; random: Random } {
	// What an engine would load with its first run is there: a clock that is moved by hand waits for no file.
	onDemand.turnSide = turnSide;
	onDemand.keeper = keeper;
	let now = Date.UTC(2026, 0, 1);
	let sleepers: { at: number; order: number; wake: () => void }[] = [];
	let order = 0;
	const clock: TestClock = {
		now: () => now,
		sleep: (ms, signal) =>
			new Promise((resolve, reject) => {
				if (signal?.aborted) return reject(signal.reason);
				const abort = () => {
					sleepers = sleepers.filter((one) => one !== sleeper);
					reject(signal!.reason);
				};
				const wake = () => {
					signal?.removeEventListener('abort', abort);
					resolve();
				};
				const sleeper = { at: now + Math.max(0, ms), order: (order += 1), wake };
				sleepers.push(sleeper);
				signal?.addEventListener('abort', abort, { once: true });
			}),
		async advance(ms) {
			const until = now + ms;
			await settle();
			for (;;) {
				const due = sleepers
					.filter(({ at }) => at <= until)
					.sort((a, b) => a.at - b.at || a.order - b.order)[0];
				if (!due) break;
				sleepers = sleepers.filter((one) => one !== due);
				now = Math.max(now, due.at);
				due.wake();
				await settle();
			}
			now = until;
			await settle();
		}
	};
	const counts = new Map<string, number>();
	const ids: Ids = {
		next(kind) {
			const count = (counts.get(kind) ?? 0) + 1;
			counts.set(kind, count);
			return `${kind}-${seed}-${count}`;
		}
	};
	// Lehmer's generator with the Park-Miller multiplier (CACM 31, 1988): small, and the same everywhere.
	let state = (Math.abs(Math.trunc(seed)) % 2147483646) + 1;
	const random: Random = {
		next() {
			state = (state * 48271) % 2147483647;
			return (state - 1) / 2147483646;
		}
	};
	return { clock, ids, random };
}
