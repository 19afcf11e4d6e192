import type { Node } from 'prosemirror-model';
import { die, isPlain, piece, type Piece } from '../row/piece.js';
import { buried, byPerson, isBuried, isByPerson, runOfReason, type Reason } from '../row/tag.js';
import { tokensBetween } from '../row/token.js';
import { PieceTree } from '../row/tree.js';
import type { Notes } from './notes.js';
import { revive, unbury } from './revive.js';

/**
 * The whole document was replaced by somebody who is no run: content set by the app, a collaboration binding. Which of the
 * new words were whose nobody can know, so every piece is the person's from here on; what runs had taken out stays out.
 * Their undo then changes nothing and says so (`report.code`). The person's own undo brings the old document back, and its
 * history with it.
 */
export function noteSweep(notes: Notes, size: number, before: Node, after: Node): void {
	const reason = byPerson(notes.event, ++notes.deletions);
	const stakes = new Map<string, number>();
	const gone: Piece[] = [];
	let at = 0;
	const old = notes.pieces.toArray();
	// The person's words too, once runs have a part in the document: only whole can it be known again.
	for (const it of old.every(isPlain) ? [] : old) {
		const start = at;
		if (!it.dead) at += it.size;
		const swept = sweptPiece(it, reason, before, start);
		if (swept !== it) for (const run of runsIn(it)) stakes.set(run, (stakes.get(run) ?? 0) + it.size);
		gone.push(swept);
	}
	const row = notes.revives ? tokensBetween(after, 0, size) : [];
	const again = notes.revives ? revive(PieceTree.of(gone), 0, row, notes.undoes) : null;
	notes.pieces = again
		? unbury(again.pieces, again.deletions)
		: PieceTree.of(size > 0 ? [...gone, piece(size)] : gone);
	for (const [run, { swept }] of Object.entries(notes.runs)) {
		if (swept && again?.deletions.has(swept.by)) notes.run(run, (it) => ({ ...it, swept: null }));
		const taken = stakes.get(run);
		if (taken) notes.run(run, (it) => ({ ...it, swept: { by: reason, size: taken } }));
	}
}

/** What the replacement leaves of a piece. */
function sweptPiece(it: Piece, reason: Reason, before: Node, start: number): Piece {
	if (it.sign) return it;
	if (!it.dead) return die(it, tokensBetween(before, start, start + it.size), [...it.dels, reason]);
	return it.dels.some((each) => isByPerson(each) || isBuried(each))
		? it
		: { ...it, dels: [...it.dels, buried(reason)] };
}

/** The runs that have a stake in a piece. */
function runsIn(it: Piece): Set<string> {
	const out = new Set<string>(it.ops.map((op) => op.by));
	if (it.ins !== null) out.add(it.ins);
	for (const reason of it.dels) {
		const run = runOfReason(reason);
		if (run !== undefined) out.add(run);
	}
	return out;
}
