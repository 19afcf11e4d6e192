import type { Node, Slice } from 'prosemirror-model';
import type { Piece } from '../row/piece.js';
import { sliceOf } from '../row/slice.js';
import { Reader } from '../row/reader.js';
import { isInlineToken, type Token } from '../row/token.js';

/** Neighbouring pieces that change sides: `[from, to)` goes out of the document, `back` comes in. */
export interface Edit {
	readonly from: number;
	readonly to: number;
	/** Indexes of the pieces. */
	readonly pieces: readonly number[];
	readonly back: readonly Token[];
	readonly slice: Slice;
	/** How much deeper the document is behind it than it would be: 0 if it is balanced in itself. */
	readonly net: number;
	/** The edit with the nodes that it opens or closes, whole. */
	readonly hull: { readonly from: number; readonly to: number };
	/** Words for words in one textblock. */
	readonly inText: boolean;
	/** Where the innermost node that holds it ends. */
	readonly end: number;
}

/** Edits that are balanced together. */
export interface Group {
	readonly edits: readonly Edit[];
	readonly from: number;
	readonly to: number;
	/** No partner was found that balances it. */
	readonly odd: boolean;
	/** Does an edit of another group lie in its range? Then the range cannot be rebuilt by itself. */
	readonly crossed: boolean;
}

/** The edits that bring the document in line with `want`, from left to right. Dead ones that stay dead lie between. */
export function editsOf(doc: Node, pieces: readonly Piece[], want: readonly boolean[]): Edit[] {
	const raw: { from: number; to: number; pieces: number[]; back: Token[] }[] = [];
	let at = 0;
	let open: (typeof raw)[number] | null = null;
	pieces.forEach((it, index) => {
		if (it.sign) return;
		if (want[index] === !it.dead) {
			if (it.dead) return;
			open = null;
			at += it.size;
			return;
		}
		if (!open) raw.push((open = { from: at, to: at, pieces: [], back: [] }));
		open.pieces.push(index);
		if (it.dead) for (const token of it.dead) open.back.push(token);
		else open.to = at += it.size;
	});
	const reader = new Reader(doc);
	return raw.map((edit) => ({
		...edit,
		...(shapeInText(doc, reader, edit) ?? shapeOf(doc, edit.from, edit.to, edit.back))
	}));
}

type Shape = Pick<Edit, 'slice' | 'net' | 'hull' | 'inText' | 'end'>;

/** Words for words in one textblock: most edits are that, and it needs no look at the document. */
function shapeInText(
	doc: Node,
	reader: Reader,
	{ from, to, back }: Pick<Edit, 'from' | 'to' | 'back'>
): Shape | null {
	if (!back.every(isInlineToken)) return null;
	const end = reader.endOfTextblock(from, to);
	if (end === null) return null;
	return { slice: sliceOf(back, doc.type.schema), net: 0, hull: { from, to }, inText: true, end };
}

function shapeOf(doc: Node, from: number, to: number, back: readonly Token[]): Shape {
	const $from = doc.resolve(from);
	const $to = doc.resolve(to);
	const slice = sliceOf(back, doc.type.schema);
	const net = $to.depth - slice.openEnd - ($from.depth - slice.openStart);
	const depth = Math.min($from.sharedDepth(to), $from.depth - slice.openStart);
	if (depth < 0) return { slice, net, hull: { from, to }, inText: false, end: to };
	const hull = {
		from: $from.depth > depth ? $from.before(depth + 1) : from,
		to: $to.depth > depth ? $to.after(depth + 1) : to
	};
	return { slice, net, hull, inText: false, end: $from.end(depth) };
}

/** Edits that need each other, together: a tag with its other half, and what lies between. */
export function groupsOf(edits: readonly Edit[]): Group[] {
	const out: Group[] = [];
	for (let i = 0; i < edits.length; i++) {
		const edit = edits[i]!;
		let net = edit.net;
		let last = i;
		while (net !== 0 && last + 1 < edits.length && edits[last + 1]!.from <= edit.end)
			net += edits[++last]!.net;
		if (net !== 0) last = i;
		const list = edits.slice(i, last + 1);
		const alone = edit.net === 0;
		const from = alone ? edit.from : Math.min(...list.map(({ hull }) => hull.from));
		const to = alone ? edit.to : Math.max(...list.map(({ hull }) => hull.to));
		const before = edits[i - 1];
		const behind = edits[last + 1];
		const crossed =
			(before !== undefined && before.to >= from) || (behind !== undefined && behind.from <= to);
		out.push({ edits: list, from, to, odd: net !== 0, crossed });
		i = last;
	}
	return out;
}
