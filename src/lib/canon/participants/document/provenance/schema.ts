import type { DOMOutputSpec, MarkSpec, NodeSpec, TagParseRule } from 'prosemirror-model';
import { agentTextMark, type PaintOptions } from './mark.js';
import { ATTRIBUTE, blockWrittenBy, isWritten, MARK, paintedAttributes, readProvenance } from './written.js';

type Specs<S> = Readonly<Record<string, S>> | { toObject(): Record<string, S> };
const plain = <S>(specs: Specs<S>): Record<string, S> =>
	typeof specs['toObject'] === 'function'
		? (specs as { toObject(): Record<string, S> }).toObject()
		: { ...(specs as Record<string, S>) };

/** What {@link withProvenance} gives to `new Schema`. @since 0.1.0 */
export interface ProvenanceSpecs {
	nodes: Record<string, NodeSpec>;
	marks: Record<string, MarkSpec>;
}

/** A rendered node with more attributes on its outermost element. */
export function withAttributes(output: DOMOutputSpec, attributes: Record<string, string>): DOMOutputSpec {
	if (typeof output === 'string') return output;
	if (Array.isArray(output)) {
		const [tag, second, ...rest] = output as [string, ...unknown[]];
		const own =
			typeof second === 'object' && second !== null && !Array.isArray(second) && !('nodeType' in second)
				? (second as Record<string, string>)
				: undefined;
		const children = own || second === undefined ? rest : [second, ...rest];
		const style = [own?.['style'], attributes['style']].filter(Boolean).join('; ');
		return [tag, { ...own, ...attributes, ...(style && { style }) }, ...children] as DOMOutputSpec;
	}
	const element = ('dom' in output ? output.dom : output) as Element;
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
	return output;
}

function readingAgent(rule: TagParseRule): TagParseRule {
	const { attrs, getAttrs, ...rest } = rule;
	return {
		...rest,
		getAttrs: (dom) => {
			const own = getAttrs ? getAttrs(dom) : (attrs ?? null);
			if (own === false) return false;
			const by = readProvenance(dom);
			return by ? { ...own, [ATTRIBUTE]: by } : own;
		}
	};
}

function block(spec: NodeSpec, options: PaintOptions): NodeSpec {
	const { toDOM, parseDOM } = spec;
	return {
		...spec,
		// Code refuses all marks, and would lose who wrote it.
		...(spec.marks === '' && { marks: MARK }),
		attrs: {
			...spec.attrs,
			[ATTRIBUTE]: {
				default: null,
				validate: (value: unknown) => {
					if (value !== null && !isWritten(value)) throw new RangeError(`${ATTRIBUTE} is no provenance`);
				}
			}
		},
		...(parseDOM && { parseDOM: parseDOM.map(readingAgent) }),
		...(toDOM && {
			toDOM: (node) => {
				const by = blockWrittenBy(node);
				return by ? withAttributes(toDOM(node), paintedAttributes(by, options.hue)) : toDOM(node);
			}
		})
	};
}

/**
 * Gives a schema a place for provenance: the mark `agentText` for words and the attribute `agent` for blocks. A schema
 * without it works as well, and then nothing is known of who wrote what.
 * @param topNode name of the document's own node
 * @example new Schema(withProvenance({ nodes, marks }))
 * @since 0.1.0
 */
export function withProvenance(
	specs: { nodes: Specs<NodeSpec>; marks?: Specs<MarkSpec>; topNode?: string },
	options: PaintOptions = {}
): ProvenanceSpecs {
	const top = specs.topNode ?? 'doc';
	const nodes = Object.fromEntries(
		Object.entries(plain(specs.nodes)).map(([name, spec]) => [
			name,
			name === top || name === 'text' || spec.inline ? spec : block(spec, options)
		])
	);
	// First is outermost: a link or a bold word inside does not cut the stretch.
	return { nodes, marks: { [MARK]: agentTextMark(options), ...(specs.marks && plain(specs.marks)) } };
}
