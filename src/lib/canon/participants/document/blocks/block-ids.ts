import type { Node } from 'prosemirror-model';
import { Plugin, PluginKey, type EditorState, type Transaction } from 'prosemirror-state';
import { AttrStep, ReplaceAroundStep } from 'prosemirror-transform';
import { freshId, randomId } from './ids.js';
import { IdsStep, setIds, type IdAt } from './ids-step.js';
import { withKnownIds } from './known-ids.js';
import { missingIds } from './missing-ids.js';
import { idOf, isBlock, takesId } from './schema.js';

/** So many blocks get their id in one go: each is drawn anew, and a key must fit in between. */
const SLICE = 500;
/** Between two of them; more than a frame. */
const PAUSE_MS = 20;

/** What {@link blockIds} takes. @since 0.1.0 */
export interface BlockIdsOptions {
	/**
	 * Makes an id of letters, digits, `-` and `_`; one that is taken is asked for again, and what is no id is passed over for
	 * random ones.
	 * @default eight random characters
	 */
	ids?: () => string;
}

interface IdState {
	/** Has every block been looked at, and has every one got its id? */
	done: 'nothing' | 'part' | 'complete';
	/** Ids that were ever seen in this editor: an id that was not cannot be a duplicate. Grows only, shared by its states. */
	seen: Set<string>;
	ids: () => string;
}

/** Of the plugin that keeps ids. @internal */
export const blockIdsKey = new PluginKey<IdState>('blockIds');

/**
 * Gives every block an id that stays with it: through typing, splitting (the part with the beginning keeps it), cutting and
 * pasting. A pasted copy gets a new one, and so does what a strange page calls by a name of its own. Ids come in a transaction appended to the one that made the block and are no step
 * of anybody's history. Costs nothing while no block comes or goes.
 * @since 0.1.0
 */
export function blockIds({ ids = randomId }: BlockIdsOptions = {}): Plugin {
	const seen = new Set<string>();
	return new Plugin<IdState>({
		key: blockIdsKey,
		state: {
			init: () => ({ done: 'nothing', seen, ids }),
			apply: (tr, value) => {
				const done = tr.getMeta(blockIdsKey) as IdState['done'] | undefined;
				return done ? { ...value, done } : value;
			}
		},
		appendTransaction(transactions, _old, state) {
			const { done } = blockIdsKey.getState(state)!;
			if (done === 'nothing') return completion(state, SLICE);
			const came = transactions.some(({ docChanged }) => docChanged)
				? arrivals(transactions, state.doc)
				: undefined;
			if (!came?.size)
				return done === 'complete' || transactions.some(isOurs) ? null : completion(state, SLICE);
			const due = newcomers(came, state.doc, seen);
			for (const { id } of came.values()) if (id !== undefined) seen.add(id);
			const given = due.map((pos): IdAt => {
				const id = freshId(ids, seen);
				seen.add(id);
				return [pos, id];
			});
			return due.length > 0 ? quiet(setIds(state.tr, given), done) : null;
		},
		props: {
			transformPasted: (slice, view) => withKnownIds(slice, blockIdsKey.getState(view.state)?.seen ?? seen)
		},
		view: (view) => {
			let gone = false;
			let waits = false;
			const incomplete = () => isIncomplete(view.state);
			const next = (): void => {
				waits = false;
				if (gone || view.isDestroyed || !incomplete()) return;
				view.dispatch(completion(view.state, SLICE));
				later();
			};
			// A long document in slices, with room for the person's keys between them.
			const later = (): void => {
				if (waits || !incomplete()) return;
				waits = true;
				setTimeout(next, PAUSE_MS);
			};
			// Not at once: the app may not hold its view yet while this runs.
			void Promise.resolve().then(next);
			return {
				update: later,
				destroy: () => {
					gone = true;
				}
			};
		}
	});
}

/**
 * Gives the blocks of a loaded document the ids they lack, now rather than in a moment. No step of anybody's history; the
 * editor's own "updated" event stays silent where it heeds `preventUpdate`.
 * @since 0.1.0
 */
export function ensureBlockIds(view: Dispatching): void {
	if (isIncomplete(view.state)) view.dispatch(completion(view.state));
}

/** {@link ensureBlockIds} for those of a short document; of a long one the first, the others follow. @internal */
export function beginBlockIds(view: Dispatching): void {
	if (blockIdsKey.getState(view.state)?.done === 'nothing') view.dispatch(completion(view.state, SLICE));
}

interface Dispatching {
	readonly state: EditorState;
	dispatch(tr: Transaction): void;
}

const isIncomplete = (state: EditorState): boolean =>
	(blockIdsKey.getState(state)?.done ?? 'complete') !== 'complete';

/** An id that no block of this editor has had. @internal */
export function newBlockId(state: EditorState): string {
	const kept = blockIdsKey.getState(state);
	const id = freshId(kept?.ids ?? randomId, kept?.seen ?? new Set());
	// Two asked for in one transaction must differ.
	kept?.seen.add(id);
	return id;
}

/** No step of anybody's history; Tiptap tells nobody of an update. */
const quiet = (tr: Transaction, done: IdState['done']): Transaction =>
	tr.setMeta('addToHistory', false).setMeta(blockIdsKey, done).setMeta('preventUpdate', true);

function completion(state: EditorState, most?: number): Transaction {
	const { seen, ids } = blockIdsKey.getState(state)!;
	const missing = missingIds(state.doc, seen, ids, most);
	return quiet(setIds(state.tr, missing.ids), missing.all ? 'complete' : 'part');
}

/** Is it one of this plugin? */
const isOurs = (tr: Transaction): boolean => tr.getMeta(blockIdsKey) !== undefined;

interface Arrival {
	readonly id: string | undefined;
	/** The node right before it, in the same parent. */
	readonly before: Node | undefined;
}

/** Position of every block whose opening tag these transactions put where it stands, in the order of the document. */
function arrivals(transactions: readonly Transaction[], doc: Node): ReadonlyMap<number, Arrival> {
	const found = new Map<number, Arrival>();
	for (const [from, to] of changed(transactions, doc.content.size))
		doc.nodesBetween(from, to, (node, pos, parent, index) => {
			const id = idOf(node);
			const due = id !== undefined || isBlock(node, parent, doc);
			if (pos >= from && pos < to && due && takesId(node))
				found.set(pos, { id, before: index > 0 ? parent!.child(index - 1) : undefined });
			return !node.isTextblock && !node.isInline;
		});
	return new Map([...found].sort(([a], [b]) => a - b));
}

/** What changed, in positions of the last document. Typing inside a block changes no tag and gives ranges without one. */
function changed(transactions: readonly Transaction[], size: number): [from: number, to: number][] {
	let ranges: [number, number][] = [];
	for (const tr of transactions) {
		if (isOurs(tr)) continue;
		for (const step of tr.steps) {
			const map = step.getMap();
			ranges = ranges.map(([from, to]) => [map.map(from, -1), map.map(to, 1)]);
			// What a wrap or a lift leaves alone may have become, or ceased to be, a child of the document.
			if (step instanceof ReplaceAroundStep) ranges.push([map.map(step.from, -1), map.map(step.to, 1)]);
			else if (step instanceof AttrStep && step.attr === 'id') ranges.push([step.pos, step.pos + 1]);
			else if (step instanceof IdsStep) ranges.push([step.ids[0]![0], step.ids.at(-1)![0] + 1]);
			else map.forEach((_from, _to, from, to) => ranges.push([from, to]));
		}
	}
	return ranges.map(([from, to]) => [Math.max(0, from), Math.min(size, to)]);
}

/** Which of the blocks that came need a new id: those without one, and copies of one that is there already. */
function newcomers(came: ReadonlyMap<number, Arrival>, doc: Node, seen: ReadonlySet<string>): number[] {
	const settled = new Set<string>();
	const unsure = new Set<string>();
	for (const [pos, { id, before }] of came)
		if (id !== undefined && seen.has(id)) {
			// The second half of a split stands right behind the first.
			const split = before !== undefined && idOf(before) === id && !came.has(pos - before.nodeSize);
			(split ? settled : unsure).add(id);
		}
	// Walked only when something came that may be a copy, and once for all of it.
	if (unsure.size > 0)
		doc.descendants((node, pos) => {
			const id = idOf(node);
			if (id !== undefined && unsure.has(id) && !came.has(pos)) settled.add(id);
			return !node.isTextblock && !node.isInline;
		});
	return [...came].flatMap(([pos, { id }]) => {
		if (id === undefined || settled.has(id)) return [pos];
		// Of two that came together the first keeps it.
		settled.add(id);
		return [];
	});
}
