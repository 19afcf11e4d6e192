import { actingAs, APP, currentCause, type Actor } from '../../actor/index.js';

/** The person at the page. @since 0.1.0 */
export const PERSON: Actor = Object.freeze({ kind: 'human', id: 'person' });

/** Trusted events of these types only ever come from a person's hand, keyboard or input method. */
const GESTURE =
	/^(click|dblclick|auxclick|contextmenu|beforeinput|input|change|paste|cut|copy|drop|wheel|(pointer|mouse|touch|key|drag|composition)[a-z]+)$/;

/**
 * What a person presses or strikes. A script cannot make one of these trusted; what follows from them (`input`, `change`,
 * `submit`) it can, by pressing a box or sending a form.
 */
const PRESS = /^((dbl|aux)?click|key(down|press|up)|(pointer|mouse)(down|up)|touch(start|end))$/;

/** Trusted events that a script set off all the same. */
const forged = new WeakSet<Event>();

/** Says that a script is behind this event, whatever the browser says. @internal */
export const disown = (event: Event): void => void forged.add(event);

/**
 * Is this event the work of a person? `isTrusted` alone does not say so: a script that calls `focus()` or
 * `requestSubmit()` makes trusted events too. So a scope that is already open wins (the event is its echo), and types
 * other than gestures count only while the person's last gesture is fresh.
 * @since 0.1.0
 */
export function isHuman(event: Event): boolean {
	const cause = currentCause();
	if (cause !== APP) return cause.kind === 'human';
	if (!event.isTrusted || forged.has(event)) return false;
	return GESTURE.test(event.type) || globalThis.navigator?.userActivation?.isActive === true;
}

/**
 * Who decides by this event: the person, where it is a trusted click or key, else whoever acts already, the app if nobody.
 * `change`, `input` and `submit` name nobody, because a script that presses a box or sends a form sets off trusted ones.
 * @param person who the person is @default PERSON
 * @example <button onclick={(event) => agent.setLevel('auto', personFrom(event))}>
 * @since 0.1.0
 */
export function personFrom(event: Event, person: Actor = PERSON): Actor {
	const cause = currentCause();
	return cause === APP && event.isTrusted && PRESS.test(event.type) ? person : cause;
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
