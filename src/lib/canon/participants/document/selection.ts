import type { EditorState } from 'prosemirror-state';
import { blockAt, idOf, placesIn } from './blocks/index.js';
import { toMarkdown } from './markdown/index.js';

/** A place in a block: its id, and how many positions behind its beginning. @since 0.1.0 */
export interface SelectionPoint {
	readonly block: string;
	readonly offset: number;
}

/** What the person has selected, or where the caret stands. @since 0.1.0 */
export interface DocumentSelection {
	/** Is it a caret alone? */
	readonly empty: boolean;
	readonly from: SelectionPoint;
	readonly to: SelectionPoint;
	/** Ids of the children of the document that it touches, in order. */
	readonly blocks: readonly string[];
	readonly text: string;
	readonly markdown: string;
}

/** @internal */
export function selectionOf({ doc, selection }: EditorState): DocumentSelection | undefined {
	const { from, to, empty } = selection;
	const [first, last] = [blockAt(doc, from), blockAt(doc, to)];
	if (!first || !last) return undefined;
	const point = (place: { block: { id: string }; pos: number }, pos: number): SelectionPoint => ({
		block: place.block.id,
		offset: Math.max(0, pos - place.pos - 1)
	});
	const blocks = placesIn(doc, from, to)
		.map(({ index }) => idOf(doc.child(index)))
		.filter((id) => id !== undefined);
	return {
		empty,
		from: point(first, from),
		to: point(last, to),
		blocks: [...new Set(blocks)],
		text: empty ? '' : doc.textBetween(from, to, '\n'),
		markdown: empty ? '' : toMarkdown(selection.content().content)
	};
}
