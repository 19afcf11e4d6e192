import type { JSONValue } from '../../../../agent/capability/index.js';
import type { DocumentBlock, Outline } from '../blocks/index.js';
import type { DocumentProvider } from '../document.provider.js';
import { marked } from './labels.js';

/** Texts of a listing stay whole while they are no longer than this together. */
const WHOLE = 6_000;
/** Else each of the first so many blocks is named with its beginning. */
const LISTED = 100;
const GLIMPSE = 80;

const glimpse = (text: string): string =>
	text.length > GLIMPSE ? `${text.slice(0, GLIMPSE - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;

/** A block as the model sees it. */
function shown(document: DocumentProvider, block: DocumentBlock, short = false): JSONValue {
	const { id, type, level, inside, markdown } = block;
	const text = marked(document, short ? glimpse(markdown) : markdown, document.origins(id));
	return { id, type, ...(level !== undefined && { level }), ...(inside !== undefined && { inside }), text };
}

/** A block by itself, with the blocks of text inside it, which can be written one by one. @internal */
export function whole(document: DocumentProvider, block: DocumentBlock): JSONValue {
	const parts = block.inside === undefined ? document.parts(block.id) : [];
	return {
		...(shown(document, block) as object),
		...(parts.length > 0 && { parts: parts.map((part) => shown(document, part)) })
	};
}

/** Blocks as far as there is room; what is left out is counted. @internal */
export function listed(
	document: DocumentProvider,
	blocks: readonly DocumentBlock[],
	room: number
): JSONValue {
	let left = room;
	const fits = blocks.every(({ markdown }) => (left -= markdown.length) >= 0);
	if (fits) return { blocks: blocks.map((block) => whole(document, block)) };
	const first = blocks.slice(0, LISTED);
	return {
		blocks: first.map((block) => shown(document, block, true)),
		shortened: true,
		...(blocks.length > first.length && { more: blocks.length - first.length })
	};
}

/** @internal */
export const listing = (document: DocumentProvider): JSONValue =>
	listed(
		document,
		document.blocks().filter(({ inside }) => inside === undefined),
		WHOLE
	);

/** Blocks whose text the listing shows to its end, and the headings of sections of which it shows every block. @internal */
export function listedWhole(document: DocumentProvider): {
	readonly blocks: readonly string[];
	readonly sections: readonly string[];
} {
	const top = document.blocks().filter(({ inside }) => inside === undefined);
	let left = WHOLE;
	if (!top.every(({ markdown }) => (left -= markdown.length) >= 0)) {
		const uncut = top.slice(0, LISTED).filter(({ markdown }) => markdown.length <= GLIMPSE);
		return { blocks: uncut.map(({ id }) => id), sections: [] };
	}
	return {
		blocks: document.blocks().map(({ id }) => id),
		sections: document.outline().headings.map(({ id }) => id)
	};
}

/** @internal */
export function summary({ headings, blocks, words }: Outline): string {
	const first = headings.slice(0, 12).map(({ text }) => text);
	return `${blocks} blocks, ${words} words.${first.length > 0 ? ` Sections: ${first.join('; ')}` : ''}`;
}
