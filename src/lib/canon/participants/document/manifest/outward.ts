import type { Level } from '../../../../agent/capability/index.js';
import type { DocumentProvider, DocumentTrial } from '../document.provider.js';
import type { DocumentChange } from '../edits/index.js';

/** Changes that write a text. */
const WORDED: readonly DocumentChange['kind'][] = [
	'insert',
	'rewrite',
	'rewriteSection',
	'rewriteSelection',
	'replaceText'
];

/**
 * An address is all that reaches out of a text: one that what is replaced did not have is a person's to see. Told from the
 * nodes that would stand there, never from the text.
 * @internal
 */
export function outward(document: DocumentProvider, change: DocumentChange): Level | undefined {
	if (!WORDED.includes(change.kind)) return undefined;
	const trial = document.check(change);
	return trial.ok && trial.brings.length > 0 ? 'review' : undefined;
}

/** What a change would do; a text that brings an image is refused unless images are welcome. @internal */
export function tried(document: DocumentProvider, change: DocumentChange, images: boolean): DocumentTrial {
	const trial = document.check(change);
	if (images || !trial.ok || !WORDED.includes(change.kind)) return trial;
	const image = trial.brings.find(({ kind }) => kind === 'image');
	if (!image) return trial;
	const text = `The text brings an image, and none may be brought in here: ${image.address.slice(0, 80)}`;
	return { ok: false, code: 'image', text };
}
