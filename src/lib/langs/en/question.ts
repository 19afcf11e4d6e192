import { list, some } from './words.js';

/** What the form of a question says. @since 0.1.0 */
export const question = {
	asks: (agent: string): string => `${agent} asks you`,
	/** In which run, where it is not the present one: its goal, quoted. */
	inRun: (goal: string): string => `in the run ${goal}`,
	answer: (agent: string): string => `Answer ${agent}`,
	decline: 'Decline',
	/** Asks for the private reads of a run; the choices say which. */
	consent: (agent: string): string => `What may ${agent} read in this run?`,
	/** One read to allow. */
	read: (label: string, what: string): string => `${label}: ${what}`,
	yourAnswer: 'Your answer',
	optional: 'optional',
	choose: 'Choose…',
	open: (host: string): string => `Open ${host}`,
	/** How many questions wait behind this one. */
	waiting: (n: number): string =>
		`${n === 1 ? 'One more question waits' : `${n} more questions wait`} after this one.`,
	later: 'Later',
	/** Put off, and still there. */
	putOff: (agent: string): string => `${agent} still waits for your answer.`,
	lookAgain: 'Look at the question',
	/** Of a page elsewhere: which one, letter by letter. */
	elsewhere: (host: string): string =>
		`This is done on another page, at ${host}. Look at the address before you type anything there.`,
	badLink: 'The address that came with this question is no web address, so it cannot be opened here.',
	hidden: 'The address carries a name or a password. It was not made for you to open.',
	finished: 'I have done it',
	fault: {
		least: (n: number): string => `Write a number that is at least ${n.toLocaleString('en')}.`,
		most: (n: number): string => `Write a number that is at most ${n.toLocaleString('en')}.`,
		shortest: (n: number): string => `Write at least ${some(n, 'character')}.`,
		longest: (n: number): string => `Write at most ${some(n, 'character')}.`,
		fewest: (n: number): string => `Choose at least ${n}.`,
		mostChoices: (n: number): string => `Choose at most ${n}.`,
		email: 'Write an e-mail address, for example name@example.com.',
		url: 'Write a web address, for example https://example.com.'
	},
	number: 'Write a number.',
	whole: 'Write a whole number.',
	json: 'This is not valid JSON. Put text in double quotes, for example "text".',
	missing: (label: string): string => `${label} is needed.`,
	faults: (n: number): string => (n === 1 ? 'One field needs a look.' : `${n} fields need a look.`),
	secret: (labels: readonly string[]): string =>
		`${list(labels)} would be a secret. No agent may ask for one, so it cannot be answered here.`,
	noSecrets: 'Never put a password or a card number here. No agent may ask for one.'
};
