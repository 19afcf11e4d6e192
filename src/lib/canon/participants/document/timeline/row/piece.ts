import { Mark } from 'prosemirror-model';
import { holds, isByPerson, NO_REASONS, type Reason } from './tag.js';
import { rowSize, type Token } from './token.js';
import { NO_OPS, type Op, type Stands } from './value.js';

/**
 * A place in the row that outlives what stands there: where a moved block came from (`home`), where it begins and ends
 * now (`from`, `to`), where a block belongs that had to be put behind another one (`away`).
 */
export interface Sign {
	readonly kind: 'home' | 'from' | 'to' | 'away';
	readonly id: string;
}

/**
 * Neighbouring tokens with one history. Every piece has the same fields in the same order: engines are several times
 * faster on one shape.
 * @since 0.1.0
 */
export interface Piece {
	/** Positions, living or dead. 0 for a sign. */
	readonly size: number;
	/** Null while the tokens stand in the document; else the tokens, kept at their place in the row. */
	readonly dead: readonly Token[] | null;
	/** The run that put them in; null: the person, or they stood there before. */
	readonly ins: string | null;
	/** Who took them out. */
	readonly dels: readonly Reason[];
	/** Which runs changed their values. */
	readonly ops: readonly Op[];
	readonly sign: Sign | null;
	/** The sign at the place they belong to, while they stand elsewhere. */
	readonly away: string | null;
	/** The run inside whose words the person wrote them. */
	readonly guest: string | null;
}

export const piece = (
	size: number,
	ins: string | null = null,
	ops: readonly Op[] = NO_OPS,
	guest: string | null = null
): Piece => ({ size, dead: null, ins, dels: NO_REASONS, ops, sign: null, away: null, guest });

export const signPiece = (kind: Sign['kind'], id: string): Piece => ({ ...piece(0), sign: { kind, id } });

/** Positions it takes in the document now. */
export const livingSize = (it: Piece): number => (it.dead || it.sign ? 0 : it.size);

/** Does it stand in the document? */
export const isLiving = (it: Piece): boolean => !it.dead && !it.sign;

/** Nobody but the person has a stake in it: deleted by them it can be forgotten. */
export const isPlain = (it: Piece): boolean =>
	!it.dead &&
	it.ins === null &&
	it.dels.length === 0 &&
	it.ops.length === 0 &&
	!it.sign &&
	!it.away &&
	!it.guest;

/** Is it out by a deletion of the person, so that their undo may bring it back? */
export const isDeleted = (it: Piece): boolean => it.dead !== null && it.dels.some(isByPerson);

/** Should it stand: who put it in stands, and nobody who stands has taken it out. */
export const isWanted = (it: Piece, stands: Stands): boolean =>
	(it.ins === null || stands(it.ins)) && !it.dels.some((reason) => holds(reason, stands));

export const die = (it: Piece, dead: readonly Token[], dels: readonly Reason[] = it.dels): Piece => ({
	...it,
	dead,
	dels,
	size: rowSize(dead)
});

const sameList = <T>(a: readonly T[], b: readonly T[]): boolean =>
	a === b || (a.length === b.length && a.every((each, index) => each === b[index]));

const isOneHistory = (a: Piece, b: Piece): boolean =>
	!a.sign &&
	!b.sign &&
	!a.dead === !b.dead &&
	a.ins === b.ins &&
	a.away === b.away &&
	a.guest === b.guest &&
	sameList(a.dels, b.dels) &&
	sameList(a.ops, b.ops);

/** Neighbours with one history become one piece, empty ones go. */
export function tidy(pieces: Iterable<Piece>): Piece[] {
	const out: Piece[] = [];
	// A row of dead neighbours is joined when it is complete: one by one it would be copied each time.
	let row: Token[] | null = null;
	const settle = (): void => {
		if (row) out[out.length - 1] = { ...out.at(-1)!, dead: row };
		row = null;
	};
	for (const it of pieces) {
		if (it.size === 0 && !it.sign) continue;
		const last = out.at(-1);
		if (last && isOneHistory(last, it)) {
			out[out.length - 1] = { ...last, size: last.size + it.size };
			if (last.dead) {
				row ??= [...last.dead];
				for (const token of it.dead!) append(row, token);
			}
		} else {
			settle();
			out.push(it);
		}
	}
	settle();
	return out;
}

/** Text goes on where text of the same marks ended, so that a thousand single characters stay one token. */
function append(row: Token[], token: Token): void {
	const last = row.at(-1);
	if (last?.kind === 'text' && token.kind === 'text' && Mark.sameSet(last.marks, token.marks))
		row[row.length - 1] = { ...last, text: last.text + token.text };
	else row.push(token);
}
