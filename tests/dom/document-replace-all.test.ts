import { describe, expect, it } from 'vitest';
import { desk, p, schema, ul, li } from '../fixtures/document/desk.js';

const strong = (text: string) => schema.text(text, [schema.mark('strong')]);

describe('replaceText wherever it stands', () => {
	it('in a block of 200 KB that has it 100,000 times, with the way back', async () => {
		const words = 'a '.repeat(100_000).trim();
		const one = desk([p(words, 'x')]);
		expect(
			one.document.check({ kind: 'replaceText', id: 'x', find: 'a', text: 'b', all: true })
		).toMatchObject({ ok: true, before: words, after: words.replaceAll('a', 'b') });
		expect(one.as('r', () => one.document.replaceText('x', 'a', 'b', { all: true }))).toMatchObject({
			ok: true
		});
		expect(one.view.state.doc.textContent).toBe(words.replaceAll('a', 'b'));
		one.document.end('r');
		expect(await one.document.undo('r')).toMatchObject({ kept: [] });
		expect(one.view.state.doc.textContent).toBe(words);
	}, 60_000);
	it('in a block of 4,000 pieces of other marks; each new word wears what the old one wore', () => {
		const pieces = Array.from({ length: 4_000 }, (_, at) => (at % 2 ? strong('a') : schema.text('a ')));
		const one = desk([schema.node('paragraph', { id: 'x' }, pieces)]);
		expect(one.as('r', () => one.document.replaceText('x', 'a', 'b', { all: true }))).toMatchObject({
			ok: true
		});
		const { firstChild } = one.view.state.doc;
		expect(firstChild!.textContent).toBe('b b'.repeat(2_000));
		expect(one.document.block('x')!.markdown.slice(0, 10)).toBe('b **b**b *');
	}, 60_000);
	it('in two blocks that are one and the same node, over borders of marks, beside an image', () => {
		const same = p('one two', 'i');
		const image = schema.node('image', { src: 'https://ours.example/a.png', alt: 'a' });
		const mixed = schema.node('paragraph', { id: 'm' }, [
			schema.text('on'),
			strong('e '),
			image,
			strong('one'),
			schema.text(' one')
		]);
		const one = desk([ul('list', li(same), li(same), li(mixed))]);
		expect(one.as('r', () => one.document.replaceText('list', 'one', 'three', { all: true }))).toMatchObject({
			ok: true
		});
		expect(one.document.block('list')!.markdown).toBe(
			'- three two\n- three two\n- three**&#32;**![a](https://ours.example/a.png)**three** three'
		);
	});
});
