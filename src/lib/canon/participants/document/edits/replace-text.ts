import { Fragment, type Mark, type Node } from 'prosemirror-model';
import { placesOf } from '../blocks/index.js';
import { children } from './children.js';
import { replaceBlocks } from '../markdown/index.js';
import { type DocumentChange, type DocumentRefusal, type Ground, no, type Plan } from './change.js';
import { inlineFrom } from './content.js';
import { type Found, findText } from './find-text.js';

/** Where a quoted text stands in a block: once, or as often as is asked for. @internal */
export function quoted(
	ground: Ground,
	id: string,
	quote: string,
	all = false
): { readonly ok: true; readonly found: readonly Found[] } | DocumentRefusal {
	const place = placesOf(ground.state.doc).get(id);
	if (!place) return no('block-unknown');
	let found = findText(place.node, place.pos, quote);
	if (found.length === 0 && ground.format === 'markdown') {
		// Quoted as it was read, with its asterisks.
		const type = place.node.isTextblock ? place.node.type : ground.state.schema.nodes['paragraph'];
		const read = type ? inlineFrom(ground, { markdown: quote }, type) : no('schema');
		const plain = read.ok ? read.nodes.map((node) => node.text ?? '').join('') : '';
		if (plain !== quote) found = findText(place.node, place.pos, plain);
	}
	if (found.length === 0) return no('not-found', undefined, place.block);
	if (found.length > 1 && !all)
		return no('ambiguous', `The text stands in the block ${found.length} times.`, place.block);
	return { ok: true, found };
}

/** @internal */
export function replaceText(
	ground: Ground,
	{ id, find, text, all }: DocumentChange & { kind: 'replaceText' }
): Plan | DocumentRefusal {
	const hit = quoted(ground, id, find, all);
	if (!hit.ok) return hit;
	const { block } = placesOf(ground.state.doc).get(id)!;
	const edits: { found: Found; nodes: readonly Node[] }[] = [];
	for (const found of hit.found) {
		const old = found.block.content.cut(found.from - found.start, found.to - found.start);
		const read = inlineFrom(ground, text, found.block.type, children(old));
		if (!read.ok) return { ...read, current: block };
		edits.push({ found, nodes: dressed(read.nodes, found) });
	}
	const rewritten = blocksWith(edits);
	for (const { old, fresh } of rewritten)
		if (!old.type.validContent(fresh.content))
			return no('schema', `${old.type.name} does not take this text.`, block);
	const [first, last] = [rewritten[0]!, rewritten.at(-1)!];
	return {
		ok: true,
		from: first.pos,
		to: last.pos + last.old.nodeSize,
		stamps: true,
		write: (tr) => {
			// From the end, so that positions hold.
			for (const { pos, old, fresh } of [...rewritten].reverse())
				replaceBlocks(tr, pos, pos + old.nodeSize, [fresh]);
		}
	};
}

/** Each textblock with all that changes in it. */
function blocksWith(
	edits: readonly { found: Found; nodes: readonly Node[] }[]
): readonly { pos: number; old: Node; fresh: Node }[] {
	const out = new Map<number, { pos: number; old: Node; fresh: Node }>();
	for (const { found, nodes } of [...edits].reverse()) {
		const { block, start, from, to } = found;
		const { fresh } = out.get(start) ?? { fresh: block };
		const content = fresh.content
			.cut(0, from - start)
			.append(Fragment.from(nodes))
			.append(fresh.content.cut(to - start));
		out.set(start, { pos: start - 1, old: block, fresh: block.copy(content) });
	}
	return [...out.values()].reverse();
}

/** New text wears what all of the replaced text wears, provenance excepted: that is put on by whoever writes. */
function dressed(nodes: readonly Node[], { block, start, from, to }: Found): readonly Node[] {
	let common: readonly Mark[] | undefined;
	block.nodesBetween(from - start, to - start, (node) => {
		const marks = node.marks.filter(({ type }) => type.name !== 'agentText' && type.name !== 'comment');
		common = common ? common.filter((mark) => mark.isInSet(marks)) : marks;
	});
	return nodes.map((node) =>
		node.mark((common ?? []).reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), node.marks))
	);
}
