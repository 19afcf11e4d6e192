import { Fragment, type Attrs, type Node, type NodeType } from 'prosemirror-model';
import { commentAt, onlyAuthorship } from './characters.js';
import { imageBlock } from './image-block.js';
import { InlineReader, type Session } from './inline.js';
import { closesFence, fenceOf, headingOf, interrupts, isBlank, isQuote, isRule } from './lines.js';
import { indentOf, markerOf, outdent, trimmed, unquoted, type Fence, type Marker } from './lines.js';
import { itemLines, listRun, nextItem, type Item } from './lists.js';
import { Refusing, type MarkdownCode } from './refusal.js';
import { cellsOf, tableAt, type Align } from './table.js';
import { hasAttr, languageAttr, type NodeWord } from './words.js';

const CALLED: Readonly<Partial<Record<NodeWord, string>>> = {
	heading: 'headings',
	blockquote: 'blockquotes',
	codeBlock: 'code blocks',
	rule: 'horizontal rules',
	bulletList: 'bullet lists',
	orderedList: 'ordered lists',
	listItem: 'list items',
	taskList: 'task lists',
	taskItem: 'task items',
	table: 'tables',
	tableRow: 'table rows',
	tableCell: 'table cells'
};

/** What bounds a parse. @internal */
export interface Bounds {
	readonly depth: number;
	readonly levels: readonly number[];
}

/** Reads the blocks of one container, and goes into the containers it meets. @internal */
export class BlockReader {
	readonly session: Session;
	readonly #bounds: Bounds;

	constructor(session: Session, bounds: Bounds) {
		this.session = session;
		this.#bounds = bounds;
	}

	/** The blocks that these lines say; the first of them is line `first` of the whole text. */
	read(lines: readonly string[], first: number, depth = 0): Node[] {
		if (depth > this.#bounds.depth) {
			const text = `Nested deeper than ${this.#bounds.depth} levels. Write it flatter.`;
			throw new Refusing('depth', first, text);
		}
		const blocks: Node[] = [];
		let at = 0;
		while (at < lines.length) {
			const line = lines[at]!;
			this.session.steps += line.length + 1;
			if (isBlank(line) || (line.includes('<!--') && onlyAuthorship(line))) at++;
			else at = this.#block(lines, at, first, depth, blocks);
		}
		return blocks;
	}

	/** Builds a node that the schema allows, or refuses with what it would allow. */
	build(word: NodeWord, attrs: Attrs | null, content: Fragment | readonly Node[], line: number): Node {
		return this.make(this.need(word, line), attrs, content, line);
	}

	make(type: NodeType, attrs: Attrs | null, content: Fragment | readonly Node[], line: number): Node {
		const fragment = Fragment.from(content);
		if (type.validContent(fragment)) return type.create(attrs, fragment);
		const given = [...new Set(childNames(fragment))].join(', ') || 'nothing';
		return this.refuse(
			'schema',
			line,
			`A ${type.name} takes "${type.spec.content ?? 'nothing'}", not ${given}.`
		);
	}

	need(word: NodeWord, line: number): NodeType {
		const type = this.session.vocabulary.nodes[word];
		if (type) return type;
		const text = `The editor has no ${CALLED[word] ?? word}. It takes: ${this.session.offers()}.`;
		return this.refuse('schema', line, text);
	}

	refuse(code: MarkdownCode, line: number, text: string): never {
		throw new Refusing(code, line, text);
	}

	inline(type: NodeType, text: string, line: number): Fragment {
		return new InlineReader(this.session, text, line, type).read();
	}

	/** Reads the block at `at` into `blocks`, and says where the next one may begin. */
	#block(lines: readonly string[], at: number, first: number, depth: number, blocks: Node[]): number {
		const line = lines[at]!;
		const no = first + at;
		const fence = fenceOf(line);
		if (fence) return this.#code(lines, at, fence, no, blocks);
		const heading = headingOf(line);
		if (heading) {
			blocks.push(this.#heading(heading.level, heading.text, no));
			return at + 1;
		}
		if (isRule(line)) {
			blocks.push(this.build('rule', null, [], no));
			return at + 1;
		}
		if (isQuote(line)) return this.#quote(lines, at, no, depth, blocks);
		const marker = markerOf(line);
		if (marker) return this.#list(lines, at, marker, first, depth, blocks);
		const aligned = tableAt(line, lines[at + 1]);
		if (aligned) return this.#table(lines, at, aligned, no, blocks);
		return this.#paragraph(lines, at, no, blocks);
	}

	#heading(level: number, text: string, line: number): Node {
		const type = this.need('heading', line);
		const { levels } = this.#bounds;
		if (!levels.includes(level)) {
			this.refuse(
				'schema',
				line,
				`The editor has no heading of level ${level}, only of ${levels.join(', ')}.`
			);
		}
		return this.make(type, { level }, this.inline(type, text, line), line);
	}

	#code(lines: readonly string[], at: number, fence: Fence, no: number, blocks: Node[]): number {
		const type = this.need('codeBlock', no);
		let end = at + 1;
		while (end < lines.length && !closesFence(lines[end]!, fence)) {
			this.session.steps += lines[end]!.length + 1;
			end++;
		}
		const text = lines
			.slice(at + 1, end)
			.map((line) => outdent(line, fence.indent))
			.join('\n');
		const language = languageAttr(type);
		if (fence.info !== '' && language === undefined) {
			this.refuse('schema', no, 'The editor keeps no language of a code block: write the fence without one.');
		}
		const attrs = language !== undefined && fence.info !== '' ? { [language]: fence.info } : null;
		blocks.push(this.make(type, attrs, text === '' ? [] : [type.schema.text(text)], no));
		return end + 1;
	}

	#quote(lines: readonly string[], at: number, no: number, depth: number, blocks: Node[]): number {
		let end = at;
		while (end < lines.length && isQuote(lines[end]!)) end++;
		this.need('blockquote', no);
		const inner = this.read(lines.slice(at, end).map(unquoted), no, depth + 1);
		blocks.push(this.build('blockquote', null, inner.length ? inner : [this.#empty(no)], no));
		return end;
	}

	#list(
		lines: readonly string[],
		from: number,
		first: Marker,
		base: number,
		depth: number,
		blocks: Node[]
	): number {
		const items: Item[] = [];
		let at = from;
		let next: number | undefined = from;
		while (next !== undefined) {
			at = next;
			const marker = markerOf(lines[at]!)!;
			const own = itemLines(lines, at, marker, (count) => (this.session.steps += count));
			const task = /^\[([ xX])\](?:[ \t]|$)/.exec(own[0]!);
			if (task) own[0] = own[0]!.slice(task[0].length);
			const content = this.read(own, base + at, depth + 1);
			items.push({
				number: marker.number,
				checked: task ? task[1] !== ' ' : undefined,
				content: content.length ? content : [this.#empty(base + at)],
				line: base + at
			});
			at += own.length;
			next = nextItem(lines, at, first);
		}
		blocks.push(...listRun(this, items));
		return at;
	}

	#table(
		lines: readonly string[],
		at: number,
		aligned: readonly Align[],
		no: number,
		blocks: Node[]
	): number {
		const head = this.session.vocabulary.nodes.tableHeader ? 'tableHeader' : 'tableCell';
		this.need('table', no);
		const rows = [this.#row(lines[at]!, head, aligned, no)];
		let end = at + 2;
		while (end < lines.length && lines[end]!.includes('|') && !isQuote(lines[end]!)) {
			this.session.steps += lines[end]!.length + 1;
			rows.push(this.#row(lines[end]!, 'tableCell', aligned, no + end - at));
			end++;
		}
		blocks.push(this.build('table', null, rows, no));
		return end;
	}

	#row(line: string, word: 'tableCell' | 'tableHeader', aligned: readonly Align[], no: number): Node {
		const cells = cellsOf(line);
		if (cells.length > aligned.length) {
			this.refuse(
				'schema',
				no,
				`This row has ${cells.length} cells, the head of the table ${aligned.length}.`
			);
		}
		const type = this.need(word, no);
		const inner = aligned.map((align, column) => {
			const attrs = align !== null && hasAttr(type, 'align') ? { align } : null;
			const text = cells[column] ?? '';
			if (type.inlineContent) return this.make(type, attrs, this.inline(type, text, no), no);
			const paragraph = this.need('paragraph', no);
			return this.make(type, attrs, [this.make(paragraph, null, this.inline(paragraph, text, no), no)], no);
		});
		return this.build('tableRow', null, inner, no);
	}

	#paragraph(lines: readonly string[], at: number, no: number, blocks: Node[]): number {
		let end = at + 1;
		while (end < lines.length && !interrupts(lines[end]!) && !tableAt(lines[end]!, lines[end + 1])) {
			this.session.steps += lines[end]!.length + 1;
			end++;
		}
		// Two spaces before the end of a line are a break, so only what leads a line goes, and what ends the last one.
		const text = trimmed(
			lines
				.slice(at, end)
				.map((line) => outdent(line, indentOf(line)))
				.join('\n')
		);
		blocks.push(
			this.session.placeholders.block(text, no) ??
				imageBlock(this, text, no) ??
				(commentAt(text, 0)?.kind === 'empty' && commentAt(text, 0)?.end === text.length
					? this.#empty(no)
					: this.#text(text, no))
		);
		return end;
	}

	#text(text: string, no: number): Node {
		const type = this.need('paragraph', no);
		return this.make(type, null, this.inline(type, text, no), no);
	}

	#empty(line: number): Node {
		return this.build('paragraph', null, [], line);
	}
}

function childNames(fragment: Fragment): string[] {
	const names: string[] = [];
	fragment.forEach((child) => {
		const marks = child.marks.map(({ type }) => type.name);
		names.push(marks.length ? `${child.type.name} (${marks.join(', ')})` : child.type.name);
	});
	return names;
}
