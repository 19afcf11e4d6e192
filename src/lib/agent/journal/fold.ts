import type { Actor } from '../../actor/actor.js';
import { NOTHING } from '../protocol/budget.js';
import { CLEAN } from '../protocol/labels.js';
import type { FrozenPolicy } from '../protocol/policy.js';
import type { JournalRecord } from '../protocol/records.js';
import type { CallState, Review, RunState, RunStateName, UndoPart } from '../protocol/run-state.js';
import type { TurnMessage } from '../protocol/turn.js';
import type { Budget, JSONValue, Label, Level, Reason } from '../protocol/words.js';
import { isOver, transition } from '../run/transition.js';
import { type Closing, type Kind, type Kinds, type ToldAt, verbOf } from './kinds.js';
import {
	type EffectMemory,
	type Meant,
	type QuestionMemory,
	type Said,
	type StepMemory,
	type Takers,
	type TurnMemory
} from './memory.js';
import { picture } from './picture.js';
import { restore } from './stored.js';
import { course } from './take-course.js';
import { effects } from './take-effects.js';
import { plan } from './take-plan.js';
import { turns } from './take-turns.js';

const TAKERS: Takers = { ...course, ...turns, ...plan, ...effects };

/**
 * All that is known of a run, as the fold of its records, one by one. The engine keeps nothing of a run anywhere else;
 * {@link Fold.view} is the public, immutable picture of it.
 */
export class Fold {
	id = '';
	/** The run whose act began this one, where it is known here. */
	above: Fold | undefined;
	/** Runs that acts of this one began. */
	readonly below: Fold[] = [];
	opened!: Kinds['run.opened'];
	principal!: Actor;
	state: RunStateName = 'offered';
	/** The state an escalated run left first. */
	from: RunStateName | undefined;
	/** Was any act of the run ever admitted? */
	admitted = false;
	started = false;
	/** It was brought here from another page: what this one shows says nothing of what was under way there. */
	taken = false;
	/** An offer was accepted. */
	accepted = false;
	revision = 1;
	level: Level = 'review';
	/** The most the run gets, whatever rules and ceiling become. */
	policy: FrozenPolicy | undefined;
	label: Label = CLEAN;
	readonly escalations = new Map<string, Reason>();
	/** Since when, by key. */
	readonly escalatedAt = new Map<string, number>();
	/** Who paused last. */
	pausedBy: Actor | undefined;
	/** A budget was renewed since it ran out. */
	renewed = false;
	/** The same call, how often in a row. */
	repeat = { call: '', count: 0 };
	readonly turns: TurnMemory[] = [];
	/** Those that have not ended. */
	readonly openTurns: TurnMemory[] = [];
	readonly calls = new Map<string, CallState>();
	/** Open calls with which nothing was done yet. */
	readonly loose = new Set<string>();
	/** With which force calls were closed; what they were told is their result. */
	readonly closings = new Map<string, Closing['performative']>();
	/** Calls without effect that were admitted, and counted, with what is masked in what they tell. */
	readonly letIn = new Map<string, readonly string[]>();
	readonly steps = new Map<string, StepMemory>();
	/** Steps with which something is still to be done, in order. All are of the current plan. */
	readonly open = new Set<StepMemory>();
	/** Those of them that policy has to look at, or a person. */
	readonly due = new Set<StepMemory>();
	/** Ids of the steps of the current plan, and the revision it was made under. */
	plan: { turn: string | undefined; steps: readonly string[]; revision: number } | undefined;
	reReviews = 0;
	readonly reviews = new Map<string, Review>();
	/** At most one is open: the next takes its place. */
	openReview: Review | undefined;
	readonly questions = new Map<string, QuestionMemory>();
	/** Those that are open. */
	readonly asked = new Map<string, QuestionMemory>();
	limit: Budget = NOTHING;
	spent: Budget = NOTHING;
	readonly perInstance = new Map<string, number>();
	/** When acts were counted; before `actsFrom` are those of more than a minute ago. */
	readonly actTimes: number[] = [];
	/** Cost set aside for calls without effect, by call. */
	readonly lent = new Map<string, number>();
	actsFrom = 0;
	reservedTokens = 0;
	readonly effects = new Map<string, EffectMemory>();
	/** Those that were intended or dispatched and have no outcome. */
	readonly underway = new Set<EffectMemory>();
	/** Those of which a person has to say what became. */
	readonly unsettled = new Set<EffectMemory>();
	/** Versions the model has last been shown, by address. */
	readonly known = new Map<string, string | number>();
	/** Those that results have shown since the turn opened: the model knows them from the next turn on. */
	readonly told = new Map<string, string | number>();
	/** Instances this run touched, latest last. */
	readonly touched = new Set<string>();
	/** Drifts by act, instance and touched keys, over re-plans. */
	readonly drifts = new Map<string, number>();
	readonly widened = new Set<string>();
	/** Calls outside the scope, by instance. */
	readonly outside = new Map<string, number>();
	/** Reads a person agreed to in this run, `#instance.read`, by the record that says so. */
	readonly consents = new Map<string, number>();
	/** Entries under which less may leave since a record. */
	readonly tightened = new Map<string, number>();
	/** Which reads the result of a call shows. */
	readonly shows = new Map<string, readonly ToldAt[]>();
	/** What people said in this run: goal, answers, steers. */
	readonly words: Said[] = [];
	readonly revisions: RunState['revisions'][number][] = [];
	/** What changed with each revision, and what had been done by then. */
	readonly transitions: RunState['transitions'][number][] = [];
	/** Where the work of older instructions was left. */
	checkpoint: Kinds['checkpoint.taken'] | undefined;
	/** Answers to how something is meant that have not taken effect. */
	readonly meant = new Map<string, Meant>();
	/** A stop or a pause that was said and has not taken effect. */
	heard: Meant | undefined;
	/** Messages between turns, by the number of turns before them. */
	readonly messages: { after: number; message: TurnMessage }[] = [];
	stopping: Kinds['stop.requested'] | undefined;
	/** The state shared with the agent behind a transport, as the last turn left it. */
	shared: Kinds['turn.closed']['shared'];
	/** A wrap-up was held since the last renewal. */
	wrapped = false;
	/** Turns and output tokens still set aside for a wrap-up. */
	reserve = { turns: 0, tokens: 0 };
	ended: Kinds['run.ended'] | undefined;
	undone: 'all' | 'partial' | undefined;
	undoParts: Readonly<Record<string, UndoPart>> = {};
	lastSeq = -1;

	/** @param kin finds a run by id: all under one root draw on one budget */
	constructor(readonly kin: (run: string) => Fold | undefined = () => undefined) {}

	#lastAt = 0;
	#clock = false;
	#view: RunState | undefined;

	get over(): boolean {
		return isOver(this.state);
	}

	get openQuestions(): QuestionMemory[] {
		return [...this.asked.values()];
	}

	/** The question that an interrupt of a turn became: where a later turn puts the same one again, that is another question. */
	putBy({ id }: TurnMemory, interrupt: string): QuestionMemory | undefined {
		return [...this.questions.values()].find((one) => one.interrupt === interrupt && one.turn === id);
	}

	/** The turn that has not ended: a wrap-up before the one it was held in. */
	get openTurn(): TurnMemory | undefined {
		return this.openTurns.at(-1);
	}

	/** The last turn that is no wrap-up. */
	get turn(): TurnMemory | undefined {
		return this.turns.findLast((turn) => !turn.opened.wrapUp);
	}

	get planSteps(): StepMemory[] {
		return (this.plan?.steps ?? []).map((id) => this.steps.get(id)!);
	}

	get inFlight(): EffectMemory[] {
		return [...this.underway].filter(({ entry }) => entry.status === 'dispatched');
	}

	get activity(): RunState['activity'] {
		const { state, escalations } = this;
		if (this.over) return 'idle';
		if (!this.started) return this.opened.offer ? 'waiting' : 'idle';
		if (escalations.has('paused')) return 'paused';
		if (escalations.size > 0 || this.openReview) return 'waiting';
		const acts = state === 'authorized' || (state === 'acting' && this.open.size > 0);
		return acts ? 'acting' : 'thinking';
	}

	/** Takes in the next record. Never changes the record. */
	apply(record: JournalRecord): void {
		this.#view = undefined;
		// Waiting for a person is free: time counts only while the run thought or acted since the record before.
		const ms = this.ran(record.at);
		if (ms !== this.spent.ms) this.spent = { ...this.spent, ms };
		this.#lastAt = record.at;
		this.lastSeq = record.seq;
		const verb = verbOf(record);
		const next = verb ? transition(this.state, verb, this) : 'illegal';
		if (next !== 'illegal') {
			this.from = next !== 'escalated' ? undefined : (this.from ?? this.state);
			this.state = next;
		}
		const kind = record.kind as Kind;
		if (Object.hasOwn(TAKERS, kind)) TAKERS[kind]!(this, record.data as never, record as never);
		const { activity } = this;
		this.#clock = this.started && (activity === 'thinking' || activity === 'acting');
	}

	/** Stands in the place of what was known of the same run: for those above it and below. */
	replaces(before: Fold): void {
		const { above, below } = before;
		above?.below.splice(above.below.indexOf(before), 1);
		for (const one of below) {
			one.above = this;
			this.below.push(one);
		}
	}

	/** Acts in the minute before `now`. */
	actsInMinute(now: number): number {
		const { actTimes } = this;
		let from = this.actsFrom;
		while (from < actTimes.length && now - actTimes[from]! >= 60_000) from++;
		return actTimes.length - from;
	}

	/** Milliseconds of running time up to `now`. */
	ran(now: number): number {
		return this.spent.ms + (this.#clock ? Math.max(0, now - this.#lastAt) : 0);
	}

	/** May the run use the instance? */
	covers(instance: string): boolean {
		const { instances } = this.opened;
		return !instances || instances.includes(instance) || this.widened.has(instance);
	}

	/** Cost reserved for what was intended and has no outcome. */
	get reservedCost(): number {
		let sum = 0;
		for (const { reserved } of this.underway) sum += reserved;
		for (const cost of this.lent.values()) sum += cost;
		return sum;
	}

	/** The public picture of the run; the same object until the next record. */
	view(): RunState {
		return (this.#view ??= picture(this));
	}
}

/**
 * The state of a run as its journal tells it. A value whose blob is missing reads `{ $erased: digest }`.
 * @param blobs payloads, where the journal was read from a store or a snapshot
 * @since 0.1.0
 */
export function fold(
	journal: readonly JournalRecord[],
	blobs?: Readonly<Record<string, JSONValue>>
): RunState {
	const memory = new Fold();
	for (const record of blobs ? restore(journal, blobs) : journal) memory.apply(record);
	return memory.view();
}
