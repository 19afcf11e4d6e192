import type { RunStateName } from '../protocol/run-state.js';

/** What moves a run. Every verb but `cancel` and `resume` is one of the family `delegate`. @since 0.1.0 */
export type Verb = 'plan' | 'review' | 'authorize' | 'act' | 'escalate' | 'return' | 'cancel' | 'resume';

/** All verbs, for tables and tests. @since 0.1.0 */
export const VERBS: readonly Verb[] = [
	'plan',
	'review',
	'authorize',
	'act',
	'escalate',
	'return',
	'cancel',
	'resume'
];

/** What the table needs to know besides the state. @since 0.1.0 */
export interface Facts {
	/** Was any act of the whole run ever admitted? Then it can no longer be cancelled, only returned. */
	admitted: boolean;
	/** The state an escalated run left first. */
	from?: RunStateName;
}

/** The verb leads to one fixed state; `resume` leads back to where the run was. */
const TARGET: Record<Exclude<Verb, 'resume'>, RunStateName> = {
	plan: 'planned',
	review: 'reviewing',
	authorize: 'authorized',
	act: 'acting',
	escalate: 'escalated',
	return: 'returned',
	cancel: 'cancelled'
};

/** The run machine as data: which verbs each state knows. */
const EDGES: Record<RunStateName, readonly Verb[]> = {
	offered: ['plan', 'return', 'cancel', 'escalate'],
	planned: ['plan', 'review', 'authorize', 'return', 'cancel', 'escalate'],
	reviewing: ['review', 'authorize', 'plan', 'return', 'cancel', 'escalate'],
	authorized: ['authorize', 'act', 'review', 'plan', 'return', 'cancel', 'escalate'],
	acting: ['act', 'authorize', 'review', 'plan', 'return', 'escalate'],
	escalated: ['resume', 'plan', 'escalate', 'return', 'cancel'],
	returned: [],
	cancelled: []
};

/** All states, for tables and tests. @since 0.1.0 */
export const STATES = Object.keys(EDGES) as readonly RunStateName[];

/** Has control returned? @since 0.1.0 */
export const isOver = (state: RunStateName): boolean => EDGES[state].length === 0;

/**
 * The one transition table of a run. Pure; what is not drawn is the value `'illegal'`, never an exception.
 * @since 0.1.0
 */
export function transition(state: RunStateName, verb: Verb, facts: Facts): RunStateName | 'illegal' {
	if (!EDGES[state].includes(verb)) return 'illegal';
	if (verb === 'cancel' && facts.admitted) return 'illegal';
	if (verb !== 'resume') return TARGET[verb];
	const { from } = facts;
	return from === undefined || from === 'escalated' || isOver(from) ? 'illegal' : from;
}
