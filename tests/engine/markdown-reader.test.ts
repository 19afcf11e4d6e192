import fc from 'fast-check';
import { lexer as plainLexer } from 'marked';
import { describe, expect, it } from 'vitest';
import { MarkdownReader, tokensOf, type Stretch } from '../../src/lib/canon/surfaces/markdown/reader.js';

const flat = (stretches: readonly Stretch[]) => stretches.flatMap(({ tokens }) => tokens);

/** Reads a text in pieces of the given lengths, over and over until it is at its end. */
function streamed(text: string, lengths: readonly number[]) {
	const reader = new MarkdownReader();
	let read: readonly Stretch[] = [];
	for (let at = 0, turn = 0; at < text.length; turn += 1) {
		at = Math.min(text.length, at + lengths[turn % lengths.length]!);
		read = reader.read(text.slice(0, at));
	}
	return { read, reader };
}

/** Everything a block can begin, end or change its mind with. */
const BITS = [
	...[
		'a',
		'b ',
		'\n',
		'\n\n',
		'\n\n\n',
		'\n\na\n',
		'- ',
		'1. ',
		'2) ',
		'* ',
		'+ ',
		'> ',
		'>',
		'\n>',
		'\t',
		'    '
	],
	...[
		'```',
		'~~~',
		'```js\n',
		'# ',
		'===',
		'---',
		'\n===\n',
		'|',
		'| a | b |\n|---|---|\n',
		'| c | d |\n',
		'[ ] '
	],
	...[
		'[a]',
		'[A]',
		'[a]: http://x\n',
		'\n\n[a]: http://x',
		'[b]: ',
		'[A\n> b]: /u',
		'[a b]',
		'"',
		'(',
		')',
		'['
	],
	...[
		'](',
		'](http://u)',
		'![x][a]',
		'<div>',
		'</div>\n',
		'<!--',
		'-->',
		'<pre>',
		'</pre>',
		'<?',
		'?>',
		'<!X'
	],
	...[
		'<![CDATA[',
		']]>',
		'<a href="x">',
		'*',
		'**',
		'_',
		'~',
		'`',
		'\\',
		'&amp;',
		'\u00a0',
		'\f',
		'\r',
		'\r\n'
	],
	...['www.a.de', 'http://a.de/x', '\n  ', '   ', '__proto__', '[__proto__]: /p\n', '[__proto__]', '𝒳']
];
const written = fc
	.array(fc.constantFrom(...BITS), { minLength: 1, maxLength: 40 })
	.map((bits) => bits.join(''));
const pieces = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 });

/** A text with everything in it, as an answer may have. */
const ANSWER = [
	'Intro with [a link][later], **bold** and `code`.\r\n\r\nA title\n=======\n\n',
	'- one\n- two\n\n  still two\n  - [ ] open\n  - [x] shut\n\n1. first\n2. second\n\n',
	'> quoted\n> > twice\nlazy\n> - in it\n\n```js\nconst a = 1;\n\nconst b = 2;\n```\n\n',
	'| a | b |\n| --- | ---: |\n| [x][later] | 2 |\n\n<div>\n<b>raw</b>\n</div>\n\n<!-- a\n\nb -->\n\n',
	'    indented\n\n    code\n\nEnd ![pic][later].\n\n[later]: https://example.com/a "A\ntitle"\n\nlast *word*'
].join('');

describe('Markdown that is still arriving', () => {
	it('ends in the tokens of the whole text, whatever the pieces', () => {
		fc.assert(
			fc.property(written, pieces, (text, lengths) => {
				expect(flat(streamed(text, lengths).read)).toEqual([...tokensOf(text)]);
			}),
			{ numRuns: 1000 }
		);
	}, 60_000);

	it('shows each beginning of a text as that beginning alone would be read', () => {
		const reader = new MarkdownReader();
		for (let at = 1; at <= ANSWER.length; at += 1) {
			const beginning = ANSWER.slice(0, at);
			expect(flat(reader.read(beginning))).toEqual([...tokensOf(beginning)]);
		}
	});

	it('reads as marked does, but for definitions that would reach over an empty line and tags that are text', () => {
		fc.assert(
			fc.property(written, (text) => {
				const plain = [...plainLexer(text)];
				const reaches = /<(?:a|pre)\b|\[[^\]]*\n[ \t]*\n|["(][^")]*\n[ \t]*\n/.test(
					text.replace(/\r\n?/g, '\n')
				);
				expect(reaches || JSON.stringify(plain) === JSON.stringify(tokensOf(text))).toBe(true);
			}),
			{ numRuns: 500 }
		);
		expect(tokensOf('[a]: /u "one\n\ntwo"\n').map(({ type }) => type)).not.toContain('def');
		expect(tokensOf('[a]: /u "one"\n').map(({ type }) => type)).toContain('def');
	});

	it('S2-79 never reads again what is closed', () => {
		const block = 'A paragraph of **some** words.\n\n';
		const { reader, read } = streamed(block.repeat(200), [block.length]);
		expect(read.length).toBeGreaterThan(190);
		expect(reader.lexed).toBeLessThan(block.length * 200 * 3);
		const first = read[0]!.tokens;
		expect(reader.read(`${block.repeat(200)}And more.`)[0]!.tokens).toBe(first);
	});

	it('reads a closed stretch again where its label is defined later, and no other', () => {
		const reader = new MarkdownReader();
		const before = reader.read('See [it].\n\nSee [that].\n\nEnd\n');
		const after = reader.read('See [it].\n\nSee [that].\n\nEnd\n\n[it]: https://example.com\n');
		expect(JSON.stringify(before[0])).not.toContain('https://example.com');
		expect(JSON.stringify(after[0])).toContain('https://example.com');
		expect(after[1]!.tokens).toBe(before[1]!.tokens);
	});

	it('keeps what did not change within the stretch that is open', () => {
		const reader = new MarkdownReader();
		const [before] = reader.read('- one\n- two\n- thr');
		const [after] = reader.read('- one\n- two\n- three');
		const items = (stretch?: Stretch) => (stretch?.tokens[0] as unknown as { items: unknown[] }).items;
		expect(items(after)[0]).toBe(items(before)[0]);
		expect(items(after)[2]).not.toBe(items(before)[2]);
	});

	it('begins anew with another text', () => {
		const reader = new MarkdownReader();
		reader.read('One\n\nTwo\n\n[a]: /x\n\nthree\n');
		expect(flat(reader.read('Four [a]'))).toEqual([...tokensOf('Four [a]')]);
	});

	it('shows what nests deeper than it can be read as it is written', () => {
		const deep = '>'.repeat(20_000);
		expect(JSON.stringify(tokensOf(deep)).length).toBeGreaterThan(20_000);
	});
});
