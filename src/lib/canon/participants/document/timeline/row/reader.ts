import type { Node } from 'prosemirror-model';
import { tokensBetween, tokensIn, type Token } from './token.js';

/**
 * Reads one document from left to right. It remembers the textblock it was in, because to resolve a position costs a walk
 * over all siblings, and an undo asks for thousands of positions beside each other.
 */
export class Reader {
	readonly #doc: Node;
	#block: Node | null = null;
	#start = 0;
	#end = -1;

	constructor(doc: Node) {
		this.#doc = doc;
	}

	/** Where the textblock ends that holds all of `[from, to]`; null if none does. */
	endOfTextblock(from: number, to: number): number | null {
		if (from < this.#start || from > this.#end) {
			const $from = this.#doc.resolve(from);
			if (!$from.parent.inlineContent) return null;
			this.#block = $from.parent;
			this.#start = $from.start();
			this.#end = $from.end();
		}
		return to <= this.#end ? this.#end : null;
	}

	/** The tokens of `[from, to)`. */
	read(from: number, to: number): Token[] {
		return this.endOfTextblock(from, to) === null
			? tokensBetween(this.#doc, from, to)
			: tokensIn(this.#block!, from - this.#start, to - this.#start);
	}
}
