import type { Node, NodeType, Slice } from 'prosemirror-model';
import type { Transaction } from 'prosemirror-state';
import { ReplaceAroundStep, ReplaceStep, type Step } from 'prosemirror-transform';
import {
	ATTRIBUTE,
	blockWrittenBy,
	MARK,
	sameWritten,
	textWrittenBy,
	written,
	type Provenance,
	type Written
} from './written.js';

/** A step that only changes type or attributes of a node and keeps all of its content: it makes no block. */
function retags(step: Step, before: Node): boolean {
	if (step instanceof ReplaceStep) {
		const leaf = before.nodeAt(step.from);
		const now = step.slice.content.firstChild;
		return (
			leaf?.isLeaf === true &&
			leaf.nodeSize === step.to - step.from &&
			now?.type === leaf.type &&
			!leaf.isText
		);
	}
	if (!(step instanceof ReplaceAroundStep)) return false;
	const { from, to, gapFrom, gapTo, slice } = step;
	const old = before.nodeAt(from);
	return (
		gapFrom === from + 1 &&
		gapTo === to - 1 &&
		old?.nodeSize === to - from &&
		slice.content.childCount === 1 &&
		slice.content.firstChild!.content.size === 0
	);
}

/** Whole blocks that a slice brings, or none where it is open. */
const wholeBlocks = ({ content, openStart, openEnd }: Slice): readonly Node[] =>
	openStart === 0 && openEnd === 0 && content.childCount > 0 && content.firstChild!.isBlock
		? content.content
		: [];

/** Whether the same transaction takes the same blocks out elsewhere: they are moved, not written. */
function movedBy(tr: Transaction): (slice: Slice) => boolean {
	let out: Node[] | undefined;
	const gone = () =>
		tr.steps.flatMap((step, index) =>
			step instanceof ReplaceStep ? wholeBlocks(tr.docs[index]!.slice(step.from, step.to)) : []
		);
	return (slice) => {
		const blocks = wholeBlocks(slice);
		if (blocks.length > 0) out ??= gone();
		return blocks.length > 0 && blocks.every((block) => out!.some((other) => other.eq(block)));
	};
}

/** Whether all of it says already that it is of this writer. */
function signed({ content }: Slice, by: Written): boolean {
	let all = true;
	content.descendants((node, _pos, parent) => {
		const mark = node.type.schema.marks[MARK];
		const due = node.isInline
			? mark !== undefined && (parent?.type.allowsMarkType(mark) ?? true)
			: takesAttribute(node);
		const old = node.isInline ? textWrittenBy(node) : blockWrittenBy(node);
		if (due && !(old && sameWritten(old, by))) all = false;
		return all;
	});
	return all;
}

/**
 * What the transaction put in, in positions of its result. Blocks it moved or only changed the type of are not among it, nor
 * what is signed already.
 */
function inserted(tr: Transaction, by: Written): { from: number; to: number }[] {
	const ranges: { from: number; to: number }[] = [];
	const moved = movedBy(tr);
	const signedStep = ({ slice }: ReplaceStep) => slice.size > 0 && signed(slice, by);
	tr.steps.forEach((step, index) => {
		if (retags(step, tr.docs[index]!)) return;
		if (step instanceof ReplaceStep && (signedStep(step) || moved(step.slice))) return;
		const later = tr.mapping.slice(index + 1);
		tr.mapping.maps[index]!.forEach((_from, _to, newFrom, newTo) => {
			const from = later.map(newFrom, 1);
			const to = later.map(newTo, -1);
			if (from < to) ranges.push({ from, to });
		});
	});
	return ranges;
}

const takesAttribute = (node: Node): boolean =>
	node.isBlock && node.type.spec.attrs?.[ATTRIBUTE] !== undefined;

/** Whether its words can only be told as a whole whose they are. */
const refusesMark = (node: Node): boolean => {
	const mark = node.type.schema.marks[MARK];
	return node.isTextblock && (!mark || !node.type.allowsMarkType(mark));
};

/** A node that is still to enter a document, written by somebody: its own mark or attribute, not those of its content. */
export function stamped(node: Node, parent: NodeType | undefined, provenance: Provenance): Node {
	const by = written(provenance);
	const mark = node.type.schema.marks[MARK];
	if (node.isInline) {
		const takes = mark !== undefined && (parent?.allowsMarkType(mark) ?? true);
		return takes ? node.mark(mark.create(by).addToSet(node.marks)) : node;
	}
	if (!takesAttribute(node)) return node;
	return node.type.create({ ...node.attrs, [ATTRIBUTE]: by }, node.content, node.marks);
}

/**
 * Says of everything the transaction put in so far who wrote it: words get the mark, blocks that begin in it the
 * attribute. Blocks that it moved, and blocks whose type alone it changed, stay whose they were. Where the schema has no
 * place for it, nothing is done.
 * @since 0.1.0
 */
export function stampInserted(tr: Transaction, provenance: Provenance): Transaction {
	const { marks } = tr.doc.type.schema;
	const by = written(provenance);
	for (const { from, to } of inserted(tr, by)) {
		if (marks[MARK]) tr.addMark(from, to, marks[MARK].create(by));
		tr.doc.nodesBetween(from, to, (node, pos) => {
			if (!takesAttribute(node)) return;
			const old = blockWrittenBy(node);
			if (old && sameWritten(old, by)) return;
			// Where words take no mark, who changed them can only be told of the block.
			if ((pos >= from && pos < to) || refusesMark(node)) tr.setNodeAttribute(pos, ATTRIBUTE, by);
		});
	}
	return tr;
}
