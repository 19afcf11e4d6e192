import type { Node } from 'prosemirror-model';
import { Plugin, PluginKey, type EditorState, type Transaction } from 'prosemirror-state';
import { AttrStep, ReplaceAroundStep } from 'prosemirror-transform';
import { freshId, randomId } from './ids.js';
import { idOf, isBlock, takesId } from './schema.js';

/** What {@link blockIds} takes. @since 0.1.0 */
export interface BlockIdsOptions {
	/** Makes an id; one that is taken is asked for again. @default eight random characters */
	ids?: () => string;
}

interface IdState {
	/** Has every block of this document been looked at once? */
	complete: boolean;
	/** Ids that were ever seen in this editor: an id that was not cannot be a duplicate. Grows only, shared by its states. */
	seen: Set<string>;
	ids: () => string;
}

/** Of the plugin that keeps ids. @internal */
export const blockIdsKey = new PluginKey<IdState>('blockIds');

/**
 * Gives every block an id that stays with it: through typing, splitting (the part with the beginning keeps it), cutting and
 * pasting. A pasted copy gets a new one. Ids come in a transaction appended to the one that made the block and are no step
 * of anybody's history. Costs nothing while no block comes or goes.
 * @since 0.1.0
 */
export function blockIds({ ids = randomId }: BlockIdsOptions = {}): Plugin {
	const seen = new Set<string>();
	return new Plugin<IdState>({
		key: blockIdsKey,
		state: {
			init: () => ({ complete: false, seen, ids }),
			apply: (tr, value) => (tr.getMeta(blockIdsKey) === 'complete' ? { ...value, complete: true } : value)
		},
		appendTransaction(transactions, _old, state) {
			const { complete } = blockIdsKey.getState(state)!;
			if (!complete) return completion(state);
			if (!transactions.some(({ docChanged }) => docChanged)) return null;
			const came = arrivals(transactions, state.doc);
			if (came.size === 0) return null;
			const tr = state.tr;
			const due = newcomers(came, state.doc, seen);
			for (const id of came.values()) if (id !== undefined) seen.add(id);
			for (const pos of due) setId(tr, pos, freshId(ids, seen), seen);
			return tr.docChanged ? quiet(tr) : null;
		},
		view(view) {
			let gone = false;
			// Not at once: the app may not hold its view yet while this runs.
			const complete = (): void =>
				void Promise.resolve().then(() => {
					if (!gone && !view.isDestroyed && blockIdsKey.getState(view.state)?.complete === false)
						ensureBlockIds(view);
				});
			complete();
			return {
				update: ({ state }, before) => {
					if (state.doc !== before.doc && blockIdsKey.getState(state)?.complete === false) complete();
				},
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
export function ensureBlockIds(view: { readonly state: EditorState; dispatch(tr: Transaction): void }): void {
	if (blockIdsKey.getState(view.state)?.complete === false) view.dispatch(completion(view.state));
}

/** An id that no block of this editor has had. @internal */
export function newBlockId(state: EditorState): string {
	const kept = blockIdsKey.getState(state);
	const id = freshId(kept?.ids ?? randomId, kept?.seen ?? new Set());
	// Two asked for in one transaction must differ.
	kept?.seen.add(id);
	return id;
}

/** No step of anybody's history; Tiptap tells nobody of an update. */
const quiet = (tr: Transaction): Transaction =>
	tr.setMeta('addToHistory', false).setMeta(blockIdsKey, 'complete').setMeta('preventUpdate', true);

function completion(state: EditorState): Transaction {
	const { seen, ids } = blockIdsKey.getState(state)!;
	const tr = state.tr;
	const here = new Set<string>();
	state.doc.descendants((node, pos) => {
		if (node.isInline) return false;
		const id = idOf(node);
		if (id !== undefined) {
			if (here.has(id) && takesId(node)) setId(tr, pos, freshId(ids, seen), seen);
			else here.add(id);
			seen.add(id);
		}
		return !node.isTextblock;
	});
	// In a second walk, so that no new id takes one that stands further down.
	state.doc.descendants((node, pos, parent) => {
		if (idOf(node) === undefined && takesId(node) && isBlock(node, parent, state.doc))
			setId(tr, pos, freshId(ids, seen), seen);
		return !node.isTextblock && !node.isInline;
	});
	return quiet(tr);
}

function setId(tr: Transaction, pos: number, id: string, seen: Set<string>): void {
	tr.setNodeAttribute(pos, 'id', id);
	seen.add(id);
}

/** Position of every block whose opening tag these transactions put where it stands, in the order of the document. */
function arrivals(transactions: readonly Transaction[], doc: Node): ReadonlyMap<number, string | undefined> {
	const found = new Map<number, string | undefined>();
	for (const [from, to] of changed(transactions, doc.content.size))
		doc.nodesBetween(from, to, (node, pos, parent) => {
			const id = idOf(node);
			const due = id !== undefined || isBlock(node, parent, doc);
			if (pos >= from && pos < to && due && takesId(node)) found.set(pos, id);
			return !node.isTextblock && !node.isInline;
		});
	return new Map([...found].sort(([a], [b]) => a - b));
}

/** What changed, in positions of the last document. Typing inside a block changes no tag and gives ranges without one. */
function changed(transactions: readonly Transaction[], size: number): [from: number, to: number][] {
	let ranges: [number, number][] = [];
	for (const { steps } of transactions)
		for (const step of steps) {
			const map = step.getMap();
			ranges = ranges.map(([from, to]) => [map.map(from, -1), map.map(to, 1)]);
			// What a wrap or a lift leaves alone may have become, or ceased to be, a child of the document.
			if (step instanceof ReplaceAroundStep) ranges.push([map.map(step.from, -1), map.map(step.to, 1)]);
			else if (step instanceof AttrStep && step.attr === 'id') ranges.push([step.pos, step.pos + 1]);
			else map.forEach((_from, _to, from, to) => ranges.push([from, to]));
		}
	return ranges.map(([from, to]) => [Math.max(0, from), Math.min(size, to)]);
}

/** Which of the blocks that came need a new id: those without one, and copies of one that is there already. */
function newcomers(
	came: ReadonlyMap<number, string | undefined>,
	doc: Node,
	seen: ReadonlySet<string>
): number[] {
	const settled = new Set<string>();
	const unsure = new Set<string>();
	for (const [pos, id] of came)
		if (id !== undefined && seen.has(id)) {
			// The second half of a split stands right behind the first.
			const { nodeBefore } = doc.resolve(pos);
			const split = nodeBefore !== null && idOf(nodeBefore) === id && !came.has(pos - nodeBefore.nodeSize);
			(split ? settled : unsure).add(id);
		}
	// Walked only when something came that may be a copy, and once for all of it.
	if (unsure.size > 0)
		doc.descendants((node, pos) => {
			const id = idOf(node);
			if (id !== undefined && unsure.has(id) && !came.has(pos)) settled.add(id);
			return !node.isTextblock && !node.isInline;
		});
	return [...came].flatMap(([pos, id]) => {
		if (id === undefined || settled.has(id)) return [pos];
		// Of two that came together the first keeps it.
		settled.add(id);
		return [];
	});
}
