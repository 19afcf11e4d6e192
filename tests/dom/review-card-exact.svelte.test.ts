import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { beforeAll, describe, expect, it } from 'vitest';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { ReviewCard } from '../../src/lib/canon/surfaces/review-card/index.js';
import { recipientsOf } from '../../src/lib/canon/surfaces/review-card/facts.js';
import { headOf, stretches } from '../../src/lib/canon/surfaces/review-card/signs.js';
import { hostile } from '../fixtures/runs.js';
import { Stub } from '../fixtures/stub-agent.svelte.js';

beforeAll(() => late.load(), 30_000);

const signs = (text: string) => stretches(text).flatMap(({ text, sign }) => (sign ? [text] : []));

describe('S2-83 what nobody would see in a value is named', () => {
	it.each([
		['a\u202Eb', ['U+202E']],
		['\u2066a\u2069', ['U+2066', 'U+2069']],
		['pay\u200Bpal', ['U+200B']],
		['a\u200Db', ['U+200D']],
		['a\u0000b\u0007', ['U+0000', 'U+0007']],
		['\u{E0041}\u{E0042}', ['U+E0041', 'U+E0042']],
		[`e${'\u0301'.repeat(44)}`, ['U+0301 +39']]
	])('%j', (text, expected) => {
		expect(signs(text)).toEqual(expected);
		// What is left and what is named are the whole text.
		const seen = stretches(text).filter(({ sign }) => !sign);
		expect(text.replace(/\s/g, '')).toContain(seen[0]?.text ?? '');
	});

	it.each(['tab\tand\r\nlines', '👨‍👩‍👧 ❤️', 'می‌خواهم', 'Việt Nam', ''])('lets be what belongs: %j', (text) => {
		expect(stretches(text)).toEqual([{ text, sign: false }]);
	});

	it('never cuts a character in two', () => {
		expect(headOf('ab😀', 3)).toBe('ab');
		expect(headOf('ab😀', 4)).toBe('ab😀');
	});
});

describe('S2-83 values of strangers stand in the card to the letter', () => {
	it('markup is text, long values are folded with their size and whole on demand', () => {
		const agent = new Stub(hostile());
		const { container } = render(ReviewCard, { agent: agent.active });
		flushSync();
		expect(container.querySelector('img, [data-part="exact"] b')).toBeNull();
		const cells = [...container.querySelectorAll('[data-part="exact"] bdi')].map(
			(cell) => cell.textContent ?? ''
		);
		expect(cells).toContain('<img src=x onerror="document.title=1"><b>bold</b>');
		expect(cells).toContain('invoice_U+202Efdp.exe');
		expect(cells.some((text) => text.includes('\u202E'))).toBe(false);
		const buttons = screen.getAllByRole('button', { name: 'Show all 105,400 characters' });
		const cell = buttons[0]!.closest('bdi')!;
		expect(cell.textContent!.length).toBeLessThan(500);
		buttons[0]!.click();
		flushSync();
		expect(cell.textContent!.length).toBeGreaterThan(105_400);
		expect(buttons[0]!.getAttribute('aria-expanded')).toBe('true');
		expect(buttons[0]!.textContent).toBe('Show less');
	});

	it('of a text of 200 KB that changes in one word, the word is in sight', () => {
		const { container } = render(ReviewCard, { agent: new Stub(hostile()).active });
		flushSync();
		const diff = container.querySelector('[data-part="diff"]')!;
		expect(diff.textContent!.length).toBeLessThan(3000);
		expect(diff.querySelector('del')?.textContent).toContain('old');
		expect(diff.querySelector('ins')?.textContent).toContain('new');
	});
});

describe('S2-84 whom a step reaches is said', () => {
	it('mail addresses and hosts among its values, each once; other words are none', () => {
		expect(
			recipientsOf({
				to: ['a@b.example', 'c@d.example'],
				copy: { to: 'a@b.example' },
				hook: 'https://hooks.example/x?y=1',
				text: 'write to e@f.example soon',
				n: 1,
				none: null
			})
		).toEqual(['a@b.example', 'c@d.example', 'hooks.example']);
	});
});
