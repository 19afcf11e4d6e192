export { defineMorfo } from './morfo.js';
export type {
	AttributeValues,
	Consumer,
	EventOf,
	Morfo,
	MorfoEvent,
	MorfoPart,
	PartOf,
	StateOf,
	Voice
} from './morfo.js';
export { SHARED_PARTS } from './shared.js';
export { validateMorfo } from './validate.js';
