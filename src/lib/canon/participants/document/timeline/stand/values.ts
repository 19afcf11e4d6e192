import { Fragment, Slice, type Mark, type Node } from 'prosemirror-model';
import {
	DocAttrStep,
	RemoveMarkStep,
	AddMarkStep,
	ReplaceAroundStep,
	ReplaceStep
} from 'prosemirror-transform';
import { inlineBetween } from '../row/inline.js';
import { isLiving, livingSize, type Piece } from '../row/piece.js';
import { withValue, type Token } from '../row/token.js';
import { keysOf, markKey, sameValue, type Op, type ValueKey } from '../row/value.js';
import { attempt } from './attempt.js';
import type { Work } from './work.js';

const isMark = (key: ValueKey): boolean => key.startsWith('m:');

/** The keys that may have another value when the run turns; with another type attributes come to light again. */
function keysToSet(work: Work, it: Piece): ValueKey[] {
	if (it.ops.length === 0 || work.owes) return keysOf(it.ops);
	const mine = it.ops.filter((op) => op.by === work.run);
	return keysOf(mine.some(({ key }) => key === 'type') ? it.ops : mine);
}

/** Marks, types and attributes as they should be. No position moves. */
export function restoreValues(work: Work, docOps: readonly Op[]): void {
	let at = 0;
	work.pieces.forEach((it, index) => {
		const from = at;
		at += livingSize(it);
		const keys = keysToSet(work, it);
		if (keys.length === 0 || it.sign) return;
		if (it.dead) {
			const dead = it.dead.map((token) => resolved(work, it, token, keys));
			work.pieces[index] = { ...it, dead };
			return;
		}
		// What the schema refuses now gets its turn when the structure stands: `settleValues`.
		if (!setValues(work, from, it, keys)) work.late = true;
	});
	for (const key of keysOf(docOps.filter((op) => op.by === work.run))) {
		const name = key.slice(2);
		const value = work.value(docOps, key);
		if (!sameValue(work.doc.attrs[name], value)) attempt(work.tr, [new DocAttrStep(name, value)]);
	}
}

/** Values that waited for the structure. */
export function settleValues(work: Work): void {
	if (!work.late && !work.owes) return;
	let at = 0;
	for (const it of work.pieces) {
		const keys = isLiving(it) ? keysToSet(work, it) : [];
		if (!setValues(work, at, it, keys)) work.stuck++;
		at += livingSize(it);
	}
}

/** Gives a living piece that begins at `pos` the values it should have. False if the schema refuses one. */
function setValues(work: Work, pos: number, it: Piece, keys: readonly ValueKey[]): boolean {
	if (keys.length === 0) return true;
	let isDone = true;
	for (const key of keys)
		if (isMark(key) && !setMark(work, pos, pos + it.size, key, work.value(it.ops, key) as Mark | null))
			isDone = false;
	return retag(work, pos, it, keys) && isDone;
}

/** A token with the values that these keys of its piece should have. */
export const resolved = (
	work: Work,
	it: Piece,
	token: Token,
	keys: readonly ValueKey[] = keysToSet(work, it)
): Token => keys.reduce((now, key) => withValue(now, key, work.value(it.ops, key), work.schema), token);

/** Gives the node whose tag this piece is its type, its attributes and its own marks. False if the schema refuses. */
function retag(work: Work, pos: number, it: Piece, all: readonly ValueKey[]): boolean {
	const node = all.length > 0 ? work.doc.nodeAt(pos) : null;
	if (!node || node.isText || !all.some((key) => !isMark(key) || !node.isInline)) return true;
	const target = nodeWith(work, it, node, all);
	if (!target) return false;
	if (
		target.type === node.type &&
		sameValue(target.attrs, node.attrs) &&
		target.marks.length === node.marks.length &&
		target.marks.every((mark, i) => mark.eq(node.marks[i]!))
	)
		return true;
	const slice = new Slice(Fragment.from(target), 0, 0);
	if (node.isLeaf) return attempt(work.tr, [new ReplaceStep(pos, pos + 1, slice)]);
	const $pos = work.doc.resolve(pos);
	const index = $pos.index();
	const end = pos + node.nodeSize;
	return (
		$pos.parent.canReplaceWith(index, index + 1, target.type) &&
		target.type.validContent(node.content) &&
		attempt(work.tr, [new ReplaceAroundStep(pos, end, pos + 1, end - 1, slice, 1, true)])
	);
}

/** The empty node as it should be; null where its type is unknown here. */
function nodeWith(work: Work, it: Piece, node: Node, keys: readonly ValueKey[]): Node | null {
	const type = keys.includes('type') ? work.schema.nodes[work.value(it.ops, 'type') as string] : node.type;
	if (!type || type.isLeaf !== node.isLeaf) return null;
	const attrs: Record<string, unknown> = { ...node.attrs };
	let marks: readonly Mark[] = node.marks;
	for (const key of keys) {
		const value = work.value(it.ops, key);
		if (key.startsWith('a:')) attrs[key.slice(2)] = value;
		else if (isMark(key) && !node.isInline) {
			const rest = marks.filter((mark) => markKey(mark) !== key);
			marks = value ? (value as Mark).addToSet(rest) : rest;
		}
	}
	for (const name in attrs) if (!type.spec.attrs?.[name]) delete attrs[name];
	return type.create(attrs, null, marks);
}

/** False where the words stand in a node that does not allow the mark. */
function setMark(work: Work, pos: number, end: number, key: ValueKey, value: Mark | null): boolean {
	let isDone = true;
	for (const { node, parent, from, to } of inlineBetween(work.doc, pos, end)) {
		const has = node.marks.find((mark) => markKey(mark) === key) ?? null;
		if (has === value || (has && value && has.eq(value))) continue;
		if (has) attempt(work.tr, [new RemoveMarkStep(from, to, has)]);
		if (!value) continue;
		if (parent?.type.allowsMarkType(value.type)) attempt(work.tr, [new AddMarkStep(from, to, value)]);
		else isDone = false;
	}
	return isDone;
}
