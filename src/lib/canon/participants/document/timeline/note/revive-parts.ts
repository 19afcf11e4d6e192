import type { Piece } from '../row/piece.js';
import { reading, type Token } from '../row/token.js';
import type { PieceTree } from '../row/tree.js';
import { deletedIn, risen, type Found } from './revive.js';

/** A dead piece, and where in what came it stands. */
interface Part extends Found {
	readonly at: number;
}

/** Steps of the search at most; beyond it what came counts as new. */
const SEARCH = 4_000_000;

/** The pieces for `[from, to)` of what came. */
export type Fresh = (from: number, to: number) => readonly Piece[];

/**
 * Where what came is more than what was kept: the history joins deletions that touch, also one of the person's words
 * alone, which nobody remembers, with one that took words of a run along. Finds as much of it as can be among what went in
 * the same `event`, in order, first at the place itself, and lets it rise. Null where there is nothing of it.
 */
export function reviveParts(
	tree: PieceTree,
	pos: number,
	row: readonly Token[],
	event: number,
	fresh: Fresh
): PieceTree | null {
	const mine = deletedIn(tree, event);
	const first = tree.border(pos, false).index;
	const end = tree.border(pos, true).index;
	const words = reading(row);
	const here = found(
		mine.filter(({ index }) => index >= first && index < end),
		words
	);
	if (here.length > 0) return rise(tree, here, words.length, fresh);
	const far = found(mine, words);
	return far.length > 0 ? follow(tree, far, words.length, fresh, pos) : null;
}

/** The dead, in their order, that give most of the words. */
function found(mine: readonly Found[], words: string): Part[] {
	const width = words.length + 1;
	if (mine.length === 0 || mine.length * width > SEARCH) return [];
	const readings = mine.map(({ piece }) => reading(piece.dead!));
	// best[i * width + at]: how much of the words from `at` on the dead from the i-th on can give.
	const best = new Int32Array((mine.length + 1) * width);
	const taken = (i: number, at: number): number => {
		const size = readings[i]!.length;
		return words.startsWith(readings[i]!, at) ? size + best[(i + 1) * width + at + size]! : 0;
	};
	for (let i = mine.length - 1; i >= 0; i--)
		for (let at = width - 2; at >= 0; at--)
			best[i * width + at] = Math.max(best[(i + 1) * width + at]!, best[i * width + at + 1]!, taken(i, at));
	const out: Part[] = [];
	let i = 0;
	let at = 0;
	while (i < mine.length && at < width - 1 && best[i * width + at]! > 0) {
		const most = best[i * width + at]!;
		if (taken(i, at) === most) {
			out.push({ ...mine[i]!, at });
			at += readings[i++]!.length;
		} else if (best[(i + 1) * width + at] === most) i++;
		else at++;
	}
	return out;
}

/** They rise where they lie, and what is new stands between them. */
function rise(tree: PieceTree, parts: readonly Part[], size: number, fresh: Fresh): PieceTree {
	let out = tree;
	let end = size;
	parts.toReversed().forEach(({ index, at, piece }, i) => {
		const before = i === parts.length - 1 ? fresh(0, at) : [];
		out = out.splice(index, index + 1, [...before, risen(piece), ...fresh(at + piece.size, end)]);
		end = at;
	});
	return out;
}

/** They follow the document to where they came back. */
function follow(tree: PieceTree, parts: readonly Part[], size: number, fresh: Fresh, pos: number): PieceTree {
	let out = tree;
	for (const { index } of parts.toReversed()) out = out.put(index, index + 1, []);
	const row: Piece[] = [];
	let done = 0;
	for (const { at, piece } of parts) {
		row.push(...fresh(done, at), risen(piece));
		done = at + piece.size;
	}
	row.push(...fresh(done, size));
	const { tree: target, index } = out.border(pos, true);
	return target.splice(index, index, row);
}
