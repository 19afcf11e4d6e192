import { Slice } from 'prosemirror-model';
import { ReplaceStep } from 'prosemirror-transform';
import { attempt } from './attempt.js';
import type { Place, Work } from './work.js';

/**
 * Blocks the run moved go home, or out again, with everything written in them since. Home and the place they stand at
 * change roles, so that the way back is the same. An undo takes the moves last first.
 */
export function carryHome(work: Work, moves: number, stands: boolean): void {
	const ids = Array.from({ length: moves }, (_, n) => `${work.run}/${n}`);
	if (!stands) ids.reverse();
	for (const id of ids)
		if (carry(work, id)) work.report.moved++;
		else work.report.stuck++;
}

function carry(work: Work, id: string): boolean {
	const from = work.find('from', id);
	const to = work.find('to', id);
	const home = work.find('home', id);
	if (!from || !to || !home || to.pos <= from.pos) return false;
	if (home.pos > from.pos && home.pos < to.pos) return false;
	const slice = work.doc.slice(from.pos, to.pos);
	// Joined with something that was never moved.
	if (slice.openStart > 0 || slice.openEnd > 0 || !slice.content.firstChild?.isBlock) return false;
	const out = new ReplaceStep(from.pos, to.pos, Slice.empty);
	const into = new ReplaceStep(home.pos, home.pos, slice);
	if (!attempt(work.tr, home.pos >= to.pos ? [into, out] : [out, into])) return false;
	work.places.push(placeOfMove(from.pos, to.pos, home.pos));
	const { pieces } = work;
	const sign = pieces[home.index]!;
	const block = pieces.slice(from.index, to.index + 1);
	work.pieces =
		home.index > to.index
			? [
					...pieces.slice(0, from.index),
					sign,
					...pieces.slice(to.index + 1, home.index),
					...block,
					...pieces.slice(home.index + 1)
				]
			: [
					...pieces.slice(0, home.index),
					...block,
					...pieces.slice(home.index + 1, from.index),
					sign,
					...pieces.slice(to.index + 1)
				];
	return true;
}

/** A caret in the block goes with it. */
const placeOfMove = (from: number, to: number, home: number): Place => ({
	map(pos) {
		if (pos > from && pos < to) return home >= to ? pos + (home - to) : pos - (from - home);
		if (home >= to) return pos >= to && pos <= home ? pos - (to - from) : pos;
		return pos >= home && pos <= from ? pos + (to - from) : pos;
	}
});
