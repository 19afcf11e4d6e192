/** What turns the direction of the words after it. */
const CONTROL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Does a text hold a sign that turns the direction of what follows? */
export const hasControl = (text: string): boolean => CONTROL.test(text);

/** Code in pieces: what would turn its direction is named in place of being obeyed. */
export function piecesOf(code: string): readonly { text: string; control: boolean }[] {
	if (!hasControl(code)) return [{ text: code, control: false }];
	return code
		.split(new RegExp(`(${CONTROL.source})`))
		.filter((piece) => piece !== '')
		.map((piece) =>
			hasControl(piece)
				? { text: `U+${piece.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`, control: true }
				: { text: piece, control: false }
		);
}

/** Code as it is copied: what cannot be seen in it is left out. */
export const copied = (code: string): string => code.replace(new RegExp(CONTROL.source, 'g'), '');

const NAMED: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: '\u00a0',
	copy: '©',
	reg: '®',
	trade: '™',
	hellip: '…',
	mdash: '—',
	ndash: '–',
	laquo: '«',
	raquo: '»',
	times: '×',
	middot: '·',
	bull: '•',
	rarr: '→',
	larr: '←',
	deg: '°',
	euro: '€'
};

const point = (code: number): string =>
	code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : '\ufffd';

/** Writes out the common character references; another one stays as it is written. */
export const decoded = (text: string): string =>
	!text.includes('&')
		? text
		: text.replace(
				/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,6}));/g,
				(written, decimal?: string, hex?: string, name = '') =>
					decimal ? point(Number(decimal)) : hex ? point(parseInt(hex, 16)) : (NAMED[name] ?? written)
			);
