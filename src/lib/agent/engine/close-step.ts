import type { StepMemory } from '../journal/memory.js';
import { join } from '../protocol/labels.js';
import type { Issue, Preview } from '../protocol/run-state.js';
import type { Reason } from '../protocol/words.js';
import type { Conductor } from './conductor.js';
import { refusal } from './content.js';
import { freshState } from './fresh.js';
import { hiddenOf } from './redaction.js';
import { issuesLabel, reasonLabel } from './said.js';

/**
 * Closes a step that did not run, and tells the model why; what was decided against comes with the fresh state it
 * touched. With the last one of a review that is settled, the run leaves it.
 */
export function closeStep(
	conductor: Conductor,
	memory: StepMemory,
	status: 'proposed' | 'refused' | 'rejected' | 'withdrawn',
	reasons: readonly Reason[],
	{
		issues,
		preview,
		theirs
	}: { issues?: readonly Issue[]; preview?: Preview; theirs?: true | 'refusal' } = {}
): void {
	const { state, openReview, open } = conductor.fold;
	const { step, call, touches } = memory;
	const told = status === 'refused' || status === 'rejected' ? touches : [];
	const {
		fresh,
		label,
		told: versions
	} = freshState(conductor, step.instance, told, told.length > 0 ? hiddenOf(conductor, memory) : []);
	const last = state === 'reviewing' && !openReview && [...open].every((one) => one === memory);
	conductor.append('step.closed', {
		verb: last ? 'plan' : undefined,
		step: step.id,
		call,
		status,
		reasons,
		label: join(
			join(label, issuesLabel(conductor, step.instance, step.act, issues)),
			reasonLabel(conductor, memory, reasons[0], theirs)
		),
		preview,
		performative: status === 'withdrawn' ? 'cancel' : 'refuse',
		content: refusal(reasons, { fresh, issues }),
		told: versions
	});
}
