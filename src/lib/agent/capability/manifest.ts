import type { Actor } from '../../actor/actor.js';
import type { Preview, QuestionSpec, UndoPart } from '../protocol/run-state.js';
import type { OutputOf, Schema } from '../protocol/schema.js';
import type { Effect, JSONValue, Label, Level, Reach, Reason, Touch } from '../protocol/words.js';

/** Something an agent may be shown. Undeclared trust is untrusted, undeclared sensitivity private. @since 0.1.0 */
export interface AgentRead<P, V = unknown> {
	/** What the value is, for the model. Required: a read without one is refused at registration. */
	description: string;
	/**
	 * A snapshot in plain JSON; with `key` only that part. Synchronous, without side effect; may be a `$state` proxy. Parts
	 * of another origin are marked with {@link labelled}.
	 */
	read(provider: P, key?: string): V;
	/** Cheap and synchronous; equal while the value is equal. */
	version(provider: P, key?: string): string | number;
	/**
	 * Keys whose values the whole value shows. Their versions are kept when a turn opens, so that an edit between what the model
	 * saw and what it proposes is noticed, key by key. Synchronous and cheap; the first 300 count, and only where the value is
	 * shown whole.
	 * @default the names of the value's own members, where it is an object with no more than 200
	 */
	keys?(provider: P): readonly string[];
	/** Who writes this value. @default untrusted */
	trust?: 'user' | 'app' | 'imported';
	/** `secret` never leaves. @default 'private' */
	sensitivity?: 'public' | 'page' | 'private' | 'secret';
	/** One or two lines for when the token budget is short. */
	summary?(provider: P): string;
	/** For consent entries `@category`. */
	category?: string;
	enabled?(provider: P): boolean;
}

/** Something an agent may do, through the provider's public methods alone. @since 0.1.0 */
export interface AgentAct<P, S = Schema, R extends PropertyKey = string> {
	/** What the act does, for the model. Required. */
	description: string;
	/** Synchronous; projects to an object; an argument named `instance` is refused (it addresses the instance). */
	args: S;
	/** Checked after the act; a value that fails is dropped with `result-invalid`, the act stays confirmed. */
	result?: Schema;
	/** @default 'irreversible' */
	effect?: Effect;
	/**
	 * Demands at least this much control; as a function, depending on what the call would touch: no standing allowance answers
	 * what it demands. Synchronous, without side effect.
	 */
	level?: Level | ((provider: P, args: OutputOf<S>) => Level | undefined);
	/** After it the outcome is unknown. @default 30,000 */
	timeoutMs?: number;
	/** @default 'page' when reversible, else 'world' */
	reach?: Reach;
	/** The most confidential value this act may carry without a review. @default page: private, app: page, world: public */
	clearance?: Label['confidentiality'];
	/** Arguments that end in an address, markup or code. */
	sinks?: Readonly<Record<string, 'url' | 'markup' | 'code'>>;
	/** What one call depends on. Array form: whole reads. @default every read of the instance */
	touches?: readonly R[] | ((provider: P, args: OutputOf<S>) => readonly Touch[]);
	/**
	 * `own`: what it refuses with (`refuse`, `retry`, also in the preview) is made of the component's own fixed sentences, of its
	 * arguments and of what it touches, and is worth what those are, like a result. What it throws is anybody's all the same.
	 * @default untrusted: an error may quote a server, a file, anybody
	 */
	refusals?: 'own';
	/** Keys held while the act runs. @default the provider as a whole */
	locks?(provider: P, args: OutputOf<S>): readonly string[];
	/** `true`, or why not. Read when a turn opens, at assess and at admit. */
	available?(provider: P): true | string;
	/** What the reviewer sees; also the dry run: it may refuse. */
	preview?(provider: P, args: OutputOf<S>): Preview | ActResult;
	perform(provider: P, args: OutputOf<S>, call: ActCall): ActResult | Promise<ActResult>;
	/** Name of the string argument that {@link paint} shows while it streams. Not for an act with effect `none`. */
	stream?: string;
	/**
	 * Shows what is coming before anything is decided: a ghost, a growing preview. It changes nothing that a read shows, and
	 * nothing of it is recorded. Called synchronously, as the agent of the run with its `step`, from the first sign of
	 * `stream` on, wherever the call could still become a step; `call.step` is the id which that step gets and which
	 * `perform` is told. Many calls a second: draw once a frame.
	 *
	 * `partial` holds what has arrived: `stream` grows, every other argument is there once it is whole. No schema has seen
	 * them yet: they are as the model wrote them. Where the participant shows them, they are its own paint and carry no label.
	 *
	 * Whatever becomes of the step (confirmed, cut, refused, rejected, superseded, stopped, expired, never proposed), it ends
	 * with one call with `undefined`, on the component it began on. After `confirmed` there is nothing left to take away: the act
	 * itself exchanges ghost and text in one change. A proposal under `suggest` stays until the run returns. A throw is
	 * reported once.
	 */
	paint?(provider: P, partial: Partial<OutputOf<S>> | undefined, call: Pick<ActCall, 'run' | 'step'>): void;
	/** Reserved: the receiver drops a repeated operation for this long. Nothing retries an unknown outcome by it yet. */
	idempotent?: { retentionMs: number };
	/** Asks the receiver what became of an operation. */
	probe?(provider: P, operation: string): Promise<'done' | 'not-done' | 'unknown'>;
	/** Name of the act that makes good for this one; itself a gated act, never called undo. */
	compensate?: string;
	/**
	 * `perform` hands {@link ActCall.expect} to the receiver, which compares it with what it holds and refuses otherwise, in one
	 * step with the write. Without it a change between the last look and the write goes unnoticed; where the act reaches beyond
	 * the page the card says so.
	 * @default false
	 */
	compareAndSet?: boolean;
	/** Reserved before dispatch, in the app's currency. @default 0 */
	cost?: number;
}

/** What an act answers. Failures are values. Make them with `done retry refuse escalate unknown`. @since 0.1.0 */
export type ActResult =
	| { kind: 'done'; value?: JSONValue; versions?: Readonly<Record<string, string | number>> }
	/** Nothing happened; the same operation may run again. */
	| { kind: 'retry'; reason: Reason; afterMs?: number }
	| { kind: 'escalate'; question: QuestionSpec }
	/** Nothing happened and will not. */
	| { kind: 'refuse'; reason: Reason }
	/** It may have happened. */
	| { kind: 'unknown'; reason: Reason };

/** What a provider is told about the call. @since 0.1.0 */
export interface ActCall {
	actor: Actor;
	run: string;
	step: string;
	/** Idempotency key: stable over retry and resume; changes only with arguments, step or revision. */
	operation: string;
	/** Versions this call now expects, by `read` or `read:key`, for {@link AgentAct.compareAndSet}. */
	expect: Readonly<Record<string, string | number>>;
	/** Aborts on stop and on timeout. */
	signal: AbortSignal;
	/** What is written with this call is worth: its arguments, and all that led to it. Keep it with what was written. */
	label?: Label;
	/** After `escalate`: perform is called again with the same operation and the validated answer. */
	answer?: { question: string; value: JSONValue };
}

/** Static data: what a component lets an agent read and do. Imports its own provider and nothing of the engine. @since 0.1.0 */
export interface AgentManifest<P, R extends PropertyKey = string> {
	/** Name of the component type, for example `form`. */
	kind: string;
	description: string;
	/**
	 * Whose words the manifest is made of: its descriptions, names and schemas. `imported` for one that is made at run time
	 * from what somebody else described (a plug-in, a server's tool list): a run that is told of it has read untrusted text.
	 * @default 'app': a manifest is static data of the app's own code
	 */
	trust?: 'app' | 'imported';
	reads: { readonly [K in R]: AgentRead<P> };
	// Contravariant argument types of the single acts have no common supertype but any.
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	acts: { readonly [name: string]: AgentAct<P, any, R> };
	/** Takes back what the run did to this provider, and only that. Required when an act is `reversible`. */
	undo?(provider: P, run: string): UndoPart | Promise<UndoPart>;
	redo?(provider: P, run: string): UndoPart | Promise<UndoPart>;
	/**
	 * A run is over: it returned or was cancelled, and every act of it is settled. Called once, in every participant in which
	 * the run acted or painted, as the one who acted; one that is not mounted by then is passed over. Here a provider closes
	 * what it kept for the run, as an editor closes its entry on the undo timeline. Synchronous; a throw is reported once.
	 */
	ended?(provider: P, run: string): void;
}

/**
 * Types a manifest against its provider: arguments of `perform`, `preview`, `touches` are inferred from each act's schema,
 * names in `touches` from the reads. Checks nothing at run time; registration does.
 * @example
 * const counterManifest = defineManifest<Counter>()({
 *   kind: 'counter',
 *   description: 'A counter',
 *   reads: { count: { description: 'Present count', read: (c) => c.count, version: (c) => c.count, trust: 'app', sensitivity: 'page' } },
 *   acts: { add: { description: 'Add to the count', args: z.object({ by: z.number().describe('How much') }), effect: 'reversible', perform: (c, { by }) => done(c.add(by)) } },
 *   undo: (c, run) => c.undoRun(run)
 * })
 * @since 0.1.0
 */
export function defineManifest<P>(): <
	const R extends Record<string, AgentRead<P>>,
	A extends Record<string, Schema>
>(manifest: {
	kind: string;
	description: string;
	trust?: 'app' | 'imported';
	reads: R;
	acts: { readonly [K in keyof A]: AgentAct<P, A[K], keyof R & string> };
	undo?(provider: P, run: string): UndoPart | Promise<UndoPart>;
	redo?(provider: P, run: string): UndoPart | Promise<UndoPart>;
	ended?(provider: P, run: string): void;
}) => AgentManifest<P, keyof R & string> {
	return (manifest) => manifest;
}
