import type { Node } from 'prosemirror-model';
import { levelOf } from './block.js';
import { textOf, wordsOf } from './content.js';
import { idOf } from './schema.js';

/** A heading and how much stands under it. @since 0.1.0 */
export interface OutlineEntry {
	/** Of the heading, and so of its section. */
	readonly id: string;
	/** 1 is the highest. */
	readonly level: number;
	/** The heading itself, its first 120 characters. */
	readonly text: string;
	/** Blocks of the section, smaller sections in it included, the heading itself not. */
	readonly blocks: number;
	readonly words: number;
}

/** The course of a document. @since 0.1.0 */
export interface Outline {
	readonly headings: readonly OutlineEntry[];
	/** Children of the document before the first heading. */
	readonly before: number;
	readonly blocks: number;
	readonly words: number;
}

/** A section: a heading and what follows until one of its level or a higher one. @internal */
export interface Span {
	/** Index of the heading among the children of the document. */
	readonly from: number;
	/** Index behind the last one. */
	readonly to: number;
}

const LONGEST = 120;
const known = new WeakMap<Node, Outline>();

/** Made once for a document. @internal */
export function outlineOf(doc: Node): Outline {
	let outline = known.get(doc);
	if (!outline) known.set(doc, (outline = read(doc)));
	return outline;
}

function read(doc: Node): Outline {
	type Open = { -readonly [K in keyof OutlineEntry]: OutlineEntry[K] };
	const headings: Open[] = [];
	let open: Open[] = [];
	let [before, words] = [0, 0];
	doc.forEach((node) => {
		const level = levelOf(node);
		const id = idOf(node);
		const here = wordsOf(node);
		words += here;
		if (level !== undefined) open = open.filter((one) => one.level < level);
		for (const one of open) {
			one.blocks++;
			one.words += here;
		}
		if (level !== undefined && id !== undefined) {
			const entry = { id, level, text: shortened(textOf(node)), blocks: 0, words: 0 };
			headings.push(entry);
			open.push(entry);
		} else if (headings.length === 0) before++;
	});
	return Object.freeze({
		headings: Object.freeze(headings.map((entry) => Object.freeze(entry))),
		before,
		blocks: doc.childCount,
		words
	});
}

/** No half of a surrogate pair. */
const shortened = (text: string): string =>
	text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, '')}…`;

/** Which children of the document stand under this heading; `undefined` where it is no heading of the document itself. @internal */
export function spanOf(doc: Node, index: number): Span | undefined {
	const level = levelOf(doc.child(index));
	if (level === undefined) return undefined;
	let to = index + 1;
	while (to < doc.childCount && (levelOf(doc.child(to)) ?? Infinity) > level) to++;
	return { from: index, to };
}

/** The section a child of the document belongs to, the smallest one. @internal */
export function spanAround(doc: Node, index: number): Span | undefined {
	for (let at = index; at >= 0; at--) {
		const span = spanOf(doc, at);
		if (span && span.to > index) return span;
	}
	return undefined;
}
