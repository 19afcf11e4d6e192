export { tidied } from './tidy.js';
export { toHTML, type ToHTMLOptions } from './html.js';
export { parseInline, parseMarkdown, type MarkdownOptions, type MarkdownResult } from './parse.js';
export type { MarkdownCode, MarkdownRefusal } from './refusal.js';
export { canReplaceBlocks, replaceBlocks, type Fit, type ReplaceOptions } from './replace.js';
export { replaceText, type ReplaceTextResult } from './replace-text.js';
export { beyondMarkdown, type Ignored } from './same.js';
export { offered, type MarkdownNames, type MarkWord, type NodeWord } from './words.js';
export { toMarkdown, type ToMarkdownOptions } from './write.js';
