import type { Fragment, Mark, Node } from 'prosemirror-model';
import { safeAddress } from './href.js';
import { placeholderOf, sayable } from './sayable.js';
import type { MarkWord, Vocabulary } from './words.js';

/** The mark that says who wrote the words; it is not the words. @internal */
export const PROVENANCE = 'agentText';

/** A mark as the writer sees it. @internal */
export interface Sign {
	readonly key: string;
	readonly word: MarkWord | 'agent';
	readonly mark: Mark;
}

/** A stretch of a textblock with the same signs over all of it. @internal */
export interface Unit {
	readonly kind: 'text' | 'code' | 'break' | 'image' | 'placeholder';
	text: string;
	readonly node: Node;
	readonly signs: readonly Sign[];
}

/** @internal */
export interface Writing {
	readonly vocabulary: Vocabulary;
	readonly provenance: boolean;
}

/** The content of a textblock as far as Markdown can say it. @internal */
export function unitsOf(content: Fragment, writing: Writing): Unit[] {
	const units: Unit[] = [];
	content.forEach((node) => {
		const signs = node.marks.flatMap((mark) => signOf(mark, writing) ?? []);
		const code = node.isText && signs.some(({ word }) => word === 'code');
		const kind = code ? 'code' : kindOf(node, writing.vocabulary);
		const text = node.isText
			? node.text!
			: kind === 'placeholder'
				? placeholderOf(node, writing.vocabulary)
				: '';
		const spoken = signs.filter(({ word }) => word !== 'code');
		const last = units.at(-1);
		if (last?.kind === kind && (kind === 'text' || kind === 'code') && sameSigns(last.signs, spoken)) {
			last.text += text;
		} else units.push({ kind, text, node, signs: spoken });
	});
	return units;
}

function kindOf(node: Node, vocabulary: Vocabulary): Unit['kind'] {
	if (node.isText) return 'text';
	if (node.type === vocabulary.nodes.hardBreak) return 'break';
	return node.type === vocabulary.nodes.image && sayable(node, vocabulary) ? 'image' : 'placeholder';
}

function signOf(mark: Mark, { vocabulary, provenance }: Writing): Sign | undefined {
	if (mark.type.name === PROVENANCE) {
		return provenance ? { key: `agent ${JSON.stringify(mark.attrs)}`, word: 'agent', mark } : undefined;
	}
	const { marks } = vocabulary;
	const word = (Object.keys(marks) as MarkWord[]).find((one) => marks[one] === mark.type);
	if (word === undefined) return undefined;
	if (word !== 'link') return { key: word, word, mark };
	const { href, title = null } = mark.attrs as { href?: unknown; title?: unknown };
	if (typeof href !== 'string' || !safeAddress(href, 'link')) return undefined;
	return { key: `link ${JSON.stringify([href, title])}`, word, mark };
}

/** @internal */
export const sameSigns = (one: readonly Sign[], other: readonly Sign[]): boolean =>
	one.length === other.length && one.every(({ key }) => other.some((sign) => sign.key === key));

/** Whether two textblocks say the same, as far as Markdown can tell. @internal */
export const sameUnits = (one: readonly Unit[], other: readonly Unit[]): boolean =>
	one.length === other.length &&
	one.every((unit, index) => {
		const { kind, text, signs, node } = other[index]!;
		const image = kind !== 'image' || String(node.attrs.src) === String(unit.node.attrs.src);
		return unit.kind === kind && unit.text === text && image && sameSigns(unit.signs, signs);
	});
