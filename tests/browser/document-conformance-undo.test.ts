import { describe, expect, it } from 'vitest';
import { undoDepth } from 'prosemirror-history';
import { bench, call } from './fixtures/document-bench.js';
import { editors } from './fixtures/document-editors.js';
import { actingAs } from '../../src/lib/actor/index.js';
import { person } from '../../src/lib/testing/index.js';

const UNDO = '{Control>}z{/Control}';
const REDO = '{Control>}{Shift>}z{/Shift}{/Control}';

describe.each(Object.keys(editors))('one undo in %s', (name) => {
	/** The last line, where everything happens. */
	const last = (text: string) => text.split('\n').findLast((line) => line !== '');
	const put = (block: string, find: string, text: string) => call('replaceText', { block, find, text });

	it('S2-75 Mod-z right after a run takes back exactly the run, and the engine knows', async () => {
		const { agent, block, caret, press, run, text, type } = bench(name);
		caret('Kind regards');
		await type(', Iker');
		const { id } = await run(put(block('Kind').id, 'Kind', 'Very kind'));
		expect(last(text())).toBe('Very kind regards, Iker');
		await press(UNDO);
		await expect.poll(() => agent.get(id)?.state.undone).toBe('all');
		expect(last(text())).toBe('Kind regards, Iker');
		await press(UNDO);
		expect(last(text())).toBe('Kind regards');
		await press(REDO);
		expect(last(text())).toBe('Kind regards, Iker');
		await press(REDO);
		await expect.poll(() => agent.get(id)?.state.undone).toBeUndefined();
		expect(last(text())).toBe('Very kind regards, Iker');
		await press(REDO);
		expect(last(text())).toBe('Very kind regards, Iker');
		const undo = agent.get(id)!.journal.find(({ kind }) => kind === 'run.undone');
		expect(undo?.by).toEqual({ kind: 'human', id: 'person' });
	});

	it('S2-74 what was typed since the run goes first, then the run', async () => {
		const { agent, block, caret, press, run, text, type } = bench(name);
		const { id } = await run(put(block('Kind').id, 'Kind', 'Very kind'));
		caret('regards');
		await type('!');
		await press(UNDO);
		expect(last(text())).toBe('Very kind regards');
		await press(UNDO);
		await expect.poll(() => agent.get(id)?.state.undone).toBe('all');
		expect(last(text())).toBe('Kind regards');
	});

	it('S2-75 an older run goes alone: later words of the person and of another run stay', async () => {
		const { agent, block, caret, run, text, type } = bench(name);
		const one = await run(put(block('Kind').id, 'Kind', 'Very kind'));
		caret('Very');
		await type(' very');
		const two = await run(put(block('Very').id, 'regards', 'regards from Bilbao'));
		expect(last(text())).toBe('Very very kind regards from Bilbao');
		const report = await agent.undo(one.id, person);
		expect(report.ok).toBe(true);
		expect(last(text())).toMatch(
			/very.*Kind regards from Bilbao|Kind.*very.*regards from Bilbao|very Kind regards/i
		);
		expect(text()).toContain(' very');
		expect(text()).toContain('from Bilbao');
		expect(text()).not.toContain('kind regards');
		await agent.redo(one.id, person);
		expect(last(text())).toBe('Very very kind regards from Bilbao');
		await agent.undo(two.id, person);
		expect(last(text())).toBe('Very very kind regards');
	});

	it('S2-75 a toolbar takes the same way as the keys', async () => {
		const { agent, block, redo, run, text, undo } = bench(name);
		const { id } = await run(put(block('Kind').id, 'Kind', 'Very kind'));
		expect(undo()).toBe(true);
		await expect.poll(() => agent.get(id)?.state.undone).toBe('all');
		expect(last(text())).toBe('Kind regards');
		expect(redo()).toBe(true);
		await expect.poll(() => agent.get(id)?.state.undone).toBeUndefined();
		expect(last(text())).toBe('Very kind regards');
	});

	it('S2-75 without an engine to ask, keys and toolbar take the run back by themselves', async () => {
		const { block, press, run, text, undo, view } = bench(name, { asks: false });
		await run(put(block('Kind').id, 'Kind', 'Very kind'));
		view.focus();
		await press(UNDO);
		expect(last(text())).toBe('Kind regards');
		await press(REDO);
		expect(last(text())).toBe('Very kind regards');
		expect(undo()).toBe(true);
		expect(last(text())).toBe('Kind regards');
	});

	it('S2-74 a run is no step of the person’s history and wipes none of it', async () => {
		const { block, caret, press, run, text, type, view } = bench(name);
		caret('regards');
		await type(', Iker');
		await press(UNDO);
		const depth = undoDepth(view.state);
		await run(put(block('Kind').id, 'Kind', 'Very kind'));
		expect(undoDepth(view.state)).toBe(depth);
		expect(last(text())).toBe('Very kind regards');
	});

	it('S2-70 caret, selection, focus and scroll stay, wherever the agent writes', async () => {
		const { block, caret, press, run, view } = bench(name);
		view.dom.style.cssText = 'block-size: 120px; overflow-y: auto';
		caret('within 45');
		await press('{Shift>}{Control>}{ArrowLeft}{/Control}{/Shift}');
		view.dom.scrollTop = 60;
		const selected = () => {
			const { from, to } = view.state.selection;
			return [view.state.doc.textBetween(from, to), view.dom.scrollTop, document.activeElement === view.dom];
		};
		const before = selected();
		expect(before[0]).toBe('45');
		await run(
			call('insert', { after: 'end', text: 'A new end.' }),
			put(block('The total').id, 'payable', 'to be paid'),
			call('format', { block: block('Late').id, format: 'bold' })
		);
		expect(selected()).toEqual(before);
		expect(document.getSelection()?.toString()).toBe('45');
	});

	it('S2-75 fifty keys and fifty edits of a run in turns: one undo takes exactly the run', async () => {
		const { agent, block, caret, document, press, text, type, view } = bench(name, { asks: false });
		const { id: target } = block('Kind');
		caret('Kind regards');
		const by = { kind: 'agent', id: 'ada', name: 'Ada', run: 'r1', step: 's1' } as const;
		let mine = '';
		for (let i = 0; i < 50; i++) {
			const letter = String.fromCharCode(97 + (i % 26));
			mine += letter;
			await type(letter);
			const report = actingAs(by, () =>
				document.replaceText(
					target,
					i === 0 ? 'Kind' : `[${i - 1}]`,
					i === 0 ? 'Kind [0]' : `[${i - 1}] [${i}]`
				)
			);
			expect(report.ok).toBe(true);
		}
		document.end('r1');
		expect(last(text())).toContain('[0] [1]');
		const at = view.state.selection.head;
		const all = text();
		await press(UNDO);
		expect(last(text())).toBe(`Kind regards${mine}`);
		expect(view.state.selection.$head.parentOffset).toBe(`Kind regards${mine}`.length);
		await press(REDO);
		expect(text()).toBe(all);
		expect(view.state.selection.head).toBe(at);
		expect(agent.runs).toEqual([]);
	});
});
