import type { Mark, Node } from 'prosemirror-model';
import { isHistoryTransaction } from 'prosemirror-history';
import type { EditorState, Transaction } from 'prosemirror-state';
import { Mapping } from 'prosemirror-transform';
import { ATTRIBUTE, blockWrittenBy, MARK, markOf, sameWritten } from './written.js';

/**
 * Whether the person's own keys made the transaction. What is pasted or dropped keeps who wrote it; a run, undo and redo,
 * and what comes from another peer (none of them enters the person's history as an edit) put back what is right already.
 */
function typed(tr: Transaction, pastedAsText: boolean): boolean {
	const origin: Transaction = (tr.getMeta('appendedTransaction') as Transaction | undefined) ?? tr;
	if (tr.getMeta('addToHistory') === false || origin.getMeta('addToHistory') === false) return false;
	if (isHistoryTransaction(origin) || origin.getMeta('y-sync$') !== undefined) return false;
	const by: unknown = origin.getMeta('uiEvent');
	if (by === 'drop') return false;
	return !(by === 'paste' || origin.getMeta('paste')) || pastedAsText;
}

/** Marks that words at this place take over by themselves. */
function inheritable(doc: Node, from: number, to: number): Mark[] {
	const $from = doc.resolve(from);
	if (!$from.parent.inlineContent) return [];
	const marks: Mark[] = [];
	const add = (node: Node | null | undefined) => {
		const mark = node && markOf(node);
		if (mark) marks.push(mark);
	};
	const $to = doc.resolve(to);
	for (const node of [$from.nodeBefore, $from.nodeAfter, $to.nodeBefore, $to.nodeAfter]) add(node);
	doc.nodesBetween(from, to, (node) => void (node.isInline && add(node)));
	return marks;
}

interface Found {
	readonly from: number;
	readonly to: number;
	readonly marks: readonly Mark[];
	/** Blocks that a new one may be the other half of. */
	readonly around: readonly Node[];
}

/** What one typed transaction put in, in positions of its own result, with what it may have taken over. */
function foundIn(tr: Transaction, stored: readonly Mark[]): Found[] {
	const marks: Mark[] = [...stored];
	const ranges: { from: number; to: number; around: readonly Node[] }[] = [];
	tr.mapping.maps.forEach((map, index) => {
		const doc = tr.docs[index]!;
		const later = tr.mapping.slice(index + 1);
		map.forEach((oldFrom, oldTo, newFrom, newTo) => {
			marks.push(...inheritable(doc, oldFrom, oldTo));
			const from = later.map(newFrom, 1);
			const to = later.map(newTo, -1);
			if (from >= to) return;
			const $from = doc.resolve(oldFrom);
			const around = $from.parent.inlineContent
				? Array.from({ length: $from.depth }, (_, depth) => $from.node(depth + 1)).filter(blockWrittenBy)
				: [];
			ranges.push({ from, to, around });
		});
	});
	return ranges.map((range) => ({ ...range, marks }));
}

const storedIn = (state: EditorState): readonly Mark[] =>
	(state.storedMarks ?? []).filter(({ type }) => type.name === MARK);

/**
 * Takes provenance off what the person typed: a word typed inside an agent's sentence takes the mark of its neighbours, and
 * the second half of a split block the attribute of the first, but both are the person's. Provenance that the words did not
 * take over from their surroundings was put there on purpose and stays.
 * @returns the transaction to append, or null
 */
export function stripTyped(
	transactions: readonly Transaction[],
	before: EditorState,
	state: EditorState,
	pastedAsText: boolean
): Transaction | null {
	const { schema } = state;
	const marked = schema.marks[MARK];
	const tr = state.tr;
	transactions.forEach((one, index) => {
		if (!one.docChanged || !typed(one, pastedAsText)) return;
		const rest = new Mapping(transactions.slice(index + 1).flatMap(({ mapping }) => mapping.maps));
		for (const { from, to, marks, around } of foundIn(one, storedIn(before))) {
			const start = rest.map(from, 1);
			const end = rest.map(to, -1);
			if (start >= end) continue;
			state.doc.nodesBetween(start, end, (node, pos) => {
				if (node.isInline) {
					const mark = marked && markOf(node);
					if (mark && marks.some((other) => other.eq(mark)))
						tr.removeMark(Math.max(start, pos), Math.min(end, pos + node.nodeSize), mark);
					return;
				}
				const by = blockWrittenBy(node);
				if (by && pos >= start && around.some((block) => sameWritten(blockWrittenBy(block)!, by)))
					tr.setNodeAttribute(pos, ATTRIBUTE, null);
			});
		}
	});
	if (!tr.docChanged) return null;
	// A step would forget that the person has just switched bold on.
	if (state.storedMarks) tr.setStoredMarks(state.storedMarks.filter(({ type }) => type !== marked));
	return tr;
}
