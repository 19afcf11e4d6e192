import { holdOf } from './cues.js';
import type { Emission } from './emission.js';

/** What {@link stamp} takes. @since 0.1.0 */
export interface StampOptions {
	/** Least time in ms the stamp stays. @default the hold of its verb */
	holdMs?: number;
	/** Waits; rejects when the signal aborts. The engine's clock fits. @default real time */
	clock?: { sleep(ms: number, signal?: AbortSignal): Promise<void> };
	/** Aborting takes the stamp off at once and for good, as an unmount does. */
	signal?: AbortSignal;
}

interface Held {
	/** What is shown while its hold lasts. */
	momentary?: Emission;
	/** What is shown when no hold lasts; the newest is last. */
	sustained: Emission[];
	hold?: AbortController;
	/** Unmounts that are listened to already. */
	signals: WeakSet<AbortSignal>;
}

const held = new WeakMap<Element, Held>();

const ATTRIBUTES = ['data-event-family', 'data-event-verb', 'data-event-intent', 'data-event-actor'] as const;

/**
 * Writes on an element what just happened there (`data-event-family`, `-verb`, `-intent`, `-actor`), for a least time.
 * What arrives within the hold takes its place and starts the hold anew, so the last one is always seen in full and
 * nothing is left behind.
 * @since 0.1.0
 */
export function stamp(element: Element, emission: Emission, options: StampOptions = {}): void {
	if (options.signal?.aborted) return;
	const entry = entryOf(element);
	if (options.signal && !entry.signals.has(options.signal)) {
		entry.signals.add(options.signal);
		options.signal.addEventListener('abort', () => disposeStamp(element), { once: true });
	}

	entry.hold?.abort();
	const hold = (entry.hold = new AbortController());
	entry.momentary = emission;
	paint(element, entry);

	const ms = options.holdMs ?? holdOf(emission.family, emission.verb);
	(options.clock ?? realTime).sleep(ms, hold.signal).then(
		() => {
			if (entry.hold !== hold) return;
			entry.hold = entry.momentary = undefined;
			paint(element, entry);
		},
		() => {}
	);
}

/**
 * Like {@link stamp}, but it stays until released, for as long as a state lasts. Momentary stamps pass over it and it
 * comes back after them. It stays at least its hold, also when released at once.
 * @returns how to release it; doing so twice is harmless
 * @since 0.1.0
 */
export function sustain(element: Element, emission: Emission, options: StampOptions = {}): () => void {
	if (options.signal?.aborted) return () => {};
	const entry = entryOf(element);
	entry.sustained.push(emission);
	stamp(element, emission, options);
	return () => {
		const at = entry.sustained.indexOf(emission);
		if (at < 0) return;
		entry.sustained.splice(at, 1);
		if (held.get(element) === entry) paint(element, entry);
	};
}

/** Takes every stamp off an element and forgets its holds: for unmount. @since 0.1.0 */
export function disposeStamp(element: Element): void {
	const entry = held.get(element);
	if (!entry) return;
	held.delete(element);
	entry.hold?.abort();
	for (const name of ATTRIBUTES) element.removeAttribute(name);
}

function entryOf(element: Element): Held {
	let entry = held.get(element);
	if (!entry) held.set(element, (entry = { sustained: [], signals: new WeakSet() }));
	return entry;
}

function paint(element: Element, entry: Held): void {
	const shown = entry.momentary ?? entry.sustained.at(-1);
	const values = [shown?.family, shown?.verb, shown?.intent, shown?.actor.kind];
	ATTRIBUTES.forEach((name, index) => {
		const value = values[index];
		if (value === undefined) element.removeAttribute(name);
		else element.setAttribute(name, value);
	});
}

const realTime = {
	sleep(ms: number, signal?: AbortSignal): Promise<void> {
		return new Promise((resolve, reject) => {
			const timer = setTimeout(resolve, ms);
			signal?.addEventListener(
				'abort',
				() => {
					clearTimeout(timer);
					reject(signal.reason);
				},
				{ once: true }
			);
		});
	}
};
