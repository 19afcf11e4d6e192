import type { Node } from 'prosemirror-model';
import type { EditorView } from 'prosemirror-view';

/** A part of a document. */
export interface Span {
	readonly from: number;
	readonly to: number;
}

/** Children of the document on either side of what is looked at. */
const REACH = 100;

/** The part of a document that lies around a place. */
export function around(doc: Node, pos: number): Span {
	const $pos = doc.resolve(Math.max(0, Math.min(pos, doc.content.size)));
	const index = $pos.index(0);
	return {
		from: $pos.posAtIndex(Math.max(0, index - REACH), 0),
		to: $pos.posAtIndex(Math.min(doc.childCount, index + REACH + 1), 0)
	};
}

/** Whether a place is so near the edge of a part that the part should be moved. */
export function leaves(doc: Node, part: Span, pos: number): boolean {
	const index = (at: number) => doc.resolve(Math.max(0, Math.min(at, doc.content.size))).index(0);
	const [first, here, last] = [index(part.from), index(pos), index(part.to)];
	const atEnd = part.to >= doc.content.size;
	return (here < first + REACH / 2 && part.from > 0) || (here > last - REACH / 2 && !atEnd);
}

/** The place in the middle of what can be seen of the editor, or null where none of it can. */
function middle(view: EditorView, scroller: EventTarget | null): number | null {
	const { dom } = view;
	const page = dom.ownerDocument;
	const own = dom.getBoundingClientRect();
	const frame = scroller instanceof Element ? scroller.getBoundingClientRect() : undefined;
	const top = Math.max(own.top, frame?.top ?? 0, 0);
	const bottom = Math.min(own.bottom, frame?.bottom ?? Infinity, page.defaultView?.innerHeight ?? Infinity);
	if (top >= bottom) return null;
	return view.posAtCoords({ left: (own.left + own.right) / 2, top: (top + bottom) / 2 })?.pos ?? null;
}

/**
 * Asks once a frame, while anything that holds the editor scrolls, whether the view has come near the edge of a part.
 * @param part the part that counts now, or null while there is nothing to follow
 * @returns how to stop
 */
export function followScroll(
	view: EditorView,
	part: () => Span | null,
	move: (pos: number) => void
): () => void {
	const page = view.dom.ownerDocument;
	let frame: number | undefined;
	const scrolled = ({ target }: Event): void => {
		if (frame !== undefined || part() === null || !(target as globalThis.Node).contains(view.dom)) return;
		frame = page.defaultView?.requestAnimationFrame(() => {
			frame = undefined;
			const now = part();
			const pos = view.isDestroyed ? null : middle(view, target);
			if (now && pos !== null && leaves(view.state.doc, now, pos)) move(pos);
		});
	};
	page.addEventListener('scroll', scrolled, { capture: true, passive: true });
	return () => {
		page.removeEventListener('scroll', scrolled, { capture: true });
		if (frame !== undefined) page.defaultView?.cancelAnimationFrame(frame);
	};
}
