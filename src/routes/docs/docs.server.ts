import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import { Marked, type Token, type Tokens } from 'marked';
import readme from '../../../README.md?raw';
import { order } from './pages.js';

for (const [name, language] of Object.entries({ bash, css, javascript, json, typescript, xml }))
	hljs.registerLanguage(name, language);
hljs.registerAliases(['svelte', 'html'], { languageName: 'xml' });
hljs.registerAliases(['sh'], { languageName: 'bash' });
hljs.registerAliases(['ts'], { languageName: 'typescript' });
hljs.registerAliases(['js'], { languageName: 'javascript' });

export interface Heading {
	id: string;
	text: string;
	depth: number;
}
export interface Doc {
	slug: string;
	title: string;
	summary: string;
	markdown: string;
}
/** A stretch of a page: words, or a component that is alive there. */
export type Part =
	| { kind: 'words'; html: string }
	| { kind: 'example'; name: string; title: string; file: string; html: string };
export interface RenderedDoc extends Doc {
	parts: Part[];
	headings: Heading[];
}

/** The README's example, which the start page repeats and a test drives. */
export const example = /```svelte[\s\S]*?```/.exec(readme)?.[0] ?? '';

const sources = import.meta.glob<string>('/docs/*.md', { query: '?raw', import: 'default', eager: true });
const examples = import.meta.glob<string>('./examples/*.svelte', {
	query: '?raw',
	import: 'default',
	eager: true
});

/** A paragraph that is nothing but a link to the source of an example: the example itself stands in its place. */
const EXAMPLE = /^\[([^\]]+)\]\(\.\.\/src\/routes\/docs\/examples\/(\w+)\.svelte\)$/;

/** Plain words of inline markdown, for titles, contents and search. */
const plain = (markdown: string): string =>
	markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*_]/g, '');

const escape = (text: string): string =>
	text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** Ids of the headings of one page, as the repository's host makes them, so that one link works in both places. */
function idMaker(): (heading: string) => string {
	const taken = new Map<string, number>();
	return (heading) => {
		const id = heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} -]/gu, '')
			.replaceAll(' ', '-');
		const before = taken.get(id) ?? 0;
		taken.set(id, before + 1);
		return before === 0 ? id : `${id}-${before}`;
	};
}

function toDoc(slug: string, markdown: string): Doc {
	const title = plain(/^# (.+)$/m.exec(markdown)?.[1] ?? slug);
	const body = markdown.replace(/^# .+$/m, '').trim();
	const summary = plain(body.split(/\n\s*\n/)[0] ?? '').replace(/\s+/g, ' ');
	return { slug, title, summary, markdown };
}

/** Every page of the docs, in reading order. A page whose file is missing is left out, never shown empty. */
export const docs: readonly Doc[] = order.flatMap((slug) => {
	const markdown = sources[`/docs/${slug}.md`];
	return markdown === undefined ? [] : [toDoc(slug, markdown)];
});

export function highlight(code: string, language: string | undefined): string {
	return language && hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escape(code);
}

/** Source of an example, as it runs. */
export const exampleSource = (name: string): string => (examples[`./examples/${name}.svelte`] ?? '').trim();

/** Sections of a page, for the search index. */
export function sections(
	doc: Doc
): { slug: string; title: string; id: string; heading: string; text: string }[] {
	const toId = idMaker();
	return doc.markdown.split(/^(?=#{1,4} )/m).flatMap((part) => {
		const head = /^(#{1,4}) (.+)$/m.exec(part);
		if (!head?.[2]) return [];
		const heading = plain(head[2]);
		const text = plain(part.slice(head[0].length)).replace(/\s+/g, ' ').trim();
		return [{ slug: doc.slug, title: doc.title, id: head[1] === '#' ? '' : toId(heading), heading, text }];
	});
}

/** The page as plain markdown that needs no other file: examples written out, links that lead on within the site. */
export function whole(doc: Doc): string {
	return doc.markdown
		.split('\n')
		.map((line) => {
			const [, title, name] = EXAMPLE.exec(line) ?? [];
			return name === undefined ? line : `${title}:\n\n\`\`\`svelte\n${exampleSource(name)}\n\`\`\``;
		})
		.join('\n')
		.replace(/\]\(\.\/([a-z-]+)\.md/g, '](/docs/$1')
		.trim();
}

const codeBlock = (code: string, language: string | undefined): string => {
	// A region that scrolls must be reachable with the keyboard.
	const named = escape(language ?? 'code');
	return `<div class="code" data-code data-lang="${named}"><pre tabindex="0" role="group" aria-label="${named}"><code>${highlight(code, language)}</code></pre></div>\n`;
};

export function render(doc: Doc): RenderedDoc {
	const headings: Heading[] = [];
	const toId = idMaker();
	const found: Extract<Part, { kind: 'example' }>[] = [];
	const marked = new Marked({
		renderer: {
			heading(this: { parser: { parseInline(tokens: Token[]): string } }, token: Tokens.Heading): string {
				const text = plain(token.text);
				const id = toId(text);
				const inner = this.parser.parseInline(token.tokens);
				if (token.depth === 1) return `<h1>${inner}</h1>\n`;
				if (token.depth < 4) headings.push({ id, text, depth: token.depth });
				return `<h${token.depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${token.depth}>\n`;
			},
			code: (token: Tokens.Code): string => codeBlock(token.text, token.lang),
			paragraph(this: { parser: { parseInline(tokens: Token[]): string } }, token: Tokens.Paragraph): string {
				const [, title, name] = EXAMPLE.exec(token.text) ?? [];
				if (title === undefined || name === undefined)
					return `<p>${this.parser.parseInline(token.tokens)}</p>\n`;
				const source = exampleSource(name);
				if (source === '') throw new Error(`docs/${doc.slug}.md shows an example that is not there: ${name}`);
				const file = `src/routes/docs/examples/${name}.svelte`;
				found.push({ kind: 'example', name, title, file, html: codeBlock(source, 'svelte') });
				return '<!--example-->';
			},
			link(this: { parser: { parseInline(tokens: Token[]): string } }, token: Tokens.Link): string {
				// Links are written for the repository; a page of the site has its own address.
				const href = token.href
					.replace(/^\.\/([a-z-]+)\.md/, '$1')
					.replace(/^\.\.\/src\/routes\/([a-z-]+)\/\+page\.svelte$/, '../$1');
				return `<a href="${escape(href)}">${this.parser.parseInline(token.tokens)}</a>`;
			}
		}
	});
	const html = (marked.parse(doc.markdown) as string)
		.replaceAll('<table>', '<div class="table" tabindex="0" role="group" aria-label="table"><table>')
		.replaceAll('</table>', '</table></div>');
	const parts = html.split('<!--example-->').flatMap((words, at): Part[] => {
		const next = found[at];
		return [{ kind: 'words', html: words }, ...(next ? [next] : [])];
	});
	return { ...doc, parts, headings };
}
