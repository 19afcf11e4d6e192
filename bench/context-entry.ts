// What the bench of contexts looks at, as one bundle.
export { assemble, estimateTokens } from '../src/lib/agent/capability/context.js';
export { defineManifest, done } from '../src/lib/agent/capability/index.js';
export { createRegistry } from '../src/lib/agent/capability/registry.js';
export { EngineAgent } from '../src/lib/agent/engine/engine.js';
