import { Fragment, Slice, type Node } from 'prosemirror-model';
import { AttrStep, ReplaceAroundStep, ReplaceStep, Transform } from 'prosemirror-transform';
import { common } from './common.js';
import { changeInline } from './inline-steps.js';
import { pairing } from './pairing.js';
import { mergedAttrs, type Keys } from './same.js';

/** A stretch of siblings that is not the same before and after, and where it begins in the document. */
interface Gap {
	readonly pos: number;
	readonly old: readonly Node[];
	readonly next: readonly Node[];
}

/** Makes the siblings that begin at `start` become `next`; what is the same is not touched. @internal */
export function changeSiblings(
	work: Transform,
	start: number,
	old: readonly Node[],
	next: readonly Node[],
	keys: Keys
): void {
	const numbers = (nodes: readonly Node[]): number[] => nodes.map((node) => keys.node(node));
	for (const gap of gapsOf(start, old, next, common(numbers(old), numbers(next)))) {
		const inner = gapsOf(gap.pos, gap.old, gap.next, pairing(gap.old, gap.next), true);
		if (!attempt(work, (tried) => inner.forEach((one) => changeGap(tried, one, keys)))) replaceGap(work, gap);
	}
}

/** What lies between the pairs, and with `pairs` the pairs themselves; the last first. */
function gapsOf(
	start: number,
	old: readonly Node[],
	next: readonly Node[],
	pairs: readonly (readonly [number, number])[],
	withPairs = false
): Gap[] {
	const gaps: Gap[] = [];
	let pos = start;
	let left = 0;
	let right = 0;
	const take = (leftEnd: number, rightEnd: number, wanted: boolean): void => {
		const gap = { pos, old: old.slice(left, leftEnd), next: next.slice(right, rightEnd) };
		if (wanted && (gap.old.length || gap.next.length)) gaps.push(gap);
		for (const node of gap.old) pos += node.nodeSize;
		left = leftEnd;
		right = rightEnd;
	};
	for (const [pairLeft, pairRight] of pairs) {
		take(pairLeft, pairRight, true);
		take(pairLeft + 1, pairRight + 1, withPairs);
	}
	take(old.length, next.length, true);
	return gaps.reverse();
}

function changeGap(work: Transform, gap: Gap, keys: Keys): void {
	const { pos, old, next } = gap;
	const alone = old.length === 1 && next.length === 1;
	if (!alone || !related(old[0]!, next[0]!)) return replaceGap(work, gap);
	if (!attempt(work, (tried) => changeBlock(tried, pos, old[0]!, next[0]!, keys))) replaceGap(work, gap);
}

/** Whether one block can become the other without being made anew. */
const related = (old: Node, next: Node): boolean =>
	old.type === next.type || (!old.isLeaf && !next.isLeaf && old.isTextblock === next.isTextblock);

function replaceGap(work: Transform, { pos, old, next }: Gap): void {
	const size = old.reduce((sum, node) => sum + node.nodeSize, 0);
	if (size === 0 && next.length === 0) return;
	work.step(new ReplaceStep(pos, pos + size, new Slice(Fragment.fromArray([...next]), 0, 0)));
}

/** Takes the steps only if all of them can be taken: some orders of steps lead over what is no document. */
function attempt(work: Transform, change: (tried: Transform) => void): boolean {
	const tried = new Transform(work.doc);
	try {
		change(tried);
	} catch (error) {
		// Both are how ProseMirror says that a step does not fit.
		if (error instanceof RangeError || (error as Error).name === 'TransformError') return false;
		throw error;
	}
	// They have been applied once; a second time would cost as much again on every level.
	tried.steps.forEach((step, at) => {
		work.steps.push(step);
		work.docs.push(tried.docs[at]!);
		work.mapping.appendMap(tried.mapping.maps[at]!);
	});
	work.doc = tried.doc;
	return true;
}

function changeBlock(work: Transform, pos: number, old: Node, next: Node, keys: Keys): void {
	if (keys.node(old) === keys.node(next)) return;
	if (keys.marks(old.marks) !== keys.marks(next.marks)) throw new RangeError('The marks of a block differ.');
	const shellFirst = old.type === next.type || next.type.validContent(old.content);
	if (shellFirst) changeShell(work, pos, old, next, keys);
	if (old.inlineContent) changeInline(work, pos + 1, old.content, next.content, keys);
	else changeSiblings(work, pos + 1, children(old), children(next), keys);
	if (!shellFirst) changeShell(work, pos, work.doc.nodeAt(pos)!, next, keys);
}

/** Type and attributes of a block, its content untouched. */
function changeShell(work: Transform, pos: number, old: Node, next: Node, keys: Keys): void {
	const attrs = mergedAttrs(old, next, keys);
	if (old.type === next.type) {
		for (const [name, value] of Object.entries(attrs)) {
			const differs = JSON.stringify(value) !== JSON.stringify(old.attrs[name]);
			if (differs) work.step(new AttrStep(pos, name, value));
		}
		return;
	}
	if (!next.type.validContent(old.content)) throw new RangeError('The content does not fit the type.');
	const end = pos + old.nodeSize;
	const shell = new Slice(Fragment.from(next.type.create(attrs, null, old.marks)), 0, 0);
	work.step(new ReplaceAroundStep(pos, end, pos + 1, end - 1, shell, 1, true));
}

/** @internal */
export const children = (node: Node): readonly Node[] => node.content.content;
