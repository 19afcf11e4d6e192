import type { Node } from 'prosemirror-model';
import type { EditorState } from 'prosemirror-state';
import { type FormatChange, formatsIn } from './formats.js';
import { type OriginRange, originsIn } from './origins/index.js';

/** Ids are not of the text, and who wrote a block is said elsewhere. */
const UNREAD = ['id', 'agent'];

/** Does it hold words somebody chose: an address, the language of a code block, the description of an image? */
function holdsText(value: unknown): boolean {
	if (typeof value === 'string') return value !== '';
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsText);
}

const saysInAttributes = ({ attrs }: Node): boolean =>
	Object.entries(attrs).some(([name, value]) => !UNREAD.includes(name) && holdsText(value));

/** A run put words into it: not a mark without any, nor the level of a heading. */
const putsWords = ({ what, now }: FormatChange): boolean => what !== 'type' && holdsText(now);

/**
 * Where what is read of a range comes from: its text, the attributes of its blocks, and what runs wrote into marks and
 * attributes of words that are not their own, such as the address of a link. A stretch may be met twice, of several origins.
 * @param around whether what the range stands in is read too, as with a selection
 * @internal
 */
export function sourcesIn(
	state: EditorState,
	from: number,
	to: number,
	around = false
): readonly OriginRange[] {
	const ranges: OriginRange[] = [];
	let start = from;
	state.doc.nodesBetween(from, to, (node, pos) => {
		if (pos >= from || around) {
			start = Math.min(start, pos);
			if (!node.isLeaf && saysInAttributes(node)) ranges.push(...originsIn(state, pos, pos + 1));
		}
		if (node.isTextblock)
			ranges.push(...originsIn(state, Math.max(from, pos + 1), Math.min(to, pos + node.nodeSize - 1)));
		else if (node.isLeaf) ranges.push(...originsIn(state, pos, pos + node.nodeSize));
		return !node.isTextblock;
	});
	for (const change of formatsIn(state)) {
		const first = change.what === 'mark' ? from : start;
		if (change.from < to && change.to > first && putsWords(change))
			ranges.push({ from: change.from, to: change.to, origin: 'agent', run: change.run });
	}
	return ranges;
}
