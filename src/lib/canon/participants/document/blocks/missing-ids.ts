import type { Node } from 'prosemirror-model';
import { freshId, randomId } from './ids.js';
import { IdsStep, type IdAt } from './ids-step.js';
import { idOf, isBlock, takesId } from './schema.js';

/**
 * The ids that the blocks of a document lack, in its order: those without one, and copies of one that stands before.
 * @param seen gets every id there is and every new one
 * @param most so many at a time
 * @internal
 */
export function missingIds(
	doc: Node,
	seen: Set<string>,
	ids: () => string,
	most = Infinity
): { readonly ids: readonly IdAt[]; readonly all: boolean } {
	const here = new Set<string>();
	const due: number[] = [];
	// First the whole walk, so that no new id takes one that stands further down.
	doc.descendants((node, pos, parent) => {
		if (node.isInline) return false;
		const id = idOf(node);
		const lacks = id === undefined ? isBlock(node, parent, doc) : here.has(id);
		if (lacks && takesId(node)) due.push(pos);
		if (id !== undefined) {
			here.add(id);
			seen.add(id);
		}
		return !node.isTextblock;
	});
	const given = due.slice(0, most).map((pos): IdAt => {
		const id = freshId(ids, seen);
		seen.add(id);
		return [pos, id];
	});
	return { ids: given, all: given.length === due.length };
}

/**
 * A document with an id for each of its blocks, for an editor that begins with it. The plugin {@link blockIds} gives what is
 * missing by itself; with this it has nothing to do, and a long document is drawn once and not twice.
 * @example EditorState.create({ doc: completeBlockIds(doc), plugins: documentRow([history()]) })
 * @since 0.1.0
 */
export function completeBlockIds(doc: Node, { ids = randomId }: { ids?: () => string } = {}): Node {
	const missing = missingIds(doc, new Set(), ids).ids;
	return missing.length > 0 ? new IdsStep(missing).apply(doc).doc! : doc;
}
