import {
	Fragment,
	Slice,
	type ContentMatch,
	type Node,
	type NodeType,
	type ResolvedPos
} from 'prosemirror-model';
import { ReplaceStep, StepMap } from 'prosemirror-transform';
import { livingSize, piece, signPiece, type Piece } from '../row/piece.js';
import { SCAFFOLD } from '../row/tag.js';
import { sliceOf } from '../row/slice.js';
import { isInlineToken, isTag, tokenSize, type Token } from '../row/token.js';
import { attempt } from './attempt.js';
import { resolved } from './values.js';
import type { Work } from './work.js';

/**
 * Words that should stand and found no place (their block is gone, and the structure round it took no words) come as a
 * paragraph of their own behind the place they stood, each text by itself. Nothing anybody wrote is lost. The next undo or
 * redo takes them home first and looks for their place again.
 */
export function placeStrays(work: Work): void {
	if (!work.pieces.some((it) => isStray(work, it))) return;
	work.pieces = work.pieces.flatMap((it) => (isStray(work, it) ? singleTokens(it) : [it]));
	for (const words of textsOf(work).reverse()) placeText(work, words);
}

const isStray = (work: Work, it: Piece): boolean =>
	it.dead !== null && work.wants(it) && it.dead.some(isInlineToken);

const singleTokens = (it: Piece): Piece[] =>
	it.dead!.map((token) => ({ ...it, size: tokenSize(token), dead: [token] }));

/** From the first stray of a text to its last. */
interface Text {
	readonly first: number;
	last: number;
}

/** What a living token or a tag that is wanted parts is not one text. */
function textsOf(work: Work): Text[] {
	const out: Text[] = [];
	let text: Text | null = null;
	work.pieces.forEach((it, index) => {
		if (it.sign) return;
		if (isStray(work, it)) {
			if (text) text.last = index;
			else out.push((text = { first: index, last: index }));
		} else if (!it.dead || (work.wants(it) && it.dead.some(isTag))) text = null;
	});
	return out;
}

function placeText(work: Work, { first, last }: Text): void {
	let home = 0;
	for (let i = 0; i < first; i++) home += livingSize(work.pieces[i]!);
	// What lies dead among the words goes with them: else they would not find their order again on the way home.
	const text = work.pieces.slice(first, last + 1);
	const words = text.filter((it) => isStray(work, it)).map((it) => resolved(work, it, it.dead![0]!));
	const place = placeFor(work.doc.resolve(home), words, work);
	if (!place) return;
	const { pos, node } = place;
	if (!attempt(work.tr, [new ReplaceStep(pos, pos, new Slice(Fragment.from(node), 0, 0))])) return;
	work.places.push(new StepMap([pos, 0, node.nodeSize]));
	work.report.homeless += node.content.size;
	work.report.back += node.content.size;
	const id = work.sign();
	const scaffold = { ...piece(1), dels: [SCAFFOLD], away: id };
	const placed = text.map((it) => ({ ...it, away: id, dead: isStray(work, it) ? null : it.dead }));
	const next = [...work.pieces.slice(0, first), signPiece('away', id)];
	let at = home;
	let index = last + 1;
	while (at < pos) {
		const it = work.pieces[index++]!;
		at += livingSize(it);
		next.push(at > pos ? { ...it, size: it.size - (at - pos) } : it);
	}
	next.push(scaffold, ...placed, scaffold);
	if (at > pos) next.push({ ...work.pieces[index - 1]!, size: at - pos });
	work.pieces = [...next, ...work.pieces.slice(index)];
}

/** The innermost node round the place that takes a textblock there, and the textblock. */
function placeFor(
	$home: ResolvedPos,
	words: readonly Token[],
	work: Work
): { pos: number; node: Node } | null {
	for (let depth = $home.depth; depth >= 0; depth--) {
		const parent = $home.node(depth);
		if (parent.inlineContent) continue;
		const isHome = depth === $home.depth;
		const index = isHome ? $home.index() : $home.indexAfter(depth);
		for (const type of textblocks(parent.contentMatchAt(index))) {
			const node = textblock(type, words, work);
			if (node && parent.canReplaceWith(index, index, type))
				return { pos: isHome ? $home.pos : $home.after(depth + 1), node };
		}
	}
	return null;
}

/** Textblocks that may stand here without being told anything, the schema's default first. */
function textblocks(match: ContentMatch): NodeType[] {
	const out: NodeType[] = [];
	for (let i = 0; i < match.edgeCount; i++) {
		const { type } = match.edge(i);
		if (type.isTextblock && !type.hasRequiredAttrs()) out.push(type);
	}
	return out;
}

/** Null where the type does not take these words. Marks that it does not allow are left out: words go before looks. */
function textblock(type: NodeType, words: readonly Token[], work: Work): Node | null {
	const row = words.map((token) => ({ ...token, marks: type.allowedMarks(token.marks) }));
	const { content } = sliceOf(row, work.schema);
	return type.validContent(content) ? type.create(null, content) : null;
}
