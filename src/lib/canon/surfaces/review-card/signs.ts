/** A stretch of a text: as it is, or a sign nobody would see, by its name. */
export interface Stretch {
	text: string;
	/** Said instead of being obeyed: what turns the direction of a text, has no width, or piles up on a letter. */
	sign: boolean;
}

/**
 * What turns text or has no width, control codes, joiners between letters that never join; and more marks on one letter
 * than any language writes. Selectors that make a sign an emoji are part of it.
 */
const HIDDEN =
	/(?!\u200C|\u200D|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}|(?![\t\n\r])\p{Cc}|(?<=[ -~])(?:\u200C|\u200D)(?=[ -~])|(?<=\p{M}{4})\p{M}+/gu;

/** An exact text with everything in it that is not seen made visible, so that what a person approves is what stands there. */
export function stretches(text: string): readonly Stretch[] {
	const all: Stretch[] = [];
	let at = 0;
	for (const { 0: found, index } of text.matchAll(HIDDEN)) {
		if (index > at) all.push({ text: text.slice(at, index), sign: false });
		at = index + found.length;
		const count = [...found].length;
		const code = found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
		all.push({ text: `U+${code}${count > 1 ? ` +${count - 1}` : ''}`, sign: true });
	}
	if (at < text.length || all.length === 0) all.push({ text: text.slice(at), sign: false });
	return all;
}

/** Longer texts are folded: what is decided has to stay in sight. */
export const FOLD_FROM = 1200;

/** The beginning of a long text, never half a character. */
export const headOf = (text: string, most = 400): string =>
	text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
