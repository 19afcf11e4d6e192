import type { TurnRequest } from '$agent/index.js';
import { quoted } from './compose.js';
import { goalOf, shown } from './request.js';

/** A block of the letter, as the request shows it. */
export interface Part {
	readonly id: string;
	readonly type: string;
	readonly level?: number;
	/** Its words, without the signs of Markdown. */
	readonly text: string;
}

const plain = (markdown: string): string =>
	markdown
		.replace(/\\\n/g, '\n')
		.replace(/\\([^\p{L}\p{N}\s])/gu, '$1')
		.replace(/^#+ /u, '');

/** The letter, block by block. Empty where the request does not show it. */
export function letterIn(request: TurnRequest): readonly Part[] {
	const value = shown(request, 'letter.block') as
		{ blocks?: readonly (Part & { text: string })[] } | undefined;
	return (value?.blocks ?? []).map((block) => ({ ...block, text: plain(block.text) }));
}

/** All its words, a line for each block. */
export const wordsOf = (letter: readonly Part[]): string => letter.map(({ text }) => text).join('\n');

/** The heading the person named in quotation marks, and the first block under it. */
export function namedSection(request: TurnRequest): { heading: Part; first: Part | undefined } | undefined {
	const letter = letterIn(request);
	const name = quoted(goalOf(request));
	const at = letter.findIndex(({ level, text }) => level !== undefined && text === name);
	const heading = letter[at];
	return heading && { heading, first: letter.slice(at + 1).find(({ level }) => level === undefined) };
}
