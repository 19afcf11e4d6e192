import { describe, expect, it } from 'vitest';
import { desk, p } from '../fixtures/document/desk.js';

/** What comes of a text in the document, as Markdown, as plain text, in a comment and painted. */
function written(text: string) {
	const one = desk([p('first', 'a')]);
	one.as('r', () => one.document.insert('end', text));
	one.as('r', () => one.document.insert('end', { text }));
	one.as('r', () => one.document.replaceText('a', 'first', text));
	one.as('r', () => one.document.comment('a', text));
	one.as('r', () => one.document.paint('k', 'end', text));
	const [a, markdown, plain] = one.view.state.doc.children.map(({ textContent }) => textContent);
	const ghost = one.view.dom.querySelector('[data-part="ghost"]')!.textContent;
	return [...new Set([a, markdown, plain, one.document.comments()[0]!.text, ghost])];
}

describe('what nobody sees is not written', () => {
	it.each([
		['NUL', 'a\0b', 'ab'],
		['an escape sequence', 'a\u001b[31mb', 'a[31mb'],
		['the last of the old and of the new controls', 'a\u007fb\u0080c\u009fd', 'abcd'],
		['half of a character, the first', 'a\ud83db', 'ab'],
		['half of a character, the second', 'a\ude00b', 'ab'],
		['halves the wrong way round', 'a\ude00\ud83db', 'ab'],
		['an override of the direction, closed or not', 'a\u202eb c\u202ed\u202ce', 'ab cde'],
		['an embedding without an end', 'a\u202bb', 'ab'],
		['an isolate without an end', 'a\u2066b', 'ab'],
		['an end without a beginning', 'a\u2069b\u202cc', 'abc'],
		['isolates that cross', 'a\u2067b\u202bc\u2069d', 'abcd']
	])('%s', (_name, text, says) => {
		expect(written(text)).toEqual([says]);
	});
	it.each([
		['an emoji of joined parts', 'a 👩‍👩‍👧 b'],
		['Persian with its non-joiner', 'می‌خواهم'],
		['marks of direction between words', 'a \u200fשלום\u200e b'],
		['an isolate with its end', 'a \u2067שלום\u2069 b'],
		['an embedding with its end, in an isolate', 'a \u2068\u202bשלום\u202c\u2069 b'],
		['soft hyphen and no-break space', 'a\u00adb\u00a0c']
	])('%s stays', (_name, text) => {
		expect(written(text)).toEqual([text]);
	});
	it('a tab stays, and each line is closed for itself', () => {
		const one = desk([p('first', 'a')]);
		one.as('r', () => one.document.insert('end', { text: 'a\tb \u2067c\nd\u2069 e' }));
		const last = one.view.state.doc.lastChild!;
		expect(last.textBetween(0, last.content.size, '', '|')).toBe('a\tb c|d e');
	});
	it('nor can it be said by its number', () => {
		expect(
			['&#27;', '&#x202e;', '&#0;', '&#x9b;', '&#x2066;'].map((text) => {
				const one = desk([p('first', 'a')]);
				one.as('r', () => one.document.insert('end', `a${text}b`));
				return one.view.state.doc.lastChild!.textContent;
			})
		).toEqual(['a&#27;b', 'a&#x202e;b', 'a&#0;b', 'a&#x9b;b', 'a&#x2066;b']);
	});
	it('a comment of nothing else says nothing', () => {
		const one = desk([p('first', 'a')]);
		expect(one.as('r', () => one.document.comment('a', ' \0\u202e '))).toMatchObject({ code: 'nothing' });
		expect(one.as('r', () => one.document.insert('end', '\0'))).toMatchObject({ ok: false });
	});
});
