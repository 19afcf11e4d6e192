import { Fragment } from 'prosemirror-model';
import type { EditorState } from 'prosemirror-state';
import { blockAt, placesOf } from '../blocks/index.js';
import { replaceBlocks } from '../markdown/index.js';
import {
	type DocumentAnchor,
	type DocumentChange,
	type DocumentRefusal,
	type Ground,
	no,
	type Plan
} from './change.js';
import { blocksFrom, identified } from './content.js';

/** The position behind which something enters. @internal */
export function anchorPos(state: EditorState, at: DocumentAnchor): number | DocumentRefusal {
	const { doc, selection } = state;
	if (at === 'start') return 0;
	if (at === 'end') return doc.content.size;
	if (at === 'selection') {
		const place = blockAt(doc, selection.to);
		if (!place) return doc.content.size;
		// Behind the whole of what the caret stands in: in the middle of a list or a table nobody expects a paragraph.
		return placesOf(doc).get(place.block.inside ?? place.block.id)?.end ?? place.end;
	}
	return placesOf(doc).get(at.after)?.end ?? no('block-unknown');
}

/** @internal */
export function insert(
	ground: Ground,
	{ at, content }: DocumentChange & { kind: 'insert' }
): Plan | DocumentRefusal {
	const { state } = ground;
	const { doc } = state;
	const pos = anchorPos(state, at);
	if (typeof pos !== 'number') return pos;
	const read = blocksFrom(ground, content);
	if (!read.ok) return read;
	if (read.nodes.length === 0) return no('nothing');
	const $pos = doc.resolve(pos);
	const only = doc.childCount === 1 ? doc.firstChild! : undefined;
	// An empty document is an empty paragraph that waits for the first one.
	if (only?.isTextblock && only.content.size === 0 && $pos.depth === 0) {
		const nodes = identified(read.nodes, true, ground);
		if (!doc.canReplace(0, 1, Fragment.from(nodes)))
			return misplaced(
				nodes.map(({ type }) => type.name),
				doc.type.name
			);
		return {
			ok: true,
			from: 0,
			to: doc.content.size,
			stamps: true,
			write: (tr) => void replaceBlocks(tr, 0, doc.content.size, nodes)
		};
	}
	const nodes = identified(read.nodes, $pos.depth === 0, ground);
	if (!$pos.parent.canReplace($pos.index(), $pos.index(), Fragment.from(nodes)))
		return misplaced(
			nodes.map(({ type }) => type.name),
			$pos.parent.type.name
		);
	return { ok: true, from: pos, to: pos, stamps: true, write: (tr) => void tr.insert(pos, nodes) };
}

/** @internal */
export const misplaced = (names: readonly string[], parent: string): DocumentRefusal =>
	no('place', `${[...new Set(names)].join(', ')} cannot stand there, in ${parent}.`);
