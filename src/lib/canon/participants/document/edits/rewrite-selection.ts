import { Fragment, type Node, type ResolvedPos, Slice } from 'prosemirror-model';
import { AllSelection, TextSelection, type Transaction } from 'prosemirror-state';
import { canSplit, Transform } from 'prosemirror-transform';
import { blockAt, takesId } from '../blocks/index.js';
import { beyondMarkdown, replaceBlocks } from '../markdown/index.js';
import { children } from './children.js';
import { type DocumentChange, type DocumentRefusal, type Ground, no, type Plan } from './change.js';
import { blocksFrom, identified } from './content.js';
import { misplaced } from './insert.js';

/** @internal */
export function rewriteSelection(
	ground: Ground,
	{ content }: DocumentChange & { kind: 'rewriteSelection' }
): Plan | DocumentRefusal {
	const { doc, selection } = ground.state;
	const { $from, $to, empty } = selection;
	// Cells of a table, or a picture: what is selected there is no text.
	if (empty || !(selection instanceof TextSelection || selection instanceof AllSelection))
		return no('selection');
	const read = blocksFrom(ground, content, children(selection.content().content));
	if (!read.ok) return read;
	const said = typeof content === 'string' || !('nodes' in content);
	// What a writer of Markdown could not see is not for it to take away.
	const options = said ? { ignore: beyondMarkdown(doc.type.schema, ground.markdown.names) } : {};
	const [only, more] = read.nodes;
	if ($from.sameParent($to) && $from.parent.isTextblock && !more && (!only || only.isTextblock)) {
		const inline = only?.content ?? Fragment.empty;
		const { parent } = $from;
		const cut = (from: number, to?: number) => parent.content.cut(from, to);
		const whole = cut(0, $from.parentOffset).append(inline).append(cut($to.parentOffset));
		if (!parent.type.validContent(whole)) return no('schema', `${parent.type.name} does not take this text.`);
		const [from, to] = [$from.before(), $from.after()];
		return {
			ok: true,
			from,
			to,
			stamps: true,
			// The whole block, so that words which stay are found again and stay whose they were.
			write: (tr) => void replaceBlocks(tr, from, to, [parent.copy(whole)], options)
		};
	}
	if (read.nodes.length === 0) return no('nothing', 'To take blocks out, remove them.');
	const nodes = identified(read.nodes, $from.sharedDepth($to.pos) === 0, ground);
	const first = blockAt(doc, $from.pos);
	const last = blockAt(doc, $to.pos);
	if (!first || !last)
		return misplaced(
			nodes.map(({ type }) => type.name),
			doc.type.name
		);
	return {
		ok: true,
		from: first.pos,
		to: last.end,
		// The new nodes say themselves who wrote them; what was not selected is nobody else's now.
		stamps: false,
		write: (tr) => {
			const { from, to, row } = written(tr.doc, $from, $to, nodes);
			const before = tr.doc.content.size;
			part(tr, $from, $to, nodes, ground.newId);
			replaceBlocks(tr, from, to + tr.doc.content.size - before, row, options);
		}
	};
}

const begun = ({ parent, parentOffset }: ResolvedPos): boolean => parent.isTextblock && parentOffset > 0;
const unended = ({ parent, parentOffset }: ResolvedPos): boolean =>
	parent.isTextblock && parentOffset < parent.content.size;

/** Blocks that are touched, all of one parent, and what they are to be: the new ones, with what was not selected around them. */
function written(
	doc: Node,
	$from: ResolvedPos,
	$to: ResolvedPos,
	nodes: readonly Node[]
): { from: number; to: number; row: readonly Node[] } {
	const shared = $from.sharedDepth($to.pos);
	const { slice, start, end } = itemsIn($from, $to, shared, nodes) ?? blocksIn($from, $to, nodes);
	const depth = $from.node(shared).isTextblock ? shared - 1 : shared;
	const from = $from.depth > depth ? $from.before(depth + 1) : $from.pos;
	const to = $to.depth > depth ? $to.after(depth + 1) : $to.pos;
	// Tried as one piece, and then written as what it differs by: words that stay keep whose they are, and blocks their names.
	const trial = new Transform(doc).replace(start, end, slice);
	const there = trial.doc.textBetween(trial.mapping.map(start, -1), trial.mapping.map(end, 1), '\n');
	const $start = trial.doc.resolve(from);
	const $end = trial.doc.resolve(to + trial.doc.content.size - doc.content.size);
	// What does not fit would be left out in silence.
	const fits =
		there.includes(slice.content.textBetween(0, slice.content.size, '\n')) &&
		$start.depth === depth &&
		$end.depth === depth &&
		$start.sameParent($end);
	if (!fits) throw new RangeError('The content does not fit what is selected.');
	return { from, to, row: children($start.parent).slice($start.index(), $end.index()) };
}

interface Piece {
	readonly slice: Slice;
	readonly start: number;
	readonly end: number;
}

/** The new blocks; a block of text goes on with what is not selected beside it. */
function blocksIn($from: ResolvedPos, $to: ResolvedPos, nodes: readonly Node[]): Piece {
	const open = (node: Node | undefined) => (node?.isTextblock ? 1 : 0);
	return {
		slice: new Slice(
			Fragment.from(nodes),
			begun($from) ? open(nodes[0]) : 0,
			unended($to) ? open(nodes.at(-1)) : 0
		),
		start: begun($from) || !$from.parent.isTextblock ? $from.pos : $from.before(),
		end: unended($to) || !$to.parent.isTextblock ? $to.pos : $to.after()
	};
}

/** A list over items of a list is read as these items, and written as such: not as a list inside the first of them. */
function itemsIn(
	$from: ResolvedPos,
	$to: ResolvedPos,
	shared: number,
	nodes: readonly Node[]
): Piece | undefined {
	const holder = $from.node(shared);
	const [only, more] = nodes;
	if (shared === 0 || holder.isTextblock || !only || more || only.type !== holder.type) return undefined;
	if (!$from.parent.isTextblock || !$to.parent.isTextblock) return undefined;
	const fits =
		deep(only.firstChild, 'firstChild') === $from.depth - shared &&
		deep(only.lastChild, 'lastChild') === $to.depth - shared;
	if (!fits) return undefined;
	const slice = new Slice(only.content, $from.depth - shared, $to.depth - shared);
	return { slice, start: $from.pos, end: $to.pos };
}

/** How many nodes lie in one another down to the block of text at an end. */
function deep(node: Node | null, end: 'firstChild' | 'lastChild'): number {
	if (!node || node.isLeaf) return 0;
	return node.isTextblock ? 1 : 1 + deep(node[end], end);
}

/** Brings what is not selected to where it is to stand, as it is: copied over it would be words the person never wrote. */
function part(
	tr: Transaction,
	$from: ResolvedPos,
	$to: ResolvedPos,
	nodes: readonly Node[],
	newId: () => string
): void {
	const { parent } = $to;
	if ($from.sameParent($to)) {
		const behind = [
			{ type: parent.type, attrs: takesId(parent) ? { ...parent.attrs, id: newId() } : parent.attrs }
		];
		if (unended($to) && canSplit(tr.doc, $to.pos, 1, behind)) tr.split($to.pos, 1, behind);
	} else if (nodes.length === 1 && nodes[0]!.isTextblock && begun($from) && unended($to)) {
		tr.delete($from.end(), $to.pos);
	}
}
