import type { Fragment, Node } from 'prosemirror-model';

/** A word, a stretch of space, or one character as people see it; or a leaf. Places count within the block. @internal */
export interface Token {
	readonly text: string;
	readonly from: number;
	readonly to: number;
	readonly leaf?: Node;
}

/** What stands for a leaf in the text of a block. @internal */
export const LEAF = '\ufffc';

const WORD = /^[\p{L}\p{N}\p{M}_]/u;
/** Writing without spaces between words: a whole sentence would be one word. */
const UNSPACED =
	/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const PLAIN = /^[\n\x20-\x7e]*$/;

let graphemes: Intl.Segmenter | undefined;

/** Where characters as people see them begin and end: a surrogate pair or a cluster is never parted. @internal */
export function* clusters(text: string): Generator<string> {
	if (PLAIN.test(text) || typeof Intl.Segmenter !== 'function') yield* text;
	else {
		graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
		for (const { segment } of graphemes.segment(text)) yield segment;
	}
}

/** @internal */
export function tokensOf(content: Fragment): Token[] {
	const tokens: Token[] = [];
	let from = 0;
	let text = '';
	let kind = '';
	let at = 0;
	const flush = (): void => {
		if (text !== '') tokens.push({ text, from, to: from + text.length });
		text = '';
	};
	const take = (cluster: string): void => {
		const next = kindOf(cluster);
		if (next !== kind || next === 'other') flush();
		if (text === '') from = at;
		kind = next;
		text += cluster;
		at += cluster.length;
	};
	// A leaf parts words; an inline node with content of its own is one token however long it is.
	for (const part of partsOf(content)) {
		if (typeof part === 'string') for (const cluster of clusters(part)) take(cluster);
		else {
			flush();
			tokens.push({ text: LEAF, from: at, to: at + part.nodeSize, leaf: part });
			at += part.nodeSize;
		}
	}
	flush();
	return tokens;
}

/** Texts, whatever their marks, and the leaves between them. */
function partsOf(content: Fragment): (string | Node)[] {
	const parts: (string | Node)[] = [];
	content.forEach((node) => {
		const last = parts.at(-1);
		if (!node.isText) parts.push(node);
		else if (typeof last === 'string') parts[parts.length - 1] = last + node.text!;
		else parts.push(node.text!);
	});
	return parts;
}

const kindOf = (cluster: string): 'word' | 'space' | 'other' =>
	/^\s/.test(cluster) ? 'space' : WORD.test(cluster) && !UNSPACED.test(cluster) ? 'word' : 'other';
