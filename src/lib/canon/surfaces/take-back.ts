import type { JournalRecord } from '../../agent/protocol/records.js';
import type { RunState, UndoReport } from '../../agent/protocol/run-state.js';

/** Was anything of a run taken back that its participants can bring back? */
export function isRedoable({ undone }: RunState, journal: readonly JournalRecord[]): boolean {
	if (!undone) return false;
	const { parts } = (journal.findLast(({ kind }) => kind === 'run.undone')?.data ??
		{}) as Partial<UndoReport>;
	return parts === undefined || Object.values(parts).some((part) => part.undone > 0);
}
