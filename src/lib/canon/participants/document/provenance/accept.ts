import type { Node } from 'prosemirror-model';
import type { EditorState, Transaction } from 'prosemirror-state';
import { ATTRIBUTE, blockWrittenBy, MARK, markOf, textWrittenBy, type Written } from './written.js';

/** A range of the document, or all that one run wrote. @since 0.1.0 */
export type Accepted = { readonly from: number; readonly to: number } | { readonly run: string };

/**
 * The person makes an agent's words their own: provenance is taken off. It is an ordinary transaction, so it stands in the
 * person's history and Mod-z brings the provenance back.
 * @returns null when there is nothing to accept
 * @since 0.1.0
 */
export function acceptProvenance(state: EditorState, what: Accepted): Transaction | null {
	const { doc, tr } = state;
	const whole = 'run' in what;
	const from = whole ? 0 : Math.max(0, what.from);
	const to = whole ? doc.content.size : Math.min(doc.content.size, what.to);
	const meant = (by: Written | undefined) => by !== undefined && (!whole || by.run === what.run);
	doc.nodesBetween(from, to, (node, pos) => {
		const mark = node.isInline && markOf(node);
		if (mark && meant(mark.attrs as Written))
			tr.removeMark(Math.max(from, pos), Math.min(to, pos + node.nodeSize), mark);
	});
	/** Takes the attribute off blocks that hold nothing of their run any more; answers the runs that are still inside. */
	const blocks = (parent: Node, start: number): Set<string> => {
		const runs = new Set<string>();
		parent.forEach((node, offset) => {
			const pos = start + offset;
			const inText = textWrittenBy(node);
			if (inText) runs.add(inText.run);
			if (node.isInline) return;
			const by = blockWrittenBy(node);
			const touched = pos < to && pos + node.nodeSize > from;
			if (!touched && !by) return;
			const inside = blocks(node, pos + 1);
			if (by && touched && meant(by) && !inside.has(by.run)) tr.setNodeAttribute(pos, ATTRIBUTE, null);
			else if (by) inside.add(by.run);
			for (const run of inside) runs.add(run);
		});
		return runs;
	};
	if (from < to) blocks(tr.doc, 0);
	if (!tr.docChanged) return null;
	if (state.storedMarks) tr.setStoredMarks(state.storedMarks.filter(({ type }) => type.name !== MARK));
	return tr;
}
