import type { Node } from 'prosemirror-model';
import type { Transaction } from 'prosemirror-state';
import { ReplaceStep } from 'prosemirror-transform';
import { signPiece, type Sign } from '../row/piece.js';
import type { PieceTree } from '../row/tree.js';
import type { Notes } from './notes.js';

/** `[from, to)` of the document before went to `at`, a position of the document before, outside the range. */
export interface Move {
	readonly from: number;
	readonly to: number;
	readonly at: number;
}

/** Whole blocks, the same ones? Compared in place: nothing is cut out of the document for it. */
function isSameBlocks(doc: Node, from: number, to: number, step: ReplaceStep): boolean {
	const { content, openStart, openEnd, size } = step.slice;
	if (openStart > 0 || openEnd > 0 || size !== to - from || !content.firstChild?.isBlock) return false;
	const $from = doc.resolve(from);
	const $to = doc.resolve(to);
	if ($from.depth !== $to.depth || $from.sharedDepth(to) !== $from.depth || $from.textOffset > 0)
		return false;
	const first = $from.index();
	if ($to.index() - first !== content.childCount) return false;
	for (let i = 0; i < content.childCount; i++)
		if (!$from.parent.child(first + i).eq(content.child(i))) return false;
	return true;
}

/** One transaction that takes whole blocks out and puts the same blocks in elsewhere. */
export function asMove(tr: Transaction): Move | null {
	const [a, b] = tr.steps;
	if (tr.steps.length !== 2 || !(a instanceof ReplaceStep) || !(b instanceof ReplaceStep)) return null;
	if (a.slice.size === 0 && b.from === b.to && isSameBlocks(tr.docs[0]!, a.from, a.to, b)) {
		const at = b.from >= a.from ? b.from + (a.to - a.from) : b.from;
		return { from: a.from, to: a.to, at };
	}
	if (b.slice.size === 0 && a.from === a.to && isSameBlocks(tr.docs[1]!, b.from, b.to, a)) {
		const before = b.from >= a.from ? a.slice.size : 0;
		return { from: b.from - before, to: b.to - before, at: a.from };
	}
	return null;
}

/**
 * The pieces go with the blocks. For a run a sign stays at home and two stand round the guests, so that its undo finds
 * both, wherever they are by then.
 */
export function noteMove(notes: Notes, { from, to, at }: Move): void {
	const { who } = notes;
	let id: string | null = null;
	if (who !== null)
		notes.run(who, (record) => {
			id = `${who}/${record.moves}`;
			return { ...record, moves: record.moves + 1 };
		});
	const start = notes.pieces.border(from, true);
	const end = start.tree.border(to, false);
	const [lo, hi] = withSigns(end.tree, start.index, end.index);
	const guests = end.tree.slice(lo, hi);
	const without = end.tree.splice(lo, hi, id ? [signPiece('home', id)] : []);
	const target = without.border(at > from ? at - (to - from) : at, true);
	const index = beforeBlock(target.tree, target.index);
	const row = id ? [signPiece('from', id), ...guests, signPiece('to', id)] : guests;
	notes.pieces = target.tree.splice(index, index, row);
}

/** A block that was moved before goes along with both of its signs, also where one of them stands at the rim. */
function withSigns(pieces: PieceTree, from: number, to: number): [number, number] {
	let lo = from;
	let hi = to;
	const signs = pieces.signs();
	const partner = (kind: Sign['kind'], id: string): number =>
		signs.find(({ piece: { sign } }) => sign!.kind === kind && sign!.id === id)?.index ?? -1;
	for (const { index, piece } of signs) {
		if (index < from || index >= to) continue;
		const { kind, id } = piece.sign!;
		const other = kind === 'to' ? partner('from', id) : kind === 'from' ? partner('to', id) : -1;
		if (other < 0) continue;
		if (other < from && pieces.startOf(other) === pieces.startOf(from)) lo = Math.min(lo, other);
		if (other >= to && pieces.startOf(other) === pieces.startOf(to)) hi = Math.max(hi, other + 1);
	}
	return [lo, hi];
}

/** What comes in front of a moved block does not belong to it: it stands before the signs where the block begins. */
export function beforeBlock(pieces: PieceTree, index: number): number {
	let at = index;
	while (pieces.at(at - 1)?.sign?.kind === 'from') at--;
	return at;
}
