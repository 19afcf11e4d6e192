import type { Fold } from '../journal/fold.js';
import type { Pending } from '../protocol/run-state.js';

/** What waits for a person in one run. Every reason of an escalation stands here. */
export function pendingOf(run: Fold): Pending[] {
	const out: Pending[] = [];
	const { id } = run;
	// A person can settle what became of an effect also after the end.
	for (const { entry, open } of run.effects.values())
		if (open && entry.status === 'unknown')
			out.push({ kind: 'unknown-effect', run: id, operation: entry.operation });
	if (run.over) return out;
	if (run.opened.offer && !run.started && !run.accepted) out.push({ kind: 'offer', run: id });
	for (const review of run.reviews.values())
		if (review.status === 'open') out.push({ kind: 'review', review });
	for (const { question } of run.questions.values())
		if (question.status === 'open') out.push({ kind: 'question', question });
	for (const [key, why] of run.escalations) {
		if (key.startsWith('question:') || key.startsWith('unknown-effect:')) continue;
		out.push(key === 'budget' ? { kind: 'budget', run: id } : { kind: 'escalation', run: id, reason: why });
	}
	return out;
}
