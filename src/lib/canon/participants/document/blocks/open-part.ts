import type { Node } from 'prosemirror-model';
import type { Selection } from 'prosemirror-state';
import { levelOf } from './block.js';
import { spanAround, spanOf } from './outline.js';
import { blockAt, placesIn, placesOf, type Place } from './places.js';
import { idOf } from './schema.js';

/**
 * A part of a document: the section the caret stands in, the blocks that are selected, the block of the caret; named sections (by
 * heading) or blocks, with what stands inside them; or exactly these blocks.
 * @since 0.1.0
 */
export type DocumentPart =
	| 'section'
	| 'selection'
	| 'block'
	| { readonly sections: readonly string[] }
	| { readonly blocks: readonly string[] }
	| { readonly exactly: ReadonlySet<string> };

/** Ids of the blocks that make up a part. @internal */
export function openIn(doc: Node, selection: Selection, part: DocumentPart): ReadonlySet<string> {
	if (typeof part === 'object' && 'exactly' in part) return part.exactly;
	const places = [...placesOf(doc).values()];
	const ids = (wanted: (place: Place) => boolean) =>
		new Set(places.flatMap((place) => (wanted(place) ? [place.block.id] : [])));
	if (part === 'selection') return selection.empty ? new Set() : selected(doc, selection);
	const headings = headingsOf(doc, selection, part);
	if (headings) {
		const open = new Set<number>();
		for (const heading of headings) {
			const span = spanOf(doc, placesOf(doc).get(heading)!.index);
			for (let at = span?.from ?? 0; at < (span?.to ?? 0); at++) open.add(at);
		}
		return ids(({ index }) => open.has(index));
	}
	const named =
		typeof part === 'object' && 'blocks' in part ? part.blocks : [blockAt(doc, selection.to)?.block.id ?? ''];
	return ids(({ block: { id, inside } }) => named.includes(id) || (!!inside && named.includes(inside)));
}

/** Headings whose sections a part is; `undefined` where it is made of blocks. @internal */
export function headingsOf(
	doc: Node,
	selection: Selection,
	part: DocumentPart
): readonly string[] | undefined {
	if (part === 'section') {
		const place = blockAt(doc, selection.to);
		const span = place && spanAround(doc, place.index);
		return span ? [idOf(doc.child(span.from)) ?? []].flat() : [];
	}
	if (typeof part === 'string' || !('sections' in part)) return undefined;
	return part.sections.filter((id) => {
		const place = placesOf(doc).get(id);
		return place?.block.inside === undefined && place !== undefined && levelOf(place.node) !== undefined;
	});
}

/** Blocks of text that are touched, and what holds no other. */
function selected(doc: Node, { from, to }: Selection): ReadonlySet<string> {
	const touched = placesIn(doc, from, to);
	const open = new Set(touched.flatMap(({ node, block }) => (node.isTextblock ? [block.id] : [])));
	for (const { node, pos, end, block } of touched)
		if (innerOf(doc, pos, end, block.id).every((id) => open.has(id)) && !node.isTextblock) open.add(block.id);
	return open;
}

/** Ids of the blocks inside one. @internal */
export const innerOf = (doc: Node, pos: number, end: number, id: string): readonly string[] =>
	placesIn(doc, pos, end).flatMap(({ block, pos: at }) =>
		block.id !== id && at > pos && at < end ? [block.id] : []
	);
