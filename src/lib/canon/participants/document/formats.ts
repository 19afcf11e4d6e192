import type { Mark, Node } from 'prosemirror-model';
import type { EditorState } from 'prosemirror-state';
import { isLiving, livingSize } from './timeline/row/piece.js';
import { keysOf, type Op } from './timeline/row/value.js';
import { recordOf, type Table, timelineKey } from './timeline/table.js';

/** What a run changed about words or a block that are not its own, in positions of the document. @since 0.1.0 */
export interface FormatChange {
	readonly run: string;
	readonly from: number;
	readonly to: number;
	/** A mark on words, the type of a block, or one of its attributes. */
	readonly what: 'mark' | 'type' | 'attribute';
	/** Of the mark or the attribute; of a type the one it has now. */
	readonly name: string;
	/** Attributes of the mark or null for none, name of the type, value of the attribute. */
	readonly was: unknown;
	readonly now: unknown;
}

/** These are kept with the content itself. */
const TOLD = ['m:agentText', 'm:comment', 'a:id', 'a:agent'];
const KINDS = { m: 'mark', a: 'attribute' } as const;

/**
 * Formats that runs gave and that still hold, in the order of the document: what the person or a later run changed again,
 * and what was taken back, is not among them. Known while the editor's state is; not saved with the document.
 * @internal
 */
export function formatsIn(state: EditorState): readonly FormatChange[] {
	const table = timelineKey.getState(state);
	if (!table) return [];
	const known = held.get(table);
	if (known) return known;
	const changes = formatsOf(table);
	held.set(table, changes);
	return changes;
}

/** Asked for each block of a listing. A table never changes. */
const held = new WeakMap<Table, readonly FormatChange[]>();

function formatsOf(table: Table): readonly FormatChange[] {
	const found: FormatChange[] = [];
	let at = 0;
	for (const piece of table.pieces.toArray()) {
		const from = at;
		at += livingSize(piece);
		if (!isLiving(piece) || piece.ops.length === 0) continue;
		for (const key of keysOf(piece.ops)) {
			const ops = piece.ops.filter((op) => op.key === key);
			const last = ops.findLast(({ by }) => recordOf(table.runs, by)?.stands);
			const told = TOLD.some((one) => key === one || key.startsWith(`${one}{`));
			if (last && last.by !== piece.ins && !told) add(found, change(ops[0]!, last, from, at));
		}
	}
	return found.filter(({ was, now }) => JSON.stringify(was) !== JSON.stringify(now));
}

function change(first: Op, { key, by, now }: Op, from: number, to: number): FormatChange {
	const span = { run: by, from, to };
	if (key === 'type') return { ...span, what: 'type', name: String(now), was: first.was, now };
	const name = key.slice(2).split('{')[0]!;
	const what = KINDS[key[0] as 'm' | 'a'];
	const plain = (value: unknown) => (what === 'mark' ? ((value as Mark | null)?.attrs ?? null) : value);
	return { ...span, what, name, was: plain(first.was), now: plain(now) };
}

/** A stretch that goes on is one. */
function add(found: FormatChange[], next: FormatChange): void {
	const same = found.findLastIndex(
		(one) =>
			one.to === next.from &&
			one.what === 'mark' &&
			JSON.stringify({ ...one, from: 0, to: 0 }) === JSON.stringify({ ...next, from: 0, to: 0 })
	);
	if (same < 0) found.push(next);
	else found[same] = { ...found[same]!, to: next.to };
}

/** The place in a document that shows what was changed: inside the block for a change of the block itself. @internal */
export const placeOf = ({ what, from }: FormatChange, doc: Node): number =>
	what === 'mark' ? from : Math.min(from + 1, doc.content.size);
