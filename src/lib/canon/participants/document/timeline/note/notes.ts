import type { PieceTree } from '../row/tree.js';
import type { Op } from '../row/value.js';
import { NEW_RUN, recordOf, type RunRecord, type Table } from '../table.js';

/**
 * A table while one transaction is read into it: the steps write here, `table()` is what became of it.
 */
export class Notes {
	pieces: PieceTree;
	runs: Readonly<Record<string, RunRecord>>;
	docOps: readonly Op[];
	deletions: number;
	/** The run that writes; null: the person, or the app in their name. */
	readonly who: string | null;
	/** May bring back what the person deleted: their undo or redo, or a paste. */
	readonly revives: boolean;
	/** Number of the event that the person's undo or redo turns; null where it is neither. */
	readonly undoes: number | null;
	/** Number of the event in the person's history that the transaction belongs to. */
	readonly event: number;
	readonly #from: Table;

	constructor(table: Table, who: string | null, revives: boolean, event: number, undoes: number | null) {
		this.#from = table;
		this.pieces = table.pieces;
		this.runs = table.runs;
		this.docOps = table.docOps;
		this.deletions = table.deletions;
		this.who = who;
		this.revives = revives;
		this.event = event;
		this.undoes = undoes;
	}

	/** Does the run stand? Runs nobody has heard of do not. */
	readonly stands = (run: string): boolean => recordOf(this.runs, run)?.stands === true;

	/** Changes what is known of a run; begins it if nobody has heard of it. */
	run(id: string, change: (record: RunRecord) => RunRecord): void {
		this.runs = { ...this.runs, [id]: change(recordOf(this.runs, id) ?? NEW_RUN) };
	}

	table(): Table {
		const { pieces, runs, docOps, deletions } = this;
		return { ...this.#from, pieces, runs, docOps, deletions };
	}
}
