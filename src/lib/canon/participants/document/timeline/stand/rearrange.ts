import { Fragment, type Node } from 'prosemirror-model';
import { ReplaceStep } from 'prosemirror-transform';
import { die, isLiving, livingSize, type Piece } from '../row/piece.js';
import { Reader } from '../row/reader.js';
import { sliceOf } from '../row/slice.js';
import { isBalanced, type Token } from '../row/token.js';
import { attempt } from './attempt.js';
import { swapped } from './swap.js';
import { resolved } from './values.js';
import type { Place, Work } from './work.js';

/** A piece, where it lies in the document before, and its tokens. */
interface Part {
	readonly it: Piece;
	readonly from: number;
	readonly row: readonly Token[];
}

/**
 * Where a move can go home only together with the edits that split or joined its block, the document in which everything
 * is as it should be is put in place at once, from the first difference to the last. False if it is no document.
 */
export function rearrange(work: Work, moves: readonly string[]): boolean {
	const parts = inNewOrder(partsOf(work), moves);
	if (!parts) return false;
	const row = parts.flatMap(({ it, row }) =>
		stays(work, it) ? row.map((token) => resolved(work, it, token)) : []
	);
	const doc = isBalanced(row) ? documentOf(work, row) : null;
	if (!doc || !replaceBy(work, doc)) return false;
	work.places.push(placeOf(work, parts));
	work.pieces = parts.map(({ it, row }) => {
		if (it.sign || stays(work, it) === isLiving(it)) return it;
		work.report[it.dead ? 'back' : 'removed'] += it.size;
		return it.dead ? { ...it, dead: null } : die(it, row);
	});
	work.report.moved += moves.length;
	work.report.rebuilt++;
	return true;
}

const stays = (work: Work, it: Piece): boolean => !it.sign && work.wants(it);

function partsOf(work: Work): Part[] {
	const reader = new Reader(work.doc);
	let at = 0;
	return work.pieces.map((it) => {
		const from = at;
		at += livingSize(it);
		return { it, from, row: it.dead ?? reader.read(from, at) };
	});
}

/** Null where a block and its home do not lie apart, also not once the others are where they belong. */
function inNewOrder(parts: readonly Part[], moves: readonly string[]): readonly Part[] | null {
	let out = parts;
	let rest = moves;
	while (rest.length > 0) {
		const left = rest.filter((id) => {
			const find = (kind: string): number =>
				out.findIndex(({ it }) => it.sign?.kind === kind && it.sign.id === id);
			const [from, to, home] = [find('from'), find('to'), find('home')];
			const next = from < 0 || to < 0 || home < 0 ? null : swapped(out, from, to, home);
			if (next) out = next;
			return !next;
		});
		if (left.length === rest.length) return null;
		rest = left;
	}
	return out;
}

function documentOf(work: Work, row: readonly Token[]): Node | null {
	try {
		const doc = work.doc.copy(Fragment.from(sliceOf(row, work.schema).content));
		doc.check();
		return doc;
	} catch {
		// The model throws where content is not what its type allows.
		return null;
	}
}

/** One step, no wider than it must be. */
function replaceBy(work: Work, next: Node): boolean {
	const from = work.doc.content.findDiffStart(next.content);
	const end = work.doc.content.findDiffEnd(next.content);
	if (from === null || !end) return true;
	// Where a stretch occurs twice the ends may lie before the start.
	const overlap = Math.max(0, from - Math.min(end.a, end.b));
	return attempt(work.tr, [new ReplaceStep(from, end.a + overlap, next.slice(from, end.b + overlap))]);
}

/** A caret stays behind the token it stood behind; where that one has gone, behind the nearest to its left that has not. */
function placeOf(work: Work, parts: readonly Part[]): Place {
	const went = new Map<number, { size: number; to: number }>();
	let to = 0;
	for (const { it, from } of parts) {
		const isHere = stays(work, it);
		if (isHere && isLiving(it)) went.set(from, { size: it.size, to });
		if (isHere) to += it.size;
	}
	const starts = [...went.keys()].sort((a, b) => a - b);
	return {
		map(pos) {
			const start = starts.findLast((each) => each < pos);
			if (start === undefined) return 0;
			const { size, to } = went.get(start)!;
			return to + Math.min(size, pos - start);
		}
	};
}
