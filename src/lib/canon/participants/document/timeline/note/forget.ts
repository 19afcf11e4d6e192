import { tidy, type Piece } from '../row/piece.js';
import { byRun } from '../row/tag.js';
import { PieceTree } from '../row/tree.js';
import { pruned, type Op } from '../row/value.js';
import type { Table } from '../table.js';

/**
 * A run that was taken back and writes again starts afresh: what was taken back is over and cannot be brought back any
 * more, as typing ends what could be redone. Only so does its next undo take back exactly what it wrote since.
 */
export function forget(table: Table, run: string): Table {
	const pieces: Piece[] = [];
	for (const it of table.pieces.toArray()) {
		if (it.dead && it.ins === run) continue;
		if (it.sign?.id.startsWith(`${run}/`)) continue;
		pieces.push({
			...it,
			ins: it.ins === run ? null : it.ins,
			dels: it.dels.filter((reason) => reason !== byRun(run)),
			ops: it.ops.some((op) => op.by === run) ? withoutRun(it.ops, run) : it.ops,
			guest: it.guest === run ? null : it.guest
		});
	}
	const { [run]: _, ...runs } = table.runs;
	return {
		...table,
		runs,
		pieces: PieceTree.of(tidy(pieces)),
		docOps: withoutRun(table.docOps, run),
		undone: table.undone.filter((entry) => entry.by !== 'run' || entry.run !== run)
	};
}

/** What the run's ops had found is what the next op of that key has found. */
function withoutRun(ops: readonly Op[], run: string): readonly Op[] {
	const found = new Map<string, unknown>();
	const out: Op[] = [];
	for (const op of ops) {
		const isFirst = !out.some((each) => each.key === op.key);
		if (op.by === run) {
			if (isFirst && !found.has(op.key)) found.set(op.key, op.was);
		} else out.push(isFirst && found.has(op.key) ? { ...op, was: found.get(op.key) } : op);
	}
	return pruned(out);
}
