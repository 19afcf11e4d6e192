import type { DocumentAnchor } from '../edits/index.js';

/** Where a block is put that is put behind no block. @internal */
export const isPlace = (text: string): text is 'start' | 'end' => text === 'start' || text === 'end';
/** @internal */
export const anchorOf = (after: string): DocumentAnchor =>
	isPlace(after) || after === 'selection' ? after : { after };
