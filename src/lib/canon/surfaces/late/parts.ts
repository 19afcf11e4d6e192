export { default as ActivityLookup } from '../activity/components/ActivityLookup.svelte';
export { default as Attach } from '../panel/components/Attach.svelte';
export { default as ComposerMore } from '../panel/components/ComposerMore.svelte';
export { default as PanelTalk } from '../panel/components/PanelTalk.svelte';
export { en } from '../../../langs/en/index.js';
export { default as QuestionForm } from '../question/components/QuestionForm.svelte';
export { default as ReviewBody } from '../review-card/components/ReviewBody.svelte';
export { default as TrailBody } from '../run-trail/components/TrailBody.svelte';
