export { ActiveAgent, defineActiveAgent } from './active-agent.svelte.js';
