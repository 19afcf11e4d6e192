export { deterministic } from './deterministic.js';
export type { TestClock } from './deterministic.js';
export { asPerson, person } from './person.js';
export { auditActs } from './audit-acts.js';
export type { AuditActsOptions } from './audit-acts.js';
export { auditManifest } from './audit-manifest.js';
export { storeSuite } from './store-suite.js';
