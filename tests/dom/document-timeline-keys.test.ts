import { history, redo as historyRedo, undo as historyUndo } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import { Schema } from 'prosemirror-model';
import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { afterEach, describe, expect, it } from 'vitest';
import { documentRow } from '../../src/lib/canon/participants/document/index.js';
import {
	beginRun,
	edit,
	endRun,
	timelineKeys,
	undoTimeline,
	undoRun,
	type TimelineKeysOptions
} from '../../src/lib/canon/participants/document/timeline/index.js';

const schema = new Schema({
	nodes: { doc: { content: 'p+' }, p: { content: 'text*', toDOM: () => ['p', 0] }, text: {} }
});

let view: EditorView;
afterEach(() => {
	if (!view?.isDestroyed) view?.destroy();
});

function open(options: TimelineKeysOptions = {}): void {
	view = new EditorView(document.body.appendChild(document.createElement('div')), {
		state: EditorState.create({
			doc: schema.node('doc', null, [schema.node('p', null, [schema.text('x')])]),
			plugins: [
				timelineKeys({ mac: false, ...options }),
				history(),
				keymap({ 'Mod-z': historyUndo, 'Mod-y': historyRedo, 'Shift-Mod-z': historyRedo }),
				undoTimeline()
			]
		})
	});
}
const text = (): string => view.state.doc.textContent;
const type = (word: string): void =>
	view.dispatch(view.state.tr.insertText(word, view.state.doc.content.size - 1));
function agent(run: string, word: string): void {
	view.dispatch(beginRun(view.state, run));
	view.dispatch(edit(view.state, run, (tr) => tr.insertText(word, 1)));
	view.dispatch(endRun(view.state, run));
}
/** Whether somebody answered for it. */
function press(key: string, init: KeyboardEventInit = {}): boolean {
	const event = new KeyboardEvent('keydown', {
		key,
		ctrlKey: true,
		bubbles: true,
		cancelable: true,
		...init
	});
	view.dom.dispatchEvent(event);
	return event.defaultPrevented;
}

describe('Mod-z in an editor', () => {
	it('S2-75 takes back a run and the person’s events in order, and brings them back', () => {
		open();
		const seen: string[] = [];
		type('a');
		agent('r', 'R');
		type('b');
		for (const key of ['z', 'z', 'z', 'Z', 'y', 'Z']) {
			press(key, { shiftKey: key === 'Z' });
			seen.push(text());
		}
		expect(seen).toEqual(['Rxa', 'xa', 'x', 'xa', 'Rxa', 'Rxab']);
	});

	it('S2-75 answers also when there is nothing to do, so that nobody undoes in its stead', () => {
		open();
		type('a');
		expect(press('Z', { shiftKey: true })).toBe(true);
		expect(press('y')).toBe(true);
		expect(text()).toBe('xa');
		press('z');
		expect(press('z')).toBe(true);
		expect(text()).toBe('x');
	});

	it('S2-75 leaves other keys alone, and asks for Cmd on a Mac', () => {
		open({ mac: true });
		type('a');
		expect(press('z', { ctrlKey: true, altKey: true })).toBe(false);
		press('z', { ctrlKey: false, metaKey: true });
		expect(text()).toBe('x');
	});

	it('S2-75 hears the undo of a menu', () => {
		open();
		agent('r', 'R');
		const event = new InputEvent('beforeinput', {
			inputType: 'historyUndo',
			bubbles: true,
			cancelable: true
		});
		view.dom.dispatchEvent(event);
		expect([text(), event.defaultPrevented]).toEqual(['x', true]);
		view.dom.dispatchEvent(new InputEvent('beforeinput', { inputType: 'historyRedo', bubbles: true }));
		expect(text()).toBe('Rx');
	});

	it('S2-75 changes nothing in an editor that only reads', () => {
		open();
		agent('r', 'R');
		view.setProps({ editable: () => false });
		press('z');
		expect(text()).toBe('Rx');
	});
});

describe('a document whose steps are sent as JSON', () => {
	it('S2-75 asks for plain steps where it sets up its plugins, and an undo keeps to them', () => {
		const undone = (steps: 'any' | 'plain') => {
			let state = EditorState.create({
				doc: schema.node('doc', null, [schema.node('p', null, [schema.text('x'.repeat(40))])]),
				plugins: documentRow([history()], { steps })
			});
			for (let i = 0; i < 20; i++)
				state = state.apply(edit(state, 'r', (tr) => tr.insertText('R', 2 + 2 * i)));
			state = state.apply(endRun(state, 'r'));
			const { tr } = undoRun(state, 'r')!;
			expect(tr.doc.textContent).toBe('x'.repeat(40));
			return [...new Set(tr.steps.map((step) => (step.toJSON() as { stepType: string }).stepType))];
		};
		expect([undone('any'), undone('plain')]).toEqual([['agentWords'], ['replace']]);
	});
});

describe('Mod-z where another undo keeps what the person did', () => {
	it('S2-75 takes runs back and leaves everything else to it', () => {
		const asked: string[] = [];
		const other = (name: string) => () => asked.push(name) > 0;
		view = new EditorView(document.body.appendChild(document.createElement('div')), {
			state: EditorState.create({
				doc: schema.node('doc', null, [schema.node('p', null, [schema.text('x')])]),
				plugins: [
					timelineKeys({ mac: false }),
					keymap({ 'Mod-z': other('undo'), 'Mod-y': other('redo'), 'Shift-Mod-z': other('redo') }),
					undoTimeline()
				]
			})
		});
		type('mine');
		agent('r', 'R');
		press('z');
		expect({ text: text(), asked }).toEqual({ text: 'xmine', asked: [] });
		press('z', { shiftKey: true });
		expect({ text: text(), asked }).toEqual({ text: 'Rxmine', asked: [] });
		press('z');
		press('z');
		press('z', { shiftKey: true });
		press('z', { shiftKey: true });
		press('y');
		expect({ text: text(), asked }).toEqual({ text: 'Rxmine', asked: ['undo', 'redo', 'redo'] });
		const menu = new InputEvent('beforeinput', { inputType: 'historyRedo', bubbles: true, cancelable: true });
		view.dom.dispatchEvent(menu);
		expect(menu.defaultPrevented).toBe(false);
	});
});

describe('a run taken back by whoever conducts it', () => {
	const settled = async (): Promise<void> => {
		for (let i = 0; i < 5; i++) await Promise.resolve();
	};

	it('S2-75 is asked for a run and not for the person’s own', async () => {
		const asked: string[] = [];
		open({
			takeBack: (run, way) => {
				asked.push(`${way} ${run}`);
				view.dispatch(undoRun(view.state, run)!.tr);
				return Promise.resolve({ ok: true });
			}
		});
		agent('r', 'R');
		type('a');
		press('z');
		expect(asked).toEqual([]);
		press('z');
		await settled();
		expect([asked, text()]).toEqual([['undo r'], 'x']);
	});

	it('S2-75 takes back here alone where that is refused, fails or throws', async () => {
		for (const answer of [
			() => Promise.resolve({ ok: false }),
			() => Promise.reject(new Error('no')),
			() => ({ ok: false }),
			() => {
				throw new Error('no');
			}
		]) {
			open({ takeBack: answer });
			agent('r', 'R');
			press('z');
			await settled();
			expect(text()).toBe('x');
			view.destroy();
		}
	});

	it('S2-75 two presses take back two units, in order, also while an answer is awaited', async () => {
		let answer: (value: unknown) => void = () => {};
		open({ takeBack: () => new Promise((resolve) => (answer = resolve)) });
		type('a');
		agent('r', 'R');
		press('z');
		press('z');
		expect(text()).toBe('Rxa');
		answer({ ok: false });
		await settled();
		expect(text()).toBe('x');
	});

	it('S2-75 an editor that is gone by then is left alone', async () => {
		let answer: (value: unknown) => void = () => {};
		open({ takeBack: () => new Promise((resolve) => (answer = resolve)) });
		agent('r', 'R');
		press('z');
		view.destroy();
		answer({ ok: false });
		await settled();
		expect(text()).toBe('Rx');
	});

	it('S2-75 an answer that never comes is not awaited for ever: the keys go on here alone', async () => {
		open({ takeBack: () => new Promise(() => {}), patienceMs: 20 });
		type('mine');
		agent('r', 'R');
		press('z');
		press('z');
		expect(text()).toBe('Rxmine');
		await expect.poll(text).toBe('x');
	});
});
