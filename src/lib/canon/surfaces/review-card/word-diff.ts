/** A run of text that stayed, went or came. Joined without `added` it is the text before, without `removed` the text after. */
export interface DiffPart {
	kind: 'same' | 'removed' | 'added';
	text: string;
}

/**
 * More words put in and taken out than this, and a passage is compared line by line; more lines, and it counts as replaced.
 * Time and memory grow with the square of it, the length of the text hardly matters.
 */
const MOST_EDITS = 700;

/**
 * Compares two texts word by word. Cost is bounded: texts that differ too much are compared line by line, with words inside
 * changed lines, and what differs even more counts as replaced. Right in every case, only coarser.
 * @see E. W. Myers, "An O(ND) difference algorithm and its variations" (1986), for the greedy search
 */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
	const parts = compare(tokens(before, 'word'), tokens(after, 'word'), () =>
		compare(tokens(before, 'line'), tokens(after, 'line'), undefined).flatMap(refine)
	);
	return phrases(parts);
}

const WORD = /\p{L}[\p{L}\p{M}\p{N}'’]*|\p{N}[\p{N}.,:]*\p{N}|\p{N}|\s+|./gsu;

function tokens(text: string, by: 'word' | 'line'): readonly string[] {
	if (by === 'line') return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
	const segmenter = (globalThis.Intl as { Segmenter?: typeof Intl.Segmenter } | undefined)?.Segmenter;
	// Languages without spaces need the segmenter; elsewhere the plain expression is far cheaper.
	if (segmenter && /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text))
		return Array.from(
			new segmenter(undefined, { granularity: 'word' }).segment(text),
			(part) => part.segment
		);
	return text.match(WORD) ?? [];
}

/** `coarse` is asked when the two differ too much. */
function compare(
	before: readonly string[],
	after: readonly string[],
	coarse: (() => readonly DiffPart[]) | undefined
): readonly DiffPart[] {
	let head = 0;
	const least = Math.min(before.length, after.length);
	while (head < least && before[head] === after[head]) head++;
	let tail = 0;
	while (tail < least - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;

	const gone = before.slice(head, before.length - tail);
	const come = after.slice(head, after.length - tail);
	const middle = shortestEdits(gone, come) ?? (coarse ? undefined : replaced(gone, come));
	if (!middle) return coarse?.() ?? [];

	const parts: DiffPart[] = [];
	push(parts, 'same', before.slice(0, head).join(''));
	for (const { kind, text } of middle) push(parts, kind, text);
	push(parts, 'same', before.slice(before.length - tail).join(''));
	return parts;
}

const replaced = (before: readonly string[], after: readonly string[]): readonly DiffPart[] => [
	{ kind: 'removed', text: before.join('') },
	{ kind: 'added', text: after.join('') }
];

/** Myers' greedy search: how far each diagonal reaches with 0, 1, 2 … edits; then the way back. */
function shortestEdits(before: readonly string[], after: readonly string[]): readonly DiffPart[] | undefined {
	const most = Math.min(before.length + after.length, MOST_EDITS);
	const middle = most + 1;
	const reach = new Int32Array(2 * most + 3);
	const trace: Int32Array[] = [];
	for (let edits = 0; edits <= most; edits++) {
		trace.push(reach.slice(middle - edits - 1, middle + edits + 2));
		for (let k = -edits; k <= edits; k += 2) {
			const down = k === -edits || (k !== edits && at(reach, middle + k - 1) < at(reach, middle + k + 1));
			let x = down ? at(reach, middle + k + 1) : at(reach, middle + k - 1) + 1;
			while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
			reach[middle + k] = x;
			if (x >= before.length && x - k >= after.length) return wayBack(before, after, trace);
		}
	}
	return undefined;
}

function wayBack(
	before: readonly string[],
	after: readonly string[],
	trace: readonly Int32Array[]
): readonly DiffPart[] {
	const back: DiffPart[] = [];
	let x = before.length;
	let y = after.length;
	for (let edits = trace.length - 1; edits >= 0; edits--) {
		const reach = trace[edits] ?? new Int32Array();
		// The slice begins at diagonal -edits - 1.
		const zero = edits + 1;
		const k = x - y;
		const down = k === -edits || (k !== edits && at(reach, zero + k - 1) < at(reach, zero + k + 1));
		const fromX = edits === 0 ? 0 : at(reach, zero + (down ? k + 1 : k - 1));
		const fromY = edits === 0 ? 0 : fromX - (down ? k + 1 : k - 1);
		while (x > fromX && y > fromY) {
			back.push({ kind: 'same', text: before[--x] ?? '' });
			y--;
		}
		if (edits === 0) break;
		if (down) back.push({ kind: 'added', text: after[--y] ?? '' });
		else back.push({ kind: 'removed', text: before[--x] ?? '' });
	}
	return back.reverse();
}

const at = (numbers: Int32Array, index: number): number => numbers[index] ?? 0;

/** Looks at words inside a replaced passage of lines. */
function refine(part: DiffPart, index: number, all: readonly DiffPart[]): readonly DiffPart[] {
	const next = all[index + 1];
	if (part.kind === 'removed' && next?.kind === 'added')
		return compare(tokens(part.text, 'word'), tokens(next.text, 'word'), undefined);
	return part.kind === 'added' && all[index - 1]?.kind === 'removed' ? [] : [part];
}

/**
 * Between two changes, a blank, a comma or one short word that happened to stay is read as part of the change: people read
 * phrases. Changes next to each other are told as one removal and one addition.
 */
function phrases(parts: readonly DiffPart[]): readonly DiffPart[] {
	const result: DiffPart[] = [];
	let removed = '';
	let added = '';
	const flush = () => {
		push(result, 'removed', removed);
		push(result, 'added', added);
		removed = added = '';
	};
	parts.forEach((part, index) => {
		if (part.kind === 'removed') removed += part.text;
		else if (part.kind === 'added') added += part.text;
		else if (removed && added && index < parts.length - 1 && isFiller(part.text)) {
			removed += part.text;
			added += part.text;
		} else {
			flush();
			push(result, 'same', part.text);
		}
	});
	flush();
	return result;
}

function isFiller(text: string): boolean {
	return !text.includes('\n') && /^[^\p{L}\p{N}]*[\p{L}\p{N}]{0,3}[^\p{L}\p{N}]*$/u.test(text);
}

function push(parts: DiffPart[], kind: DiffPart['kind'], text: string): void {
	if (!text) return;
	const last = parts.at(-1);
	if (last?.kind === kind) last.text += text;
	else parts.push({ kind, text });
}
