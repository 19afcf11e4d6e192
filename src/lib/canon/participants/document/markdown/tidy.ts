/** Control characters but for tab and line end: nobody sees them, and some break saving. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** Halves of a character without the other half. */
const HALVES = /\p{Surrogate}/gu;
/** Signs that open a direction of writing, and the two that close one. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

// eslint-disable-next-line no-control-regex
const ANY = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u;

const POP_EMBEDDING = '\u202c';
const POP_ISOLATE = '\u2069';
const closerOf = (opener: string): string => (opener < '\u2066' ? POP_EMBEDDING : POP_ISOLATE);
const isOverride = (sign: string): boolean => sign === '\u202d' || sign === '\u202e';

/** A line in which every direction of writing that is opened is closed again, and none is forced on letters. */
function balanced(line: string): string {
	const signs = [...line.matchAll(DIRECTIONS)];
	if (signs.length === 0) return line;
	const stays = new Set<number>();
	const open: { at: number; sign: string }[] = [];
	for (const { 0: sign, index: at } of signs) {
		if (sign !== POP_EMBEDDING && sign !== POP_ISOLATE) {
			open.push({ at, sign });
			continue;
		}
		const opener = open.at(-1);
		if (!opener || closerOf(opener.sign) !== sign) continue;
		open.pop();
		if (!isOverride(opener.sign)) stays.add(opener.at).add(at);
	}
	return line.replace(DIRECTIONS, (sign, at: number) => (stays.has(at) ? sign : ''));
}

/**
 * Text as it may be written into a document: without control characters (tab and line end excepted) and halves of
 * characters, which break saving, and without signs that turn the direction of writing where they force it on letters or
 * are not closed in their line, so that what is shown is what stands there. Joiners, and marks of direction between words,
 * are part of many languages and of emoji, and stay.
 * @internal
 */
export const tidied = (text: string): string =>
	ANY.test(text) ? text.replace(CONTROLS, '').replace(HALVES, '').split('\n').map(balanced).join('\n') : text;

/** Whether {@link tidied} may take the character out, so that it cannot be said by its number either. @internal */
export const isUntidy = (char: string): boolean => ANY.test(char);
