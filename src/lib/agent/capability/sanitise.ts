declare const brand: unique symbol;

/** Text that cannot pass for a mark of the engine's own. Only {@link sanitise} makes it. @since 0.1.0 */
export type SanitisedText = string & { readonly [brand]: true };

/** The reserved signs: what stands between them was written by the engine. @internal */
export const OPEN = '\u27e6';
/** @internal */
export const CLOSE = '\u27e7';

// The reserved signs, and signs that a reader could take for them: opening and closing by turns.
const BRACKETS = `${OPEN}${CLOSE}\u27ec\u27ed\u301a\u301b\u3018\u3019\u2045\u2046\u2983\u2984\u2985\u2986\u2987\u2988\u2989\u298a\u298b\u298c\u298d\u298e\u298f\u2990\u2991\u2992\u2993\u2994\u2995\u2996\u2997\u2998`;
const BRACKET = new RegExp(`[${BRACKETS}]`, 'g');
// Tag characters spell invisible ASCII: people do not see it, models read it.
const TAGS = /[\u{e0000}-\u{e007f}]/gu;
const INVISIBLE = '[\\p{Default_Ignorable_Code_Point}\\p{Cc}]*';
const FULL_WIDTH = 0xfee0;
/** Stands for a neutralised nonce. */
const DOT = '\u00b7';

/**
 * The model's copy of a foreign text: reserved signs and their look-alikes become plain brackets, the nonce of the run loses
 * its shape however it is split, cased or widened, invisible ASCII is dropped. All other signs stay. Applied twice it changes
 * nothing more. The text itself is never stored in this form: people read the original.
 * @param nonce of the run; `''` where a text goes outside of fences, as in the description of a tool
 * @since 0.1.0
 */
export function sanitise(text: string, nonce: string): SanitisedText {
	const plain = text.replace(TAGS, '').replace(BRACKET, (sign) => '[]'.charAt(BRACKETS.indexOf(sign) % 2));
	return (nonce === '' ? plain : plain.replace(pattern(nonce), DOT)) as SanitisedText;
}

/** {@link sanitise} on one line, for places where a line break would begin something new. @since 0.1.0 */
export const sanitiseLine = (text: string, nonce: string): SanitisedText =>
	// White space alone is taken away here, so what comes out is as safe as what went in.
	sanitise(text, nonce)
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim() as SanitisedText;

// One run assembles with one nonce over and over; a pattern is a pure function of it.
let latest: { nonce: string; pattern: RegExp } | undefined;

/** The nonce, plain or in full width, whatever invisible signs stand between its own. */
function pattern(nonce: string): RegExp {
	if (latest?.nonce !== nonce) {
		const signs = [...nonce].map((sign) => {
			const code = sign.codePointAt(0) as number;
			return `[\\u{${code.toString(16)}}\\u{${(code + FULL_WIDTH).toString(16)}}]`;
		});
		latest = { nonce, pattern: new RegExp(signs.join(INVISIBLE), 'giu') };
	}
	return latest.pattern;
}
