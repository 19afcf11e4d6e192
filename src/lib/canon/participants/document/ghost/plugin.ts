import type { Node } from 'prosemirror-model';
import { Plugin, PluginKey, type Transaction } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { Ghosts } from './ghost.js';
import { add, clear, has, moved, NOWHERE, type Place, type Places } from './places.js';

/** Says in a transaction that ghosts come or go with it. */
export interface GhostMeta {
	readonly place?: Place;
	/** Key of the ghost that goes, in the transaction that writes what it showed. */
	readonly clear?: string | readonly string[];
}

interface GhostState {
	readonly places: Places;
	readonly set: DecorationSet;
}

/**
 * Key of {@link ghostPlugin}. `tr.setMeta(ghostKey, { clear: key })` on the transaction that writes the text makes ghost
 * and text change places in one step.
 * @since 0.1.0
 */
export const ghostKey = new PluginKey<GhostState>('agentGhost');

const views = new WeakMap<EditorView, Ghosts>();

/** The ghosts of a view; they outlive a change of its plugins. */
export function ghostsOf(view: EditorView): Ghosts {
	let ghosts = views.get(view);
	if (!ghosts) views.set(view, (ghosts = new Ghosts(view)));
	return ghosts;
}

function decorate(doc: Node, { here }: Places): DecorationSet {
	if (here.length === 0) return DecorationSet.empty;
	return DecorationSet.create(
		doc,
		here.map(({ key, pos, block, agent, hue }) =>
			Decoration.widget(pos, (view) => ghostsOf(view).of(key, block, agent, hue).dom, {
				// The key makes a redraw take the element that is there instead of a new one.
				key,
				side: 1,
				ignoreSelection: true,
				stopEvent: () => true
			})
		)
	);
}

function after(tr: Transaction, before: GhostState): GhostState {
	const meta = tr.getMeta(ghostKey) as GhostMeta | undefined;
	if (!meta && (!tr.docChanged || before.places === NOWHERE)) return before;
	let places = tr.docChanged ? moved(before.places, tr.mapping) : before.places;
	for (const key of [meta?.clear ?? []].flat()) places = clear(places, key);
	if (meta?.place) places = add(places, meta.place);
	if (places.here.length + places.gone.length === 0) places = NOWHERE;
	return places === before.places ? before : { places, set: decorate(tr.doc, places) };
}

/**
 * Lets text that is still being written be seen before it is text: beside the content, not in it. See {@link paintGhost}.
 * @since 0.1.0
 */
export function ghostPlugin(): Plugin<GhostState> {
	return new Plugin<GhostState>({
		key: ghostKey,
		state: {
			init: () => ({ places: NOWHERE, set: DecorationSet.empty }),
			apply: after
		},
		props: {
			attributes: { 'data-participant': 'document' },
			decorations: (state) => ghostKey.getState(state)?.set
		},
		view: (view) => {
			const ghosts = ghostsOf(view);
			// What was due when the editor's plugins changed.
			ghosts.soon();
			return {
				update: ({ state }, before) => {
					const now = ghostKey.getState(state);
					if (now === ghostKey.getState(before)) return;
					ghosts.keep(new Set(now?.places.here.map(({ key }) => key)));
				},
				destroy: () => ghosts.rest()
			};
		}
	});
}

/** Whether a ghost with this key stands, or stood where everything has been deleted since. */
export const knows = (view: EditorView, key: string): 'here' | 'gone' | 'no' => {
	const places = ghostKey.getState(view.state)?.places ?? NOWHERE;
	if (!has(places, key)) return 'no';
	return places.gone.includes(key) ? 'gone' : 'here';
};
