export { default as ReviewCard } from './components/ReviewCard.svelte';
export type { ReviewCardProps } from './components/ReviewCard.svelte';
export { ReviewCardState } from './review-card.svelte.js';
export type { ReviewAgent, ReviewCardOptions } from './options.js';
export type { AskedStep, ReviewGroup, ReviewStep } from './plan.js';
export { StepDraft } from './draft.svelte.js';
export type { Progress, StepVerdict } from './draft.svelte.js';
export { wordDiff } from './word-diff.js';
export type { DiffPart } from './word-diff.js';
