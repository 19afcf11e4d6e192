import type { Node } from 'prosemirror-model';
import { merged, type Run } from './runs.js';

/** One character for each token of a range: what is written, and marks for tags and leaves. Its length is that of the range. @internal */
export function tokensBetween(doc: Node, from: number, to: number): string {
	let out = '';
	const walk = (parent: Node, start: number): void => {
		let at = start;
		for (let index = 0; index < parent.childCount && at < to; index++) {
			const node = parent.child(index);
			const end = at + node.nodeSize;
			if (end > from) {
				if (node.isText) out += node.text!.slice(Math.max(0, from - at), to - at);
				else if (node.isLeaf) out += '\ufffc';
				else {
					if (at >= from) out += '\u0001';
					walk(node, at + 1);
					if (end <= to) out += '\u0002';
				}
			}
			at = end;
		}
	};
	if (from < to) walk(doc, 0);
	return out;
}

interface Chain<T> {
	text: string;
	runs: readonly Run<T>[];
	/** Where it was taken out; a deletion that begins or ends there belongs to it. */
	at: number;
}

/** So much deleted text is remembered, in tokens; where it gets more, the oldest fifth is forgotten at once. */
const ROOM = 500_000;
const LEFT = 400_000;

/** Stands between the texts of two chains; no token is one. */
const BORDER = '\u0003';

/** So many places of one text are compared; where there are more, the worst of the whole chain is assumed. */
const PLACES = 100;

/**
 * What was deleted and what held for it, so that what history, a run's undo or a move brings back is what it was before.
 * Deletions side by side make one chain, because history may bring them back in one piece.
 * @internal
 */
export class Stash<T> {
	#chains: Chain<T>[] = [];
	/**
	 * The chains for which one value holds throughout, but for the last chain, which may still grow: by value, one text, so
	 * that a search costs by the length of what is remembered and not by the number of deletions.
	 */
	readonly #plain = new Map<T, string>();
	/** The others, but for the last chain. */
	#mixed: Chain<T>[] = [];
	readonly #worst: (a: T, b: T) => T;
	#size = 0;

	/** @param worst of two values the one to assume where it cannot be told */
	constructor(worst: (a: T, b: T) => T) {
		this.#worst = worst;
	}

	/** @param at where the range stood @param alone is it one deletion by itself? */
	keep(text: string, runs: readonly Run<T>[], at: number, alone: boolean): void {
		const last = this.#chains.at(-1);
		if (text.length === 0 || text.length > ROOM) return;
		if (alone && last && (last.at === at || last.at === at + text.length)) {
			const before = last.at !== at;
			last.text = before ? text + last.text : last.text + text;
			last.runs = merged(before ? [...runs, ...last.runs] : [...last.runs, ...runs]);
			last.at = at;
		} else {
			if (last) this.#seal(last);
			this.#chains.push({ text, runs, at });
		}
		this.#size += text.length;
		if (this.#size > ROOM) this.#forget();
	}

	/** What held for this text when it was deleted. Where several things did, the worst of them for all of it. */
	find(text: string): readonly Run<T>[] | undefined {
		let found: readonly Run<T>[] | undefined;
		const add = (runs: readonly Run<T>[]) => (found = found ? this.#both(found, runs) : runs);
		const sealed = !text.includes(BORDER);
		if (sealed)
			for (const [value, texts] of this.#plain) if (texts.includes(text)) add([[text.length, value]]);
		const last = this.#chains.at(-1);
		for (const chain of sealed ? [...this.#mixed, ...(last ? [last] : [])] : this.#chains) {
			let at = chain.text.indexOf(text);
			// Where one value holds throughout, one place tells of all.
			const once = chain.runs.length === 1;
			for (let turn = 0; at >= 0; at = once ? -1 : chain.text.indexOf(text, at + 1)) {
				add(cut(chain.runs, at, at + text.length));
				if (++turn < PLACES) continue;
				add([[text.length, chain.runs.map(([, value]) => value).reduce(this.#worst)]]);
				break;
			}
		}
		return found;
	}

	/** It does not grow any more. */
	#seal(chain: Chain<T>): void {
		const [first] = chain.runs;
		if (chain.runs.length !== 1 || !first) this.#mixed.push(chain);
		else this.#plain.set(first[1], `${this.#plain.get(first[1]) ?? ''}${BORDER}${chain.text}`);
	}

	#forget(): void {
		let gone = 0;
		const newest = this.#chains.length - 1;
		while (this.#size > (gone < newest ? LEFT : ROOM)) this.#size -= this.#chains[gone++]!.text.length;
		this.#chains = this.#chains.slice(gone);
		this.#plain.clear();
		this.#mixed = [];
		for (const chain of this.#chains.slice(0, -1)) this.#seal(chain);
	}

	#both(a: readonly Run<T>[], b: readonly Run<T>[]): readonly Run<T>[] {
		const equal =
			a.length === b.length && a.every(([length, value], i) => length === b[i]![0] && value === b[i]![1]);
		if (equal) return a;
		const length = a.reduce((all, [one]) => all + one, 0);
		return [[length, [...a, ...b].map(([, value]) => value).reduce(this.#worst)]];
	}
}

function cut<T>(runs: readonly Run<T>[], from: number, to: number): readonly Run<T>[] {
	let at = 0;
	return runs.flatMap(([length, value]): Run<T>[] => {
		const inside = Math.min(to, at + length) - Math.max(from, at);
		at += length;
		return inside > 0 ? [[inside, value]] : [];
	});
}
