import type { Node } from 'prosemirror-model';
import { toMarkdown } from '../markdown/index.js';
import { contentOf, hashOf, type Plain, textOf, wordsOf } from './content.js';
import { idOf } from './schema.js';

/**
 * A block as it stands: frozen, and the same object as long as the block is the same, so that what is derived from it can
 * be remembered by it.
 * @since 0.1.0
 */
export interface DocumentBlock {
	readonly id: string;
	/** Name of its node type. */
	readonly type: string;
	/** Of a heading, 1 the highest. */
	readonly level?: number;
	/** Id of the child of the document that it stands in, where it is not one itself. */
	readonly inside?: string;
	/** Plain text; blocks inside it on lines of their own. */
	readonly text: string;
	readonly markdown: string;
	readonly words: number;
	/** Changes when what it says changes: ids and provenance are not part of it. */
	readonly hash: string;
	/** What {@link hash} stands for, as plain JSON. */
	readonly content: { readonly [key: string]: Plain };
}

/** Reads the costly parts when they are asked for. */
class Block implements DocumentBlock {
	readonly #node: Node;
	readonly id: string;
	readonly type: string;
	declare readonly level?: number;
	declare readonly inside?: string;
	#markdown: string | undefined;
	#text: string | undefined;

	constructor(node: Node, id: string, inside: string | undefined) {
		this.#node = node;
		this.id = id;
		this.type = node.type.name;
		const level = levelOf(node);
		if (level !== undefined) this.level = level;
		if (inside !== undefined) this.inside = inside;
		Object.freeze(this);
	}
	get text(): string {
		return (this.#text ??= textOf(this.#node));
	}
	get markdown(): string {
		return (this.#markdown ??= toMarkdown(this.#node));
	}
	get words(): number {
		return wordsOf(this.#node);
	}
	get hash(): string {
		return hashOf(this.#node);
	}
	get content(): { readonly [key: string]: Plain } {
		return contentOf(this.#node);
	}
}

/** Of a heading; `undefined` for anything else. @internal */
export function levelOf(node: Node): number | undefined {
	const level: unknown = node.attrs['level'];
	return node.isTextblock && /heading/i.test(node.type.name)
		? typeof level === 'number'
			? level
			: 1
		: undefined;
}

const views = new WeakMap<Node, DocumentBlock>();

/** The view of a node that has an id. @internal */
export function blockOf(node: Node, inside: string | undefined): DocumentBlock {
	let view = views.get(node);
	// One node may stand in two places, though two blocks of one document cannot have one id.
	if (!view || view.inside !== inside) views.set(node, (view = new Block(node, idOf(node)!, inside)));
	return view;
}
