import { actingAs, APP, currentCause, type Actor } from '../../actor/index.js';

/** The person at the page. @since 0.1.0 */
export const PERSON: Actor = Object.freeze({ kind: 'human', id: 'person' });

/** Trusted events of these types only ever come from a person's hand, keyboard or input method. */
const GESTURE =
	/^(click|dblclick|auxclick|contextmenu|beforeinput|input|change|paste|cut|copy|drop|wheel|(pointer|mouse|touch|key|drag|composition)[a-z]+)$/;

/**
 * Is this event the work of a person? `isTrusted` alone does not say so: a script that calls `focus()` or
 * `requestSubmit()` makes trusted events too. So a scope that is already open wins (the event is its echo), and types
 * other than gestures count only while the person's last gesture is fresh.
 * @since 0.1.0
 */
export function isHuman(event: Event): boolean {
	const cause = currentCause();
	if (cause !== APP) return cause.kind === 'human';
	if (!event.isTrusted) return false;
	return GESTURE.test(event.type) || globalThis.navigator?.userActivation?.isActive === true;
}

/**
 * Runs `fn` as the person when the event is a person's work, else as whoever acts already (the app, if nobody).
 * The only door through which `human` enters.
 * @param actor who the person is @default PERSON
 * @since 0.1.0
 */
export function asHuman<T>(event: Event, fn: () => T, actor: Actor = PERSON): T {
	return currentCause() === APP && isHuman(event) ? actingAs(actor, fn) : fn();
}

/**
 * Wraps a DOM handler so that it runs through {@link asHuman}.
 * @example <button onclick={onTrusted(() => save())}>
 * @since 0.1.0
 */
export function onTrusted<E extends Event, T>(handler: (event: E) => T, actor?: Actor): (event: E) => T {
	return (event) => asHuman(event, () => handler(event), actor);
}
