export { defineMorfo, validateMorfo } from './morfo/index.js';
export type { EventOf, Morfo, MorfoEvent, MorfoPart, PartOf, StateOf, Voice } from './morfo/index.js';
export {
	cueOf,
	disposeStamp,
	holdOf,
	INTENTS,
	isDelegateVerb,
	isFamily,
	isIntent,
	isVerb,
	stamp,
	sustain,
	VOCABULARY
} from './sema/index.js';
export type {
	Cue,
	DelegateVerb,
	Emission,
	EmissionListener,
	Family,
	Intent,
	StampOptions,
	Verb
} from './sema/index.js';
export {
	asHuman,
	causeOf,
	createRuntime,
	isHuman,
	onTrusted,
	PERSON,
	personFrom,
	remember
} from './soma/index.js';
export type { Runtime, RuntimeOptions, StateRef, TriggerOptions } from './soma/index.js';
