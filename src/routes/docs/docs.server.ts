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
export interface RenderedDoc extends Doc {
	html: string;
	headings: Heading[];
}

/** The README's example, which the start page repeats and a test drives. */
export const example = /```svelte[\s\S]*?```/.exec(readme)?.[0] ?? '';

const sources = import.meta.glob<string>('/docs/*.md', { query: '?raw', import: 'default', eager: true });

/** Plain words of inline markdown, for titles, contents and search. */
const plain = (markdown: string): string =>
	markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*_]/g, '');

const escape = (text: string): string =>
	text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

const toId = (text: string): string =>
	text
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, '-')
		.replace(/^-|-$/g, '');

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

/** Sections of a page, for the search index. */
export function sections(
	doc: Doc
): { slug: string; title: string; id: string; heading: string; text: string }[] {
	return doc.markdown.split(/^(?=#{1,3} )/m).flatMap((part) => {
		const head = /^(#{1,3}) (.+)$/m.exec(part);
		if (!head?.[2]) return [];
		const heading = plain(head[2]);
		const text = plain(part.slice(head[0].length)).replace(/\s+/g, ' ').trim();
		return [{ slug: doc.slug, title: doc.title, id: head[1] === '#' ? '' : toId(heading), heading, text }];
	});
}

export function render(doc: Doc): RenderedDoc {
	const headings: Heading[] = [];
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
			code(token: Tokens.Code): string {
				// A region that scrolls must be reachable with the keyboard.
				const named = escape(token.lang ?? 'code');
				return `<div class="code" data-code data-lang="${named}"><pre tabindex="0" role="group" aria-label="${named}"><code>${highlight(token.text, token.lang)}</code></pre></div>\n`;
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
	return { ...doc, html, headings };
}
