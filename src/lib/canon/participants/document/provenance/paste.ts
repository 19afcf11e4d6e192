import { Fragment, type Mark, type Node, Slice } from 'prosemirror-model';
import type { EditorProps, EditorView } from 'prosemirror-view';
import { claimsIn, copiesOf, vouchedFor, type CopyBook } from './copies.js';
import { isRemark } from './remarks.js';
import { ATTRIBUTE, blockWrittenBy, MARK } from './written.js';

const SIGN = /<meta name="agent-copy" content="([\w-]+)">/;

/**
 * The same content without any word of who wrote it.
 * @param remarks whether comments, which say who says what, go too
 */
export function withoutProvenance(slice: Slice, remarks = false): Slice {
	const speaks = (mark: Mark) => mark.type.name === MARK || (remarks && isRemark(mark));
	const clean = (content: Fragment): Fragment => {
		const nodes: Node[] = [];
		content.forEach((node) => {
			const marks = node.marks.some(speaks) ? node.marks.filter((mark) => !speaks(mark)) : node.marks;
			if (node.isText) {
				nodes.push(node.mark(marks));
				return;
			}
			const attrs = blockWrittenBy(node) ? { ...node.attrs, [ATTRIBUTE]: null } : node.attrs;
			nodes.push(node.type.create(attrs, clean(node.content), marks));
		});
		return Fragment.fromArray(nodes);
	};
	return new Slice(clean(slice.content), slice.openStart, slice.openEnd);
}

const randomKey = (): string =>
	[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Where a pasted slice comes from: another place of this editor, HTML with or without a key, or bare text. */
type Source = { kind: 'inside' } | { kind: 'html'; key: string | undefined } | { kind: 'text' };

/**
 * Keeps provenance and comments on what is copied within the app and takes off what anybody else claims. A copy carries a
 * key in its HTML; a paste is believed where the key is known and the words are the ones that were copied under it.
 */
export class Clipboard {
	readonly #copies: CopyBook | undefined;
	/** Known from the first of the three hooks a paste passes, used in the last, within one call. */
	#source: Source = { kind: 'inside' };
	/** The last paste was bare text, which takes over the marks of its surroundings. */
	pastedAsText = false;

	constructor(copies: CopyBook | undefined) {
		this.#copies = copies;
	}

	#book(view: EditorView): CopyBook {
		return this.#copies ?? copiesOf(view.dom.ownerDocument);
	}

	readonly props: Pick<EditorProps, 'transformPasted' | 'transformPastedHTML' | 'transformPastedText'> = {
		transformPastedText: (text) => {
			this.#source = { kind: 'text' };
			return text;
		},
		transformPastedHTML: (html) => {
			this.#source = { kind: 'html', key: SIGN.exec(html)?.[1] };
			return html;
		},
		transformPasted: (slice, view) => {
			const source = this.#source;
			this.#source = { kind: 'inside' };
			this.pastedAsText = source.kind === 'text';
			if (source.kind === 'inside') return slice;
			if (source.kind === 'text') return withoutProvenance(slice);
			const kept = source.key === undefined ? undefined : this.#book(view).claims(source.key);
			return vouchedFor(slice, kept) ? slice : withoutProvenance(slice, true);
		}
	};

	/** Signs what leaves the editor by copy, cut or drag, after the editor has written it. Answers how to stop. */
	sign(view: EditorView): () => void {
		const { dom } = view;
		let left = view.state.selection.content();
		// A cut deletes what it took before this hears of it.
		const before = () => void (left = view.state.selection.content());
		const after = (event: Event) => {
			const { clipboardData, dataTransfer } = event as Partial<ClipboardEvent & DragEvent>;
			const data = clipboardData ?? dataTransfer;
			const html = data?.getData('text/html');
			const claims = claimsIn(view.dragging?.slice ?? left);
			if (!data || !html?.includes('data-pm-slice') || !claims) return;
			const key = randomKey();
			this.#book(view).keep(key, claims);
			data.setData('text/html', `<meta name="agent-copy" content="${key}">${html}`);
		};
		const events = ['copy', 'cut', 'dragstart'];
		for (const name of events) {
			dom.addEventListener(name, before, { capture: true });
			dom.addEventListener(name, after);
		}
		return () => {
			for (const name of events) {
				dom.removeEventListener(name, before, { capture: true });
				dom.removeEventListener(name, after);
			}
		};
	}
}
