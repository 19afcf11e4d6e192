import type { Transaction } from 'prosemirror-state';
import { timelineKey, type Table } from './table.js';

/** What a transaction tells the timeline; under `timelineKey` in its metadata. */
export type Meta =
	| { readonly kind: 'begin' | 'write' | 'end'; readonly run: string }
	/** A run was taken back or brought back; `table` is what holds when the steps up to `table.doc` are done. */
	| { readonly kind: 'stand'; readonly run: string; readonly stands: boolean; readonly table: Table };

export const metaOf = (tr: Transaction): Meta | undefined => tr.getMeta(timelineKey) as Meta | undefined;

/**
 * The run a transaction belongs to: one of its edits, its begin or end, its undo or redo, or something another plugin
 * appended to one of its edits.
 * @since 0.1.0
 */
export function runOf(tr: Transaction): string | undefined {
	const root = tr.getMeta('appendedTransaction') as Transaction | undefined;
	return (metaOf(tr) ?? (root && metaOf(root)))?.run;
}

/** Is it the undo or redo of a run? @since 0.1.0 */
export const isTakeBack = (tr: Transaction): boolean => metaOf(tr)?.kind === 'stand';

/** The run that writes in this transaction, or null for the person and the app. */
export function writerOf(tr: Transaction): string | null {
	const root = tr.getMeta('appendedTransaction') as Transaction | undefined;
	const meta = metaOf(tr) ?? (root && metaOf(root));
	return meta && meta.kind !== 'stand' ? meta.run : null;
}
