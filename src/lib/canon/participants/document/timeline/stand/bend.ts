import { signPiece, type Piece } from '../row/piece.js';
import { HIDDEN } from '../row/tag.js';
import { isInlineToken, isTag, tokensBetween, tokenSize, type Token } from '../row/token.js';
import { livingSize } from '../row/piece.js';
import { hullOf, isWithin, type Hull } from './rebuild.js';
import type { Work } from './work.js';

/** A token of the blocks concerned. */
interface Item {
	readonly token: Token;
	/** Its piece, in `Bend.pieces`. */
	readonly index: number;
	readonly living: boolean;
	/** Should it stand. */
	want: boolean;
	/** Brought along with words inside it, against the rule. */
	raised: boolean;
}

/** A node that is open where the reading is. */
interface Level {
	readonly open: Item | null;
	/** May words stand in it. */
	readonly inline: boolean;
	/** Does anything that stays stand in it. */
	content: boolean;
	/** Whole blocks that come back in the middle of its text: they go behind it. */
	readonly behind: (readonly number[])[];
}

/**
 * Where the rule gives no document: bends the structure, tag by tag over the blocks concerned. Words of the run go. A
 * block in which nothing of anybody else is left goes whole, and foreign tags of it return with the run. A block that
 * holds somebody's words keeps its tags. Words that come back do so where words may stand; a whole block that comes back
 * in the middle of a text goes behind that block; words whose block somebody else has deleted come back with that block.
 * With `wordsOnly` no structure comes back. Gives what is wanted now, for `work.pieces` as they are then.
 */
export function bend(
	work: Work,
	want: readonly boolean[],
	refused: ReadonlySet<number>,
	wordsOnly: boolean
): boolean[] {
	work.report.bent++;
	return new Bend(work, hullOf(work, refused), want, wordsOnly).run();
}

class Bend {
	readonly #work: Work;
	readonly #wordsOnly: boolean;
	/** The pieces, one token each inside the hull. */
	readonly #pieces: Piece[] = [];
	readonly #want: boolean[] = [];
	readonly #items: Item[] = [];
	readonly #stack: Level[];
	/** Blocks, as indexes of their pieces, that go behind the closing tag at an index. */
	readonly #moves = new Map<number, readonly (readonly number[])[]>();

	constructor(work: Work, hull: Hull, want: readonly boolean[], wordsOnly: boolean) {
		this.#work = work;
		this.#wordsOnly = wordsOnly;
		const inline = hull.$from.node(hull.depth).inlineContent;
		this.#stack = [{ open: null, inline, content: true, behind: [] }];
		this.#explode(hull, want);
	}

	run(): boolean[] {
		let gap: Item[] = [];
		for (const item of this.#items) {
			if (!item.living) {
				gap.push(item);
				continue;
			}
			this.#fill(gap);
			gap = [];
			this.#pass(item);
		}
		this.#fill(gap);
		return this.#settle();
	}

	get #top(): Level {
		return this.#stack.at(-1)!;
	}

	/** Cuts the pieces in the hull into single tokens. */
	#explode(hull: Hull, want: readonly boolean[]): void {
		const { doc, pieces } = this.#work;
		const keep = (it: Piece, wanted: boolean): void => {
			this.#pieces.push(it);
			this.#want.push(wanted);
		};
		let at = 0;
		pieces.forEach((it, i) => {
			const from = at;
			const size = livingSize(it);
			const wanted = want[i]!;
			at += size;
			if (it.sign || !isWithin(from, size, hull)) return keep(it, wanted);
			if (size > 0 && from < hull.from) keep({ ...it, size: hull.from - from }, wanted);
			const row = it.dead ?? tokensBetween(doc, Math.max(from, hull.from), Math.min(at, hull.to));
			for (const token of row) {
				const index = this.#pieces.length;
				this.#items.push({ token, index, living: !it.dead, want: wanted, raised: false });
				keep({ ...it, size: tokenSize(token), dead: it.dead && [token] }, wanted);
			}
			if (size > 0 && at > hull.to) keep({ ...it, size: at - hull.to }, wanted);
		});
	}

	/** A living token. */
	#pass(item: Item): void {
		const { token } = item;
		if (token.kind === 'open')
			this.#stack.push({ open: item, inline: token.type.inlineContent, content: false, behind: [] });
		else if (token.kind === 'close' && this.#stack.length > 1) this.#closeBlock(this.#stack.pop()!, item);
		else if (item.want) this.#top.content = true;
	}

	#closeBlock(level: Level, close: Item): void {
		const open = level.open!;
		if (level.behind.length > 0) {
			this.#moves.set(close.index, level.behind);
			this.#work.report.placedBehind += level.behind.length;
			this.#top.content = true;
		}
		if (!this.#wordsOnly && !level.content && !(open.want && close.want)) {
			this.#hide(open);
			this.#hide(close);
		} else {
			this.#want[open.index] = this.#want[close.index] = true;
			this.#top.content = true;
		}
	}

	/** A tag of somebody else goes with the block; the next turn looks for a place for it again. */
	#hide({ index }: Item): void {
		const it = this.#pieces[index]!;
		if (this.#want[index]) this.#pieces[index] = { ...it, dels: [...it.dels, HIDDEN] };
		this.#want[index] = false;
	}

	/** Dead tokens between two living ones. */
	#fill(gap: readonly Item[]): void {
		const row = gap.filter(({ want }) => want);
		if (row.length === 0) return;
		if (this.#wordsOnly) {
			for (const { token, index } of row)
				if (!isInlineToken(token) || !this.#top.inline) this.#want[index] = false;
		} else if (this.#standsAsItIs(row)) {
			if (row.some(({ token }) => token.kind !== 'close')) this.#top.content = true;
		} else this.#fillInParts(gap, row);
	}

	/** Would the row be right here: balanced, or the split of the block it lies in. */
	#standsAsItIs(row: readonly Item[]): boolean {
		const levels = this.#stack.map(({ inline }) => inline);
		const depth = levels.length;
		let lowest = depth;
		for (const { token } of row) {
			const inline = levels.at(-1)!;
			if (isInlineToken(token)) {
				if (!inline) return false;
			} else if (token.kind === 'close') {
				if (levels.length < 2) return false;
				levels.pop();
				lowest = Math.min(lowest, levels.length);
			} else {
				if (inline) return false;
				if (token.kind === 'open') levels.push(token.type.inlineContent);
			}
		}
		return levels.length === depth && lowest >= depth - 1 && levels.at(-1) === this.#top.inline;
	}

	#fillInParts(gap: readonly Item[], row: readonly Item[]): void {
		const paired = pairs(row);
		let depth = 0;
		let first = 0;
		for (const item of row) {
			const { token } = item;
			if (depth === 0 && isInlineToken(token)) this.#fillWord(gap, item);
			else if (isTag(token) && !paired.has(item)) {
				if (!item.raised) this.#want[item.index] = false;
			} else {
				if (depth === 0) first = item.index;
				if (token.kind === 'open') depth++;
				else if (token.kind === 'close') depth--;
				if (depth > 0) continue;
				if (!this.#top.inline) this.#top.content = true;
				// With what lies dead among it: else it would not find its order again on the way home.
				else this.#top.behind.push(Array.from({ length: item.index - first + 1 }, (_, i) => first + i));
			}
		}
	}

	/** Words outside any block that comes back with them. */
	#fillWord(gap: readonly Item[], item: Item): void {
		if (this.#top.inline) {
			this.#top.content = true;
			return;
		}
		const at = gap.indexOf(item);
		const open = gap.slice(0, at).findLast(({ token }) => isTag(token));
		const close = gap.slice(at + 1).find(({ token }) => isTag(token));
		const opens = open?.token.kind === 'open' && open.token.type.inlineContent;
		if (!opens || close?.token.kind !== 'close') {
			this.#want[item.index] = false;
			return;
		}
		for (const tag of [open, close]) {
			tag.raised = tag.want = true;
			this.#want[tag.index] = true;
		}
		this.#top.content = true;
		this.#work.report.reborn++;
	}

	/** Puts the pieces in their new order; a sign stays where a block belongs that stands behind another one. */
	#settle(): boolean[] {
		const away = new Set<number>();
		const signs = new Map<number, string>();
		for (const part of [...this.#moves.values()].flat()) {
			const id = this.#work.sign();
			signs.set(part[0]!, id);
			for (const index of part) {
				away.add(index);
				this.#pieces[index] = { ...this.#pieces[index]!, away: id };
			}
		}
		const pieces: Piece[] = [];
		const want: boolean[] = [];
		const put = (it: Piece, wanted: boolean): void => {
			pieces.push(it);
			want.push(wanted);
		};
		this.#pieces.forEach((it, index) => {
			const id = signs.get(index);
			if (id !== undefined) put(signPiece('away', id), false);
			if (!away.has(index)) put(it, this.#want[index]!);
			for (const i of this.#moves.get(index)?.flat() ?? []) put(this.#pieces[i]!, this.#want[i]!);
		});
		this.#work.pieces = pieces;
		return want;
	}
}

/** The tags of a row whose other half is in it. */
function pairs(row: readonly Item[]): Set<Item> {
	const out = new Set<Item>();
	const open: Item[] = [];
	for (const item of row) {
		if (item.token.kind === 'open') open.push(item);
		else if (item.token.kind === 'close' && open.length > 0) out.add(open.pop()!).add(item);
	}
	return out;
}
