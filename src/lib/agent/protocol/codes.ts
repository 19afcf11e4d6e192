import type { Reason } from './words.js';

/** Where a code arises. @since 0.1.0 */
export type CodeGroup =
	'registration' | 'call' | 'gate' | 'decision' | 'act' | 'turn' | 'budget' | 'run' | 'record';

/** One line of the table of codes: what it says, and what to do about it. @since 0.1.0 */
export interface CodeEntry {
	group: CodeGroup;
	/** One sentence for people; also the default text of a refusal. */
	means: string;
	/** What whoever meets it can do. */
	cure: string;
}

const entry = (group: CodeGroup, means: string, cure: string): CodeEntry => ({ group, means, cure });

/**
 * Every code a refusal, an escalation or an error of the engine can carry. Refusals are content, never exceptions: compare
 * codes, never texts. The docs page of codes is made from this table.
 * @since 0.1.0
 */
export const codes = {
	// registration
	'description-missing': entry(
		'registration',
		'A manifest, read or act has no description.',
		'Describe it: the model knows nothing else of it.'
	),
	'id-clash': entry(
		'registration',
		'Another kind of component is mounted under this id.',
		'Give each instance an id of its own.'
	),
	'reversible-without-undo': entry(
		'registration',
		'An act claims to be reversible, but the manifest has no undo.',
		'Add `undo` to the manifest or declare the act irreversible.'
	),
	'touch-unknown': entry(
		'registration',
		'An act touches a read that the manifest does not have.',
		'Name one of the reads.'
	),
	args: entry(
		'registration',
		'The argument schema, or a name that refers to it, cannot be used.',
		'Use a schema that projects to an object, has no argument `instance`, and holds every name that `stream` and `sinks` refer to.'
	),
	'schema-async': entry(
		'registration',
		'The schema validates asynchronously.',
		'Use a synchronous schema; ask servers inside `perform`.'
	),
	'not-json': entry(
		'registration',
		'A value is not plain JSON.',
		'Give plain objects, arrays, strings, finite numbers, booleans and null.'
	),
	// calls of the model
	'unknown-act': entry(
		'call',
		'There is no such act here.',
		'Use one of the tools that were listed for this turn.'
	),
	'unknown-instance': entry('call', 'No instance with this id is mounted.', 'Use one of the listed ids.'),
	'args-incomplete': entry(
		'call',
		'The arguments were cut off before their end.',
		'Send the call again, shorter if need be.'
	),
	'args-invalid': entry('call', 'The arguments do not fit the schema.', 'Correct what the issues name.'),
	// gate
	scope: entry('gate', 'The run may not use this instance.', 'A person can widen the run by resuming it.'),
	unavailable: entry('gate', 'The act is not available right now.', 'See the reason; try later.'),
	'instance-gone': entry(
		'gate',
		'The instance was unmounted or replaced.',
		'Plan again with what is mounted now.'
	),
	'not-ready': entry('gate', 'The component is not ready yet.', 'Try again when it is.'),
	denied: entry('gate', 'A policy denies this.', 'Do something else; nobody can approve it.'),
	stale: entry(
		'gate',
		'What the step was based on has changed.',
		'Plan again with the fresh state in the result.'
	),
	drift: entry('gate', 'What was reviewed has changed since.', 'Review again, or let the agent plan again.'),
	superseded: entry('gate', 'Newer instructions replaced this.', 'Follow the newest revision.'),
	consent: entry('gate', 'This value may not leave without consent.', 'A person can allow it for the run.'),
	level: entry('gate', 'The level asks for a review.', 'Decide in the review card.'),
	irreversible: entry('gate', 'This cannot be undone, so a person decides.', 'Decide in the review card.'),
	tainted: entry(
		'gate',
		'Text that strangers wrote may have led to this, so a person decides.',
		'Check values and sources in the review card.'
	),
	protected: entry(
		'gate',
		'The act reaches beyond what undo covers.',
		'A person decides in the review card.'
	),
	rule: entry('gate', 'A rule asks for a review.', 'Decide in the review card.'),
	'suggest-only': entry(
		'gate',
		'The level is suggest: the step stays a proposal.',
		'Raise the level to let it run.'
	),
	'grant-used': entry('gate', 'The permission was used already.', 'A new permission is needed.'),
	'run-over': entry('gate', 'The run is over.', 'Start a new run; it may name this one as predecessor.'),
	stopping: entry('gate', 'A stop was requested; nothing new begins.', 'Start a new run.'),
	locked: entry('gate', 'Somebody else is acting on this right now.', 'Try again when they have finished.'),
	'duplicate-commitment': entry(
		'gate',
		'The same operation is under way or done already.',
		'Use its result.'
	),
	// decisions
	'person-required': entry('decision', 'Only a person may decide this.', 'Ask the person.'),
	'review-unknown': entry('decision', 'There is no such review.', 'Use the id of an open review.'),
	'review-settled': entry(
		'decision',
		'The review was settled before.',
		'Nothing to do; the first decision holds.'
	),
	'decision-incomplete': entry(
		'decision',
		'The decision does not name exactly the steps of the review.',
		'Name every step once; nothing was settled.'
	),
	'question-unknown': entry('decision', 'There is no such question.', 'Use the id of an open question.'),
	'question-settled': entry('decision', 'The question was closed before.', 'Nothing to do.'),
	'answer-invalid': entry(
		'decision',
		'The answer does not fit what was asked for.',
		'Correct what the issues name.'
	),
	'operation-unknown': entry(
		'decision',
		'There is no such unsettled operation.',
		'Use the id of an effect whose outcome is unknown.'
	),
	rejected: entry('decision', 'The person rejected the step.', 'Respect it; the reason says why.'),
	declined: entry('decision', 'The person gave no answer.', 'Go on without it or finish.'),
	expired: entry('decision', 'Nobody decided in time. Nothing was approved.', 'Ask again.'),
	'illegal-transition': entry('decision', 'The run cannot do that in its present state.', 'See its state.'),
	// acts
	threw: entry('act', 'The component failed while acting.', 'See the message; plan again.'),
	timeout: entry('act', 'No answer in time.', 'Check what became of it before trying again.'),
	'unknown-effect': entry(
		'act',
		'Nobody knows whether it happened.',
		'A person states it: done, not done, or leave it.'
	),
	'retry-exhausted': entry('act', 'It was tried again twice without success.', 'Try something else.'),
	'result-invalid': entry(
		'act',
		'The act was done, but its result does not fit its schema and was dropped.',
		'Read the state instead.'
	),
	'predecessor-failed': entry(
		'act',
		'A step before this one did not succeed.',
		'Look again whether this one still makes sense.'
	),
	withdrawn: entry('act', 'Taken back before it ran.', 'Nothing happened.'),
	skipped: entry('act', 'The run ended before this step.', 'Nothing happened.'),
	'not-done': entry('act', 'A person states that it did not happen.', 'It may be proposed again.'),
	// turns
	transport: entry('turn', 'The model could not be reached.', 'Try again or stop.'),
	truncated: entry('turn', 'The answer broke off before its end.', 'It is tried again.'),
	network: entry('turn', 'The model fell silent.', 'It is tried again.'),
	aborted: entry('turn', 'The request was aborted.', 'Nothing to do.'),
	'model-refused': entry('turn', 'The model refused the request.', 'Put it differently.'),
	filter: entry('turn', 'A content filter stopped the answer.', 'Put it differently.'),
	length: entry('turn', 'The answer reached its greatest length.', 'Ask for less at once.'),
	desync: entry('turn', 'Shared state could not be kept in step.', 'Try again from a new snapshot.'),
	// budgets
	'budget.acts': entry('budget', 'The run has used up its acts.', 'Renew or stop.'),
	'budget.turns': entry('budget', 'The run has used up its turns.', 'Renew or stop.'),
	'budget.tokens': entry('budget', 'The run has used up its tokens.', 'Renew or stop.'),
	'budget.cost': entry('budget', 'The run has used up its money.', 'Renew or stop.'),
	'budget.ms': entry('budget', 'The run has used up its time.', 'Renew or stop.'),
	'budget.actsPerInstance': entry('budget', 'Too many acts on one instance.', 'Renew or stop.'),
	'budget.actsPerMinute': entry('budget', 'Too many acts in one minute.', 'Wait, renew or stop.'),
	// runs
	'run-live': entry('run', 'A run is under way.', 'Wait for its end or stop it.'),
	server: entry('run', 'On a server the engine is inert.', 'Start runs in the browser.'),
	stall: entry('run', 'The same call came three times in a row.', 'Resume to let it go on, or stop it.'),
	paused: entry('run', 'Paused by a person.', 'Resume or stop.'),
	question: entry('run', 'The agent asks a person.', 'Answer or decline.'),
	auth: entry('run', 'Somebody has to sign in first.', 'Sign in and resume, or stop.'),
	budget: entry('run', 'A limit of the run is reached.', 'Renew or stop.'),
	store: entry('run', 'The journal could not be written.', 'Make room and resume, or stop.'),
	owner: entry('run', 'Another window owns this run.', 'Go on there, or resume here.'),
	interrupted: entry('run', 'The run was stopped.', 'What was done before stays done; undo is available.'),
	recovery: entry('run', 'The page was closed during the run.', 'Start a new run.'),
	disposed: entry('run', 'The engine was shut down.', 'Start a new run.'),
	// records
	'record-altered': entry('record', 'A record is not the one that was written.', 'Distrust the journal.'),
	'record-missing': entry('record', 'A record is missing.', 'Distrust the journal.'),
	'record-tail': entry('record', 'The end of the journal was cut off.', 'Distrust the journal.'),
	'record-illegal': entry('record', 'A record moves the run where it cannot go.', 'Distrust the journal.')
} as const satisfies Record<string, CodeEntry>;

/** A code of the table. Providers may refuse with codes of their own. @since 0.1.0 */
export type Code = keyof typeof codes;

/** A reason with a code of the table; without `text` the table's sentence. @since 0.1.0 */
export const reason = (code: Code, text: string = codes[code].means, data?: unknown): Reason =>
	data === undefined ? { code, text } : { code, text, data };
