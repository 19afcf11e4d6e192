import { isBlank, trimmed } from './lines.js';

/** The cells of a table's line. A bar with a backslash before it belongs to the cell. @internal */
export function cellsOf(line: string): readonly string[] {
	const text = trimmed(line);
	const cells: string[] = [];
	let cell = '';
	let from = text.startsWith('|') ? 1 : 0;
	for (let at = text.indexOf('|', from); at !== -1; at = text.indexOf('|', from)) {
		if (text[at - 1] === '\\') cell += `${text.slice(from, at - 1)}|`;
		else {
			cells.push(trimmed(cell + text.slice(from, at)));
			cell = '';
		}
		from = at + 1;
	}
	const last = cell + text.slice(from);
	if (last !== '' && !(isBlank(last) && cells.length > 0)) cells.push(trimmed(last));
	return cells;
}

/** @internal */
export type Align = 'left' | 'center' | 'right' | null;

/** The line between the head of a table and its rows: how each column stands. @internal */
export function delimiterOf(line: string): readonly Align[] | undefined {
	if (!line.includes('-') || !/^[ \t|:-]+$/.test(line) || !/[|:]/.test(line)) return undefined;
	const cells = cellsOf(line);
	if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
	return cells.map((cell) => {
		const right = cell.endsWith(':');
		return cell.startsWith(':') ? (right ? 'center' : 'left') : right ? 'right' : null;
	});
}

/** Whether a table begins here. @internal */
export function tableAt(line: string, next: string | undefined): readonly Align[] | undefined {
	if (next === undefined || !line.includes('|')) return undefined;
	const aligned = delimiterOf(next);
	return aligned && aligned.length === cellsOf(line).length ? aligned : undefined;
}
