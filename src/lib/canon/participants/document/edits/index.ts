export { children } from './children.js';
export { no } from './change.js';
export type {
	DocumentAnchor,
	DocumentChange,
	DocumentContent,
	DocumentFormat,
	DocumentRefusal,
	Ground,
	MarkdownLimits,
	Plan
} from './change.js';
export { commentMark, commentsIn, withComments } from './comment.js';
export type { DocumentComment, MarkSpecs } from './comment.js';
export { anchorPos } from './insert.js';
export { planOf } from './plan.js';
