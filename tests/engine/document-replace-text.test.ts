import type { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import { replaceText } from '../../src/lib/canon/participants/document/markdown/index.js';
import { basic } from './document-markdown-schemas.js';

const strong = basic.marks.strong!.create();
const agent = basic.marks.agentText!.create({ run: 'r1' });
const doc = basic.node('doc', null, [
	basic.node('paragraph', null, [
		basic.text('one two '),
		basic.text('three', [strong]),
		basic.text(' four', [agent]),
		basic.node('hard_break'),
		basic.text('one e\u0301 👩‍👩‍👧')
	]),
	basic.node('code_block', null, [basic.text('code')])
]);

const replaced = (find: string, replacement: string | readonly Node[], pos = 0) =>
	replaceText(new Transform(doc), pos, find, replacement);

describe('S2-70 an exact text is replaced where it stands once', () => {
	it('S2-70 says where the new text stands', () => {
		const result = replaced('two', '2 and more');
		if (!result.ok) throw new Error(result.text);
		expect(result.tr.doc.textBetween(result.from, result.to)).toBe('2 and more');
		expect(result.tr.doc.firstChild!.firstChild!.text).toBe('one 2 and more ');
	});

	it('S2-70 a string takes the marks of what it replaces, authorship excepted', () => {
		const bold = replaced('three', '3');
		expect(bold.ok && bold.tr.doc.firstChild!.child(1).eq(basic.text('3', [strong]))).toBe(true);
		const hers = replaced('four', '4');
		expect(hers.ok && hers.tr.doc.firstChild!.child(3).eq(basic.text('4'))).toBe(true);
	});

	it('S2-70 the words in it that stay are not touched', () => {
		const result = replaced('two three four', 'two 3 four');
		if (!result.ok) throw new Error(result.text);
		expect(result.tr.doc.firstChild!.textContent).toContain('one two 3 four');
		expect(result.tr.doc.firstChild!.child(1).eq(basic.text(' four', [agent]))).toBe(true);
	});

	it('S2-70 nodes stand as they are, nothing takes the words out', () => {
		const nodes = replaced('two', [basic.text('2', [strong])]);
		expect(nodes.ok && nodes.tr.doc.firstChild!.child(1).marks).toEqual([strong]);
		const gone = replaced(' two', '');
		expect(gone.ok && gone.tr.doc.firstChild!.firstChild!.text).toBe('one ');
		expect(gone.ok && gone.from).toBe(gone.ok && gone.to);
	});

	it.each([
		['five', 'not-found', 0],
		['', 'not-found', 0],
		['one', 'ambiguous', 0],
		['e', 'ambiguous', 0],
		['👩', 'not-found', 0],
		['\ufffc', 'not-found', 0],
		['two', 'not-found', 3]
	] as const)('S2-70 %j is refused as %s', (find, code, pos) => {
		const tr = new Transform(doc);
		const result = replaceText(tr, pos, find, 'x');
		expect(result).toMatchObject({ ok: false, code });
		expect(tr.doc).toBe(doc);
	});

	it('S2-70 a block that does not take the text', () => {
		const pos = doc.firstChild!.nodeSize;
		expect(replaced('code', [basic.text('x', [strong])], pos)).toMatchObject({ ok: false, code: 'schema' });
		expect(replaced('code', [basic.text('x')], pos)).toMatchObject({ ok: true });
	});
});
