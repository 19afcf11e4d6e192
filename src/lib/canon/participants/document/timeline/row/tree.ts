import { isDeleted, livingSize, tidy, type Piece } from './piece.js';

/** Children of a node at most; a node is cut into equal parts when it has more. */
const FAN_OUT = 32;
/** Below this a node is joined with its neighbour. */
const SPARSE = FAN_OUT / 4;

/** What a scan may be after. A subtree that holds none of it is passed over. */
const RARE = { deleted: 1, sign: 2, away: 4 } as const;

interface Sums {
	/** Positions that stand in the document. */
	readonly size: number;
	/** Pieces. */
	readonly count: number;
	/** Bits of RARE. */
	readonly rare: number;
}
interface Leaf extends Sums {
	readonly leaf: true;
	readonly items: readonly Piece[];
}
interface Branch extends Sums {
	readonly leaf: false;
	readonly items: readonly Row[];
}
type Row = Leaf | Branch;

const rareOf = (it: Piece): number =>
	(isDeleted(it) ? RARE.deleted : 0) | (it.sign ? RARE.sign : 0) | (it.away ? RARE.away : 0);

function leafOf(items: readonly Piece[]): Leaf {
	let size = 0;
	let rare = 0;
	for (const it of items) {
		size += livingSize(it);
		rare |= rareOf(it);
	}
	return { leaf: true, items, size, count: items.length, rare };
}

function branchOf(items: readonly Row[]): Branch {
	let size = 0;
	let count = 0;
	let rare = 0;
	for (const it of items) {
		size += it.size;
		count += it.count;
		rare |= it.rare;
	}
	return { leaf: false, items, size, count, rare };
}

/** Cut into parts of at most FAN_OUT, as equal as can be. */
function parts<T>(items: readonly T[]): (readonly T[])[] {
	if (items.length <= FAN_OUT) return items.length > 0 ? [items] : [];
	const number = Math.ceil(items.length / FAN_OUT);
	return Array.from({ length: number }, (_, i) =>
		items.slice(Math.floor((i * items.length) / number), Math.floor(((i + 1) * items.length) / number))
	);
}

/** Rows of one level under one root. */
function rootOf(rows: readonly Row[]): Row {
	let level = rows;
	while (level.length > 1) level = parts(level).map(branchOf);
	return level[0] ?? leafOf([]);
}

/** Joins rows that have become too small with a neighbour of the same level. */
function mend(rows: Row[]): Row[] {
	const out: Row[] = [];
	for (const row of rows) {
		const last = out.at(-1);
		if (
			last &&
			Math.min(last.items.length, row.items.length) < SPARSE &&
			last.items.length + row.items.length <= FAN_OUT
		)
			out[out.length - 1] =
				last.leaf && row.leaf
					? leafOf([...last.items, ...row.items])
					: branchOf([...(last as Branch).items, ...(row as Branch).items]);
		else out.push(row);
	}
	return out;
}

/** `[from, to)` of the row becomes `fresh`; gives rows of the same level. Only the path to the place is copied. */
function spliced(row: Row, from: number, to: number, fresh: readonly Piece[]): Row[] {
	if (row.leaf) {
		const items = [...row.items.slice(0, from), ...fresh, ...row.items.slice(to)];
		return parts(items).map(leafOf);
	}
	const children = row.items;
	let lo = 0;
	let before = 0;
	while (lo < children.length - 1 && from > before + children[lo]!.count) before += children[lo++]!.count;
	let hi = lo;
	let start = before;
	while (hi < children.length - 1 && to > start + children[hi]!.count) start += children[hi++]!.count;
	const middle =
		lo === hi
			? spliced(children[lo]!, from - before, to - before, fresh)
			: [
					...spliced(children[lo]!, from - before, children[lo]!.count, fresh),
					...spliced(children[hi]!, 0, to - start, [])
				];
	return parts(mend([...children.slice(0, lo), ...middle, ...children.slice(hi + 1)])).map(branchOf);
}

/**
 * The pieces in order, as an immutable tree of running totals: where a position lies is found, and a few pieces are
 * replaced, in logarithmic time, and an older state keeps its own tree at the cost of one path.
 * @since 0.1.0
 */
export class PieceTree {
	readonly #root: Row;

	private constructor(root: Row) {
		this.#root = root;
	}

	/** A tree of these pieces as they are. */
	static of(pieces: readonly Piece[]): PieceTree {
		return new PieceTree(rootOf(parts(pieces).map(leafOf)));
	}

	/** How many pieces. */
	get count(): number {
		return this.#root.count;
	}

	/** Positions that stand in the document. */
	get size(): number {
		return this.#root.size;
	}

	/** The piece at an index; undefined beyond the ends. */
	at(index: number): Piece | undefined {
		if (index < 0 || index >= this.count) return undefined;
		let row = this.#root;
		let rest = index;
		while (!row.leaf) {
			let child = 0;
			while (rest >= row.items[child]!.count) rest -= row.items[child++]!.count;
			row = row.items[child]!;
		}
		return row.items[rest];
	}

	/** The living piece that covers the token at `pos`: its index and where it begins. Null behind the last one. */
	find(pos: number): { index: number; start: number } | null {
		if (pos < 0 || pos >= this.size) return null;
		let row = this.#root;
		let start = 0;
		let index = 0;
		while (!row.leaf) {
			let child = 0;
			while (start + row.items[child]!.size <= pos) {
				start += row.items[child]!.size;
				index += row.items[child++]!.count;
			}
			row = row.items[child]!;
		}
		let item = 0;
		while (start + livingSize(row.items[item]!) <= pos) start += livingSize(row.items[item++]!);
		return { index: index + item, start };
	}

	/** Where in the document the piece at `index` begins: what stands before it. */
	startOf(index: number): number {
		let row = this.#root;
		let rest = Math.min(index, this.count);
		let start = 0;
		while (!row.leaf) {
			let child = 0;
			while (child < row.items.length - 1 && rest >= row.items[child]!.count) {
				start += row.items[child]!.size;
				rest -= row.items[child++]!.count;
			}
			row = row.items[child]!;
		}
		for (let item = 0; item < rest; item++) start += livingSize(row.items[item]!);
		return start;
	}

	/** The pieces of `[from, to)`. */
	slice(from: number, to: number): Piece[] {
		const out: Piece[] = [];
		const walk = (row: Row, at: number): void => {
			if (row.leaf) out.push(...row.items.slice(Math.max(0, from - at), Math.max(0, to - at)));
			else
				for (const child of row.items) {
					if (at < to && at + child.count > from) walk(child, at);
					at += child.count;
				}
		};
		walk(this.#root, 0);
		return out;
	}

	/** `[from, to)` becomes `fresh`. Where one history meets another of the same kind, they become one piece. */
	splice(from: number, to: number, fresh: readonly Piece[]): PieceTree {
		const before = this.at(from - 1);
		const after = this.at(to);
		const joined = tidy([...(before ? [before] : []), ...fresh, ...(after ? [after] : [])]);
		return this.put(before ? from - 1 : from, after ? to + 1 : to, joined);
	}

	/** `[from, to)` becomes `fresh`, as it is. */
	put(from: number, to: number, fresh: readonly Piece[]): PieceTree {
		if (from === to && fresh.length === 0) return this;
		return new PieceTree(rootOf(spliced(this.#root, from, to, fresh)));
	}

	/**
	 * Makes `pos` a border between two pieces and gives the index of the first one behind it. Dead pieces that lie there
	 * come before it (`behindDead`) or after it.
	 */
	border(pos: number, behindDead: boolean): { tree: PieceTree; index: number } {
		if (behindDead) {
			const hit = this.find(pos);
			if (!hit) return { tree: this, index: this.count };
			return hit.start === pos ? { tree: this, index: hit.index } : this.#cut(hit.index, pos - hit.start);
		}
		if (pos <= 0) return { tree: this, index: 0 };
		const hit = this.find(pos - 1);
		if (!hit) return { tree: this, index: this.count };
		const size = this.at(hit.index)!.size;
		return hit.start + size === pos
			? { tree: this, index: hit.index + 1 }
			: this.#cut(hit.index, pos - hit.start);
	}

	#cut(index: number, offset: number): { tree: PieceTree; index: number } {
		const whole = this.at(index)!;
		const halves = [
			{ ...whole, size: offset },
			{ ...whole, size: whole.size - offset }
		];
		return { tree: this.put(index, index + 1, halves), index: index + 1 };
	}

	/** The pieces in order. */
	toArray(): Piece[] {
		return this.slice(0, this.count);
	}

	/** Dead pieces that the person deleted, with their indexes. */
	deleted(): { index: number; piece: Piece }[] {
		return this.#scan(RARE.deleted);
	}

	/** Signs, with their indexes. */
	signs(): { index: number; piece: Piece }[] {
		return this.#scan(RARE.sign);
	}

	#scan(bit: number): { index: number; piece: Piece }[] {
		const out: { index: number; piece: Piece }[] = [];
		const walk = (row: Row, at: number): void => {
			if (!(row.rare & bit)) return;
			if (row.leaf)
				row.items.forEach((it, i) => {
					if (rareOf(it) & bit) out.push({ index: at + i, piece: it });
				});
			else
				for (const child of row.items) {
					walk(child, at);
					at += child.count;
				}
		};
		walk(this.#root, 0);
		return out;
	}
}
