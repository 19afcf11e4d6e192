import type { Actor } from '../../actor/actor.js';
import type { EffectEntry, Question, Step, Update } from '../protocol/run-state.js';
import type { JSONValue, Reason, Touch } from '../protocol/words.js';
import type { AssessedStep, Grant, Kind, Kinds, KnownRecord, TouchAt } from './kinds.js';
import { compact } from './compact.js';
import type { Fold } from './fold.js';

/** A turn with all that later requests need of it. */
export interface TurnMemory {
	id: string;
	opened: Kinds['turn.opened'];
	closed?: Kinds['turn.closed'];
	/** Text of the last failed try, kept for the person. */
	text: string;
	/** Tries that failed since the start or the last resume. */
	failures: number;
	failure?: Reason;
	retryAt?: number;
	/** Revision under which it was opened. */
	revision: number;
}

/** A step with what the engine needs to run it. */
export interface StepMemory {
	step: Step;
	call?: string;
	proposal: number;
	manifest: string;
	epoch: number;
	touches: readonly TouchAt[];
	assessed?: AssessedStep;
	/** A person approved it in this review. */
	approval?: { review: string; by: Actor };
	grant?: Grant;
	/** Members that are masked in what it tells the model: once demanded, for good. */
	redact?: readonly string[];
	/** What the grant now expects: its versions, moved by the run's own writes. */
	expect: Map<string, string | number>;
	retries: number;
	retryAt?: number;
	answer?: { question: string; value: JSONValue };
	/** Why the next card asks again. */
	again: readonly Reason[];
	/** Revision of the instructions it was proposed under. */
	revision: number;
	/** What it was last bound to, and the fingerprint of that. */
	print?: { bond: object; is: string };
	/** Decided against, and not told to the model yet. */
	ruling?: { status: 'rejected' | 'refused'; reasons: readonly Reason[] };
}

/** An effect with the cost that was reserved for it. */
export interface EffectMemory {
	entry: EffectEntry;
	reserved: number;
	/** Counts as an act of the budget: until it is taken back. */
	counted: boolean;
	/** Escalates until a person settles it. */
	open: boolean;
	/** Until when the same operation may be sent again. */
	until?: number;
	/** Released for another try though it may have happened. */
	unsure?: true;
}

/** What may have happened and is not tried again is unknown, never taken back. */
export function leave(run: Fold, effect: EffectMemory): void {
	setEffect(run, effect, { status: effect.unsure ? 'unknown' : 'withdrawn' });
	if (effect.unsure && effect.entry.reach !== 'page') setOpen(run, effect, true);
	effect.unsure = undefined;
}

/** A question with what waits for its answer. */
export interface QuestionMemory {
	question: Question;
	call?: string;
	step?: string;
	interrupt?: string;
	/** The turn that left off for it, where an interrupt put it: the other side may put the same one again. */
	turn?: string;
	/** What was said to the run, where it is asked how that is meant. */
	update?: string;
	value?: JSONValue;
}

/** What somebody said to the run, with how they said it is meant. */
export interface Meant {
	/** Whose answer it is; none where it was said outright. */
	question?: string;
	text: string;
	kind: Update['kind'];
	by: Actor;
}

/** What a person said. */
export interface Said {
	text: string;
	/** The question it answers, as JSON: what it offered is not the person's own. */
	offered?: string;
}

/** What the records of some kinds do to what is known of a run. */
export type Takers = {
	[K in Kind]?: (run: Fold, data: Kinds[K], record: Extract<KnownRecord, { kind: K }>) => void;
};

/** A read, or one key of it, as one word. */
export const keyed = ({ read, key }: Touch): string => (key === undefined ? read : `${read}:${key}`);

/** Address of a touched key, as a map key. */
export const at = (touch: Touch & { instance: string }): string => `${touch.instance}.${keyed(touch)}`;

const OPEN: readonly Step['status'][] = ['proposed', 'granted', 'waiting', 'dispatched'];

/** Has the step had its one result? */
export const isClosed = (step: Step): boolean => !OPEN.includes(step.status);

/** A proposal that stays one, because the level is suggest. */
export const isParked = (step: Step): boolean =>
	step.status === 'proposed' && step.reasons.some(({ code }) => code === 'suggest-only');

/** Is there still something to be done with the step? */
export const isOpen = (step: Step): boolean => !isClosed(step) && !isParked(step);

/** Under what a drift is counted: act, instance and touched keys, so that a re-plan does not start anew. */
export const driftKey = ({ step, touches }: StepMemory): string => [step.act, ...touches.map(at)].join(' ');

/** Has a person a reason of this code to be asked again? */
export const drifted = (reasons: readonly Reason[]): boolean => reasons.some(({ code }) => code === 'drift');

export function setStep(run: Fold, memory: StepMemory, change: Partial<Step>): void {
	memory.step = Object.freeze({ ...memory.step, ...compact(change) });
	list(run, memory);
}

/** Keeps what is still to be done at hand, so that nobody has to look through all that was done. */
export function list({ open, due }: Fold, memory: StepMemory): void {
	const stands = isOpen(memory.step);
	put(open, memory, stands);
	put(due, memory, stands && memory.step.status === 'proposed');
}

export function setEffect(
	{ underway }: Fold,
	effect: EffectMemory | undefined,
	change: Partial<EffectEntry>
): void {
	if (!effect) return;
	effect.entry = Object.freeze({ ...effect.entry, ...compact(change) });
	const { status } = effect.entry;
	put(underway, effect, status === 'intended' || status === 'dispatched');
}

/** An effect of which nobody knows what became waits for a person, until one says. */
export function setOpen({ unsettled }: Fold, effect: EffectMemory, open: boolean): void {
	effect.open = open;
	put(unsettled, effect, open);
}

function put<T>(set: Set<T>, item: T, stands: boolean): void {
	if (stands) set.add(item);
	else set.delete(item);
}

/** One more under a key. @returns how many there are */
export function tally(counts: Map<string, number>, key: string): number {
	const count = (counts.get(key) ?? 0) + 1;
	counts.set(key, count);
	return count;
}
