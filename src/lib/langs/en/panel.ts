import { list } from './words.js';

/** What the panel of a conversation says. @since 0.1.0 */
export const panel = {
	name: (agent: string): string => `Conversation with ${agent}`,
	tell: (agent: string): string => `Tell ${agent} something`,
	keys: 'Enter sends, Shift+Enter starts a new line.',
	send: 'Send',
	attach: 'Attach…',
	/** What the agent works on here. */
	canUse: (agent: string, labels: readonly string[], more: number): string =>
		`${agent} can work here in ${list(more > 0 ? [...labels, `${more} more`] : labels)}.`,
	nothingHere: (agent: string): string => `Nothing on this page lets ${agent} act. It can still answer.`,
	suggestions: 'You might begin with',
	noAgent: 'There is no agent here yet.',
	writeFirst: 'Write something first.',
	steer: 'Steer',
	queue: 'Queue',
	queued: 'It waits its turn, behind the run that is under way.'
};
