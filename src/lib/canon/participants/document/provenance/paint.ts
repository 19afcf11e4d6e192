import type { Node } from 'prosemirror-model';
import { Decoration, DecorationSet } from 'prosemirror-view';
import {
	blockWrittenBy,
	MARK,
	nameOf,
	textWrittenBy,
	type HueOf,
	type Provenance,
	type Written
} from './written.js';

/** What is known of the writing of one block. @since 0.1.0 */
export interface WrittenBlock {
	/** Each agent that wrote in it, once, in the order of its first word. */
	readonly by: readonly Provenance[];
	/** Nothing in it is anybody else's. */
	readonly whole: boolean;
}

/** "Written by Ada", "Partly written by Ada and Bruno". @since 0.1.0 */
export function describeBlock({ by, whole }: WrittenBlock): string {
	const names = by.map(nameOf);
	const last = names.pop() ?? '';
	const all = names.length > 0 ? `${names.join(', ')} and ${last}` : last;
	return whole ? `Written by ${all}` : `Partly written by ${all}`;
}

/** How blocks are described and coloured. */
export interface BlockPaint {
	describe: (block: WrittenBlock) => string;
	hue: HueOf;
}

function writtenIn(block: Node): WrittenBlock | undefined {
	const by = new Map<string, Written>();
	const made = blockWrittenBy(block);
	if (block.isLeaf) return made && { by: [made], whole: true };
	let whole = true;
	block.forEach((child) => {
		const writer = textWrittenBy(child);
		if (!writer) whole = false;
		else if (!by.has(writer.agent)) by.set(writer.agent, writer);
	});
	if (by.size > 0) return { by: [...by.values()], whole };
	const mark = block.type.schema.marks[MARK];
	const takesMark = mark !== undefined && block.type.allowsMarkType(mark);
	return made && !takesMark && block.content.size > 0 ? { by: [made], whole: true } : undefined;
}

const initial = (name: string): string =>
	String.fromCodePoint(name.trim().codePointAt(0) ?? 63).toUpperCase();

/** One decoration for each block with an agent's words between `from` and `to`: told once a block, not once a word. */
function decorations(doc: Node, from: number, to: number, { describe, hue }: BlockPaint): Decoration[] {
	const found: Decoration[] = [];
	doc.nodesBetween(from, to, (node, pos) => {
		if (node.isInline) return false;
		if (!node.inlineContent && !node.isLeaf) return true;
		const block = writtenIn(node);
		if (!block) return false;
		const [first] = block.by as [Provenance];
		const said = describe(block);
		found.push(
			Decoration.node(pos, pos + node.nodeSize, {
				'data-part': 'agent-block',
				'data-state': block.whole ? 'whole' : 'part',
				'data-by': first.agent,
				'data-initial': block.by.length > 1 ? String(block.by.length) : initial(nameOf(first)),
				style: `--ax-agent-hue: ${hue(first.agent)}`,
				...(said && { 'aria-description': said })
			})
		);
		return false;
	});
	return found;
}

/** All of a document. */
export const paintAll = (doc: Node, paint: BlockPaint): DecorationSet =>
	DecorationSet.create(doc, decorations(doc, 0, doc.content.size, paint));

/** The same set for a changed document; only the blocks between the first and the last difference are looked at again. */
export function repaint(
	set: DecorationSet,
	mapped: DecorationSet,
	before: Node,
	doc: Node,
	paint: BlockPaint
) {
	const start = before.content.findDiffStart(doc.content);
	if (start === null) return set;
	const end = before.content.findDiffEnd(doc.content)!.b;
	const from = Math.max(0, Math.min(start, end) - 1);
	const to = Math.min(doc.content.size, Math.max(start, end) + 1);
	const now = decorations(doc, from, to, paint);
	// Also what reaches into the range from outside it, and what lost its block on the way.
	let low = from;
	let high = to;
	doc.nodesBetween(from, to, (node, pos) => {
		if (node.isInline) return false;
		if (node.inlineContent || node.isLeaf) {
			low = Math.min(low, pos);
			high = Math.max(high, pos + node.nodeSize);
		}
		return !node.inlineContent;
	});
	return mapped.remove(mapped.find(low, high)).add(doc, now);
}
