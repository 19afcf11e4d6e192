import { defineBasicExtension } from '@prosekit/basic';
import { createEditor, defineHistory, definePlugin, union } from '@prosekit/core';
import { Editor } from '@tiptap/core';
import { TableKit } from '@tiptap/extension-table';
import { StarterKit } from '@tiptap/starter-kit';
import { history } from 'prosemirror-history';
import { schema } from 'prosemirror-schema-basic';
import { EditorState, Plugin, PluginKey } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { describe, expect, it, onTestFinished } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { actingAs } from '../../src/lib/actor/index.js';
import {
	createDocumentProvider,
	documentPlugins,
	documentRow,
	type DocumentProvider
} from '../../src/lib/canon/participants/document/index.js';
import { defineAgentDocument } from '../../src/lib/canon/participants/document/prosekit.js';
import { AgentDocument } from '../../src/lib/canon/participants/document/tiptap.js';
import Letter from './fixtures/Letter.svelte';

const UNDO = '{Control>}z{/Control}';
const ada = { kind: 'agent', id: 'ada', name: 'Ada', run: 'r1', step: 's1' } as const;

function place(): HTMLElement {
	const element = document.createElement('div');
	element.style.whiteSpace = 'break-spaces';
	document.body.append(element);
	onTestFinished(() => element.remove());
	return element;
}

/** One run that rewrites the block that begins so, and ends. */
function rewritten(provider: DocumentProvider, start: string, text: string): void {
	const { id } = provider.blocks().findLast((block) => block.text.startsWith(start))!;
	const report = actingAs(ada, () => provider.rewrite(id, text));
	if (!report.ok) throw new Error(report.text);
	provider.end('r1');
}

const tiptap = (content: string, ...extensions: Parameters<typeof StarterKit.configure>) => {
	const editor = new Editor({
		element: place(),
		content,
		extensions: [StarterKit.configure(...extensions), TableKit, AgentDocument]
	});
	onTestFinished(() => editor.destroy());
	return { editor, provider: createDocumentProvider(() => editor.view) };
};

describe('Tiptap', () => {
	it('S2-75 without its history a run is taken back all the same, and what was typed stays', async () => {
		const { editor, provider } = tiptap('<p>One.</p><p>Two.</p>', { undoRedo: false });
		editor.commands.focus('end');
		// It takes the focus with the next frame.
		await expect.poll(() => editor.view.hasFocus()).toBe(true);
		await userEvent.keyboard('!');
		await expect.poll(() => editor.getText({ blockSeparator: '|' })).toBe('One.|Two.!');
		rewritten(provider, 'One', 'First.');
		await userEvent.keyboard(UNDO);
		expect(editor.getText({ blockSeparator: '|' })).toBe('One.|Two.!');
		expect(editor.commands.undo()).toBe(false);
		expect(editor.commands.redo()).toBe(true);
		expect(editor.getText({ blockSeparator: '|' })).toBe('First.|Two.!');
	});

	it('S2-71 a cell of a table is a block: written alone, undone alone, its table whole', () => {
		const { editor, provider } = tiptap(
			'<table><tr><th><p>Item</p></th><th><p>Sum</p></th></tr><tr><td><p>Labour</p></td><td><p>728</p></td></tr></table><p>End</p>'
		);
		const before = editor.getJSON();
		rewritten(provider, '728', '**730**');
		expect(editor.getText()).toContain('730');
		expect(editor.view.dom.querySelectorAll('th, td')).toHaveLength(4);
		expect(provider.provenance().map(({ text }) => text)).toEqual(['730']);
		expect(editor.commands.undo()).toBe(true);
		expect(editor.getJSON()).toEqual(before);
	});

	it('S2-75 a chain with undo in it takes the run back, and a dry run takes nothing', () => {
		const { editor, provider } = tiptap('<p>One.</p>');
		rewritten(provider, 'One', 'First.');
		expect(editor.can().undo()).toBe(true);
		expect(editor.getText()).toBe('First.');
		expect(editor.chain().selectAll().undo().run()).toBe(true);
		expect(editor.getText()).toBe('One.');
		expect(editor.can().undo()).toBe(false);
	});

	it('S2-71 a plugin that is registered later, as menus do, changes nothing', async () => {
		const { editor, provider } = tiptap('<p>One.</p>');
		rewritten(provider, 'One', 'First.');
		editor.registerPlugin(new Plugin({ key: new PluginKey('menu') }));
		editor.commands.focus('end');
		await userEvent.keyboard(UNDO);
		expect(editor.getText()).toBe('One.');
	});

	it('S2-71 comments may be the app’s own', () => {
		const editor = new Editor({ extensions: [StarterKit, AgentDocument.configure({ comments: false })] });
		expect(editor.schema.marks).not.toHaveProperty('comment');
		expect(editor.schema.marks).toHaveProperty('agentText');
		editor.destroy();
	});

	it('S2-71 a document set anew has ids, no provenance of the old one, and nothing to take back wrongly', () => {
		const { editor, provider } = tiptap('<p>One.</p>');
		rewritten(provider, 'One', 'First.');
		editor.commands.setContent('<p>Another.</p><p>Letter.</p>');
		expect(provider.blocks().map(({ text }) => text)).toEqual(['Another.', 'Letter.']);
		expect(new Set(provider.blocks().map(({ id }) => id)).size).toBe(2);
		expect(provider.provenance()).toEqual([]);
		provider.undo('r1');
		expect(editor.getText({ blockSeparator: '|' })).toContain('Another.');
		expect(() => editor.state.doc.check()).not.toThrow();
	});
});

describe('svelte-tiptap', () => {
	it('S2-71 the view that moves into the page is the one that is written in', async () => {
		const { promise, resolve } = Promise.withResolvers<[DocumentProvider, EditorView]>();
		await render(Letter, { onready: (provider, view) => resolve([provider, view]) });
		const [provider, view] = await promise;
		rewritten(provider, 'One', 'First.');
		await expect.element(document.body).toHaveTextContent('First.Two.');
		view.focus();
		await userEvent.keyboard(UNDO);
		await expect.element(document.body).toHaveTextContent('One.Two.');
	});
});

describe('ProseKit', () => {
	it('S2-71 keys come first and the timeline last, whatever the app adds', () => {
		const extension = union(
			defineAgentDocument(defineBasicExtension()),
			definePlugin(new Plugin({ key: new PluginKey('own') }))
		);
		const { state } = createEditor({ extension });
		const keys = state.plugins.map((plugin) => (plugin as unknown as { key: string }).key);
		const at = (name: string) => keys.findIndex((key) => key.startsWith(name));
		expect(at('history$')).toBeGreaterThan(0);
		expect(at('agent-undo-timeline')).toBeGreaterThan(at('history$'));
		expect(at('own')).toBeGreaterThan(0);
		expect(at('agent-undo-timeline')).toBeGreaterThan(at('own'));
	});

	it('S2-71 an extension without nodes is a mistake with a cure', () => {
		expect(() => defineAgentDocument(defineHistory())).toThrow(
			/has no nodes. Give it the one that defines them/
		);
	});
});

describe('bare ProseMirror', () => {
	it('S2-71 a timeline before the history is a mistake with a cure', () => {
		const { first, last } = documentPlugins();
		const doc = schema.node('doc', null, [schema.node('paragraph')]);
		const open = (plugins: Plugin[]) =>
			new EditorView(place(), { state: EditorState.create({ doc, plugins }) }).destroy();
		expect(() => open([...first, ...last, history()])).toThrow(/Put `last` of documentPlugins\(\) behind it/);
		expect(() => open([...first, history(), ...documentPlugins().last])).not.toThrow();
		expect(() => open(documentRow([history()]))).not.toThrow();
	});

	it('S2-71 a schema without ids refuses writing with a code, and has nothing to read', () => {
		const doc = schema.node('doc', null, [schema.node('paragraph', null, [schema.text('Hello')])]);
		const state = EditorState.create({ doc, plugins: documentRow([history()]) });
		const view = new EditorView(place(), { state });
		onTestFinished(() => view.destroy());
		const provider = createDocumentProvider(view);
		expect(provider.blocks()).toEqual([]);
		expect(provider.insert('end', 'More')).toMatchObject({ ok: false, code: 'unprepared' });
		expect(view.state.doc.eq(doc)).toBe(true);
	});
});
