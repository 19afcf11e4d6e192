import { Fragment, Slice, type Node } from 'prosemirror-model';
import { isMadeHere } from './ids.js';
import { takesId } from './schema.js';

/**
 * What is pasted or dropped, with the ids that this editor knows and those that an editor like it makes. Any other was chosen
 * by the page it comes from, and an id is read as the app's own word.
 * @internal
 */
export function withKnownIds(slice: Slice, seen: { has(id: string): boolean }): Slice {
	const known = (id: unknown): boolean =>
		id === null || (typeof id === 'string' && (seen.has(id) || isMadeHere(id)));
	const visit = (content: Fragment): Fragment => {
		let changed = false;
		const nodes = content.content.map((node): Node => {
			if (node.isInline) return node;
			const inside = visit(node.content);
			const strange = takesId(node) && !known(node.attrs['id']);
			if (inside === node.content && !strange) return node;
			changed = true;
			return node.type.create(strange ? { ...node.attrs, id: null } : node.attrs, inside, node.marks);
		});
		return changed ? Fragment.fromArray(nodes) : content;
	};
	const content = visit(slice.content);
	return content === slice.content ? slice : new Slice(content, slice.openStart, slice.openEnd);
}
