import type { Node } from 'prosemirror-model';
import { tokensBetween, tokensIn, type Token } from './token.js';

/**
 * Reads one document from left to right. It remembers the textblock it was in and where the blocks of the document begin,
 * because to resolve a position costs a walk over all siblings, and an undo asks for thousands of positions.
 */
export class Reader {
	readonly #doc: Node;
	#starts: number[] | null = null;
	#block: Node | null = null;
	#start = 0;
	#end = -1;

	constructor(doc: Node) {
		this.#doc = doc;
	}

	/** Where the textblock ends that holds all of `[from, to]`; null if none does. */
	endOfTextblock(from: number, to: number): number | null {
		if ((from < this.#start || from > this.#end) && !this.#enter(from)) return null;
		return to <= this.#end ? this.#end : null;
	}

	/** Goes into the textblock that holds the position. False if none does. */
	#enter(pos: number): boolean {
		const index = this.#childAt(pos);
		const child = index < 0 ? null : this.#doc.child(index);
		const start = index < 0 ? 0 : this.#starts![index]! + 1;
		// In front of the child, or behind the last one.
		if (!child || child.isLeaf || pos < start || pos > start + child.content.size) return false;
		const $pos = child.isTextblock ? null : child.resolve(pos - start);
		const block = $pos ? $pos.parent : child;
		if (!block.inlineContent) return false;
		this.#block = block;
		this.#start = start + ($pos ? $pos.start() : 0);
		this.#end = this.#start + block.content.size;
		return true;
	}

	/** The last child of the document that begins at the position or before it; -1 where there is none. */
	#childAt(pos: number): number {
		if (!this.#starts) {
			const starts: number[] = [];
			this.#doc.forEach((_, offset) => void starts.push(offset));
			this.#starts = starts;
		}
		let lo = 0;
		let hi = this.#starts.length;
		while (lo < hi) {
			const middle = (lo + hi) >> 1;
			if (this.#starts[middle]! <= pos) lo = middle + 1;
			else hi = middle;
		}
		return lo - 1;
	}

	/** The tokens of `[from, to)`. */
	read(from: number, to: number): Token[] {
		return this.endOfTextblock(from, to) === null
			? tokensBetween(this.#doc, from, to)
			: tokensIn(this.#block!, from - this.#start, to - this.#start);
	}
}
