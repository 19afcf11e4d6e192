export { ownAttacks } from './attacks.js';
export { attacksOf } from './corpus.js';
export { CARRIERS } from './carriers.js';
export { DELIVERIES } from './deliveries.js';
export { isProse } from './demands.js';
export { runErrand, TASKS } from './benign.js';
export { steer } from './free.js';
export { pairs, sampled, secretive, walk, whole } from './matrix.js';
