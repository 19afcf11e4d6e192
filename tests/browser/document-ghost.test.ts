import { afterEach, describe, expect, it, vi } from 'vitest';
import { EditorState, Plugin } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import {
	clearGhost,
	ghostKey,
	ghostPlugin,
	paintGhost
} from '../../src/lib/canon/participants/document/ghost/index.js';
import { clearDesks, Desk, doc, frame, p, schema } from './fixtures/document-desk.js';

afterEach(clearDesks);

const ghosts = (desk: Desk) => [...desk.view.dom.querySelectorAll<HTMLElement>('[data-part="ghost"]')];
const shown = (desk: Desk) => ghosts(desk).map(({ textContent }) => textContent);
const two = () => new Desk(doc(p('Hello world'), p('Second')));

describe('S2-70 a text that is still being written', () => {
	it('takes one transaction to come, none to grow, one to go, and none of them changes content', async () => {
		const desk = two().at(3);
		const { doc: before, selection } = desk.view.state;
		const changed = vi.fn();
		desk.view.dom.addEventListener('input', changed);
		desk.dispatched = [];
		let text = '';
		for (let word = 0; word < 200; word++) {
			expect(paintGhost(desk.view, { key: 'step-1', pos: 12, text: (text += ` word${word}`) })).toBe(true);
			if (word % 20 === 0) await frame();
		}
		await frame();
		expect(shown(desk)).toEqual([text]);
		expect(desk.dispatched).toHaveLength(1);
		clearGhost(desk.view, 'step-1');
		expect(desk.dispatched).toHaveLength(2);
		expect(desk.dispatched.some(({ docChanged }) => docChanged)).toBe(false);
		expect([shown(desk), desk.view.state.doc === before, desk.view.state.selection.eq(selection)]).toEqual([
			[],
			true,
			true
		]);
		expect(changed).not.toHaveBeenCalled();
	});

	it('shows its lines as written, whatever the editor says of what cannot be written in', () => {
		const style = document.createElement('style');
		style.textContent = '.ProseMirror [contenteditable="false"] { white-space: normal }';
		document.head.append(style);
		const desk = two();
		paintGhost(desk.view, { key: 'a', pos: 12, text: 'One\n\nTwo' });
		expect(getComputedStyle(ghosts(desk)[0]!).whiteSpace).toBe('pre-wrap');
		style.remove();
	});

	it('is written at most once a frame, into one node', async () => {
		const desk = two();
		paintGhost(desk.view, { key: 'a', pos: 12, text: 'a' });
		const [element] = ghosts(desk);
		expect([element!.childNodes.length, element!.firstChild!.nodeType]).toEqual([1, Node.TEXT_NODE]);
		const records: MutationRecord[] = [];
		const observer = new MutationObserver((more) => void records.push(...more));
		observer.observe(element!, { characterData: true, childList: true, subtree: true });
		for (let token = 0; token < 50; token++)
			paintGhost(desk.view, { key: 'a', pos: 12, text: 'a'.repeat(token + 2) });
		await frame();
		observer.disconnect();
		expect([records.length, shown(desk)]).toEqual([1, ['a'.repeat(51)]]);
	});

	it('moves neither caret, its place on the screen, focus nor scrolling', async () => {
		const desk = two().at(16);
		await frame();
		const before = desk.hand();
		expect(before.focus).toBe(true);
		paintGhost(desk.view, { key: 'below', pos: 20, text: 'below\nand below that' });
		paintGhost(desk.view, { key: 'end', pos: 21, block: true, text: 'a block' });
		await frame();
		expect(desk.hand()).toEqual(before);
		paintGhost(desk.view, { key: 'at the caret', pos: 16, text: 'where the person is' });
		await frame();
		expect(desk.hand()).toEqual(before);
		await desk.keys('xy');
		expect(desk.text).toBe('Hello world|Sexycond');
		expect(shown(desk)).toHaveLength(3);
	});

	it('above what is in view it pushes nothing: the line under the person’s eyes stays', async () => {
		const desk = new Desk(
			doc(...Array.from({ length: 120 }, (_, index) => p(`Line ${index} of the letter`)))
		);
		desk.frame.style.cssText = 'block-size: 300px; overflow: auto';
		desk.at(2000);
		desk.frame.scrollTop = Math.round(
			desk.frame.scrollTop + desk.view.coordsAtPos(2000).top - desk.frame.getBoundingClientRect().top - 150
		);
		await frame();
		const { y, anchor, focus } = desk.hand();
		expect(desk.frame.scrollTop).toBeGreaterThan(300);
		paintGhost(desk.view, { key: 'above', pos: 5, text: 'x' });
		for (let line = 1; line < 30; line++) {
			paintGhost(desk.view, { key: 'above', pos: 5, text: 'a line of its own\n'.repeat(line) });
			await frame();
		}
		expect(desk.hand()).toMatchObject({ y, anchor, focus });
		expect(ghosts(desk)[0]!.offsetHeight).toBeGreaterThan(300);
	});

	it('is silent, and not among what can be selected or written in', () => {
		const desk = two();
		paintGhost(desk.view, { key: 'a', pos: 12, text: 'ghost' });
		const [element] = ghosts(desk);
		expect(element!.getAttribute('aria-hidden')).toBe('true');
		expect(element!.isContentEditable).toBe(false);
		expect(desk.view.state.doc.textContent).not.toContain('ghost');
	});

	it('stands between blocks as a block, in a block as a part of its line', () => {
		const desk = two();
		paintGhost(desk.view, { key: 'between', pos: 13, text: 'one' });
		paintGhost(desk.view, { key: 'inside', pos: 12, text: 'two' });
		paintGhost(desk.view, { key: 'first', pos: 0, text: 'three' });
		const places = ghosts(desk).map((ghost) => [
			ghost.textContent,
			ghost.tagName,
			ghost.dataset['shape'],
			ghost.parentElement!.tagName
		]);
		expect(places).toEqual([
			['three', 'DIV', 'block', 'DIV'],
			['two', 'SPAN', 'inline', 'P'],
			['one', 'DIV', 'block', 'DIV']
		]);
	});

	it('keeps text as it is written: lines, spaces, direction, and a great deal of it', async () => {
		await import('../../src/lib/styles.css');
		const desk = two();
		paintGhost(desk.view, { key: 'lines', pos: 21, text: '# Title\n\n- one\n  - two' });
		paintGhost(desk.view, { key: 'rtl', pos: 12, text: 'مرحبا بالعالم 12' });
		paintGhost(desk.view, { key: 'markup', pos: 5, text: '<img src=x onerror=alert(1)>' });
		const [markup, rtl, lines] = ghosts(desk);
		expect(getComputedStyle(lines!).whiteSpaceCollapse).toBe('preserve');
		expect(lines!.innerText).toBe('# Title\n\n- one\n  - two');
		expect(getComputedStyle(rtl!).direction).toBe('rtl');
		expect(markup!.childElementCount).toBe(0);
		const long = 'word '.repeat(40_000);
		paintGhost(desk.view, { key: 'lines', pos: 0, text: long });
		await frame();
		expect(lines!.textContent).toBe(long);
	});
});

describe('S2-70 a ghost through edits', () => {
	it('stays the same element through the person’s keys and the redraws they cause', async () => {
		const desk = two().at(12);
		paintGhost(desk.view, { key: 'a', pos: 12, text: 'ghost' });
		const [element] = ghosts(desk);
		await desk.keys('abc{Enter}def{Backspace}');
		expect(desk.text).toBe('Hello worldabc|de|Second');
		expect(ghosts(desk)).toEqual([element]);
		expect([element!.textContent, element!.isConnected]).toEqual(['ghost', true]);
	});

	it('stays when the editor gets another plugin, as a menu brings one, and goes on growing', async () => {
		const desk = two();
		paintGhost(desk.view, { key: 'a', pos: 12, text: 'ghost' });
		const [element] = ghosts(desk);
		paintGhost(desk.view, { key: 'a', pos: 12, text: 'ghost and' });
		const { state } = desk.view;
		desk.view.updateState(state.reconfigure({ plugins: [...state.plugins, new Plugin({})] }));
		await frame();
		expect([ghosts(desk), shown(desk)]).toEqual([[element], ['ghost and']]);
		paintGhost(desk.view, { key: 'a', pos: 12, text: 'ghost and more' });
		await frame();
		expect(shown(desk)).toEqual(['ghost and more']);
	});

	it('stands in a second view of the same state, each with an element of its own', async () => {
		const desk = two();
		paintGhost(desk.view, { key: 'a', pos: 12, text: 'ghost' });
		const place = document.createElement('div');
		const other = new EditorView(place, { state: desk.view.state });
		paintGhost(other, { key: 'a', pos: 12, text: 'ghost and more' });
		await frame();
		expect([shown(desk), place.querySelector('[data-part="ghost"]')!.textContent]).toEqual([
			['ghost'],
			'ghost and more'
		]);
		other.destroy();
	});

	it('what is typed at its place stands before it, what is typed before it carries it along', async () => {
		const desk = two().at(6);
		paintGhost(desk.view, { key: 'a', pos: 6, text: 'GHOST' });
		await desk.keys('xy');
		expect(desk.view.dom.firstElementChild!.textContent).toBe('HelloxyGHOST world');
		desk.at(1);
		await desk.keys('__');
		expect(desk.view.dom.firstElementChild!.textContent).toBe('__HelloxyGHOST world');
	});

	it('stays when one side of its place is deleted, and goes for good when both are', async () => {
		const desk = two();
		paintGhost(desk.view, { key: 'a', pos: 6, text: 'ghost' });
		desk.view.dispatch(desk.view.state.tr.delete(6, 9).delete(3, 6));
		expect(shown(desk)).toEqual(['ghost']);
		desk.view.dispatch(desk.view.state.tr.delete(2, 5));
		expect(shown(desk)).toEqual([]);
		desk.dispatched = [];
		expect(paintGhost(desk.view, { key: 'a', pos: 6, text: 'ghost and more' })).toBe(false);
		await frame();
		expect([shown(desk), desk.dispatched]).toEqual([[], []]);
		clearGhost(desk.view, 'a');
		expect(paintGhost(desk.view, { key: 'a', pos: 2, text: 'anew' })).toBe(true);
		expect(shown(desk)).toEqual(['anew']);
	});

	it('a change of the block’s type leaves it where it is', () => {
		const desk = new Desk(doc(p(), p('x')));
		paintGhost(desk.view, { key: 'a', pos: 1, text: 'ghost' });
		desk.view.dispatch(desk.view.state.tr.setBlockType(1, 1, schema.nodes['heading']!, { level: 2 }));
		expect(ghosts(desk)[0]!.parentElement!.tagName).toBe('H2');
	});

	it('several at once, each its own', async () => {
		const desk = two();
		for (const key of ['a', 'b', 'c']) paintGhost(desk.view, { key, pos: 6, text: key });
		expect(shown(desk)).toEqual(['a', 'b', 'c']);
		for (const key of ['a', 'b', 'c']) paintGhost(desk.view, { key, pos: 0, text: key + key });
		clearGhost(desk.view, 'b');
		await frame();
		expect(shown(desk)).toEqual(['aa', 'cc']);
	});

	it('ghost and text change places in one transaction, which one Mod-z of nobody touches', () => {
		const desk = two();
		paintGhost(desk.view, { key: 'a', pos: 12, text: ' and all' });
		desk.dispatched = [];
		desk.run((tr) => tr.insertText(' and all', 12).setMeta(ghostKey, { clear: 'a' }));
		expect([desk.dispatched.length, shown(desk), desk.text]).toEqual([1, [], 'Hello world and all|Second']);
		desk.run((tr) => tr.setMeta(ghostKey, { clear: ['x', 'y'] }));
		expect(desk.view.state.doc.textContent).toBe('Hello world and allSecond');
	});
});

describe('S2-70 where no ghost can be', () => {
	it('no plugin, a place beyond the document, a refused transaction: false, and nothing else', () => {
		const desk = two();
		for (const pos of [-1, 9999, 1.5, NaN])
			expect(paintGhost(desk.view, { key: 'a', pos, text: 'x' })).toBe(false);
		clearGhost(desk.view, 'unknown');
		expect(desk.dispatched).toEqual([]);

		const place = document.createElement('div');
		const plain = new EditorView(place, { state: EditorState.create({ doc: doc(p('x')) }) });
		expect(paintGhost(plain, { key: 'a', pos: 1, text: 'x' })).toBe(false);
		clearGhost(plain, 'a');
		plain.destroy();

		const strict = new EditorView(place, {
			state: EditorState.create({ doc: doc(p('x')), plugins: [ghostPlugin()] }),
			dispatchTransaction: () => undefined
		});
		expect(paintGhost(strict, { key: 'a', pos: 1, text: 'x' })).toBe(false);
		expect(strict.dom.querySelector('[data-part="ghost"]')).toBeNull();
		strict.destroy();
	});

	it('a view that was destroyed while text was on its way', async () => {
		const desk = two();
		const errors = vi.fn();
		addEventListener('error', errors);
		paintGhost(desk.view, { key: 'a', pos: 1, text: 'x' });
		paintGhost(desk.view, { key: 'a', pos: 1, text: 'xy' });
		desk.close();
		await frame();
		expect(paintGhost(desk.view, { key: 'a', pos: 1, text: 'xyz' })).toBe(false);
		clearGhost(desk.view, 'a');
		removeEventListener('error', errors);
		expect(errors).not.toHaveBeenCalled();
	});

	it('a read-only editor shows what is being written as well', () => {
		const desk = two();
		desk.view.setProps({ editable: () => false });
		paintGhost(desk.view, { key: 'a', pos: 12, text: 'ghost' });
		expect(shown(desk)).toEqual(['ghost']);
	});
});
