import type { Label } from './words.js';

// By symbol, not by class: the manifest entry and the engine entry may be two copies of this module.
const MARK: unique symbol = Symbol.for('@activeuix/agent:labelled') as never;

/** A value inside a read that carries a label of its own. @internal */
export class Labelled {
	readonly [MARK] = true;
	constructor(
		readonly value: unknown,
		readonly label: Partial<Label>
	) {}
	/** So that a read which is serialised elsewhere keeps its plain shape. */
	toJSON(): unknown {
		return this.value;
	}
}

/** Is this a part that {@link labelled} marked? Data that came as JSON can never be one. @internal */
export const isLabelled = (value: object): value is Labelled =>
	(value as { [MARK]?: unknown })[MARK] === true;

/**
 * Marks a part of a read with a label of its own, for example text that was pasted. Missing fields take the read's.
 * @since 0.1.0
 */
export const labelled = <T>(value: T, label: Partial<Label>): T => new Labelled(value, label) as T;
