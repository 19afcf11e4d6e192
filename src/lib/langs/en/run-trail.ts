import { list, some } from './words.js';

/** What the RunTrail says. A sentence of `does` follows the name of whoever did it. @since 0.1.0 */
export const runTrail = {
	title: (agent: string): string => `What ${agent} did`,
	none: 'This run is not known here.',
	empty: (agent: string): string => `${agent} has done nothing yet.`,
	nothingThere: 'Nothing of this run was done there.',
	run: 'Run',
	place: 'Component',
	everywhere: 'Everywhere',
	copy: 'Copy as JSON lines',
	copied: (n: number): string => `${some(n, 'record')} copied.`,
	hashCopied: 'Copied.',
	notCopied: 'The browser did not allow copying.',
	copyHash: 'Copy it whole',
	task: 'The task',
	turn: (n: number): string => `Turn ${n}`,
	afterwards: 'Afterwards',
	more: (n: number): string => `Show ${n.toLocaleString('en')} more`,
	exact: 'Details',
	does: {
		asked: 'asked for this',
		offered: 'offered to do this',
		accepted: 'accepted the offer',
		thought: 'asked the model',
		planned: (n: number): string => `planned ${some(n, 'step')}`,
		review: (n: number): string => `asked for a decision on ${some(n, 'step')}`,
		decided: (approved: number, rejected: number, edited: number): string =>
			`${list(
				[
					approved && `approved ${some(approved, 'step')}`,
					rejected && `rejected ${some(rejected, 'step')}`,
					edited && `changed ${some(edited, 'step')}`
				].filter((part) => part !== 0)
			)}`,
		question: 'asked',
		answered: 'answered',
		declined: 'did not answer',
		expired: 'saw the time to answer run out',
		halted: (why: string): string => `came to a halt: ${why.replace(/\.$/, '')}`,
		paused: 'paused the run',
		wentOn: 'let the run go on',
		renewed: (amounts: string): string => `renewed the budget: ${amounts}`,
		widened: (label: string): string => `allowed work in ${label}`,
		consented: (what: string, verdict: 'allow' | 'ask' | 'deny'): string =>
			({
				allow: `allowed reading ${what}`,
				ask: `wants to be asked about reading ${what}`,
				deny: `denied reading ${what}`
			})[verdict],
		level: (level: string): string => `set the level: ${level}`,
		said: 'said',
		stopped: 'stopped the run',
		ruled: {
			done: 'said that it did happen',
			'not-done': 'said that it did not happen',
			abandon: 'left open whether it happened'
		},
		undone: (n: number): string => `took back ${some(n, 'change')}`,
		redone: (n: number): string => `brought back ${some(n, 'change')}`,
		/** A record of a kind this version does not know. */
		other: (kind: string): string => `made a record of the kind ${kind}`
	},
	reviews: {
		open: 'waits for you',
		settled: 'decided',
		superseded: 'replaced',
		expired: 'expired'
	},
	how: {
		person: 'in a review',
		sticky: 'by a standing permission',
		policy: 'The rules of this app and your settings'
	},
	facts: {
		requester: 'Asked for by',
		version: 'Instruction',
		decider: 'Decided by',
		permission: 'Permission',
		operation: 'Operation',
		cost: 'Cost',
		where: 'Component',
		outcome: 'Outcome',
		reason: 'Reason',
		result: 'Result',
		edited: 'Proposed instead',
		sources: 'May come from',
		level: 'Level',
		limits: 'Budget',
		attached: 'Attached',
		tokens: 'Tokens',
		answer: 'Answer',
		kept: 'Kept',
		records: 'Records'
	},
	versionOf: (n: number): string => `version ${n}`,
	decidedBy: (name: string, how: string): string => `${name}, ${how}`,
	tokens: (input: number, output: number): string =>
		`${input.toLocaleString('en')} in, ${output.toLocaleString('en')} out`
};
