import type { Node } from 'prosemirror-model';
import type { Transaction } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { around, type Span } from './around.js';
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

/** Who wrote in a block of text, or made what has none; nothing where no agent did. */
export function writtenIn(block: Node): WrittenBlock | undefined {
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

/** What is painted of a document. */
export interface Painted {
	readonly set: DecorationSet;
	/** Blocks that are painted. */
	readonly count: number;
	/** The part that is painted; null for all of it. */
	readonly part: Span | null;
}

export const NOTHING: Painted = { set: DecorationSet.empty, count: 0, part: null };

/**
 * An editor asks for each block of the document whether any of the decorations is its own. Beyond this many such questions
 * a key would be felt, and only what is near the view is painted.
 */
const QUESTIONS = 2_000_000;

const painting = (doc: Node, found: Decoration[], part: Span | null): Painted => ({
	set: DecorationSet.create(doc, found),
	count: found.length,
	part
});

/** What lies around one place, however long the document. */
export function paintAround(doc: Node, pos: number, paint: BlockPaint): Painted {
	const part = around(doc, pos);
	return painting(doc, decorations(doc, part.from, part.to, paint), part);
}

/** All of a document, or its beginning if that is too much. */
export function paintAll(doc: Node, paint: BlockPaint): Painted {
	const found = decorations(doc, 0, doc.content.size, paint);
	return found.length * doc.childCount > QUESTIONS ? paintAround(doc, 0, paint) : painting(doc, found, null);
}

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

/** The paint after a transaction; only the blocks between the first and the last change are looked at again. */
export function repaint(painted: Painted, tr: Transaction, paint: BlockPaint): Painted {
	const changed = changedIn(tr);
	if (!changed) return painted;
	const { doc } = tr;
	const part = painted.part && {
		from: tr.mapping.map(painted.part.from, -1),
		to: tr.mapping.map(painted.part.to, 1)
	};
	const from = Math.max(changed.from, part?.from ?? 0);
	const to = Math.min(changed.to, part?.to ?? Infinity);
	const mapped = painted.set.map(tr.mapping, doc);
	if (from > to) return { ...painted, set: mapped, part };
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
	const count = painted.count - stale.length + now.length;
	if (!part && count * doc.childCount > QUESTIONS) return paintAround(doc, tr.selection.head, paint);
	return { set: mapped.remove(stale).add(doc, now), count, part };
}
