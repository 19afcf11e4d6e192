import type { Attrs, Mark, Node } from 'prosemirror-model';
import type { EditorState, Transaction } from 'prosemirror-state';
import { Mapping } from 'prosemirror-transform';

/** Who says what in a comment; an app's own mark of that name, which says neither, is left alone. */
export const isRemark = ({ type: { name, spec } }: Mark): boolean =>
	name === 'comment' && spec.attrs?.['text'] !== undefined && spec.attrs['by'] !== undefined;

/** What a comment says of itself, as a line. */
export const remarkOf = ({ attrs }: Mark): string =>
	JSON.stringify(['id', 'text', 'by', 'run', 'version', 'at'].map((name) => (attrs as Attrs)[name] ?? null));

const PASTED = ['paste', 'drop'];
const isPasted = (tr: Transaction): boolean =>
	tr.docChanged &&
	(tr.getMeta('paste') !== undefined || PASTED.includes(String(tr.getMeta('uiEvent') as unknown)));

const idIn = ({ attrs }: Mark): string => String(attrs['id'] ?? '');
const remarksOf = (node: Node | null): readonly Mark[] => node?.marks.filter(isRemark) ?? [];

interface Range {
	readonly from: number;
	readonly to: number;
}

/** What was pasted or dropped, in positions of the state after it. */
function pasted(transactions: readonly Transaction[]): Range[] {
	const ranges: Range[] = [];
	transactions.forEach((tr, index) => {
		if (!isPasted(tr)) return;
		const rest = new Mapping(transactions.slice(index + 1).flatMap(({ mapping }) => mapping.maps));
		tr.mapping.maps.forEach((map, step) => {
			const later = tr.mapping.slice(step + 1);
			map.forEach((_from, _to, newFrom, newTo) => {
				const from = rest.map(later.map(newFrom, 1), 1);
				const to = rest.map(later.map(newTo, -1), -1);
				if (from < to) ranges.push({ from, to });
			});
		});
	});
	return ranges;
}

/**
 * Gives the copy of a comment an id of its own, where the comment still stands elsewhere: both were one comment otherwise,
 * said of words that have nothing to do with each other. What is pasted in the middle of a comment's words stays in it.
 * @param tr to put the steps in, on `state` or with steps that move nothing
 * @returns the same transaction
 */
export function ownRemarks(
	transactions: readonly Transaction[],
	state: EditorState,
	tr: Transaction,
	newId: () => string
): Transaction {
	const ranges = pasted(transactions);
	const { doc } = state;
	const copies: (Range & { mark: Mark })[] = [];
	for (const { from, to } of ranges) {
		const around = new Set(remarksOf(doc.resolve(from).nodeBefore).map(idIn));
		const inside = new Set(
			remarksOf(doc.resolve(to).nodeAfter)
				.map(idIn)
				.filter((id) => around.has(id))
		);
		doc.nodesBetween(from, to, (node, pos) => {
			for (const mark of node.isInline ? remarksOf(node) : [])
				if (!inside.has(idIn(mark)))
					copies.push({ from: Math.max(from, pos), to: Math.min(to, pos + node.nodeSize), mark });
		});
	}
	if (copies.length === 0) return tr;
	const elsewhere = new Set<string>();
	doc.descendants((node, pos) => {
		const end = pos + node.nodeSize;
		if (!node.isInline || ranges.some(({ from, to }) => from <= pos && end <= to)) return;
		for (const mark of remarksOf(node)) elsewhere.add(idIn(mark));
	});
	const fresh = new Map<string, string>();
	for (const { from, to, mark } of copies) {
		const old = idIn(mark);
		if (!elsewhere.has(old)) continue;
		const id = fresh.get(old) ?? newId();
		fresh.set(old, id);
		tr.removeMark(from, to, mark).addMark(from, to, mark.type.create({ ...mark.attrs, id }));
	}
	return tr;
}
