import { Editor } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';
import { afterEach, describe, expect, it } from 'vitest';
import { actingAs } from '../../src/lib/actor/index.js';
import {
	createDocumentProvider,
	type DocumentProvider
} from '../../src/lib/canon/participants/document/index.js';
import { AgentDocument } from '../../src/lib/canon/participants/document/tiptap.js';
import { ada, desk, p, person } from '../fixtures/document/desk.js';

const open = new Set<Editor>();
afterEach(() => {
	for (const editor of open) editor.destroy();
	open.clear();
});

function tip(content: string, element: HTMLElement | null = document.createElement('div')): Editor {
	const editor = new Editor({ element, content, extensions: [StarterKit, AgentDocument] });
	open.add(editor);
	return editor;
}
const as = <T>(run: string, fn: () => T): T => actingAs({ ...ada, run }, fn);

/** Everything there is to call, and what each came to. */
const everything = async (letter: DocumentProvider) => ({
	state: letter.state,
	reads: [
		letter.blocks(),
		letter.block('a'),
		letter.parts('a'),
		letter.outline().blocks,
		letter.section('a'),
		letter.sectionsOf('a'),
		letter.selection(),
		letter.version(),
		letter.origins(),
		letter.comments(),
		letter.provenance(),
		letter.formats(),
		letter.export({ format: 'markdown' })
	],
	insert: as('r', () => letter.insert('end', 'x')),
	write: await as('r', () => letter.write({ kind: 'remove', id: 'a' })),
	check: as('r', () => letter.check({ kind: 'comment', id: 'a', text: 'x' })),
	undo: await letter.undo('r'),
	redo: await letter.redo('r'),
	shown: [letter.paint('k', 'end', 'x'), letter.accept(), letter.unpaint('k'), letter.end('r')]
});
const NOTHING = [[], undefined, [], 0, undefined, [], undefined, '', [], [], [], [], ''];
const none = (code: string, why: string) => ({
	state: code,
	reads: NOTHING,
	insert: { ok: false, code },
	write: { ok: false, code },
	check: { ok: false, code },
	undo: { undone: 0, kept: [{ what: 'document', why }] },
	redo: { undone: 0, kept: [{ what: 'document', why }] },
	shown: [false, false, undefined, undefined]
});

describe('an editor that comes late and goes', () => {
	it('one that is not mounted yet is not ready; once it is, everything works', async () => {
		const editor = tip('<p>one</p>', null);
		const letter = createDocumentProvider(() => editor.view);
		expect(await everything(letter)).toMatchObject(none('not-ready', 'The editor is not there yet.'));
		editor.mount(document.createElement('div'));
		expect(letter.state).toBe('ready');
		expect(as('r', () => letter.insert('end', 'two'))).toMatchObject({ ok: true });
		expect(editor.getText()).toBe('one\n\ntwo');
	});
	it.each([
		['asked for it each time', (editor: Editor) => createDocumentProvider(() => editor.view)],
		['given it once', (editor: Editor) => createDocumentProvider(editor.view)]
	])('one that is destroyed is gone, %s', async (_name, make) => {
		const editor = tip('<p>one</p>');
		const letter = make(editor);
		expect(as('r', () => letter.insert('end', 'two'))).toMatchObject({ ok: true });
		editor.destroy();
		expect(await everything(letter)).toMatchObject(none('destroyed', 'The editor is gone.'));
		letter.destroy();
		expect(letter.state).toBe('destroyed');
	});
	it('one given before it was mounted is read when it is, and gone when it is destroyed', async () => {
		const editor = tip('<p>one</p>', null);
		const letter = createDocumentProvider(editor.view);
		expect(letter.state).toBe('not-ready');
		editor.mount(document.createElement('div'));
		expect(as('r', () => letter.insert('end', 'two'))).toMatchObject({ ok: true });
		editor.destroy();
		expect(await everything(letter)).toMatchObject(none('destroyed', 'The editor is gone.'));
	});
	it('an editor that throws when asked for its view has none', () => {
		const letter = createDocumentProvider(() => {
			throw new Error('Editor is not mounted');
		});
		expect(letter.state).toBe('not-ready');
		expect(letter.insert('end', 'x')).toMatchObject({ code: 'not-ready' });
	});
});

describe('an editor that was opened anew', () => {
	const LEFT = (what: string) => ({
		what,
		why: 'These words were written before the editor was opened, or copied since; take them out by hand.'
	});
	it('undo says which words of the run it cannot take out', async () => {
		let editor = tip('<p>one</p>');
		const letter = createDocumentProvider(() => editor.view);
		as('r', () => letter.insert('end', 'agent'));
		const html = editor.getHTML();
		editor.destroy();
		editor = tip(html);
		expect(letter.provenance()).toMatchObject([{ run: 'r', text: 'agent' }]);
		expect(await letter.undo('r')).toEqual({ undone: 0, kept: [LEFT('5 characters')] });
		expect(await letter.undo('other')).toEqual({ undone: 0, kept: [] });
		expect(await letter.redo('r')).toEqual({ undone: 0, kept: [] });
		as('r', () => letter.insert('end', 'more'));
		letter.end('r');
		expect(await letter.undo('r')).toEqual({ undone: 1, kept: [LEFT('5 characters')] });
		expect(await letter.undo('r')).toEqual({ undone: 0, kept: [LEFT('5 characters')] });
		expect(editor.getText()).toBe('one\n\nagent');
		actingAs(person, () => letter.accept());
		expect(await letter.undo('r')).toEqual({ undone: 0, kept: [] });
	});
});

describe('an editor that has become read-only', () => {
	const closed = () => {
		let editable = true;
		const one = desk([p('a', 'a')], { editable: () => editable });
		one.as('r', () => one.document.insert('end', 'agent words'));
		one.document.end('r');
		const set = (now: boolean) => {
			editable = now;
			one.view.setProps({});
		};
		set(false);
		return { ...one, set };
	};
	const REFUSED = { undone: 0, kept: [{ what: 'document', why: 'The editor is read-only.' }] };
	it('undo and redo of a run change nothing and say why; later they work', async () => {
		const { document, view, set } = closed();
		const { doc } = view.state;
		expect(await document.undo('r')).toEqual(REFUSED);
		expect(view.state.doc).toBe(doc);
		set(true);
		expect(await document.undo('r')).toEqual({ undone: 1, kept: [] });
		set(false);
		expect(await document.redo('r')).toEqual(REFUSED);
		set(true);
		expect(await document.redo('r')).toEqual({ undone: 1, kept: [] });
	});
	it('nothing is accepted and nothing painted', () => {
		const { document, view, as: run, set } = closed();
		const { doc } = view.state;
		expect(actingAs(person, () => document.accept())).toBe(false);
		expect(run('r2', () => document.paint('k', 'end', 'GHOST'))).toBe(false);
		expect(view.state.doc).toBe(doc);
		expect(view.dom.textContent).toBe('aagent words');
		set(true);
		expect(actingAs(person, () => document.accept())).toBe(true);
		expect(run('r2', () => document.paint('k', 'end', 'GHOST'))).toBe(true);
	});
	it('an undo that waits for a composition and finds it closed changes nothing', async () => {
		const { document, view, set } = closed();
		set(true);
		const composing = { value: true, configurable: true };
		Object.defineProperty(view, 'composing', composing);
		const later = document.undo('r');
		set(false);
		Object.defineProperty(view, 'composing', { ...composing, value: false });
		expect(await later).toEqual(REFUSED);
	});
});
