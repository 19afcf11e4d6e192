import type { Node } from 'prosemirror-model';
import type { EditorState, Transaction } from 'prosemirror-state';
import { levelOf, type DocumentBlock } from './block.js';
import { headingsOf, innerOf, openIn, type DocumentPart } from './open-part.js';
import { placesOf, type Place } from './places.js';
import { idOf } from './schema.js';

/** How a change reaches out of a part. @internal */
export interface Stray {
	readonly text: string;
	/** As it stands before. */
	readonly block?: DocumentBlock;
}

/**
 * Why a change does not keep to a part of the document, told from the document it makes. Before and after it the same is
 * outside: what was is still there, as it was, and nothing of what was written is.
 * @internal
 */
export function strayOf(state: EditorState, tr: Transaction, part: DocumentPart): Stray | undefined {
	const open = openIn(state.doc, state.selection, part);
	const closed = [...placesOf(state.doc).values()].filter(({ block }) => !open.has(block.id));
	const touched = closed.find((place) => !stands(state.doc, tr, place, open));
	if (touched) return { text: `Block "${touched.block.id}" is not open to a write.`, block: touched.block };
	const taken = openIn(tr.doc, tr.selection, part);
	const moved = closed.find(({ block }) => taken.has(block.id)) ?? reparented(state, tr, part, closed);
	if (moved)
		return { text: `That would change to what block "${moved.block.id}" belongs.`, block: moved.block };
	return unbound(state, tr, part, closed);
}

/** Is what is closed still there, in its place, as it was? What holds open blocks may change in those. */
function stands(doc: Node, tr: Transaction, place: Place, open: ReadonlySet<string>): boolean {
	const { node, pos, end, block } = place;
	const inner = node.isTextblock || node.isLeaf ? [] : innerOf(doc, pos, end, block.id);
	const free = inner.filter((id) => open.has(id)).length;
	// It is nothing but open blocks, and goes with the last of them.
	if (free > 0 && free === inner.length) return true;
	const { pos: at, deletedAfter } = tr.mapping.mapResult(pos, 1);
	const now = deletedAfter ? null : tr.doc.nodeAt(at);
	return now !== null && (free > 0 ? now.sameMarkup(node) : now.eq(node));
}

/** A function may ask under which headings a block stands: for what is closed that stays. */
function reparented(
	state: EditorState,
	tr: Transaction,
	part: DocumentPart,
	closed: readonly Place[]
): Place | undefined {
	if (typeof part === 'string' || !('exactly' in part)) return undefined;
	const [before, after] = [pathsOf(state.doc), pathsOf(tr.doc)];
	return closed.find(({ block, index }) => {
		const now = placesOf(tr.doc).get(block.id);
		return now !== undefined && before[index] !== after[now.index];
	});
}

/** For each child of a document the headings it stands under. */
function pathsOf(doc: Node): readonly string[] {
	let path: { id: string | undefined; level: number }[] = [];
	return doc.children.map((node) => {
		const level = levelOf(node);
		if (level !== undefined) path = [...path.filter((one) => one.level < level), { id: idOf(node), level }];
		return path.map(({ id }) => id).join(' ');
	});
}

/** Of sections: their headings bound them, and what is written stands under these. */
function unbound(
	state: EditorState,
	tr: Transaction,
	part: DocumentPart,
	closed: readonly Place[]
): Stray | undefined {
	const sections = headingsOf(state.doc, state.selection, part);
	if (!sections) return undefined;
	const [before, after] = [placesOf(state.doc), placesOf(tr.doc)];
	for (const id of sections) {
		const was = before.get(id)!;
		const now = after.get(id);
		if (!now || now.block.inside !== undefined || levelOf(now.node) !== levelOf(was.node))
			return {
				text: `The heading "${id}" bounds what is open: it stays, and keeps its level.`,
				block: was.block
			};
	}
	const inside = openIn(tr.doc, tr.selection, { sections });
	const outside = new Set(closed.map(({ block }) => block.id));
	const out = tr.doc.children.some((node) => {
		const id = idOf(node);
		return id !== undefined && !outside.has(id) && !inside.has(id);
	});
	return out
		? { text: 'With a heading of that level it would stand outside of the section that is open.' }
		: undefined;
}
