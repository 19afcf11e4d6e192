import { AgentDocument, type AgentDocumentOptions } from '$lib/canon/participants/document/tiptap.js';
import { StarterKit } from '@tiptap/starter-kit';
import type { EditorOptions, JSONContent } from '@tiptap/core';
import type { LetterBlock } from '../stories/letters.js';
import type { Texts } from './texts.js';

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

interface Surroundings {
	words: Texts['letter'];
	language: string;
	takeBack: NonNullable<AgentDocumentOptions['takeBack']>;
}

/** What an app gives its editor. One extension makes it a document that an agent may write in. */
export const letterOptions = (
	letter: readonly LetterBlock[],
	{ words, language, takeBack }: Surroundings
): Partial<EditorOptions> => ({
	content: contentOf(letter),
	extensions: [
		StarterKit.configure({ heading: { levels: [4, 5] }, link: { openOnClick: false } }),
		AgentDocument.configure({
			takeBack,
			describe: ({ whole }) => (whole ? words.by.whole : words.by.part)
		})
	],
	injectCSS: false,
	editorProps: {
		attributes: {
			class: 'letter-text',
			role: 'textbox',
			'aria-multiline': 'true',
			'aria-label': words.label,
			lang: language
		}
	}
});
