import type { Node } from 'prosemirror-model';
import { blockWrittenBy, MARK, sameWritten, textWrittenBy, type Written } from './written.js';

/**
 * A stretch of a document that an agent wrote, within one block. A block that a run made and that holds no words of the
 * run (a rule, an image, a list put round the person's paragraphs) is a stretch with the text `''`.
 * @since 0.1.0
 */
export interface ProvenanceRange extends Written {
	readonly from: number;
	readonly to: number;
	readonly text: string;
}

const refusesMark = (node: Node): boolean => {
	const mark = node.type.schema.marks[MARK];
	return !mark || !node.type.allowsMarkType(mark);
};

/** Stretches inside one textblock, neighbours of one origin as one. */
function inText(parent: Node, start: number): ProvenanceRange[] {
	const ranges: ProvenanceRange[] = [];
	parent.forEach((child, offset) => {
		const by = textWrittenBy(child);
		if (!by) return;
		const from = start + offset;
		const to = from + child.nodeSize;
		const text = child.isText ? child.text! : child.textContent;
		const last = ranges.at(-1);
		if (last && last.to === from && sameWritten(last, by))
			ranges[ranges.length - 1] = { ...last, to, text: last.text + text };
		else ranges.push({ ...by, from, to, text });
	});
	return ranges;
}

/**
 * Who wrote what: every stretch an agent wrote and nobody accepted, in document order. What is not listed is the
 * person's, or came with the document. Without the mark in the schema the list is empty, or holds blocks alone.
 * @since 0.1.0
 */
export function provenance(doc: Node): readonly ProvenanceRange[] {
	const collect = (parent: Node, start: number): ProvenanceRange[] => {
		const ranges: ProvenanceRange[] = [];
		parent.forEach((node, offset) => {
			const from = start + offset;
			const inside = node.inlineContent ? inText(node, from + 1) : node.isLeaf ? [] : collect(node, from + 1);
			const by = blockWrittenBy(node);
			// A block whose type takes no marks can only be told as a whole.
			if (by && !inside.some(({ run }) => run === by.run))
				ranges.push({
					...by,
					from,
					to: from + node.nodeSize,
					text: node.inlineContent && refusesMark(node) ? node.textContent : ''
				});
			ranges.push(...inside);
		});
		return ranges;
	};
	return doc.inlineContent ? inText(doc, 0) : collect(doc, 0);
}
