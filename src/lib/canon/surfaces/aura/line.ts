import type { RunState, Step } from '../../../agent/protocol/run-state.js';
import { isOver, isSettled } from '../../../langs/index.js';
import type { StateOf } from '../../../uix/index.js';
import type { auraMorfo } from './aura.morfo.js';

/** How the line is drawn: the state of whoever acts, for eyes. @since 0.1.0 */
export type Line = StateOf<typeof auraMorfo>;

/** Is the run paused by the person? */
export const isPaused = (run: RunState): boolean =>
	run.activity === 'paused' || run.escalations.some((reason) => reason.code === 'paused');

/** The line of a run as a whole. What needs the person comes before a pause, since a pause needs nobody. @since 0.1.0 */
export function lineOf(run: RunState | undefined): Line {
	if (run === undefined) return 'idle';
	if (isOver(run)) {
		const kind = run.outcome?.kind;
		return kind === 'failed' || kind === 'refused' ? kind : 'returned';
	}
	if (run.elsewhere || run.escalations.some((reason) => reason.code !== 'paused')) return 'waiting';
	if (isPaused(run)) return 'paused';
	if (run.state === 'reviewing') return 'waiting';
	if (run.state === 'offered' && run.activity !== 'thinking')
		return run.activity === 'waiting' ? 'waiting' : 'idle';
	return run.activity === 'thinking' || run.state === 'planned' ? 'thinking' : 'acting';
}

/**
 * The line around one instance: what of the run concerns it now. Idle where the run has no step there.
 * @since 0.1.0
 */
export function lineAt(run: RunState | undefined, instance: string): Line {
	const steps = run?.steps.filter((step) => step.instance === instance) ?? [];
	if (run === undefined || steps.length === 0) return 'idle';
	if (isOver(run)) return endOf(run, steps);
	// What another window works on is what stands there.
	if (run.elsewhere) return 'idle';

	const line = lineOf(run);
	const open = steps.filter((step) => !isSettled(step));
	switch (line) {
		case 'acting':
			return open.some((step) => step.status === 'dispatched' || step === nextOf(run)) ? 'acting' : 'idle';
		case 'waiting':
			return waitsHere(run, steps) ? 'waiting' : 'idle';
		case 'paused':
			return open.length > 0 ? 'paused' : 'idle';
		default:
			return line;
	}
}

function endOf(run: RunState, steps: readonly Step[]): Line {
	if (run.undone === 'all') return 'idle';
	const last = steps.at(-1)?.status;
	if (last === 'failed' || last === 'unknown') return 'failed';
	if (steps.some((step) => step.status === 'confirmed')) return 'returned';
	return last === 'refused' ? 'refused' : 'idle';
}

/** The step that runs next, or is running. */
const nextOf = (run: RunState): Step | undefined => run.plan?.steps.find((step) => !isSettled(step));

function waitsHere(run: RunState, steps: readonly Step[]): boolean {
	const review = run.reviews.findLast((one) => one.status === 'open');
	return steps.some(
		(step) => step.status === 'waiting' || step.status === 'unknown' || review?.steps.includes(step.id)
	);
}
