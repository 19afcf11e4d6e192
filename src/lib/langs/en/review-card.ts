import { list, some } from './words.js';
import { ranges } from '../ranges.js';

/** What of the run stands, whatever became of the rest. */
const stands = (done: readonly string[]): string =>
	done.length === 0 ? 'Nothing was done.' : `Done before: ${list(done)}.`;

/** "step 3", "steps 1–3 and 5". */
const named = (numbers: readonly number[]): string =>
	`${numbers.length === 1 ? 'step' : 'steps'} ${list(ranges(numbers))}`;

/** What the ReviewCard says. @since 0.1.0 */
export const reviewCard = {
	/** The same without the name, which stands before it in bold. */
	asksYou: 'asks you',
	asksYouAgain: 'asks you again',
	title: (n: number): string =>
		n === 1 ? 'Review 1 step before it happens' : `Review ${n} steps before anything happens`,
	titleStale: (what: readonly string[]): string => `${list(what)} changed while you were reviewing`,
	/** Accessible name of the card. */
	name: (agent: string, n: number, first: string): string =>
		`${agent} asks you to review ${some(n, 'step')}: ${first}${n === 1 ? '' : ` and ${n - 1} more`}`,
	instruction: (version: number): string => `Your instruction, version ${version}`,
	field: 'Field',
	now: 'Now',
	after: 'After',
	reviewed: 'You reviewed',
	added: 'added',
	removed: 'removed',
	empty: 'empty',
	yes: 'yes',
	no: 'no',
	/** What a step does; the second part is set apart. */
	setFields: (names: readonly string[], label: string) => ({
		before: 'Set ',
		strong: list(names),
		after: ` in ${label}`
	}),
	fields: (n: number): string => some(n, 'field'),
	rewrite: (label: string, fresh: boolean, gone: boolean) => ({
		before: fresh ? 'Write text in ' : gone ? 'Remove text from ' : 'Rewrite text in ',
		strong: label,
		after: ''
	}),
	does: (act: string, label: string) => ({ before: `${act} in `, strong: label, after: '' }),
	alike: (label: string): string => `all of the same kind, in ${label}`,
	/** "Steps 1–9 and 12"; of many stretches how many steps. */
	steps: (numbers: readonly number[]): string =>
		ranges(numbers).length > 4 ? some(numbers.length, 'step') : `Steps ${list(ranges(numbers))}`,
	decided: (n: number, of: number): string => `${n} of ${of} decided`,
	next: 'Next undecided',
	onlyUndecided: 'Only undecided',
	openFirst: 'Folded steps are approved in one press only once you have opened them.',
	/** Of a text that is too long to stand whole. */
	showAll: (letters: string): string => `Show all ${letters} characters`,
	showLess: 'Show less',
	changeIn: (n: number): string => `Change in step ${n}`,
	argumentsOf: (n: number): string => `Exact values of step ${n}`,
	textChange: 'Text change',
	movedSince: 'What changed since you reviewed',
	allUndoable: (n: number): string =>
		n === 1 ? 'This step can be undone.' : `All ${n} steps can be undone.`,
	finalStep: (n: number, what: string): string => `Step ${n}: ${what}.`,
	moreFinal: (n: number): string => `And ${n} more.`,
	withForeign: (sources: readonly string[]): string =>
		`Text that is not trusted may have led to this${sources.length === 0 ? '' : `: ${list(sources)}`}.`,
	/** The first of several sources, and how many more. */
	more: (first: string, n: number): string => `${first} and ${n} more`,
	takenFrom: (sources: readonly string[]): string => `Comes from ${list(sources)}`,
	onPage: 'Stays on this page',
	why: {
		level: 'Asked because you review everything',
		irreversible: 'Asked because it cannot be undone',
		tainted: 'Asked because text that is not trusted may have led to it',
		protected: 'Asked because it reaches beyond what undo covers',
		drift: 'Asked again because something changed',
		'predecessor-failed': 'Asked again because a step before it did not succeed'
	} as Readonly<Record<string, string>>,
	/** Where the text stands that may have led to it. */
	led: (sources: readonly string[]): string =>
		`Asked because text that is not trusted may have led to it: ${list(sources)}`,
	/** Where that stands which would go along. */
	carries: (sources: readonly string[]): string =>
		`Asked because it may take along what is not meant to leave: ${list(sources)}`,
	reasons: 'Why you',
	asked: (reason: string): string => `Asked because: ${reason}`,
	canUndo: 'Can be undone',
	cannotUndo: 'Cannot be undone',
	finalSteps: (n: number): string => `${some(n, 'step')} cannot be undone.`,
	leavesApp: (to: readonly string[]): string =>
		`Goes beyond this app${to.length === 0 ? '' : `, to ${list(to)}`}`,
	amends: (act: string): string => `“${act}” can make good for it afterwards`,
	costs: (amount: string): string => `Costs ${amount}`,
	inApp: 'Others in this app will see it',
	comesFrom: (sources: readonly string[]): string => `Comes from ${list(sources)} · not trusted`,
	/** Of one value, where nobody can tell which of what stood in sight it was made from. */
	mayComeFrom: (sources: readonly string[]): string => `May come from ${list(sources)} · not trusted`,
	yourWords: 'Your own words',
	untrusted: 'Worked out from text that is not trusted',
	weak: 'Not held to what you see here: what changes meanwhile may go unnoticed',
	byPolicy: 'Runs by your settings, asks nothing',
	rule: (reason: string): string => `Asked by the rule: ${reason}`,
	sure: 'I have checked this step',
	sureFirst: 'To approve, tick first that you have checked this step.',
	approve: 'Approve',
	edit: 'Edit',
	reject: 'Reject',
	rejectAll: 'Reject all…',
	rejectOne: 'Reject…',
	later: 'Later',
	approved: 'You approved this',
	editing: 'You are editing',
	rejected: 'You rejected this',
	reason: (agent: string): string => `Why (optional, ${agent} reads it)`,
	decision: (n: number, what: string): string => `Your decision on step ${n}: ${what}`,
	yourValues: (agent: string, n: number): string =>
		`Your ${n === 1 ? 'value' : 'values'} instead of ${agent}’s`,
	yourValueNote: 'Checked again like any new proposal. Only values change, never the act.',
	proposed: (value: string): string => `Proposed: ${value}`,
	exactJson: 'exact value, as JSON',
	faulty: (problem: string): string => `Not accepted: ${problem}`,
	/** The main button says what will happen. */
	doSteps: (numbers: readonly number[]): string => `Do ${named(numbers)}`,
	doAll: (n: number): string => `Do all ${n} steps`,
	doEdited: 'Do it with your values',
	rejectEverything: (n: number): string => (n === 1 ? 'Reject this step' : `Reject all ${n} steps`),
	decideFirst: 'Decide on every step',
	back: 'Back',
	approveUndoable: 'Approve all that can be undone',
	undecided: (numbers: readonly number[]): string => `You have not decided on ${named(numbers)}.`,
	uncheckedSteps: (numbers: readonly number[]): string =>
		`First tick that you have checked ${named(numbers)}, which cannot be undone.`,
	invalidSteps: (numbers: readonly number[]): string =>
		`Your value in ${named(numbers)} needs a look before anything can be done.`,
	approveGroup: (n: number): string => `Approve these ${n}`,
	rejectGroup: (n: number): string => `Reject these ${n}`,
	touches: 'Touches',
	/** Head of what was cut off in the sentences. */
	fullNames: 'Full names',
	nothingElse: (labels: readonly string[]): string => `${list(labels)}. Nothing else.`,
	/** When what the card shows was read. */
	values: 'Values',
	asOf: (time: string, held: boolean): string =>
		`As they stood at ${time}.${held ? ' If one of them moves, you are asked again.' : ''}`,
	then: 'Then',
	follows: (agent: string, n: number): string =>
		n === 1
			? `${agent} does it once, or hears why not, and goes on.`
			: `What you approve runs in this order. ${agent} hears what you reject, and why.`,
	keepOpen: 'Keep open',
	soFar: 'So far',
	spent: (acts: string, limit: string): string => `${acts} of ${limit} ${limit === '1' ? 'act' : 'acts'}`,
	cost: (spent: string, limit: string): string => `${spent} of ${limit} spent`,
	expires: 'Expires',
	expiresAt: (time: string): string => `${time}, and then nothing happens.`,
	void: (done: readonly string[]): string => `Your approval is void. ${stands(done)}`,
	again: 'Review again',
	waits: (n: number): string =>
		`${some(n, 'step')} wait${n === 1 ? 's' : ''} for you. Nothing happens until you decide.`,
	approveOff: 'Approve is off: this plan was made for the old value.',
	settled: (done: number, of: number): string =>
		done === 0
			? `You rejected ${of === 1 ? 'this step' : `all ${of} steps`}`
			: `You approved ${done} of ${some(of, 'step')}`,
	at: (time: string): string => `, ${time}`,
	allowed: 'Approved',
	expired: (done: readonly string[]): string => `The time to decide ran out. ${stands(done)}`,
	superseded: (done: readonly string[]): string =>
		`Something newer took the place of this review. ${stands(done)}`,
	/** A run that only proposes. */
	proposals: (agent: string, n: number): string => `${agent} proposed ${some(n, 'change')}; nothing was done`,
	gone: (label: string): string => `${label} is not on the page any more, so this cannot be approved.`,
	goneSteps: (numbers: readonly number[], labels: readonly string[]): string =>
		`Reject ${named(numbers)}: ${list(labels)} is not on the page any more.`,
	notHappened: 'Approved, not done',
	notDone: 'Rejected',
	yoursNote: 'your value'
};
