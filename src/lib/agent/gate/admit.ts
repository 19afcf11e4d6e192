import type { Entry } from '../capability/registry.js';
import type { Fold } from '../journal/fold.js';
import { at, type StepMemory } from '../journal/memory.js';
import type { TouchAt } from '../journal/kinds.js';
import { reason } from '../protocol/codes.js';
import type { Reason } from '../protocol/words.js';
import { bond, fingerprintOf } from './fingerprint.js';

/** The answer of the one door. @since 0.1.0 */
export type Admission =
	| { verdict: 'admitted'; fingerprint: string }
	| { verdict: 'refused'; reasons: readonly Reason[] }
	/** Back to the person, with what changed. */
	| { verdict: 'review'; reasons: readonly Reason[]; drifted: readonly TouchAt[] };

/** What the last look found, in the same tick in which the act is to run. @since 0.1.0 */
export interface Facts {
	run: Fold;
	/** The instance as it is mounted now, if its act is registered, available and ready. */
	entry: Entry | undefined;
	/** Why there is none. */
	missing?: Reason;
	/** Present versions of what the step touches, in the order of the grant. */
	versions: readonly TouchAt[];
	/** A policy that was tightened since counts at once. */
	denied: readonly Reason[];
	/** Would it take somebody else's word now than the one it was granted on? */
	unsettled: boolean;
	policy: string;
	/** It was admitted by an engine that was thrown away before the act ran: the page shows that it did not. */
	again?: boolean;
	/** Are the locks of the act held? */
	locked: boolean;
	/** Cost to be reserved. */
	cost: number;
}

const refused = (...reasons: Reason[]): Admission => ({ verdict: 'refused', reasons });

/**
 * The one door: the last look before an act runs. Pure and synchronous; whatever a model, a page or a stale card says,
 * nothing is performed but what is admitted here, and nothing is admitted twice.
 * @since 0.1.0
 */
export function admit(step: StepMemory, facts: Facts, now: number): Admission {
	const { run, entry } = facts;
	const { grant } = step;
	// The run is live, is not about to stop, and still follows these instructions.
	if (run.over) return refused(reason('run-over'));
	if (run.stopping) return refused(reason('stopping'));
	// A pause, a question or a spent budget holds everything back.
	if (run.escalations.size > 0) return refused(reason('illegal-transition'));
	// The instance is mounted, the act registered and available.
	if (facts.missing || !entry) return refused(facts.missing ?? reason('instance-gone'));
	// Deny beats every grant.
	if (facts.denied.length > 0) return refused(...facts.denied);
	// The permission is there, is unused and has not run out.
	if (!grant || grant.step !== step.step.id) return refused(reason('grant-used'));
	// What nobody had to agree to goes back to policy without a word; what somebody agreed to, to them.
	const back = (why: Reason, drifted: readonly TouchAt[] = []): Admission => ({
		verdict: 'review',
		reasons: grant.how === 'person' ? [why] : [],
		drifted
	});
	if (now >= grant.expires) return back(reason('expired'));
	// Policy, levels and labels as they are now: what was tightened counts at once.
	if (facts.unsettled) return { verdict: 'review', reasons: [], drifted: [] };
	// Nothing is under way under the same operation.
	const effect = run.effects.get(grant.operation);
	if (effect?.entry.status !== (facts.again ? 'dispatched' : 'intended'))
		return refused(reason('duplicate-commitment'));
	if (!facts.locked) return refused(reason('locked'));
	// The same component as when it was decided: a remount is another one.
	const moved = facts.versions.filter((touch) => step.expect.get(at(touch)) !== touch.version);
	if (entry.epoch !== grant.epoch || moved.length > 0) {
		if (grant.how !== 'person')
			return refused(reason(entry.epoch === grant.epoch ? 'stale' : 'instance-gone'));
		return back(reason('drift'), moved);
	}
	// The run's own writes count as the versions it was granted on.
	const { operation, bound: touches, expires, nonce } = grant;
	const { label } = step.step;
	const terms = { label, operation, touches, policy: facts.policy, expires, nonce };
	const print = fingerprintOf(step, bond(run, step, entry, terms));
	if (print !== grant.fingerprint) return back(reason('drift'));
	return { verdict: 'admitted', fingerprint: print };
}

/** May a call without effect run? The same door without grant and locks. @since 0.1.0 */
export function admitRead(facts: Pick<Facts, 'run' | 'entry' | 'missing' | 'denied'>): Admission {
	const { run, entry } = facts;
	if (run.over) return refused(reason('run-over'));
	if (run.stopping) return refused(reason('stopping'));
	if (facts.missing || !entry) return refused(facts.missing ?? reason('instance-gone'));
	if (facts.denied.length > 0) return refused(...facts.denied);
	return { verdict: 'admitted', fingerprint: '' };
}
