import { StarterKit } from '@tiptap/starter-kit';
import type { EditorOptions, JSONContent } from '@tiptap/core';
import type { LetterBlock } from '../stories/letters.js';

const words = (text: string): JSONContent => ({ type: 'text', text });
const paragraph = (...lines: readonly string[]): JSONContent => ({
	type: 'paragraph',
	content: lines.flatMap((line, at) => [...(at > 0 ? [{ type: 'hardBreak' }] : []), words(line)])
});

/** The letter as the editor's own content. */
const contentOf = (letter: readonly LetterBlock[]): JSONContent => ({
	type: 'doc',
	content: letter.map((block) => {
		if (block.kind === 'text') return paragraph(...block.lines);
		if (block.kind === 'heading')
			return { type: 'heading', attrs: { level: block.level }, content: [words(block.text)] };
		const items = block.items.map((item) => ({ type: 'listItem', content: [paragraph(item)] }));
		return { type: 'bulletList', content: items };
	})
});

/** What an app gives its editor; nothing in here is about agents but one extension. */
export const letterOptions = (
	letter: readonly LetterBlock[],
	{ label, language }: { label: string; language: string }
): Partial<EditorOptions> => ({
	content: contentOf(letter),
	extensions: [StarterKit.configure({ heading: { levels: [4, 5] }, link: { openOnClick: false } })],
	injectCSS: false,
	editorProps: {
		attributes: {
			class: 'letter-text',
			role: 'textbox',
			'aria-multiline': 'true',
			'aria-label': label,
			lang: language
		}
	}
});
