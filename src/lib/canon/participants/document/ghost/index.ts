export { clearGhost, paintGhost } from './paint.js';
export type { GhostPaint } from './paint.js';
export { ghostKey, ghostPlugin } from './plugin.js';
export type { GhostMeta } from './plugin.js';
