import { Fragment, type Node } from 'prosemirror-model';
import type { Transaction } from 'prosemirror-state';
import { idOf, levelOf, placesOf, spanOf, takesId } from '../blocks/index.js';
import { beyondMarkdown, replaceBlocks } from '../markdown/index.js';
import {
	type DocumentChange,
	type DocumentContent,
	type DocumentRefusal,
	type Ground,
	no,
	type Plan
} from './change.js';
import { blocksFrom, identified } from './content.js';
import { misplaced } from './insert.js';

/** @internal */
export function rewrite(
	ground: Ground,
	{ id, content }: DocumentChange & { kind: 'rewrite' }
): Plan | DocumentRefusal {
	const place = placesOf(ground.state.doc).get(id);
	if (!place) return no('block-unknown');
	const { node, pos, end } = place;
	const read = blocksFrom(ground, content, [node]);
	if (!read.ok) return { ...read, current: place.block };
	let nodes = read.nodes;
	if (nodes.length === 0) {
		if (!node.isTextblock)
			return no('nothing', 'There is nothing in it. To take the block out, remove it.', place.block);
		nodes = [node.copy(Fragment.empty)];
	}
	return over(ground, pos, end, nodes, id, isText(content));
}

/** @internal */
export function rewriteSection(
	ground: Ground,
	{ id, content }: DocumentChange & { kind: 'rewriteSection' }
): Plan | DocumentRefusal {
	const { doc } = ground.state;
	const place = placesOf(doc).get(id);
	const span = place && place.block.inside === undefined ? spanOf(doc, place.index) : undefined;
	if (!place) return no('block-unknown');
	if (!span) return no('block-unknown', 'This block is no heading of the document.', place.block);
	const old: Node[] = [];
	for (let index = span.from; index < span.to; index++) old.push(doc.child(index));
	const read = blocksFrom(ground, content, old);
	if (!read.ok) return read;
	const end = place.pos + old.reduce((size, { nodeSize }) => size + nodeSize, 0);
	const headed = read.nodes[0] !== undefined && levelOf(read.nodes[0]) !== undefined;
	return over(ground, place.pos, end, headed ? read.nodes : [place.node, ...read.nodes], id, isText(content));
}

const isText = (content: DocumentContent): boolean => typeof content === 'string' || !('nodes' in content);

/** Blocks between two borders of one parent become others, of which one has `id`. */
function over(
	ground: Ground,
	from: number,
	to: number,
	fresh: readonly Node[],
	id: string,
	/** Were they read from text? */
	said: boolean
): Plan | DocumentRefusal {
	const { markdown, state } = ground;
	const { doc, schema } = state;
	const $from = doc.resolve(from);
	const { parent } = $from;
	// Of what stays, or only changes, the old id and the old author stay; these are for what is new.
	const nodes = identified(fresh, $from.depth === 0, ground);
	if (!parent.canReplace($from.index(), doc.resolve(to).index(), Fragment.from(nodes)))
		return misplaced(
			nodes.map(({ type }) => type.name),
			parent.type.name
		);
	// What a writer of Markdown could not see, a colour or an alignment, is not for it to take away.
	const options = said ? { ignore: beyondMarkdown(schema, markdown.names) } : {};
	return {
		ok: true,
		from,
		to,
		stamps: true,
		write: (tr) => {
			const start = tr.steps.length;
			replaceBlocks(tr, from, to, nodes, options);
			succeed(tr, from, tr.mapping.slice(start).map(to, 1), id);
		}
	};
}

/** The first block takes the id on, where the one that had it is gone: what was addressed can be addressed again. */
function succeed(tr: Transaction, from: number, to: number, id: string): void {
	let heir: number | undefined;
	let there = false;
	tr.doc.nodesBetween(from, to, (node, pos) => {
		if (pos < from || node.isInline) return !node.isInline;
		if (idOf(node) === id) there = true;
		if (heir === undefined && takesId(node)) heir = pos;
		return !there;
	});
	if (!there && heir !== undefined) tr.setNodeAttribute(heir, 'id', id);
}
