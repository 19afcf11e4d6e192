import { type Place, placesOf } from '../blocks/index.js';
import { type DocumentRefusal, type Ground, no } from './change.js';
import { inlineFrom } from './content.js';
import { type Found, findText } from './find-text.js';

/** Where a quoted text stands in a block: once, or as often as is asked for. @internal */
export function quoted(
	ground: Ground,
	id: string,
	quote: string,
	all = false
): { readonly ok: true; readonly found: readonly Found[] } | DocumentRefusal {
	const place = placesOf(ground.state.doc).get(id);
	if (!place) return no('block-unknown');
	let found = findText(place.node, place.pos, quote);
	if (found.length === 0 && ground.format === 'markdown') {
		// Quoted as it was read, with its asterisks.
		const type = place.node.isTextblock ? place.node.type : ground.state.schema.nodes['paragraph'];
		const read = type ? inlineFrom(ground, { markdown: quote }, type) : no('schema');
		const plain = read.ok ? read.nodes.map((node) => node.text ?? '').join('') : '';
		if (plain !== quote) found = findText(place.node, place.pos, plain);
	}
	if (found.length === 0) return no('not-found', undefined, place.block);
	if (found.length > 1 && !all)
		return no('ambiguous', `The text stands in the block ${found.length} times.`, place.block);
	return { ok: true, found };
}

/** What a mark is put on: the one place of a quote, or all of a block. @internal */
export function spansOf(
	ground: Ground,
	{ block, pos, end }: Place,
	quote: string | undefined
): { readonly ok: true; readonly found: readonly Pick<Found, 'from' | 'to'>[] } | DocumentRefusal {
	return quote === undefined
		? { ok: true, found: [{ from: pos + 1, to: end - 1 }] }
		: quoted(ground, block.id, quote);
}
