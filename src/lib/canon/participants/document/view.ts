import type { EditorView } from 'prosemirror-view';

/** What of an editor's view the document needs; that of Tiptap and ProseKit is one. @since 0.1.0 */
export type EditorViewLike = Pick<
	EditorView,
	'state' | 'dispatch' | 'editable' | 'composing' | 'isDestroyed' | 'dom'
>;

/** A view, or how to come by it: undefined while there is none yet. @since 0.1.0 */
export type ViewSource = EditorViewLike | (() => EditorViewLike | undefined);

/** The view as it is now. @internal */
export const viewOf = (source: ViewSource): EditorView | undefined =>
	// Only what the type above names is asked of it, and by the parts of this room.
	(typeof source === 'function' ? source() : source) as EditorView | undefined;
