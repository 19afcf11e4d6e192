import { entity, entityAt, isSpace, isWord } from './characters.js';

/** Where a stretch of text stands, for what a reader could take for a sign there. @internal */
export interface Place {
	/** At the beginning of a line of a paragraph. */
	readonly lineStart: boolean;
	/** A space at this edge would be lost, or would keep a sign beside it from being one. */
	readonly guardStart: boolean;
	readonly guardEnd: boolean;
	readonly inLink: boolean;
	readonly underline: boolean;
}

/** What begins a block when a line begins with it. */
const BLOCK_START = /^(?:#{1,6}(?=[ \t]|$)|>|\||:(?=-)|-(?=[ \t:|-]|$)|\+(?=[ \t]|$))/;
const NUMBER_START = /^\d{1,9}(?=[.)](?:[ \t]|$))/;

/** Text with a backslash before everything that would be read as a sign. @internal */
export function escaped(text: string, place: Place): string {
	let out = '';
	let from = 0;
	if (place.lineStart) {
		const number = NUMBER_START.exec(text)?.[0].length;
		if (number !== undefined) {
			out = `${text.slice(0, number)}\\${text[number]!}`;
			from = number + 1;
		} else if (BLOCK_START.test(text)) {
			out = `\\${text[0]!}`;
			from = 1;
		}
	}
	for (let at = from; at < text.length; at++) {
		const char = text[at]!;
		if (guarded(text, at, place)) out += entity(char);
		else out += isSign(char, text, at, place) ? `\\${char}` : char;
	}
	return out;
}

function guarded(text: string, at: number, { guardStart, guardEnd }: Place): boolean {
	const char = text[at]!;
	if (char === '\n' || char === '\r') return true;
	return isSpace(char) && ((guardStart && at === 0) || (guardEnd && at === text.length - 1));
}

function isSign(char: string, text: string, at: number, { inLink, underline }: Place): boolean {
	const before = text[at - 1];
	const after = text[at + 1];
	const alone = before !== undefined && after !== undefined && before !== char && after !== char;
	switch (char) {
		case '\\':
		case '`':
		case '[':
			return true;
		case ']':
			return inLink;
		case '*':
			// The first and the last space may be written as an entity.
			return at < 2 || at > text.length - 3 || before !== ' ' || after !== ' ';
		case '_':
			return !isWord(before) || !isWord(after);
		case '~':
			return !alone;
		case '+':
			return underline && !alone;
		case '!':
			return after === undefined;
		case '<':
			return text.startsWith('<!--', at);
		case '&':
			return entityAt(text, at) !== undefined;
		default:
			return false;
	}
}

/** The address and title of a link or an image, in their brackets. @internal */
export function target(address: string, title: unknown): string {
	const plain = address.replace(/[()[\]<>\\"]|&(?=#?\w)/g, '\\$&');
	if (typeof title !== 'string') return `(${plain})`;
	const words = title.replace(/["\\]|&(?=#?\w)/g, '\\$&').replace(/[\n\r]/g, entity);
	return `(${plain} "${words}")`;
}
