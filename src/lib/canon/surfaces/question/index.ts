export { default as QuestionCard } from './components/QuestionCard.svelte';
export type { QuestionCardProps } from './components/QuestionCard.svelte';
export type { QuestionField } from './fields.js';
export type { QuestionState } from './question.svelte.js';
