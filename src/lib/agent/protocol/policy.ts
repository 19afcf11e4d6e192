import type { Actor } from '../../actor/actor.js';
import type { RunState, Step } from './run-state.js';
import type { Budget, Effect, JSONValue, Label, Level, Reach } from './words.js';

/**
 * A duty that comes with a verdict. One the gate does not know, or that it cannot honour, denies.
 *
 * `require-approval`: a person must agree. `cap-budget`: denies what would go beyond these limits of the run. `redact`: what
 * the step tells the model shows `[redacted]` in place of these members, as dotted paths, `*` for any one member.
 * `audit-enhanced`: the permission says so in the journal.
 * @since 0.1.0
 */
export type Obligation =
	| { kind: 'require-approval' }
	| { kind: 'cap-budget'; budget: Partial<Budget> }
	| { kind: 'redact'; paths: readonly string[] }
	| { kind: 'audit-enhanced' };

/**
 * One rule of a policy. Every field that is given must match. Deny beats ask beats allow, in any order and from any source.
 * A rule that cannot be read (a word or a field nobody knows, a value of another type, a getter that throws) denies every
 * step until it is put right: what it was to forbid nobody can tell.
 *
 * An `allow` of the app loosens nothing. An `allow` of the person is a standing grant: it answers the level's question where the
 * app's ceiling is auto, for what can be undone, and only if it names `act`, `instance`, what the arguments are (`args`
 * with all of them, or `when`) and an end (`until`). For anything broader there are levels.
 * @since 0.1.0
 */
export interface PolicyRule {
	/** @default 'app' */
	by?: 'app' | 'user';
	verdict: 'deny' | 'ask' | 'allow';
	kind?: string;
	act?: string;
	instance?: string;
	effect?: Effect;
	reach?: Reach;
	/** Arguments that must be there and equal, as JSON. */
	args?: Readonly<Record<string, JSONValue>>;
	/**
	 * What the arguments and all that led to the step are worth. A `deny` or an `ask` is met by what is as bad or worse, an
	 * `allow` by what is as good or better. `source`: an instance, a read of it, or a name of the label's `sources`; of an
	 * `allow` all of them must be it.
	 */
	label?: {
		integrity?: Label['integrity'];
		confidentiality?: Label['confidentiality'];
		source?: string;
	};
	/** Pure and synchronous. One that throws, or says neither true nor false, denies. */
	when?: (step: Step, run: RunState) => boolean;
	/** Shown to the person and told to the model. */
	reason: string;
	obligations?: readonly Obligation[];
	/** Milliseconds since the epoch; afterwards the rule is void. */
	until?: number;
}

/** A rule as it is recorded: its condition is only said to be there. @since 0.1.0 */
export type DeclaredRule = Omit<PolicyRule, 'when'> & { when?: true };

/**
 * What may run without a person, and by whose word, as it stood when the run was opened or its instructions changed. It is the
 * most the run gets until they change again; what is tightened meanwhile counts at once.
 * @since 0.1.0
 */
export interface FrozenPolicy {
	/** Of the app. */
	ceiling: Level;
	/** Of the person, and who set it. */
	user?: { level: Level; by: Actor };
	/**
	 * Classes of acts that run without a person, by their effect, their reach and whether text of strangers may have led to
	 * them; `by`: who allowed it. What changes nothing nobody has to allow. Rules, and what a single
	 * call would carry where it may not go, ask for more.
	 */
	alone: readonly { effect: Effect; reach: Reach; tainted: boolean; by: readonly Actor[] }[];
	rules: readonly DeclaredRule[];
}
