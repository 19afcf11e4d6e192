/** How far a line is indented, in columns; a tab reaches to the next fourth. @internal */
export function indentOf(line: string): number {
	let column = 0;
	for (let at = 0; at < line.length; at++) {
		if (line[at] === ' ') column++;
		else if (line[at] === '\t') column += 4 - (column % 4);
		else break;
	}
	return column;
}

/** The line without its first columns of space, as far as it has them. @internal */
export function outdent(line: string, columns: number): string {
	let column = 0;
	let at = 0;
	while (column < columns && (line[at] === ' ' || line[at] === '\t')) {
		column += line[at] === ' ' ? 1 : 4 - (column % 4);
		at++;
	}
	return ' '.repeat(Math.max(0, column - columns)) + line.slice(at);
}

/** Without the plain space around it; a no-break space stays. @internal */
export function trimmed(line: string): string {
	let from = 0;
	let to = line.length;
	while (from < to && (line[from] === ' ' || line[from] === '\t')) from++;
	while (to > from && (line[to - 1] === ' ' || line[to - 1] === '\t')) to--;
	return line.slice(from, to);
}

/** @internal */
export const isBlank = (line: string): boolean => trimmed(line) === '';

/** The beginning of a fenced code block. @internal */
export interface Fence {
	readonly char: string;
	readonly size: number;
	readonly indent: number;
	readonly info: string;
}

/** @internal */
export function fenceOf(line: string): Fence | undefined {
	const text = trimmed(line);
	const sign = /^(?:`{3,}|~{3,})/.exec(text)?.[0];
	if (sign === undefined) return undefined;
	const info = trimmed(text.slice(sign.length));
	if (sign[0] === '`' && info.includes('`')) return undefined;
	return { char: sign[0]!, size: sign.length, indent: indentOf(line), info };
}

/** @internal */
export function closesFence(line: string, { char, size }: Fence): boolean {
	const text = trimmed(line);
	return text.length >= size && text === char.repeat(text.length);
}

/** A line like `---`, `* * *` or `___`. @internal */
export function isRule(line: string): boolean {
	const text = trimmed(line);
	const char = text[0];
	if (char !== '-' && char !== '*' && char !== '_') return false;
	let count = 0;
	for (const one of text) {
		if (one === char) count++;
		else if (one !== ' ' && one !== '\t') return false;
	}
	return count >= 3;
}

/** @internal */
export function headingOf(line: string): { level: number; text: string } | undefined {
	const found = /^(#{1,6})(?:[ \t]|$)/.exec(trimmed(line));
	if (!found) return undefined;
	const level = found[1]!.length;
	const text = trimmed(trimmed(line).slice(level));
	// A closing row of # is ornament, unless it is part of the last word or a backslash stands before it.
	let end = text.length;
	while (text[end - 1] === '#') end--;
	const ornament = end < text.length && (end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t');
	return { level, text: ornament ? trimmed(text.slice(0, end)) : text };
}

/** @internal */
export const isQuote = (line: string): boolean => trimmed(line).startsWith('>');

/** The line of a quote without its sign. @internal */
export const unquoted = (line: string): string => line.slice(line.indexOf('>') + 1).replace(/^ /, '');

/** The marker of a list item. @internal */
export interface Marker {
	/** Items of one list share it: `-`, `*`, `+`, `.` or `)`. */
	readonly sign: string;
	readonly number: number | undefined;
	readonly indent: number;
	/** The column where the item's own text begins. */
	readonly content: number;
	readonly empty: boolean;
}

/** @internal */
export function markerOf(line: string): Marker | undefined {
	const text = line.slice(line.length - leadless(line));
	const found = /^(?:([-*+])|(\d{1,9})([.)]))(?=[ \t]|$)/.exec(text);
	if (!found) return undefined;
	const [sign, bullet, number, ordered] = found;
	const rest = text.slice(sign.length);
	const empty = isBlank(rest);
	const indent = indentOf(line);
	const before = indent + sign.length;
	const spaces = indentOf(' '.repeat(before) + rest) - before;
	return {
		sign: bullet ?? ordered!,
		number: number === undefined ? undefined : Number(number),
		indent,
		content: indent + sign.length + (empty || spaces > 4 ? 1 : spaces),
		empty
	};
}

const leadless = (line: string): number => {
	let at = 0;
	while (line[at] === ' ' || line[at] === '\t') at++;
	return line.length - at;
};

/** Whether a line ends the paragraph above it. @internal */
export function interrupts(line: string): boolean {
	const first = trimmed(line)[0];
	if (first === undefined) return true;
	if (!/[#>`~*_+\-\d]/.test(first)) return false;
	if (isQuote(line) || fenceOf(line) || isRule(line) || headingOf(line)) return true;
	const marker = markerOf(line);
	return marker !== undefined && (marker.number === undefined || marker.number === 1);
}
