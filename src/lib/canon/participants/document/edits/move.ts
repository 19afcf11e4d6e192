import type { Node, ResolvedPos } from 'prosemirror-model';
import { StepMap } from 'prosemirror-transform';
import { placesOf } from '../blocks/index.js';
import { type DocumentChange, type DocumentRefusal, type Ground, no, type Plan } from './change.js';
import { misplaced } from './insert.js';

/** @internal */
export function move(
	{ state: { doc } }: Ground,
	{ id, to }: DocumentChange & { kind: 'move' }
): Plan | DocumentRefusal {
	const places = placesOf(doc);
	const place = places.get(id);
	if (!place) return no('block-unknown');
	const anchor = typeof to === 'string' ? undefined : places.get(to.after);
	if (typeof to !== 'string' && !anchor)
		return no('block-unknown', 'There is no block of this id to move it behind.');
	if (anchor === place) return no('nothing', undefined, place.block);

	let $from = doc.resolve(place.pos);
	let target = to === 'start' ? 0 : to === 'end' ? doc.content.size : anchor!.end;
	const siblings = anchor && itemsOf($from, doc.resolve(anchor.pos));
	if (siblings) [$from, target] = siblings;
	const node = $from.nodeAfter!;
	const [from, end] = [$from.pos, $from.pos + node.nodeSize];
	if (target === from || target === end) return no('nothing', undefined, place.block);
	if (target > from && target < end) return no('place', 'A block cannot be moved into itself.', place.block);
	const $target = doc.resolve(target);
	if (!$target.parent.canReplaceWith($target.index(), $target.index(), node.type))
		return misplaced([node.type.name], $target.parent.type.name);
	const alone = !$from.parent.canReplace($from.index(), $from.index() + 1);
	if (alone && !($target.parent === $from.parent))
		return no('place', `Without it ${$from.parent.type.name} would not be whole.`, place.block);
	const into = target > from ? target - node.nodeSize : target;
	return {
		ok: true,
		from: Math.min(from, target),
		to: Math.max(end, target),
		stamps: false,
		write: (tr) => {
			// Two plain steps and the very same node: that is how everybody sees that it was moved and not written anew.
			tr.delete(from, end);
			tr.insert(into, node);
		},
		carry: (tr, selection) =>
			selection.from >= from && selection.to <= end
				? selection.map(tr.doc, StepMap.offset(into - from))
				: undefined
	};
}

/** Items of one list, rows of one table: what holds the block and what holds the anchor, where both have one holder. */
function itemsOf($from: ResolvedPos, $anchor: ResolvedPos): [ResolvedPos, number] | undefined {
	const depth = Math.min($from.sharedDepth($anchor.pos), $from.depth, $anchor.depth);
	const shared = $from.node(depth);
	if (depth === 0 || shared.type === $from.doc.type) return undefined;
	if ($from.depth === depth || $anchor.depth === depth) return undefined;
	// Only a block that begins its holder stands for it.
	if (firstTextblock($from.node(depth + 1)) !== $from.nodeAfter) return undefined;
	return [$from.doc.resolve($from.before(depth + 1)), $anchor.after(depth + 1)];
}

function firstTextblock(node: Node): Node | undefined {
	let at: Node | null | undefined = node;
	while (at && !at.isTextblock) at = at.firstChild;
	return at ?? undefined;
}
