import type { DocumentBlock } from '../blocks/index.js';
import type { DocumentProvider } from '../document.provider.js';

/** Where an inserted text may enter: behind a named block, at the start or end, or behind the block the caret stands in. @since 0.1.0 */
export type DocumentEntrance = 'after' | 'start' | 'end' | 'selection';

/**
 * How far an agent may write: everywhere, in the section the caret stands in, in what is selected, in the block of the caret;
 * in named sections (by heading) or blocks; or wherever a function says so, asked for each block before each write. No write
 * alters how far that is: the heading of an open section keeps its level, and what is closed stays where and what it is.
 * @since 0.1.0
 */
export type DocumentScope =
	| 'document'
	| 'section'
	| 'selection'
	| 'block'
	| { readonly sections: readonly string[] }
	| { readonly blocks: readonly string[] }
	| ((document: DocumentProvider, block: DocumentBlock) => boolean);

/** Names of what an agent may do in a document. @since 0.1.0 */
export type DocumentAct =
	| 'insert'
	| 'rewrite'
	| 'rewriteSection'
	| 'rewriteSelection'
	| 'replaceText'
	| 'remove'
	| 'move'
	| 'format'
	| 'comment';

/** What {@link createDocumentManifest} takes. @since 0.1.0 */
export interface DocumentManifestOptions {
	/** What the document is for, for the model. @default a general sentence */
	description?: string;
	/** What the agent writes: Markdown, parsed against the editor's own schema, or nothing but characters. @default 'markdown' */
	format?: 'markdown' | 'text';
	/** Whether what is inserted or rewritten shows while it arrives. @default true */
	paint?: boolean;
	/**
	 * Whether a text may bring an image. An image is loaded without a click, from wherever its address says; allowed, a person is
	 * asked each time.
	 * @default false
	 */
	images?: boolean;
	/** Where an inserted text may enter. @default everywhere */
	enter?: readonly DocumentEntrance[];
	/** How far the agent may write. Reading is not narrowed by it. @default 'document' */
	scope?: DocumentScope;
	/** Acts to leave out: `{ remove: false }`. @default none */
	acts?: Readonly<Partial<Record<DocumentAct, boolean>>>;
	/** Who may see the text: `private` asks the person once a run. @default 'page' */
	sensitivity?: 'public' | 'page' | 'private';
}

/** Names of what can be read. @since 0.1.0 */
export type DocumentRead = 'outline' | 'block' | 'selection' | 'section';
