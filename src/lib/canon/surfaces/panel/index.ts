export { default as CopilotPanel } from './components/CopilotPanel.svelte';
export type { CopilotPanelProps } from './components/CopilotPanel.svelte';
export type { PanelState } from './panel.svelte.js';
