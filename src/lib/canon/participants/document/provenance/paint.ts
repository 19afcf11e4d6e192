import type { Node } from 'prosemirror-model';
import type { Transaction } from 'prosemirror-state';
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
	const made = blockWrittenBy(block);
	if (block.isLeaf) return made && { by: [made], whole: true };
	const words = block.children.map(textWrittenBy);
	const by = new Map<string, Written>();
	for (const writer of words) if (writer && !by.has(writer.agent)) by.set(writer.agent, writer);
	if (by.size > 0) return { by: [...by.values()], whole: words.every((writer) => writer !== undefined) };
	if (!made) return undefined;
	const mark = block.type.schema.marks[MARK];
	const takesMark = mark !== undefined && block.type.allowsMarkType(mark);
	return !takesMark && block.content.size > 0 ? { by: [made], whole: true } : undefined;
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

/** First and last place that a transaction touched or changed, in its result; null when nothing is different. */
function changedIn({ before, doc, mapping }: Transaction): { from: number; to: number } | null {
	const start = before.content.findDiffStart(doc.content);
	if (start === null) return null;
	const end = before.content.findDiffEnd(doc.content)!.b;
	let low = Infinity;
	let high = -Infinity;
	// A block that was cut in two may look like a new neighbour, and yet has lost its decoration.
	for (const map of mapping.maps) {
		if (low <= high) {
			low = map.map(low, -1);
			high = map.map(high, 1);
		}
		map.forEach((_from, _to, newFrom, newTo) => {
			low = Math.min(low, newFrom);
			high = Math.max(high, newTo);
		});
	}
	const from = Math.min(start, end, low);
	const to = Math.max(start, end, high);
	return { from: Math.max(0, from - 1), to: Math.min(doc.content.size, to + 1) };
}

/** The set after a transaction; only the blocks between the first and the last change are looked at again. */
export function repaint(set: DecorationSet, tr: Transaction, paint: BlockPaint): DecorationSet {
	const changed = changedIn(tr);
	if (!changed) return set;
	const { from, to } = changed;
	const { doc } = tr;
	const mapped = set.map(tr.mapping, doc);
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
	const stale = mapped.find(low, high).filter((old) => old.from < high && old.to > low);
	return mapped.remove(stale).add(doc, now);
}
