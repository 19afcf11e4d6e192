import { Fragment, type Mark, type Node } from 'prosemirror-model';
import type { Transform } from 'prosemirror-transform';
import { changeInline } from './inline-steps.js';
import type { ReplaceOptions } from './replace.js';
import { identity, Keys } from './same.js';
import { clusters, LEAF } from './tokens.js';

/** Why a text was not replaced, or that it was. @since 0.1.0 */
export type ReplaceTextResult<Tr> =
	| { readonly ok: true; readonly tr: Tr; readonly from: number; readonly to: number }
	| { readonly ok: false; readonly code: 'not-found' | 'ambiguous' | 'schema'; readonly text: string };

/**
 * Replaces an exact text that stands once in the textblock at `blockPos`, word by word as {@link replaceBlocks} does. A
 * string takes the marks of the first character it replaces, authorship excepted; nodes stand as they are. `from` and `to`
 * are where the new text stands in `tr.doc`. Codes: `not-found`, `ambiguous` (more than once; give more of the words
 * around it), `schema` (the block does not take it).
 * @since 0.1.0
 */
export function replaceText<Tr extends Transform>(
	tr: Tr,
	blockPos: number,
	find: string,
	replacement: string | readonly Node[],
	{ ignore }: ReplaceOptions = {}
): ReplaceTextResult<Tr> {
	const block = tr.doc.nodeAt(blockPos);
	if (!block?.isTextblock) return refused('not-found', 'There is no block of text at this place.');
	const places = placesOf(block.content, find);
	if (places.length === 0)
		return refused('not-found', `The block has no ${quoted(find)}. It says: ${quoted(block.textContent)}`);
	if (places.length > 1) {
		const text = `The block has ${quoted(find)} more than once. Give more of the words around it.`;
		return refused('ambiguous', text);
	}
	const from = places[0]!;
	const to = from + find.length;
	const next =
		typeof replacement === 'string'
			? written(block, from, replacement)
			: Fragment.fromArray([...replacement]);
	const whole = block.content.cut(0, from).append(next).append(block.content.cut(to));
	if (!block.type.validContent(whole))
		return refused('schema', `A ${block.type.name} does not take this text.`);
	const start = blockPos + 1;
	changeInline(tr, start + from, block.content.cut(from, to), next, new Keys(ignore));
	return { ok: true, tr, from: start + from, to: start + from + next.size };
}

const refused = (code: 'not-found' | 'ambiguous' | 'schema', text: string) => ({
	ok: false as const,
	code,
	text
});

const LONGEST = 200;

const quoted = (text: string): string =>
	JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

function written(block: Node, from: number, text: string): Fragment {
	if (text === '') return Fragment.empty;
	const { node } = block.childAfter(from);
	const marks: readonly Mark[] = (node?.marks ?? []).filter((mark) => !identity.mark(mark));
	return Fragment.from(block.type.schema.text(text, marks));
}

/** Where a text stands; never in the middle of what people see as one character. At most two places are looked for. */
function placesOf(content: Fragment, find: string): readonly number[] {
	if (find === '') return [];
	let text = '';
	content.forEach((node) => (text += node.isText ? node.text! : LEAF.repeat(node.nodeSize)));
	const places: number[] = [];
	if (find.includes(LEAF) || !text.includes(find)) return places;
	const edges = new Set([0]);
	let edge = 0;
	for (const cluster of clusters(text)) edges.add((edge += cluster.length));
	for (let at = text.indexOf(find); at !== -1 && places.length < 2; at = text.indexOf(find, at + 1)) {
		if (edges.has(at) && edges.has(at + find.length)) places.push(at);
	}
	return places;
}
