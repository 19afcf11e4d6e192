import {
	callOrReturn,
	Extension,
	getExtensionField,
	Mark,
	type CommandProps,
	type RawCommands
} from '@tiptap/core';
import type { Command } from 'prosemirror-state';
import { agentHue } from '../../../uix/eidos/index.js';
import { BLOCK_ATTRIBUTE } from './blocks/index.js';
import { commentMark } from './edits/index.js';
import { documentPlugins, type DocumentPluginOptions } from './plugins.js';
import { agentTextMark, ATTRIBUTE, MARK, readProvenance } from './provenance/index.js';
import { isWritten, paintedAttributes } from './provenance/written.js';
import { timelineCommands } from './take-back.js';

/** What {@link AgentDocument} may be configured with. @since 0.1.0 */
export interface AgentDocumentOptions extends DocumentPluginOptions {
	/** Brings the mark `comment`. Turn it off where the editor has one of its own. @default true */
	comments?: boolean;
}

/** Who wrote a stretch of words. The first mark, so that a bold word inside does not cut it. */
const AgentText = Mark.create<AgentDocumentOptions>({
	name: MARK,
	priority: 1100,
	inclusive: false,
	keepOnSplit: false,
	addAttributes: () => ({
		run: { rendered: false },
		agent: { rendered: false },
		name: { default: null, rendered: false },
		version: { default: null, rendered: false },
		at: { rendered: false }
	}),
	parseHTML() {
		return agentTextMark().parseDOM;
	},
	renderHTML({ mark }) {
		const { hue = agentHue } = this.options;
		return agentTextMark({ hue }).toDOM!(mark, true);
	}
});

/** What somebody says of a stretch of words. */
const Comment = Mark.create({
	name: 'comment',
	inclusive: false,
	excludes: '',
	addAttributes: () =>
		Object.fromEntries(
			Object.entries(commentMark.attrs!).map(([name, spec]) => [name, { ...spec, rendered: false }])
		),
	parseHTML: () => commentMark.parseDOM,
	renderHTML: ({ mark }) => commentMark.toDOM!(mark, true)
});

/** Before UndoRedo, whose priority is 100, and before every keymap. */
const Keys = Extension.create<AgentDocumentOptions>({
	name: 'agentDocumentKeys',
	priority: 1000,
	addProseMirrorPlugins() {
		return [...documentPlugins(this.options).first];
	}
});

/** After UndoRedo: of two commands with one name the later counts, and the timeline asks what history has just done. */
const Timeline = Extension.create<AgentDocumentOptions>({
	name: 'agentDocumentTimeline',
	priority: 10,
	addCommands() {
		const { undo, redo } = timelineCommands(this.options.takeBack);
		const raw =
			(command: Command) =>
			() =>
			({ state, dispatch, view }: CommandProps) =>
				command(state, dispatch, view);
		return { undo: raw(undo), redo: raw(redo) } as Partial<RawCommands>;
	},
	addProseMirrorPlugins() {
		return [...documentPlugins(this.options).last];
	}
});

/**
 * Makes a Tiptap editor a document that an agent may write in: ids and provenance for every node, one undo over the person
 * and the runs for keys, menus and `commands.undo()`. Works beside StarterKit, tables and node views, and in svelte-tiptap.
 * @example new Editor({ extensions: [StarterKit, AgentDocument.configure({ takeBack })] })
 * @since 0.1.0
 */
export const AgentDocument = Extension.create<AgentDocumentOptions>({
	name: 'agentDocument',
	addExtensions() {
		const { comments = true } = this.options;
		const parts = [AgentText, Keys, Timeline].map((part) => part.configure(this.options));
		return comments ? [...parts, Comment] : parts;
	},
	addGlobalAttributes() {
		const { hue = agentHue } = this.options;
		const types = this.extensions.flatMap((extension) => {
			const { name, options, storage, type } = extension;
			const field = (key: 'topNode' | 'inline') =>
				callOrReturn(getExtensionField(extension, key, { name, options, storage }) as unknown);
			return type !== 'node' || name === 'text' || field('topNode') || field('inline') ? [] : [name];
		});
		return [
			{
				types,
				attributes: {
					id: {
						default: null,
						keepOnSplit: false,
						parseHTML: (element) => element.getAttribute(BLOCK_ATTRIBUTE),
						renderHTML: ({ id }) => (typeof id === 'string' ? { [BLOCK_ATTRIBUTE]: id } : {})
					},
					[ATTRIBUTE]: {
						default: null,
						keepOnSplit: false,
						parseHTML: readProvenance,
						renderHTML: ({ [ATTRIBUTE]: by }) => (isWritten(by) ? paintedAttributes(by, hue) : {})
					}
				}
			}
		];
	}
});
