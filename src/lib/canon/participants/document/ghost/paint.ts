import type { EditorView } from 'prosemirror-view';
import { agentHue } from '../../../../uix/eidos/index.js';
import { fits, type Place } from './places.js';
import { ghostKey, ghostsOf, knows, type GhostMeta } from './plugin.js';

/** What {@link paintGhost} paints. @since 0.1.0 */
export interface GhostPaint {
	/** Names the ghost, for instance the id of the step whose argument arrives. */
	readonly key: string;
	/** Where it begins. Read the first time alone; from then on edits carry the place along. */
	readonly pos: number;
	/** All of the text so far, shown as it is written, line breaks included. */
	readonly text: string;
	/** Stands between blocks as one of its own. @default whether `pos` lies between blocks */
	readonly block?: boolean;
	/** Id of the agent, for its hue. */
	readonly agent?: string;
	/** Hue in degrees. @default the one the agent's id gives on every page */
	readonly hue?: number;
}

const tell = (view: EditorView, meta: GhostMeta): void =>
	view.dispatch(view.state.tr.setMeta(ghostKey, meta).setMeta('addToHistory', false));

/**
 * Shows text that is still arriving. The first call places an element beside the content with one transaction that changes
 * no content; every later one only lengthens its text, once a frame. Caret, selection, focus and scrolling stay as they
 * are, and nothing of it is spoken.
 * @returns whether it can be seen: false once its place was deleted, the view is gone, or `pos` is none
 * @since 0.1.0
 */
export function paintGhost(
	view: EditorView,
	{ key, pos, text, block, agent, hue = agent === undefined ? undefined : agentHue(agent) }: GhostPaint
): boolean {
	if (view.isDestroyed || !ghostKey.getState(view.state)) return false;
	const ghosts = ghostsOf(view);
	const known = knows(view, key);
	if (known === 'gone') return false;
	if (known === 'here') {
		ghosts.of(key, false).text = text;
		ghosts.soon();
		return true;
	}
	const { doc } = view.state;
	if (!fits(doc, pos)) return false;
	const place: Place = {
		key,
		pos,
		block: block ?? !doc.resolve(pos).parent.inlineContent,
		...(agent !== undefined && { agent }),
		...(hue !== undefined && { hue })
	};
	const ghost = ghosts.of(key, place.block, agent, hue);
	ghost.text = text;
	ghost.write();
	tell(view, { place });
	// A filter of the app may have refused the transaction.
	return knows(view, key) === 'here';
}

/**
 * Takes a ghost away, with one transaction that changes no content. Without such a ghost nothing happens. Where text takes
 * its place, put `{ clear: key }` into the writing transaction instead.
 * @since 0.1.0
 */
export function clearGhost(view: EditorView, key: string): void {
	if (!view.isDestroyed && knows(view, key) !== 'no') tell(view, { clear: key });
}
