import type { Node } from 'prosemirror-model';
import { safeAddress } from './href.js';
import { attrOf, startAttr, type NodeWord, type Vocabulary } from './words.js';

const KINDS = new Set(['bullet', 'ordered', 'task']);

/** Which word of Markdown a node is; nothing for a node of the app's own. @internal */
export function wordOf(node: Node, { nodes }: Vocabulary): NodeWord | undefined {
	return (Object.keys(nodes) as NodeWord[]).find((word) => nodes[word] === node.type);
}

/** Whether Markdown can say this node; its children are asked on their own, but for those of a table. @internal */
export function sayable(node: Node, vocabulary: Vocabulary): boolean {
	if (node.isText) return true;
	const word = wordOf(node, vocabulary);
	switch (word) {
		case undefined:
			return false;
		case 'flatList':
			return KINDS.has(node.attrs.kind as string);
		case 'heading':
			return Number.isInteger(node.attrs.level) && node.attrs.level >= 1 && node.attrs.level <= 6;
		case 'orderedList': {
			const start = startAttr(node.type);
			return start === undefined || isNumber(node.attrs[start] as unknown);
		}
		case 'codeBlock':
			return !node.textContent.includes('\r') && node.textContent.length === node.content.size;
		case 'image':
			return safeAddress(String(node.attrs.src ?? ''), 'image');
		case 'table':
			return tableShape(node, vocabulary) !== undefined;
		default:
			return true;
	}
}

const isNumber = (value: unknown): boolean =>
	Number.isInteger(value) && (value as number) >= 0 && (value as number) < 1_000_000_000;

/** How the columns of a table stand, if it is one Markdown can say: one head row, plain cells of one paragraph. @internal */
export function tableShape(table: Node, vocabulary: Vocabulary): readonly (string | null)[] | undefined {
	const { tableRow, tableCell, tableHeader = tableCell, paragraph } = vocabulary.nodes;
	const columns = table.firstChild?.childCount ?? 0;
	if (columns === 0 || !tableRow || !tableCell) return undefined;
	const aligned: (string | null)[] = [];
	for (let row = 0; row < table.childCount; row++) {
		const cells = table.child(row);
		if (cells.type !== tableRow || cells.childCount !== columns) return undefined;
		for (let column = 0; column < columns; column++) {
			const cell = cells.child(column);
			const { colspan = 1, rowspan = 1, align = null } = cell.attrs as Record<string, unknown>;
			if (cell.type !== (row === 0 ? tableHeader : tableCell) || colspan !== 1 || rowspan !== 1)
				return undefined;
			if (row === 0) aligned.push(align as string | null);
			else if (aligned[column] !== align) return undefined;
			if (!cell.inlineContent && (cell.childCount !== 1 || cell.firstChild!.type !== paragraph))
				return undefined;
		}
	}
	return aligned.every((align) => align === null || ['left', 'center', 'right'].includes(align))
		? aligned
		: undefined;
}

/** The widest row of a table, in cells. */
function widthOf(table: Node): number {
	let width = 0;
	table.forEach((row) => {
		let cells = 0;
		row.forEach(({ attrs }) => (cells += Number(attrs.colspan ?? 1)));
		width = Math.max(width, cells);
	});
	return width;
}

const LONGEST = 60;

/** What a placeholder shows of a text. */
function glimpse(text: string): string {
	const plain = text.replace(/[[\]\s]+/gu, ' ').trim();
	const characters = [...plain];
	return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : plain;
}

/** The line that stands for what Markdown cannot say: `[table 3 × 4]`, `[image: alt]`, `[callout: its words]`. @internal */
export function placeholderOf(node: Node, { nodes }: Vocabulary): string {
	const { name } = node.type;
	if (node.type === nodes.table) return `[${name} ${node.childCount} × ${widthOf(node)}]`;
	const named = attrOf(node.type, 'label', 'alt', 'title', 'name', 'src', 'id');
	const shown = node.isLeaf ? String((named && (node.attrs[named] as unknown)) ?? '') : textOf(node);
	const seen = glimpse(shown.startsWith('data:') ? '' : shown);
	return seen === '' ? `[${name}]` : `[${name}: ${seen}]`;
}

const textOf = (node: Node): string => node.textBetween(0, node.content.size, ' ', ' ').slice(0, 4 * LONGEST);
