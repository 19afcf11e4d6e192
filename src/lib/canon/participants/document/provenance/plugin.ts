import type { Schema } from 'prosemirror-model';
import { Plugin, PluginKey } from 'prosemirror-state';
import { agentHue } from '../../../../uix/eidos/index.js';
import { newBlockId } from '../blocks/index.js';
import type { CopyBook } from './copies.js';
import { followScroll } from './around.js';
import {
	describeBlock,
	NOTHING,
	paintAll,
	paintAround,
	repaint,
	type BlockPaint,
	type Painted,
	type WrittenBlock
} from './paint.js';
import { Clipboard } from './paste.js';
import { ownRemarks } from './remarks.js';
import { stripTyped } from './strip.js';
import { ATTRIBUTE, MARK, type HueOf } from './written.js';

/** What {@link provenancePlugin} takes. @since 0.1.0 */
export interface ProvenanceOptions {
	/**
	 * The `aria-description` of a block with an agent's words in it; `''` for none. Told once a block.
	 * @default "Written by Ada", "Partly written by Ada and Bruno"
	 */
	describe?: (block: WrittenBlock) => string;
	/** Hue of an agent in degrees. @default the one the schema paints its words in */
	hue?: HueOf;
	/**
	 * Where copies are remembered. Give one that reaches further than the page to let provenance travel between tabs.
	 * @default the last 20 copies of this page, in memory
	 */
	copies?: CopyBook;
}

/** Finds the painted blocks in a state. @since 0.1.0 */
export const provenanceKey = new PluginKey<Painted>('agentProvenance');

const hasPlace = ({ marks, nodes }: Schema): boolean =>
	marks[MARK] !== undefined || Object.values(nodes).some(({ spec }) => spec.attrs?.[ATTRIBUTE] !== undefined);

/**
 * Keeps provenance true while people edit, and shows it: what is typed inside an agent's words is the person's, bare text
 * that is pasted there too, what is copied within the app stays the agent's, and what a foreign page claims is taken off,
 * comments in somebody's name as well; the copy of a comment is a comment of its own.
 * Each block with an agent's words gets a sign in the margin and a description; in a document of very many such blocks those
 * near the view. With a schema that has no place for provenance it does nothing.
 * @since 0.1.0
 */
export function provenancePlugin(options: ProvenanceOptions = {}): Plugin<Painted> {
	const paintOf = ({ marks }: Schema): BlockPaint => ({
		describe: options.describe ?? describeBlock,
		hue: options.hue ?? (marks[MARK]?.spec['hue'] as HueOf | undefined) ?? agentHue
	});
	const clipboard = new Clipboard(options.copies);
	return new Plugin<Painted>({
		key: provenanceKey,
		state: {
			init: (_, { doc, schema }) => (hasPlace(schema) ? paintAll(doc, paintOf(schema)) : NOTHING),
			apply: (tr, painted) => {
				const { schema } = tr.doc.type;
				if (!hasPlace(schema)) return painted;
				const looked = tr.getMeta(provenanceKey) as { readonly around: number } | undefined;
				if (looked) return paintAround(tr.doc, looked.around, paintOf(schema));
				return tr.docChanged ? repaint(painted, tr, paintOf(schema)) : painted;
			}
		},
		appendTransaction: (transactions, before, state) => {
			const stripped = hasPlace(state.schema)
				? stripTyped(transactions, before, state, clipboard.pastedAsText)
				: null;
			const tr = ownRemarks(transactions, state, stripped ?? state.tr, () => newBlockId(state));
			return tr.docChanged ? tr : null;
		},
		props: {
			attributes: { 'data-participant': 'document' },
			decorations: (state) => provenanceKey.getState(state)?.set,
			...clipboard.props
		},
		view: (view) => {
			const unsign = clipboard.sign(view);
			const stay = followScroll(
				view,
				() => provenanceKey.getState(view.state)?.part ?? null,
				(pos) =>
					view.dispatch(view.state.tr.setMeta(provenanceKey, { around: pos }).setMeta('addToHistory', false))
			);
			return {
				destroy: () => {
					unsign();
					stay();
				}
			};
		}
	});
}
