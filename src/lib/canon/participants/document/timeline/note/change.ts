import type { Node } from 'prosemirror-model';
import { die, isPlain, type Piece } from '../row/piece.js';
import { byPerson, byRun, type Reason } from '../row/tag.js';
import { cut, isTag, tokensBetween, type Token } from '../row/token.js';
import { inherit } from './inherit.js';
import { beforeBlock } from './move.js';
import type { Notes } from './notes.js';
import { reviveParts } from './revive-parts.js';
import { revive } from './revive.js';

/** One range of a step: `[from, to)` of `before` became `size` positions of `after`. */
export interface Range {
	readonly from: number;
	readonly to: number;
	readonly size: number;
	/** How far the ranges of the same step that lie before have moved it. */
	readonly shift: number;
}

/**
 * Tokens went out and came in. What nobody but the person had a stake in is forgotten; everything else stays in the row
 * as dead pieces. What is new goes behind the dead that lie at its place: one rule, always, so that the order at one
 * point is never lost.
 */
export function noteChange(notes: Notes, range: Range, before: Node, after: Node): void {
	const { from, to, size, shift } = range;
	const start = notes.pieces.border(from + shift, true);
	const end = to > from ? start.tree.border(to + shift, false) : start;
	const i = start.index;
	const gone = outOf(notes, end.tree.slice(i, end.index), before, from);
	if (size === 0) {
		notes.pieces = end.tree.splice(i, end.index, gone);
		return;
	}
	const row = tokensBetween(after, from + shift, from + shift + size);
	const inherited = (part: readonly Token[]): Piece[] =>
		inherit(notes, end.tree, i, before.resolve(from), shift, part);
	if (notes.revives && notes.who === null) {
		const without = end.tree.splice(i, end.index, gone);
		const again = revive(without, from + shift, row, notes.undoes);
		if (again) {
			notes.pieces = again.pieces;
			return;
		}
		const fresh = (lo: number, hi: number): Piece[] => inherited(cut(row, lo, hi));
		const parts = notes.undoes === null ? null : reviveParts(without, from + shift, row, notes.undoes, fresh);
		if (parts) {
			notes.pieces = parts;
			return;
		}
	}
	const at = gone.length > 0 ? i : beforeBlock(end.tree, i);
	notes.pieces = end.tree.splice(at, end.index, [...gone, ...inherited(row), ...end.tree.slice(at, i)]);
}

/** What a range leaves behind in the row. */
function outOf(notes: Notes, range: readonly Piece[], before: Node, from: number): readonly Piece[] {
	const { who } = notes;
	if (range.length === 0 || (who === null && range.every(isPlain))) return [];
	const reason: Reason = who === null ? byPerson(notes.event, ++notes.deletions) : byRun(who);
	let at = from;
	return range.map((it) => {
		if (it.dead || it.sign) return it;
		const start = at;
		at += it.size;
		const row = tokensBetween(before, start, at);
		// A run that takes back its own words never wrote them. Its tags stay: somebody may have written between them.
		return die(it, who !== null && it.ins === who ? row.filter(isTag) : row, [...it.dels, reason]);
	});
}
