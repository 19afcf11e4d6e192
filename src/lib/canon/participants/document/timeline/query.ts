import type { EditorState } from 'prosemirror-state';
import { unitsOf, type Unit } from './entry.js';
import { livingSize } from './row/piece.js';
import { timelineKey } from './table.js';

/** What the timeline knows of a run. @since 0.1.0 */
export interface RunState {
	readonly run: string;
	/** Between its begin and its end: it cannot be taken back yet. */
	readonly live: boolean;
	/** False while it is taken back. */
	readonly stands: boolean;
}

/** The runs that wrote in this document, in the order in which they began. @since 0.1.0 */
export const runs = (state: EditorState): readonly RunState[] =>
	Object.entries(timelineKey.getState(state)?.runs ?? {}).map(([run, { live, stands }]) => ({
		run,
		live,
		stands
	}));

/** What Mod-z takes back, oldest first. @since 0.1.0 */
export const units = (state: EditorState): readonly Unit[] =>
	unitsOf(timelineKey.getState(state)?.units ?? []);

/** What Mod-Shift-z brings back, next one last. @since 0.1.0 */
export const undoneUnits = (state: EditorState): readonly Unit[] =>
	unitsOf(timelineKey.getState(state)?.undone ?? []);

/** A stretch of the document, in positions. @since 0.1.0 */
export interface TextRange {
	readonly from: number;
	readonly to: number;
}

/** Where the tokens stand that a run put in, neighbours joined. Words the person typed inside are not among them. @since 0.1.0 */
export function rangesOf(state: EditorState, run: string): readonly TextRange[] {
	const out: { from: number; to: number }[] = [];
	let at = 0;
	for (const it of timelineKey.getState(state)?.pieces.toArray() ?? []) {
		const from = at;
		const size = livingSize(it);
		at += size;
		if (size === 0 || it.ins !== run) continue;
		const last = out.at(-1);
		if (last?.to === from) last.to = at;
		else out.push({ from, to: at });
	}
	return out;
}
