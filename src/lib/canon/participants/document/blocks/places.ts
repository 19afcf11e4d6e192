import type { Node } from 'prosemirror-model';
import { blockOf, type DocumentBlock } from './block.js';
import { idOf, isBlock } from './schema.js';

/** Where a block stands in one document. @internal */
export interface Place {
	readonly block: DocumentBlock;
	readonly node: Node;
	/** Before its opening tag. */
	readonly pos: number;
	/** Behind its closing tag. */
	readonly end: number;
	/** Which child of the document it is or stands in. */
	readonly index: number;
}

// A document never changes, so what was found in it holds; old ones go with their memory.
const known = new WeakMap<Node, ReadonlyMap<string, Place>>();

/** Every block of a document by id, in its order. Made once for a document. @internal */
export function placesOf(doc: Node): ReadonlyMap<string, Place> {
	let places = known.get(doc);
	if (!places) known.set(doc, (places = find(doc)));
	return places;
}

function find(doc: Node): ReadonlyMap<string, Place> {
	const places = new Map<string, Place>();
	doc.forEach((top, at, index) => {
		const above = idOf(top);
		const add = (node: Node, pos: number, inside: string | undefined) => {
			const id = idOf(node);
			// Two blocks of one id: the plugin will part them; until then the first is meant.
			if (id === undefined || places.has(id)) return;
			places.set(id, { block: blockOf(node, inside), node, pos, end: pos + node.nodeSize, index });
		};
		add(top, at, undefined);
		if (top.isTextblock || top.isLeaf) return;
		top.descendants((node, offset, parent) => {
			if (isBlock(node, parent, doc)) add(node, at + 1 + offset, above);
			return !node.isTextblock && !node.isInline;
		});
	});
	return places;
}

/** The block a position stands in, or at whose border it stands: the innermost one. @internal */
export function blockAt(doc: Node, pos: number): Place | undefined {
	const places = placesOf(doc);
	const $pos = doc.resolve(Math.max(0, Math.min(pos, doc.content.size)));
	for (let depth = $pos.depth; depth > 0; depth--) {
		const node = $pos.node(depth);
		const id = isBlock(node, $pos.node(depth - 1), doc) ? idOf(node) : undefined;
		const place = id === undefined ? undefined : places.get(id);
		if (place) return place;
	}
	const beside = $pos.depth === 0 ? ($pos.nodeAfter ?? $pos.nodeBefore) : undefined;
	const id = beside ? idOf(beside) : undefined;
	return id === undefined ? undefined : places.get(id);
}

/** The blocks a range covers or touches, outermost first where one stands in another. @internal */
export function placesIn(doc: Node, from: number, to: number): readonly Place[] {
	const places = placesOf(doc);
	const found = new Set<Place>();
	doc.nodesBetween(from, Math.max(to, from), (node, _pos, parent) => {
		const id = isBlock(node, parent, doc) ? idOf(node) : undefined;
		const place = id === undefined ? undefined : places.get(id);
		if (place) found.add(place);
		return !node.isTextblock && !node.isInline;
	});
	return [...found];
}
