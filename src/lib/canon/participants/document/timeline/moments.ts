import type { Node } from 'prosemirror-model';
import type { EditorState } from 'prosemirror-state';

/** What prosemirror-history keeps of one direction: events, each from an item with a selection on, and maps between them. */
interface Branch {
	readonly eventCount: number;
	readonly items: { readonly length: number; get(index: number): Item | undefined };
}
interface Item {
	readonly step?: unknown;
	readonly selection?: unknown;
}
/** The state of prosemirror-history. */
interface Past {
	done: Branch;
	undone: Branch;
}

/** A document, and the person's history as it was with it. */
export interface Moment {
	readonly doc: Node;
	readonly done: Branch;
	readonly undone: Branch;
}

/** Moments that are kept; the documents share what they have in common. */
const DEPTH = 50;

const isBranch = (value: unknown): value is Branch =>
	typeof value === 'object' && value !== null && 'eventCount' in value && 'items' in value;

function pastOf(state: EditorState): Past | null {
	const plugin = state.plugins.find((each) => 'key' in each && each.key === 'history$');
	const past = plugin?.getState(state) as Partial<Past> | undefined;
	return past && isBranch(past.done) && isBranch(past.undone) ? (past as Past) : null;
}

/** The moments with the one before a run begins, or turns. */
export function withMoment(moments: readonly Moment[], state: EditorState): readonly Moment[] {
	const past = pastOf(state);
	if (!past) return moments;
	return [...moments.slice(1 - DEPTH), { doc: state.doc, done: past.done, undone: past.undone }];
}

/**
 * A history carries its events over what a run wrote, and loses those that stood in what the run took out; that it came back
 * with the undo it cannot see. So where the turn of a run brings a document back, the person's events are taken as they
 * were with that document: if they are the same events, and none was made or turned in between. `now` is being made: its
 * history is nobody else's yet.
 */
export function recallHistory(moments: readonly Moment[], doc: Node, now: EditorState): void {
	const past = pastOf(now);
	if (!past) return;
	const then = moments.filter((moment) => moment.doc.eq(doc)).toReversed();
	for (const side of ['done', 'undone'] as const) {
		const same = then.find((moment) => isSame(moment[side], past[side]));
		if (same) past[side] = same[side];
	}
}

const isSame = (a: Branch, b: Branch): boolean =>
	a.eventCount === b.eventCount &&
	lastWith(a, 'step') === lastWith(b, 'step') &&
	lastWith(a, 'selection') === lastWith(b, 'selection');

function lastWith(branch: Branch, key: keyof Item): Item | null {
	for (let i = branch.items.length - 1; i >= 0; i--) {
		const item = branch.items.get(i);
		if (item?.[key]) return item;
	}
	return null;
}
