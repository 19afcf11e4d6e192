/** What one act of an agent says. @since 0.1.0 */
export const activity = {
	/** What it does and what became of it, as one name for ears. */
	name: (what: string, word: string): string => `${what}: ${word}`,
	arriving: 'values arriving',
	is: {
		proposed: 'to come',
		granted: 'to come',
		waiting: 'needs you',
		dispatched: 'acting',
		confirmed: 'done',
		refused: 'refused',
		rejected: 'rejected by you',
		failed: 'failed',
		unknown: 'outcome unknown',
		withdrawn: 'not done',
		skipped: 'not done'
	},
	reads: (what: string, label: string) => ({
		before: what && label ? `Read ${what} of ` : 'Read ',
		strong: label || what,
		after: ''
	}),
	part: 'part',
	untrusted: 'not trusted',
	own: 'your value',
	more: (n: number): string => `and ${n} more`,
	result: 'Result:'
};
