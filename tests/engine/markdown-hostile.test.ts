import type { Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { addressOf, isAllowed } from '../../src/lib/canon/surfaces/markdown/address.js';
import { MarkdownReader, tokensOf } from '../../src/lib/canon/surfaces/markdown/reader.js';

type Nested = Token & { tokens?: Nested[]; items?: Nested[] };
const within = (token: Nested) => token.tokens ?? token.items ?? [];
const all = (tokens: readonly Token[]): Nested[] =>
	(tokens as Nested[]).flatMap((token) => [token, ...all(within(token))]);
const deepest = (tokens: readonly Token[]): number =>
	tokens.reduce((most, token) => Math.max(most, 1 + deepest(within(token as Nested))), 0);
const types = (text: string) => new Set(all(tokensOf(text)).map(({ type }) => type));
const textOf = (tokens: readonly Token[]) =>
	all(tokens)
		.filter((token) => within(token).length === 0 && 'text' in token)
		.map((token) => (token as Nested & { text: string }).text)
		.join('');

describe('Markdown that is written to cost time', () => {
	it.each(['_a_b', 'a**b_', 'a~~b~', '*a_'])('is text, from where %s cost more than prose does', (bit) => {
		const text = bit.repeat(5_000);
		// Were all of it tried, every bit would be looked at against all that follow.
		const tokens = tokensOf(text);
		expect(tokens.map(({ raw }) => raw).join('')).toBe(text);
		expect(all(tokens).length).toBeLessThan(2_000);
	});

	it('leaves no mark on the block after it, nor on prose', () => {
		const after = 'And **this** is *read*, with ~~nothing~~ left out.';
		expect(all(tokensOf(`${'a**b_'.repeat(5_000)}\n\n${after}`)).map(({ type }) => type)).toEqual(
			expect.arrayContaining(['strong', 'em', 'del'])
		);
		const prose = `${after} `.repeat(200);
		expect(all(tokensOf(prose)).filter(({ type }) => type === 'strong')).toHaveLength(200);
	});

	it('is the same in pieces as in one', () => {
		const text = `${'_a_b'.repeat(600)}\n\n**b** ${'*a_ '.repeat(500)}\n\n${'> - '.repeat(30)}c\n\nend\n`;
		const reader = new MarkdownReader();
		for (let at = 0; at < text.length; at += 97) reader.read(text.slice(0, at));
		expect(reader.read(text).flatMap(({ tokens }) => tokens)).toEqual([...tokensOf(text)]);
	});

	it('is read as blocks to a depth nobody writes, and as text below it', () => {
		for (const bit of ['> ', '- > ', '>']) {
			const text = `${bit.repeat(1_000)}deep`;
			expect(deepest(tokensOf(text))).toBeLessThan(40);
			expect(textOf(tokensOf(text))).toContain('deep');
		}
		expect(types('> > > a\n')).toContain('blockquote');
		expect(deepest(tokensOf(`${'> '.repeat(12)}a`))).toBe(14);
	});
});

describe('an address that hides where it leads', () => {
	const links = ['https://docs.example.com/help', 'mailto:help@example.com', 'mailto:'];

	it.each([
		'mailto:help@example.com?cc=evil@evil.example',
		'mailto:help@example.com?BCC=evil@evil.example&body=x',
		'mailto:help@example.com?subject=a&to=evil@evil.example',
		'mailto:help@example.com?subject=a%0d%0aBcc:%20evil@evil.example',
		'mailto:help@example.com?attach=secret.txt',
		'mailto:?to=evil@evil.example',
		'mailto:%E2%80%AEmoc.elpmaxe@pleh',
		'mailto:help@example.com%0d%0abcc:evil@evil.example',
		'mailto:help%20@example.com',
		'mailto:help%E2%80%8B@example.com'
	])('is none: %s', (address) => {
		expect(addressOf(address)).toBeUndefined();
		expect(isAllowed(address, links)).toBe(false);
	});

	it('is one with a subject and a text', () => {
		const address = 'mailto:help@example.com?subject=A%20question&body=Dear%20all,%0D%0Athanks';
		expect(addressOf(address)?.host).toBe('help@example.com');
		expect(isAllowed(address, links)).toBe(true);
	});

	it.each([
		'https://docs.example.com/help/%c0%ae%c0%ae/admin',
		'https://docs.example.com/help/%u002e%u002e/admin',
		'https://docs.example.com/help/．．/admin',
		'https://docs.example.com/help/‥/admin',
		'https://docs.example.com/help/%09../admin',
		'https://docs.example.com/help/a%0d%0ab',
		'https://docs.example.com/help//evil.example',
		'https://docs.example.com/help/https://evil.example'
	])('is not allowed below a path: %s', (address) => {
		expect(isAllowed(address, links)).toBe(false);
	});

	it.each([
		'https://docs.example.com/help/',
		'https://docs.example.com/help/a/b/',
		'https://docs.example.com/help/caf%C3%A9',
		'https://docs.example.com/help/v1.2..3',
		'https://docs.example.com/help/100%20a'
	])('is allowed below a path where it hides nothing: %s', (address) => {
		expect(isAllowed(address, links)).toBe(true);
	});
});
