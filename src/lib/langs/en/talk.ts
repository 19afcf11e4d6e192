import { list, some } from './words.js';

/** What the talk of a conversation says. @since 0.1.0 */
export const talk = {
	attach: 'Attach…',
	/** What the agent works on here. */
	canUse: (agent: string, labels: readonly string[], more: number): string =>
		`${agent} can work here in ${list(more > 0 ? [...labels, `${more} more`] : labels)}.`,
	nothingHere: (agent: string): string => `Nothing on this page lets ${agent} act. It can still answer.`,
	notLoaded: 'The conversation could not be loaded.',
	loading: 'The conversation is loading.',
	/** Where what is written goes while a run is live. */
	when: 'When',
	now: 'Now',
	nowMeans: 'changes what it does',
	after: 'After this run',
	afterMeans: 'waits its turn',
	noFilesNow: 'What is attached goes with a run of its own, after this one.',
	/** How what was said during a run was taken. */
	taken: {
		progress: (sentence: string): string => `${sentence}. Nothing was changed.`,
		correction: 'Taken as a correction. The plan is made again.',
		goal: 'Taken as a new goal. The plan is made again.',
		pause: 'Taken as a pause. Nothing runs until you resume it.',
		cancel: 'Taken as a stop.'
	},
	log: 'What was said and done',
	by: { app: 'This app', rule: 'A rule', outside: 'From outside' },
	at: (name: string, time: string): string => `${name}, ${time}`,
	writing: 'is writing',
	below: 'New words below',
	tryAgain: 'Try again',
	takeBack: 'Take it back',
	asked: (agent: string): string => `${agent} asked`,
	answered: {
		open: 'waits for your answer',
		answered: 'answered',
		declined: 'not answered',
		expired: 'expired'
	},
	begun: 'begun by itself',
	plan: 'Plan',
	counts: (done: number, acting: number, coming: number): string =>
		[done && `${done} done`, acting && `${acting} acting`, coming && `${coming} to come`]
			.filter(Boolean)
			.join(', '),
	level: 'Level',
	levelOf: (agent: string): string => `How much may ${agent} do?`,
	levels: { suggest: 'Only suggest', review: 'Act after my review', auto: 'Do what can be undone' },
	levelMeans: {
		suggest: 'Nothing is done, you see what it would do.',
		review: 'You decide on every change before it happens.',
		auto: 'What can be undone runs at once, for all else it asks you.'
	},
	ceiling: 'This app allows no more than that.',
	aboveCeiling: 'not allowed in this app',
	fromNextTurn: 'A higher level counts from the next turn.',
	budget: 'So far',
	spent: {
		acts: (at: number, of: number): string => `${at} of ${some(of, 'act')}`,
		turns: (at: number, of: number): string => `${at} of ${some(of, 'turn')}`,
		tokens: (at: number, of: number): string =>
			`${at.toLocaleString('en')} of ${of.toLocaleString('en')} tokens`,
		cost: (at: number, of: number): string => `${at.toFixed(2)} of ${of.toFixed(2)}`,
		ms: (at: string, of: string): string => `${at} of ${of}`
	},
	limits: { acts: 'Acts', turns: 'Turns', tokens: 'Tokens', cost: 'Cost', ms: 'Time' },
	nearly: 'nearly spent',
	more: 'Earlier',
	earlier: 'Conversations',
	fresh: 'New',
	freshName: 'New conversation',
	runs: (n: number): string => some(n, 'run'),
	shown: 'shown here',
	attached: 'Attached',
	pasted: (n: number): string => `Pasted text${n > 1 ? ` ${n}` : ''}`,
	characters: (n: number): string => `${n.toLocaleString('en')} characters`,
	untrusted: 'not trusted',
	remove: (name: string): string => `Remove ${name}`,
	ownWords: 'Use as my own words',
	wasPasted: 'Long pasted text is attached as the words of others. If it is yours, say so.',
	tooLong: (name: string, most: number): string =>
		`${name} is too long: at most ${most.toLocaleString('en')} characters go along.`,
	tooMuch: (most: number): string => `Together at most ${most.toLocaleString('en')} characters go along.`,
	tooMany: (most: number): string => `At most ${most} texts go along.`,
	noText: (name: string): string => `${name} is not a text.`,
	unread: (name: string): string => `${name} could not be read.`
};
