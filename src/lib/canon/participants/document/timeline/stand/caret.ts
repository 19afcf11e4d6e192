import { Selection, TextSelection, type Transaction } from 'prosemirror-state';
import type { Place } from './work.js';

/** Maps a caret and sticks to the left: what an agent writes at the caret stands behind it. */
export function keepCaret(tr: Transaction, selection: Selection, places: readonly Place[]): void {
	if (!(selection instanceof TextSelection)) return;
	const map = (pos: number): number => places.reduce((at, place) => place.map(at, -1), pos);
	const size = tr.doc.content.size;
	const $anchor = tr.doc.resolve(Math.min(size, map(selection.anchor)));
	const $head = tr.doc.resolve(Math.min(size, map(selection.head)));
	const inText = $anchor.parent.inlineContent && $head.parent.inlineContent;
	tr.setSelection(inText ? TextSelection.between($anchor, $head) : Selection.near($head));
}
