import type { Node } from 'prosemirror-model';
import { PluginKey } from 'prosemirror-state';
import type { Moment } from './moments.js';
import type { Entry } from './entry.js';
import { piece } from './row/piece.js';
import type { Reason } from './row/tag.js';
import { PieceTree } from './row/tree.js';
import type { Op } from './row/value.js';

/** What the table knows of a run. */
export interface RunRecord {
	/** False while it is taken back. */
	readonly stands: boolean;
	/** Between its begin and its end. */
	readonly live: boolean;
	/** Blocks it moved; the signs of the n-th are called `<run>/<n>`. */
	readonly moves: number;
	/** The deletion that replaced the whole document, and what of the run it took with it, in positions. */
	readonly swept: { readonly by: Reason; readonly size: number } | null;
}

export const NEW_RUN: RunRecord = { stands: true, live: true, moves: 0, swept: null };

/** What is known of a run; undefined where it is unknown. Its id may be any word, also the name of a property of objects. */
export const recordOf = (runs: Table['runs'], run: string): RunRecord | undefined =>
	Object.hasOwn(runs, run) ? runs[run] : undefined;

/**
 * The state of the plugin: who wrote, took out and changed what, and in which order the person can take it back.
 * Immutable; every transaction gives the next one.
 * @since 0.1.0
 */
export interface Table {
	/** The document the pieces describe. A table is never used for another one. */
	readonly doc: Node;
	readonly pieces: PieceTree;
	readonly runs: Readonly<Record<string, RunRecord>>;
	/** Changes of the document's own attributes by runs. */
	readonly docOps: readonly Op[];
	/** Deletions of the person so far, for their names. */
	readonly deletions: number;
	/** Signs set so far at the places of blocks that had to be put elsewhere, for their names. */
	readonly signs: number;
	/** Did the schema refuse a value when a run was turned last? */
	readonly owes: boolean;
	/** Moves whose block could not go where it belongs when a run was turned last: every turn tries them again. */
	readonly owed: readonly string[];
	/** Events that the person's history has thrown away, oldest first: what they took out cannot come back. */
	readonly forgotten: number;
	/** Documents before runs began or turned, and the person's history with each. Not saved: nor is the history. */
	readonly moments: readonly Moment[];
	/** What Mod-z takes back, newest last. */
	readonly units: readonly Entry[];
	/** What Mod-Shift-z brings back, next last. */
	readonly undone: readonly Entry[];
}

/** A table that knows of no run: everything in the document is the person's. */
export const freshTable = (doc: Node): Table => ({
	doc,
	pieces: PieceTree.of(doc.content.size > 0 ? [piece(doc.content.size)] : []),
	runs: {},
	docOps: [],
	deletions: 0,
	signs: 0,
	owes: false,
	owed: [],
	forgotten: 0,
	moments: [],
	units: [],
	undone: []
});

/** Where the table lies in an `EditorState`. @since 0.1.0 */
export const timelineKey = new PluginKey<Table>('agent-undo-timeline');
