import { isDeleted, type Piece } from '../row/piece.js';
import { buried, isByPerson, type Reason } from '../row/tag.js';
import { reading, rowSize, type Token } from '../row/token.js';
import { PieceTree } from '../row/tree.js';

interface Found {
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
 * but in no piece yet. Null where it is nothing that the person had deleted.
 */
export function revive(tree: PieceTree, pos: number, row: readonly Token[]): Revived | null {
	const mine = tree.deleted();
	if (mine.length === 0 || row.length === 0) return null;
	const { tree: pieces, index } = tree.border(pos, true);
	const size = rowSize(row);
	const words = reading(row);
	const best =
		nearest(pieces, wholeDeletions(mine, size), words, index) ??
		nearest(pieces, neighbours(mine, size), words, index);
	if (!best) return null;
	const deletions = new Set(best.up.flatMap(({ piece }) => piece.dels.filter(isByPerson)));
	return { pieces: best.far === 0 ? rise(pieces, best.up) : follow(pieces, best.up, pos), deletions };
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

const risen = (it: Piece): Piece => ({
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

/** A dead piece, and where in what came it stands. */
export interface Part {
	readonly index: number;
	readonly at: number;
	readonly piece: Piece;
}

/** Steps of the search at most; beyond it what came counts as new. */
const SEARCH = 4_000_000;

/**
 * Where what came is more than what was kept: the history joins deletions that touch, also one of the person's words
 * alone, which nobody remembers, with one that took words of a run along. Finds as much of it as can be among the dead at
 * the place, in their order.
 */
export function partsOf(tree: PieceTree, pos: number, row: readonly Token[]): Part[] {
	const first = tree.border(pos, false).index;
	const here = tree.slice(first, tree.border(pos, true).index);
	const mine = here.flatMap((piece, i) => (isDeleted(piece) ? [{ index: first + i, piece }] : []));
	const words = reading(row);
	const width = words.length + 1;
	if (mine.length === 0 || mine.length * width > SEARCH) return [];
	const readings = mine.map(({ piece }) => reading(piece.dead!));
	// best[i * width + at]: how much of the words from `at` on the dead from the i-th on can give.
	const best = new Int32Array((mine.length + 1) * width);
	const fits = (i: number, at: number): number => {
		const size = readings[i]!.length;
		return words.startsWith(readings[i]!, at) ? size + best[(i + 1) * width + at + size]! : 0;
	};
	for (let i = mine.length - 1; i >= 0; i--)
		for (let at = width - 2; at >= 0; at--)
			best[i * width + at] = Math.max(best[(i + 1) * width + at]!, best[i * width + at + 1]!, fits(i, at));
	const out: Part[] = [];
	let i = 0;
	let at = 0;
	while (i < mine.length && at < width - 1 && best[i * width + at]! > 0) {
		const here = best[i * width + at]!;
		if (fits(i, at) === here) {
			out.push({ ...mine[i]!, at });
			at += readings[i]!.length;
			i++;
		} else if (best[(i + 1) * width + at] === here) i++;
		else at++;
	}
	return out;
}

/** The parts rise where they lie; `fresh` gives the pieces of what came between them, `[from, to)` of the row. */
export function riseInParts(
	tree: PieceTree,
	parts: readonly Part[],
	size: number,
	fresh: (from: number, to: number) => readonly Piece[]
): PieceTree {
	let out = tree;
	let end = size;
	parts.toReversed().forEach(({ index, at, piece }, i) => {
		const isFirst = i === parts.length - 1;
		const before = isFirst ? fresh(0, at) : [];
		out = out.splice(index, index + 1, [...before, risen(piece), ...fresh(at + piece.size, end)]);
		end = at;
	});
	return out;
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
