import { ReplaceAroundStep, ReplaceStep, StepMap } from 'prosemirror-transform';
import { die, livingSize, type Piece } from '../row/piece.js';
import { Reader } from '../row/reader.js';
import { sliceOf } from '../row/slice.js';
import { isBalanced, rowSize, tokensBetween, type Token } from '../row/token.js';
import { attempt } from './attempt.js';
import { editsOf, groupsOf, type Edit, type Group } from './edits.js';
import { WordsStep } from './words-step.js';
import type { Work } from './work.js';

/**
 * Brings the document in line with `want`, right to left, each edit as the smallest step the schema takes: balanced in
 * itself, a `ReplaceStep`; a pair round kept content (wrap, lift), a `ReplaceAroundStep`; several that only together are
 * balanced, their range replaced as a whole. Gives the indexes of the pieces that could not change sides.
 */
export function carryOut(work: Work, want: readonly boolean[]): Set<number> {
	const before = work.doc;
	const refused = new Set<number>();
	const done = new Set<number>();
	const ranges: [number, number, number][] = [];
	const groups = groupsOf(editsOf(before, work.pieces, want)).reverse();
	for (let i = 0; i < groups.length;) {
		const inText = wordsFrom(groups, i);
		const isWritten = inText.length >= MANY && !work.plain && writeWords(work, inText);
		for (const group of inText.length > 0 ? inText : [groups[i]!]) {
			const isDone = isWritten || carryOutGroup(work, group);
			for (const edit of group.edits) {
				for (const index of edit.pieces) (isDone ? done : refused).add(index);
				if (isDone) ranges.push([edit.from, edit.to - edit.from, rowSize(edit.back)]);
			}
			i++;
		}
	}
	ranges.sort((a, b) => a[0] - b[0]);
	if (ranges.length > 0) work.places.push(new StepMap(ranges.flat()));
	const reader = new Reader(before);
	let at = 0;
	work.pieces = work.pieces.map((it, index): Piece => {
		const from = at;
		at += livingSize(it);
		if (!done.has(index)) return it;
		if (it.dead) {
			work.report.back += it.size;
			return { ...it, dead: null };
		}
		work.report.removed += it.size;
		return die(it, reader.read(from, at));
	});
	return refused;
}

/** From so many edits of words on they are one step: each by itself would copy its block, and the list of all blocks. */
const MANY = 16;

/** The groups from `first` on, leftwards, that are words in textblocks. */
function wordsFrom(groups: readonly Group[], first: number): Group[] {
	const out: Group[] = [];
	for (let i = first; i < groups.length; i++) {
		const { edits, odd } = groups[i]!;
		if (edits.length > 1 || odd || !edits[0]!.inText) break;
		out.push(groups[i]!);
	}
	return out;
}

const writeWords = (work: Work, groups: readonly Group[]): boolean =>
	attempt(work.tr, [
		new WordsStep(
			groups
				.map(({ edits: [edit] }) => ({ from: edit!.from, to: edit!.to, content: edit!.slice.content }))
				.reverse()
		)
	]);

// Groups are taken from the right, so that positions of the document before still hold for what is to the left.
function carryOutGroup(work: Work, group: Group): boolean {
	const [first, second] = group.edits as [Edit, Edit?];
	if (group.odd) return false;
	if (!second) return attempt(work.tr, [new ReplaceStep(first.from, first.to, first.slice)]);
	if (group.edits.length === 2 && wrapOrLift(work, first, second)) return true;
	return !group.crossed && replaceRange(work, group);
}

/** Tags round content that stays. */
function wrapOrLift(work: Work, first: Edit, second: Edit): boolean {
	const gap = work.doc.slice(first.to, second.from);
	if (gap.openStart > 0 || gap.openEnd > 0) return false;
	const slice = sliceOf([...first.back, ...second.back], work.schema);
	if (slice.openStart > 0 || slice.openEnd > 0) return false;
	const insert = rowSize(first.back);
	return attempt(work.tr, [
		new ReplaceAroundStep(first.from, second.to, first.to, second.from, slice, insert)
	]);
}

function replaceRange(work: Work, { edits, from, to }: Group): boolean {
	const { doc } = work;
	const row: Token[] = [];
	let at = from;
	for (const edit of edits) {
		row.push(...tokensBetween(doc, at, edit.from), ...edit.back);
		at = edit.to;
	}
	row.push(...tokensBetween(doc, at, to));
	if (!isBalanced(row) || doc.resolve(from).depth !== doc.resolve(to).depth) return false;
	if (!attempt(work.tr, [new ReplaceStep(from, to, sliceOf(row, work.schema))])) return false;
	work.report.rebuilt++;
	return true;
}
