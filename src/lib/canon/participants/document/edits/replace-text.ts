import { Fragment, type Mark, type Node } from 'prosemirror-model';
import { placesOf } from '../blocks/index.js';
import { children } from './children.js';
import { replaceBlocks } from '../markdown/index.js';
import { type DocumentChange, type DocumentRefusal, type Ground, no, type Plan } from './change.js';
import { inlineFrom } from './content.js';
import type { Found } from './find-text.js';
import { quoted } from './quoted.js';

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
