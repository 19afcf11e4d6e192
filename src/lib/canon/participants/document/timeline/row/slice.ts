import { Fragment, Slice, type Node, type Schema } from 'prosemirror-model';
import type { NodeToken, Token } from './token.js';

/** Attributes that the type knows: a tag whose type was changed since may carry others. */
const known = (token: NodeToken): Record<string, unknown> =>
	Object.fromEntries(Object.entries(token.attrs).filter(([name]) => token.type.spec.attrs?.[name]));

const element = (token: NodeToken, content: readonly Node[]): Node =>
	token.type.create(known(token), Fragment.from(content), token.marks);

/**
 * A row as a slice. A closing tag without its opening one makes the left side open, an opening one without its closing
 * one the right side.
 */
export function sliceOf(row: readonly Token[], schema: Schema): Slice {
	let content: Node[] = [];
	let openStart = 0;
	const stack: { tag: NodeToken; outer: Node[] }[] = [];
	const close = (): void => {
		const { tag, outer } = stack.pop()!;
		outer.push(element(tag, content));
		content = outer;
	};
	for (const token of row) {
		if (token.kind === 'text') content.push(schema.text(token.text, token.marks));
		else if (token.kind === 'leaf') content.push(element(token, []));
		else if (token.kind === 'open') {
			stack.push({ tag: token, outer: content });
			content = [];
		} else if (stack.length > 0) close();
		else {
			content = [element(token, content)];
			openStart++;
		}
	}
	const openEnd = stack.length;
	while (stack.length > 0) close();
	return new Slice(Fragment.from(content), openStart, openEnd);
}
