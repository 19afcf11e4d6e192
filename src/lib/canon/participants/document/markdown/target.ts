import { isPunctuation, unescaped } from './characters.js';

/** An address in brackets, and the title behind it, if there is one. @internal */
export interface Target {
	readonly address: string;
	readonly title: string | undefined;
	readonly end: number;
}

/**
 * Reads `(address "title")` at `at`. A bare address holds no square bracket and at most pairs of round ones, an angled one
 * ends with its angle, a title with its quote: no two readings look at the same characters, and a row of `](` stays linear.
 * `looked` hears how many characters were looked at.
 * @internal
 */
export function targetAt(
	text: string,
	at: number,
	looked: (count: number) => void = () => {}
): Target | undefined {
	const angled = text[at + 1] === '<';
	const from = angled ? at + 2 : at + 1;
	let end = angled ? angledEnd(text, from) : bareEnd(text, from);
	looked(end - at);
	if (angled && text[end] !== '>') return undefined;
	const address = unescaped(text.slice(from, end));
	if (angled) end++;
	const gap = spaceEnd(text, end);
	looked(gap - end);
	if (text[gap] === ')') return { address, title: undefined, end: gap + 1 };
	if (text[gap] !== '"' || gap === end) return undefined;
	const close = titleEnd(text, gap + 1);
	looked(close - gap);
	if (text[close] !== '"') return undefined;
	const last = spaceEnd(text, close + 1);
	looked(last - close);
	return text[last] === ')'
		? { address, title: unescaped(text.slice(gap + 1, close)), end: last + 1 }
		: undefined;
}

const isEscape = (text: string, at: number): boolean => text[at] === '\\' && isPunctuation(text[at + 1]);

function bareEnd(text: string, from: number): number {
	let inside = 0;
	for (let at = from; ; at++) {
		const char = text[at];
		if (isEscape(text, at)) at++;
		else if (char === '(') inside++;
		else if (char === ')') {
			if (inside === 0) return at;
			inside--;
		} else if (char === undefined || /[\s[\]<>]/.test(char)) return at;
	}
}

function angledEnd(text: string, from: number): number {
	for (let at = from; ; at++) {
		const char = text[at];
		if (isEscape(text, at)) at++;
		else if (char === undefined || char === '<' || char === '>' || char === '\n') return at;
	}
}

function titleEnd(text: string, from: number): number {
	for (let at = from; ; at++) {
		const char = text[at];
		if (isEscape(text, at)) at++;
		else if (char === undefined || char === '"' || char === '\n') return at;
	}
}

function spaceEnd(text: string, from: number): number {
	let at = from;
	while (text[at] === ' ' || text[at] === '\t') at++;
	return at;
}
