export { aura } from './attach.js';
export type { AuraOptions } from './attach.js';
export { default as Aura } from './components/Aura.svelte';
export type { AuraProps } from './components/Aura.svelte';
export type { FrameState } from './frame.svelte.js';
export { lineAt, lineOf } from './line.js';
export type { Line } from './line.js';
export type { Control, Need, TurnState } from './turn.svelte.js';
