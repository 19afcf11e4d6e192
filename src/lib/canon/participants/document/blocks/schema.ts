import type { Node, NodeSpec, Schema } from 'prosemirror-model';
import { isBlockId } from './ids.js';

/** Attribute of the HTML in which a block carries its id, so that it survives copying, saving and loading. @since 0.1.0 */
export const BLOCK_ATTRIBUTE = 'data-block';

/** Node types of a schema: a plain object, or the ordered map some packages export. @since 0.1.0 */
export type NodeSpecs =
	Readonly<Record<string, NodeSpec>> | { forEach(visit: (name: string, spec: NodeSpec) => void): void };

/**
 * Adds the attribute `id` to every node type that can be a block, and takes it through HTML. For schemas that are written by
 * hand; the Tiptap and ProseKit adapters bring their own.
 * @param top name of the top node, which is no block
 * @example new Schema({ nodes: withBlockIds(nodes), marks })
 * @since 0.1.0
 */
export function withBlockIds(nodes: NodeSpecs, top = 'doc'): Record<string, NodeSpec> {
	const out: [string, NodeSpec][] = [];
	eachSpec(nodes, (name, spec) =>
		out.push([name, name === top || name === 'text' || spec.inline ? spec : identified(spec)])
	);
	return Object.fromEntries(out);
}

function eachSpec(nodes: NodeSpecs, visit: (name: string, spec: NodeSpec) => void): void {
	if (typeof nodes.forEach === 'function')
		(nodes as { forEach(visit: (name: string, spec: NodeSpec) => void): void }).forEach(visit);
	else for (const [name, spec] of Object.entries(nodes as Record<string, NodeSpec>)) visit(name, spec);
}

function identified(spec: NodeSpec): NodeSpec {
	if (spec.attrs && Object.hasOwn(spec.attrs, 'id')) return spec;
	const { toDOM, parseDOM } = spec;
	return {
		...spec,
		attrs: { ...spec.attrs, id: { default: null } },
		...(toDOM && { toDOM: (node: Node) => stamped(toDOM(node), node.attrs['id'] as unknown) }),
		...(parseDOM && {
			parseDOM: parseDOM.map((rule) => ({
				...rule,
				getAttrs: (dom: HTMLElement) => {
					const given = rule.getAttrs ? rule.getAttrs(dom as HTMLElement & string) : (rule.attrs ?? null);
					if (given === false) return false;
					return { ...given, id: dom.getAttribute?.(BLOCK_ATTRIBUTE) ?? null };
				}
			}))
		})
	};
}

type Output = ReturnType<NonNullable<NodeSpec['toDOM']>>;

/** The rendered node with its id on the outermost element. */
function stamped(output: Output, id: unknown): Output {
	if (typeof id !== 'string') return output;
	if (Array.isArray(output)) {
		const [tag, second, ...rest] = output as unknown as [string, unknown, ...unknown[]];
		const attrs = isAttrs(second) ? second : undefined;
		const children = attrs || second === undefined ? rest : [second, ...rest];
		return [tag, { ...attrs, [BLOCK_ATTRIBUTE]: id }, ...children] as unknown as Output;
	}
	const dom = typeof output === 'object' && 'dom' in output ? output.dom : output;
	if (typeof dom === 'object') (dom as Element).setAttribute?.(BLOCK_ATTRIBUTE, id);
	return output;
}

const isAttrs = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value) && !('nodeType' in value);

/**
 * Is this node a block, something that has an id, is read, addressed and rewritten as one? Every child of the document is,
 * and every textblock inside one: an item of a list, a quoted paragraph, a paragraph in a cell.
 * @since 0.1.0
 */
export const isBlock = (node: Node, parent: Node | null | undefined, doc: Node): boolean =>
	node.isTextblock || (parent === doc && !node.isInline);

/** Can this node carry an id? @since 0.1.0 */
export const takesId = (node: Node): boolean => !node.isInline && 'id' in node.attrs;

/** The id a node carries; a sentence or a reserved word counts as none, and the block gets another. @since 0.1.0 */
export const idOf = (node: Node): string | undefined => {
	const id: unknown = node.attrs['id'];
	return typeof id === 'string' && isBlockId(id) ? id : undefined;
};

/** Whether what a document of this schema begins with can carry an id. @internal */
export function canHaveIds({ topNodeType, nodes }: Schema): boolean {
	const first = topNodeType.contentMatch.defaultType ?? nodes['paragraph'];
	return first?.isBlock === true && first.spec.attrs !== undefined && 'id' in first.spec.attrs;
}
