import { Slice } from 'prosemirror-model';
import { ReplaceStep } from 'prosemirror-transform';
import { isDeleted, isLiving, type Piece } from '../row/piece.js';
import { attempt } from './attempt.js';
import { rearrange } from './rearrange.js';
import { swapped } from './swap.js';
import type { Place, Work } from './work.js';

/**
 * Blocks the run moved go home, or out again, with everything written in them since. Home and the place they stand at
 * change roles, so that the way back is the same. An undo takes the moves last first. From the first on whose block is no
 * whole block, as long as other edits of the run stand, they have to wait.
 */
export function carryHome(work: Work, moves: number, stands: boolean): void {
	const mine = Array.from({ length: moves }, (_, n) => `${work.run}/${n}`);
	if (!stands) mine.reverse();
	// One that is owed and turned again is where it belongs.
	const ids = [
		...mine.filter((id) => !work.owed.includes(id)),
		...work.owed.filter((id) => !mine.includes(id))
	];
	const done = ids.findIndex((id) => !carry(work, id));
	work.owed = done < 0 ? [] : ids.slice(done);
}

/**
 * Moves that had to wait: together with everything else that is to change, in the order that gives a document, or as many as
 * go by themselves.
 */
export function carryRest(work: Work): void {
	const orders = work.owed.length > 0 ? [work.owed, work.owed.toReversed()] : [];
	if (orders.some((ids) => rearrange(work, ids))) work.owed = [];
	// One may have stood in the way of another.
	for (let left = Infinity; work.owed.length < left;) {
		left = work.owed.length;
		work.owed = work.owed.filter((id) => !carry(work, id));
	}
}

/** False where it cannot be carried now. */
function carry(work: Work, id: string): boolean {
	const from = work.find('from', id);
	const to = work.find('to', id);
	const home = work.find('home', id);
	if (!from || !to || !home) return false;
	const pieces = swapped(work.pieces, from.index, to.index, home.index);
	if (!pieces) return false;
	const block = work.pieces.slice(from.index + 1, to.index);
	// Where only what is out lies between the two, nothing is to be seen of it.
	if (to.pos > from.pos && (home.pos < from.pos || home.pos > to.pos)) {
		const slice = work.doc.slice(from.pos, to.pos);
		// Joined with something that was never moved.
		if (slice.openStart > 0 || slice.openEnd > 0 || !slice.content.firstChild?.isBlock) return false;
		// In before out: what holds it may not be empty in between.
		const shift = home.pos < from.pos ? slice.size : 0;
		const into = new ReplaceStep(home.pos, home.pos, slice);
		const out = new ReplaceStep(from.pos + shift, to.pos + shift, Slice.empty);
		if (!attempt(work.tr, [into, out])) return false;
		work.places.push(placeOfMove(from.pos, to.pos, home.pos));
	}
	work.pieces = pieces;
	account(work, block);
	return true;
}

/** What of the block is there: to be seen at home now or later, gone by the person, or taken elsewhere by another run. */
function account(work: Work, block: readonly Piece[]): void {
	if (block.some((it) => isLiving(it) || work.wants(it))) work.report.moved++;
	else if (block.length === 0 || block.some(isDeleted)) work.report.stuck++;
}

/** A caret in the block goes with it. */
const placeOfMove = (from: number, to: number, home: number): Place => ({
	map(pos) {
		if (pos > from && pos < to) return home >= to ? pos + (home - to) : pos - (from - home);
		if (home >= to) return pos >= to && pos <= home ? pos - (to - from) : pos;
		return pos >= home && pos <= from ? pos + (to - from) : pos;
	}
});
