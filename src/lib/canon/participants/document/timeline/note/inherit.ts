import type { ResolvedPos } from 'prosemirror-model';
import { piece, type Piece } from '../row/piece.js';
import { tokenSize, type Token } from '../row/token.js';
import type { PieceTree } from '../row/tree.js';
import { keysOf, markKey, NO_OPS, pruned, sameValue, valueOf, type Op } from '../row/value.js';
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
		if (token.kind === 'text') return who === null ? standing(notes, near, token) : NO_OPS;
		return token.kind === 'open' ? standing(notes, opener, token) : NO_OPS;
	};
	return row.map((token) => piece(tokenSize(token), who, opsOf(token), guest));
}

const livingAt = (pieces: PieceTree, pos: number): Piece | undefined => {
	const hit = pieces.find(pos);
	return hit ? pieces.at(hit.index) : undefined;
};

const markOps = (ops: readonly Op[]): readonly Op[] =>
	ops.length > 0 ? ops.filter((op) => op.key.startsWith('m:')) : NO_OPS;

/** All ops of those keys for which the new token has the value that they lead to, or cannot have one in its type. */
function standing(notes: Notes, ops: readonly Op[], token: Token): readonly Op[] {
	if (ops.length === 0) return NO_OPS;
	const keys = keysOf(ops).filter(
		(key) => isHidden(token, key) || sameValue(valueIn(token, key), valueOf(ops, key, notes.stands))
	);
	const out = ops.filter((op) => keys.includes(op.key));
	return out.length === ops.length ? ops : pruned(out);
}

const isHidden = (token: Token, key: string): boolean =>
	token.kind !== 'text' && key.startsWith('a:') && !token.type.spec.attrs?.[key.slice(2)];

function valueIn(token: Token, key: string): unknown {
	if (key.startsWith('m:')) return token.marks.find((mark) => markKey(mark) === key) ?? null;
	if (token.kind === 'text') return undefined;
	return key === 'type' ? token.type.name : token.attrs[key.slice(2)];
}
