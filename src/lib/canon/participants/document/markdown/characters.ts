import { isUntidy } from './tidy.js';

/** The characters that a backslash takes the meaning from. */
const PUNCTUATION = /[!-/:-@[-`{-~]/;

/** @internal */
export const isPunctuation = (char: string | undefined): boolean =>
	char !== undefined && PUNCTUATION.test(char);

/** Plain space only: a no-break space is a letter like any other here, so that nobody's is lost. @internal */
export const isSpace = (char: string | undefined): boolean =>
	char === undefined || char === ' ' || char === '\t' || char === '\n' || char === '\r';

const WORD = /[\p{L}\p{N}\p{M}\ud800-\udfff]/u;

/** @internal */
export const isWord = (char: string | undefined): boolean => char !== undefined && WORD.test(char);

/** A character said by number or by one of six names, at this place. Bounded, so that a row of `&` stays linear. */
const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos|nbsp));/y;

const NAMED: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: '\u00a0'
};

/** The character that an entity at `at` stands for, and where it ends; nothing where there is none. @internal */
export function entityAt(text: string, at: number): { char: string; end: number } | undefined {
	ENTITY.lastIndex = at;
	const found = ENTITY.exec(text);
	if (!found) return undefined;
	const [whole, decimal, hex, name] = found;
	const end = at + whole.length;
	if (name !== undefined) return { char: NAMED[name]!, end };
	const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
	const real = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
	const char = real ? String.fromCodePoint(code) : '\0';
	return isUntidy(char) ? undefined : { char, end };
}

/** @internal */
export const entity = (char: string): string => `&#${char.codePointAt(0)};`;

/** Text without its escapes and entities: for addresses and titles, where nothing else has a meaning. @internal */
export function unescaped(text: string): string {
	let plain = '';
	for (let at = 0; at < text.length;) {
		const char = text[at]!;
		const found = char === '&' ? entityAt(text, at) : undefined;
		if (found) {
			plain += found.char;
			at = found.end;
		} else {
			const escape = char === '\\' && isPunctuation(text[at + 1]);
			plain += escape ? text[at + 1]! : char;
			at += escape ? 2 : 1;
		}
	}
	return plain;
}

/** The house's own comments: they say what Markdown has no sign for, and every other reader leaves them out. */
const COMMENT = /<!-- (?:(break|empty) |(agent:[^\n<>]{0,300}) |(\/agent) )?-->/y;

/** @internal */
export type OwnComment = 'nothing' | 'break' | 'empty' | 'agent' | '/agent';

/** Which of the house's own comments stands at `at`. @internal */
export function commentAt(text: string, at: number): { kind: OwnComment; end: number } | undefined {
	COMMENT.lastIndex = at;
	const found = COMMENT.exec(text);
	if (!found) return undefined;
	const [whole, plain, agent, close] = found;
	const kind = (plain ?? (agent === undefined ? undefined : 'agent') ?? close ?? 'nothing') as OwnComment;
	return { kind, end: at + whole.length };
}

/** @internal */
export const EMPTY = '<!-- empty -->';
/** @internal */
export const BREAK = '<!-- break -->';
/** @internal */
export const NOTHING = '<!-- -->';

/** Whether a line holds nothing but marks of authorship: it stands before the block it speaks of. @internal */
export function onlyAuthorship(line: string): boolean {
	let at = 0;
	let any = false;
	while (at < line.length) {
		const found = line[at] === ' ' ? { kind: 'nothing' as const, end: at + 1 } : commentAt(line, at);
		if (!found || found.kind === 'break' || found.kind === 'empty') return false;
		any ||= found.kind !== 'nothing';
		at = found.end;
	}
	return any;
}
