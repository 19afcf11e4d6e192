export { default as RunTrail } from './components/RunTrail.svelte';
export type { RunTrailProps } from './components/RunTrail.svelte';
export type { Fact, LineView, TrailState } from './run-trail.svelte.js';
