import type { Reason } from './words.js';

/**
 * The default texts of refusals, where the code does not say it all, as short as people and models can do with. What the
 * others mean, and what to do about each, stands in the table of codes (`codes`), which no run needs.
 * @internal
 */
export const MEANINGS = {
	'args-incomplete': 'The arguments were cut off.',
	'args-invalid': 'The arguments do not fit.',
	'instance-gone': 'The instance is gone or was replaced.',
	'not-ready': 'The component is not ready yet.',
	'run-live': 'A run is under way.',
	interrupted: 'The run was stopped.',
	disposed: 'The engine was shut down.',
	scope: 'The run may not use this instance.',
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
	locked: 'Somebody else is acting on this.',
	'duplicate-commitment': 'This is under way or done already.',
	rejected: 'The person rejected the step.',
	declined: 'The person gave no answer.',
	expired: 'Nobody decided in time.',
	'person-required': 'Only a person may decide this.',
	threw: 'The component failed.',
	timeout: 'No answer in time.',
	'unknown-effect': 'Nobody knows whether it happened.',
	withdrawn: 'Taken back before it ran.',
	skipped: 'The run ended before this step.',
	'not-done': 'A person states that it did not happen.',
	transport: 'The model could not be reached.',
	truncated: 'The answer broke off.',
	network: 'The model fell silent.',
	'model-refused': 'The model refused.',
	filter: 'A filter stopped the answer.',
	length: 'The answer was too long.',
	desync: 'Shared state is out of step.',
	server: 'On a server the engine is inert.',
	stall: 'The same call came three times in a row.',
	paused: 'Paused by a person.',
	auth: 'Somebody has to sign in first.',
	store: 'The journal could not be written.',
	owner: 'Another window owns this run.',
	recovery: 'The page was closed during the run.'
} as const;

/** A code of the table. Providers may refuse with codes of their own. @since 0.1.0 */
export type Code =
	| keyof typeof MEANINGS
	| 'schema-async'
	| 'grant-used'
	| 'run-over'
	| 'stopping'
	| 'review-unknown'
	| 'review-settled'
	| 'decision-incomplete'
	| 'question-unknown'
	| 'question-settled'
	| 'answer-invalid'
	| 'operation-unknown'
	| 'illegal-transition'
	| 'aborted'
	| 'description-missing'
	| 'id-clash'
	| 'reversible-without-undo'
	| 'touch-unknown'
	| 'args'
	| 'not-json'
	| 'read-async'
	| 'version-unstable'
	| 'parent-cycle'
	| 'undisclosed'
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

/** A reason with a code of the table; without `text` the default one, else the words of the code. @since 0.1.0 */
export const reason = (
	code: Code,
	text: string = (MEANINGS as Partial<Record<Code, string>>)[code] ??
		code.replace('budget.', 'Used up: ').replaceAll('-', ' '),
	data?: unknown
): Reason => (data === undefined ? { code, text } : { code, text, data });
