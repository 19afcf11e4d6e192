/** A length and what holds for it. @internal */
export type Run<T> = readonly [length: number, value: T];

interface Chunk<T> {
	readonly size: number;
	readonly runs: readonly Run<T>[];
}

/** So many lie together: an edit copies one chunk and the list of chunks. */
const CHUNK = 64;

/**
 * What holds from where to where, over a whole length without gaps. Immutable; neighbours of one value are one run. An edit
 * costs by the number of chunks, not by the length.
 * @internal
 */
export class Runs<T> {
	readonly size: number;
	readonly #chunks: readonly Chunk<T>[];

	private constructor(chunks: readonly Chunk<T>[], size: number) {
		this.#chunks = chunks;
		this.size = size;
	}

	static of<T>(runs: readonly Run<T>[]): Runs<T> {
		const chunks = chunked(merged(runs));
		return new Runs(chunks, sum(chunks));
	}

	/** Everything there is, in order. */
	all(): readonly Run<T>[] {
		return merged(this.#chunks.flatMap(({ runs }) => runs));
	}

	/** What holds in a range. */
	slice(from: number, to: number): readonly Run<T>[] {
		const out: Run<T>[] = [];
		let at = 0;
		for (const { size, runs } of this.#chunks) {
			if (at >= to) break;
			if (at + size > from) {
				let start = at;
				for (const [length, value] of runs) {
					const inside = Math.min(to, start + length) - Math.max(from, start);
					if (inside > 0) out.push([inside, value]);
					start += length;
				}
			}
			at += size;
		}
		return merged(out);
	}

	/** Puts other runs in the place of a range. */
	replace(from: number, to: number, runs: readonly Run<T>[]): Runs<T> {
		if (from === to && runs.every(([length]) => length === 0)) return this;
		// The chunks that the range touches, and the ones beside it, so that runs can join over its borders.
		let [first, at] = [0, 0];
		while (first < this.#chunks.length - 1 && at + this.#chunks[first]!.size < from)
			at += this.#chunks[first++]!.size;
		let [last, end] = [first, at];
		while (last < this.#chunks.length && (end <= to || last === first)) end += this.#chunks[last++]!.size;
		const touched = new Runs(this.#chunks.slice(first, last), end - at);
		const middle = chunked(
			merged([...touched.slice(0, from - at), ...runs, ...touched.slice(to - at, end - at)])
		);
		const chunks = [...this.#chunks.slice(0, first), ...middle, ...this.#chunks.slice(last)];
		return new Runs(chunks, this.size - (to - from) + runs.reduce((all, [length]) => all + length, 0));
	}
}

const sum = (chunks: readonly { size: number }[]): number => chunks.reduce((all, { size }) => all + size, 0);

/** Neighbours of one value joined, empty runs left out. @internal */
export function merged<T>(runs: readonly Run<T>[]): Run<T>[] {
	const out: Run<T>[] = [];
	for (const [length, value] of runs) {
		const last = out.at(-1);
		if (length <= 0) continue;
		if (last && last[1] === value) out[out.length - 1] = [last[0] + length, value];
		else out.push([length, value]);
	}
	return out;
}

function chunked<T>(runs: readonly Run<T>[]): Chunk<T>[] {
	const out: Chunk<T>[] = [];
	for (let at = 0; at < runs.length; at += CHUNK) {
		const part = runs.slice(at, at + CHUNK);
		out.push({ size: part.reduce((all, [length]) => all + length, 0), runs: part });
	}
	return out;
}
