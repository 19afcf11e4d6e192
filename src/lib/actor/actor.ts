/** What kind of actor did something. Nobody is `human` by default: see {@link currentCause}. @since 0.1.0 */
export type ActorKind = 'human' | 'agent' | 'rule' | 'app' | 'outside';

/**
 * Who did something. `run` and `step` name the delegation an agent, rule or outside caller acts for.
 * @since 0.1.0
 */
export interface Actor {
	kind: ActorKind;
	/** Stable; names the actor in every record. */
	id: string;
	/** For people. */
	name?: string;
	version?: string;
	run?: string;
	step?: string;
}

/** Who acts when nobody said so: the app itself, cause unknown. @since 0.1.0 */
export const APP: Actor = Object.freeze({ kind: 'app', id: 'app' });

// One slot for the whole page, so that two copies of this module agree on who acts. It is only ever filled
// during a synchronous call, therefore it cannot leak from one server request into another.
const SLOT = Symbol.for('@activeuix/agent:actor');
const page = globalThis as typeof globalThis & { [SLOT]?: Actor };

/**
 * Runs `fn` with `actor` as the one who acts. The scope is the synchronous call alone: effects, deriveds, microtasks,
 * promises and timers run after it and see the app, unless their callback went through {@link carry}.
 * @returns what `fn` returns
 * @since 0.1.0
 */
export function actingAs<T>(actor: Actor, fn: () => T): T {
	const before = page[SLOT];
	page[SLOT] = actor;
	try {
		return fn();
	} finally {
		page[SLOT] = before;
	}
}

/**
 * Who acts right now. Outside every scope this is {@link APP}; it is `human` only inside the dispatch of a trusted
 * DOM event (see soma), never by default.
 * @since 0.1.0
 */
export function currentCause(): Actor {
	return page[SLOT] ?? APP;
}

/**
 * Binds the present cause to a callback that runs later (timer, promise, event of an editor).
 * @example setTimeout(carry(() => save()), 300)
 * @since 0.1.0
 */
export function carry<A extends unknown[], R>(fn: (...args: A) => R): (...args: A) => R {
	const cause = page[SLOT];
	return cause === undefined ? fn : (...args) => actingAs(cause, () => fn(...args));
}
