import type { Actor } from '../../actor/actor.js';
import { plus, NOTHING } from '../protocol/budget.js';
import { reason } from '../protocol/codes.js';
import { CLEAN, join, UNKNOWN } from '../protocol/labels.js';
import type { JournalRecord } from '../protocol/records.js';
import type {
	CallState,
	EffectEntry,
	Outcome,
	Question,
	Review,
	RunState,
	RunStateName,
	Step,
	UndoPart
} from '../protocol/run-state.js';
import type { TurnMessage, Usage } from '../protocol/turn.js';
import type { Budget, JSONValue, Label, Level, Reason } from '../protocol/words.js';
import { isOver, transition } from '../run/transition.js';
import { compact } from './compact.js';
import { deepFreeze } from './copy.js';
import {
	type AssessedStep,
	type Grant,
	type Kinds,
	type KnownRecord,
	type PlannedStep,
	type TouchAt,
	verbOf
} from './kinds.js';
import { restore } from './stored.js';

/** Address of a touched key, as a map key. */
export const at = (touch: { instance: string; read: string; key?: string }): string =>
	touch.key === undefined
		? `${touch.instance}.${touch.read}`
		: `${touch.instance}.${touch.read}:${touch.key}`;

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
	usage?: Usage;
	/** Steps were gathered and recorded. */
	planned: boolean;
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
	/** What the grant now expects: its versions, moved by the run's own writes. */
	expect: Map<string, string | number>;
	retries: number;
	retryAt?: number;
	answer?: { question: string; value: JSONValue };
	/** Why the next card asks again. */
	again: Reason[];
	/** Revision of the instructions it was proposed under. */
	revision: number;
	/** Decided against, and not told to the model yet. */
	ruling?: { status: 'rejected' | 'refused'; reasons: readonly Reason[] };
}

/** An effect with the cost that was reserved for it. */
export interface EffectMemory {
	entry: EffectEntry;
	reserved: number;
	/** Escalates until a person settles it. */
	open: boolean;
	at: number;
}

const CLOSED: ReadonlySet<Step['status']> = new Set([
	'refused',
	'confirmed',
	'failed',
	'unknown',
	'withdrawn',
	'rejected',
	'skipped'
]);

/** Has the step had its one result? */
export const isClosed = (step: Step): boolean => CLOSED.has(step.status);

/** A proposal that stays one, because the level is suggest. */
export const isParked = (step: Step): boolean =>
	step.status === 'proposed' && step.reasons.some(({ code }) => code === 'suggest-only');

/**
 * All that is known of a run, as the fold of its records, one by one. The engine keeps nothing of a run anywhere else;
 * {@link Fold.view} is the public, immutable picture of it.
 */
export class Fold {
	id = '';
	opened!: Kinds['run.opened'];
	principal!: Actor;
	state: RunStateName = 'offered';
	/** The state an escalated run left first. */
	from: RunStateName | undefined;
	/** Was any act of the run ever admitted? */
	admitted = false;
	started = false;
	/** An offer was accepted. */
	accepted = false;
	revision = 1;
	level: Level = 'review';
	/** The person's setting as the run last heard of it. */
	userLevel: Level | undefined;
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
	readonly calls = new Map<string, CallState>();
	readonly closings = new Map<string, { content: JSONValue; performative: ResultForce }>();
	readonly steps = new Map<string, StepMemory>();
	/** Ids of the steps of the current plan. */
	plan: { turn: string | undefined; steps: readonly string[] } | undefined;
	reReviews = 0;
	readonly reviews = new Map<string, Review>();
	readonly questions = new Map<
		string,
		{ question: Question; call?: string; step?: string; interrupt?: string; value?: JSONValue }
	>();
	limit: Budget = NOTHING;
	spent: Budget = NOTHING;
	readonly perInstance = new Map<string, number>();
	readonly actTimes: number[] = [];
	reservedTokens = 0;
	readonly effects = new Map<string, EffectMemory>();
	/** Versions the model has last been shown, by address. */
	readonly known = new Map<string, string | number>();
	/** Instances this run touched, latest last. */
	readonly touched = new Set<string>();
	/** Drifts by act, instance and touched keys, over re-plans. */
	readonly drifts = new Map<string, number>();
	readonly widened = new Set<string>();
	/** Calls outside the scope, by instance. */
	readonly outside = new Map<string, number>();
	readonly consents = new Map<string, 'allow' | 'ask' | 'deny'>();
	/** What the person said in this run: goal, answers, steers. */
	readonly words: string[] = [];
	readonly revisions: { n: number; kind: RunState['revisions'][number]['kind']; text: string; by: Actor }[] =
		[];
	/** Messages between turns, by the number of turns before them. */
	readonly messages: { after: number; message: TurnMessage }[] = [];
	stopping: Kinds['stop.requested'] | undefined;
	/** A wrap-up was held since the last renewal. */
	wrapped = false;
	/** Turns and output tokens still set aside for a wrap-up. */
	reserve = { turns: 0, tokens: 0 };
	ended: Kinds['run.ended'] | undefined;
	undone: 'all' | 'partial' | undefined;
	undoParts: Readonly<Record<string, UndoPart>> = {};
	lastAt = 0;
	lastSeq = -1;
	#clock = false;
	#view: RunState | undefined;

	get over(): boolean {
		return isOver(this.state);
	}

	get openReview(): Review | undefined {
		for (const review of this.reviews.values()) if (review.status === 'open') return review;
		return undefined;
	}

	/** The turn that has not ended: a wrap-up before the one it was held in. */
	get openTurn(): TurnMemory | undefined {
		return this.turns.findLast(({ closed }) => !closed);
	}

	/** The last turn that is no wrap-up. */
	get turn(): TurnMemory | undefined {
		return this.turns.findLast((turn) => !turn.opened.wrapUp);
	}

	get planSteps(): StepMemory[] {
		return (this.plan?.steps ?? []).map((id) => this.steps.get(id)!);
	}

	get inFlight(): EffectMemory[] {
		return [...this.effects.values()].filter(({ entry }) => entry.status === 'dispatched');
	}

	get activity(): RunState['activity'] {
		if (this.over) return 'idle';
		if (!this.started) return this.opened.offer ? 'waiting' : 'idle';
		if (this.escalations.has('paused')) return 'paused';
		if (this.escalations.size > 0 || this.openReview) return 'waiting';
		if (this.state === 'authorized') return 'acting';
		return this.state === 'acting' && this.planSteps.some(({ step }) => !isClosed(step))
			? 'acting'
			: 'thinking';
	}

	/** Takes in the next record. Never changes the record. */
	apply(record: JournalRecord): void {
		this.#view = undefined;
		// Waiting for a person is free: time counts only while the run thought or acted since the record before.
		if (this.#clock) this.spent = { ...this.spent, ms: this.spent.ms + Math.max(0, record.at - this.lastAt) };
		this.lastAt = record.at;
		this.lastSeq = record.seq;
		const verb = verbOf(record);
		if (verb) {
			const next = transition(this.state, verb, this);
			if (next !== 'illegal') {
				if (next === 'escalated' && this.state !== 'escalated') this.from = this.state;
				if (next !== 'escalated') this.from = undefined;
				this.state = next;
			}
		}
		this.#take(record as KnownRecord);
		this.#clock = this.started && (this.activity === 'thinking' || this.activity === 'acting');
	}

	#take(record: KnownRecord): void {
		switch (record.kind) {
			case 'run.opened': {
				const { data } = record;
				this.id = record.run;
				this.opened = data;
				this.principal = data.principal;
				this.level = data.level;
				this.limit = data.budget;
				this.#refill();
				this.label = data.label;
				this.words.push(data.goal);
				this.revisions.push({ n: 1, kind: 'goal', text: data.goal, by: record.by });
				break;
			}
			case 'run.accepted':
				this.principal = record.data.principal;
				this.accepted = true;
				break;
			case 'run.started':
				this.started = true;
				this.label = join(this.label, record.data.label);
				break;
			case 'turn.opened':
				this.#turnOpened(record.data, record.revision);
				break;
			case 'turn.failed': {
				const turn = this.turns.find(({ id }) => id === record.data.turn)!;
				turn.failures += 1;
				turn.failure = record.data.reason;
				turn.text = record.data.text;
				turn.retryAt = record.data.retryAt;
				this.#spend(record.data.usage);
				break;
			}
			case 'turn.closed':
				this.#turnClosed(record.data);
				break;
			case 'call.admitted':
				this.#count(record.data.instance, record.at);
				break;
			case 'call.closed':
				this.#callClosed(record.data, record.at);
				break;
			case 'plan.proposed':
				this.#planned(record.data, record.at);
				break;
			case 'step.closed':
				this.#stepClosed(record.data);
				break;
			case 'review.opened':
				this.#reviewOpened(record.data);
				break;
			case 'review.decided':
				this.#decided(record.data, record.by);
				break;
			case 'review.closed': {
				this.#setReview(record.data.review, record.data.status);
				break;
			}
			case 'grants.issued':
				for (const grant of record.data.grants) {
					const memory = this.steps.get(grant.step)!;
					memory.grant = grant;
					// A permission renewed for the same card goes on expecting what the run's own writes left.
					const before = grant.how === 'person' ? memory.expect : undefined;
					memory.expect = new Map(
						grant.bound.map((touch) => [at(touch), before?.get(at(touch)) ?? touch.version])
					);
					memory.retryAt = undefined;
					this.#setStep(memory, { status: 'granted', label: grant.label });
				}
				break;
			case 'effect.intended':
				this.#intended(record.data, record.at);
				break;
			case 'effect.withdrawn': {
				const memory = this.steps.get(record.data.step)!;
				this.#setEffect(record.data.operation, 'withdrawn');
				// Held back, not taken back: the permission stands.
				if (record.data.verdict === 'held') break;
				memory.grant = undefined;
				this.#setStep(memory, { status: 'proposed' });
				if (record.data.verdict === 'refused') {
					memory.ruling = { status: 'refused', reasons: record.data.reasons };
					this.#reconsider(memory);
				} else {
					memory.approval = undefined;
					memory.again = [...record.data.reasons];
					if (record.data.reasons.some((reason) => reason.code === 'drift')) this.#drifted(memory);
				}
				break;
			}
			case 'effect.dispatched': {
				const memory = this.steps.get(record.data.step)!;
				this.admitted = true;
				this.#setEffect(record.data.operation, 'dispatched');
				this.#setStep(memory, { status: 'dispatched' });
				this.touched.delete(memory.step.instance);
				this.touched.add(memory.step.instance);
				break;
			}
			case 'effect.released': {
				const memory = this.steps.get(record.data.step)!;
				this.#setEffect(record.data.operation, 'intended');
				memory.grant = undefined;
				if (record.data.why === 'retry') {
					memory.retries += 1;
					memory.retryAt = record.data.afterAt;
				}
				this.#setStep(memory, { status: record.data.why === 'question' ? 'waiting' : 'proposed' });
				break;
			}
			case 'effect.settled':
				this.#settled(record.data, record.at);
				break;
			case 'effect.late':
				if (record.data.status !== 'unknown')
					this.#late(record.data.operation, record.data.status, record.data.result);
				break;
			case 'effect.ruled':
				this.#ruled(record.data);
				break;
			case 'question.asked':
				this.questions.set(record.data.question.id, record.data);
				break;
			case 'question.closed':
				this.#answered(record.data);
				break;
			case 'escalation.raised':
				this.escalations.set(record.data.key, record.data.reason);
				this.escalatedAt.set(record.data.key, record.at);
				if (record.data.key === 'paused') this.pausedBy = record.by;
				this.renewed = false;
				break;
			case 'escalation.cleared':
				this.#cleared(record.data.key, record.at);
				break;
			case 'budget.renewed':
				this.limit = plus(this.limit, record.data.add);
				this.wrapped = false;
				this.renewed = true;
				this.#refill();
				break;
			case 'scope.widened':
				this.widened.add(record.data.instance);
				break;
			case 'consent.set':
				this.consents.set(record.data.entry, record.data.verdict);
				break;
			case 'level.set':
				this.level = record.data.level;
				this.userLevel = record.data.user;
				break;
			case 'revision.accepted':
				this.revision = record.data.n;
				this.revisions.push({
					n: record.data.n,
					kind: record.data.kind,
					text: record.data.text,
					by: record.by
				});
				this.#say(record.by, record.data.text);
				break;
			case 'message':
				this.#say(record.data.from, record.data.text);
				break;
			case 'stop.requested':
				this.stopping ??= record.data;
				break;
			case 'run.ended':
				this.#end(record.data);
				break;
			case 'run.undone':
				this.undone = record.data.undone;
				this.undoParts = record.data.parts;
				break;
			case 'run.redone':
				this.undone = undefined;
				break;
		}
	}

	#cleared(key: string, now: number): void {
		const since = this.escalatedAt.get(key) ?? now;
		this.escalations.delete(key);
		this.escalatedAt.delete(key);
		const turn = this.openTurn;
		if (turn) turn.failures = 0;
		if (key === 'stall') this.repeat = { call: '', count: 0 };
		if (key === 'drift') {
			this.drifts.clear();
			this.reReviews = 0;
		}
		if (key !== 'paused') return;
		// What waits for a person stands still while the person has paused everything.
		for (const review of this.reviews.values())
			if (review.expiresAt !== undefined && review.expiresAt > since)
				this.reviews.set(review.id, { ...review, expiresAt: review.expiresAt + now - since });
		for (const [other, at] of this.escalatedAt) this.escalatedAt.set(other, at + now - since);
	}

	#say(from: Actor, text: string): void {
		this.words.push(text);
		this.messages.push({ after: this.turns.length, message: { role: 'user', from, text } });
	}

	/** A wrap-up is set aside where the limits leave room for work beside it. */
	#refill(): void {
		this.reserve = {
			turns: this.limit.turns - this.spent.turns >= 2 ? 1 : 0,
			tokens: this.limit.tokens - this.spent.tokens >= 2000 ? 1000 : 0
		};
	}

	#turnOpened(data: Kinds['turn.opened'], revision: number): void {
		this.turns.push({ id: data.turn, opened: data, text: '', failures: 0, planned: false, revision });
		this.reservedTokens = data.reserve;
		if (!data.continues) this.spent = { ...this.spent, turns: this.spent.turns + 1 };
		if (data.wrapUp) {
			this.wrapped = true;
			this.reserve = { turns: 0, tokens: 0 };
			return;
		}
		this.label = join(this.label, data.label);
		for (const shown of data.shown) {
			this.known.set(at(shown), shown.version);
			for (const [key, version] of Object.entries(shown.keys ?? {}))
				this.known.set(at({ ...shown, key }), version);
		}
	}

	#turnClosed(data: Kinds['turn.closed']): void {
		const turn = this.turns.find(({ id }) => id === data.turn)!;
		turn.closed = data;
		turn.text = data.text;
		turn.usage = data.usage;
		this.#spend(data.usage);
		// A pause that brings nothing new is a repetition like that of a call.
		if (data.end === 'pause' && data.calls.length === 0) this.#repeated(`pause ${data.text}`);
		for (const call of data.calls) {
			this.#repeated(`${call.name} ${call.raw}`);
			// What was carried out over there is nobody's word here.
			if (call.there)
				this.label = join(this.label, { ...UNKNOWN, confidentiality: 'public', sources: [call.name] });
			this.calls.set(call.id, {
				id: call.id,
				turn: data.turn,
				name: call.name,
				status: call.there ? 'closed' : 'open',
				// Only where there is one: the order of keys must not hang on when the state was looked at.
				...(call.result === undefined ? {} : { result: call.result })
			});
			if (call.there)
				this.closings.set(call.id, {
					content: call.result ?? null,
					performative: call.failed ? 'failure' : 'inform'
				});
		}
	}

	#repeated(call: string): void {
		this.repeat = { call, count: this.repeat.call === call ? this.repeat.count + 1 : 1 };
	}

	#spend(usage: Usage): void {
		this.reservedTokens = 0;
		this.spent = {
			...this.spent,
			tokens: this.spent.tokens + usage.input + usage.output,
			cost: this.spent.cost + (usage.cost ?? 0)
		};
	}

	#count(instance: string, now: number): void {
		const count = (this.perInstance.get(instance) ?? 0) + 1;
		this.perInstance.set(instance, count);
		this.actTimes.push(now);
		this.spent = {
			...this.spent,
			acts: this.spent.acts + 1,
			actsPerInstance: Math.max(this.spent.actsPerInstance, count),
			actsPerMinute: this.#lastMinute(now)
		};
	}

	#lastMinute(now: number): number {
		let count = 0;
		for (let i = this.actTimes.length - 1; i >= 0 && now - this.actTimes[i]! < 60_000; i--) count += 1;
		return count;
	}

	/** Acts in the minute before `now`. */
	actsInMinute(now: number): number {
		return this.#lastMinute(now);
	}

	#callClosed(data: Kinds['call.closed'], now: number): void {
		if (data.label) this.label = join(this.label, data.label);
		this.#closeCall(data.call, data, data.status);
		if (data.refused) this.#turnedAway(data.refused.instance, data.refused.code, now);
	}

	/** Calls out of scope are counted, and what does not fit its schema costs an act: nobody may try for ever. */
	#turnedAway(instance: string, code: string, now: number): void {
		if (code === 'scope') this.outside.set(instance, (this.outside.get(instance) ?? 0) + 1);
		else if (code.startsWith('args-')) this.#count(instance, now);
	}

	#planned(data: Kinds['plan.proposed'], now: number): void {
		this.plan = { turn: data.turn, steps: data.steps.map(({ id }) => id) };
		this.reReviews = 0;
		const turn = this.turns.find(({ id }) => id === data.turn);
		if (turn) turn.planned = true;
		for (const planned of data.steps) {
			const { call, proposal, manifest, epoch, touches, ...step }: PlannedStep = planned;
			const memory: StepMemory = {
				step: deepFreeze(step),
				proposal,
				manifest,
				epoch,
				touches,
				expect: new Map(),
				retries: 0,
				again: [],
				revision: this.revision,
				call
			};
			this.steps.set(step.id, memory);
			const known = call === undefined ? undefined : this.calls.get(call);
			if (known)
				this.calls.set(known.id, {
					...known,
					instance: step.instance,
					act: step.act,
					args: step.args,
					step: step.id
				});
			if (step.status === 'refused') this.#turnedAway(step.instance, step.reasons[0]!.code, now);
		}
	}

	#stepClosed(data: Kinds['step.closed']): void {
		const memory = this.steps.get(data.step)!;
		if (data.label) this.label = join(this.label, data.label);
		memory.grant = undefined;
		memory.approval = undefined;
		memory.ruling = undefined;
		memory.again = [];
		// An act that had asked and is closed now never happened.
		for (const { entry } of this.effects.values())
			if (entry.step === data.step && entry.status === 'intended')
				this.#setEffect(entry.operation, 'withdrawn');
		this.#setStep(memory, { status: data.status, reasons: data.reasons, preview: data.preview });
		if (data.call !== undefined && data.content !== undefined)
			this.#closeCall(
				data.call,
				{ content: data.content, performative: data.performative ?? 'refuse' },
				'refused'
			);
	}

	#drifted(memory: StepMemory): void {
		const key = driftKey(memory);
		this.drifts.set(key, (this.drifts.get(key) ?? 0) + 1);
	}

	#reviewOpened(data: Kinds['review.opened']): void {
		for (const review of this.reviews.values())
			if (review.status === 'open') this.#setReview(review.id, 'superseded');
		const asked = data.steps.filter(({ asks }) => asks === 'person');
		this.reviews.set(data.review, {
			id: data.review,
			run: this.id,
			steps: asked.map(({ step }) => step),
			reasons: data.reasons,
			fingerprint: data.fingerprint,
			expiresAt: data.expiresAt,
			status: 'open',
			changes: data.changes
		});
		if (data.changes) this.reReviews += 1;
		for (const assessed of data.steps) {
			const memory = this.steps.get(assessed.step)!;
			memory.assessed = assessed;
			memory.epoch = assessed.epoch;
			memory.touches = assessed.bound;
			memory.expect = new Map();
			memory.again = [];
			this.#setStep(memory, {
				asks: assessed.asks,
				reasons: assessed.reasons,
				label: assessed.label,
				weak: assessed.weak,
				preview: assessed.preview
			});
		}
	}

	#decided(data: Kinds['review.decided'], by: Actor): void {
		this.#setReview(data.review, 'settled');
		for (const [id, decision] of Object.entries(data.steps)) {
			const memory = this.steps.get(id)!;
			if (decision.verdict === 'reject') {
				memory.ruling = {
					status: 'rejected',
					reasons: [{ code: 'rejected', text: decision.reason ?? 'The person rejected the step.' }]
				};
				continue;
			}
			memory.approval = { review: data.review, by };
			const { edit } = decision;
			if (!edit) continue;
			memory.proposal += 1;
			memory.touches = edit.touches;
			memory.expect = new Map();
			memory.assessed = memory.assessed && { ...memory.assessed, bound: edit.touches };
			this.#setStep(memory, {
				args: edit.args,
				label: edit.label,
				proposed: memory.step.proposed ?? memory.step.args,
				preview: edit.preview
			});
		}
	}

	#setReview(id: string, status: Review['status']): void {
		const review = this.reviews.get(id);
		if (review) this.reviews.set(id, { ...review, status });
	}

	#intended(data: Kinds['effect.intended'], now: number): void {
		const memory = this.steps.get(data.step)!;
		const { step, grant } = memory;
		const before = this.effects.get(data.operation);
		if (!before) this.#count(step.instance, now);
		this.effects.delete(data.operation);
		this.effects.set(data.operation, {
			reserved: data.cost,
			open: false,
			at: now,
			entry: {
				operation: data.operation,
				step: step.id,
				instance: step.instance,
				act: step.act,
				status: 'intended',
				reach: step.reach,
				decidedBy: grant!.decidedBy,
				how: grant!.how,
				fingerprint: grant!.fingerprint
			}
		});
	}

	#setEffect(operation: string, status: EffectEntry['status'], cost?: number): void {
		const memory = this.effects.get(operation);
		if (!memory) return;
		memory.entry = Object.freeze(compact({ ...memory.entry, status, cost: cost ?? memory.entry.cost }));
	}

	#settled(data: Kinds['effect.settled'], now: number): void {
		const memory = this.steps.get(data.step)!;
		const effect = this.effects.get(data.operation);
		this.#setEffect(data.operation, data.status, data.cost);
		this.spent = { ...this.spent, cost: this.spent.cost + data.cost };
		if (effect) {
			effect.open = data.status === 'unknown' && memory.step.reach !== 'page';
			effect.at = now;
		}
		memory.grant = undefined;
		memory.approval = undefined;
		memory.answer = undefined;
		this.label = join(this.label, data.label);
		for (const moved of data.moved) {
			const address = at(moved);
			this.known.set(address, moved.after);
			for (const { expect, step } of this.steps.values())
				if (!isClosed(step) && expect.get(address) === moved.before) expect.set(address, moved.after);
		}
		this.#setStep(memory, {
			status: data.status,
			reasons: data.reason && [data.reason],
			result: data.result
		});
		if (data.call !== undefined) this.#closeCall(data.call, data, 'closed');
		if (data.status !== 'confirmed') this.#reconsider(memory);
	}

	/** After a failure the later steps of the plan go to policy again. */
	#reconsider(failed: StepMemory): void {
		for (const memory of this.planSteps) {
			if (memory === failed || isClosed(memory.step)) continue;
			if (memory.approval ?? memory.grant?.how === 'person')
				memory.again = [{ code: 'predecessor-failed', text: 'A step before this one did not succeed.' }];
			memory.approval = undefined;
			memory.grant = undefined;
			this.#setStep(memory, { status: 'proposed' });
		}
	}

	#late(operation: string, status: 'confirmed' | 'failed' | 'unknown', result?: JSONValue): void {
		this.#setEffect(operation, status);
		const effect = this.effects.get(operation);
		if (effect) effect.open = false;
		const memory = effect && this.steps.get(effect.entry.step);
		if (memory) this.#setStep(memory, { status, result });
	}

	#ruled(data: Kinds['effect.ruled']): void {
		const effect = this.effects.get(data.operation)!;
		effect.open = false;
		if (data.fact === 'abandon') return;
		this.#late(data.operation, data.fact === 'done' ? 'confirmed' : 'failed');
	}

	#answered(data: Kinds['question.closed']): void {
		const asked = this.questions.get(data.question)!;
		this.questions.set(data.question, {
			...asked,
			question: { ...asked.question, status: data.status },
			value: data.value
		});
		const memory = asked.step === undefined ? undefined : this.steps.get(asked.step);
		if (data.status !== 'answered') {
			// What nobody answers is not done; the model is told so.
			if (memory && !isClosed(memory.step)) {
				this.#setStep(memory, { status: 'proposed' });
				memory.ruling = { status: 'refused', reasons: [reason('declined', data.reason)] };
				this.#reconsider(memory);
			}
			return;
		}
		if (memory) {
			memory.answer = { question: data.question, value: data.value ?? null };
			this.#setStep(memory, { status: 'proposed' });
		}
		// Consent is given to reads; it is no text of the person.
		if (asked.question.reason === 'consent') {
			for (const entry of Array.isArray(data.value) ? data.value : [])
				this.consents.set(String(entry), 'allow');
			return;
		}
		this.words.push(typeof data.value === 'string' ? data.value : JSON.stringify(data.value ?? null));
	}

	#setStep(memory: StepMemory, change: Partial<Step>): void {
		memory.step = deepFreeze({ ...memory.step, ...compact(change) });
	}

	#closeCall(
		id: string,
		closing: { content: JSONValue; performative: ResultForce },
		status: 'closed' | 'refused'
	): void {
		const call = this.calls.get(id);
		if (!call) return;
		this.closings.set(id, { content: closing.content, performative: closing.performative });
		this.calls.set(id, { ...call, status, result: closing.content });
	}

	#end(data: Kinds['run.ended']): void {
		this.ended = data;
		this.escalations.clear();
		this.reservedTokens = 0;
		const stays = data.kind === 'proposed';
		const left: Step['status'] =
			data.kind === 'interrupted' || data.kind === 'superseded' ? 'withdrawn' : 'skipped';
		for (const memory of this.steps.values()) {
			if (isClosed(memory.step) || memory.step.status === 'dispatched') continue;
			const proposed = memory.step.status === 'proposed';
			if (proposed && (stays || memory.step.reasons.some(({ code }) => code === 'suggest-only'))) continue;
			this.#setStep(memory, { status: left });
		}
		for (const { entry } of this.effects.values())
			if (entry.status === 'intended') this.#setEffect(entry.operation, 'withdrawn');
		for (const call of this.calls.values())
			if (call.status === 'open')
				this.#closeCall(
					call.id,
					{ content: { code: left, text: 'The run ended before this call.' }, performative: 'cancel' },
					'refused'
				);
		for (const review of this.reviews.values())
			if (review.status === 'open')
				this.#setReview(review.id, data.reason?.code === 'expired' ? 'expired' : 'superseded');
		for (const [id, asked] of this.questions)
			if (asked.question.status === 'open')
				this.questions.set(id, { ...asked, question: { ...asked.question, status: 'expired' } });
	}

	/** Milliseconds of running time up to `now`. */
	ran(now: number): number {
		return this.spent.ms + (this.#clock ? Math.max(0, now - this.lastAt) : 0);
	}

	/** May the run use the instance? */
	covers(instance: string): boolean {
		const { instances } = this.opened;
		return instances === undefined || instances.includes(instance) || this.widened.has(instance);
	}

	/** Cost reserved for what was intended and has no outcome. */
	get reservedCost(): number {
		let sum = 0;
		for (const { entry, reserved } of this.effects.values())
			if (entry.status === 'intended' || entry.status === 'dispatched') sum += reserved;
		return sum;
	}

	/** The public picture of the run; the same object until the next record. */
	view(): RunState {
		return (this.#view ??= this.#picture());
	}

	#picture(): RunState {
		const { opened } = this;
		const steps = [...this.steps.values()].map(({ step }) => step);
		const effects = [...this.effects.values()].map(({ entry }) => entry);
		const current = new Set(this.plan?.steps);
		const outcome: Outcome | undefined = this.ended && {
			kind: this.ended.kind,
			effects,
			spent: this.spent,
			reason: this.ended.reason,
			text: this.ended.text,
			value: this.ended.value
		};
		return deepFreeze(
			compact({
				id: this.id,
				thread: opened.thread,
				root: opened.root,
				parent: opened.parent,
				successorOf: opened.successorOf,
				principal: this.principal,
				agent: {
					id: opened.agent.id,
					version: opened.agent.version
				},
				goal: opened.goal,
				revision: this.revision,
				level: this.level,
				contract: opened.contract,
				state: this.state,
				activity: this.activity,
				escalations: [...this.escalations.values()],
				turns: this.turns.map(({ id, text, closed, usage }) => ({
					id,
					text,
					calls: closed?.calls.map((call) => call.id) ?? [],
					usage
				})),
				calls: [...this.calls.values()],
				steps,
				...(this.plan
					? {
							plan: {
								turn: this.plan.turn ?? '',
								steps: steps.filter(({ id }) => current.has(id))
							}
						}
					: {}),
				leftOut: this.turn?.opened.leftOut ?? [],
				revisions: this.revisions.slice(),
				reviews: [...this.reviews.values()],
				questions: [...this.questions.values()].map(({ question }) => question),
				budget: {
					limit: this.limit,
					spent: this.spent,
					reserved: {
						...NOTHING,
						turns: this.reserve.turns,
						tokens: this.reserve.tokens + this.reservedTokens,
						cost: this.reservedCost
					}
				},
				label: this.label,
				effects,
				outcome,
				undone: this.undone
			})
		);
	}
}

type ResultForce = 'inform' | 'refuse' | 'failure' | 'cancel';

/** Under what a drift is counted: act, instance and touched keys, so that a re-plan does not start anew. */
export const driftKey = ({ step, touches }: StepMemory): string => [step.act, ...touches.map(at)].join(' ');

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
