import { Fragment, type Mark, type MarkType, type Node, type Schema } from 'prosemirror-model';
import type { MarkWord } from './words.js';

/** A piece of text, or a leaf. @internal */
export interface Piece {
	text: string;
	readonly node?: Node;
}

/** A stretch of pieces that carries a mark: from piece, to piece (exclusive). @internal */
export interface Stretch {
	readonly word: MarkWord;
	readonly from: number;
	to: number;
	readonly attrs?: Readonly<Record<string, unknown>>;
}

/** What the schema says to it. @internal */
export interface Loom {
	readonly schema: Schema;
	/** The type of a mark, or a refusal. */
	mark(word: MarkWord): MarkType;
	refuse(what: string): never;
}

/** Pieces and the marks over them as nodes, in one walk. @internal */
export function weave(pieces: readonly Piece[], stretches: readonly Stretch[], loom: Loom): Fragment {
	const starts = new Map<number, Stretch[]>();
	for (const stretch of stretches) {
		const list = starts.get(stretch.from);
		if (list) list.push(stretch);
		else starts.set(stretch.from, [stretch]);
	}
	let open: { mark: Mark; to: number }[] = [];
	const nodes: Node[] = [];
	pieces.forEach(({ text, node }, index) => {
		if (open.some(({ to }) => to <= index)) open = open.filter(({ to }) => to > index);
		for (const { word, to, attrs } of starts.get(index) ?? []) {
			open.push({ mark: loom.mark(word).create(attrs), to });
		}
		if (text === '' && !node) return;
		const marks = together(
			open.map(({ mark }) => mark),
			loom
		);
		nodes.push(node ? node.mark(marks) : loom.schema.text(text, marks));
	});
	return Fragment.fromArray(nodes);
}

/** A set of marks; those that shut each other out are refused, not dropped. */
function together(marks: readonly Mark[], loom: Loom): readonly Mark[] {
	let set: readonly Mark[] = [];
	for (const mark of marks) {
		const other = set.find(
			({ type }) => type !== mark.type && (type.excludes(mark.type) || mark.type.excludes(type))
		);
		if (other) loom.refuse(`takes no ${mark.type.name} together with ${other.type.name} on the same words`);
		set = mark.addToSet(set);
	}
	return set;
}
