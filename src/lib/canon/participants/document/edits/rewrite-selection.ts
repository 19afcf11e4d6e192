import { Fragment, Slice } from 'prosemirror-model';
import { AllSelection, TextSelection } from 'prosemirror-state';
import { blockAt } from '../blocks/index.js';
import { replaceBlocks } from '../markdown/index.js';
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
			write: (tr) => void replaceBlocks(tr, from, to, [parent.copy(whole)])
		};
	}
	if (read.nodes.length === 0) return no('nothing', 'To take blocks out, remove them.');
	const nodes = identified(read.nodes, $from.sharedDepth($to.pos) === 0, ground);
	const open = (node: { isTextblock: boolean } | undefined) => (node?.isTextblock ? 1 : 0);
	const slice = new Slice(
		Fragment.from(nodes),
		$from.parent.isTextblock && $from.parentOffset > 0 ? open(nodes[0]) : 0,
		$to.parent.isTextblock && $to.parentOffset < $to.parent.content.size ? open(nodes.at(-1)) : 0
	);
	const from = slice.openStart > 0 ? $from.pos : $from.parent.isTextblock ? $from.before() : $from.pos;
	const to = slice.openEnd > 0 ? $to.pos : $to.parent.isTextblock ? $to.after() : $to.pos;
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
		stamps: true,
		write: (tr) => {
			tr.replace(from, to, slice);
			// What does not fit would be left out in silence.
			const there = tr.doc.textBetween(tr.mapping.map(from, -1), tr.mapping.map(to, 1), '\n');
			if (!there.includes(slice.content.textBetween(0, slice.content.size, '\n')))
				throw new RangeError('The content does not fit what is selected.');
		}
	};
}
