import type { Reason } from './words.js';

/**
 * The default texts of refusals, as short as people and models can do with. Codes that are never told without a text of their
 * own, and what to do about each, stand in the table of codes (`codes`), which no run needs.
 * @internal
 */
export const MEANINGS = {
	'schema-async': 'The schema is asynchronous.',
	'args-incomplete': 'The arguments were cut off.',
	'args-invalid': 'The arguments do not fit.',
	scope: 'The run may not use this instance.',
	'instance-gone': 'The instance is gone or was replaced.',
	'not-ready': 'The component is not ready yet.',
	denied: 'A policy denies this.',
	stale: 'What this was based on has changed.',
	drift: 'What was reviewed has changed.',
	superseded: 'Newer instructions replaced this.',
	consent: 'This may not leave without consent.',
	level: 'The level asks for a review.',
	irreversible: 'This cannot be undone.',
	tainted: 'Text of strangers may have led to this.',
	protected: 'This reaches beyond what undo covers.',
	'suggest-only': 'The level is suggest: this stays a proposal.',
	'grant-used': 'The permission was used already.',
	'run-over': 'The run is over.',
	stopping: 'The run is being stopped.',
	locked: 'Somebody else is acting on this.',
	'duplicate-commitment': 'This is under way or done already.',
	'person-required': 'Only a person may decide this.',
	'review-unknown': 'There is no such review.',
	'review-settled': 'The review is settled already.',
	'decision-incomplete': 'Name exactly the steps of the review.',
	'question-unknown': 'There is no such question.',
	'question-settled': 'The question is closed already.',
	'answer-invalid': 'The answer does not fit.',
	'operation-unknown': 'There is no such unsettled operation.',
	rejected: 'The person rejected the step.',
	declined: 'The person gave no answer.',
	expired: 'Nobody decided in time.',
	'illegal-transition': 'The run cannot do that now.',
	threw: 'The component failed.',
	timeout: 'No answer in time.',
	'unknown-effect': 'Nobody knows whether it happened.',
	withdrawn: 'Taken back before it ran.',
	skipped: 'The run ended before this step.',
	'not-done': 'A person states that it did not happen.',
	transport: 'The model could not be reached.',
	truncated: 'The answer broke off.',
	network: 'The model fell silent.',
	aborted: 'The request was aborted.',
	'model-refused': 'The model refused.',
	filter: 'A filter stopped the answer.',
	length: 'The answer was too long.',
	desync: 'Shared state is out of step.',
	'run-live': 'A run is under way.',
	server: 'On a server the engine is inert.',
	stall: 'The same call came three times in a row.',
	paused: 'Paused by a person.',
	auth: 'Somebody has to sign in first.',
	store: 'The journal could not be written.',
	owner: 'Another window owns this run.',
	interrupted: 'The run was stopped.',
	recovery: 'The page was closed during the run.',
	disposed: 'The engine was shut down.'
} as const;

/** A code of the table. Providers may refuse with codes of their own. @since 0.1.0 */
export type Code =
	| keyof typeof MEANINGS
	| 'description-missing'
	| 'id-clash'
	| 'reversible-without-undo'
	| 'touch-unknown'
	| 'args'
	| 'not-json'
	| 'unknown-act'
	| 'unknown-instance'
	| 'unavailable'
	| 'rule'
	| 'retry-exhausted'
	| 'result-invalid'
	| 'predecessor-failed'
	| 'question'
	| 'budget'
	| 'budget.acts'
	| 'budget.turns'
	| 'budget.tokens'
	| 'budget.cost'
	| 'budget.ms'
	| 'budget.actsPerInstance'
	| 'budget.actsPerMinute'
	| 'record-altered'
	| 'record-missing'
	| 'record-tail'
	| 'record-illegal';

/** A reason with a code of the table; without `text` the default one, of a limit its name. @since 0.1.0 */
export const reason = (
	code: Code,
	text: string = (MEANINGS as Partial<Record<Code, string>>)[code] ?? code.replace('budget.', 'Used up: '),
	data?: unknown
): Reason => (data === undefined ? { code, text } : { code, text, data });
