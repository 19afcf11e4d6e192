import type { Actor } from '../../actor/index.js';
import type { Family, Intent, Verb } from './vocabulary.js';

/**
 * One thing that happened, in words every channel understands. Plain data: no element, no handler.
 * @since 0.1.0
 */
export interface Emission {
	family: Family;
	verb: Verb;
	/** Never there for `delegate`. */
	intent?: Intent;
	/** Name of the event in the component's contract. */
	event: string;
	/** Name of the component's contract. */
	component: string;
	/** Who did it. `app` where nobody said so. */
	actor: Actor;
	/** The delegation it belongs to, also where it happened later and by way of other events. */
	cause?: { run?: string; step?: string };
	payload: unknown;
	/** Time in ms, where the runtime was given a clock. */
	at?: number;
}

/** Hears emissions. @since 0.1.0 */
export type EmissionListener = (emission: Emission) => void;
