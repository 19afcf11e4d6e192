/** What a code means and what to do about it. @since 0.1.0 */
export interface DocumentCodeEntry {
	/** One sentence for people; also the text where nothing more is to be said. */
	readonly means: string;
	/** What whoever meets it can do. */
	readonly cure: string;
}

/**
 * Every code with which a document refuses. Whatever is refused, the document is as it was. Compare codes, never texts; the
 * docs page of codes is made from this table.
 * @since 0.1.0
 */
export const documentCodes = {
	'block-unknown': {
		means: 'There is no block of this id; it may have been removed.',
		cure: 'Read the outline or the blocks again and use an id from there.'
	},
	stale: {
		means: 'The block has changed since it was read.',
		cure: 'Look at the text it has now, which comes along, and propose again.'
	},
	schema: {
		means: 'The editor has no place for this kind of content.',
		cure: 'The text names what is not supported; use what the editor knows.'
	},
	link: {
		means: 'A link leads to an address that is not allowed.',
		cure: 'Use an address that begins with http, https or mailto, or a relative one.'
	},
	image: {
		means: 'The text brings an image, which is loaded without a click, and none may be brought in here.',
		cure: 'Leave the image out, or describe it; the app allows images with `images: true`.'
	},
	placeholder: {
		means: 'A line stands for something Markdown cannot say, and there is nothing to put back in its place.',
		cure: 'Keep such a line only where the block has it; the app adds new ones.'
	},
	depth: {
		means: 'The content is nested deeper than is taken.',
		cure: 'Write it flatter, or in several parts.'
	},
	size: {
		means: 'The content is longer than may be written at once.',
		cure: 'Write it in several parts.'
	},
	'not-found': {
		means: 'The text to be replaced does not stand in the block.',
		cure: 'Quote it exactly as it stands; the block comes along.'
	},
	ambiguous: {
		means: 'The text to be replaced stands in the block more than once.',
		cure: 'Quote more of it, so that it is found once.'
	},
	nothing: {
		means: 'This would change nothing.',
		cure: 'Nothing to do: the document says it already.'
	},
	selection: {
		means: 'Nothing that can be written over is selected.',
		cure: 'Insert after the selection, or ask the person to select something.'
	},
	place: {
		means: 'The content cannot stand there.',
		cure: 'Choose another block to put it after.'
	},
	'out-of-scope': {
		means: 'This part of the document is not open to a write.',
		cure: 'Stay within the part that is; only the app or a person widens it.'
	},
	'read-only': {
		means: 'The editor is read-only.',
		cure: 'Wait until it can be written in.'
	},
	composing: {
		means: 'The person is writing in this block with an input method just now.',
		cure: 'Try again when the word is finished.'
	},
	prevented: {
		means: 'The editor itself did not take the change.',
		cure: 'A rule of the editor prevents it; do something else.'
	},
	unprepared: {
		means: 'The editor lacks the plugins or the attributes that writing needs.',
		cure: 'Add the document plugins, and `id` to the nodes of the schema.'
	},
	'not-ready': {
		means: 'The editor is not there yet.',
		cure: 'Try again when it is.'
	},
	destroyed: {
		means: 'The editor is gone.',
		cure: 'Nothing was written and nothing can be; go on elsewhere.'
	},
	'run-live': {
		means: 'The run is still under way.',
		cure: 'Wait for its end or stop it, then take it back.'
	},
	'document-replaced': {
		means: 'The document was replaced as a whole since the run; whose its words are cannot be told any more.',
		cure: 'Nothing was changed. Take back by hand what is to go.'
	},
	'undo-failed': {
		means: 'Taking the run back could not be carried out; nothing was changed.',
		cure: 'Take back by hand what is to go, and report the fault with its cause.'
	}
} as const satisfies Readonly<Record<string, DocumentCodeEntry>>;

/** A code with which a document refuses. @since 0.1.0 */
export type DocumentCode = keyof typeof documentCodes;
