import type { MarkSpec } from 'prosemirror-model';
import { agentHue } from '../../../../uix/eidos/index.js';
import { nameOf, paintedAttributes, readProvenance, type HueOf, type Provenance } from './written.js';

/** How provenance shows in the DOM. @since 0.1.0 */
export interface PaintOptions {
	/**
	 * Text for `aria-description` on each stretch of words. Leave it out in an editor, where the plugin describes whole
	 * blocks instead; give it where HTML leaves the editor.
	 * @default none
	 */
	describe?: (written: Provenance) => string;
	/** Hue of an agent in degrees, for its words and its blocks. @default the one its id gives on every page */
	hue?: HueOf;
}

/** The sentence for words that leave the editor. @since 0.1.0 */
export const writtenBy = (by: Provenance): string => `Written by ${nameOf(by)}`;

/**
 * The mark `agentText`. It does not grow when somebody types at its end, and it is the outermost mark when it stands first
 * in the schema, so that a bold word inside does not cut it in two.
 * @since 0.1.0
 */
export const agentTextMark = ({ describe, hue = agentHue }: PaintOptions = {}): MarkSpec => ({
	attrs: {
		run: { validate: 'string' },
		agent: { validate: 'string' },
		name: { default: null, validate: 'string|null' },
		version: { default: null, validate: 'string|null' },
		at: { validate: 'number' }
	},
	inclusive: false,
	hue,
	parseDOM: [
		{
			tag: 'span[data-agent][data-run][data-at]',
			getAttrs: (dom) => readProvenance(dom) ?? false
		}
	],
	toDOM: ({ attrs }) => {
		const by = attrs as Provenance;
		const said = describe?.(by);
		return [
			'span',
			{
				'data-part': 'agent-text',
				...paintedAttributes(by, hue),
				...(said && { 'aria-description': said })
			},
			0
		];
	}
});

/** {@link agentTextMark} as an editor wants it. @since 0.1.0 */
export const provenanceMark: MarkSpec = agentTextMark();
