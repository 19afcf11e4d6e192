import { Slice } from 'prosemirror-model';
import { ReplaceStep, StepMap } from 'prosemirror-transform';
import { die, isLiving, livingSize, type Piece } from '../row/piece.js';
import { isScaffold } from '../row/tag.js';
import { tokensBetween } from '../row/token.js';
import { attempt } from './attempt.js';
import type { Work } from './work.js';

/**
 * What an earlier undo had to put elsewhere goes home first, as dead pieces, with everything written in it since: the
 * rules then place it anew. Tags that were made only to hold it are dropped.
 */
export function homeward(work: Work): void {
	const ids = new Set(work.pieces.flatMap((it) => it.away ?? []));
	for (const id of ids) {
		const first = work.pieces.findIndex((it) => it.away === id);
		const last = work.pieces.findLastIndex((it) => it.away === id);
		const home = work.find('away', id);
		let from = 0;
		for (let i = 0; i < first; i++) from += livingSize(work.pieces[i]!);
		let to = from;
		const guests: Piece[] = [];
		for (const it of work.pieces.slice(first, last + 1)) {
			const start = to;
			to += livingSize(it);
			if (it.dels.some(isScaffold)) continue;
			const dead = isLiving(it) ? die(it, tokensBetween(work.doc, start, to)) : it;
			guests.push(dead.away === id ? { ...dead, away: null } : dead);
		}
		if (!home || (home.index > first && home.index < last)) continue;
		if (to > from && !attempt(work.tr, [new ReplaceStep(from, to, Slice.empty)])) continue;
		if (to > from) work.places.push(new StepMap([from, to - from, 0]));
		const { pieces } = work;
		work.pieces =
			home.index < first
				? [
						...pieces.slice(0, home.index),
						...guests,
						...pieces.slice(home.index + 1, first),
						...pieces.slice(last + 1)
					]
				: [
						...pieces.slice(0, first),
						...pieces.slice(last + 1, home.index),
						...guests,
						...pieces.slice(home.index + 1)
					];
	}
}
