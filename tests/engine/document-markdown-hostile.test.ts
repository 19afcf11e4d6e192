import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMarkdown, toMarkdown } from '../../src/lib/canon/participants/document/markdown/index.js';
import {
	blocksOf as reader,
	parseCounted
} from '../../src/lib/canon/participants/document/markdown/parse.js';
import { basic, prosekit, starter } from './document-markdown-schemas.js';

const steps = (text: string): number => parseCounted(text, starter, {}, reader({})).steps;

const ROWS: Readonly<Record<string, string>> = {
	stars: '*',
	'stars and letters': '*a',
	'open bold': '**a ',
	'closing bold': 'a** ',
	'every run of stars': '*a**b***c****d',
	underscores: '_a ',
	tildes: '~~a ',
	brackets: '[',
	'brackets that close': '[a]',
	'links that never close': '[a](',
	'links with open round brackets': '[a](b(',
	'links with open quotes': '[a](b "',
	'links with angles': '[a](<',
	'links with escapes': '[a](b "\\"',
	'images in images': '![',
	'images that close': '![a](b',
	backticks: '`',
	'runs of backticks': '`a``b```c````d',
	entities: '&#1',
	comments: '<!-- agent:',
	'comments that close': '<!-- agent:a -->',
	placeholders: '[table ',
	escapes: '\\',
	newlines: 'a\n',
	'spaces before a newline': '     a',
	'blank lines': '\n',
	quotes: '> a\n',
	items: '- a\n',
	'items far apart': '- a\n\n\n\n',
	'numbered items': '1. a\n',
	'nested items': '- a\n  - b\n    - c\n',
	fences: '```\n',
	'rows of a table': '| a | b\n|---|---\n',
	bars: '|',
	dashes: '- ',
	hashes: '# #\n'
};

describe('S2-66 reading is linear whatever is written', () => {
	it.each(Object.entries(ROWS))('S2-66 %s', (_name, unit) => {
		const size = Math.ceil(4_000 / unit.length);
		const [once, twice, four] = [1, 2, 4].map((times) => steps(unit.repeat(size * times)));
		// A character is looked at a bounded number of times, and twice the text takes twice the work.
		expect(once).toBeLessThan(80 * 4_000);
		expect(twice).toBeLessThanOrEqual(2.2 * once! + 200);
		expect(four).toBeLessThanOrEqual(2.2 * twice! + 200);
	});

	it('S2-66 openers first and closers behind', () => {
		const nested = (size: number): number => steps(`${'['.repeat(size)}a${'](b)'.repeat(size)}`);
		const images = (size: number): number => steps(`${'!['.repeat(size)}a${'](b)'.repeat(size)}`);
		const stars = (size: number): number => steps(`${'*a '.repeat(size)}${' a*'.repeat(size)}`);
		for (const count of [nested, images, stars]) {
			expect(count(4_000)).toBeLessThanOrEqual(2.2 * count(2_000) + 200);
		}
	});

	it(
		'S2-66 any characters give a document or a refusal, and what was read reads back',
		{ timeout: 120_000 },
		() => {
			const noise = fc
				.array(
					fc.constantFrom(
						...Object.values(ROWS),
						'word',
						' ',
						'  ',
						'\t',
						'\n\n',
						'](/a)',
						'👩‍👩‍👧',
						'é',
						'\ud800'
					),
					{ maxLength: 40 }
				)
				.map((parts) => parts.join(''));
			let read = 0;
			for (const schema of [basic, starter, prosekit]) {
				fc.assert(
					fc.property(noise, (text) => {
						const result = parseMarkdown(text, schema);
						if (!result.ok) {
							expect(result.text).toMatch(/^Line \d+: ./);
							return;
						}
						read++;
						for (const node of result.nodes) node.check();
						const again = parseMarkdown(toMarkdown(result.nodes), schema);
						expect(again.ok && again.nodes.map(String)).toEqual(result.nodes.map(String));
					}),
					{ numRuns: 400 }
				);
			}
			expect(read).toBeGreaterThan(100);
		}
	);
});
