import type { Node } from 'prosemirror-model';
import { type DocumentCode, documentCodes } from './codes.js';
import { provenance } from './provenance/index.js';
import type { StandReport } from './timeline/index.js';

/** What taking a run back, or putting it back, came to. @since 0.1.0 */
export interface DocumentUndo {
	/** Changes made in the document. */
	readonly undone: number;
	/** What is otherwise than one might expect, and why, in plain words. */
	readonly kept: readonly { readonly what: string; readonly why: string }[];
}

/** Nothing was taken back, and why. @internal */
export const notUndone = (code: DocumentCode): DocumentUndo => ({
	undone: 0,
	kept: [{ what: 'document', why: documentCodes[code].means }]
});

const many = (count: number, one: string, more: string): string =>
	count === 1 ? `1 ${one}` : `${count} ${more}`;

/** How many characters a document has that say themselves that a run wrote them. @internal */
export const leftOf = (doc: Node, run: string): number =>
	provenance(doc).reduce((sum, range) => (range.run === run ? sum + range.text.length : sum), 0);

/** Words of a run that are still there although it is taken back: nobody noted how they came in. */
const leftover = (left: number): DocumentUndo['kept'] =>
	left === 0
		? []
		: [
				{
					what: many(left, 'character', 'characters'),
					why: 'These words were written before the editor was opened, or copied since; take them out by hand.'
				}
			];

/** There is nothing to turn; words that a run left all the same are told of. @internal */
export const nothingTo = (doc: Node, run: string, way: 'undo' | 'redo'): DocumentUndo => ({
	undone: 0,
	kept: way === 'undo' ? leftover(leftOf(doc, run)) : []
});

/**
 * What a report of the timeline says to people.
 * @param left characters in the document that still say they are of the run
 * @internal
 */
export function keptOf(
	report: StandReport,
	undone: number,
	way: 'undo' | 'redo',
	left: number
): DocumentUndo {
	const kept: { what: string; why: string }[] = [];
	const say = (count: number, what: string, why: string) => {
		if (count > 0) kept.push({ what, why });
	};
	const { guests, kept: against, stuck, placedBehind, reborn, homeless, code } = report;
	if (way === 'undo' && guests > 0) {
		const where =
			guests === 1 ? 'It stands inside what was taken back' : 'They stand inside what was taken back';
		// A block that somebody else's words stand in has to stay around them.
		const more = against > 0 ? ', with the block around them' : '';
		say(
			guests,
			many(guests, 'character of yours', 'characters of yours'),
			`${where}, and ${guests === 1 ? 'stays' : 'stay'}${more}.`
		);
	}
	say(
		homeless,
		many(homeless, 'character', 'characters'),
		'Their block is gone; they stand in a paragraph of their own behind its place.'
	);
	say(
		reborn,
		many(reborn, 'character', 'characters'),
		'They came back together with the block you had removed.'
	);
	say(
		placedBehind,
		many(placedBehind, 'block', 'blocks'),
		'Its old place was joined with its neighbours, so it stands behind them.'
	);
	say(
		stuck,
		many(stuck, 'block', 'blocks'),
		'It cannot go back to where or to what it was, and stays as it is.'
	);
	if (code === 'document-replaced')
		kept.push({
			what: 'document',
			why: 'It was replaced as a whole since; whose its words are cannot be told any more.'
		});
	else if (code === 'undo-failed')
		kept.push({ what: 'document', why: 'This could not be carried out; nothing was changed.' });
	else if (guests === 0)
		say(
			against,
			many(against, 'character or mark', 'characters or marks'),
			'The structure of the document needs it so.'
		);
	// Where something is told already it is about these words too.
	if (way === 'undo' && kept.length === 0) kept.push(...leftover(left));
	return { undone, kept };
}
