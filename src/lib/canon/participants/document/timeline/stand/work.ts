import type { Node, Schema } from 'prosemirror-model';
import type { Mappable, Transform } from 'prosemirror-transform';
import { isWanted, livingSize, type Piece } from '../row/piece.js';
import { valueOf, type Op, type Stands, type ValueKey } from '../row/value.js';
import type { StandReport } from './report.js';

/** Maps a position as exactly as it is known: a rebuilt range would lose the places inside it. */
export type Place = Pick<Mappable, 'map'>;

/** What the work begins with. */
export interface Given {
	readonly run: string;
	readonly tr: Transform;
	readonly pieces: Piece[];
	readonly stands: Stands;
	readonly report: StandReport;
	readonly signs: number;
	readonly owes: boolean;
	readonly owed: readonly string[];
	readonly ids?: (() => string) | undefined;
	/** No step of our own. */
	readonly plain: boolean;
}

/**
 * The undo or redo of one run while it is being carried out: the document on its way, and the pieces that describe it.
 * Each phase (a file each) takes it from one consistent state to the next; after each, the living pieces are the document.
 */
export class Work {
	readonly run: string;
	readonly tr: Transform;
	/** In order. Replaced as a whole or in place by the phases. */
	pieces: Piece[];
	/** Who stands when it is done. */
	readonly stands: Stands;
	readonly report: StandReport;
	/** Where positions went, in the order in which it happened. */
	readonly places: Place[] = [];
	/** A value waits for the structure. */
	late = false;
	/** Values that the schema refuses even so. */
	stuck = 0;
	/** Was a value refused when a run was turned last? Then all are tried again, also those of other runs. */
	readonly owes: boolean;
	/** Moves whose block is not where it belongs. */
	owed: readonly string[];
	/** Signs set so far, for their names. */
	signs: number;
	/** No step of our own. */
	readonly plain: boolean;
	readonly #ids: (() => string) | undefined;

	constructor(given: Given) {
		this.run = given.run;
		this.tr = given.tr;
		this.pieces = given.pieces;
		this.stands = given.stands;
		this.report = given.report;
		this.signs = given.signs;
		this.plain = given.plain;
		this.owes = given.owes;
		this.owed = given.owed;
		this.#ids = given.ids;
	}

	/** A new name for a sign. */
	sign(): string {
		return this.#ids?.() ?? `${this.run}~${++this.signs}`;
	}

	get doc(): Node {
		return this.tr.doc;
	}

	get schema(): Schema {
		return this.tr.doc.type.schema;
	}

	/** Should it stand? */
	wants(it: Piece): boolean {
		return isWanted(it, this.stands);
	}

	/** What a value should be. */
	value(ops: readonly Op[], key: ValueKey): unknown {
		return valueOf(ops, key, this.stands);
	}

	/** Where the sign stands: its index and its position; null if it is gone. */
	find(kind: string, id: string): { index: number; pos: number } | null {
		let pos = 0;
		for (let index = 0; index < this.pieces.length; index++) {
			const it = this.pieces[index]!;
			if (it.sign?.kind === kind && it.sign.id === id) return { index, pos };
			pos += livingSize(it);
		}
		return null;
	}
}
