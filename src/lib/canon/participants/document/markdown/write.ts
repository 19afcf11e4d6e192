import { Fragment, type Node } from 'prosemirror-model';
import { EMPTY } from './characters.js';
import { isRule } from './lines.js';
import { placeholderOf, sayable, tableShape, wordOf } from './sayable.js';
import type { Writing } from './units.js';
import { authorship, image, writeInline } from './write-inline.js';
import { languageAttr, startAttr, vocabularyOf, type MarkdownNames, type Vocabulary } from './words.js';

/** What {@link toMarkdown} takes. @since 0.1.0 */
export interface ToMarkdownOptions {
	/**
	 * Say who wrote what: `<!-- agent:Ada run:r1 version:2 at:… -->words<!-- /agent -->`, and a comment on a line of its
	 * own before a block that an agent made. Readers of Markdown leave comments out, and so does `parseMarkdown`.
	 * @default false
	 */
	provenance?: boolean;
	/** Own names of the schema's nodes and marks, looked for before the usual ones. */
	names?: MarkdownNames;
}

/**
 * A document, a block, a row of blocks, or what stands in one, as Markdown that `parseMarkdown` reads back to the same. What Markdown cannot
 * say stands as a line of its own name, `[table 3 × 4]`, `[image: alt]`; marks and attributes it has no sign for are left
 * out. Comments of the house's own say what has no sign: `<!-- empty -->` an empty paragraph, `<!-- break -->` a break in
 * a heading or a cell.
 * @since 0.1.0
 */
export function toMarkdown(
	content: Node | Fragment | readonly Node[],
	options: ToMarkdownOptions = {}
): string {
	const fragment = rowOf(content);
	const first = fragment.firstChild;
	if (!first) return '';
	const vocabulary = vocabularyOf(first.type.schema, options.names);
	const writing = { vocabulary, provenance: options.provenance ?? false };
	if (!first.isInline) return new Writer(writing).blocks(fragment, false).join('\n');
	const { paragraph = first.type.schema.topNodeType } = vocabulary.nodes;
	return writeInline(paragraph.create(null, fragment), writing, { oneLine: false });
}

function rowOf(content: Node | Fragment | readonly Node[]): Fragment {
	if (!('type' in content)) return Fragment.from(content);
	return content.type === content.type.schema.topNodeType ? content.content : Fragment.from(content);
}

/** A marker and what it leads; alone it needs no space behind it. */
const led = (marker: string, text: string): string => (text === '' ? marker.trimEnd() : marker + text);

type Marking = (index: number, item: Node) => string;

class Writer {
	readonly #writing: Writing;

	constructor(writing: Writing) {
		this.#writing = writing;
	}

	get #words(): Vocabulary {
		return this.#writing.vocabulary;
	}

	/** The lines of sibling blocks; tight ones without an empty line between. */
	blocks(nodes: Fragment, tight: boolean, inItem = false): string[] {
		const lines: string[] = [];
		let numbered = 0;
		let signs = 0;
		nodes.forEach((node, _offset, index) => {
			const before = index > 0 ? nodes.child(index - 1) : undefined;
			const flat = this.#isFlat(node);
			const joined = flat && this.#isFlat(before);
			if (lines.length && !tight && !(joined && this.#isShort(before!) && this.#isShort(node)))
				lines.push('');
			// Two lists side by side would be one: the sign of the second is another.
			signs = !flat && before && this.#isList(node) && this.#isList(before) ? signs + 1 : 0;
			numbered = flat && node.attrs.kind === 'ordered' ? this.#number(node, joined ? numbered : 0) : 0;
			lines.push(
				...this.#marked(node),
				...this.#block(node, signs % 2 === 1, numbered, inItem && index === 0)
			);
		});
		return lines;
	}

	#number(item: Node, last: number): number {
		const { order } = item.attrs as { order?: number | null };
		return typeof order === 'number' ? order : last + 1;
	}

	#marked({ attrs }: Node): string[] {
		const agent = attrs.agent as Record<string, unknown> | null | undefined;
		return this.#writing.provenance && agent ? [`<!-- ${authorship(agent)} -->`] : [];
	}

	#isFlat(node: Node | undefined): boolean {
		return node !== undefined && node.type === this.#words.nodes.flatList && sayable(node, this.#words);
	}

	#isList({ type }: Node): boolean {
		const { bulletList, orderedList, taskList } = this.#words.nodes;
		return type === bulletList || type === orderedList || type === taskList;
	}

	/** An item of one paragraph, and at most lists of such items under it. */
	#isShort(item: Node): boolean {
		for (let index = 0; index < item.childCount; index++) {
			const child = item.child(index);
			const { paragraph, orderedList } = this.#words.nodes;
			if (index === 0 ? child.type !== paragraph : !this.#isTight(child)) return false;
			// After a paragraph only a list that begins with 1 is read as one.
			if (child.type === orderedList && (child.attrs[startAttr(orderedList) ?? ''] ?? 1) !== 1) return false;
		}
		return true;
	}

	#isTight(list: Node): boolean {
		if (this.#isFlat(list)) return this.#isShort(list) && (list.attrs.order ?? 1) === 1;
		if (!this.#isList(list)) return false;
		for (let index = 0; index < list.childCount; index++) if (!this.#isShort(list.child(index))) return false;
		return true;
	}

	#block(node: Node, other: boolean, numbered: number, leading: boolean): string[] {
		const word = wordOf(node, this.#words);
		if (word === undefined || !sayable(node, this.#words)) return [placeholderOf(node, this.#words)];
		switch (word) {
			case 'heading':
				return [led(`${'#'.repeat(node.attrs.level as number)} `, this.#heading(node))];
			case 'blockquote':
				return this.blocks(node.content, false).map((line) => (line === '' ? '>' : `> ${line}`));
			case 'codeBlock':
				return this.#code(node);
			case 'rule':
				// As the first block of an item, dashes would be read together with the item's own.
				return [leading ? '___' : '---'];
			case 'bulletList':
				return this.#list(node, () => (other ? '* ' : '- '));
			case 'taskList':
				return this.#list(
					node,
					(_index, item) => `${other ? '*' : '-'} [${item.attrs.checked ? 'x' : ' '}] `
				);
			case 'orderedList': {
				const start = startAttr(node.type);
				const first = start === undefined ? 1 : Number(node.attrs[start]);
				return this.#list(node, (index) => `${first + index}${other ? ')' : '.'} `);
			}
			case 'flatList':
				return this.#item(node, flatMarker(node, numbered), this.#isShort(node));
			case 'image':
				return [image(node, { underline: this.#words.marks.underline !== undefined })];
			case 'table':
				return this.#table(node);
			case 'paragraph':
				return this.#paragraph(node);
			default:
				// A part of a list or of a table on its own, as a selection may have it.
				return node.inlineContent ? this.#paragraph(node) : this.blocks(node.content, false);
		}
	}

	#paragraph(node: Node): string[] {
		if (node.content.size === 0) return [EMPTY];
		return writeInline(node, this.#writing, { oneLine: false }).split('\n');
	}

	#heading(node: Node): string {
		const text = writeInline(node, this.#writing, { oneLine: true });
		return text.endsWith('#') ? `${text.slice(0, -1)}\\#` : text;
	}

	#code(node: Node): string[] {
		const text = node.textContent;
		const language = languageAttr(node.type);
		const info = String((language && (node.attrs[language] as unknown)) ?? '').replace(/\s+/g, ' ');
		const char = info.includes('`') ? '~' : '`';
		const runs = Array.from(text.matchAll(/`+|~+/g), ([run]) => run.length);
		const fence = char.repeat(Math.max(2, ...runs) + 1);
		return [fence + info, ...(text === '' ? [] : text.split('\n')), fence];
	}

	#list(list: Node, marking: Marking): string[] {
		const tight = this.#isTight(list);
		const lines: string[] = [];
		list.forEach((item, _offset, index) => {
			if (lines.length && !tight) lines.push('');
			lines.push(...this.#item(item, marking(index, item), tight));
		});
		return lines;
	}

	#item(item: Node, marker: string, tight: boolean): string[] {
		const alone = item.childCount === 1 && item.firstChild!.type === this.#words.nodes.paragraph;
		const empty = alone && item.firstChild!.content.size === 0;
		const inner = empty ? [''] : this.blocks(item.content, tight, true);
		const column = ' '.repeat(marker.indexOf(' ') + 1);
		const [first = '', ...rest] = [...this.#marked(item), ...inner];
		const line = led(marker, first);
		// Signs of lists alone would be read as a rule; what is empty inside says so then.
		const told = isRule(line) ? `${line} ${EMPTY}` : line;
		return [told, ...rest.map((line) => (line === '' ? '' : column + line))];
	}

	#table(table: Node): string[] {
		const lines: string[] = [];
		const aligned = tableShape(table, this.#words)!;
		table.forEach((row, _offset, index) => {
			const cells: string[] = [];
			row.forEach((cell) => cells.push(this.#cell(cell)));
			lines.push(`| ${cells.join(' | ')} |`);
			if (index === 0) lines.push(`| ${aligned.map(delimiter).join(' | ')} |`);
		});
		return lines;
	}

	#cell(cell: Node): string {
		const text = writeInline(cell.inlineContent ? cell : cell.firstChild!, this.#writing, { oneLine: true });
		return text.replaceAll('|', '\\|');
	}
}

const delimiter = (align: string | null): string =>
	align === null ? '---' : align === 'left' ? ':--' : align === 'right' ? '--:' : ':-:';

const flatMarker = ({ attrs }: Node, numbered: number): string =>
	attrs.kind === 'ordered'
		? `${numbered}. `
		: attrs.kind === 'task'
			? `- [${attrs.checked ? 'x' : ' '}] `
			: '- ';
