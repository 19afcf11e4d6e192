import { render } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { nameOfChange } from '../../src/lib/canon/surfaces/review-card/naming.js';
import TextDiff from '../../src/lib/canon/surfaces/review-card/components/TextDiff.svelte';
import { textIn } from '../../src/lib/canon/surfaces/review-card/values.js';
import type { JSONValue } from '../../src/lib/agent/index.js';
import { en } from '../../src/lib/langs/index.js';

const block = (text: string) => ({ id: 'b1', type: 'paragraph', text });

describe('a text that changed under review', () => {
	it('is read from a block or from several, and from nothing else', () => {
		expect(textIn(block('Hello'))).toBe('Hello');
		expect(textIn({ blocks: [block('One'), block('Two')] })).toBe('One\n\nTwo');
		const others: JSONValue[] = [
			null,
			'text',
			3,
			['text'],
			{ value: 1 },
			{ blocks: [block('One'), { id: 'x' }] }
		];
		for (const other of others) expect(textIn(other), JSON.stringify(other)).toBeUndefined();
	});

	it('is named by what it stands in, never by the key of its block', () => {
		const naming = {
			label: () => 'Letter',
			sentence: () => null!,
			plain: () => '',
			sources: () => [],
			telling: () => []
		};
		const change = { instance: 'letter', read: 'block', key: 'p4ur71w6' };
		expect(
			nameOfChange({ ...change, before: block('a'), after: block('b') }, { steps: [], naming, lang: en })
		).toBe('Letter');
		expect(
			nameOfChange({ ...change, before: block('a'), after: null }, { steps: [], naming, lang: en })
		).toBe('Letter');
		expect(
			nameOfChange({ ...change, key: 'amount', before: 1, after: 2 }, { steps: [], naming, lang: en })
		).toBe('Amount');
	});

	it('shows the words that went and came, the person’s own as such, with words for who cannot see', () => {
		const { container } = render(TextDiff, {
			before: 'They stay until Friday.',
			after: 'They stay until Monday.',
			own: true,
			caption: 'What changed',
			lang: en
		});
		const diff = container.querySelector('[data-part="diff"]')!;
		expect(diff.getAttribute('data-by')).toBe('person');
		expect(diff.querySelector('del')?.textContent).toMatch(/Friday$/);
		expect(diff.querySelector('ins')?.textContent).toMatch(/Monday$/);
		expect(diff.textContent).toMatch(/^What changed: They stay until /);
	});
});
