import type { Node } from 'prosemirror-model';

/** Text, or an inline leaf, in a range. */
export interface Inline {
	readonly node: Node;
	readonly parent: Node | null;
	readonly from: number;
	readonly to: number;
}

/** Inline nodes of a range, cut to it. Goes down from the node that holds the whole range. */
export function inlineBetween(doc: Node, from: number, to: number): Inline[] {
	const out: Inline[] = [];
	const $from = doc.resolve(from);
	const depth = $from.sharedDepth(to);
	const start = $from.start(depth);
	$from.node(depth).nodesBetween(
		from - start,
		to - start,
		(node, pos, parent) => {
			if (!node.isInline) return;
			out.push({ node, parent, from: Math.max(pos, from), to: Math.min(pos + node.nodeSize, to) });
		},
		start
	);
	return out;
}
