import { Plugin } from 'prosemirror-state';
import { blockIds, type BlockIdsOptions } from './blocks/index.js';
import { ghostPlugin } from './ghost/index.js';
import { origins, type OriginsOptions } from './origins/index.js';
import { provenancePlugin, type ProvenanceOptions } from './provenance/index.js';
import {
	timelineKey,
	timelineKeys,
	undoTimeline,
	type TimelineKeysOptions,
	type TimelineOptions
} from './timeline/index.js';

/** What {@link documentPlugins} takes. @since 0.1.0 */
export interface DocumentPluginOptions
	extends
		BlockIdsOptions,
		OriginsOptions,
		ProvenanceOptions,
		TimelineKeysOptions,
		Pick<TimelineOptions, 'steps'> {}

/** Plugins in two parts, because an editor asks its plugins in the order of its row. @since 0.1.0 */
export interface DocumentPlugins {
	/** Before the history plugin and every keymap: Mod-z is theirs to answer. */
	readonly first: readonly Plugin[];
	/** After the history plugin: they ask what it has just done. */
	readonly last: readonly Plugin[];
}

/** Nothing later would say why Mod-z takes the wrong thing, so the editor does not even begin. */
const inOrder = (): Plugin =>
	new Plugin({
		view({ state }) {
			const history = state.plugins.findIndex((plugin) => 'key' in plugin && plugin.key === 'history$');
			if (history > state.plugins.indexOf(timelineKey.get(state)!))
				throw new Error(
					'The document plugins stand before history(). Put `last` of documentPlugins() behind it, or let documentRow() do so.'
				);
			return {};
		}
	});

/**
 * All a bare ProseMirror editor needs to be a document that an agent may write in. One set for each editor.
 * @see {@link documentRow}, which puts both parts where they belong
 * @since 0.1.0
 */
export function documentPlugins(options: DocumentPluginOptions = {}): DocumentPlugins {
	return {
		first: [timelineKeys(options)],
		last: [
			undoTimeline({ steps: options.steps }),
			blockIds(options),
			origins(options),
			provenancePlugin(options),
			ghostPlugin(),
			inOrder()
		]
	};
}

/**
 * The app's own row of plugins with those of the document around it.
 * @example EditorState.create({ doc, plugins: documentRow([history(), keymap(baseKeymap)]) })
 * @since 0.1.0
 */
export function documentRow(plugins: readonly Plugin[], options?: DocumentPluginOptions): Plugin[] {
	const { first, last } = documentPlugins(options);
	return [...first, ...plugins, ...last];
}
