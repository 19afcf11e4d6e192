export { default as Activity } from './components/Activity.svelte';
export type { ActivityProps } from './components/Activity.svelte';
export type { ActState, ActValue, ActView } from './act-view.js';
