import type { EditorView } from 'prosemirror-view';
import type { Provenance } from './provenance/index.js';

// Of the editor, not of one provider over it: another one asks later.
const books = new WeakMap<EditorView, Map<string, Provenance>>();

/** Keeps who wrote in a run: of what leaves no words behind, such as a format, nothing else could tell. @internal */
export function noteWriter(view: EditorView, written: Provenance): void {
	let book = books.get(view);
	if (!book) books.set(view, (book = new Map()));
	book.set(written.run, written);
}

/** Who wrote in a run while this editor was open. @internal */
export const writerOfRun = (view: EditorView, run: string): Provenance | undefined =>
	books.get(view)?.get(run);
