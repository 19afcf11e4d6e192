import { readFileSync } from 'node:fs';
import postcss from 'postcss';
import { describe, expect, test } from 'vitest';
import { agentHue } from '../../src/lib/uix/eidos/index.js';
import {
	HUES,
	PAIRS,
	SIGHTS,
	contrast,
	halves,
	leastContrast,
	readTokens,
	tokenIn
} from '../fixtures/tokens.js';

const theming = readFileSync('docs/theming.md', 'utf8');
/** Rows of all tables, by their first cell. */
const rows = new Map(
	theming
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.map((line) =>
			line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim())
		)
		.map(([first, ...cells]) => [first!.replaceAll('`', ''), cells.map((cell) => cell.replaceAll('`', ''))])
);

describe('measured contrast of the look', () => {
	test('is told as WCAG tells it', () => {
		expect(contrast('#000', '#ffffff')).toBeCloseTo(21, 5);
		expect(contrast('#777777', '#fff')).toBeCloseTo(4.48, 2);
		expect(contrast('oklch(1 0 0)', '#fff')).toBeCloseTo(1, 3);
		// The red of sRGB, written the other way.
		expect(contrast('oklch(0.62796 0.25768 29.234)', '#ff0000')).toBeCloseTo(1, 2);
	});

	test.each(PAIRS)(
		'%s on %s is at least %d in both themes and under more contrast, for every hue',
		(one, other, needs) => {
			for (const sight of SIGHTS)
				expect(leastContrast(sight, one, other), sight).toBeGreaterThanOrEqual(needs);
		}
	);

	test('would be refused for a decoration that carried words', () => {
		expect(leastContrast('light', '--ax-hair', '--ax-sheet')).toBeLessThan(3);
		expect(leastContrast('light', '--ax-agent-soft', '--ax-sheet')).toBeLessThan(4.5);
	});

	test('holds for every hue that an agent gets by its id', () => {
		for (const id of ['ada', 'bruno', 'x', '', '日本', 'a'.repeat(999)]) expect(HUES).toContain(agentHue(id));
	});

	test.each(PAIRS)('is told in the docs as it is: %s on %s', (one, other) => {
		const measured = SIGHTS.map((sight) =>
			(Math.floor(leastContrast(sight, one, other) * 10) / 10).toFixed(1)
		);
		expect(rows.get(`${one.slice(5)} on ${other.slice(5)}`)?.slice(0, 4)).toEqual(measured);
	});
});

describe('the docs of the look', () => {
	const { plain, more } = readTokens();

	test('name every variable, with its values in both themes and under more contrast', () => {
		for (const [name, value] of plain) {
			const cells = rows.get(name);
			expect(cells, `${name} in docs/theming.md`).toBeDefined();
			const stronger = more.get(name);
			const expected =
				cells!.length === 5
					? [...halves(value), ...(stronger === undefined ? ['as it is', 'as it is'] : halves(stronger))]
					: stronger === undefined
						? [value]
						: [value, stronger];
			expect(cells!.slice(0, expected.length), name).toEqual(expected);
		}
	});

	test('show a theme that is as legible as the look', () => {
		const own = new Map(plain);
		const css = /## A theme of your own\n\n```css\n([\s\S]*?)```/.exec(theming)![1]!;
		postcss.parse(css).walkDecls(/^--ax-/, ({ prop, value }) => {
			expect(own.has(prop), prop).toBe(true);
			own.set(prop, value);
		});
		expect(own.get('--ax-paper')).not.toBe(plain.get('--ax-paper'));
		for (const [one, other, needs] of PAIRS)
			for (const sight of ['light', 'dark'] as const)
				expect(
					leastContrast(sight, one, other, { plain: own, more }),
					`${one} on ${other}, ${sight}`
				).toBeGreaterThanOrEqual(needs);
	});

	test('name none that there is not', () => {
		const named = new Set(theming.match(/--ax-[\w-]*\w/g));
		const there = new Set([...plain.keys(), '--ax-look']);
		expect([...named].filter((name) => !there.has(name))).toEqual([]);
		expect(() => tokenIn('light')('--ax-no-such')).toThrow('No such token');
	});
});
