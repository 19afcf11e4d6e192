import { Fragment, type Node } from 'prosemirror-model';
import { Refusing } from './refusal.js';
import { placeholderOf, sayable } from './sayable.js';
import type { NodeWord, Vocabulary } from './words.js';

/** `[name]`, `[name 3 × 4]`, `[name: words]`; bounded, so that a row of brackets stays linear. */
const SHAPE = /\[([A-Za-z_][\w-]{0,40})(?: \d{1,6} × \d{1,6}|: [^[\]\n]{1,80})?\](?!\()/y;

/** Words that may stand for something Markdown could not say of them; the others always can be said. */
const SOMETIMES: ReadonlySet<NodeWord> = new Set([
	'image',
	'table',
	'flatList',
	'orderedList',
	'codeBlock',
	'heading'
]);

const names = new WeakMap<Vocabulary, ReadonlySet<string>>();

/** The types that a placeholder may stand for. */
function namesIn(vocabulary: Vocabulary): ReadonlySet<string> {
	const known = names.get(vocabulary);
	if (known) return known;
	const plain = Object.entries(vocabulary.nodes).filter(([word]) => !SOMETIMES.has(word as NodeWord));
	const always = new Set(plain.map(([, type]) => type));
	const { nodes, topNodeType } = vocabulary.schema;
	const found = new Set(
		Object.values(nodes)
			.filter((type) => !type.isText && type !== topNodeType && !always.has(type))
			.map(({ name }) => name)
	);
	names.set(vocabulary, found);
	return found;
}

/**
 * What stood in the text that Markdown cannot say, by the line that stood for it: each is put back once, in order.
 * @internal
 */
export class Placeholders {
	readonly #vocabulary: Vocabulary;
	readonly #kept = new Map<string, Node[]>();
	readonly #names: ReadonlySet<string>;

	constructor(vocabulary: Vocabulary, kept: Fragment | Node | readonly Node[] = []) {
		this.#vocabulary = vocabulary;
		this.#names = namesIn(vocabulary);
		Fragment.from(kept).forEach((node) => this.#keep(node));
	}

	#keep(node: Node): void {
		if (sayable(node, this.#vocabulary) || node.type === this.#vocabulary.schema.topNodeType) {
			node.forEach((child) => this.#keep(child));
			return;
		}
		const line = placeholderOf(node, this.#vocabulary);
		const same = this.#kept.get(line);
		if (same) same.push(node);
		else this.#kept.set(line, [node]);
	}

	/** The inline node that a placeholder in a text stands for. */
	inline(text: string, at: number, line: number): { node: Node; end: number } | undefined {
		const shape = this.#shape(text, at);
		if (shape === undefined) return undefined;
		const node = this.#take(shape, line);
		if (!node.isInline) {
			throw new Refusing('placeholder', line, `"${shape}" stands for a block: put it on a line of its own.`);
		}
		return { node, end: at + shape.length };
	}

	/** The block that a line stands for, if it is a placeholder and nothing else. */
	block(text: string, line: number): Node | undefined {
		const shape = this.#shape(text, 0);
		if (shape?.length !== text.length) return undefined;
		const node = this.#kept.get(shape)?.[0];
		return node?.isInline ? undefined : this.#take(shape, line);
	}

	#shape(text: string, at: number): string | undefined {
		SHAPE.lastIndex = at;
		const found = SHAPE.exec(text);
		if (!found || !this.#names.has(found[1]!)) return undefined;
		// A table is always said with its size; the bare word is a word.
		const bare = found[0].length === found[1]!.length + 2 && found[1] === this.#vocabulary.nodes.table?.name;
		return bare ? undefined : found[0];
	}

	#take(shape: string, line: number): Node {
		const node = this.#kept.get(shape)?.shift();
		if (node) return node;
		throw new Refusing(
			'placeholder',
			line,
			`"${shape}" stands for a part of the document that is not among the replaced ones. Leave it out, or write \\${shape} if you mean the words.`
		);
	}
}
