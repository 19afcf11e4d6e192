import type { Family, Intent, Verb } from '../sema/vocabulary.js';

/** A layer or reader that consumes what a contract promises. @since 0.1.0 */
export type Consumer = 'component' | 'eidos' | 'sema' | 'soma' | 'langs' | 'app' | 'test';

/** The values an attribute may take: a closed list, or in words what it holds. @since 0.1.0 */
export type AttributeValues = readonly string[] | string;

/**
 * One part of a component: an element somebody may style, query or read out.
 * @since 0.1.0
 */
export interface MorfoPart {
	/** Tag name. */
	element: string;
	/** Attributes the part carries, each with its closed list of values, or one phrase for open values. */
	attributes?: Readonly<Record<string, AttributeValues>>;
	/** Explicit ARIA role, where the element has not got it by itself. */
	role?: string;
	/** ARIA attributes with their values, or one phrase for what they point to. */
	aria?: Readonly<Record<string, string>>;
	/** Keys the part answers to, with what they do. */
	keyboard?: Readonly<Record<string, string>>;
	/** Why no style selects this part. A visual part without style is a hole. */
	unstyled?: string;
}

/**
 * One event of a component. When an agent causes it and `allowedFamilies` has `delegate`, it is emitted as `delegate.act`
 * instead of its ordinary family: the same method means something else in other hands.
 * @since 0.1.0
 */
export type MorfoEvent = {
	[F in Family]: {
		family: F;
		verb: Verb<F>;
		intent?: Intent;
		/** Families the event may also be emitted in. @default [] */
		allowedFamilies?: readonly Family[];
	};
}[Family];

/**
 * The contract of a component as plain data: what it is made of, what it shows, what it says and what it tells others.
 * Layers read nothing of each other, they read this.
 * @since 0.1.0
 */
export interface Morfo {
	/** Kebab case. Stands in `data-surface` of a surface's root, in `data-participant` of a participant's. */
	name: string;
	parts: Readonly<Record<string, MorfoPart>>;
	events: Readonly<Record<string, MorfoEvent>>;
	/** What the whole component may be in (values of `data-state` at its root). */
	states: readonly string[];
	/** For each attribute of the parts: who reads it. An attribute fewer than two read does not belong here. */
	consumers?: Readonly<Record<string, readonly Consumer[]>>;
}

/**
 * What a component says, without what it is made of: all that it needs of its contract while it runs. It stands in a
 * file of its own (`<name>.events.ts`), so that no bundle carries what only guards and docs read.
 * @since 0.1.0
 */
export type Voice = Pick<Morfo, 'name' | 'events'>;

/**
 * Declares a contract and keeps its literal types.
 * @example const morfo = defineMorfo({ name: 'lamp', parts: { root: { element: 'div' } }, events: {}, states: ['on', 'off'] })
 * @since 0.1.0
 */
export function defineMorfo<const M extends Morfo>(morfo: M): M {
	return morfo;
}

/** Names of a contract's events. @since 0.1.0 */
export type EventOf<M extends Voice> = keyof M['events'] & string;
/** Names of a contract's parts. @since 0.1.0 */
export type PartOf<M extends Morfo> = keyof M['parts'] & string;
/** States of a contract's root. @since 0.1.0 */
export type StateOf<M extends Morfo> = M['states'][number];
