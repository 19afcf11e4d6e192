import fc from 'fast-check';
import { closeHistory, redo, undo } from 'prosemirror-history';
import { Fragment, Slice, type Node } from 'prosemirror-model';
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { splitBlock } from 'prosemirror-commands';
import { describe, expect, it } from 'vitest';
import { actingAs } from '../../src/lib/actor/index.js';
import { origins, originsIn } from '../../src/lib/canon/participants/document/index.js';
import { Runs, type Run } from '../../src/lib/canon/participants/document/origins/runs.js';
import { desk, doc, p, person, schema, type Desk } from '../fixtures/document/desk.js';

/** The text of a document with a letter for where each character comes from: `hello[uuiii]`. */
function told({ view }: Desk): string {
	const letters: string[] = [];
	view.state.doc.descendants((node, pos) => {
		if (!node.isText) return;
		const from = originsIn(view.state, pos, pos + node.nodeSize)
			.map(({ from, to, origin }) => origin[0]!.repeat(to - from))
			.join('');
		letters.push(`${node.text!}[${from}]`);
	});
	return letters.join(' ');
}
const send = ({ view }: Desk, tr: Transaction) => view.dispatch(tr);
const asPerson = (one: Desk, fn: (tr: Transaction) => Transaction) =>
	actingAs(person, () => send(one, fn(one.view.state.tr)));
const back = ({ view }: Desk) => undo(view.state, view.dispatch.bind(view));
const again = ({ view }: Desk) => redo(view.state, view.dispatch.bind(view));

describe('where text comes from', () => {
	it('what is loaded is nobody’s, unless the app vouches for it', () => {
		expect(told(desk([p('abc')]))).toBe('abc[iii]');
		expect(told(desk([p('abc')], { vouch: 'user' }))).toBe('abc[uuu]');
		expect(told(desk([p('abc')], { vouch: 'app' }))).toBe('abc[aaa]');
	});
	it('what the app vouches for still says itself what an agent wrote', () => {
		const by = schema.mark('agentText', { run: 'r0', agent: 'ada', version: null, at: 1 });
		const content = schema.node('paragraph', null, [
			schema.text('ab'),
			schema.text('cd', [by]),
			schema.text('e')
		]);
		const one = desk([content], { vouch: 'user' });
		expect(told(one)).toBe('ab[uu] cd[aa] e[u]');
		expect(originsIn(one.view.state, 3, 5)).toEqual([{ from: 3, to: 5, origin: 'agent', run: 'r0' }]);
		send(one, one.view.state.tr.insert(0, content));
		expect(told(one)).toBe('ab[uu] cd[aa] e[u] ab[uu] cd[aa] e[u]');
	});
	it('typed is the person’s, pasted and dropped is not, an agent’s says its run', () => {
		const one = desk([p('abc')]);
		one.type('X', 2);
		expect(told(one)).toBe('aXbc[iuii]');
		asPerson(one, (tr) => tr.insertText('P', 1).setMeta('uiEvent', 'paste').setMeta('paste', true));
		expect(told(one)).toBe('PaXbc[iiuii]');
		asPerson(one, (tr) => tr.insertText('D', 1).setMeta('uiEvent', 'drop'));
		expect(told(one)).toBe('DPaXbc[iiiuii]');
		one.as('r1', () => one.document.replaceText(one.document.blocks()[0]!.id, 'b', 'bee'));
		expect(told(one)).toMatch(/\[iiiu[ia]{3}a?i*\]|\[/);
		expect(one.document.origins(one.document.blocks()[0]!.id).some(({ run }) => run === 'r1')).toBe(true);
	});
	it('a script is not a person: without a trusted hand new text is nobody’s', () => {
		const one = desk([p('abc')]);
		one.view.dom.dispatchEvent(new KeyboardEvent('keydown', { key: 'x' }));
		one.view.dom.dispatchEvent(new InputEvent('beforeinput', { inputType: 'insertText', data: 'x' }));
		one.view.dispatch(one.view.state.tr.insertText('x', 2));
		expect(told(one)).toBe('axbc[iiii]');
		const typed = one.view.someProp('handleTextInput', (f) =>
			f(one.view, 2, 2, 'y', () => one.view.state.tr)
		);
		expect(typed).toBeFalsy();
		one.view.dispatch(one.view.state.tr.insertText('y', 2));
		expect(told(one)).toBe('ayxbc[iiiii]');
	});
	it('text from others in a shared document is nobody’s, the rest stays what it was', () => {
		const one = desk([p('abc')], { vouch: 'user' });
		const fresh = doc(schema.node('paragraph', one.view.state.doc.firstChild!.attrs, [schema.text('abRc')]));
		const whole = new Slice(fresh.content, 0, 0);
		send(
			one,
			one.view.state.tr
				.replace(0, one.view.state.doc.content.size, whole)
				.setMeta('y-sync$', { isChangeOrigin: true })
		);
		expect(told(one)).toBe('abRc[uuiu]');
	});
	it('what is deleted and brought back is what it was, in one piece or in several', () => {
		const one = desk([p('abcdef')]);
		one.type('XY', 4);
		expect(told(one)).toBe('abcXYdef[iiiuuiii]');
		asPerson(one, (tr) => closeHistory(tr).delete(2, 8));
		back(one);
		expect(told(one)).toBe('abcXYdef[iiiuuiii]');
		send(one, closeHistory(one.view.state.tr));
		for (let at = 7; at >= 3; at--) asPerson(one, (tr) => tr.delete(at - 1, at));
		expect(told(one)).toBe('aef[iii]');
		while (told(one).length < 'abcXYdef[iiiuuiii]'.length) expect(back(one)).toBe(true);
		expect(told(one)).toBe('abcXYdef[iiiuuiii]');
		back(one);
		expect(told(one)).toBe('abcdef[iiiiii]');
		again(one);
		expect(told(one)).toBe('abcXYdef[iiiuuiii]');
	});
	it('pasted text that was deleted does not come back as the person’s', () => {
		const one = desk([p('')], { vouch: 'user' });
		asPerson(one, (tr) => tr.insertText('evil', 1).setMeta('uiEvent', 'paste').setMeta('paste', true));
		asPerson(one, (tr) => closeHistory(tr).delete(1, 5));
		back(one);
		expect(told(one)).toBe('evil[iiii]');
	});
	it('history that brings back what nobody remembers brings back nobody’s', () => {
		const one = desk([p('abc')], { vouch: 'user' });
		send(
			one,
			one.view.state.tr.insertText('new', 1).setMeta('history$', { redo: false, historyState: null })
		);
		expect(told(one)).toBe('newabc[iiiuuu]');
	});
	it('moved within one transaction, it stays what it was', () => {
		const one = desk([p('imported'), p('x')]);
		const { tr } = one.view.state;
		const node = tr.doc.firstChild!;
		asPerson(one, () => tr.delete(0, node.nodeSize).insert(3, node));
		expect(told(one)).toBe('x[i] imported[iiiiiiii]');
	});
	it('taking a run back brings back what it had removed, as what it was', async () => {
		const one = desk([p('abcdef', 'a'), p('z', 'z')]);
		one.type('XY', 4);
		one.as('r1', () => one.document.rewrite('a', 'quite other words'));
		one.document.end('r1');
		expect(told(one)).toContain('a');
		await one.document.undo('r1');
		expect(told(one)).toBe('abcXYdef[iiiuuiii] z[i]');
		await one.document.redo('r1');
		expect(one.document.origins('a').every(({ origin }) => origin === 'agent')).toBe(true);
	});
	it('splitting and joining change nothing', () => {
		const one = desk([p('abcd')], { vouch: 'user' });
		asPerson(one, (tr) => tr.insertText('PP', 3).setMeta('paste', true));
		asPerson(one, (tr) => tr.setSelection(TextSelection.create(tr.doc, 4)));
		actingAs(person, () => splitBlock(one.view.state, one.view.dispatch.bind(one.view)));
		expect(told(one)).toBe('abP[uui] Pcd[iuu]');
		asPerson(one, (tr) => tr.join(5));
		expect(told(one)).toBe('abPPcd[uuiiuu]');
	});
	it('is saved and loaded with the state; what does not fit the document is forgotten', () => {
		const plugin = origins();
		const make = (content: Node) => EditorState.create({ doc: content, plugins: [plugin] });
		let state = make(doc(p('abc')));
		state = actingAs(person, () => state.apply(state.tr.insertText('X', 2)));
		const saved = state.toJSON({ origins: plugin }) as { origins: unknown };
		const load = (json: unknown) =>
			EditorState.fromJSON({ schema, plugins: [plugin] }, json, { origins: plugin });
		expect(originsIn(load(JSON.parse(JSON.stringify(saved))), 1, 5)).toEqual(originsIn(state, 1, 5));
		for (const origins of [null, 'x', [[1, 'user']], [[-1, 'user']], [[6, 7]]])
			expect(originsIn(load({ ...saved, origins }), 1, 5)).toEqual([{ from: 1, to: 5, origin: 'imported' }]);
	});
	it('without the plugin nobody knows', () => {
		const state = EditorState.create({ doc: doc(p('abc')) });
		expect(originsIn(state, 1, 4)).toEqual([{ from: 1, to: 4, origin: 'imported' }]);
		expect(originsIn(state, 1, 1)).toEqual([]);
	});
	it('covers the document exactly after any row of edits', () => {
		const edit = fc.record({
			kind: fc.constantFrom('type', 'paste', 'delete', 'split', 'undo', 'redo', 'run'),
			a: fc.nat(500),
			b: fc.nat(500)
		});
		fc.assert(
			fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
				const one = desk([p('some words'), p('and more')]);
				edits.forEach(({ kind, a, b }, index) => {
					const { doc } = one.view.state;
					const at = (n: number) => TextSelection.near(doc.resolve(n % (doc.content.size + 1))).from;
					const [from, to] = [at(a), at(b)].sort((x, y) => x - y) as [number, number];
					if (kind === 'type') one.type('xy', from);
					else if (kind === 'paste')
						asPerson(one, (tr) =>
							tr
								.replaceRange(from, to, new Slice(Fragment.from([p('in'), p('out')]), 1, 1))
								.setMeta('paste', true)
						);
					else if (kind === 'delete') asPerson(one, (tr) => tr.deleteRange(from, to));
					else if (kind === 'split') asPerson(one, (tr) => tr.split(from));
					else if (kind === 'undo') back(one);
					else if (kind === 'redo') again(one);
					else one.as(`r${index}`, () => one.document.insert('end', 'written'));
				});
				const { state } = one.view;
				const ranges = originsIn(state, 0, state.doc.content.size);
				expect(ranges.at(-1)?.to).toBe(state.doc.content.size);
				ranges.forEach(({ from }, index) => expect(from).toBe(index === 0 ? 0 : ranges[index - 1]!.to));
				one.view.destroy();
			}),
			{ numRuns: 60 }
		);
	});
});

describe('runs of lengths', () => {
	it('say the same as a plain list, whatever is put in the place of what', () => {
		const step = fc.record({
			from: fc.nat(300),
			length: fc.nat(40),
			put: fc.array(fc.tuple(fc.nat(9), fc.constantFrom('a', 'b', 'c')), { maxLength: 4 })
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
				let plain = 'a'.repeat(300).split('');
				let runs = Runs.of<string>([[300, 'a']]);
				for (const { from, length, put } of steps) {
					const [start, end] = [Math.min(from, plain.length), Math.min(from + length, plain.length)];
					plain = [
						...plain.slice(0, start),
						...put.flatMap(([n, v]) => v.repeat(n).split('')),
						...plain.slice(end)
					];
					runs = runs.replace(start, end, put as unknown as Run<string>[]);
					expect(runs.size).toBe(plain.length);
				}
				const written = (list: readonly Run<string>[]) => list.map(([n, v]) => v.repeat(n)).join('');
				expect(written(runs.all())).toBe(plain.join(''));
				expect(written(runs.slice(10, 50))).toBe(plain.slice(10, 50).join(''));
				for (const [index, [length, value]] of runs.all().entries()) {
					expect(length).toBeGreaterThan(0);
					expect(runs.all()[index - 1]?.[1]).not.toBe(value);
				}
			})
		);
	});
});
