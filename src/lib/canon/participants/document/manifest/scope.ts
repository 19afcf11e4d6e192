import type { DocumentBlock, DocumentPart } from '../blocks/index.js';
import type { DocumentProvider } from '../document.provider.js';
import type { DocumentAnchor, DocumentChange, DocumentRefusal } from '../edits/index.js';
import type { DocumentEntrance, DocumentScope } from './options.js';

/** The part of the document that is open; `undefined` where all of it is. */
function partOf(document: DocumentProvider, scope: DocumentScope): DocumentPart | undefined {
	if (scope === 'document') return undefined;
	if (typeof scope !== 'function') return scope;
	const open = document.blocks().filter((block) => scope(document, block));
	return { exactly: new Set(open.map(({ id }) => id)) };
}

/** The blocks a change is about: each has to be open. */
function concerned(
	document: DocumentProvider,
	change: DocumentChange
): readonly (DocumentBlock | undefined)[] {
	const block = (id: string) => document.block(id);
	const behind = (at: DocumentAnchor) => {
		if (typeof at === 'object') return [block(at.after)];
		const here = at === 'selection' ? block(document.selection()?.to.block ?? '') : undefined;
		// It enters behind the whole of what the caret stands in.
		return [here?.inside === undefined ? here : block(here.inside)];
	};
	switch (change.kind) {
		case 'insert':
			return behind(change.at);
		case 'move':
			return [block(change.id), ...behind(change.to)];
		case 'rewriteSection':
			return document.section(change.id)?.blocks ?? [block(change.id)];
		case 'rewriteSelection':
			return [...document.blocksOf('selection')].flatMap((id) =>
				document.parts(id).length > 0 ? [] : [block(id)]
			);
		default:
			return [block(change.id)];
	}
}

/** Why a change is not open: it is outside of what may be written, or enters where nothing may enter. @internal */
export function barred(
	document: DocumentProvider,
	change: DocumentChange,
	scope: DocumentScope,
	enter: readonly DocumentEntrance[]
): DocumentRefusal | undefined {
	const out = (text: string, current?: DocumentBlock): DocumentRefusal => ({
		ok: false,
		code: 'out-of-scope',
		text,
		...(current && { current })
	});
	if (change.kind === 'insert') {
		const entrance = typeof change.at === 'object' ? 'after' : change.at;
		if (!enter.includes(entrance))
			return out(`Nothing may be put in there (${entrance}); open: ${enter.join(', ')}.`);
	}
	const part = partOf(document, scope);
	if (!part) return undefined;
	const open = document.blocksOf(part);
	for (const block of concerned(document, change)) {
		// What is not there is refused by the document itself, with its own code.
		if (!block && change.kind !== 'insert' && change.kind !== 'move') continue;
		if (!block) return out('Only a place inside the open part can be written in.');
		if (!open.has(block.id)) return out(`Block "${block.id}" is not open to a write.`);
	}
	return undefined;
}

/** Why a change, as it would turn out, reaches out of the open part: told from the document it makes, whatever it is. @internal */
export function strayed(
	document: DocumentProvider,
	change: DocumentChange,
	scope: DocumentScope
): DocumentRefusal | undefined {
	const part = partOf(document, scope);
	return part && document.leaves(change, part);
}
