/** Plain JSON: all that enters or leaves the engine. @since 0.1.0 */
export type JSONValue =
	null | boolean | number | string | readonly JSONValue[] | { readonly [key: string]: JSONValue };

/** Where a value came from. `imported`: written by somebody the app does not vouch for. @since 0.1.0 */
export type Origin = 'user' | 'app' | 'participant' | 'imported' | 'agent';

/**
 * What is known about a value: may it steer (integrity), may it leave (confidentiality), who wrote it. Values are joined,
 * a join takes the worst of each; only a person's endorsement lowers a label.
 * @since 0.1.0
 */
export interface Label {
	integrity: 'trusted' | 'untrusted';
	confidentiality: 'public' | 'page' | 'private';
	origins: readonly Origin[];
	/** `instance.read` or `instance.read:key` addresses, attachment and message names. */
	sources: readonly string[];
}

/** How much an agent may do alone: propose only, act after a review, act on what can be undone. @since 0.1.0 */
export type Level = 'suggest' | 'review' | 'auto';
/** What an act leaves behind. @since 0.1.0 */
export type Effect = 'none' | 'reversible' | 'irreversible';
/** How far an act goes: this page, the app (others or the server see it), the world outside the app. @since 0.1.0 */
export type Reach = 'page' | 'app' | 'world';

/** Why something is so: a `code` from the table of codes for programs, a `text` for people and models. @since 0.1.0 */
export interface Reason {
	code: string;
	text: string;
	data?: unknown;
}

/**
 * Limits of a run. Every one is finite.
 * @default acts 40, turns 20, tokens 200,000, cost 1 (the app's currency), ms 600,000 of running time, actsPerInstance 40, actsPerMinute 60
 * @since 0.1.0
 */
export interface Budget {
	acts: number;
	turns: number;
	tokens: number;
	cost: number;
	/** Milliseconds of running time. Waiting for a person and pauses are free. */
	ms: number;
	actsPerInstance: number;
	actsPerMinute: number;
}

/** What a step depends on: a whole read, or where the read is keyed, one key of it. @since 0.1.0 */
export interface Touch<R = string> {
	read: R;
	key?: string;
}
