import type { DocumentBlock } from '../blocks/index.js';
import type { DocumentProvider } from '../document.provider.js';
import type { DocumentAnchor, DocumentChange, DocumentRefusal } from '../edits/index.js';
import type { DocumentEntrance, DocumentScope } from './options.js';

/** Is this block open to a write? */
function within(document: DocumentProvider, scope: DocumentScope, block: DocumentBlock): boolean {
	const { id, inside } = block;
	const self = [id, ...(inside === undefined ? [] : [inside])];
	if (scope === 'document') return true;
	if (typeof scope === 'function') return scope(document, block);
	if (typeof scope === 'object') {
		if ('blocks' in scope) return self.some((one) => scope.blocks.includes(one));
		return document.sectionsOf(id).some((heading) => scope.sections.includes(heading));
	}
	const selection = document.selection();
	if (!selection) return false;
	if (scope === 'section') {
		const here = document.sectionsOf(selection.to.block).at(-1);
		return here !== undefined && document.sectionsOf(id).includes(here);
	}
	if (scope === 'block') return self.includes(selection.to.block);
	return !selection.empty && self.some((one) => selection.blocks.includes(one));
}

/** The blocks a change is about: each has to be open. */
function concerned(
	document: DocumentProvider,
	change: DocumentChange
): readonly (DocumentBlock | undefined)[] {
	const block = (id: string) => document.block(id);
	const behind = (at: DocumentAnchor) => {
		if (typeof at === 'object') return [block(at.after)];
		return at === 'selection' ? [block(document.selection()?.to.block ?? '')] : [undefined];
	};
	switch (change.kind) {
		case 'insert':
			return behind(change.at);
		case 'move':
			return [block(change.id), ...behind(change.to)];
		case 'rewriteSection':
			return document.section(change.id)?.blocks ?? [block(change.id)];
		case 'rewriteSelection':
			return document.selection()?.blocks.map(block) ?? [];
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
	if (scope === 'document') return undefined;
	for (const block of concerned(document, change)) {
		// What is not there is refused by the document itself, with its own code.
		if (!block && change.kind !== 'insert' && change.kind !== 'move') continue;
		if (!block) return out('Only a place inside the open part can be written in.');
		if (!within(document, scope, block)) return out(`Block "${block.id}" is not open to a write.`);
	}
	return undefined;
}
