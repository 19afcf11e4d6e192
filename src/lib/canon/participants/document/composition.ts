import type { EditorView } from 'prosemirror-view';

/** Positions a write will touch. @since 0.1.0 */
export interface Reach {
	readonly from: number;
	readonly to: number;
}

/** What {@link composed} takes. @since 0.1.0 */
export interface ComposedOptions {
	/** Gives up waiting. */
	signal?: AbortSignal;
	/** How long to wait, in ms. A composition that stalls must not hold a run for ever. @default 10000 */
	timeoutMs?: number;
}

/** How waiting for a composition ended. @since 0.1.0 */
export type Composed = 'ready' | 'timeout' | 'destroyed' | 'aborted';

/** ms from the end of a composition until the editor has taken it in. */
const SETTLE = 30;
/** ms between two looks. */
const POLL = 20;

const ended = new WeakMap<EditorView, { at: number }>();

/**
 * Begins to note when compositions end in a view, so that the first {@link composed} knows of one that has just ended. Once
 * a view; the listener goes with the view's element.
 * @since 0.1.0
 */
export function watchComposition(view: EditorView): void {
	if (ended.has(view)) return;
	const last = { at: -Infinity };
	ended.set(view, last);
	view.dom.addEventListener('compositionend', () => void (last.at = performance.now()));
}

/** Whether text is being composed in a block that `reach` touches, or has only just been. @since 0.1.0 */
export function busy(view: EditorView, reach: Reach | undefined): boolean {
	const settling = performance.now() - (ended.get(view)?.at ?? -Infinity) < SETTLE;
	if (!view.composing && !settling) return false;
	if (!reach) return true;
	const { $from, $to } = view.state.selection;
	// Which text node is composed is the browser's business, so the whole block counts, its borders included.
	const start = $from.depth > 0 ? $from.before() : 0;
	const end = $to.depth > 0 ? $to.after() : view.state.doc.content.size;
	return reach.from < end && reach.to > start;
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
	new Promise((resolve) => {
		const done = () => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', done);
			resolve();
		};
		const timer = setTimeout(done, ms);
		signal?.addEventListener('abort', done);
	});

/**
 * Waits until nothing is being composed where a write is meant to go. A write into the text of a composition, or a change of
 * its block's type, would double the person's characters; a write into another block never waits. Positions move while it
 * waits: give a function where they can be found anew, and resolve them again before writing, in the same tick.
 * @param reach where the write goes, asked again at each look; undefined stands for anywhere
 * @returns `ready` when the write may be made now, `timeout` when the composition did not end, `destroyed` when the view
 * has gone, `aborted` when the signal said so
 * @since 0.1.0
 */
export async function composed(
	view: EditorView,
	reach?: Reach | (() => Reach | undefined),
	{ signal, timeoutMs = 10_000 }: ComposedOptions = {}
): Promise<Composed> {
	const until = performance.now() + timeoutMs;
	const where = () => (typeof reach === 'function' ? reach() : reach);
	if (!view.isDestroyed) watchComposition(view);
	// Fixed positions mean nothing after the first edit, so from then on every composition counts.
	let range = where();
	const doc = view.isDestroyed ? undefined : view.state.doc;
	for (;;) {
		if (view.isDestroyed) return 'destroyed';
		if (signal?.aborted) return 'aborted';
		if (!busy(view, range)) return 'ready';
		const left = until - performance.now();
		if (left <= 0) return 'timeout';
		await pause(Math.min(POLL, left), signal);
		if (view.isDestroyed) return 'destroyed';
		range = typeof reach === 'function' ? reach() : view.state.doc === doc ? reach : undefined;
	}
}
