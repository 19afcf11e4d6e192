import type { Fold } from '../journal/fold.js';
import type { Pending } from '../protocol/run-state.js';

/** What waits for a person in one run. Every reason of an escalation stands here. */
export function pendingOf(run: Fold): Pending[] {
	const { id: of, effects, over, opened, started, accepted, openReview: review } = run;
	const out: Pending[] = [];
	// A person can settle what became of an effect also after the end.
	for (const [operation, { open }] of effects)
		if (open) out.push({ kind: 'unknown-effect', run: of, operation });
	if (over) return out;
	if (opened.offer && !started && !accepted) out.push({ kind: 'offer', run: of });
	if (review) out.push({ kind: 'review', review });
	for (const { question } of run.openQuestions) out.push({ kind: 'question', question });
	for (const [key, reason] of run.escalations)
		if (key === 'budget') out.push({ kind: key, run: of });
		else if (!/^(question|unknown-effect):/.test(key)) out.push({ kind: 'escalation', run: of, reason });
	return out;
}
