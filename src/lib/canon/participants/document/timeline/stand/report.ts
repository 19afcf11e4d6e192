/** Why an undo or redo did less than one might expect. @since 0.1.0 */
export type StandCode =
	/** The whole document was replaced since the run wrote; whose its words are nobody can know any more. */
	| 'document-replaced'
	/** The undo could not be carried out and nothing was changed. A defect worth a report; see `cause`. */
	| 'undo-failed';

/**
 * What taking a run back, or bringing it back, did. Sizes are in positions of the document: a character, an opening or a
 * closing tag, a leaf.
 * @since 0.1.0
 */
export interface StandReport {
	/** Went out of the document. */
	removed: number;
	/** Came back into it. */
	back: number;
	/** Stands, or is missing, against the rule: the schema needs it so, or the document was replaced (`code`). */
	kept: number;
	/** Written by the person inside words of the run, and still there after an undo. */
	guests: number;
	/** Blocks the run had moved that went home, or out again. */
	moved: number;
	/** Blocks that could not go home (joined with others, deleted), types that their content does not allow any more. */
	stuck: number;
	/** Ranges that were replaced as a whole, because single edits would have made no document in between. */
	rebuilt: number;
	/** How often the structure had to bend: what the rule asks for is no document of this schema. */
	bent: number;
	/** Whole blocks that came back behind the block that their place had been joined into. */
	placedBehind: number;
	/** Words that came back together with their block, which the person had deleted. */
	reborn: number;
	/** Words that had no place of their own any more: they stand in a paragraph of their own behind it. */
	homeless: number;
	/** Set where the undo did less than its rule. */
	code?: StandCode;
	/** With `undo-failed`: what went wrong, in one sentence. */
	cause?: string;
}

export const emptyReport = (): StandReport => ({
	removed: 0,
	back: 0,
	kept: 0,
	guests: 0,
	moved: 0,
	stuck: 0,
	rebuilt: 0,
	bent: 0,
	placedBehind: 0,
	reborn: 0,
	homeless: 0
});
