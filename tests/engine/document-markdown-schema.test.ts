import { type Node } from 'prosemirror-model';
import { describe, expect, it } from 'vitest';
import {
	offered,
	parseInline,
	parseMarkdown,
	toMarkdown,
	type MarkdownOptions
} from '../../src/lib/canon/participants/document/markdown/index.js';
import { basic, prosekit, starter, starterAlone } from './document-markdown-schemas.js';
import type { Schema } from 'prosemirror-model';

const read = (text: string, schema: Schema, options?: MarkdownOptions): string => {
	const result = parseMarkdown(text, schema, options);
	return result.ok ? result.nodes.join(' ') : `${result.code} ${result.text}`;
};

const nodesOf = (text: string, schema: Schema, options?: MarkdownOptions): Node[] => {
	const result = parseMarkdown(text, schema, options);
	if (!result.ok) throw new Error(result.text);
	return result.nodes;
};

describe('S2-66 an agent writes in the words of the editor', () => {
	it.each([
		['# One *two*', basic, 'heading("One ", em("two"))'],
		['# One *two*', starter, 'heading("One ", italic("two"))'],
		[
			'- a\n  - b\n\n  c',
			basic,
			'bullet_list(list_item(paragraph("a"), bullet_list(list_item(paragraph("b"))), paragraph("c")))'
		],
		['- a\n  - b', prosekit, 'list(paragraph("a"), list(paragraph("b")))'],
		[
			'1. a\n   - b\n2. c',
			starter,
			'orderedList(listItem(paragraph("a"), bulletList(listItem(paragraph("b")))), listItem(paragraph("c")))'
		],
		[
			'- [x] a\n- [ ] b\n- c',
			starter,
			'taskList(taskItem(paragraph("a")), taskItem(paragraph("b"))) bulletList(listItem(paragraph("c")))'
		],
		['> a\n> > b\n\nc', basic, 'blockquote(paragraph("a"), blockquote(paragraph("b"))) paragraph("c")'],
		['```\n# a\n```', basic, 'code_block("# a")'],
		['a\n***\nb', basic, 'paragraph("a") horizontal_rule paragraph("b")'],
		['a\\\nb  \nc\nd', starter, 'paragraph("a", hardBreak, "b", hardBreak, "c d")'],
		[
			'| a | b |\n|---|---|\n| c |',
			starter,
			'table(tableRow(tableHeader(paragraph("a")), tableHeader(paragraph("b"))), tableRow(tableCell(paragraph("c")), tableCell(paragraph)))'
		],
		[
			'~~a~~ ++b++ __c__ _d_ `e`',
			starter,
			'paragraph(strike("a"), " ", underline("b"), " ", bold("c"), " ", italic("d"), " ", code("e"))'
		],
		[
			'***a** b* snake_case_name 2 * 3',
			basic,
			'paragraph(em(strong("a")), em(" b"), " snake_case_name 2 * 3")'
		],
		['\\*a\\* &amp; &#8364; \\# <b>c</b>', basic, 'paragraph("*a* & € # <b>c</b>")'],
		['**a', basic, 'paragraph("**a")'],
		['``a`b``', basic, 'paragraph(code("a`b"))']
	])('S2-66 %s', (text, schema, expected) => {
		expect(read(text, schema)).toBe(expected);
	});

	it('S2-66 numbers, levels, languages, addresses and checks are attributes of the editor', () => {
		expect(nodesOf('7. a', starter)[0]!.attrs.start).toBe(7);
		expect(nodesOf('7. a', basic)[0]!.attrs.order).toBe(7);
		expect(nodesOf('3. a\n4. b\n9. c', prosekit).map(({ attrs }) => attrs.order as unknown)).toEqual([
			3,
			null,
			9
		]);
		expect(nodesOf('- [x] a', prosekit)[0]!.attrs).toMatchObject({ kind: 'task', checked: true });
		expect(nodesOf('### a', prosekit)[0]!.attrs.level).toBe(3);
		expect(nodesOf('```ts\na\n```', starter)[0]!.attrs.language).toBe('ts');
		expect(nodesOf('| a |\n| :-: |\n| b |', starter)[0]!.child(1).child(0).attrs.align).toBe('center');
		const [link] = nodesOf('[a](https://b.c/d_(e) "f \\" g")', basic)[0]!.firstChild!.marks;
		expect(link!.attrs).toMatchObject({ href: 'https://b.c/d_(e)', title: 'f " g' });
		const image = nodesOf('![a](b.png)', basic)[0]!.firstChild!;
		expect(image.attrs).toMatchObject({ src: 'b.png', alt: 'a' });
		expect(nodesOf('![](b.png)', prosekit)[0]!.attrs.src).toBe('b.png');
	});

	it('S2-66 an app says its own names', () => {
		const named = read('- a', starter, {
			names: { bulletList: 'taskList', listItem: ['nothing', 'taskItem'] }
		});
		expect(named).toBe('taskList(taskItem(paragraph("a")))');
	});

	it('S2-66 plain text stays plain', () => {
		expect(read('# a *b*\nc\n\n\n- d\n', starter, { format: 'text' })).toBe(
			'paragraph("# a *b*", hardBreak, "c") paragraph("- d")'
		);
		expect(read('', starter)).toBe('');
	});

	it('S2-66 text in a block knows only the signs of a line', () => {
		const result = parseInline('# a *b*\n- c', basic);
		expect(result.ok && result.nodes.join()).toBe('"# a ",em("b")," - c"');
		expect(parseInline('**a**', starter, { parent: starter.nodes.codeBlock! })).toMatchObject({ ok: true });
		expect(parseInline('[a](data:x)', basic)).toMatchObject({ ok: false, code: 'link' });
	});
});

describe('S2-66 what the editor has not is refused by name, with the line and what it takes', () => {
	it.each([
		['a\n\n| b |\n|---|\n| c |', basic, 3, 'The editor has no tables. It takes: paragraph, heading'],
		['- [ ] a', basic, 1, 'has no task lists'],
		['a ~~b~~', basic, 1, 'has no strikethrough'],
		['a\n\n![b](c.png)', starter, 3, 'has no images'],
		['```js\na\n```', basic, 1, 'keeps no language'],
		['[a](/b "c")', prosekit, 1, 'keeps no title'],
		['![a](b.png)', prosekit, 1, 'keeps no description'],
		['a ![](b.png)', prosekit, 1, 'only as a line of its own'],
		['**`a`**', starter, 1, 'takes no code together with bold'],
		['- a\n- # b', starter, 2, 'A listItem takes "paragraph block*", not heading'],
		['| a |\n|---|\n| b | c |', starter, 3, '2 cells']
	])('S2-66 %s', (text, schema, line, sentence) => {
		const result = parseMarkdown(text, schema);
		expect(result).toMatchObject({ ok: false, code: 'schema', line });
		expect(result.ok || result.text).toContain(sentence);
		expect(result.ok || result.text).toContain(`Line ${line}: `);
	});

	it('S2-66 levels, depth and size are bounded, a code each', () => {
		expect(parseMarkdown('#### a', starter, { levels: [1, 2] })).toMatchObject({ code: 'schema', line: 1 });
		expect(parseMarkdown('> '.repeat(13) + 'a', starter)).toMatchObject({ ok: false, code: 'depth' });
		expect(parseMarkdown('> '.repeat(12) + 'a', starter)).toMatchObject({ ok: true });
		expect(parseMarkdown('- '.repeat(20) + 'a', basic)).toMatchObject({ ok: false, code: 'depth' });
		expect(parseMarkdown('a'.repeat(11), basic, { size: 10 })).toMatchObject({ ok: false, code: 'size' });
	});

	it.each([
		'javascript:alert(1)',
		'JavaScript&#58;alert(1)',
		'java&#9;script:alert(1)',
		'&#1;javascript:alert(1)',
		'data:text/html,x',
		'vbscript:x',
		'file:///etc',
		'java\\script:x',
		''
	])('S2-66 no link leads to %j', (address) => {
		expect(parseMarkdown(`[a](${address})`, basic)).toMatchObject({ ok: false, code: 'link' });
		expect(parseMarkdown(`![a](${address})`, basic)).toMatchObject({ ok: false, code: 'link' });
	});

	it.each(['http://a', 'HTTPS://a', 'mailto:a@b', '/a', 'a/b:c', '#a', '?a=b', '../a'])(
		'S2-66 a link leads to %s',
		(href) => {
			expect(nodesOf(`[a](${href})`, basic)[0]!.firstChild!.marks[0]!.attrs.href).toBe(href);
		}
	);

	it('S2-66 says beforehand what it takes', () => {
		expect(offered(starterAlone)).not.toContain('table');
		expect(offered(starter)).toContain('table');
		expect(offered(prosekit)).toContain('task list');
		expect(offered(basic)).toContain('ordered list');
	});
});

describe('S2-66 what Markdown cannot say stands as a line of its own name, and comes back', () => {
	const merged = starter.node('table', null, [
		starter.node('tableRow', null, [
			starter.node('tableHeader', { colspan: 2 }, starter.node('paragraph', null, starter.text('a')))
		]),
		starter.node(
			'tableRow',
			null,
			['b', 'c'].map((text) =>
				starter.node('tableCell', null, starter.node('paragraph', null, starter.text(text)))
			)
		)
	]);
	const doc = starter.node('doc', null, [
		starter.node('paragraph', null, starter.text('[table 2 × 2]')),
		merged,
		merged
	]);

	it('S2-66 a table with merged cells', () => {
		const text = toMarkdown(doc);
		expect(text).toBe('\\[table 2 × 2]\n\n[table 2 × 2]\n\n[table 2 × 2]');
		expect(starter.node('doc', null, nodesOf(text, starter, { kept: doc })).eq(doc)).toBe(true);
	});

	it('S2-66 each is put back once, and none is invented', () => {
		expect(parseMarkdown('[table 2 × 2]', starter)).toMatchObject({
			ok: false,
			code: 'placeholder',
			line: 1
		});
		expect(parseMarkdown('[table 2 × 2]\n\n[table 2 × 2]', starter, { kept: merged })).toMatchObject({
			code: 'placeholder',
			line: 3
		});
		expect(parseMarkdown('see [table 2 × 2] there', starter, { kept: merged })).toMatchObject({
			code: 'placeholder'
		});
		expect(read('see [table] and \\[table 1 × 1] and [table](/a)', starter)).toContain('[table]');
	});

	it('S2-66 an image whose address may not be written', () => {
		const image = basic.node('image', { src: 'data:image/png;base64,x', alt: 'A [cat]' });
		const para = basic.node('paragraph', null, [basic.text('Look: '), image]);
		expect(toMarkdown(para)).toBe('Look: [image: A cat]');
		expect(nodesOf('Look: [image: A cat]!', basic, { kept: para })[0]!.child(1).eq(image)).toBe(true);
	});

	it('S2-66 a link whose address may not be written is its words', () => {
		const link = basic.marks.link!.create({ href: 'javascript:x' });
		expect(toMarkdown(basic.node('paragraph', null, [basic.text('a', [link])]))).toBe('a');
	});

	it('S2-66 a part of a document, as a selection has it', () => {
		const whole = starter.node(
			'doc',
			null,
			nodesOf('- one **two**\n- three\n\n| a |\n|---|\n| b |', starter)
		);
		expect(toMarkdown(whole.firstChild!.content)).toBe('one **two**\n\nthree');
		expect(toMarkdown(whole.firstChild!.firstChild!.firstChild!.content)).toBe('one **two**');
		expect(toMarkdown(whole.child(1).child(1).content)).toBe('b');
		expect(toMarkdown(whole.child(1).content)).toBe('a\n\nb');
		expect(toMarkdown([])).toBe('');
		expect(toMarkdown(starter.node('hardBreak'))).toBe('<!-- break -->');
	});

	it('S2-66 what a reader sees is what was written', () => {
		const text =
			'# A *title*\n\nSome **bold**, *italic* and `code`; [a link](https://a.b "t").\n\n- one\n- two\n  1. three\n\n> quoted\n>\n> twice\n\n---\n\n```js\nlet a;\n```';
		expect(toMarkdown(nodesOf(text, starter))).toBe(text);
	});
});
