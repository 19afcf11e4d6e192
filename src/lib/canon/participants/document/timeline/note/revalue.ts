import { isLiving } from '../row/piece.js';
import { NO_OPS, NOBODY, pruned, type Change, type Op } from '../row/value.js';
import type { Notes } from './notes.js';

/**
 * Values of the tokens of `[from, to)` changed: noted for a run. The person's word is final: it wipes what runs did to
 * that key there.
 */
export function revalue(notes: Notes, from: number, to: number, changes: readonly Change[]): void {
	const { who } = notes;
	if (changes.length === 0) return;
	const ops = who === null ? NO_OPS : changes.map((change) => ({ ...change, by: who }));
	const start = notes.pieces.border(from, true);
	const end = start.tree.border(to, false);
	const next = end.tree.slice(start.index, end.index).map((it) => {
		if (!isLiving(it)) return it;
		return { ...it, ops: who === null ? settled(it.ops, changes) : [...it.ops, ...ops] };
	});
	notes.pieces = end.tree.splice(start.index, end.index, next);
}

/** The ops after the person's word. */
function settled(ops: readonly Op[], changes: readonly Change[]): readonly Op[] {
	if (ops.length === 0) return ops;
	const keys = new Set(changes.map(({ key }) => key));
	const rest = ops.filter((op) => !keys.has(op.key));
	if (rest.some(({ key }) => key === 'type'))
		for (const { key, now } of changes)
			if (key.startsWith('a:')) rest.push({ key, by: NOBODY, was: now, now });
	return pruned(rest);
}
