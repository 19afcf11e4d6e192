import type { Fragment, Node } from 'prosemirror-model';

/** The children of a node, or of a fragment, as a list. @internal */
export function children(of: Node | Fragment): readonly Node[] {
	const out: Node[] = [];
	of.forEach((child) => void out.push(child));
	return out;
}
