import { en, oneLine } from '../../../langs/index.js';
import type { Attached } from './draft.svelte.js';
import type { PanelState } from './panel.svelte.js';

/** Characters of one text. */
export const MOST = 100_000;
/** Characters of all together: what goes along is shown to the model with every request. */
export const MOST_TOGETHER = 200_000;
/** Texts at once. */
export const MOST_TEXTS = 8;

/**
 * Takes texts along with what the person writes: files, or what was pasted. They are somebody else's words and travel as
 * such. What does not go is said in words, and the rest goes.
 */
export async function attach(panel: PanelState, given: Iterable<File> | string): Promise<void> {
	const words = (panel.given ?? en).talk;
	const { draft } = panel;
	const said: string[] = [];
	const read = typeof given === 'string' ? [{ text: given, pasted: true as const }] : [...given];
	for (const one of read) {
		const pasted = !(one instanceof File);
		const name = pasted
			? words.pasted(draft.files.filter((file) => file.pasted).length + 1)
			: free(oneLine(one.name, 80), draft.files);
		const text = pasted ? one.text : await textOf(one);
		const together = draft.files.reduce((sum, file) => sum + file.text.length, text?.length ?? 0);
		if (text === undefined) said.push(words.noText(name));
		else if (text.length > MOST) said.push(words.tooLong(name, MOST));
		else if (together > MOST_TOGETHER) said.push(words.tooMuch(MOST_TOGETHER));
		else if (draft.files.length >= MOST_TEXTS) said.push(words.tooMany(MOST_TEXTS));
		else {
			draft.files = [...draft.files, { name, text, ...(pasted && { pasted: true as const }) }];
			if (pasted) said.push(words.wasPasted);
		}
	}
	panel.note = [...new Set(said)].join(' ');
}

/** A name that no other text has: the model knows them by it. */
function free(name: string, taken: readonly Attached[]): string {
	let found = name;
	for (let n = 2; taken.some((one) => one.name === found); n += 1) found = `${name} (${n})`;
	return found;
}

/** What a file says, if it is text. Too long a file is not read whole, only so far that it shows. */
async function textOf(file: File): Promise<string | undefined> {
	try {
		const bytes = await file.slice(0, MOST * 4 + 4).arrayBuffer();
		const cut = file.size > bytes.byteLength;
		const text = new TextDecoder('utf-8', { fatal: !cut }).decode(bytes);
		return text.includes('\0') ? undefined : text;
	} catch {
		return undefined;
	}
}
