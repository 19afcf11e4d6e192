import type { ResolvedPos } from 'prosemirror-model';
import { ReplaceStep, StepMap } from 'prosemirror-transform';
import { die, livingSize, type Piece } from '../row/piece.js';
import { sliceOf } from '../row/slice.js';
import { isBalanced, tokensBetween, type Token } from '../row/token.js';
import { attempt } from './attempt.js';
import { resolved } from './values.js';
import type { Work } from './work.js';

/** Whole children of one node. */
export interface Hull {
	readonly from: number;
	readonly to: number;
	readonly $from: ResolvedPos;
	/** Depth of the node. */
	readonly depth: number;
}

/** The smallest range of whole blocks that holds these pieces. */
export function hullOf(work: Work, pieces: ReadonlySet<number>): Hull {
	let at = 0;
	let lo = Infinity;
	let hi = -1;
	work.pieces.forEach((it, index) => {
		const from = at;
		at += livingSize(it);
		if (!pieces.has(index)) return;
		lo = Math.min(lo, from);
		hi = Math.max(hi, at);
	});
	const $from = work.doc.resolve(lo);
	const $to = work.doc.resolve(hi);
	const shared = $from.sharedDepth(hi);
	const depth = shared > 0 && $from.node(shared).inlineContent ? shared - 1 : shared;
	return {
		$from,
		depth,
		from: $from.depth > depth ? $from.before(depth + 1) : lo,
		to: $to.depth > depth ? $to.after(depth + 1) : hi
	};
}

/** The whole document. */
export const everything = (work: Work): Pick<Hull, 'from' | 'to'> => ({ from: 0, to: work.doc.content.size });

/** Does a piece at `[at, at + size)` lie in the range, in part at least; a dead one also at its rims. */
export const isWithin = (at: number, size: number, { from, to }: Pick<Hull, 'from' | 'to'>): boolean =>
	size > 0 ? at + size > from && at < to : at >= from && at <= to;

/**
 * Where no pairing of edits was found but the row as a whole is a document again: replaces the range by what should
 * stand there. False if it is none.
 */
export function rebuild(work: Work, want: readonly boolean[], range: Pick<Hull, 'from' | 'to'>): boolean {
	const { doc } = work;
	const row: Token[] = [];
	const ranges: [number, number, number][] = [];
	const next: Piece[] = [];
	let removed = 0;
	let back = 0;
	let at = 0;
	work.pieces.forEach((it, index) => {
		const from = at;
		const size = livingSize(it);
		at += size;
		if (it.sign || !isWithin(from, size, range) || (!want[index] && it.dead)) {
			next.push(it);
			return;
		}
		if (want[index]) {
			const tokens = it.dead ?? tokensBetween(doc, Math.max(range.from, from), Math.min(range.to, at));
			for (const token of tokens) row.push(resolved(work, it, token));
		}
		if (want[index] === !it.dead) {
			next.push(it);
			return;
		}
		const last = ranges.at(-1);
		// What comes back at one place comes back as one: a map knows a position once.
		if (last && last[0] + last[1] === from) {
			last[1] += size;
			last[2] += it.dead ? it.size : 0;
		} else ranges.push([from, size, it.dead ? it.size : 0]);
		removed += size;
		back += it.dead ? it.size : 0;
		next.push(it.dead ? { ...it, dead: null } : die(it, tokensBetween(doc, from, at)));
	});
	if (!isBalanced(row)) return false;
	if (!attempt(work.tr, [new ReplaceStep(range.from, range.to, sliceOf(row, work.schema))])) return false;
	work.pieces = next;
	work.places.push(new StepMap(ranges.flat()));
	work.report.removed += removed;
	work.report.back += back;
	work.report.rebuilt++;
	return true;
}
