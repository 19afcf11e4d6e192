import type { Actor } from '../../actor/actor.js';
import type { FrozenPolicy } from '../protocol/policy.js';
import type { JournalRecord } from '../protocol/records.js';
import type { Change, Outcome, Preview, Question, Step, UndoPart, Update } from '../protocol/run-state.js';
import type { EndReason, Usage } from '../protocol/turn.js';
import type { Budget, JSONValue, Label, Level, Reason, Touch } from '../protocol/words.js';
import type { Verb } from '../run/transition.js';
import type { Omission } from './left-out.js';

/** A touch of an instance with the version it had. @since 0.1.0 */
export interface TouchAt extends Touch {
	instance: string;
	version: string | number;
}

/** A read as the model was shown it; `keys` are versions of the single keys it shows. @since 0.1.0 */
export interface ShownAt extends TouchAt {
	label: Label;
	form: 'full' | 'summary' | 'line';
	/** Of the whole value; none for a `line`, which shows nothing of it. */
	digest?: string;
	keys?: Readonly<Record<string, string | number>>;
}

/** One call as the model sent it. @since 0.1.0 */
export interface TurnCall {
	id: string;
	name: string;
	/** Raw text, also when cut. */
	raw: string;
	verdict: 'complete' | 'incomplete' | 'invalid';
	/** Executed over there: an untrusted result, never a step. */
	there?: true;
	result?: JSONValue;
	failed?: true;
}

/** A step as the plan records it. @since 0.1.0 */
export interface PlannedStep extends Step {
	call?: string;
	/** Counts edits: part of the operation. */
	proposal: number;
	manifest: string;
	epoch: number;
	touches: readonly TouchAt[];
}

/** What assess found out about a step that was shown for review. @since 0.1.0 */
export interface AssessedStep {
	step: string;
	asks: 'person' | 'policy';
	reasons: readonly Reason[];
	protected: boolean;
	label: Label;
	weak?: true;
	/** Members that are masked in what the step tells the model. */
	redact?: readonly string[];
	preview?: Preview;
	/** Values of the touched keys as the card shows them, for the diff at drift. */
	bound: readonly (TouchAt & { value?: JSONValue })[];
	fingerprint: string;
	epoch: number;
}

/** Permission for one step, bound to a fingerprint, used once. @since 0.1.0 */
export interface Grant {
	step: string;
	operation: string;
	how: 'person' | 'sticky' | 'policy';
	decidedBy: Actor;
	/** Versions it was given on. */
	bound: readonly TouchAt[];
	fingerprint: string;
	expires: number;
	nonce: string;
	epoch: number;
	label: Label;
	/** A rule asked that this be kept for audit. */
	audit?: true;
	/** Members that are masked in what the step tells the model. */
	redact?: readonly string[];
}

/** An own write that moved a version. @since 0.1.0 */
export interface Moved extends Touch {
	instance: string;
	before: string | number;
	after: string | number;
}

/** A read whose value a result shows, with what consent to it goes by; private where no sensitivity stands. @since 0.1.0 */
export interface ToldAt extends TouchAt {
	kind?: string;
	category?: string;
	sensitivity?: 'public' | 'page';
}

/** The result of a step, by the digest of its value. @since 0.1.0 */
export interface Artifact {
	run: string;
	step: string;
	digest: string;
}

/** What closes a call: content for the model with its force. @since 0.1.0 */
export interface Closing {
	content: JSONValue;
	/** The values it shows. */
	told?: readonly ToldAt[];
	performative: 'inform' | 'refuse' | 'failure' | 'cancel';
}

/** Data by kind of record; `verb` moves the run. @since 0.1.0 */
export interface Kinds {
	'run.opened': {
		thread: string;
		root: string;
		parent?: string;
		successorOf?: string;
		principal: Actor;
		agent: { id: string; name: string; version?: string };
		goal: string;
		attachments?: readonly { name: string; text: string; label: Label }[];
		/** In force at the start. */
		level: Level;
		/** The most this run was given, whatever the engine's level becomes. */
		most?: Level;
		budget: Budget;
		/** What may run without a person, and by whose word. */
		policy?: FrozenPolicy;
		instances?: readonly string[];
		contract: string;
		label: Label;
		nonce: string;
		offer?: true;
		/** What runs before this one made that it may use, by reference. */
		artifacts?: readonly Artifact[];
		/** Takes the place of the live run. */
		replaces?: true;
		call?: { instance: string; act: string; args: JSONValue };
	};
	'run.accepted': { principal: Actor };
	'run.started': { label: Label };
	/** Another engine carries it on from here. */
	'run.taken': Record<string, never>;
	'turn.opened': {
		turn: string;
		context: string;
		shown: readonly ShownAt[];
		leftOut: readonly Omission[];
		tools: readonly { name: string; kind?: string; act?: string; instances?: readonly string[] }[];
		changed?: { added: readonly string[]; removed: readonly string[] };
		label: Label;
		/** Estimate of all that is sent: system, history, tools and context. */
		input?: number;
		/** `input` and room for the answer, as far as the budget has them. */
		reserve: number;
		/** Limits of which most is used up, with what is left of them. */
		nearing?: Partial<Budget>;
		wrapUp?: true;
		continues?: true;
	};
	'turn.failed': {
		turn: string;
		text: string;
		label?: Label;
		reason: Reason;
		retryAt?: number;
		usage: Usage;
	};
	'turn.closed': {
		turn: string;
		text: string;
		/** Of the run by then: a model may repeat all it was shown. */
		label?: Label;
		end: EndReason | 'error';
		calls: readonly TurnCall[];
		usage: Usage;
		echo?: JSONValue;
		/** The state shared with the agent behind a transport, by its name, where this turn changed it. */
		shared?: { by: string; value: JSONValue; revision?: number };
		reason?: Reason;
		interrupts?: readonly {
			id: string;
			text: string;
			schema?: Record<string, unknown>;
			expiresAt?: number;
		}[];
	};
	'call.admitted': {
		call: string;
		instance: string;
		act: string;
		/** Set aside for it. */
		cost?: number;
		redact?: readonly string[];
	};
	'call.closed': Closing & {
		call: string;
		/** The instance the model looked into: from now on the run has to do with it. */
		looked?: string;
		status: 'closed' | 'refused';
		/** Nobody knows what became of it: it costs what was set aside. */
		unsure?: true;
		/** Label of what it told the model. */
		label?: Label;
		/** Which instance was meant by a call that was turned away at once, and why. */
		refused?: { instance: string; code: string };
	};
	'plan.proposed': { verb: 'plan'; turn?: string; steps: readonly PlannedStep[] };
	'step.closed': Partial<Closing> & {
		verb?: 'plan';
		step: string;
		call?: string;
		status: Step['status'];
		reasons: readonly Reason[];
		/** Label of the fresh state it told the model. */
		label?: Label;
		/** What a proposal would have done. */
		preview?: Preview;
	};
	'review.opened': {
		verb: 'review';
		review: string;
		reasons: readonly Reason[];
		fingerprint: string;
		changes?: readonly Change[];
		expiresAt: number;
		steps: readonly AssessedStep[];
	};
	'review.decided': {
		verb?: 'plan';
		review: string;
		steps: Readonly<
			Record<
				string,
				{
					verdict: 'approve' | 'reject' | 'edit';
					reason?: string;
					/** An edit is a new proposal of the same act. */
					edit?: {
						args: JSONValue;
						touches: readonly (TouchAt & { value?: JSONValue })[];
						label: Label;
						preview?: Preview;
					};
				}
			>
		>;
	};
	/** A person wants more time. */
	'review.extended': { review: string; expiresAt: number };
	'review.closed': { review: string; status: 'superseded' | 'expired'; verb?: 'plan' };
	'grants.issued': { verb: 'authorize'; grants: readonly Grant[] };
	'effect.intended': { operation: string; step: string; expect: readonly TouchAt[]; cost: number };
	'effect.withdrawn': {
		operation: string;
		step: string;
		/** `held`: something else comes first; the permission stands. */
		verdict: 'refused' | 'review' | 'held';
		reasons: readonly Reason[];
	};
	'effect.dispatched': {
		verb: 'act';
		operation: string;
		step: string;
		fingerprint: string;
		/** Until when the receiver takes the same operation again for the same: what the act declared then. */
		until?: number;
	};
	'effect.released': {
		operation: string;
		step: string;
		why: 'retry' | 'question';
		reason?: Reason;
		afterAt?: number;
		/** It may have happened: the receiver is relied on to do it once. */
		unsure?: true;
	};
	'effect.settled': Closing & {
		operation: string;
		step: string;
		call?: string;
		status: 'confirmed' | 'failed' | 'unknown';
		reason?: Reason;
		result?: JSONValue;
		moved: readonly Moved[];
		/** Keys that carry the label of this write from now on. */
		marked?: readonly TouchAt[];
		/** That label: of what was written, not of what the result shows. */
		written: Label;
		label: Label;
		cost: number;
	};
	'effect.late': {
		operation: string;
		marked?: readonly TouchAt[];
		written?: Label;
		status: 'confirmed' | 'failed' | 'unknown';
		result?: JSONValue;
		reason?: Reason;
	};
	'effect.ruled': { operation: string; fact: 'done' | 'not-done' | 'abandon' };
	'question.asked': { question: Question; update?: string; call?: string; step?: string; interrupt?: string };
	'question.closed': {
		question: string;
		status: 'answered' | 'declined' | 'expired';
		value?: JSONValue;
		reason?: string;
	};
	'escalation.raised': { verb: 'escalate'; key: string; reason: Reason };
	'escalation.cleared': { verb?: 'resume' | 'plan'; key: string };
	'budget.renewed': {
		add: Partial<Budget>;
		/** What is set aside for a wrap-up, where the runs above have room for less than this one. */
		reserve?: { turns: number; tokens: number };
	};
	'scope.widened': { instance: string };
	'consent.set': { entry: string; verdict: 'allow' | 'ask' | 'deny' };
	'level.set': { level: Level; user: Level };
	/** Something was said to a run under way that changes no instructions, and how it was understood. */
	'update.received': {
		kind: Update['kind'];
		text: string;
		interpretation: string;
		/** Who said which kind it is. */
		how: 'given' | 'rule' | 'model' | 'person';
		/** The question whose answer said so. */
		question?: string;
	};
	/** Where the work stands that a revision found: all of it has ended, or says what is unresolved. */
	'checkpoint.taken': {
		revision: number;
		/** Operations. */
		completed: readonly string[];
		unresolved: readonly string[];
		pending: readonly string[];
		/** What was made so far, by reference. */
		artifacts: readonly Artifact[];
		left: Budget;
	};
	'revision.accepted': {
		verb?: 'plan';
		n: number;
		kind: Update['kind'];
		text: string;
		interpretation: string;
		how?: Kinds['update.received']['how'];
		question?: string;
		/** Steps that belong to older instructions from here on. */
		superseded?: readonly string[];
		/** Operations that were done before. */
		completed?: readonly string[];
		/** Operations whose outcome is not known yet. */
		unresolved?: readonly string[];
		/** As it is from here on. */
		policy?: FrozenPolicy;
	};
	message: { from: Actor; text: string };
	'stop.requested': { reason?: Reason; superseded?: true };
	'run.ended': {
		verb: 'return' | 'cancel';
		kind: Outcome['kind'];
		reason?: Reason;
		label?: Label;
		text?: string;
		value?: JSONValue;
	};
	'run.undone': { parts: Readonly<Record<string, UndoPart>>; undone: 'all' | 'partial' };
	'run.redone': { parts: Readonly<Record<string, UndoPart>> };
}

/** Name of a kind of record. @since 0.1.0 */
export type Kind = keyof Kinds;

/** A record whose data is typed by its kind. @since 0.1.0 */
export type KnownRecord = {
	[K in Kind]: Omit<JournalRecord, 'kind' | 'data'> & { kind: K; data: Kinds[K] };
}[Kind];

/** The verb with which a record moves its run. @since 0.1.0 */
export const verbOf = (record: JournalRecord): Verb | undefined => {
	const { data } = record;
	return typeof data === 'object' && data !== null && 'verb' in data ? (data.verb as Verb) : undefined;
};
