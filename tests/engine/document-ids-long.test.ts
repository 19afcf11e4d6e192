import { history, undo } from 'prosemirror-history';
import { Schema, type Node } from 'prosemirror-model';
import { marks, nodes } from 'prosemirror-schema-basic';
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { Mapping, Step } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import {
	completeBlockIds,
	documentRow,
	edit,
	endRun,
	ensureBlockIds,
	originsIn,
	undoRun,
	withBlockIds,
	withProvenance
} from '../../src/lib/canon/participants/document/index.js';

const specs = withProvenance({ nodes, marks });
const schema = new Schema({ nodes: withBlockIds(specs.nodes), marks: specs.marks });
const p = (text: string, id: string | null = null) => schema.node('paragraph', { id }, [schema.text(text)]);
const long = (blocks: number) =>
	schema.node(
		'doc',
		null,
		Array.from({ length: blocks }, (_, at) => p(`The presses run since day ${at}.`))
	);
const idsIn = (doc: Node): (string | null)[] => {
	const ids: (string | null)[] = [];
	doc.descendants((node) => {
		if (node.isBlock) ids.push(node.attrs['id'] as string | null);
	});
	return ids;
};
const withoutIds = (doc: Node) => doc.content.content.map(({ textContent }) => textContent);

class Editor {
	state: EditorState;
	seen: Transaction[] = [];
	constructor(doc: Node) {
		this.state = EditorState.create({ doc, plugins: documentRow([history()]) });
	}
	dispatch(tr: Transaction): void {
		const { state, transactions } = this.state.applyTransaction(tr);
		this.state = state;
		this.seen.push(...transactions);
	}
}

describe('S2-108 the blocks of a long document get their ids', () => {
	it('20,000 of them in one step that moves nothing and is in nobody’s history', () => {
		const editor = new Editor(long(20_000));
		const text = withoutIds(editor.state.doc);
		editor.dispatch(editor.state.tr.setSelection(TextSelection.create(editor.state.doc, 5)));
		editor.seen = [];
		ensureBlockIds(editor);
		expect(editor.seen.flatMap(({ steps }) => steps)).toHaveLength(1);
		expect(
			editor.seen[0]!.mapping.maps.flatMap((map) => (map as unknown as { ranges: number[] }).ranges)
		).toEqual([]);
		const ids = idsIn(editor.state.doc);
		expect(new Set(ids).size).toBe(20_000);
		expect(ids).not.toContain(null);
		expect(withoutIds(editor.state.doc)).toEqual(text);
		expect(editor.state.selection.head).toBe(5);
		expect(undo(editor.state)).toBe(false);
		expect(originsIn(editor.state, 0, 40)).toEqual([{ from: 0, to: 40, origin: 'imported' }]);
		ensureBlockIds(editor);
		expect(editor.seen).toHaveLength(1);
	});

	it('some at a time while somebody types, and no block twice', () => {
		const editor = new Editor(long(1300));
		const key = () => editor.dispatch(editor.state.tr.insertText('x', 3));
		const named = () => idsIn(editor.state.doc).filter((id) => id !== null);
		key();
		const first = named();
		expect(first.length).toBeGreaterThan(0);
		expect(first.length).toBeLessThan(1300);
		for (let turn = 0; turn < 5; turn++) key();
		expect(named().slice(0, first.length)).toEqual(first);
		expect(new Set(named()).size).toBe(1300);
		expect(editor.state.doc.firstChild!.textContent).toBe('Thxxxxxxe presses run since day 0.');
	});

	it('a copy that is pasted before all have one is the copy', () => {
		const editor = new Editor(long(1300));
		editor.dispatch(editor.state.tr.insertText('x', 3));
		const first = editor.state.doc.firstChild!;
		editor.dispatch(editor.state.tr.insert(0, first));
		expect(editor.state.doc.child(1).attrs['id']).toBe(first.attrs['id']);
		ensureBlockIds(editor);
		expect(editor.state.doc.child(1).attrs['id']).toBe(first.attrs['id']);
		expect(new Set(idsIn(editor.state.doc)).size).toBe(1301);
	});

	it('a run that writes meanwhile is taken back exactly', () => {
		const editor = new Editor(long(1300));
		editor.dispatch(edit(editor.state, 'r', (tr) => tr.insertText('Ada’s ', 1)));
		ensureBlockIds(editor);
		editor.dispatch(endRun(editor.state, 'r'));
		editor.dispatch(undoRun(editor.state, 'r')!.tr);
		expect(withoutIds(editor.state.doc)).toEqual(withoutIds(long(1300)));
		expect(idsIn(editor.state.doc)).not.toContain(null);
	});

	it('before the editor begins, and then none afterwards', () => {
		const doc = completeBlockIds(long(20_000));
		expect(new Set(idsIn(doc)).size).toBe(20_000);
		const editor = new Editor(doc);
		ensureBlockIds(editor);
		expect(editor.state.doc).toBe(doc);
		expect(completeBlockIds(doc)).toBe(doc);
	});

	it('those that are there stay, the second of two equal ones and those inside others are new', () => {
		let next = 0;
		const doc = completeBlockIds(
			schema.node('doc', null, [
				p('a', 'n2'),
				schema.node('blockquote', null, [p('b'), p('c', 'n2')]),
				schema.node('horizontal_rule')
			]),
			{ ids: () => `n${++next}` }
		);
		expect(idsIn(doc)).toEqual(['n2', 'n1', 'n3', 'n4', 'n5']);
		expect(() => doc.check()).not.toThrow();
	});

	it('the step can be saved, turned round, and carried over what others did', () => {
		const editor = new Editor(long(60));
		const before = editor.state.doc;
		ensureBlockIds(editor);
		const step = editor.seen[0]!.steps[0]!;
		const again = Step.fromJSON(schema, JSON.parse(JSON.stringify(step)));
		expect(again.apply(before).doc!.eq(editor.state.doc)).toBe(true);
		expect(step.invert(before).apply(editor.state.doc).doc!.eq(before)).toBe(true);

		const other = EditorState.create({ doc: before }).tr.delete(0, before.firstChild!.nodeSize);
		const carried = step.map(new Mapping(other.mapping.maps))!.apply(other.doc).doc!;
		expect(idsIn(carried)).toEqual(idsIn(editor.state.doc).slice(1));
		expect(step.map(new Mapping(other.delete(0, other.doc.content.size).mapping.maps))).toBeNull();
		expect(step.apply(schema.node('doc', null, [p('a')])).failed).toContain('no block');
		for (const ids of [undefined, 'x', [[1]], [['a', 'b']]])
			expect(() => Step.fromJSON(schema, { stepType: 'blockIds', ids })).toThrow(RangeError);
	});

	it('what another peer’s step brings is known afterwards', () => {
		const one = new Editor(long(60));
		const two = new Editor(long(60));
		ensureBlockIds(two);
		ensureBlockIds(one);
		one.dispatch(one.state.tr.step(two.seen[0]!.steps[0]!));
		const ids = idsIn(one.state.doc);
		expect(ids).toEqual(idsIn(two.state.doc));
		// A copy of a block that the peer named is a copy.
		one.dispatch(one.state.tr.insert(0, one.state.doc.lastChild!));
		expect(new Set(idsIn(one.state.doc)).size).toBe(61);
		expect(idsIn(one.state.doc).slice(1)).toEqual(ids);
	});
});
