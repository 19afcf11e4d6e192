import type { Attrs, Mark, Node, NodeType, Schema } from 'prosemirror-model';
import { markKey } from './value.js';

/** A stretch of text with one set of marks. Its size is its length in UTF-16 units, as everywhere in ProseMirror. */
export interface TextToken {
	readonly kind: 'text';
	readonly text: string;
	readonly marks: readonly Mark[];
}

/** An opening tag, a closing tag or a leaf: one position each. */
export interface NodeToken {
	readonly kind: 'open' | 'close' | 'leaf';
	readonly type: NodeType;
	readonly attrs: Attrs;
	readonly marks: readonly Mark[];
}

/**
 * The document as a row: what stands between two neighbouring positions. Nesting is in the pairing of tags, not in the
 * data, so that a token can be taken out, kept and put back by itself.
 * @since 0.1.0
 */
export type Token = TextToken | NodeToken;

/** Positions a token takes. */
export const tokenSize = (token: Token): number => (token.kind === 'text' ? token.text.length : 1);

/** Positions a row takes. */
export function rowSize(row: readonly Token[]): number {
	let size = 0;
	for (const token of row) size += tokenSize(token);
	return size;
}

/** May it stand in a textblock: text or an inline leaf. */
export const isInlineToken = (token: Token): boolean =>
	token.kind === 'text' || (token.kind === 'leaf' && token.type.isInline);

/** Is it a tag: half of a node. */
export const isTag = (token: Token): token is NodeToken => token.kind === 'open' || token.kind === 'close';

function read(node: Node, from: number, to: number, out: Token[]): void {
	const content = node.content;
	let at = 0;
	for (let i = 0; i < content.childCount && at < to; i++) {
		const child = content.child(i);
		const end = at + child.nodeSize;
		if (end > from) readChild(child, from - at, to - at, out);
		at = end;
	}
}

/** `from` and `to` count from the place before `node`. */
function readChild(node: Node, from: number, to: number, out: Token[]): void {
	if (node.isText) {
		const text = node.text!;
		out.push({
			kind: 'text',
			text: text.slice(Math.max(0, from), Math.min(text.length, to)),
			marks: node.marks
		});
		return;
	}
	const { type, attrs, marks, nodeSize } = node;
	if (node.isLeaf) {
		out.push({ kind: 'leaf', type, attrs, marks });
		return;
	}
	if (from <= 0) out.push({ kind: 'open', type, attrs, marks });
	read(node, from - 1, to - 1, out);
	if (to >= nodeSize) out.push({ kind: 'close', type, attrs, marks });
}

/** The tokens of `[from, to)` of a node's content. */
export function tokensIn(node: Node, from: number, to: number): Token[] {
	const out: Token[] = [];
	if (from < to) read(node, from, to, out);
	return out;
}

/**
 * The tokens of `[from, to)`. Goes down from the innermost node that holds the whole range: the rest of the document is
 * not walked.
 */
export function tokensBetween(doc: Node, from: number, to: number): Token[] {
	const out: Token[] = [];
	if (from >= to) return out;
	const $from = doc.resolve(from);
	const depth = $from.sharedDepth(to);
	const start = $from.start(depth);
	const parent = $from.node(depth);
	const first = $from.index(depth);
	let at = depth === $from.depth ? from - start - $from.textOffset : $from.before(depth + 1) - start;
	for (let i = first; i < parent.childCount && at < to - start; i++) {
		const child = parent.child(i);
		readChild(child, from - start - at, to - start - at, out);
		at += child.nodeSize;
	}
	return out;
}

/** Positions `[from, to)` of a row. */
export function cut(row: readonly Token[], from: number, to: number): Token[] {
	const out: Token[] = [];
	let at = 0;
	for (const token of row) {
		const start = at;
		at += tokenSize(token);
		if (at <= from || start >= to) continue;
		out.push(
			token.kind === 'text'
				? { ...token, text: token.text.slice(Math.max(0, from - start), Math.max(0, to - start)) }
				: token
		);
	}
	return out;
}

/** Does every tag of the row have its other half in it, in order? */
export function isBalanced(row: readonly Token[]): boolean {
	let depth = 0;
	for (const token of row) {
		if (token.kind === 'open') depth++;
		else if (token.kind === 'close' && --depth < 0) return false;
	}
	return depth === 0;
}

// Noncharacters of Unicode: no text has them.
const CLOSE = '\ufdd0';
const OPEN = 0xfdd1;
const TYPES = 31;

const sign = (type: NodeType): string =>
	String.fromCharCode(OPEN + (Object.keys(type.schema.nodes).indexOf(type.name) % TYPES));

/**
 * What a row says, without marks and attributes, one unit for each position: two rows with one reading may be the same
 * words come back.
 */
export function reading(row: readonly Token[]): string {
	let out = '';
	for (const token of row)
		out += token.kind === 'text' ? token.text : token.kind === 'close' ? CLOSE : sign(token.type);
	return out;
}

/** The token with another value for one key (`value.ts`). A key that a token cannot have leaves it as it is. */
export function withValue(token: Token, key: string, value: unknown, schema: Schema): Token {
	if (key.startsWith('m:')) {
		const rest = token.marks.filter((mark) => markKey(mark) !== key);
		return { ...token, marks: value ? (value as Mark).addToSet(rest) : rest };
	}
	if (token.kind === 'text') return token;
	if (key === 'type') {
		const type = schema.nodes[value as string];
		return type ? { ...token, type } : token;
	}
	return { ...token, attrs: { ...token.attrs, [key.slice(2)]: value } };
}
