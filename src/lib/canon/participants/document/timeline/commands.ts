import { redo as historyRedo, redoDepth, undo as historyUndo, undoDepth } from 'prosemirror-history';
import type { Command, EditorState } from 'prosemirror-state';
import type { Unit } from './entry.js';
import { redoRun, undoRun } from './stand/stand.js';
import { recordOf, timelineKey } from './table.js';

/** Back or forth in time. @since 0.1.0 */
export type Way = 'undo' | 'redo';

const turn = { undo: undoRun, redo: redoRun };
const own = { undo: historyUndo, redo: historyRedo };
const depth = { undo: undoDepth, redo: redoDepth };

/**
 * What Mod-z (or Mod-Shift-z) would take next: a run, or an event of the person's history; null if there is nothing. Runs
 * that cannot turn (live, taken back elsewhere) and events the history has forgotten are passed over.
 * @since 0.1.0
 */
export function nextUnit(state: EditorState, way: Way): Unit | null {
	const table = timelineKey.getState(state);
	const row = (way === 'undo' ? table?.units : table?.undone) ?? [];
	const events = (depth[way](state) as number) > 0;
	for (const entry of row.toReversed()) {
		if (entry.by === 'person') {
			if (events) return { by: 'person' };
			continue;
		}
		const record = recordOf(table!.runs, entry.run);
		if (record && !record.live && record.stands === (way === 'undo')) return entry;
	}
	return events ? { by: 'person' } : null;
}

/** An undo that failed is no reason to do nothing: then the person's own is next. */
const command =
	(way: Way): Command =>
	(state, dispatch, view) => {
		const unit = nextUnit(state, way);
		if (unit?.by === 'run') {
			const stood = turn[way](state, unit.run);
			if (stood && stood.report.code !== 'undo-failed') {
				dispatch?.(stood.tr);
				return true;
			}
		}
		return own[way](state, dispatch, view);
	};

/**
 * Takes back what happened last, be it a run or an event of the person. Same signature as the command of
 * prosemirror-history, to be used in its stead, in menus too.
 * @since 0.1.0
 */
export const undo: Command = command('undo');

/** Brings back what was taken back last. See `undo`. @since 0.1.0 */
export const redo: Command = command('redo');
