import type { Editor } from '@tiptap/core';
import { createSubscriber } from 'svelte/reactivity';

/** What the letter's tools can do. */
export type Tool = 'bold' | 'italic' | 'list' | 'undo' | 'redo';

/** The live editor, as the page around it sees it: reactive, and no part of the editor's own weight. */
export class LetterLife {
	readonly editor: Editor;
	readonly #follow: () => void;

	constructor(editor: Editor) {
		this.editor = editor;
		this.#follow = createSubscriber((update) => {
			editor.on('transaction', update);
			return () => editor.off('transaction', update);
		});
	}

	/** The words alone, a line each. */
	get text(): string {
		this.#follow();
		return this.editor.getText({ blockSeparator: '\n' });
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
