import { type Code, reason } from './codes.js';

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

// The third part: what a code means that has no default text.
const CURES: Record<Code, readonly [group: CodeGroup, cure: string, means?: string]> = {
	'description-missing': [
		'registration',
		'Describe it: the model knows nothing else of it.',
		'A manifest, read or act has no description.'
	],
	'id-clash': [
		'registration',
		'Give each instance an id of its own.',
		'Another kind of component is mounted under this id.'
	],
	'reversible-without-undo': [
		'registration',
		'Add `undo` to the manifest or declare the act irreversible.',
		'An act claims to be reversible, but the manifest has no undo.'
	],
	'touch-unknown': [
		'registration',
		'Name one of the reads.',
		'An act touches a read that the manifest does not have.'
	],
	args: [
		'registration',
		'The text names the place. Ids, kinds and names: no spaces and none of `. # @ :`. Words as the types list them. Schemas: zod 4, arktype, or valibot through `toStandardJsonSchema()`; one object, no argument `instance`. `stream` (a text), `sinks` and `compensate` name what is there.',
		'A manifest, a name in it, an argument schema or an argument of a verb cannot be used.'
	],
	'schema-async': [
		'registration',
		'Use a synchronous schema; ask servers inside `perform`.',
		'The schema validates asynchronously.'
	],
	'not-json': [
		'registration',
		'Give plain objects, arrays, strings, finite numbers, booleans and null.',
		'A value is not plain JSON.'
	],
	'read-async': [
		'registration',
		'Give what is there now: load in the component, and change the version when it has come.',
		'A read gives a promise.'
	],
	'version-unstable': [
		'registration',
		'Derive it from the value alone: a counter of its changes, or `digest(value)`; no clock, no chance.',
		'The version of a read differs when it is asked for twice in the same moment.'
	],
	'parent-cycle': [
		'registration',
		'Correct `parent`; until then it is shown as if it had none.',
		'An instance stands in itself, by way of its parents.'
	],
	undisclosed: [
		'call',
		'Pull the instance: then its acts are named in the next turn. Where the text gives figures: raise `context.toolTokens`, or shorten descriptions and schemas.',
		'The instance is mounted, but there was no room to name its acts.'
	],
	'unknown-act': [
		'call',
		'Use one of the tools that were listed for this turn.',
		'There is no such act here.'
	],
	'unknown-instance': ['call', 'Use one of the listed ids.', 'No instance with this id is mounted.'],
	'args-incomplete': ['call', 'Send the call again, shorter if need be.'],
	'args-invalid': ['call', 'Correct what the issues name.'],
	scope: ['gate', 'A person can widen the run by resuming it.'],
	unavailable: ['gate', 'See the reason; try later.', 'The act is not available right now.'],
	'instance-gone': ['gate', 'Plan again with what is mounted now.'],
	'not-ready': ['gate', 'Try again when it is.'],
	denied: ['gate', 'Do something else; nobody can approve it.'],
	stale: ['gate', 'Plan again with the fresh state in the result.'],
	drift: ['gate', 'Review again, or let the agent plan again.'],
	superseded: ['gate', 'Follow the newest revision.'],
	consent: ['gate', 'A person can allow it for the run.'],
	level: ['gate', 'Decide in the review card.'],
	irreversible: ['gate', 'Decide in the review card.'],
	tainted: ['gate', 'Check values and sources in the review card.'],
	protected: ['gate', 'A person decides in the review card.'],
	rule: ['gate', 'Decide in the review card.', 'A rule asks for a review.'],
	'suggest-only': ['gate', 'Raise the level to let it run.'],
	'grant-used': ['gate', 'A new permission is needed.', 'The permission was used already.'],
	'run-over': ['gate', 'Start a new run; it may name this one as predecessor.', 'The run is over.'],
	stopping: ['gate', 'Start a new run.', 'A stop was requested; nothing new begins.'],
	locked: ['gate', 'Try again when they have finished.'],
	'duplicate-commitment': ['gate', 'Use its result.'],
	'person-required': ['decision', 'Ask the person.'],
	'review-unknown': ['decision', 'Use the id of an open review.', 'There is no such review.'],
	'review-settled': [
		'decision',
		'Nothing to do; the first decision holds.',
		'The review was settled before.'
	],
	'decision-incomplete': [
		'decision',
		'Name every step once; nothing was settled.',
		'The decision does not name exactly the steps of the review.'
	],
	'question-unknown': ['decision', 'Use the id of an open question.', 'There is no such question.'],
	'question-settled': ['decision', 'Nothing to do.', 'The question was closed before.'],
	'answer-invalid': [
		'decision',
		'Correct what the issues name.',
		'The answer does not fit what was asked for.'
	],
	'operation-unknown': [
		'decision',
		'Use the id of an effect whose outcome is unknown.',
		'There is no such unsettled operation.'
	],
	rejected: ['decision', 'Respect it; the reason says why.'],
	declined: ['decision', 'Go on without it or finish.'],
	expired: ['decision', 'Ask again.'],
	'illegal-transition': ['decision', 'See its state.', 'The run cannot do that in its present state.'],
	threw: ['act', 'See the message; plan again.'],
	timeout: ['act', 'Check what became of it before trying again.'],
	'unknown-effect': ['act', 'A person states it: done, not done, or leave it.'],
	'retry-exhausted': ['act', 'Try something else.', 'It was tried again twice without success.'],
	'result-invalid': [
		'act',
		'Read the state instead.',
		'The act was done, but its result does not fit its schema and was dropped.'
	],
	'predecessor-failed': [
		'act',
		'Look again whether this one still makes sense.',
		'A step before this one did not succeed.'
	],
	withdrawn: ['act', 'Nothing happened.'],
	skipped: ['act', 'Nothing happened.'],
	'not-done': ['act', 'It may be proposed again.'],
	transport: ['turn', 'Try again or stop.'],
	truncated: ['turn', 'It is tried again.'],
	network: ['turn', 'It is tried again.'],
	aborted: ['turn', 'Nothing to do.', 'The request was aborted.'],
	'model-refused': ['turn', 'Put it differently.'],
	filter: ['turn', 'Put it differently.'],
	length: ['turn', 'Ask for less at once.'],
	desync: ['turn', 'Try again from a new snapshot.'],
	'budget.acts': ['budget', 'Renew or stop.'],
	'budget.turns': ['budget', 'Renew or stop.'],
	'budget.tokens': ['budget', 'Renew or stop.'],
	'budget.cost': ['budget', 'Renew or stop.'],
	'budget.ms': ['budget', 'Renew or stop.'],
	'budget.actsPerInstance': ['budget', 'Renew or stop.'],
	'budget.actsPerMinute': ['budget', 'Renew or stop.'],
	'run-live': ['run', 'Wait for its end or stop it.'],
	server: ['run', 'Start runs in the browser.'],
	stall: ['run', 'Resume to let it go on, or stop it.'],
	paused: ['run', 'Resume or stop.'],
	question: ['run', 'Answer or decline.', 'The agent asks a person.'],
	auth: ['run', 'Sign in and resume, or stop.'],
	budget: ['run', 'Renew or stop.', 'A limit of the run is reached.'],
	store: ['run', 'Make room and resume, or stop.'],
	owner: ['run', 'Go on there, or resume here.'],
	interrupted: ['run', 'What was done before stays done; undo is available.'],
	recovery: ['run', 'Start a new run.'],
	disposed: ['run', 'Start a new run.'],
	'record-altered': ['record', 'Distrust the journal.', 'A record is not the one that was written.'],
	'record-missing': ['record', 'Distrust the journal.', 'A record is missing.'],
	'record-tail': ['record', 'Distrust the journal.', 'The end of the journal was cut off.'],
	'record-illegal': ['record', 'Distrust the journal.', 'A record moves the run where it cannot go.']
};

/**
 * Every code a refusal, an escalation or an error of the engine can carry. Refusals are content, never exceptions: compare
 * codes, never texts. The docs page of codes is made from this table.
 * @since 0.1.0
 */
export const codes = Object.fromEntries(
	Object.entries(CURES).map(([code, [group, cure, means = reason(code as Code).text]]) => [
		code,
		{ group, means, cure }
	])
) as Readonly<Record<Code, CodeEntry>>;
