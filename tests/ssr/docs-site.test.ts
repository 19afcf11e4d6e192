import { describe, expect, it } from 'vitest';
import { docs, exampleSource, render, sections, whole } from '../../src/routes/docs/docs.server.js';
import { excerpt, marked, search } from '../../src/routes/docs/search.js';

const rendered = new Map(docs.map((doc) => [doc.slug, render(doc)]));
const htmlOf = (slug: string) =>
	rendered
		.get(slug)
		?.parts.map(({ html }) => html)
		.join('') ?? '';
const idsOf = (slug: string) => [...htmlOf(slug).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

describe('the pages of the docs on the site', () => {
	it.each(docs.map(({ slug }) => slug))('%s: every heading has an id of its own', (slug) => {
		const ids = idsOf(slug);
		expect(ids.length).toBeGreaterThan(0);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('every link to a place on another page of the docs, or on its own, finds it', () => {
		const links = docs.flatMap(({ slug }) =>
			[...htmlOf(slug).matchAll(/href="([a-z-]*)#([^"]+)"/g)].map(([, to, id]) => ({
				slug,
				to: to === '' ? slug : (to ?? ''),
				id
			}))
		);
		expect(links.length).toBeGreaterThan(50);
		expect(links.filter(({ to, id }) => !idsOf(to).includes(id))).toEqual([]);
	});

	it('a live example stands beside the very source that runs', () => {
		const examples = [...rendered.values()].flatMap(({ parts }) =>
			parts.flatMap((part) => (part.kind === 'example' ? [part] : []))
		);
		expect(examples.length).toBeGreaterThan(2);
		const text = docs.map(whole).join('\n');
		for (const { name, html } of examples) {
			const shown = html
				.replace(/<[^>]+>/g, '')
				.replace(/&lt;/g, '<')
				.replace(/&gt;/g, '>')
				.replace(/&quot;/g, '"')
				.replace(/&#x27;/g, "'")
				.replace(/&amp;/g, '&');
			expect(shown.trim()).toBe(exampleSource(name));
			// Whoever reads the docs as one text gets it written out.
			expect(text).toContain(exampleSource(name));
		}
	});

	it('as one text they lead to no file that is not there', () => {
		expect(docs.map(whole).join('\n')).not.toMatch(/\]\(\.\.?\/[\w-]+\.md/);
	});
});

describe('the search of the docs', () => {
	const index = docs.flatMap(sections);

	it('leads to the section that is about it', () => {
		expect(search(index, 'drift approval')[0]).toMatchObject({ slug: 'gate', id: 'drift' });
		expect(search(index, 'no-such-word-anywhere')).toEqual([]);
		expect(search(index, '  ')).toEqual([]);
	});

	it('finds a word without its accents, whatever its case', () => {
		const sounds = { slug: 's', title: 'S', id: 'c', heading: 'Café', text: 'Ölüm' };
		expect(search([sounds], 'CAFE')).toEqual([sounds]);
		expect(search([sounds], 'olum')).toEqual([sounds]);
		expect(search([sounds], 'tea')).toEqual([]);
	});

	it('shows where a section says it, between whole words', () => {
		const text = `${'before '.repeat(40)}the needle stands here ${'after '.repeat(40)}`.trim();
		expect(excerpt(text, 'needle')).toMatch(/^… (before )+the needle stands here (after ?)+ …$/);
		expect(excerpt('short', 'nothing')).toBe('short');
	});

	it('tells what was asked for apart, signs and all', () => {
		expect(marked('Press F8 (once)', 'f8 (once)')).toEqual([
			{ text: 'Press ', hit: false },
			{ text: 'F8', hit: true },
			{ text: ' ', hit: false },
			{ text: '(once)', hit: true }
		]);
		expect(marked('text', '')).toEqual([{ text: 'text', hit: false }]);
	});
});
