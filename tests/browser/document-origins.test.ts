import { toggleMark } from 'prosemirror-commands';
import { afterEach, describe, expect, it } from 'vitest';
import {
	blockIds,
	origins,
	originsIn,
	undoTimeline,
	type OriginsOptions
} from '../../src/lib/canon/participants/document/index.js';
import { clearDesks, Desk, doc, frame, ime, p, schema } from './fixtures/document-desk.js';

afterEach(clearDesks);

const open = (options: OriginsOptions = {}) =>
	new Desk(doc(p('abc')), { plugins: [undoTimeline(), blockIds(), origins(options)] });

/** The text with a letter for where each character comes from: `abcX[iiiu]`. */
function told({ view }: Desk): string {
	const out: string[] = [];
	view.state.doc.forEach((block, pos) => {
		const from = originsIn(view.state, pos + 1, pos + 1 + block.content.size);
		out.push(`${block.textContent}[${from.map((one) => one.origin[0]!.repeat(one.to - one.from)).join('')}]`);
	});
	return out.join(' ');
}
const later = () => new Promise((resolve) => setTimeout(resolve, 150));

describe('S2-83 with real keys, what a person types is theirs and nothing else is', () => {
	it.each<[string, [number, number?], string, string]>([
		['at the start', [1], 'xy', 'xyabc[uuiii]'],
		['inside', [2], 'xy', 'axybc[iuuii]'],
		['at the end', [4], 'xy', 'abcxy[iiiuu]'],
		['over a part', [2, 4], 'xy', 'axy[iuu]'],
		['Enter, then words', [4], '{Enter}xy', 'abc[iii] xy[uu]'],
		['Enter in the middle', [2], '{Enter}', 'a[i] bc[ii]'],
		['Backspace and Mod-z', [4], '{Backspace}{Backspace}{Control>}z{/Control}', 'abc[iii]'],
		['typed, deleted, Mod-z', [4], 'xyz{Backspace}{Backspace}{Backspace}{Control>}z{/Control}', 'abc[iii]']
	])('%s', async (_, [from, to], keys, shape) => {
		const desk = open().at(from, to);
		await desk.keys(keys);
		expect(told(desk)).toBe(shape);
	});

	it('composed by an input method', async () => {
		const desk = open().at(2);
		await ime.compose('に');
		await ime.compose('にほん');
		await ime.commit('日本');
		await expect.poll(() => desk.view.composing).toBe(false);
		await frame();
		expect(told(desk)).toBe('a日本bc[iuuii]');
	});

	it('typed in bold, beside other marks', async () => {
		const desk = open().at(2);
		toggleMark(schema.marks['strong']!)(desk.view.state, desk.view.dispatch);
		await desk.keys('xy');
		expect(told(desk)).toBe('axybc[iuuii]');
	});

	it('copied and pasted is nobody’s, though the person did it', async () => {
		const desk = open({ vouch: 'user' }).at(1, 3);
		await desk.keys('{Control>}c{/Control}');
		desk.at(4);
		await desk.keys('{Control>}v{/Control}');
		expect(told(desk)).toBe('abcab[uuuii]');
	});

	it('what a script puts in is not, be it beside real keys or behind events of its own', async () => {
		const desk = open().at(4);
		await desk.keys('x');
		await later();
		desk.view.dispatch(desk.view.state.tr.insertText('SCRIPT', 1));
		expect(told(desk)).toBe('SCRIPTabcx[iiiiiiiiiu]');
		desk.view.dom.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }));
		desk.view.dom.dispatchEvent(
			new InputEvent('beforeinput', { inputType: 'insertText', data: 'a', bubbles: true })
		);
		desk.view.dispatch(desk.view.state.tr.insertText('F', 1));
		expect(told(desk)).toBe('FSCRIPTabcx[iiiiiiiiiiu]');
		// Longer than an input method may take after a key.
		await new Promise((resolve) => setTimeout(resolve, 1_100));
		desk.view.focus();
		document.execCommand('insertText', false, 'E');
		await later();
		expect(told(desk).match(/u/g)).toHaveLength(1);
		// A long text in the breath of a key is not typed either.
		await desk.keys('y');
		desk.view.dispatch(desk.view.state.tr.insertText('L'.repeat(100), 1));
		expect(told(desk)).toMatch(/^L{100}FSCRIPTabc/);
		expect(told(desk)).toMatch(/\[i{100}/);
	});
});
