import { Fragment, Mark, Slice, type Node, type Schema } from 'prosemirror-model';
import { Step, StepMap, StepResult, type Mappable } from 'prosemirror-transform';

/** `[from, to)` of the document before becomes `content`. */
export interface Words {
	readonly from: number;
	readonly to: number;
	readonly content: Fragment;
}

/**
 * Many replacements of words in one textblock as one step. Each is exact in its map, as if it had been a step of its own,
 * but the block is written once: one by one, a thousand replacements would copy its whole text a thousand times.
 * @since 0.1.0
 */
export class WordsStep extends Step {
	/** From left to right, none touching another. */
	readonly words: readonly Words[];

	constructor(words: readonly Words[]) {
		super();
		this.words = words;
	}

	apply(doc: Node): StepResult {
		const first = this.words[0]!;
		const last = this.words.at(-1)!;
		if (last.to > doc.content.size) return StepResult.fail('The words lie outside the document.');
		const $first = doc.resolve(first.from);
		const { parent } = $first;
		const start = $first.start();
		if (!parent.inlineContent || last.to > $first.end())
			return StepResult.fail('The words are not in one textblock.');
		const row = new TextRow(parent);
		let at = first.from;
		for (const { from, to, content } of this.words) {
			row.take(at - start, from - start);
			content.forEach((node) => row.push(node, node.text ?? ''));
			at = to;
		}
		const slice = new Slice(Fragment.fromArray(row.nodes(doc.type.schema)), 0, 0);
		return StepResult.fromReplace(doc, first.from, last.to, slice);
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
