import type { StepDraft } from './draft.svelte.js';

/**
 * What a person has said so far about the reviews of one agent, and not yet sent. It outlives the card: whoever goes to
 * another page of the app and comes back finds it as it was.
 */
export class Desk {
	/** The newest draft of each step. */
	readonly drafts = new Map<string, StepDraft>();
	/** The review that was put off. */
	deferred = $state<string>();
	/** The review whose changes were looked at. */
	acknowledged = $state<string>();
	/** The last decision that was taken. */
	sent = $state.raw<{ review: string; at: number }>();
	/** The review that is asked why about, before everything in it is rejected. */
	rejecting = $state<string>();
	rejectReason = $state('');
}

// Weak, and only a client fills them: an agent that is gone takes its desk along.
const desks = new WeakMap<object, Desk>();

/** The desk of an agent, the same for all its cards. */
export function deskOf(agent: object): Desk {
	let desk = desks.get(agent);
	if (!desk) desks.set(agent, (desk = new Desk()));
	return desk;
}
