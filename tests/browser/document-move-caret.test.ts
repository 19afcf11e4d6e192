import { NodeSelection, TextSelection } from 'prosemirror-state';
import { userEvent } from 'vitest/browser';
import { describe, expect, it } from 'vitest';
import { desk, h, li, p, schema, ul, type Desk } from '../fixtures/document/desk.js';

const place = (one: Desk, id: string): number => {
	let found = -1;
	one.view.state.doc.descendants((node, pos) => void (node.attrs['id'] === id && (found = pos)));
	return found;
};
const letter = () =>
	desk([
		h(1, 'Letter', 'title'),
		p('Dear Nadia', 'hello'),
		ul('list', li(p('one', 'i1')), li(p('two', 'i2')), li(p('three', 'i3'))),
		p('Yours', 'bye')
	]);
function caret(one: Desk, id: string, from: number, to = from): void {
	const at = place(one, id) + 1;
	one.view.dispatch(
		one.view.state.tr.setSelection(TextSelection.create(one.view.state.doc, at + from, at + to))
	);
	one.view.focus();
}
const selected = ({ view }: Desk) => {
	const { $anchor, $head } = view.state.selection;
	return [$head.parent.attrs['id'], $anchor.parentOffset, $head.parentOffset];
};

describe('S2-70 an agent moves the block the caret stands in, and the caret goes with it', () => {
	it.each<[string, string, 'start' | 'end' | { after: string }]>([
		['down', 'hello', 'end'],
		['up', 'hello', 'start'],
		['to its list’s end', 'i1', { after: 'i3' }],
		['to its list’s beginning', 'i3', { after: 'i1' }],
		['behind another', 'bye', { after: 'title' }]
	])('%s', async (_, id, to) => {
		const one = letter();
		caret(one, id, 2);
		expect(one.as('r1', () => one.document.move(id, to)).ok).toBe(true);
		expect(selected(one)).toEqual([id, 2, 2]);
		expect(document.activeElement).toBe(one.view.dom);
		await userEvent.keyboard('X');
		expect(one.view.state.doc.nodeAt(place(one, id))!.textContent.slice(0, 4)).toMatch(/^..X./);
		one.document.end('r1');
		await one.document.undo('r1');
		expect(selected(one)).toEqual([id, 3, 3]);
	});

	it('with a selection and its direction, and with the letter that was about to be bold', async () => {
		const one = letter();
		caret(one, 'hello', 7, 2);
		one.as('r1', () => one.document.move('hello', 'end'));
		expect(selected(one)).toEqual(['hello', 7, 2]);
		caret(one, 'hello', 10);
		one.view.dispatch(one.view.state.tr.addStoredMark(schema.mark('strong')));
		one.as('r1', () => one.document.move('hello', 'start'));
		await userEvent.keyboard('B');
		expect(one.view.state.doc.firstChild!.lastChild!.marks.map(({ type }) => type.name)).toEqual(['strong']);
	});

	it('with the block itself selected', () => {
		const one = letter();
		one.view.dispatch(
			one.view.state.tr.setSelection(NodeSelection.create(one.view.state.doc, place(one, 'hello')))
		);
		one.as('r1', () => one.document.move('hello', 'end'));
		expect((one.view.state.selection as NodeSelection).node.attrs['id']).toBe('hello');
		one.as('r1', () => one.document.move('hello', 'start'));
		expect(one.view.state.selection.from).toBe(0);
		expect((one.view.state.selection as NodeSelection).node.attrs['id']).toBe('hello');
	});

	it('elsewhere it stays where it is, in a block that others are moved over', () => {
		const one = letter();
		caret(one, 'i2', 1);
		one.as('r1', () => one.document.move('hello', 'end'));
		one.as('r1', () => one.document.move('bye', 'start'));
		expect(selected(one)).toEqual(['i2', 1, 1]);
	});
});
