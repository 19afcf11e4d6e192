import { Fragment, Mark, type Node, type Schema } from 'prosemirror-model';
import { Step, StepMap, StepResult, type Mappable } from 'prosemirror-transform';

/** `[from, to)` of the document before becomes `content`. */
export interface Words {
	readonly from: number;
	readonly to: number;
	readonly content: Fragment;
}

/**
 * Many replacements of words in textblocks as one step. Each is exact in its map, as if it had been a step of its own, but
 * every block, and the list of blocks, is written once: one by one, a thousand replacements would copy the whole text of
 * their block, or the list of all blocks of the document, a thousand times.
 *
 * It is a step of its own kind, `agentWords` in JSON. Whoever receives steps as JSON (prosemirror-collab) reads it as soon as
 * this module is loaded there, on the server too; where it cannot be, `undoTimeline({ steps: 'plain' })` never makes one.
 * Bindings that compare documents (y-prosemirror) never see it.
 * @since 0.1.0
 */
export class WordsStep extends Step {
	/** From left to right, none touching another, each within one textblock. */
	readonly words: readonly Words[];

	constructor(words: readonly Words[]) {
		super();
		this.words = words;
	}

	apply(doc: Node): StepResult {
		if (this.words.at(-1)!.to > doc.content.size)
			return StepResult.fail('The words lie outside the document.');
		const next = written(doc, 0, this.words);
		return next ? StepResult.ok(next) : StepResult.fail('The words are not in textblocks that take them.');
	}

	getMap(): StepMap {
		return new StepMap(this.words.flatMap(({ from, to, content }) => [from, to - from, content.size]));
	}

	invert(doc: Node): WordsStep {
		let shift = 0;
		return new WordsStep(
			this.words.map(({ from, to, content }) => {
				const start = from + shift;
				shift += content.size - (to - from);
				return { from: start, to: start + content.size, content: doc.slice(from, to).content };
			})
		);
	}

	map(mapping: Mappable): WordsStep | null {
		const words = this.words.flatMap(({ from, to, content }) => {
			const $from = mapping.mapResult(from, 1);
			const $to = mapping.mapResult(to, -1);
			if ($from.deletedAcross && $to.deletedAcross) return [];
			return [{ from: $from.pos, to: Math.max($from.pos, $to.pos), content }];
		});
		return words.length > 0 ? new WordsStep(words) : null;
	}

	toJSON(): unknown {
		return {
			stepType: 'agentWords',
			words: this.words.map(({ from, to, content }) => ({ from, to, content: content.toJSON() as unknown }))
		};
	}

	static override fromJSON(schema: Schema, json: unknown): WordsStep {
		const { words } = json as { words: { from: number; to: number; content: unknown }[] };
		return new WordsStep(
			words.map(({ from, to, content }) => ({ from, to, content: Fragment.fromJSON(schema, content) }))
		);
	}
}

Step.jsonID('agentWords', WordsStep);

/** The node with these words in it; its content begins at `start`. Null where they do not lie in textblocks, or do not fit. */
function written(node: Node, start: number, words: readonly Words[]): Node | null {
	if (node.inlineContent) {
		const content = text(node, start, words);
		return content && node.type.validContent(content) ? node.copy(content) : null;
	}
	const children = [...node.content.content];
	let at = start;
	let done = 0;
	for (let i = 0; i < children.length && done < words.length; i++) {
		const child = children[i]!;
		const end = at + child.nodeSize;
		const first = done;
		while (done < words.length && words[done]!.to < end) if (words[done++]!.from <= at) return null;
		if (done > first) {
			const next = written(child, at + 1, words.slice(first, done));
			if (!next) return null;
			children[i] = next;
		}
		at = end;
	}
	return done < words.length ? null : node.copy(Fragment.fromArray(children));
}

function text(node: Node, start: number, words: readonly Words[]): Fragment | null {
	const row = new TextRow(node);
	let at = 0;
	for (const { from, to, content } of words) {
		if (from - start < at) return null;
		row.take(at, from - start);
		content.forEach((each) => row.push(each, each.text ?? ''));
		at = to - start;
	}
	row.take(at, node.content.size);
	return Fragment.fromArray(row.nodes(node.type.schema));
}

/**
 * A textblock's content being written anew, from left to right. Neighbours of one look are joined once for each stretch,
 * not once for each word.
 */
class TextRow {
	readonly #parent: Node;
	/** The child that is read, and where it begins. */
	#index = 0;
	#at = 0;
	readonly #row: { node: Node; texts: string[] }[] = [];

	constructor(parent: Node) {
		this.#parent = parent;
	}

	push(node: Node, text: string): void {
		if (node.isText && text === '') return;
		const last = this.#row.at(-1);
		if (last?.node.isText && node.isText && Mark.sameSet(last.node.marks, node.marks)) last.texts.push(text);
		else this.#row.push({ node, texts: [text] });
	}

	/** What stands in `[from, to)` of the textblock; never to the left of what was taken before. */
	take(from: number, to: number): void {
		if (from >= to) return;
		while (this.#index < this.#parent.childCount && this.#at < to) {
			const child = this.#parent.child(this.#index);
			const end = this.#at + child.nodeSize;
			if (end > from) this.push(child, (child.text ?? '').slice(Math.max(0, from - this.#at), to - this.#at));
			if (end > to) return;
			this.#at = end;
			this.#index++;
		}
	}

	nodes(schema: Schema): Node[] {
		return this.#row.map(({ node, texts }) => (node.isText ? schema.text(texts.join(''), node.marks) : node));
	}
}
