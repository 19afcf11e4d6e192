/** Beyond this many differences two rows are taken for different altogether. */
const MOST = 1_000;

/** Which places of two rows hold the same, in order: the longest such selection (Myers 1986, O(nd)). @internal */
export function common(one: readonly number[], other: readonly number[]): [number, number][] {
	let start = 0;
	while (start < one.length && start < other.length && one[start] === other[start]) start++;
	let oneEnd = one.length;
	let otherEnd = other.length;
	while (oneEnd > start && otherEnd > start && one[oneEnd - 1] === other[otherEnd - 1]) {
		oneEnd--;
		otherEnd--;
	}
	const pairs: [number, number][] = [];
	for (let at = 0; at < start; at++) pairs.push([at, at]);
	for (const [left, right] of middle(one.slice(start, oneEnd), other.slice(start, otherEnd))) {
		pairs.push([left + start, right + start]);
	}
	for (let at = 0; at < one.length - oneEnd; at++) pairs.push([oneEnd + at, otherEnd + at]);
	return pairs;
}

function middle(one: readonly number[], other: readonly number[]): [number, number][] {
	if (one.length === 0 || other.length === 0) return [];
	const most = Math.min(one.length + other.length, MOST);
	const reach = new Int32Array(2 * most + 3);
	const zero = most + 1;
	const trace: Int32Array[] = [];
	for (let edits = 0; edits <= most; edits++) {
		trace.push(reach.slice(zero - edits - 1, zero + edits + 2));
		for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
			const down =
				diagonal === -edits ||
				(diagonal !== edits && reach[zero + diagonal - 1]! < reach[zero + diagonal + 1]!);
			let x = down ? reach[zero + diagonal + 1]! : reach[zero + diagonal - 1]! + 1;
			let y = x - diagonal;
			while (x < one.length && y < other.length && one[x] === other[y]) {
				x++;
				y++;
			}
			reach[zero + diagonal] = x;
			if (x >= one.length && y >= other.length) return backwards(trace, one.length, other.length);
		}
	}
	return [];
}

/** Walks the trace back: where it went diagonally, both rows hold the same. */
function backwards(trace: readonly Int32Array[], width: number, height: number): [number, number][] {
	const pairs: [number, number][] = [];
	let x = width;
	let y = height;
	for (let edits = trace.length - 1; edits >= 0; edits--) {
		const reach = trace[edits]!;
		const zero = edits + 1;
		const diagonal = x - y;
		const down =
			diagonal === -edits ||
			(diagonal !== edits && reach[zero + diagonal - 1]! < reach[zero + diagonal + 1]!);
		const before = down ? diagonal + 1 : diagonal - 1;
		const fromX = edits === 0 ? 0 : reach[zero + before]!;
		const fromY = edits === 0 ? 0 : fromX - before;
		while (x > fromX && y > fromY) {
			x--;
			y--;
			pairs.push([x, y]);
		}
		x = fromX;
		y = fromY;
	}
	return pairs.reverse();
}
