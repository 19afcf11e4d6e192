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
	const parts =
		compare(words(before), words(after)) ??
		coarse(lines(before), lines(after)).flatMap((part, index, all) => {
			const next = all[index + 1];
			if (part.kind === 'removed' && next?.kind === 'added')
				return coarse(words(part.text), words(next.text));
			return part.kind === 'added' && all[index - 1]?.kind === 'removed' ? [] : [part];
		});
	return phrases(parts);
}

const WORD = /\p{L}[\p{L}\p{M}\p{N}'’]*|\p{N}[\p{N}.,:]*\p{N}|\p{N}|\s+|./gsu;
/** Written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const lines = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

function words(text: string): readonly string[] {
	// Languages without spaces need the segmenter; elsewhere the plain expression is far cheaper.
	if (!UNSPACED.test(text) || !globalThis.Intl?.Segmenter) return text.match(WORD) ?? [];
	const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
	return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Where two differ too much, everything counts as replaced. */
const coarse = (before: readonly string[], after: readonly string[]): readonly DiffPart[] =>
	compare(before, after) ?? [
		{ kind: 'removed', text: before.join('') },
		{ kind: 'added', text: after.join('') }
	];

/** One edit on a way through both texts, and the way that led to it. */
interface Edit {
	/** Tokens of the text before that lie behind it. */
	x: number;
	kind: 'removed' | 'added';
	text: string;
	from: Edit | undefined;
}

/** Myers' greedy search: how far each diagonal reaches with 0, 1, 2 … edits, and over which. */
function compare(before: readonly string[], after: readonly string[]): readonly DiffPart[] | undefined {
	let head = 0;
	while (head < before.length && before[head] === after[head]) head++;
	let tail = before.length;
	const shift = after.length - tail;
	while (tail > head && tail + shift > head && before[tail - 1] === after[tail + shift - 1]) tail--;

	const reach = new Map<number, { x: number; edits: Edit | undefined }>();
	for (let count = 0; count <= MOST_EDITS; count++)
		for (let k = -count; k <= count; k += 2) {
			const left = reach.get(k - 1);
			const right = reach.get(k + 1);
			let x = head;
			let edits: Edit | undefined;
			if (right && (!left || left.x < right.x)) {
				x = right.x;
				edits = { x, kind: 'added', text: after[x - k - 1] ?? '', from: right.edits };
			} else if (left) {
				x = left.x + 1;
				edits = { x, kind: 'removed', text: before[left.x] ?? '', from: left.edits };
			}
			while (x < tail && x - k < tail + shift && before[x] === after[x - k]) x++;
			reach.set(k, { x, edits });
			if (x >= tail && x - k >= tail + shift) return told(before, edits);
		}
	return undefined;
}

/** What stands between the edits of a way stayed. */
function told(before: readonly string[], last: Edit | undefined): readonly DiffPart[] {
	const edits: Edit[] = [];
	for (let edit = last; edit; edit = edit.from) edits.unshift(edit);
	const parts: DiffPart[] = [];
	let x = 0;
	for (const edit of edits) {
		push(parts, 'same', before.slice(x, edit.kind === 'removed' ? edit.x - 1 : edit.x).join(''));
		push(parts, edit.kind, edit.text);
		x = edit.x;
	}
	push(parts, 'same', before.slice(x).join(''));
	return parts;
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
