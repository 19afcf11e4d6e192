export { cueOf, holdOf } from './cues.js';
export type { Cue } from './cues.js';
export type { Emission, EmissionListener } from './emission.js';
export { disposeStamp, stamp, sustain } from './stamp.js';
export type { StampOptions } from './stamp.js';
export { INTENTS, isDelegateVerb, isFamily, isIntent, isVerb, VOCABULARY } from './vocabulary.js';
export type { DelegateVerb, Family, Intent, Verb } from './vocabulary.js';
