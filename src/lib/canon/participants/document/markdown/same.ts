import type { Fragment, Mark, Node, NodeType, Schema } from 'prosemirror-model';
import { safeAddress } from './href.js';
import { PROVENANCE } from './units.js';
import { hasAttr, languageAttr, startAttr, vocabularyOf, type MarkdownNames } from './words.js';

/** What does not count as a difference between two blocks, and so stays as it is in the document. @since 0.1.0 */
export interface Ignored {
	mark(mark: Mark): boolean;
	attr(type: NodeType, name: string): boolean;
}

/** Ids of blocks and who wrote what: never a difference. @internal */
export const identity: Ignored = {
	mark: ({ type }) => type.name === PROVENANCE,
	attr: (type, name) => type.isBlock && (name === 'id' || name === 'agent')
};

/**
 * Everything Markdown has no sign for: highlights, colours, alignment, widths of columns, targets of links. Give it to
 * {@link replaceBlocks} with nodes that were read from Markdown, so that what the writer could not see is not lost.
 * @since 0.1.0
 */
export function beyondMarkdown(schema: Schema, names?: MarkdownNames): Ignored {
	const { nodes, marks } = vocabularyOf(schema, names);
	const said = new Map<NodeType, readonly (string | undefined)[]>();
	const says = (type: NodeType | undefined, ...attrs: (string | undefined)[]): void => {
		if (type) said.set(type, attrs);
	};
	for (const type of Object.values(nodes)) says(type);
	says(nodes.heading, 'level');
	says(nodes.codeBlock, nodes.codeBlock && languageAttr(nodes.codeBlock));
	says(nodes.orderedList, nodes.orderedList && startAttr(nodes.orderedList));
	says(nodes.taskItem, 'checked');
	says(nodes.flatList, 'kind', 'order', 'checked');
	says(nodes.image, 'src', 'alt', 'title');
	says(nodes.tableCell, 'colspan', 'rowspan', 'align');
	says(nodes.tableHeader, 'colspan', 'rowspan', 'align');
	const spoken = new Set(Object.values(marks));
	return {
		mark: (mark) =>
			!spoken.has(mark.type) || (mark.type === marks.link && !safeAddress(String(mark.attrs.href), 'link')),
		attr: (type, name) => said.get(type)?.includes(name) === false
	};
}

/** Numbers for nodes: equal numbers, equal content, but for what is ignored. @internal */
export class Keys {
	readonly #ignored: readonly Ignored[];
	readonly #numbers = new Map<string, number>();
	readonly #nodes = new WeakMap<Node, number>();

	constructor(ignored?: Ignored) {
		this.#ignored = ignored ? [identity, ignored] : [identity];
	}

	ignoresMark(mark: Mark): boolean {
		return this.#ignored.some((one) => one.mark(mark));
	}

	ignoresAttr(type: NodeType, name: string): boolean {
		return this.#ignored.some((one) => one.attr(type, name));
	}

	number(text: string): number {
		const known = this.#numbers.get(text);
		if (known !== undefined) return known;
		this.#numbers.set(text, this.#numbers.size);
		return this.#numbers.size - 1;
	}

	/** Of a mark: only what of a link Markdown says counts, if that is all that counts. */
	mark(mark: Mark): string {
		const { href, title = null } = mark.attrs as { href?: unknown; title?: unknown };
		const short = this.#ignored.length > 1 && href !== undefined;
		return JSON.stringify([mark.type.name, short ? { href, title } : mark.attrs]);
	}

	marks(marks: readonly Mark[]): string {
		return marks
			.filter((mark) => !this.ignoresMark(mark))
			.map((mark) => this.mark(mark))
			.join();
	}

	/** A node without its marks and children. */
	shell(node: Node): string {
		const attrs = Object.entries(node.attrs).filter(([name]) => !this.ignoresAttr(node.type, name));
		return JSON.stringify([node.type.name, attrs]);
	}

	node(node: Node): number {
		const known = this.#nodes.get(node);
		if (known !== undefined) return known;
		const number = this.number(`${this.shell(node)} ${this.marks(node.marks)} ${this.content(node.content)}`);
		this.#nodes.set(node, number);
		return number;
	}

	/** Children; neighbouring text that differs in nothing that counts is one text. */
	content(content: Fragment): string {
		const parts: string[] = [];
		let text = '';
		let marks = '';
		const flush = (): void => {
			if (text !== '') parts.push(`"${this.number(`${marks} ${JSON.stringify(text)}`)}`);
			text = '';
		};
		content.forEach((node) => {
			if (!node.isText) {
				flush();
				parts.push(String(this.node(node)));
				return;
			}
			const own = this.marks(node.marks);
			if (own !== marks) flush();
			marks = own;
			text += node.text!;
		});
		flush();
		return parts.join();
	}
}

/** Attributes of `next`, with what is ignored kept from `old`. @internal */
export function mergedAttrs(old: Node, next: Node, keys: Keys): Record<string, unknown> {
	const attrs: Record<string, unknown> = { ...next.attrs };
	for (const name of Object.keys(attrs)) {
		if (hasAttr(old.type, name) && keys.ignoresAttr(next.type, name)) attrs[name] = old.attrs[name];
	}
	return attrs;
}
