import { isHistoryTransaction, undoDepth } from 'prosemirror-history';
import { Plugin, type EditorState, type Transaction } from 'prosemirror-state';
import { compact } from './compact.js';
import { timelineFromJSON, timelineToJSON } from './json.js';
import { metaOf, writerOf, type Meta } from './meta.js';
import { recallHistory, withMoment } from './moments.js';
import { forget } from './note/forget.js';
import { asMove, noteMove } from './note/move.js';
import { Notes } from './note/notes.js';
import { readStep } from './note/read-step.js';
import { riseAgain } from './note/rise-again.js';
import { ordered } from './order.js';
import { freshTable, NEW_RUN, recordOf, timelineKey, type Table } from './table.js';

/** What the timeline may be told. @since 0.1.0 */
export interface TimelineOptions {
	/**
	 * Names for the signs at the places of blocks that had to be put elsewhere; each must be new in its document.
	 * @default a counter in the table, so that two equal sessions give equal states
	 */
	readonly ids?: () => string;
	/**
	 * `plain`: an undo uses the steps of prosemirror-transform alone, for those who send steps as JSON to somebody that cannot
	 * load `WordsStep`. An undo of very many words then costs more.
	 * @default 'any'
	 */
	readonly steps?: 'any' | 'plain';
}

/**
 * Keeps who wrote, took out and changed what, so that a run can be taken back exactly and at any time, and one timeline
 * for Mod-z. Goes *behind* `history()` in the row of plugins: it reads the depth that history has after a transaction.
 * `timelineKeys()` goes before it.
 * @since 0.1.0
 */
export function undoTimeline(options: TimelineOptions = {}): Plugin<Table> {
	return new Plugin<Table>({
		key: timelineKey,
		state: {
			init: (_, state) => freshTable(state.doc),
			apply,
			toJSON: timelineToJSON,
			fromJSON: (_, json, state) => timelineFromJSON(json, state.doc)
		},
		ids: options.ids,
		steps: options.steps
	});
}

function apply(tr: Transaction, old: Table, was: EditorState, now: EditorState): Table {
	const meta = metaOf(tr);
	// A table that was kept while the document went on without it says nothing about this one.
	let table = old.doc === tr.before ? old : freshTable(tr.before);
	if (isTurn(table, meta)) table = { ...table, moments: withMoment(table.moments, was) };
	if (tr.docChanged || meta?.kind === 'stand') table = noted(tr, table, was, now);
	if (meta?.kind === 'stand') recallHistory(table.moments, tr.doc, now);
	if (meta?.kind === 'begin') table = begun(table, meta.run);
	if (meta?.kind === 'end' && recordOf(table.runs, meta.run)) table = compact(ended(table, meta.run));
	return ordered(tr, table, meta, was, now);
}

/** Does a run begin with it, or is it taken back or brought back? */
const isTurn = (table: Table, meta: Meta | undefined): boolean =>
	meta !== undefined &&
	(meta.kind === 'stand' || (meta.kind !== 'end' && !recordOf(table.runs, meta.run)?.live));

/** What the steps did. */
function noted(tr: Transaction, old: Table, was: EditorState, now: EditorState): Table {
	const meta = metaOf(tr);
	let from = 0;
	let base = old;
	if (meta?.kind === 'stand') {
		// Its steps are known; others that came after them in the same transaction are somebody's edits.
		from = meta.table.doc === tr.doc ? tr.steps.length : tr.docs.indexOf(meta.table.doc);
		if (from >= 0) base = { ...meta.table, moments: old.moments };
		else from = 0;
	}
	if (from === tr.steps.length) return base;
	const who = writerOf(tr);
	const live = who === null ? undefined : recordOf(base.runs, who)?.live;
	if (who !== null && recordOf(base.runs, who)?.stands === false) base = forget(base, who);
	const isHistory = isHistoryTransaction(tr);
	const notes = new Notes(
		base,
		who,
		isHistory || Boolean(tr.getMeta('paste')) || tr.getMeta('uiEvent') === 'drop',
		base.forgotten + (undoDepth(now) as number),
		isHistory ? base.forgotten + (undoDepth(was) as number) : null
	);
	// One that had ended has ended still: it may write all the same.
	if (who !== null && !recordOf(notes.runs, who)) notes.run(who, () => ({ ...NEW_RUN, live: live ?? true }));
	const move = from === 0 ? asMove(tr) : null;
	if (move) noteMove(notes, move);
	else
		tr.steps
			.slice(from)
			.forEach((step, i) => readStep(notes, step, tr.docs[from + i]!, tr.docs[from + i + 1] ?? tr.doc));
	const table = { ...notes.table(), doc: tr.doc };
	return notes.revives ? riseAgain(table, base) : table;
}

function begun(table: Table, run: string): Table {
	const base = recordOf(table.runs, run)?.stands === false ? forget(table, run) : table;
	return { ...base, runs: { ...base.runs, [run]: { ...(recordOf(base.runs, run) ?? NEW_RUN), live: true } } };
}

const ended = (table: Table, run: string): Table => ({
	...table,
	runs: { ...table.runs, [run]: { ...table.runs[run]!, live: false } }
});
