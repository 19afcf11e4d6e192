export { default as AgentRoot } from './AgentRoot.svelte';
export { capabilities } from './capabilities.js';
export { agentScope, useAgentScope } from './context.js';
export type { AgentScope } from './context.js';
export { expose } from './expose.js';
export type { ExposedAct, ExposedRead } from './expose.js';
export type { EmittingSurface, RecordEmitter, RecordEvent } from './record-queue.js';
export { registerManifest } from './register-manifest.js';
export type { InstanceOptions } from './types.js';
