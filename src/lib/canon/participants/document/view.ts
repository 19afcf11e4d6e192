import type { EditorView } from 'prosemirror-view';

/** What of an editor's view the document needs; that of Tiptap and ProseKit is one. @since 0.1.0 */
export type EditorViewLike = Pick<
	EditorView,
	'state' | 'dispatch' | 'editable' | 'composing' | 'isDestroyed' | 'dom'
>;

/**
 * A view, or how to come by it: undefined while there is none yet. Editors that throw when they are asked for the view
 * before they are mounted, or afterwards, have none at that time.
 * @since 0.1.0
 */
export type ViewSource = EditorViewLike | (() => EditorViewLike | undefined);

/** The view as it is now; one without an element, as Tiptap gives before it is mounted, is none. @internal */
export function viewOf(source: ViewSource): EditorView | undefined {
	try {
		const view = typeof source === 'function' ? source() : source;
		// Only what the type above names is asked of it, and by the parts of this room.
		return view?.dom ? (view as EditorView) : undefined;
	} catch {
		return undefined;
	}
}

/** Whether a view that was there is no more. Tiptap's answers for its editor, and throws once that is gone. @internal */
export const isGone = (view: EditorView): boolean => viewOf(view) === undefined || view.isDestroyed;
