import type { Actor } from '../../actor/actor.js';
import type { Schema } from './schema.js';
import type { Usage } from './turn.js';
import type { Budget, Effect, JSONValue, Label, Level, Reach, Reason } from './words.js';

/** States of a run; the first seven are verbs of the family `delegate` that have happened. @since 0.1.0 */
export type RunStateName =
	'offered' | 'planned' | 'reviewing' | 'authorized' | 'acting' | 'returned' | 'escalated' | 'cancelled';

/** A run as the fold of its journal: immutable, plain JSON, language-neutral. @since 0.1.0 */
export interface RunState {
	id: string;
	thread: string;
	root: string;
	parent?: string;
	successorOf?: string;
	principal: Actor;
	agent: { id: string; version?: string };
	goal: string;
	/** Version of the instructions the run obeys, from 1. */
	revision: number;
	/** The effective level: the lowest of all that were given. */
	level: Level;
	/** Hash of what the run was started under (instructions, policy, budget, agent version). */
	contract: string;
	state: RunStateName;
	activity: 'thinking' | 'acting' | 'waiting' | 'paused' | 'idle';
	/** Why the run waits, while `escalated`; empty otherwise. */
	escalations: readonly Reason[];
	turns: readonly { id: string; text: string; calls: readonly string[]; usage?: Usage }[];
	calls: readonly CallState[];
	/** Every step of the run; `plan.steps` is the current part. */
	steps: readonly Step[];
	plan?: { turn: string; steps: readonly Step[] };
	/** Reads the last turn did not show, and why. */
	leftOut: readonly { instance: string; read: string; why: string }[];
	revisions: readonly { n: number; kind: Update['kind'] | 'goal'; text: string; by: Actor }[];
	/** Changes of course, in order: what changed, what was done before, and what was unresolved then. */
	transitions: readonly Transition[];
	reviews: readonly Review[];
	questions: readonly Question[];
	budget: { limit: Budget; spent: Budget; reserved: Budget };
	/** Join of everything the run has been shown. */
	label: Label;
	/**
	 * The state the agent behind a transport shares with this app, as the last turn left it: its word, not to be trusted, and
	 * shown to no other model. `by` is the name of that transport; `revision` its number, where that side counts.
	 */
	shared?: { by: string; value: JSONValue; revision?: number; label: Label };
	effects: readonly EffectEntry[];
	outcome?: Outcome;
	undone?: 'all' | 'partial';
	/**
	 * The run is carried on in another window or tab; here it is only followed, and every verb but `resume` and `stop` of a
	 * person is refused with `owner`. No fact of the journal: it is this engine's place.
	 */
	elsewhere?: true;
}

/** One call of the model. `args` is set once they parsed. @since 0.1.0 */
export interface CallState {
	id: string;
	turn: string;
	name: string;
	instance?: string;
	act?: string;
	args?: JSONValue;
	step?: string;
	status: 'streaming' | 'open' | 'closed' | 'refused';
	result?: JSONValue;
}

/** One proposed act: act + instance + arguments + labels; it ends with exactly one result. @since 0.1.0 */
export interface Step {
	id: string;
	instance: string;
	act: string;
	args: JSONValue;
	effect: Effect;
	reach: Reach;
	label: Label;
	by: Actor;
	status:
		| 'proposed'
		| 'refused'
		| 'granted'
		| 'waiting'
		| 'dispatched'
		| 'confirmed'
		| 'failed'
		| 'unknown'
		| 'withdrawn'
		| 'rejected'
		| 'skipped';
	/** Why it is asked about, or why it did not run. */
	reasons: readonly Reason[];
	/** Who must agree. */
	asks: 'person' | 'policy';
	/** No compare-and-set behind it. */
	weak?: boolean;
	preview?: Preview;
	result?: JSONValue;
	/** The model's arguments, where the person edited them. */
	proposed?: JSONValue;
}

/** What a reviewer sees of a step. @since 0.1.0 */
export type Preview =
	| {
			kind: 'fields';
			fields: readonly { path: string; label: string; before: JSONValue; after: JSONValue }[];
	  }
	| { kind: 'text'; before: string; after: string }
	| { kind: 'note'; text: string };

/** Steps that wait for one decision of a person, bound to what the card shows. @since 0.1.0 */
export interface Review {
	id: string;
	run: string;
	/** Exactly the steps that ask. */
	steps: readonly string[];
	reasons: readonly Reason[];
	/** SHA-256 over the steps' fingerprints in order. */
	fingerprint: string;
	/** What moved since the review before this one. */
	changes?: readonly Change[];
	/** Milliseconds since the epoch; expiry never approves. */
	expiresAt?: number;
	status: 'open' | 'settled' | 'superseded' | 'expired';
}

/** A value that moved under a review. @since 0.1.0 */
export interface Change {
	instance: string;
	read: string;
	key?: string;
	before: JSONValue;
	after: JSONValue;
}

/** A question to a person; `schema` describes the answer. @since 0.1.0 */
export interface QuestionSpec {
	text: string;
	schema?: Schema | Record<string, unknown>;
	url?: string;
	expiresAt?: number;
	/** @default 'question' */
	reason?: 'question' | 'auth' | 'scope' | 'consent';
}

/** A question that was asked. `schema` is always the JSON Schema projection. @since 0.1.0 */
export interface Question {
	id: string;
	run: string;
	from: Actor;
	text: string;
	schema?: Record<string, unknown>;
	url?: string;
	expiresAt?: number;
	reason: 'question' | 'auth' | 'scope' | 'consent';
	status: 'open' | 'answered' | 'declined' | 'expired';
}

/** One line of the effect ledger: what was intended, who decided it and how, and what became of it. @since 0.1.0 */
export interface EffectEntry {
	/** Idempotency key: stable over retry and resume. */
	operation: string;
	step: string;
	instance: string;
	act: string;
	status: 'intended' | 'dispatched' | 'confirmed' | 'failed' | 'unknown' | 'withdrawn';
	reach: Reach;
	decidedBy: Actor;
	how: 'person' | 'sticky' | 'policy';
	fingerprint: string;
	cost?: number;
}

/** How a run ended. @since 0.1.0 */
export interface Outcome {
	kind: OutcomeKind;
	reason?: Reason;
	/** The agent's last words, shown to the person. */
	text?: string;
	/** Result of `call()`. */
	value?: JSONValue;
	effects: readonly EffectEntry[];
	spent: Budget;
}

/** See "outcomes" in the docs of the run for the order in which they are decided. @since 0.1.0 */
export type OutcomeKind =
	| 'answered'
	| 'completed'
	| 'partial'
	| 'proposed'
	| 'refused'
	| 'interrupted'
	| 'exhausted'
	| 'failed'
	| 'superseded'
	| 'abstained';

/** Everything that waits for a person. @since 0.1.0 */
export type Pending =
	| { kind: 'review'; review: Review }
	| { kind: 'question'; question: Question }
	| { kind: 'offer'; run: string }
	| { kind: 'budget'; run: string }
	| { kind: 'unknown-effect'; run: string; operation: string }
	| { kind: 'escalation'; run: string; reason: Reason };

/** A decision names every step of its review, or all at once. @since 0.1.0 */
export type Decision =
	| { review: string; verdict: 'approve' | 'reject'; reason?: string }
	| { review: string; steps: Readonly<Record<string, Verdict>> };

/** Verdict on one step; an edit gives the whole argument object. @since 0.1.0 */
export interface Verdict {
	verdict: 'approve' | 'reject' | 'edit';
	args?: unknown;
	reason?: string;
}

/** What became of a decision; `issues` are by step id. @since 0.1.0 */
export interface DecisionReport {
	ok: boolean;
	refused?: Reason;
	issues?: Readonly<Record<string, readonly Issue[]>>;
}

/** One fault of a value, by JSON Pointer-like path (`a/b/0`). @since 0.1.0 */
export interface Issue {
	path: string;
	message: string;
}

/** What became of an answer. @since 0.1.0 */
export interface AnswerReport {
	ok: boolean;
	refused?: Reason;
	issues?: readonly Issue[];
}

/** A message to a run that is under way, classified. @since 0.1.0 */
export interface Update {
	kind: 'progress' | 'correction' | 'pause' | 'cancel' | 'goal';
	text: string;
}

/** What a steer did. @since 0.1.0 */
export interface SteerReport {
	revision: number;
	kind: Update['kind'];
	interpretation: string;
	superseded: readonly string[];
	/** Operations that were done before, where the course changed. */
	completed?: readonly string[];
	/** Operations whose outcome is not known yet, where the course changed. */
	unresolved?: readonly string[];
	/** It could be meant in more than one way: nothing changes before this is answered. */
	question?: string;
	successor?: string;
	/**
	 * Why nothing was changed: `args`, `person-required`, `owner`, what a pause or a stop was refused with, or `store` where
	 * the change could not be kept.
	 */
	refused?: Reason;
}

/** A change of course. @since 0.1.0 */
export interface Transition {
	/** The revision that holds from here on. */
	revision: number;
	kind: Update['kind'];
	text: string;
	/** Steps that belong to older instructions. */
	superseded: readonly string[];
	/** Operations that were done before. */
	completed: readonly string[];
	/** Operations whose outcome was not known. */
	unresolved: readonly string[];
}

/** What had happened by the end of a stop; operation ids. @since 0.1.0 */
export interface StopReport {
	/** The run had ended before it was to be stopped: what it did is done. */
	late?: true;
	confirmed: readonly string[];
	failed: readonly string[];
	unknown: readonly string[];
	withdrawn: readonly string[];
}

/** What one participant took back, and what it had to leave. @since 0.1.0 */
export interface UndoPart {
	undone: number;
	kept: readonly { what: string; why: string }[];
}

/** What an undo did, by instance. @since 0.1.0 */
export interface UndoReport {
	ok: boolean;
	refused?: Reason;
	parts: Readonly<Record<string, UndoPart>>;
}

/** What became of the runs that were found open at start. @since 0.1.0 */
export interface RecoveryReport {
	returned: readonly string[];
	resumed: readonly string[];
	/** Operations whose outcome nobody knows. */
	unknown: readonly string[];
}
