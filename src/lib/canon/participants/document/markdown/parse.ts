import { Fragment, type Node, type NodeType, type Schema } from 'prosemirror-model';
import { BlockReader } from './block-reader.js';
import { InlineReader, type Session } from './inline.js';
import { Placeholders } from './placeholder.js';
import { Refusing, type MarkdownRefusal } from './refusal.js';
import { tidied } from './tidy.js';
import { offered, vocabularyOf, type MarkdownNames } from './words.js';

/** What {@link parseMarkdown} takes besides the text and the schema. @since 0.1.0 */
export interface MarkdownOptions {
	/** `text` reads nothing into the signs: an empty line parts paragraphs, the end of a line breaks it. @default 'markdown' */
	format?: 'markdown' | 'text';
	/** Own names of the schema's nodes and marks, looked for before the usual ones. */
	names?: MarkdownNames;
	/** The heading levels the editor offers. @default [1, 2, 3, 4, 5, 6] */
	levels?: readonly number[];
	/**
	 * What the text is going to replace: a placeholder such as `[table 3 × 4]`, which {@link toMarkdown} writes for what
	 * Markdown cannot say, becomes the node it stands for again, each once.
	 */
	kept?: Fragment | Node | readonly Node[];
	/** How deep lists and quotes may be nested. @default 12 */
	depth?: number;
	/** The longest text, in characters. @default 200000 */
	size?: number;
}

/** The blocks a text says, or why it was refused. @since 0.1.0 */
export type MarkdownResult = { readonly ok: true; readonly nodes: Node[] } | MarkdownRefusal;

const LEVELS = [1, 2, 3, 4, 5, 6];
const DEPTH = 12;
const SIZE = 200_000;

/** A parse together with the work it did. @internal */
export function parseCounted(
	text: string,
	schema: Schema,
	options: MarkdownOptions,
	read: (session: Session, lines: string) => Node[]
): { result: MarkdownResult; steps: number } {
	const vocabulary = vocabularyOf(schema, options.names);
	const session: Session = {
		vocabulary,
		placeholders: new Placeholders(vocabulary, options.kept),
		offers: () => offered(schema, options.names).join(', '),
		steps: 0
	};
	const size = options.size ?? SIZE;
	if (text.length > size) {
		const sentence = `The text has ${text.length} characters; ${size} are taken at once. Send it in parts.`;
		return { result: new Refusing('size', 1, sentence).value(), steps: 0 };
	}
	try {
		const nodes = read(session, tidied(text.replace(/\r\n?/g, '\n')));
		return { result: { ok: true, nodes }, steps: session.steps };
	} catch (error) {
		if (!(error instanceof Refusing)) throw error;
		return { result: error.value(), steps: session.steps };
	}
}

/** @internal */
export const blocksOf =
	({ levels = LEVELS, depth = DEPTH, format = 'markdown' }: MarkdownOptions) =>
	(session: Session, text: string): Node[] => {
		const reader = new BlockReader(session, { levels, depth });
		return format === 'text' ? plainBlocks(reader, text) : reader.read(text.split('\n'), 1);
	};

/**
 * Reads what somebody wrote as Markdown *against the editor's own schema*: paragraphs, headings, lists (nested, numbered,
 * tasks), quotes, fenced code, rules, tables, images, breaks; bold, italic, code, strikethrough, underline (`++so++`),
 * links. What the schema has not, or not in that place, is refused with a sentence that names it, the line, and what the
 * editor takes. HTML is plain text. Linear in the length of the text.
 *
 * Control characters, halves of characters, and signs that force the direction of writing or leave it open are taken out;
 * joiners stay.
 *
 * Alignment of table columns is kept where the schema has it. Indented code, setext headings, reference links, bare
 * addresses and lazy continuation of lists and quotes are not read.
 * @since 0.1.0
 */
export function parseMarkdown(text: string, schema: Schema, options: MarkdownOptions = {}): MarkdownResult {
	return parseCounted(text, schema, options, blocksOf(options)).result;
}

/**
 * Reads the content of one textblock: the signs inside a line only, so that a leading `#` or `-` is plain text.
 * @since 0.1.0
 */
export function parseInline(
	text: string,
	schema: Schema,
	options: MarkdownOptions & {
		/** The block the text is for: what it does not take is refused. @default the schema's paragraph */
		parent?: NodeType;
	} = {}
): MarkdownResult {
	const { format = 'markdown' } = options;
	return parseCounted(text, schema, options, (session, plain) => {
		const reader = new BlockReader(session, { levels: LEVELS, depth: DEPTH });
		const type = options.parent ?? reader.need('paragraph', 1);
		const raw = format === 'text' || type.spec.code === true;
		const content = raw
			? plainLine(reader, type, plain, 1)
			: new InlineReader(session, plain, 1, type).read();
		return [...reader.make(type, null, content, 1).content.content];
	}).result;
}

/** Paragraphs of nothing but characters. */
function plainBlocks(reader: BlockReader, text: string): Node[] {
	const type = reader.need('paragraph', 1);
	const blocks: Node[] = [];
	let words: string[] = [];
	[...text.split('\n'), ''].forEach((line, index) => {
		if (line !== '') return void words.push(line);
		const first = index + 1 - words.length;
		if (words.length)
			blocks.push(reader.make(type, null, plainLine(reader, type, words.join('\n'), first), first));
		words = [];
	});
	return blocks;
}

function plainLine(reader: BlockReader, type: NodeType, text: string, line: number): Fragment {
	const { schema, nodes } = reader.session.vocabulary;
	reader.session.steps += text.length;
	if (type.spec.code) return text === '' ? Fragment.empty : Fragment.from(schema.text(text));
	const row: Node[] = [];
	text.split('\n').forEach((part, index) => {
		if (index > 0) row.push((nodes.hardBreak ?? reader.need('hardBreak', line)).create());
		if (part !== '') row.push(schema.text(part));
	});
	return Fragment.fromArray(row);
}
