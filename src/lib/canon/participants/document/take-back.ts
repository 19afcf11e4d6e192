import type { Command } from 'prosemirror-state';
import {
	nextUnit,
	redo,
	timelineCommand,
	undo,
	type TimelineKeysOptions,
	type Way
} from './timeline/index.js';

/**
 * Undo and redo as an editor's commands, for toolbars and menus: what the keys do, `takeBack` included. Without it, or
 * without a view, a run is taken back here alone.
 * @since 0.1.0
 */
export function timelineCommands(takeBack?: TimelineKeysOptions['takeBack']): Readonly<Record<Way, Command>> {
	if (!takeBack) return { undo, redo };
	const go = timelineCommand(takeBack);
	const command =
		(way: Way, local: Command): Command =>
		(state, dispatch, view) => {
			if (!view || nextUnit(state, way)?.by !== 'run') return local(state, dispatch, view);
			// A command may be one of a chain, whose transaction has to be out before another begins.
			if (dispatch) queueMicrotask(() => !view.isDestroyed && go(view, way));
			return true;
		};
	return { undo: command('undo', undo), redo: command('redo', redo) };
}
