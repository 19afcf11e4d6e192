import { list } from './words.js';

/** What the form of a question says. @since 0.1.0 */
export const question = {
	asks: (agent: string): string => `${agent} asks you`,
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
	number: 'Write a number.',
	whole: 'Write a whole number.',
	json: 'This is not valid JSON. Put text in double quotes, for example "text".',
	missing: (label: string): string => `${label} is needed.`,
	faults: (n: number): string => (n === 1 ? 'One field needs a look.' : `${n} fields need a look.`),
	secret: (labels: readonly string[]): string =>
		`${list(labels)} would be a secret. No agent may ask for one, so it cannot be answered here.`,
	notLoaded: 'The form could not be loaded.',
	noSecrets: 'Never put a password or a card number here. No agent may ask for one.'
};
