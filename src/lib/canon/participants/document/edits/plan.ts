import type { DocumentChange, DocumentRefusal, Ground, Plan } from './change.js';
import { comment } from './comment.js';
import { format } from './format.js';
import { insert } from './insert.js';
import { move } from './move.js';
import { remove } from './remove.js';
import { replaceText } from './replace-text.js';
import { rewriteSelection } from './rewrite-selection.js';
import { rewrite, rewriteSection } from './rewrite.js';

/** How a change would be written now, or why it would not. @internal */
export function planOf(ground: Ground, change: DocumentChange): Plan | DocumentRefusal {
	switch (change.kind) {
		case 'insert':
			return insert(ground, change);
		case 'rewrite':
			return rewrite(ground, change);
		case 'rewriteSection':
			return rewriteSection(ground, change);
		case 'rewriteSelection':
			return rewriteSelection(ground, change);
		case 'replaceText':
			return replaceText(ground, change);
		case 'remove':
			return remove(ground, change);
		case 'move':
			return move(ground, change);
		case 'format':
			return format(ground, change);
		case 'comment':
			return comment(ground, change);
	}
}
