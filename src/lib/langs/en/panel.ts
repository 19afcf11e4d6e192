/** What the panel of a conversation says. @since 0.1.0 */
export const panel = {
	name: (agent: string): string => `Conversation with ${agent}`,
	tell: (agent: string): string => `Tell ${agent} something`,
	keys: 'Enter sends, Shift+Enter starts a new line.',
	send: 'Send',
	suggestions: 'You might begin with',
	noAgent: 'There is no agent here yet.',
	writeFirst: 'Write something first.',
	steer: 'Steer',
	queue: 'Queue',
	queued: 'It waits its turn, behind the run that is under way.'
};
