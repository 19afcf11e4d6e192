import type { EditorState } from 'prosemirror-state';
import { type DocumentPart } from './blocks/index.js';
import { strayOf } from './blocks/stray.js';
import { drafted } from './draft.js';
import type { DocumentRefusal, Plan } from './edits/index.js';
import { edit } from './timeline/index.js';

/** Why a plan, written by a run, would reach out of a part of the document. What does not fit at all is refused elsewhere. @internal */
export function reachesOut(state: EditorState, plan: Plan, part: DocumentPart): DocumentRefusal | undefined {
	let fits = false;
	// The caret goes where it will go, since a part may be where it stands.
	const tr = edit(state, '', (draft) => {
		fits = drafted(plan, draft).ok;
		return draft;
	});
	if (!fits) return undefined;
	const carried = plan.carry?.(tr, state.selection);
	if (carried) tr.setSelection(carried);
	const stray = strayOf(state, tr, part);
	if (!stray) return undefined;
	const { text, block } = stray;
	return { ok: false, code: 'out-of-scope', text, ...(block && { current: block }) };
}
