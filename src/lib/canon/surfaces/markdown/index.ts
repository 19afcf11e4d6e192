export { default as Markdown } from './components/Markdown.svelte';
export type { MarkdownProps } from './components/Markdown.svelte';
export type { MarkdownState } from './markdown.svelte.js';
