import { list, some } from './words.js';

/** What Aura and the turn line say. @since 0.1.0 */
export const aura = {
	question: 'Who acts now?',
	you: 'You',
	/** One letter on the person's mark. */
	youMark: 'Y',
	yourTurn: 'You have control',
	yourTurnAgain: 'You have control again',
	is: {
		idle: 'has not begun',
		thinking: 'is thinking',
		waiting: 'waits for you',
		paused: 'is paused',
		failed: 'has failed',
		refused: 'was refused',
		returned: 'returned control to you'
	},
	/** What an agent does to an instance, by the kind of component. */
	acting: (kind: string, label?: string): string => {
		const what = kind === 'form' ? 'is filling in' : kind === 'document' ? 'is rewriting' : '';
		if (what === '') return label === undefined ? 'is acting' : `is acting in ${label}`;
		return label === undefined ? what : `${what} ${label}`;
	},
	count: (at: number, of: number): string => `${at} of ${of}`,
	steps: (n: number): string => some(n, 'step'),
	/** Same as in the tally of a run. */
	done: (n: number): string => `${n} done`,
	rejected: (n: number): string => `${n} rejected`,
	stop: (agent: string): string => `Stop ${agent}`,
	pause: 'Pause',
	resume: 'Resume',
	tryAgain: 'Try again',
	elsewhere: 'is in another window',
	bringHere: 'Bring here',
	review: 'Review',
	answer: 'Answer',
	accept: (agent: string): string => `Let ${agent} begin`,
	declineOffer: 'Decline',
	undo: 'Undo this run',
	redo: 'Redo this run',
	allow: (label: string): string => `Allow ${label}`,
	happened: 'It happened',
	notHappened: 'It did not',
	leave: 'Leave it',
	controls: (agent: string): string => `What you can do about ${agent}`,
	renew: (amounts: string): string => `Renew: ${amounts}`,
	amount: {
		acts: (n: number): string => `${some(n, 'act')} more`,
		turns: (n: number): string => `${some(n, 'turn')} more`,
		tokens: (n: number): string => `${n.toLocaleString('en')} tokens more`,
		cost: (n: number): string => `${n.toLocaleString('en')} more to spend`,
		ms: (n: number): string => `${some(Math.max(1, Math.round(n / 60_000)), 'minute')} more`,
		actsPerInstance: (n: number): string => `${some(n, 'act')} more in one place`,
		actsPerMinute: (n: number): string => `${some(n, 'act')} more a minute`
	},
	list: (parts: readonly string[]): string => list(parts),
	/** Asks what became of a step nobody heard back from. */
	whatBecame: (act: string, label: string): string =>
		`Nobody knows whether “${act}” in ${label} happened. Please look, and say what became of it.`,
	mayAlso: (agent: string, label: string): string =>
		`${agent} wants to work in ${label}, which you did not allow.`,
	/** After an undo: what was taken back, and what had to stay. */
	tookBack: (undone: number): string => `${some(undone, 'change')} undone.`,
	broughtBack: (redone: number): string => `${some(redone, 'change')} redone.`,
	kept: (what: string, why: string): string => `Kept: ${what} (${why.replace(/\.$/, '')}).`,
	final: 'it cannot be taken back',
	gone: 'it is not on the page any more',
	/** What became of one step, and why. */
	because: (what: string, why: string): string => `${what}: ${why}`
};
