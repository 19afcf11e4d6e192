import {
	defineCommands,
	defineMarkSpec,
	defineNodeSpec,
	definePlugin,
	Priority,
	union,
	withPriority,
	type Extension
} from '@prosekit/core';
import type { NodeSpec } from 'prosemirror-model';
import { agentHue } from '../../../uix/eidos/index.js';
import { withBlockIds } from './blocks/index.js';
import { commentMark } from './edits/index.js';
import { documentPlugins, type DocumentPluginOptions } from './plugins.js';
import { MARK, withProvenance } from './provenance/index.js';
import { timelineCommands } from './take-back.js';

/** What {@link defineAgentDocument} takes. @since 0.1.0 */
export interface AgentDocumentOptions extends DocumentPluginOptions {
	/** Brings the mark `comment`. Turn it off where the editor has one of its own. @default true */
	comments?: boolean;
}

/** The rules of the extended node come before those it is merged with, which know nothing of the new attributes. */
const first = ({ parseDOM, ...spec }: NodeSpec): NodeSpec => ({
	...spec,
	...(parseDOM && { parseDOM: parseDOM.map((rule) => ({ ...rule, priority: (rule.priority ?? 50) + 1 })) })
});

/**
 * Puts all that a ProseKit editor needs to be a document that an agent may write in around the app's own extension: ids and
 * provenance for every node it has, one undo over the person and the runs for keys, menus and `commands.undo()`.
 * @param extension with all nodes; what is added to the editor besides stays without ids
 * @example createEditor({ extension: defineAgentDocument(defineBasicExtension(), { takeBack }) })
 * @since 0.1.0
 */
export function defineAgentDocument<E extends Extension>(
	extension: E,
	options: AgentDocumentOptions = {}
): E {
	const { schema } = extension;
	if (!schema)
		throw new Error('defineAgentDocument: the extension has no nodes. Give it the one that defines them.');
	const { hue = agentHue } = options;
	const top = schema.topNodeType.name;
	const specs = withProvenance({ nodes: schema.spec.nodes, marks: {}, topNode: top }, { hue });
	const nodes = Object.entries(withBlockIds(specs.nodes, top)).filter(
		([name, spec]) => spec !== schema.spec.nodes.get(name)
	);
	const { first: before, last } = documentPlugins(options);
	const { undo, redo } = timelineCommands(options.takeBack);
	// Of several parts that define the same, the one with the highest priority counts, and of those the last.
	const defined = [
		...nodes.map(([name, spec]) => defineNodeSpec({ ...first(spec), name })),
		...(options.comments === false ? [] : [defineMarkSpec({ ...commentMark, name: 'comment' })]),
		defineMarkSpec({ ...specs.marks[MARK]!, name: MARK }),
		defineCommands({ undo: () => undo, redo: () => redo }),
		definePlugin([...before])
	];
	return union(
		extension,
		...defined.map((part) => withPriority(part, Priority.highest)),
		withPriority(definePlugin([...last].reverse()), Priority.lowest)
	) as unknown as E;
}
