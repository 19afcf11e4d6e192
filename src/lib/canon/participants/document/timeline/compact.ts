import { tidy, type Piece } from './row/piece.js';
import { eventOf, isBuried, isByPerson } from './row/tag.js';
import { PieceTree } from './row/tree.js';
import { sameValue, type Op } from './row/value.js';
import type { Table } from './table.js';

/**
 * What the table can do without, at the end of a run: neighbours that have come to have one history become one piece,
 * and what the person deleted is dropped when their history can no longer bring it back. It leaves everything that an
 * undo can still ask for.
 */
export function compact(table: Table): Table {
	const one = unifier();
	const pieces: Piece[] = [];
	for (const it of table.pieces.toArray()) {
		if (it.dead && isPast(it, table)) continue;
		pieces.push(it.ops.length > 0 ? { ...it, ops: one(it.ops) } : it);
	}
	return { ...table, pieces: PieceTree.of(tidy(pieces)) };
}

/** Deleted by the person in an event that their history has thrown away, and out for no other reason. */
const isPast = (it: Piece, table: Table): boolean =>
	it.dels.some(isByPerson) &&
	!it.dels.some(isBuried) &&
	it.dels.every((reason) => !isByPerson(reason) || eventOf(reason) <= table.forgotten);

/** Equal lists of ops become one list of the same objects, so that pieces can be compared by identity. */
function unifier(): (ops: readonly Op[]) => readonly Op[] {
	const lists: (readonly Op[])[] = [];
	const isEqual = (a: readonly Op[], b: readonly Op[]): boolean =>
		a.length === b.length &&
		a.every((op, i) => {
			const other = b[i]!;
			return (
				op === other ||
				(op.key === other.key &&
					op.by === other.by &&
					sameValue(op.was, other.was) &&
					sameValue(op.now, other.now))
			);
		});
	return (ops) => {
		const known = lists.find((list) => isEqual(list, ops));
		if (known) return known;
		lists.push(ops);
		return ops;
	};
}
