import { Fragment, type Node, type NodeType } from 'prosemirror-model';
import { idOf, takesId } from '../blocks/index.js';
import { stamped } from '../provenance/index.js';
import { children } from './children.js';
import { parseInline, parseMarkdown } from '../markdown/index.js';
import { type DocumentContent, type DocumentRefusal, type Ground, no } from './change.js';

/** Nodes to be written, or why there are none. @internal */
export type Read = { readonly ok: true; readonly nodes: readonly Node[] } | DocumentRefusal;

/**
 * Content as blocks of the editor's schema.
 * @param old what it takes the place of, for lines that stand for what Markdown cannot say
 * @internal
 */
export function blocksFrom(
	{ state, format, markdown }: Ground,
	content: DocumentContent,
	old: readonly Node[] = []
): Read {
	const { schema } = state;
	if (typeof content === 'string' || !('nodes' in content)) {
		const [text, how] = worded(content, format);
		const parsed = parseMarkdown(text, schema, { ...markdown, format: how, kept: old });
		return parsed.ok ? parsed : no(parsed.code, parsed.text);
	}
	for (const node of content.nodes) {
		if (node.type.schema !== schema)
			return no('schema', 'The nodes are of another schema: make them with that of this editor.');
		try {
			node.check();
		} catch (error) {
			return no('schema', String((error as Error).message));
		}
	}
	return { ok: true, nodes: content.nodes };
}

type Words = string | { readonly markdown: string } | { readonly text: string };

const worded = (content: Words, format: 'markdown' | 'text'): [text: string, format: 'markdown' | 'text'] =>
	typeof content === 'string'
		? [content, format]
		: 'markdown' in content
			? [content.markdown, 'markdown']
			: [content.text, 'text'];

/** Content as what stands in one textblock of a type. @internal */
export function inlineFrom(
	{ state, format, markdown }: Ground,
	content: Words,
	parent: NodeType,
	old: readonly Node[] = []
): Read {
	const [text, how] = worded(content, format);
	const parsed = parseInline(text, state.schema, { ...markdown, format: how, parent, kept: old });
	return parsed.ok ? parsed : no(parsed.code, parsed.text);
}

/**
 * Gives new blocks the ids they need and says who wrote them, before they enter: what a run writes then needs neither a
 * second transaction nor a step more for each of its blocks.
 * @param top do the nodes become children of the document?
 * @internal
 */
export function identified(
	nodes: readonly Node[],
	top: boolean,
	{ newId, written }: Pick<Ground, 'newId' | 'written'>
): readonly Node[] {
	const visit = (node: Node, parent: NodeType | undefined): Node => {
		const by = written ? stamped(node, parent, written) : node;
		if (node.isInline) return by;
		const due = takesId(node) && ((top && !parent) || node.isTextblock) && idOf(node) === undefined;
		const attrs = due ? { ...by.attrs, id: newId() } : by.attrs;
		const content = node.isLeaf
			? node.content
			: Fragment.from(children(node).map((one) => visit(one, node.type)));
		return node.type.create(attrs, content, node.marks);
	};
	return nodes.map((node) => visit(node, undefined));
}
