import type { Node } from 'prosemirror-model';
import {
	AddMarkStep,
	AddNodeMarkStep,
	AttrStep,
	DocAttrStep,
	RemoveMarkStep,
	RemoveNodeMarkStep,
	ReplaceAroundStep,
	ReplaceStep,
	type Step
} from 'prosemirror-transform';
import { inlineBetween } from '../row/inline.js';
import { changes, markChanges, markKey } from '../row/value.js';
import { noteChange } from './change.js';
import type { Notes } from './notes.js';
import { revalue } from './revalue.js';
import { noteSweep } from './sweep.js';

/**
 * A step as changes of tokens. A changed tag is a value, not a removal and an insertion: its token keeps its identity, and
 * with it everything that was written inside.
 */
export function readStep(notes: Notes, step: Step, before: Node, after: Node): void {
	if (step instanceof ReplaceStep || step instanceof ReplaceAroundStep)
		readReplace(notes, step, before, after);
	else if (step instanceof AddMarkStep || step instanceof RemoveMarkStep)
		readMark(notes, step, before, after);
	else if (step instanceof AttrStep || step instanceof AddNodeMarkStep || step instanceof RemoveNodeMarkStep)
		readTag(notes, step.pos, before, after);
	else if (step instanceof DocAttrStep) readDocAttr(notes, step, before, after);
	else readMap(notes, step, before, after);
}

/** Also a step that somebody else defined: its map says what it did to positions. */
function readMap(notes: Notes, step: Step, before: Node, after: Node): void {
	let shift = 0;
	step.getMap().forEach((from, to, newFrom, newTo) => {
		const size = newTo - newFrom;
		noteChange(notes, { from, to, size, shift }, before, after);
		shift += size - (to - from);
	});
}

function readReplace(notes: Notes, step: ReplaceStep | ReplaceAroundStep, before: Node, after: Node): void {
	if (isRetag(step, before, after)) readTag(notes, step.from, before, after);
	else if (notes.who === null && isWhole(step, before)) noteSweep(notes, after.content.size, before, after);
	else readMap(notes, step, before, after);
}

const isWhole = (step: ReplaceStep | ReplaceAroundStep, before: Node): boolean =>
	step instanceof ReplaceStep && step.from === 0 && step.to === before.content.size && step.to > 0;

/** The same node in another type or with other attributes; a leaf replaced by one of its type. */
function isRetag(step: ReplaceStep | ReplaceAroundStep, before: Node, after: Node): boolean {
	const { from, to, slice } = step;
	if (slice.openStart > 0 || slice.openEnd > 0) return false;
	if (step instanceof ReplaceAroundStep) {
		const isRim = step.gapFrom === from + 1 && step.gapTo === to - 1 && step.insert === 1 && slice.size === 2;
		return isRim && before.nodeAt(from)?.nodeSize === to - from && after.nodeAt(from) !== null;
	}
	if (to !== from + 1 || slice.size !== 1) return false;
	const old = before.nodeAt(from);
	const now = after.nodeAt(from);
	return old !== null && now !== null && !old.isText && old.isLeaf && now.type === old.type;
}

function readTag(notes: Notes, pos: number, before: Node, after: Node): void {
	const old = before.nodeAt(pos);
	const now = after.nodeAt(pos);
	if (old && now) revalue(notes, pos, pos + 1, changes(old, now));
}

/** Only the nodes whose set of marks really changes. */
function readMark(notes: Notes, step: AddMarkStep | RemoveMarkStep, before: Node, after: Node): void {
	const key = markKey(step.mark);
	for (const { node, from, to } of inlineBetween(before, step.from, step.to)) {
		const changed = markChanges(node.marks, after.nodeAt(from)!.marks);
		// The person says it: final also where it was so already.
		if (notes.who === null && !changed.some((change) => change.key === key))
			changed.push({ key, was: null, now: null });
		revalue(notes, from, to, changed);
	}
}

function readDocAttr(notes: Notes, step: DocAttrStep, before: Node, after: Node): void {
	const key = `a:${step.attr}`;
	if (notes.who === null) notes.docOps = notes.docOps.filter((op) => op.key !== key);
	else
		notes.docOps = [
			...notes.docOps,
			{ key, was: before.attrs[step.attr], now: after.attrs[step.attr], by: notes.who }
		];
}
