// The table of docs/laws.md: which laws there are, and what each names as its guard.

/** @typedef {{ id: string, law: string, guard: string, line: number }} Law */

/**
 * How many laws each part has. A row outside these ranges or missing from them is an error.
 * @type {Readonly<Record<string, number>>}
 */
export const RANGES = { S0: 55, S1: 34, S2: 129, S3: 40, S4: 51, X: 11 };

/** What the guard column says of a law that is not claimed yet. */
export const PROMISED = 'promised';

/** @param {string} part @param {number} n */
export const idOf = (part, n) => `${part}-${String(n).padStart(2, '0')}`;

/** @param {Readonly<Record<string, number>>} [ranges] */
export const allIds = (ranges = RANGES) =>
	Object.entries(ranges).flatMap(([part, count]) =>
		Array.from({ length: count }, (_, index) => idOf(part, index + 1))
	);

/** @param {Law} law */
export const isPromised = (law) => law.guard === PROMISED || law.guard.startsWith(`${PROMISED} (`);

/**
 * Reads every table row of the document. Rows it cannot read are problems, never skipped.
 * @param {string} text
 * @param {Readonly<Record<string, number>>} [ranges]
 * @returns {{ laws: Law[], problems: string[] }}
 */
export function parseLaws(text, ranges = RANGES) {
	/** @type {Law[]} */
	const laws = [];
	/** @type {string[]} */
	const problems = [];
	const seen = new Set();
	const expected = new Set(allIds(ranges));
	for (const [index, row] of text.split(/\r?\n/).entries()) {
		if (!row.startsWith('|') || /^\|[\s:|-]*$/.test(row)) continue;
		const cells = row
			.replace(/^\||\|\s*$/g, '')
			.split('|')
			.map((cell) => cell.trim());
		if (cells[0] === 'id') continue;
		const [id = '', law = '', guard = ''] = cells;
		const line = index + 1;
		if (cells.length !== 3) problems.push(`line ${line}: a row needs three cells (id, law, guard)`);
		else if (!expected.has(id)) problems.push(`${id || `line ${line}`}: no such law in the ranges`);
		else if (seen.has(id)) problems.push(`${id}: listed twice`);
		else if (!law) problems.push(`${id}: says nothing`);
		else if (!guard) problems.push(`${id}: names neither a guard nor "${PROMISED}"`);
		seen.add(id);
		laws.push({ id, law, guard: guard.replace(/^`|`$/g, ''), line });
	}
	for (const id of expected) if (!seen.has(id)) problems.push(`${id}: missing from the table`);
	return { laws, problems };
}
