import { Fragment, type Node, type ResolvedPos } from 'prosemirror-model';
import { placesOf } from '../blocks/index.js';
import { type DocumentChange, type DocumentRefusal, type Ground, no, type Plan } from './change.js';

/** The border of the outermost node that holds nothing but this one and can be spared. */
function outermost($pos: ResolvedPos): ResolvedPos {
	let $at = $pos;
	// A cell of a table stays a cell, whatever it holds.
	while ($at.depth > 0 && !spared($at) && $at.parent.childCount === 1 && !$at.parent.type.spec.isolating)
		$at = $at.doc.resolve($at.before($at.depth));
	return spared($at) ? $at : $pos;
}

const spared = ($at: ResolvedPos): boolean => $at.parent.canReplace($at.index(), $at.index() + 1);

/** @internal */
export function remove(
	{ state: { doc } }: Ground,
	{ id }: DocumentChange & { kind: 'remove' }
): Plan | DocumentRefusal {
	const place = placesOf(doc).get(id);
	if (!place) return no('block-unknown');
	const $at = outermost(doc.resolve(place.pos));
	const [from, to] = [$at.pos, $at.pos + $at.nodeAfter!.nodeSize];
	if (spared($at)) return { ok: true, from, to, stamps: false, write: (tr) => void tr.delete(from, to) };
	// The last block of a document, the only one of a cell: something has to stay, so its place stays and is empty.
	const index = $at.index();
	const { parent } = $at;
	const before = parent.contentMatchAt(index);
	const rest: Node[] = [];
	for (let at = index + 1; at < parent.childCount; at++) rest.push(parent.child(at));
	const fill = before.fillBefore(Fragment.from(rest), true);
	if (!fill || fill.size === 0)
		return no('place', `Without it ${parent.type.name} would not be whole.`, place.block);
	if (place.node.isTextblock && place.node.content.size === 0 && fill.firstChild!.type === place.node.type)
		return no('nothing', undefined, place.block);
	return { ok: true, from, to, stamps: false, write: (tr) => void tr.replaceWith(from, to, fill) };
}
