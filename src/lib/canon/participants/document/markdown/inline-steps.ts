import { Slice, type Fragment, type Mark } from 'prosemirror-model';
import { AddMarkStep, RemoveMarkStep, ReplaceStep, type Transform } from 'prosemirror-transform';
import { common } from './common.js';
import type { Keys } from './same.js';
import { tokensOf, type Token } from './tokens.js';

/** Words that stay: places in the old block, in the new one, and how long. */
interface Kept {
	readonly old: number;
	readonly next: number;
	readonly size: number;
}

interface Run {
	readonly to: number;
	readonly marks: readonly Mark[];
}

/**
 * Makes the inline content that begins at `start` become `next`, word by word: what is the same keeps its place, its
 * identity and its authorship; a mark that changes over it is a step of its own.
 * @internal
 */
export function changeInline(
	work: Transform,
	start: number,
	old: Fragment,
	next: Fragment,
	keys: Keys
): void {
	const kept = keptOf(old, next, keys);
	let oldEnd = old.size;
	let nextEnd = next.size;
	// From the right, so that what stands further left keeps its place.
	for (const { old: from, next: nextFrom, size } of [...kept].reverse()) {
		replace(work, start, from + size, oldEnd, next.cut(nextFrom + size, nextEnd));
		oldEnd = from;
		nextEnd = nextFrom;
	}
	replace(work, start, 0, oldEnd, next.cut(0, nextEnd));
	// All that was not kept is new by now, so the kept places are those of the new block.
	changeMarks(work, start, old, next, kept, keys);
}

function replace(work: Transform, start: number, from: number, to: number, content: Fragment): void {
	if (from === to && content.size === 0) return;
	work.step(new ReplaceStep(start + from, start + to, new Slice(content, 0, 0)));
}

function keptOf(old: Fragment, next: Fragment, keys: Keys): Kept[] {
	const oldTokens = tokensOf(old);
	const nextTokens = tokensOf(next);
	const numbers = (tokens: readonly Token[]): number[] =>
		tokens.map(({ text, leaf }) => keys.number(leaf ? `leaf ${keys.node(leaf.mark([]))}` : `word ${text}`));
	const pairs = common(numbers(oldTokens), numbers(nextTokens));
	const runs: { left: number; right: number; count: number }[] = [];
	for (const [left, right] of pairs) {
		const last = runs.at(-1);
		if (last && last.left + last.count === left && last.right + last.count === right) last.count++;
		else runs.push({ left, right, count: 1 });
	}
	return runs
		.filter(({ left, right, count }) => {
			// A lone space between two changes is no word worth keeping: one step is kinder than two.
			const inside =
				left > 0 && right > 0 && left + count < oldTokens.length && right + count < nextTokens.length;
			return !(inside && count === 1 && /^\s+$/.test(oldTokens[left]!.text));
		})
		.map(({ left, right, count }) => {
			const from = oldTokens[left]!.from;
			return { old: from, next: nextTokens[right]!.from, size: oldTokens[left + count - 1]!.to - from };
		});
}

function changeMarks(
	work: Transform,
	start: number,
	old: Fragment,
	next: Fragment,
	kept: readonly Kept[],
	keys: Keys
): void {
	const oldRuns = runsOf(old);
	const nextRuns = runsOf(next);
	const removed = new Ranges(keys);
	const added = new Ranges(keys);
	let oldRun = 0;
	let nextRun = 0;
	for (const { old: oldFrom, next: nextFrom, size } of kept) {
		for (let at = 0; at < size;) {
			while (oldRuns[oldRun]!.to <= oldFrom + at) oldRun++;
			while (nextRuns[nextRun]!.to <= nextFrom + at) nextRun++;
			const end = Math.min(size, oldRuns[oldRun]!.to - oldFrom, nextRuns[nextRun]!.to - nextFrom);
			const had = counting(oldRuns[oldRun]!.marks, keys);
			const has = counting(nextRuns[nextRun]!.marks, keys);
			for (const [key, mark] of had) if (!has.has(key)) removed.add(mark, nextFrom + at, nextFrom + end);
			for (const [key, mark] of has) {
				if (had.has(key)) continue;
				added.add(mark, nextFrom + at, nextFrom + end);
				// Said as steps of their own, or the way back would not know of them.
				for (const other of shutOut(mark, oldRuns[oldRun]!.marks, keys)) {
					removed.add(other, nextFrom + at, nextFrom + end);
				}
			}
			at = end;
		}
	}
	for (const { mark, from, to } of removed.all) work.step(new RemoveMarkStep(start + from, start + to, mark));
	for (const { mark, from, to } of added.all) work.step(new AddMarkStep(start + from, start + to, mark));
}

/** Marks that do not count, and cannot stand beside this one. */
const shutOut = (mark: Mark, marks: readonly Mark[], keys: Keys): readonly Mark[] =>
	marks.filter(
		(other) => keys.ignoresMark(other) && (mark.type.excludes(other.type) || other.type.excludes(mark.type))
	);

const counting = (marks: readonly Mark[], keys: Keys): ReadonlyMap<string, Mark> =>
	new Map(marks.filter((mark) => !keys.ignoresMark(mark)).map((mark) => [keys.mark(mark), mark]));

function runsOf(content: Fragment): Run[] {
	const runs: Run[] = [];
	content.forEach((node, offset) => void runs.push({ to: offset + node.nodeSize, marks: node.marks }));
	return runs;
}

/** Ranges of equal marks; neighbours become one. */
class Ranges {
	readonly all: { readonly mark: Mark; readonly from: number; to: number }[] = [];
	readonly #last = new Map<string, { to: number }>();
	readonly #keys: Keys;

	constructor(keys: Keys) {
		this.#keys = keys;
	}

	add(mark: Mark, from: number, to: number): void {
		const key = `${this.#keys.mark(mark)} ${JSON.stringify(mark.attrs)}`;
		const last = this.#last.get(key);
		if (last?.to === from) last.to = to;
		else {
			const range = { mark, from, to };
			this.all.push(range);
			this.#last.set(key, range);
		}
	}
}
