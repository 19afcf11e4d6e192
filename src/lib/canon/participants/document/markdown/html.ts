import { DOMSerializer, Fragment, type Node } from 'prosemirror-model';
import { describedSerializer, toldOnce, type WrittenBlock } from '../provenance/index.js';
import { PROVENANCE } from './units.js';

/** What {@link toHTML} takes. @since 0.1.0 */
export interface ToHTMLOptions {
	/** The document that makes the elements. @default the page's own */
	document?: Document;
	/** Say who wrote what: in attributes that are read back, and in an `aria-description`. @default false */
	provenance?: boolean;
	/**
	 * The sentence for a block that is an agent's, and for its words elsewhere; `''` for none.
	 * @default "Written by Ada"
	 */
	describe?: (block: WrittenBlock) => string;
}

/**
 * A document or a block as HTML, the way its own schema says it.
 * @since 0.1.0
 */
export function toHTML(
	node: Node,
	{ document = globalThis.document, provenance = false, describe }: ToHTMLOptions = {}
): string {
	if (!document) throw new TypeError('toHTML() needs a document: pass { document } where there is no page.');
	const { schema } = node.type;
	const content = node.type === schema.topNodeType ? node.content : Fragment.from(node);
	const host = document.createElement('div');
	const serializer = provenance ? describedSerializer(schema, describe) : DOMSerializer.fromSchema(schema);
	host.append(serializer.serializeFragment(provenance ? content : withoutAuthorship(content), { document }));
	if (provenance) toldOnce(host);
	return host.innerHTML;
}

/** The same content, written by nobody. @internal */
export function withoutAuthorship(content: Fragment): Fragment {
	const nodes: Node[] = [];
	content.forEach((node) => {
		const marks = node.marks.filter(({ type }) => type.name !== PROVENANCE);
		if (node.isText) nodes.push(node.mark(marks));
		else {
			const attrs = node.attrs.agent != null && node.isBlock ? { ...node.attrs, agent: null } : node.attrs;
			nodes.push(node.type.create(attrs, withoutAuthorship(node.content), marks));
		}
	});
	return Fragment.fromArray(nodes);
}
