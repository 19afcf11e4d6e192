import type { Reason } from '../agent/protocol/words.js';
import type { Language } from './language.js';

/** How a name is shown. @since 0.1.0 */
export interface NameOptions {
	/** A stranger wrote it: it is quoted however it looks. @default false */
	foreign?: boolean;
	/** Letters, as people count them, before it is cut. @default 40 */
	most?: number;
}

/** As long as a name may be that counts as the app's own. */
const LONGEST = 40;
/** Nobody reads on from here, and no expression has to. */
const FAR = 2_000;

const BLANKS = /[^\S \u00a0\u202f]+|[\p{Cc}\u2028\u2029]+/gu;
// Joiners and the emoji selector make letters and signs out of others; everything else unseen only hides or turns text.
const UNSEEN = /(?!\u200c|\u200d|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
const PILES = /(\p{M}{3})\p{M}+/gu;
const SENTENCES = /(?:\p{L}{4,}[.…]|[!?。！？؟])["'”’»)]*\s+\p{L}/u;
const MARKS = /["“”„‟«»‹›＂]/gu;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Text in one line, without what cannot be seen, cut between letters. */
export function oneLine(text: string, most = FAR): string {
	const line = text
		.slice(0, FAR)
		.replace(BLANKS, ' ')
		.replace(UNSEEN, '')
		.replace(PILES, '$1')
		.replace(/ {2,}/g, ' ')
		.trim();
	if (text.length <= most && line.length <= most) return line;
	const letters =
		typeof Intl.Segmenter === 'function'
			? Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment)
			: Array.from(line);
	if (letters.length <= most && text.length <= FAR) return line;
	return `${letters
		.slice(0, most - 1)
		.join('')
		.trimEnd()}…`;
}

/** Somebody else's words as they may stand inside a quotation: none of their marks closes it, none of their letters turns it. */
export const quoted = (lang: Pick<Language, 'quote'>, text: string): string =>
	lang.quote(isolated(text.replace(MARKS, '’')));

/**
 * A name as it may stand in a sentence of the house: one line, cut, nothing unseen. A stranger's, and one that is long or
 * says more than a name, is set in quotation marks, so that no name speaks in the voice of the surface around it.
 * @since 0.1.0
 */
export function nameIn(
	lang: Pick<Language, 'quote'>,
	text: string,
	{ foreign = false, most = LONGEST }: NameOptions = {}
): string {
	const line = oneLine(text, most);
	const tame = line === text.trim().replace(/ {2,}/g, ' ') && !SENTENCES.test(line);
	if (foreign || !tame) return quoted(lang, line);
	return RIGHT_TO_LEFT.test(line) ? isolated(line) : line;
}

/** What a reason or a component says, inside a sentence of the house. A plain sentence stands as it is. @since 0.1.0 */
export const sayingIn = (lang: Pick<Language, 'quote'>, text: string): string =>
	nameIn(lang, text, { most: 200 });

/** Why something was not taken or not done: in words of the house, or else in the words that came with it, as such. */
export function refusalIn(lang: Pick<Language, 'quote' | 'refusal'>, reason: Reason): string {
	const said = lang.refusal(reason);
	return said === reason.text ? sayingIn(lang, said) : said;
}

/** The sign of a name on its mark: its first letter or figure. */
export const markOf = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '';

/** What is right-to-left inside orders nothing outside. */
const isolated = (text: string): string => `\u2068${text}\u2069`;
