import { isLiving } from '../row/piece.js';
import { NO_OPS, type Change } from '../row/value.js';
import type { Notes } from './notes.js';

/**
 * Values of the tokens of `[from, to)` changed: noted for a run. The person's word is final: it wipes what runs did to
 * that key there.
 */
export function revalue(notes: Notes, from: number, to: number, changes: readonly Change[]): void {
	const { who } = notes;
	if (changes.length === 0) return;
	const keys = new Set(changes.map(({ key }) => key));
	const ops = who === null ? NO_OPS : changes.map((change) => ({ ...change, by: who }));
	const start = notes.pieces.border(from, true);
	const end = start.tree.border(to, false);
	const range = end.tree.slice(start.index, end.index);
	const next = range.map((it) => {
		if (!isLiving(it)) return it;
		if (who !== null) return { ...it, ops: [...it.ops, ...ops] };
		const rest = it.ops.filter((op) => !keys.has(op.key));
		return rest.length === it.ops.length ? it : { ...it, ops: rest.length > 0 ? rest : NO_OPS };
	});
	notes.pieces = end.tree.splice(start.index, end.index, next);
}
