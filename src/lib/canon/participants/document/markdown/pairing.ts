import type { Node } from 'prosemirror-model';

/** Beyond this many comparisons neighbours are paired by their order alone. */
const MOST = 10_000;
/** Words of a block that are looked at for its likeness. */
const WORDS = 400;
const SAME_TYPE = 0.1;
/** Another type is only the same block if at least this much of its words is. */
const ALIKE = 0.5;

/** Which changed blocks are one block before and after, in order. @internal */
export function pairing(old: readonly Node[], next: readonly Node[]): [number, number][] {
	if (old.length * next.length > MOST) return byOrder(old, next);
	const bags = new Map<Node, ReadonlyMap<string, number>>();
	const bag = (node: Node): ReadonlyMap<string, number> => {
		const known = bags.get(node) ?? wordsOf(node);
		bags.set(node, known);
		return known;
	};
	const width = next.length + 1;
	const best = new Float64Array((old.length + 1) * width);
	const score = new Float64Array(old.length * next.length);
	for (let i = old.length - 1; i >= 0; i--) {
		for (let j = next.length - 1; j >= 0; j--) {
			const likeness = like(old[i]!, next[j]!, bag);
			score[i * next.length + j] = likeness;
			const paired = likeness > 0 ? likeness + best[(i + 1) * width + j + 1]! : 0;
			best[i * width + j] = Math.max(paired, best[(i + 1) * width + j]!, best[i * width + j + 1]!);
		}
	}
	const pairs: [number, number][] = [];
	for (let i = 0, j = 0; i < old.length && j < next.length;) {
		const likeness = score[i * next.length + j]!;
		const here = best[i * width + j]!;
		if (likeness > 0 && here === likeness + best[(i + 1) * width + j + 1]!) pairs.push([i++, j++]);
		else if (here === best[(i + 1) * width + j]!) i++;
		else j++;
	}
	return pairs;
}

function byOrder(old: readonly Node[], next: readonly Node[]): [number, number][] {
	const pairs: [number, number][] = [];
	for (let at = 0; at < Math.min(old.length, next.length); at++) {
		if (old[at]!.type === next[at]!.type) pairs.push([at, at]);
	}
	return pairs;
}

function like(old: Node, next: Node, bag: (node: Node) => ReadonlyMap<string, number>): number {
	if (old.isLeaf || next.isLeaf) return old.type === next.type ? SAME_TYPE : 0;
	if (old.type === next.type) return SAME_TYPE + shared(bag(old), bag(next));
	if (old.isTextblock !== next.isTextblock) return 0;
	// A container changes its name only round children that may stay in it.
	if (!old.isTextblock && !next.type.validContent(old.content)) return 0;
	const words = shared(bag(old), bag(next));
	return words >= ALIKE ? words : 0;
}

function wordsOf(node: Node): ReadonlyMap<string, number> {
	const words = new Map<string, number>();
	const text = node.textBetween(0, node.content.size, ' ', ' ').slice(0, 8 * WORDS);
	for (const [word] of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) words.set(word, (words.get(word) ?? 0) + 1);
	return words;
}

/** Dice's coefficient over two bags of words. */
function shared(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
	let both = 0;
	let all = 0;
	for (const [word, count] of one) {
		all += count;
		both += Math.min(count, other.get(word) ?? 0);
	}
	for (const count of other.values()) all += count;
	return all === 0 ? 0 : (2 * both) / all;
}
