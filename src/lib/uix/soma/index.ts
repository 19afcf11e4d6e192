export { causeOf, remember } from './cause.js';
export type { StateRef } from './cause.js';
export { hearEmissions } from './heard.js';
export { createRuntime } from './trigger.js';
export type { Runtime, RuntimeOptions, TriggerOptions } from './trigger.js';
export { asHuman, disown, isHuman, onTrusted, PERSON, personFrom } from './trusted.js';
