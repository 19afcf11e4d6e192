import type { Node } from 'prosemirror-model';

/** A stretch of text inside one textblock, in positions of the document. @internal */
export interface Found {
	readonly from: number;
	readonly to: number;
	/** The textblock, and where its content begins. */
	readonly block: Node;
	readonly start: number;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Every place where a text stands in a block, whatever marks lie over it; never half of what is read as one character. @internal */
export function findText(node: Node, pos: number, text: string): readonly Found[] {
	const found: Found[] = [];
	if (text === '') return found;
	const look = (block: Node, start: number): void => {
		const line = lineOf(block);
		for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + text.length))
			if (whole(line, at) && whole(line, at + text.length))
				found.push({ from: start + at, to: start + at + text.length, block, start });
	};
	if (node.isTextblock) look(node, pos + 1);
	else
		node.descendants((child, offset) => {
			if (child.isTextblock) look(child, pos + 1 + offset + 1);
			return !child.isTextblock && !child.isInline;
		});
	return found;
}

/** The text of a textblock, one character for each position: a break is a line break, other things are objects. */
function lineOf(block: Node): string {
	let line = '';
	block.forEach((child) => {
		line += child.isText
			? child.text!
			: child.isLeaf && /break/i.test(child.type.name)
				? '\n'
				: '\ufffc'.repeat(child.nodeSize);
	});
	return line;
}

/** Is this a border between what is read as two characters? */
function whole(line: string, at: number): boolean {
	if (at <= 0 || at >= line.length) return true;
	// Enough around it for any cluster; segmenting all of a long line would cost with its length.
	const from = Math.max(0, at - 64);
	const part = segmenter.segment(line.slice(from, at + 64)).containing(at - from);
	return part?.index === at - from;
}
