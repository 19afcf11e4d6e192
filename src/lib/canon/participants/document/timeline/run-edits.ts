import { closeHistory } from 'prosemirror-history';
import { TextSelection, type EditorState, type Transaction } from 'prosemirror-state';
import type { Meta } from './meta.js';
import { keepCaret } from './stand/caret.js';
import { timelineKey } from './table.js';

const marked = (tr: Transaction, kind: 'begin' | 'write' | 'end', run: string): Transaction =>
	tr.setMeta('addToHistory', false).setMeta(timelineKey, { kind, run } satisfies Meta);

/**
 * The run is live from here on: its edits are its own, Mod-z stays the person's. Closes the person's current event, else
 * what they type before and after the run would be one, and the order would be lost.
 * @since 0.1.0
 */
export const beginRun = (state: EditorState, run: string): Transaction =>
	marked(closeHistory(state.tr), 'begin', run);

/**
 * An edit of a run: what `fn` does to the transaction is the run's. It does not enter the person's history; their caret
 * stays before what is written at it, and what they were about to type keeps its marks. A run that was not begun begins
 * with its first edit; one that has ended may still write, and its undo takes that too.
 * @since 0.1.0
 */
export function edit(state: EditorState, run: string, fn: (tr: Transaction) => Transaction): Transaction {
	const tr = fn(state.tr);
	if (tr.docChanged && state.selection instanceof TextSelection) keepCaret(tr, state.selection, [tr.mapping]);
	if (state.storedMarks) tr.setStoredMarks(state.storedMarks);
	return marked(tr, 'write', run);
}

/** The run is over: it becomes one unit of the timeline, and what it left in the table is made compact. @since 0.1.0 */
export const endRun = (state: EditorState, run: string): Transaction =>
	marked(closeHistory(state.tr), 'end', run);
