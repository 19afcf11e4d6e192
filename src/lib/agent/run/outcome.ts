import type { OutcomeKind } from '../protocol/run-state.js';

/** What the end of a run is judged by. @since 0.1.0 */
export interface OutcomeFacts {
	/** Another run took its place. */
	superseded: boolean;
	/** Stop, cancel, dispose or recovery. */
	interrupted: boolean;
	/** A transport or engine error ended it, or nobody answered in time. */
	broken: boolean;
	/** A budget was not renewed. */
	exhausted: boolean;
	/** The model refused. */
	refused: boolean;
	/** Steps stayed proposals under suggest. */
	proposed: boolean;
	/** Steps that were ever proposed, dispatched, confirmed; steps that failed or whose outcome is unknown. */
	steps: number;
	admitted: boolean;
	confirmed: number;
	faulty: number;
}

/**
 * The kind of an outcome: the first that holds.
 * @since 0.1.0
 */
export function outcomeKind(facts: OutcomeFacts): OutcomeKind {
	const { confirmed, faulty, broken, exhausted } = facts;
	if (facts.superseded) return 'superseded';
	if (facts.interrupted) return 'interrupted';
	if (confirmed === 0 && (broken || faulty > 0)) return 'failed';
	if (confirmed > 0 && (broken || faulty > 0 || exhausted)) return 'partial';
	if (exhausted) return 'exhausted';
	if (facts.refused) return 'refused';
	if (facts.proposed && confirmed === 0) return 'proposed';
	if (confirmed > 0) return 'completed';
	return facts.steps > 0 && !facts.admitted ? 'refused' : 'answered';
}
