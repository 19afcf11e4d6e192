import type { Pending } from '../protocol/run-state.js';
import type { Conductor } from './conductor.js';

/** What waits for a person in one run. Every reason of an escalation stands here; of a run that is only followed, where it is. */
export function pendingOf({ fold: run, elsewhere }: Conductor): Pending[] {
	const { id: of, effects, over, opened, started, accepted, openReview: review } = run;
	if (elsewhere) return [{ kind: 'escalation', run: of, reason: elsewhere }];
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
