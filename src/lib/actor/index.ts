export { actingAs, APP, carry, currentCause } from './actor.js';
export type { Actor, ActorKind } from './actor.js';
