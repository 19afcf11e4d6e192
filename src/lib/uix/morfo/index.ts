export { defineMorfo } from './morfo.js';
export type {
	AttributeValues,
	Consumer,
	EventOf,
	Morfo,
	MorfoEvent,
	MorfoPart,
	PartOf,
	StateOf
} from './morfo.js';
export { validateMorfo } from './validate.js';
