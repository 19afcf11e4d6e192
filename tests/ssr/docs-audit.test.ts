import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync('docs/accessibility.md', 'utf8');
const rows = [...page.matchAll(/^\| (\d+) +\|.*\| ([^|]+?) +\|$/gm)].map(([, check, shown = '']) => ({
	check: Number(check),
	files: [...shown.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? ''),
	byHand: shown.includes('(#'),
	open: shown.includes('no test yet')
}));

/** Numbers of the checks that titles of tests in a source cite: "audit 13, 14 …". */
const cited = (source: string): number[] =>
	[...source.matchAll(/['"`]audit ((?:\d+(?:, | ))+)/g)].flatMap(([, list = '']) =>
		list.match(/\d+/g)!.map(Number)
	);

describe('the checks of the audit, as the docs list them', () => {
	it('are all there, once and in order', () => {
		expect(rows.map(({ check }) => check)).toEqual(Array.from({ length: 34 }, (_, at) => at + 1));
	});

	it.each(rows)(
		'audit $check is shown by $files, or says how it is done by hand, or that nobody does it yet',
		(row) => {
			expect(row.files.length > 0 || row.byHand || row.open).toBe(true);
			for (const file of row.files) {
				expect(existsSync(file), `${file} is not in the repository`).toBe(true);
				expect(cited(readFileSync(file, 'utf8')), file).toContain(row.check);
			}
		}
	);

	it('are found by the titles of tests, several in one title too', () => {
		expect(cited(`test('audit 13, 14, 22 a review', …); it("audit 7 says", …)`)).toEqual([13, 14, 22, 7]);
		expect(cited(`it('says audit 3', …)`)).toEqual([]);
	});
});
