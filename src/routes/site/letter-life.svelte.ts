import { createSubscriber } from 'svelte/reactivity';
import { actingAs } from '$lib/index.js';
import type { DocumentProvider } from '$lib/canon/participants/document/index.js';
import type { Editor } from '@tiptap/core';
import { visitor } from './visitor.js';

/** What the letter's tools can do. */
export type Tool = 'bold' | 'italic' | 'list' | 'undo' | 'redo';

/** The live editor, as the page around it sees it: reactive, and no part of the editor's own weight. */
export class LetterLife {
	readonly editor: Editor;
	readonly #document: DocumentProvider;
	readonly #follow: () => void;

	constructor(editor: Editor, document: DocumentProvider) {
		this.editor = editor;
		this.#document = document;
		this.#follow = createSubscriber((update) => {
			editor.on('transaction', update);
			return () => editor.off('transaction', update);
		});
	}

	/** How many words are marked as an agent's. */
	get written(): number {
		this.#follow();
		return this.#document.provenance().reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
	}

	/** The person takes them over. */
	accept(event: Event): void {
		const by = visitor(event);
		if (by) actingAs(by, () => this.#document.accept());
	}

	/** Pastes a text as a paragraph of its own at the end, on the way a paste by keyboard takes. */
	paste(text: string): void {
		const { view } = this.editor;
		this.editor.commands.setTextSelection(view.state.doc.content.size);
		view.pasteText(`\n${text}`);
		const scroller = view.dom.closest('[data-letter]');
		if (scroller) scroller.scrollTop = scroller.scrollHeight;
	}

	/** Brings a heading into sight within the letter. The page itself stays where it is. */
	show(heading: string): void {
		const { dom } = this.editor.view;
		const element = [...dom.querySelectorAll('h4, h5')].find(({ textContent }) => textContent === heading);
		const scroller = dom.closest('[data-letter]');
		if (element && scroller)
			scroller.scrollTop += element.getBoundingClientRect().top - scroller.getBoundingClientRect().top - 12;
	}

	/** Is it on where the caret stands? */
	on(tool: Tool): boolean {
		this.#follow();
		return this.editor.isActive(tool === 'list' ? 'bulletList' : tool);
	}

	/** Could it be pressed with effect? */
	can(tool: Tool): boolean {
		this.#follow();
		return this.#chain(tool, true);
	}

	press(tool: Tool): void {
		this.#chain(tool, false);
	}

	#chain(tool: Tool, dry: boolean): boolean {
		const chain = dry ? this.editor.can().chain().focus() : this.editor.chain().focus();
		const done = {
			bold: () => chain.toggleBold(),
			italic: () => chain.toggleItalic(),
			list: () => chain.toggleBulletList(),
			undo: () => chain.undo(),
			redo: () => chain.redo()
		}[tool]();
		return done.run();
	}
}
