import { closeHistory } from 'prosemirror-history';
import type { EditorState, Transaction } from 'prosemirror-state';
import { Transform } from 'prosemirror-transform';
import type { Meta } from '../meta.js';
import { isLiving, livingSize, tidy } from '../row/piece.js';
import { HIDDEN } from '../row/tag.js';
import { PieceTree } from '../row/tree.js';
import { recordOf, timelineKey, type RunRecord, type Table } from '../table.js';
import { bring } from './bring.js';
import { keepCaret } from './caret.js';
import { homeward } from './homeward.js';
import { carryHome, carryRest } from './moves.js';
import { emptyReport, type StandReport } from './report.js';
import { placeStrays } from './strays.js';
import { restoreValues, settleValues } from './values.js';
import { Work } from './work.js';

/** A transaction to dispatch, and what it does. @since 0.1.0 */
export interface Stood {
	readonly tr: Transaction;
	readonly report: Readonly<StandReport>;
}

/**
 * Takes a run back, at any time after its end, in any order with other runs: what it wrote goes, what it took out comes
 * back, what it changed is as it was; what the person wrote stays, also inside the run's words (`report.guests`).
 * Null if the run is unknown, live, or taken back already. If it fails, the transaction changes nothing and
 * `report.code` is `undo-failed`.
 * @since 0.1.0
 */
export const undoRun = (state: EditorState, run: string): Stood | null => setRun(state, run, false);

/** Brings a run back that was taken back. Null if it is unknown, live, or stands. See `undoRun`. @since 0.1.0 */
export const redoRun = (state: EditorState, run: string): Stood | null => setRun(state, run, true);

function setRun(state: EditorState, run: string, stands: boolean): Stood | null {
	const table = timelineKey.getState(state);
	const record = table && recordOf(table.runs, run);
	if (!table || !record || record.live || record.stands === stands || table.doc !== state.doc) return null;
	const report = emptyReport();
	try {
		const tr = state.tr;
		// Where `state.tr` is one transaction that others write to as well, a failure half way could not be taken out.
		const isShared = state.tr === tr;
		const work = turned(isShared ? new Transform(state.doc) : tr, state, table, run, stands, report);
		if (isShared) for (const step of work.tr.steps) tr.step(step);
		keepCaret(tr, state.selection, work.places);
		const meta: Meta = { kind: 'stand', run, stands, table: tableOf(work, table, stands) };
		return { tr: closeHistory(tr.setMeta('addToHistory', false).setMeta(timelineKey, meta)), report };
	} catch (error) {
		const cause = error instanceof Error ? error.message : String(error);
		return { tr: state.tr, report: { ...emptyReport(), code: 'undo-failed', cause } };
	}
}

/** The phases, in the one order that works: a value may need the structure, the structure needs the moves. */
function turned(
	tr: Transform,
	state: EditorState,
	table: Table,
	run: string,
	stands: boolean,
	report: StandReport
): Work {
	const spec = timelineKey.get(state)?.spec;
	const work = new Work({
		run,
		tr,
		pieces: table.pieces.toArray(),
		stands: (id) => (id === run ? stands : recordOf(table.runs, id)?.stands === true),
		report,
		signs: table.signs,
		owes: table.owes,
		owed: table.owed,
		ids: spec?.['ids'] as (() => string) | undefined,
		plain: spec?.['steps'] === 'plain'
	});
	freeTags(work);
	homeward(work);
	carryHome(work, table.runs[run]!.moves, stands);
	restoreValues(work, table.docOps);
	carryRest(work);
	bring(work);
	placeStrays(work);
	settleValues(work);
	carryRest(work);
	account(work, table.runs[run]!, stands);
	return work;
}

/** Tags that the structure could not hold after the last turn are wanted again, and judged anew. */
function freeTags(work: Work): void {
	work.pieces = work.pieces.map((it) =>
		it.dels.includes(HIDDEN) ? { ...it, dels: it.dels.filter((each) => each !== HIDDEN) } : it
	);
}

/** What of it did not come out as the rule says, and the guests. */
function account(work: Work, record: RunRecord, stands: boolean): void {
	const { report } = work;
	report.stuck += work.stuck + work.owed.length;
	let size = 0;
	for (const it of work.pieces) {
		size += livingSize(it);
		if (it.sign) continue;
		if (work.wants(it) !== isLiving(it)) report.kept += it.size;
		if (!stands && it.guest === work.run && isLiving(it)) report.guests += it.size;
	}
	if (size !== work.doc.content.size) throw new Error('The pieces and the document have come apart.');
	if (!record.swept) return;
	report.kept += record.swept.size;
	report.code = 'document-replaced';
}

const tableOf = (work: Work, table: Table, stands: boolean): Table => ({
	...table,
	doc: work.doc,
	pieces: PieceTree.of(tidy(work.pieces)),
	runs: { ...table.runs, [work.run]: { ...table.runs[work.run]!, stands } },
	signs: work.signs,
	owes: work.stuck > 0,
	owed: work.owed
});
