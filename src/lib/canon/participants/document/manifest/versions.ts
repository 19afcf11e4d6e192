import { digest, type JSONValue } from '../../../../agent/capability/index.js';
import type { DocumentBlock, Outline } from '../blocks/index.js';
import type { DocumentProvider } from '../document.provider.js';

/** By something that is made anew whenever what it stands for changes. */
function remembered<K extends object, V>(make: (of: K) => V): (of: K) => V {
	const known = new WeakMap<K, V>();
	return (of) => {
		if (!known.has(of)) known.set(of, make(of));
		return known.get(of)!;
	};
}

const versionOfBlock = remembered((block: DocumentBlock) => digest(block.content as JSONValue));
/** @internal */
export const versionOfOutline = remembered((outline: Outline) => digest(outline as unknown as JSONValue));

const ids = new WeakMap<Outline, string>();
/** @internal */
export function versionOfIds(document: DocumentProvider): string {
	// The outline is one object as long as the document is the same.
	const outline = document.outline();
	if (!ids.has(outline)) ids.set(outline, digest(document.blocks().map(({ id }) => id)));
	return ids.get(outline)!;
}

/** @internal */
export const versionOf = (block: DocumentBlock | undefined): string =>
	block ? versionOfBlock(block) : 'none';
/** @internal */
export const versionOfSection = (document: DocumentProvider, id: string): string => {
	const section = document.section(id);
	return section ? digest(section.blocks.map(versionOfBlock)) : 'none';
};
