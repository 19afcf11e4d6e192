import type { Piece } from '../row/piece.js';
import { buried, eventOf, isByPerson, type Reason } from '../row/tag.js';
import { reading, rowSize, type Token } from '../row/token.js';
import { PieceTree } from '../row/tree.js';

/** A piece, and where it lies. */
export interface Found {
	readonly index: number;
	readonly piece: Piece;
}

/** What came back, and the deletions it undoes. */
export interface Revived {
	readonly pieces: PieceTree;
	readonly deletions: ReadonlySet<Reason>;
}

/**
 * The person's own undo, or the paste after a cut, brings back what they had deleted: the dead pieces rise with their
 * history, else a later undo of the run would no longer know these words. `row` stands at `pos` of the document already,
 * but in no piece yet. `event` is the one that an undo or redo turns: only what went in it can come back. Null where it is
 * nothing that the person had deleted.
 */
export function revive(
	tree: PieceTree,
	pos: number,
	row: readonly Token[],
	event: number | null
): Revived | null {
	const { tree: pieces, index } = tree.border(pos, true);
	const mine = deletedIn(pieces, event);
	if (mine.length === 0 || row.length === 0) return null;
	const size = rowSize(row);
	const words = reading(row);
	const best =
		nearest(pieces, wholeDeletions(mine, size), words, index) ??
		(event === null ? null : nearest(pieces, neighbours(mine, size), words, index));
	if (!best) return null;
	const deletions = new Set(best.up.flatMap(({ piece }) => piece.dels.filter(isByPerson)));
	return { pieces: best.far === 0 ? rise(pieces, best.up) : follow(pieces, best.up, pos), deletions };
}

/** Dead pieces that the person deleted, in one event of their history or in any. */
export function deletedIn(pieces: PieceTree, event: number | null): Found[] {
	const all = pieces.deleted();
	if (event === null) return all;
	return all.filter(({ piece }) =>
		piece.dels.some((reason) => isByPerson(reason) && eventOf(reason) === event)
	);
}

/** What went in one deletion comes back in one piece. */
function wholeDeletions(mine: readonly Found[], size: number): Found[][] {
	const byDeletion = new Map<Reason, Found[]>();
	for (const found of mine)
		for (const reason of found.piece.dels.filter(isByPerson)) {
			const row = byDeletion.get(reason);
			if (row) row.push(found);
			else byDeletion.set(reason, [found]);
		}
	return [...byDeletion.values()].filter(
		(row) => row.reduce((sum, { piece }) => sum + piece.size, 0) === size
	);
}

/** The history joins deletions, so several may come back as one: neighbours of that size, found with two fingers. */
function neighbours(mine: readonly Found[], size: number): Found[][] {
	const out: Found[][] = [];
	let first = 0;
	let sum = 0;
	mine.forEach((found, last) => {
		sum += found.piece.size;
		while (sum > size) sum -= mine[first++]!.piece.size;
		if (sum === size) out.push(mine.slice(first, last + 1));
	});
	return out;
}

/** The row that says the same and has least of the living document between itself and `index`; of two the later one. */
function nearest(
	pieces: PieceTree,
	rows: readonly Found[][],
	words: string,
	index: number
): { up: Found[]; far: number } | null {
	let best: { up: Found[]; far: number } | null = null;
	for (const up of rows) {
		if (reading(up.flatMap(({ piece }) => piece.dead!)) !== words) continue;
		const lo = Math.min(up[0]!.index, index);
		const hi = Math.max(up.at(-1)!.index, index);
		const far = pieces.startOf(hi) - pieces.startOf(lo);
		if (!best || far <= best.far) best = { up, far };
	}
	return best;
}

/** Back in the document. */
export const risen = (it: Piece): Piece => ({
	...it,
	dead: null,
	dels: it.dels.filter((reason) => !isByPerson(reason))
});

function rise(pieces: PieceTree, up: readonly Found[]): PieceTree {
	let out = pieces;
	for (const { index, piece } of up.toReversed()) out = out.splice(index, index + 1, [risen(piece)]);
	return out;
}

/** What was written since stands between the dead and their place: they follow the document. */
function follow(pieces: PieceTree, up: readonly Found[], pos: number): PieceTree {
	let out = pieces;
	for (const { index } of up.toReversed()) out = out.put(index, index + 1, []);
	const { tree, index } = out.border(pos, true);
	return tree.splice(
		index,
		index,
		up.map(({ piece }) => risen(piece))
	);
}

/** The document that a deletion had replaced is back: what was out before is only out for its own reasons again. */
export function unbury(pieces: PieceTree, deletions: ReadonlySet<Reason>): PieceTree {
	const reasons = new Set([...deletions].map(buried));
	return PieceTree.of(
		pieces
			.toArray()
			.map((it) =>
				it.dels.some((reason) => reasons.has(reason))
					? { ...it, dels: it.dels.filter((reason) => !reasons.has(reason)) }
					: it
			)
	);
}
