import { Fragment, type Mark, type Node, type NodeType } from 'prosemirror-model';
import { placesOf } from '../blocks/index.js';
import { replaceBlocks } from '../markdown/index.js';
import { type DocumentChange, type DocumentRefusal, type Ground, no, type Plan } from './change.js';
import { inlineFrom, type Read } from './content.js';
import type { Found } from './find-text.js';
import { quoted } from './quoted.js';

/** A textblock before and after. */
interface Rewritten {
	readonly pos: number;
	readonly old: Node;
	readonly fresh: Node;
}

/** @internal */
export function replaceText(
	ground: Ground,
	{ id, find, text, all }: DocumentChange & { kind: 'replaceText' }
): Plan | DocumentRefusal {
	const hit = quoted(ground, id, find, all);
	if (!hit.ok) return hit;
	const { block } = placesOf(ground.state.doc).get(id)!;
	const byBlock = new Map<number, Found[]>();
	for (const found of hit.found) {
		const own = byBlock.get(found.start);
		if (own) own.push(found);
		else byBlock.set(found.start, [found]);
	}
	const read = reader(ground, text);
	const rewritten: Rewritten[] = [];
	for (const own of byBlock.values()) {
		const one = blockWith(own, read);
		if ('code' in one) return { ...one, current: block };
		if (!one.old.type.validContent(one.fresh.content))
			return no('schema', `${one.old.type.name} does not take this text.`, block);
		rewritten.push(one);
	}
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

/** The new text for what it takes the place of: read once, unless something stands there that a line of it may stand for. */
function reader(
	ground: Ground,
	text: (DocumentChange & { kind: 'replaceText' })['text']
): (type: NodeType, old: readonly Node[]) => Read {
	const known = new Map<NodeType, Read>();
	return (type, old) => {
		if (!old.every(({ isText }) => isText)) return inlineFrom(ground, text, type, old);
		const read = known.get(type) ?? inlineFrom(ground, text, type);
		known.set(type, read);
		return read;
	};
}

/** A textblock with all that changes in it. */
function blockWith(
	places: readonly Found[],
	read: (type: NodeType, old: readonly Node[]) => Read
): Rewritten | DocumentRefusal {
	const { block, start } = places[0]!;
	const nodes: Node[] = [];
	const next = cutter(block);
	for (const { from, to } of places) {
		for (const node of next(from - start)) nodes.push(node);
		const old = next(to - start);
		const fresh = read(block.type, old);
		if (!fresh.ok) return fresh;
		nodes.push(...dressed(fresh.nodes, old));
	}
	for (const node of next(block.content.size)) nodes.push(node);
	return { pos: start - 1, old: block, fresh: block.copy(Fragment.fromArray(nodes)) };
}

/** Goes once through the content of a textblock: each call takes what is left up to a place. */
function cutter({ content }: Node): (to: number) => readonly Node[] {
	let index = 0;
	let before = 0;
	let at = 0;
	return (to) => {
		const taken: Node[] = [];
		while (at < to) {
			const node = content.child(index);
			const end = before + node.nodeSize;
			const [from, until] = [at - before, Math.min(end, to) - before];
			taken.push(from === 0 && until === node.nodeSize ? node : node.cut(from, until));
			at = before + until;
			if (at < end) break;
			before = end;
			index++;
		}
		return taken;
	};
}

/** New text wears what all of the replaced text wears, provenance excepted: that is put on by whoever writes. */
function dressed(nodes: readonly Node[], old: readonly Node[]): readonly Node[] {
	let common: readonly Mark[] | undefined;
	for (const { marks } of old) {
		const own = marks.filter(({ type }) => type.name !== 'agentText' && type.name !== 'comment');
		common = common ? common.filter((mark) => mark.isInSet(own)) : own;
	}
	return nodes.map((node) =>
		node.mark((common ?? []).reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), node.marks))
	);
}
