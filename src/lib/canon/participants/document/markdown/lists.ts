import type { Node, NodeType } from 'prosemirror-model';
import type { BlockReader } from './block-reader.js';
import { indentOf, isBlank, isRule, markerOf, outdent, type Marker } from './lines.js';
import { hasAttr, startAttr } from './words.js';

/** An item as it was read. @internal */
export interface Item {
	readonly number: number | undefined;
	/** Only of a task. */
	readonly checked: boolean | undefined;
	readonly content: readonly Node[];
	readonly line: number;
}

/** The lists that a row of items with one marker makes: tasks and plain items are lists of their own. @internal */
export function listRun(reader: BlockReader, items: readonly Item[]): Node[] {
	const { nodes } = reader.session.vocabulary;
	if (nodes.flatList && !nodes.listItem) return flat(reader, nodes.flatList, items);
	const lists: Node[] = [];
	for (let from = 0; from < items.length;) {
		const task = items[from]!.checked !== undefined;
		let to = from + 1;
		while (to < items.length && (items[to]!.checked !== undefined) === task) to++;
		lists.push((task ? tasks : plain)(reader, items.slice(from, to)));
		from = to;
	}
	return lists;
}

function tasks(reader: BlockReader, items: readonly Item[]): Node {
	const { line } = items[0]!;
	reader.need('taskList', line);
	const inner = items.map(({ checked, content, line }) =>
		reader.build('taskItem', { checked }, content, line)
	);
	return reader.build('taskList', null, inner, line);
}

function plain(reader: BlockReader, items: readonly Item[]): Node {
	const { line, number } = items[0]!;
	const word = number === undefined ? 'bulletList' : 'orderedList';
	const start = startAttr(reader.need(word, line));
	if (number !== undefined && number !== 1 && start === undefined) {
		reader.refuse('schema', line, 'An ordered list of this editor begins with 1.');
	}
	const inner = items.map(({ content, line }) => reader.build('listItem', null, content, line));
	return reader.build(word, number !== undefined && start ? { [start]: number } : null, inner, line);
}

/** Each item is a list of its own; a number is kept only where counting on would not give it. */
function flat(reader: BlockReader, type: NodeType, items: readonly Item[]): Node[] {
	let last = 0;
	return items.map(({ number, checked, content, line }) => {
		if (checked !== undefined) {
			if (!hasAttr(type, 'checked')) reader.refuse('schema', line, 'The editor has no task lists.');
			return reader.make(type, { kind: 'task', checked }, content, line);
		}
		if (number === undefined) return reader.make(type, { kind: 'bullet' }, content, line);
		// Many write 1. before every item and mean a row.
		const counted = number === 1 || number === last + 1;
		last = number === 1 ? last + 1 : number;
		return reader.make(type, { kind: 'ordered', ...(!counted && { order: number }) }, content, line);
	});
}

/** The lines of an item without its marker and indentation, and without the blank ones behind it. @internal */
export function itemLines(
	lines: readonly string[],
	at: number,
	marker: Marker,
	looked: (count: number) => void
): string[] {
	const own = [outdent(' '.repeat(marker.indent) + markerless(lines[at]!, marker), marker.content)];
	let end = at + 1;
	let last = 1;
	for (; end < lines.length; end++) {
		const line = lines[end]!;
		looked(line.length + 1);
		const indent = indentOf(line);
		const inside = indent >= marker.content || (indent >= marker.indent + 2 && markerOf(line) !== undefined);
		if (!inside && !isBlank(line)) break;
		own.push(outdent(line, marker.content));
		if (!isBlank(line)) last = own.length;
	}
	own.length = last;
	return own;
}

const markerless = (line: string, { sign, number, indent }: Marker): string => {
	const text = outdent(line, indent);
	const length = number === undefined ? sign.length : text.indexOf(sign) + 1;
	return ' '.repeat(length) + text.slice(length);
};

/** Where the next item of the same list begins, over blank lines. @internal */
export function nextItem(lines: readonly string[], from: number, first: Marker): number | undefined {
	let at = from;
	while (at < lines.length && isBlank(lines[at]!)) at++;
	const line = lines[at];
	const marker = line === undefined || isRule(line) ? undefined : markerOf(line);
	return marker?.sign === first.sign && marker.indent < first.content ? at : undefined;
}
