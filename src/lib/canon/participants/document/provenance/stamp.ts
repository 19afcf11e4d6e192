import { type Node, Slice } from 'prosemirror-model';
import type { Transaction } from 'prosemirror-state';
import { ReplaceAroundStep, ReplaceStep, type Step } from 'prosemirror-transform';
import { ATTRIBUTE, MARK, written, type Provenance } from './written.js';

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
	const out: Node[] = [];
	tr.steps.forEach((step, index) => {
		if (step instanceof ReplaceStep) out.push(...wholeBlocks(tr.docs[index]!.slice(step.from, step.to)));
	});
	return (slice) => {
		const blocks = wholeBlocks(slice);
		return blocks.length > 0 && blocks.every((block) => out.some((other) => other.eq(block)));
	};
}

/** What the transaction put in, in positions of its result. Blocks it moved or only changed the type of are not among it. */
function inserted(tr: Transaction): { from: number; to: number }[] {
	const ranges: { from: number; to: number }[] = [];
	const moved = movedBy(tr);
	tr.steps.forEach((step, index) => {
		if (retags(step, tr.docs[index]!)) return;
		if (step instanceof ReplaceStep && moved(step.slice)) return;
		const later = tr.mapping.slice(index + 1);
		tr.mapping.maps[index]!.forEach((_from, _to, newFrom, newTo) => {
			const from = later.map(newFrom, 1);
			const to = later.map(newTo, -1);
			if (from < to) ranges.push({ from, to });
		});
	});
	return ranges;
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
	for (const { from, to } of inserted(tr)) {
		if (marks[MARK]) tr.addMark(from, to, marks[MARK].create(by));
		tr.doc.nodesBetween(from, to, (node, pos) => {
			if (pos >= from && pos < to && node.isBlock && node.type.spec.attrs?.[ATTRIBUTE])
				tr.setNodeAttribute(pos, ATTRIBUTE, by);
		});
	}
	return tr;
}
