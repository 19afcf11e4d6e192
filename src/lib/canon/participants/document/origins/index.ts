export { endorse, origins, originsIn } from './origins.js';
export type { OriginRange, OriginsOptions, TextOrigin } from './origins.js';
