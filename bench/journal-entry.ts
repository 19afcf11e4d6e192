// What the bench of journals looks at, as one bundle.
export { EngineAgent } from '../src/lib/agent/engine/engine.js';
export { createRegistry } from '../src/lib/agent/capability/registry.js';
export { GENESIS, seal, verify } from '../src/lib/agent/journal/chain.js';
export { Fold } from '../src/lib/agent/journal/fold.js';
export { deflate, restore } from '../src/lib/agent/journal/stored.js';
export { memoryStore } from '../src/lib/agent/stores/memory.js';
