export { default as QuestionForm } from './components/QuestionForm.svelte';
export type { QuestionFormProps } from './components/QuestionForm.svelte';
export { fieldsOf } from './fields.js';
export type { QuestionField } from './fields.js';
export type { QuestionState } from './question.svelte.js';
