import { AllSelection, TextSelection } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import { actingAs } from '../../src/lib/actor/index.js';
import { desk, h, li, p, person, quote, schema, ul, type Desk } from '../fixtures/document/desk.js';

const at = ({ view }: Desk, id: string) => {
	let found = -1;
	view.state.doc.descendants((node, pos) => void (node.attrs['id'] === id && (found = pos)));
	return found;
};
const select = ({ view }: Desk, from: number, to: number) =>
	view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, from, to)));
const whole = (one: Desk) => select(one, 1, one.view.state.doc.content.size - 1);
const written = ({ document }: Desk) => document.provenance().map(({ text }) => text);

describe('what is selected over several blocks is written by what it differs', () => {
	const two = () => {
		const one = desk([p('Hello dear world', 'a'), p('Second paragraph', 'b')], { vouch: 'user' });
		actingAs(person, () => one.document.comment('a', 'keep this', 'dear'));
		return one;
	};

	it('S2-75 words that stay are whose they were, with their comments, their blocks and what is typed later', async () => {
		const one = two();
		whole(one);
		const report = one.as('r', () => one.document.rewriteSelection('Hello dear world\n\nSecond Paragraph'));
		expect(report).toMatchObject({ ok: true });
		expect(one.shape()).toBe('p#a Hello dear world | p#b Second Paragraph');
		expect(one.document.comments()).toMatchObject([{ text: 'keep this', quote: 'dear' }]);
		expect(written(one)).toEqual(['Paragraph']);
		one.document.end('r');
		one.type('MINE ', at(one, 'b') + 1);
		await one.document.undo('r');
		expect(one.shape()).toBe('p#a Hello dear world | p#b MINE Second paragraph');
	});

	it('also with everything selected', () => {
		const one = two();
		one.view.dispatch(one.view.state.tr.setSelection(new AllSelection(one.view.state.doc)));
		one.as('r', () => one.document.rewriteSelection('Hello dear world\n\nSecond Paragraph'));
		expect(one.shape()).toBe('p#a Hello dear world | p#b Second Paragraph');
		expect(one.document.comments()).toHaveLength(1);
	});

	it('what is not selected of the first and the last block stays beside it, untouched', async () => {
		const one = two();
		const before = one.view.state.doc;
		select(one, 7, at(one, 'b') + 7);
		one.as('r', () => one.document.rewriteSelection('new world\n\nmiddle\n\nThird'));
		expect(one.shape()).toMatch(/^p#a Hello new world \| p#n\d middle \| p#b Third paragraph$/);
		expect(written(one)).toEqual(['new', 'middle', 'Third']);
		one.document.end('r');
		await one.document.undo('r');
		expect(one.view.state.doc.toJSON()).toEqual(before.toJSON());
	});

	it('fewer blocks, and more where one was', async () => {
		const one = two();
		select(one, 7, at(one, 'b') + 7);
		one.as('r', () => one.document.rewriteSelection('dear'));
		expect(one.shape()).toBe('p#a Hello dear paragraph');
		expect(written(one)).toEqual([]);
		expect(one.document.comments()).toHaveLength(1);
		const more = two();
		select(more, 7, 11);
		more.as('r', () => more.document.rewriteSelection('dear\n\n## big'));
		expect(more.view.state.doc.textContent).toBe('Hello dearbig worldSecond paragraph');
		expect(more.document.comments()).toHaveLength(1);
		expect(written(more)).toEqual(['big']);
		expect(more.shape()).toMatch(/^p#a Hello dear \| h2#n\d big world \| p#b Second paragraph$/);
		more.document.end('r');
		await more.document.undo('r');
		expect(more.shape()).toBe('p#a Hello dear world | p#b Second paragraph');
		expect(more.document.origins('a').every(({ origin }) => origin === 'user')).toBe(true);
		expect(more.document.blocks().map(({ type }) => type)).toEqual(['paragraph', 'paragraph']);
	});

	it('a list in the middle of a paragraph: what was not selected stays on both sides', async () => {
		const one = two();
		select(one, 7, 11);
		one.as('r', () => one.document.rewriteSelection('- x\n- y'));
		expect(one.shape().replace(/#n\d+/g, '')).toBe(
			'p#a Hello | ul(li(p x), li(p y)) | p  world | p#b Second paragraph'
		);
		expect(written(one)).toEqual(['x', 'y']);
		one.document.end('r');
		await one.document.undo('r');
		expect(one.shape()).toBe('p#a Hello dear world | p#b Second paragraph');
		const over = two();
		select(over, 7, at(over, 'b') + 7);
		over.as('r', () => over.document.rewriteSelection('- x'));
		expect(over.shape().replace(/#n\d+/g, '')).toBe('p#a Hello | ul(li(p x)) | p#b  paragraph');
		expect(written(over)).toEqual(['x']);
	});

	it('from a heading into a list, over items, inside a quote', () => {
		const one = desk(
			[h(2, 'Things', 'h'), ul('l', li(p('one', 'i1')), li(p('two', 'i2')), li(p('three', 'i3')))],
			{
				vouch: 'user'
			}
		);
		select(one, at(one, 'h') + 1, at(one, 'i3') + 6);
		one.as('r', () => one.document.rewriteSelection('## Things\n\n- one\n- 2\n- three'));
		expect(one.shape()).toBe('h2#h Things | ul#l(li(p#i1 one), li(p#i2 2), li(p#i3 three))');
		expect(written(one)).toEqual(['2']);
		const said = desk([quote('q', p('first one', 'x'), p('second one', 'y')), p('z', 'z')], {
			vouch: 'user'
		});
		select(said, at(said, 'x') + 1, at(said, 'y') + 11);
		said.as('r', () => said.document.rewriteSelection('first one\n\nsecond two'));
		expect(said.shape()).toBe('q#q(p#x first one, p#y second two) | p#z z');
		expect(written(said)).toEqual(['two']);
	});

	it('a list over items of a list is those items, not a list in the first of them', async () => {
		const list = () =>
			desk([ul('l', li(p('one', 'i1')), li(p('two', 'i2')), li(p('three', 'i3'))), p('z', 'z')], {
				vouch: 'user'
			});
		const one = list();
		select(one, at(one, 'i1') + 1, at(one, 'i2') + 4);
		one.as('r', () => one.document.rewriteSelection('- one\n- 2'));
		expect(one.shape()).toBe('ul#l(li(p#i1 one), li(p#i2 2), li(p#i3 three)) | p#z z');
		expect(written(one)).toEqual(['2']);
		one.document.end('r');
		await one.document.undo('r');
		expect(one.shape()).toBe('ul#l(li(p#i1 one), li(p#i2 two), li(p#i3 three)) | p#z z');
		const part = list();
		select(part, at(part, 'i1') + 3, at(part, 'i3') + 3);
		part.as('r', () => part.document.rewriteSelection('- ly\n- and\n- Th'));
		expect(part.shape().replace(/#n\d+/g, '')).toBe(
			'ul#l(li(p#i1 only), li(p#i2 and), li(p#i3 Three)) | p#z z'
		);
	});

	it('nothing to write is refused, and the document is as it was', () => {
		const one = desk([schema.node('code_block', { id: 'c' }, [schema.text('a = 1')]), p('x', 'x')]);
		select(one, 1, at(one, 'x') + 2);
		const { doc } = one.view.state;
		const report = one.as('r', () => one.document.rewriteSelection({ nodes: [] }));
		expect(report).toMatchObject({ ok: false, code: 'nothing' });
		expect(one.view.state.doc).toBe(doc);
	});
});
