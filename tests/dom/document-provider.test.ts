import { describe, expect, it } from 'vitest';
import { desk, h, li, p, ul } from '../fixtures/document/desk.js';

describe('reads', () => {
	it('lists every block, its outline and sections', () => {
		const { document } = desk([
			h(1, 'Title', 'a'),
			p('One two', 'b'),
			ul('c', li(p('x', 'd')), li(p('y', 'e')))
		]);
		expect(document.blocks().map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
		expect(document.outline()).toEqual({
			headings: [{ id: 'a', level: 1, text: 'Title', blocks: 2, words: 4 }],
			before: 0,
			blocks: 3,
			words: 5
		});
	});
	it('writes', () => {
		const { document, as, shape } = desk([h(1, 'Title', 'a'), p('One two', 'b')]);
		expect(as('r1', () => document.insert({ after: 'a' }, 'New **bold** text'))).toMatchObject({
			ok: true,
			blocks: ['n1']
		});
		expect(shape()).toBe('h1#a Title | p#n1 New bold text | p#b One two');
	});
});
