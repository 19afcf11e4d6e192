import type { ResolvedPos } from 'prosemirror-model';
import { piece, type Piece } from '../row/piece.js';
import { tokenSize, type Token } from '../row/token.js';
import type { PieceTree } from '../row/tree.js';
import { keysOf, markKey, NO_OPS, sameValue, valueOf, type Op } from '../row/value.js';
import type { Notes } from './notes.js';

/**
 * New tokens with the history they inherit: words typed inside words that a run made bold are bold only because of the
 * run; a block split off a block that a run made a heading is one only because of it. So they take over those ops, and
 * undo un-bolds the typed word too. Inside the words of a run the person is a guest: kept, and counted.
 */
export function inherit(
	notes: Notes,
	pieces: PieceTree,
	index: number,
	$from: ResolvedPos,
	shift: number,
	row: readonly Token[]
): Piece[] {
	const { who } = notes;
	const at = pieces.startOf(index);
	const left = livingAt(pieces, at - 1);
	const right = livingAt(pieces, at);
	const near = markOps(($from.parentOffset > 0 ? left : right)?.ops ?? NO_OPS);
	const opener = $from.depth > 0 ? (livingAt(pieces, $from.before() + shift)?.ops ?? NO_OPS) : NO_OPS;
	const host = who === null ? left && (left.guest ?? left.ins) : undefined;
	const guest = host && right && host === (right.guest ?? right.ins) ? host : null;

	const opsOf = (token: Token): readonly Op[] => {
		if (token.kind === 'text')
			return who === null
				? standing(notes, near, (key) => token.marks.find((mark) => markKey(mark) === key) ?? null)
				: NO_OPS;
		if (token.kind === 'open')
			return standing(notes, opener, (key) =>
				key === 'type'
					? token.type.name
					: key.startsWith('a:')
						? token.attrs[key.slice(2)]
						: (token.marks.find((mark) => markKey(mark) === key) ?? null)
			);
		return NO_OPS;
	};
	return row.map((token) => piece(tokenSize(token), who, opsOf(token), guest));
}

const livingAt = (pieces: PieceTree, pos: number): Piece | undefined => {
	const hit = pieces.find(pos);
	return hit ? pieces.at(hit.index) : undefined;
};

const markOps = (ops: readonly Op[]): readonly Op[] =>
	ops.length > 0 ? ops.filter((op) => op.key.startsWith('m:')) : NO_OPS;

/** All ops of those keys for which the new token has the value that they lead to. */
function standing(notes: Notes, ops: readonly Op[], now: (key: string) => unknown): readonly Op[] {
	if (ops.length === 0) return NO_OPS;
	const keys = keysOf(ops).filter((key) => sameValue(now(key), valueOf(ops, key, notes.stands)));
	if (keys.length === 0) return NO_OPS;
	const out = ops.filter((op) => keys.includes(op.key));
	return out.length === ops.length ? ops : out;
}
