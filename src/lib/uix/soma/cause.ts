import { currentCause, type Actor } from '../../actor/index.js';

/** Names a piece of state: the object that owns it, and the key. @since 0.1.0 */
export type StateRef = readonly [owner: object, key: string];

// Keyed by the owner itself, so causes live exactly as long as the state they stand beside.
const causes = new WeakMap<object, Map<string, Actor>>();

/**
 * Stores who acts right now beside a state that is being written. An effect that runs later, when no scope is left,
 * names that state (`because`) and so still knows who is behind the change.
 * @since 0.1.0
 */
export function remember(owner: object, key: string): void {
	let keys = causes.get(owner);
	if (!keys) causes.set(owner, (keys = new Map()));
	keys.set(key, currentCause());
}

/** Who wrote that state last, as far as it was remembered. @since 0.1.0 */
export function causeOf(owner: object, key: string): Actor | undefined {
	return causes.get(owner)?.get(key);
}
