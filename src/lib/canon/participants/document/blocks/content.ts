import type { Mark, Node } from 'prosemirror-model';

/** Plain JSON. @internal */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain };

/** Names under which provenance stands in a schema; it is no content. */
const PROVENANCE_MARK = 'agentText';
const PROVENANCE_ATTRIBUTE = 'agent';

const contents = new WeakMap<Node, { readonly [key: string]: Plain }>();
const hashes = new WeakMap<Node, string>();
const counts = new WeakMap<Node, number>();

/**
 * A node as plain JSON, without ids and provenance: equal exactly when two nodes say the same. Remembered by node.
 * @internal
 */
export function contentOf(node: Node): { readonly [key: string]: Plain } {
	let content = contents.get(node);
	if (!content) contents.set(node, (content = read(node)));
	return content;
}

function read(node: Node): { readonly [key: string]: Plain } {
	const attrs = Object.entries(node.attrs).filter(([name]) => name !== 'id' && name !== PROVENANCE_ATTRIBUTE);
	const marks = marksOf(node.marks);
	return {
		type: node.type.name,
		...(attrs.length > 0 && { attrs: plain(Object.fromEntries(attrs)) }),
		...(marks.length > 0 && { marks }),
		...(node.isText ? { text: node.text! } : node.childCount > 0 && { content: children(node) })
	};
}

/** Neighbouring texts that only provenance told apart are one. */
function children(node: Node): readonly Plain[] {
	const out: { readonly [key: string]: Plain }[] = [];
	node.forEach((child) => {
		const last = out.at(-1);
		const one = contentOf(child);
		if (last && child.isText && last['type'] === one['type'] && same(last['marks'], one['marks']))
			out[out.length - 1] = { ...last, text: `${last['text'] as string}${child.text!}` };
		else out.push(one);
	});
	return out;
}

const same = (a: Plain | undefined, b: Plain | undefined): boolean =>
	a === b || JSON.stringify(a) === JSON.stringify(b);

const marksOf = (marks: readonly Mark[]): readonly Plain[] =>
	marks
		.filter(({ type }) => type.name !== PROVENANCE_MARK)
		.map(({ type, attrs }): Plain => ({
			type: type.name,
			...(Object.keys(attrs).length > 0 && { attrs: plain(attrs) })
		}));

/** Attributes may hold anything; what JSON does not carry is left out as JSON leaves it out. */
const plain = (value: unknown): Plain => JSON.parse(JSON.stringify(value) ?? 'null') as Plain;

/**
 * A short hash of a node's content: changes when what it says changes, and only then. Fast, not proof against somebody who
 * looks for two texts with one hash.
 * @internal
 */
export function hashOf(node: Node): string {
	let hash = hashes.get(node);
	if (hash === undefined) {
		if (node.isTextblock || node.isLeaf) hash = hashText(JSON.stringify(contentOf(node)));
		else {
			// Of its children's, so that typing in one item of a list leaves those of the others alone.
			const parts = [JSON.stringify(contentOf(node.type.create(node.attrs, null, node.marks)))];
			node.forEach((child) => void parts.push(hashOf(child)));
			hash = hashText(parts.join());
		}
		hashes.set(node, hash);
	}
	return hash;
}

/** Two FNV-1a sums of a text from different beginnings, in base 36. @internal */
export function hashText(text: string): string {
	let [a, b] = [0x811c9dc5, 0x01000193];
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		a = Math.imul(a ^ code, 0x01000193);
		b = Math.imul(b ^ (code + at), 0x01000193);
	}
	return `${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`;
}

/** The text of a node, its blocks on lines of their own. @internal */
export const textOf = (node: Node): string => node.textBetween(0, node.content.size, '\n', leafText);

const leafText = (leaf: Node): string => leaf.type.spec.leafText?.(leaf) ?? (leaf.isInline ? '\ufffc' : '');

/** How many words stand in a node. @internal */
export function wordsOf(node: Node): number {
	let count = counts.get(node);
	if (count === undefined) {
		count = 0;
		if (node.isTextblock) count = textOf(node).match(/[\p{L}\p{N}\p{M}_'’-]+/gu)?.length ?? 0;
		else node.forEach((child) => void (count! += wordsOf(child)));
		counts.set(node, count);
	}
	return count;
}
