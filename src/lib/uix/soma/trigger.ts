import { actingAs, APP, currentCause, type Actor } from '../../actor/index.js';
import { DEV } from '../development.js';
import type { EventOf, MorfoEvent, Voice } from '../morfo/morfo.js';
import type { Emission, EmissionListener } from '../sema/emission.js';
import { stamp } from '../sema/stamp.js';
import { causeOf, remember, type StateRef } from './cause.js';
import { tellAll } from './heard.js';
import { asHuman } from './trusted.js';

/** What {@link createRuntime} takes. @since 0.1.0 */
export interface RuntimeOptions<M extends Voice> {
	/** The contract the events come from, or its voice alone. */
	morfo: M;
	/** Hears every emission of this component. */
	onemit?: EmissionListener;
	/** The element emissions are stamped on. Nothing is stamped while it is undefined, as on the server. */
	element?: () => Element | undefined;
	/** Time in ms, for `emission.at`. @default none */
	now?: () => number;
	/** Report contract faults. @default what the bundler says */
	dev?: boolean;
}

/** What one trigger takes. All of it is optional. @since 0.1.0 */
export interface TriggerOptions<T = unknown> {
	payload?: unknown;
	/** Runs first: what has to stand before anybody hears of the event. */
	prewrite?: () => void;
	/** The work itself. Its return value is what `trigger` returns. */
	handler?: () => T;
	/** Runs last, also when the handler throws: derives attributes from the state that now holds. */
	derive?: () => void;
	/** State the event writes; the cause is remembered beside it. */
	writes?: readonly StateRef[];
	/** For triggers from an effect, a timer, a promise: the state this follows from. Its remembered cause is the actor. */
	because?: StateRef;
	/** The DOM event behind it. A trusted gesture makes the person the actor. */
	trusted?: Event;
	/**
	 * For surfaces that tell what a record says: who did it, by the record. The event then keeps its own family.
	 */
	by?: Actor;
	/** The delegation it belongs to. @default run and step of the actor */
	cause?: { run?: string; step?: string };
}

/** One component's path from an event to what everybody perceives. @since 0.1.0 */
export interface Runtime<M extends Voice> {
	readonly morfo: M;
	/** Prewrite, semantic emission, handler, derivation: always all, always in this order, whoever acts. */
	trigger<T>(event: EventOf<M>, options: TriggerOptions<T> & { handler: () => T }): T;
	trigger(event: EventOf<M>, options?: TriggerOptions): unknown;
	/** Hears every emission; returns how to stop. */
	subscribe(listener: EmissionListener): () => void;
}

/**
 * Makes the one path every event of a component takes. The actor decides the words: caused by an agent, an event that
 * allows `delegate` is emitted as `delegate.act`; one that does not keeps its ordinary family and, in development, the
 * gap in the contract is reported once.
 * @since 0.1.0
 */
export function createRuntime<M extends Voice>(options: RuntimeOptions<M>): Runtime<M> {
	const { morfo, onemit, element, now, dev = DEV } = options;
	const listeners = new Set<EmissionListener>(onemit ? [onemit] : []);
	const reported = new Set<string>();

	function guard(event: string): void {
		if (!DEV || !dev || reported.has(event)) return;
		reported.add(event);
		console.error(
			`${morfo.name}.${event} was caused by an agent but may not be emitted as "delegate". ` +
				`Add allowedFamilies: ['delegate'] to the event in its contract, or do not call it from an act.`
		);
	}

	function emit(event: string, spec: MorfoEvent, actor: Actor, given: TriggerOptions): void {
		const delegated = given.by === undefined && isDelegated(actor) && spec.family !== 'delegate';
		const allowed = delegated && (spec.allowedFamilies?.includes('delegate') ?? false);
		if (delegated && !allowed) guard(event);

		const emission: Emission = {
			family: allowed ? 'delegate' : spec.family,
			verb: allowed ? 'act' : spec.verb,
			event,
			component: morfo.name,
			actor,
			payload: given.payload
		};
		if (spec.intent !== undefined && emission.family !== 'delegate') emission.intent = spec.intent;
		const cause = given.cause ?? causeFrom(actor);
		if (cause) emission.cause = cause;
		if (now) emission.at = now();

		const target = element?.();
		if (target) stamp(target, emission);
		for (const listener of [...listeners]) listener(emission);
		tellAll(emission);
	}

	function walk(event: string, spec: MorfoEvent, given: TriggerOptions): unknown {
		given.prewrite?.();
		emit(event, spec, given.by ?? currentCause(), given);
		try {
			return given.handler?.();
		} finally {
			for (const [owner, key] of given.writes ?? []) remember(owner, key);
			given.derive?.();
		}
	}

	return {
		morfo,
		trigger(event: EventOf<M>, given: TriggerOptions = {}) {
			const spec = Object.hasOwn(morfo.events, event) ? morfo.events[event] : undefined;
			if (!spec)
				throw new Error(
					`${morfo.name} has no event "${event}". Declare it in the contract before triggering it.`
				);
			const go = () => walk(event, spec, given);
			if (given.because) return actingAs(causeOf(...given.because) ?? APP, go);
			return given.trusted ? asHuman(given.trusted, go) : go();
		},
		subscribe(listener: EmissionListener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		}
	} as Runtime<M>;
}

function isDelegated(actor: Actor): boolean {
	return (
		actor.kind === 'agent' || ((actor.kind === 'rule' || actor.kind === 'outside') && actor.run !== undefined)
	);
}

function causeFrom(actor: Actor): Emission['cause'] {
	if (actor.run === undefined) return undefined;
	return actor.step === undefined ? { run: actor.run } : { run: actor.run, step: actor.step };
}
