export { default as QuestionForm } from '../question/components/QuestionForm.svelte';
export { default as AmendForm } from '../review-card/components/AmendForm.svelte';
export { wordDiff } from '../review-card/word-diff.js';
