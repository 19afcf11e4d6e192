import type { Node } from 'prosemirror-model';
import type { EditorState, Selection, Transaction } from 'prosemirror-state';
import type { DocumentBlock } from '../blocks/index.js';
import { type DocumentCode, documentCodes } from '../codes.js';
import type { MarkdownOptions } from '../markdown/index.js';
import type { Provenance } from '../provenance/index.js';

/** What is taken of Markdown: own names of nodes and marks, heading levels, depth and size. @since 0.1.0 */
export type MarkdownLimits = Pick<MarkdownOptions, 'names' | 'levels' | 'depth' | 'size'>;

/** Where something enters: behind a block, or at a place that has a name. @since 0.1.0 */
export type DocumentAnchor = 'start' | 'end' | 'selection' | { readonly after: string };

/**
 * What is written: text in the format of the document (Markdown, unless the provider was told otherwise), plain text, or
 * nodes of the editor's own schema.
 * @since 0.1.0
 */
export type DocumentContent =
	string | { readonly markdown: string } | { readonly text: string } | { readonly nodes: readonly Node[] };

/** How {@link DocumentChange} formats: a mark on the block's text or a quote of it, or another kind of textblock. @since 0.1.0 */
export type DocumentFormat =
	| {
			/** `bold italic strike code underline link`, or a mark of the schema by its own name. */
			readonly mark: string;
			readonly attrs?: Readonly<Record<string, unknown>>;
			/** @default all of the block */
			readonly quote?: string;
			/** Take it away instead. */
			readonly off?: boolean;
	  }
	| {
			/** `paragraph heading code`, or a textblock of the schema by its own name. */
			readonly type: string;
			readonly attrs?: Readonly<Record<string, unknown>>;
	  };

/** Everything that can be done to a document in one step. @since 0.1.0 */
export type DocumentChange =
	| { readonly kind: 'insert'; readonly at: DocumentAnchor; readonly content: DocumentContent }
	| { readonly kind: 'rewrite'; readonly id: string; readonly content: DocumentContent }
	/** `id` is the heading's. Content that begins with a heading takes its place, other content stands under the old one. */
	| { readonly kind: 'rewriteSection'; readonly id: string; readonly content: DocumentContent }
	| { readonly kind: 'rewriteSelection'; readonly content: DocumentContent }
	/** `all`: wherever it stands in the block, not only if it stands there once. `text` is what stands in a line of Markdown. */
	| {
			readonly kind: 'replaceText';
			readonly id: string;
			readonly find: string;
			readonly text: string | { readonly markdown: string } | { readonly text: string };
			readonly all?: boolean;
	  }
	| { readonly kind: 'remove'; readonly id: string }
	| { readonly kind: 'move'; readonly id: string; readonly to: 'start' | 'end' | { readonly after: string } }
	| { readonly kind: 'format'; readonly id: string; readonly format: DocumentFormat }
	| { readonly kind: 'comment'; readonly id: string; readonly text: string; readonly quote?: string };

/** Why a document did not take something; it is as it was. @since 0.1.0 */
export interface DocumentRefusal {
	readonly ok: false;
	readonly code: DocumentCode;
	readonly text: string;
	/** The block as it stands now, where one was named and is there. */
	readonly current?: DocumentBlock;
}

/** How a change is written, found against one state and good for that state alone. @internal */
export interface Plan {
	readonly ok: true;
	/** What it touches, in positions of that state, at borders of blocks. */
	readonly from: number;
	readonly to: number;
	/** Puts the steps into a transaction on that state. */
	write(tr: Transaction): void;
	/** Whether what it puts in is new text of whoever acts. */
	readonly stamps: boolean;
	/** After it is written: where a selection goes that positions alone would lose. */
	carry?(tr: Transaction, selection: Selection): Selection | undefined;
}

/** What a change needs to know besides the state. @internal */
export interface Ground {
	readonly state: EditorState;
	readonly format: 'markdown' | 'text';
	readonly markdown: MarkdownLimits;
	/** For a comment: who and when. */
	readonly by: string;
	readonly at: number;
	readonly newId: () => string;
	/** Who is to be noted as the writer of what is new; nobody where a person or the app acts. */
	readonly written?: Provenance;
}

/** A refusal, with the text of the table unless there is more to say. @internal */
export const no = (code: DocumentCode, text?: string, current?: DocumentBlock): DocumentRefusal => ({
	ok: false,
	code,
	text: text ?? documentCodes[code].means,
	...(current && { current })
});
