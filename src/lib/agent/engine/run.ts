import { type Actor, APP } from '../../actor/actor.js';
import { left } from '../gate/budget.js';
import { copyJSON } from '../journal/copy.js';
import type { Kind, Kinds } from '../journal/kinds.js';
import { reserveOf } from '../journal/take-course.js';
import { reason, type Code } from '../protocol/codes.js';
import { LIMITS } from '../protocol/budget.js';
import type { JournalRecord } from '../protocol/records.js';
import type {
	AnswerReport,
	Decision,
	DecisionReport,
	Issue,
	Outcome,
	Question,
	RunState,
	SteerReport,
	StopReport,
	Update,
	Verdict
} from '../protocol/run-state.js';
import type { Budget, Reason } from '../protocol/words.js';
import { fields, who, words } from './border.js';
import { cleared } from './conduct.js';
import type { Conductor } from './conductor.js';
import { halt } from './halt.js';
import { onDemand } from './on-demand.js';
import { apply, askMeaning, classified, saysOf, type Told, toldBy } from './steer.js';

/** One delegation: its state, its journal, and every verb by which somebody decides about it. @since 0.1.0 */
export interface Run {
	readonly id: string;
	readonly state: RunState;
	readonly journal: readonly JournalRecord[];
	/** Resolves when control has returned. Never rejects. */
	readonly returned: Promise<Outcome>;
	/** Accepts an offer; who accepts becomes the principal. */
	accept(by?: Actor): DecisionReport;
	/**
	 * Decides a review: whole, or step by step with every step named. Irreversible and protected steps need a person.
	 * Codes: review-unknown, review-settled, expired, decision-incomplete, person-required, args-invalid or not-json (with
	 * issues), run-over; not-ready for an edit in an engine that goes on where another was, before it is `ready`.
	 */
	decide(decision: Decision, by?: Actor): DecisionReport;
	/** Codes: question-unknown, question-settled, answer-invalid (with issues), person-required; not-ready as for an edit. */
	answer(question: string, value: unknown, by?: Actor): AnswerReport;
	decline(question: string, reason?: string, by?: Actor): DecisionReport;
	/** Changes the course. A correction is the next revision of the same run; after the end it is a successor. */
	steer(update: string | Update, by?: Actor): Promise<SteerReport>;
	/** The open request runs to its end, nothing of it runs; review expiry and running time stand still. */
	pause(by?: Actor): DecisionReport;
	/** Leaves a pause, and where a person says so, tries again what was given up. */
	resume(by?: Actor): DecisionReport;
	/** Adds to the limits. Only a person may. */
	renew(budget: Partial<Budget>, by?: Actor): DecisionReport;
	/** More time for an open review: it waits as long again, counted from now. Only a person. */
	keepOpen(review: string, by?: Actor): DecisionReport;
	/** A person states what became of an unknown effect, also after the end. */
	settle(operation: string, fact: 'done' | 'not-done' | 'abandon', by?: Actor): DecisionReport;
	/** From here nothing new begins; resolves when every dispatched act is confirmed, failed or unknown. */
	stop(reason?: string, by?: Actor): Promise<StopReport>;
}

type No = { ok: false; refused: Reason };

/** It was done. */
export const OK = Object.freeze({ ok: true });
/** It was not, and why. */
export const no = (code: Code, text?: string): No => ({ ok: false, refused: reason(code, text) });
/** Only an engine that took a run over from another one, and is not ready yet, has nothing to judge values with. */
const notReady = (): No => no('not-ready', 'The engine is not ready yet.');
const fault = (message: string): readonly Issue[] => [{ path: '', message }];

const isProgram = (by: Actor | undefined): boolean => by?.kind === 'app' || by?.kind === 'rule';

/** Agents and outside callers decide nothing. */
const decides = (by: Actor): boolean => by.kind === 'human' || isProgram(by);

/** What a `resume` of a person leaves, besides a pause. */
const RETRIED = new Set(['stall', 'transport', 'desync', 'store', 'owner', 'drift']);

/** The verbs of a run over its conductor. */
export class RunHandle implements Run {
	readonly #successor: (text: string, by: Actor) => Run;

	readonly returned: Promise<Outcome>;
	/** Updates take effect one after another. */
	#lane: Promise<unknown> | undefined;
	#resolve!: (outcome: Outcome) => void;
	#conductor!: Conductor;

	constructor(conductor: Conductor, successor: (text: string, by: Actor) => Run) {
		this.returned = new Promise((resolve) => (this.#resolve = resolve));
		this.#successor = successor;
		this.carry(conductor);
	}

	/** @internal */
	get conductor(): Conductor {
		return this.#conductor;
	}

	/** From here on the run is what this one tells of it. @internal */
	carry(conductor: Conductor): void {
		this.#conductor = conductor;
		void conductor.returned.then(this.#resolve);
	}

	get id(): string {
		return this.conductor.id;
	}

	get state(): RunState {
		return this.conductor.view();
	}

	get journal(): readonly JournalRecord[] {
		return this.conductor.journal.slice();
	}

	/** Records what somebody decided, and goes on. */
	#decided<K extends Kind>(kind: K, data: Kinds[K], by: Actor): { ok: boolean } {
		this.conductor.append(kind, data, by);
		this.conductor.drive();
		return OK;
	}

	accept(by: Actor = APP): DecisionReport {
		by = who(by);
		const { conductor } = this;
		const { over, opened, accepted } = conductor.fold;
		if (conductor.elsewhere) return no('owner');
		if (over) return no('run-over');
		if (!decides(by)) return no('person-required');
		if (!opened.offer || accepted) return no('illegal-transition', 'The run is no open offer.');
		conductor.append('run.accepted', { principal: by }, by);
		conductor.house.over(conductor);
		return OK;
	}

	decide(decision: Decision, by: Actor = APP): DecisionReport {
		by = who(by);
		const { fold } = this.conductor;
		const review = fold.reviews.get(reviewOf(decision)!);
		if (!review) return no('review-unknown');
		if (this.conductor.elsewhere) return no('owner');
		if (fold.over || fold.stopping) return no('run-over');
		if (review.status !== 'open') return no('review-settled');
		// A timer may be asleep with its page: time is looked at when it counts. A pause stands still.
		if (
			!fold.escalations.has('paused') &&
			this.conductor.core.clock.now() >= (review.expiresAt ?? Infinity)
		) {
			this.conductor.drive();
			return no('expired');
		}
		const verdicts = named(decision, review.steps);
		if (!verdicts) return no('decision-incomplete');
		if (!onDemand.turnSide && Object.values(verdicts).some(({ verdict }) => verdict === 'edit'))
			return notReady();
		const memories = review.steps.map((id) => fold.steps.get(id)!);
		const personal = memories.some(({ assessed }) => assessed?.protected !== false);
		if (!decides(by) || (personal && by.kind !== 'human')) return no('person-required');
		const steps: Record<string, Kinds['review.decided']['steps'][string]> = {};
		const issues: Record<string, readonly Issue[]> = {};
		let refused: Reason | undefined;
		for (const memory of memories) {
			const { id } = memory.step;
			const { verdict, args, reason: given } = verdicts[id]!;
			const why = words(given);
			const edit =
				verdict === 'edit' ? onDemand.turnSide!.edited(this.conductor, memory, args, by) : undefined;
			if (edit && 'refused' in edit) {
				refused ??= edit.refused;
				issues[id] = edit.issues;
			} else steps[id] = { verdict, edit, reason: why };
		}
		if (refused) return { ok: false, refused, issues };
		// All rejected, and nothing else of the plan is left to be authorised.
		const over =
			fold.state === 'reviewing' &&
			Object.values(steps).every(({ verdict }) => verdict === 'reject') &&
			!fold.planSteps.some(({ step }) => step.status === 'proposed' && !review.steps.includes(step.id));
		const data = { review: review.id, steps, verb: over ? ('plan' as const) : undefined };
		return this.#decided('review.decided', data, by);
	}

	/** The open question, if `by` may say something to it. */
	#asked(id: string, by: Actor, answers: boolean): Question | No {
		const { fold } = this.conductor;
		const question = fold.questions.get(id)?.question;
		if (!question) return no('question-unknown');
		if (this.conductor.elsewhere) return no('owner');
		if (fold.over) return no('run-over');
		if (question.status !== 'open') return no('question-settled');
		const personal = answers && question.reason !== 'question';
		return decides(by) && (!personal || by.kind === 'human') ? question : no('person-required');
	}

	answer(id: string, given: unknown, by: Actor = APP): AnswerReport {
		by = who(by);
		const question = this.#asked(id, by, true);
		if ('ok' in question) return question;
		const copy = copyJSON(given);
		if (!copy.ok) return { ok: false, refused: copy.reason, issues: fault(copy.reason.text) };
		const { url, schema } = question;
		const { value } = copy;
		const { turnSide } = onDemand;
		if (!turnSide) return notReady();
		const issues = url !== undefined && !schema ? [] : turnSide.checkAnswer(schema, value);
		if (issues.length > 0) return { ...no('answer-invalid'), issues };
		return this.#decided('question.closed', { question: id, status: 'answered', value }, by);
	}

	decline(id: string, why?: string, by: Actor = APP): DecisionReport {
		by = who(by);
		const question = this.#asked(id, by, false);
		if ('ok' in question) return question;
		return this.#decided('question.closed', { question: id, status: 'declined', reason: words(why) }, by);
	}

	async steer(update: string | Update, by: Actor = APP): Promise<SteerReport> {
		by = who(by);
		const { conductor } = this;
		const unable = (refused: Reason): SteerReport => ({
			revision: conductor.fold.revision,
			kind: 'progress',
			interpretation: refused.text,
			superseded: [],
			refused
		});
		if (conductor.elsewhere) return unable(conductor.elsewhere);
		if (!decides(by)) return unable(reason('person-required'));
		const told = toldBy(update);
		if (!told) return unable(reason('args', 'This is no update; nothing changes.'));
		// Whoever stops or pauses waits for nobody.
		if (told.kind === 'cancel' || told.kind === 'pause') return this.#steered(told, by, unable);
		const go = async () =>
			this.#steered(told.kind ? told : await classified(this.conductor, told), by, unable);
		const work = this.#lane ? this.#lane.then(go) : go();
		const lane: Promise<unknown> = work.finally(() => {
			if (this.#lane === lane) this.#lane = undefined;
		});
		this.#lane = lane;
		return work;
	}

	/** Takes an update in; once it is kept, it is told how it was understood. */
	async #steered(told: Told, by: Actor, unable: (why: Reason) => SteerReport): Promise<SteerReport> {
		const { kind, text, how } = told;
		// A stop that was asked for comes first; what is said after it is for whoever follows.
		if (this.conductor.fold.stopping && kind !== 'cancel') await this.returned;
		const { conductor } = this;
		const { fold, house } = conductor;
		const successor = () => ({
			...unable(reason('run-over')),
			refused: undefined,
			successor: this.#successor(text, by).id
		});
		if (fold.over) {
			if (kind === 'progress')
				return { ...unable(reason('run-over', saysOf(fold.view()))), refused: undefined };
			if (kind === 'pause' || kind === 'cancel') return { ...unable(reason('run-over')), kind };
			return {
				...successor(),
				kind: kind ?? 'goal',
				interpretation: 'The run is over: a further one goes on from it.'
			};
		}
		if (!kind) return askMeaning(conductor, told);
		if (kind === 'pause') {
			const { over, started, escalations, pausedBy } = fold;
			const held = escalations.has('paused') && (by.kind !== 'human' || pausedBy?.kind === 'human');
			if (over || !started || held) return { ...unable(reason('illegal-transition')), kind };
		}
		const report = apply(conductor, { kind, text }, by, how);
		if (kind === 'cancel') await this.returned;
		const kept = kind === 'cancel' || ((await house.persist?.barrier(fold.id)) ?? true);
		return kept
			? report
			: { ...report, refused: reason(conductor.elsewhere || this.conductor.elsewhere ? 'owner' : 'store') };
	}

	pause(by: Actor = APP): DecisionReport {
		by = who(by);
		const { over, started, escalations, pausedBy } = this.conductor.fold;
		if (this.conductor.elsewhere) return no('owner');
		if (over) return no('run-over');
		// What a program paused a person may hold: then it is no longer the program's to resume.
		const held = escalations.has('paused') && (by.kind !== 'human' || pausedBy?.kind === 'human');
		if (!started || held) return no('illegal-transition');
		const data = { verb: 'escalate' as const, key: 'paused', reason: reason('paused') };
		return this.#decided('escalation.raised', data, by);
	}

	resume(by: Actor = APP): DecisionReport {
		by = who(by);
		const { conductor } = this;
		const { fold, house } = conductor;
		const { over, escalations, pausedBy } = fold;
		const person = by.kind === 'human';
		if (over) return no('run-over');
		if (conductor.elsewhere) {
			if (!person) return no('person-required');
			void house.keeper?.take(fold.id, by);
			return OK;
		}
		if (escalations.size === 0) return no('illegal-transition', 'The run waits for nothing.');
		// A program may take back its own kind's pause, and nothing else.
		const own = escalations.has('paused') && isProgram(by) && isProgram(pausedBy);
		if (!person && !own) return no('person-required');
		let moved = false;
		for (const [key, why] of person ? [...escalations] : [['paused'] as const]) {
			const [kind, ...rest] = key.split(':');
			const id = rest.join(':');
			if (key === 'paused' || RETRIED.has(key)) {
				if (key === 'store' || key === 'owner') house.persist?.retry(fold.id);
				conductor.append('escalation.cleared', cleared(fold, key), by);
			} else if (kind === 'scope') conductor.append('scope.widened', { instance: id }, by);
			else if (why?.code === 'auth')
				conductor.append('question.closed', { question: id, status: 'answered', value: null }, by);
			else continue;
			moved = true;
		}
		if (!moved) return no('illegal-transition', 'This is left by an answer, a renewal or a settlement.');
		conductor.drive();
		return OK;
	}

	keepOpen(id: string, by: Actor = APP): DecisionReport {
		by = who(by);
		const { fold, core } = this.conductor;
		const review = fold.reviews.get(id);
		if (!review) return no('review-unknown');
		if (this.conductor.elsewhere) return no('owner');
		if (fold.over || fold.stopping) return no('run-over');
		if (review.status !== 'open') return no('review-settled');
		if (by.kind !== 'human') return no('person-required');
		// Where the time has run out while everything slept, that stands.
		if (!fold.escalations.has('paused') && core.clock.now() >= (review.expiresAt ?? Infinity)) {
			this.conductor.drive();
			return no('expired');
		}
		return this.#decided(
			'review.extended',
			{ review: id, expiresAt: core.clock.now() + core.patience.reviewMs },
			by
		);
	}

	renew(budget: Partial<Budget>, by: Actor = APP): DecisionReport {
		by = who(by);
		if (this.conductor.elsewhere) return no('owner');
		if (this.conductor.fold.over) return no('run-over');
		if (by.kind !== 'human') return no('person-required');
		const add = fields(budget) as Partial<Budget>;
		for (const [limit, value] of Object.entries(add)) {
			if (!LIMITS.includes(limit as keyof Budget))
				return no('args', `There is no limit "${limit}", only ${LIMITS.join(', ')}.`);
			if (!Number.isFinite(value) || !(value > 0))
				return no('args', `"${limit}" needs a finite positive number.`);
		}
		if (Object.keys(add).length === 0) return no('args', 'Name at least one limit to add to.');
		const { fold, core } = this.conductor;
		const { turns = 0, tokens = 0 } = add;
		const { reserve } = fold;
		const now = core.clock.now();
		// Those above may have less left than this one was given.
		const aside =
			fold.above &&
			reserveOf(
				left(fold, 'turns', now) + reserve.turns + turns,
				left(fold, 'tokens', now) + reserve.tokens + tokens
			);
		return this.#decided('budget.renewed', { add, reserve: aside }, by);
	}

	settle(operation: string, fact: 'done' | 'not-done' | 'abandon', by: Actor = APP): DecisionReport {
		by = who(by);
		if (this.conductor.elsewhere) return no('owner');
		if (!this.conductor.fold.effects.get(operation)?.open) return no('operation-unknown');
		if (by.kind !== 'human') return no('person-required');
		if (!['done', 'not-done', 'abandon'].includes(fact)) return no('args', 'Say done, not-done or abandon.');
		return this.#decided('effect.ruled', { operation, fact }, by);
	}

	async stop(why?: string, by: Actor = APP): Promise<StopReport> {
		by = who(by);
		// Whoever is here can stop it wherever it runs; a program waits for the one who carries it on.
		const { elsewhere, house } = this.conductor;
		if (elsewhere && by.kind === 'human') await house.keeper?.take(this.id, by);
		const { over } = this.conductor.fold;
		this.halt(reason('interrupted', words(why)), by);
		await this.returned;
		const { effects } = this.state;
		const late = over ? { late: true as const } : {};
		const of = (wanted: string) =>
			effects.filter(({ status }) => status === wanted).map(({ operation }) => operation);
		return {
			...late,
			confirmed: of('confirmed'),
			failed: of('failed'),
			unknown: of('unknown'),
			withdrawn: of('withdrawn')
		};
	}

	/** Closes admission in this very tick. @internal */
	halt(why: Reason, by: Actor, superseded?: true): void {
		halt(this.conductor, why, by, superseded);
	}
}

/** Which review a decision means. */
function reviewOf(decision: Decision): string | undefined {
	try {
		return decision.review;
	} catch {
		return undefined;
	}
}

/** A decision that names exactly the steps of the review, once each. */
function named(decision: Decision, steps: readonly string[]): Record<string, Verdict> | undefined {
	try {
		if ('verdict' in decision && !('steps' in decision)) {
			const { verdict, reason: why } = decision;
			if (verdict !== 'approve' && verdict !== 'reject') return undefined;
			return Object.fromEntries(steps.map((id) => [id, { verdict, reason: why }]));
		}
		// Both at once would leave open which of them was meant.
		const given = 'verdict' in decision ? undefined : decision.steps;
		if (typeof given !== 'object' || given === null) return undefined;
		const ids = Object.keys(given);
		const complete = ids.length === steps.length && steps.every((id) => Object.hasOwn(given, id));
		// Taken once: what is checked is what is recorded.
		const taken = ids.map((id): [string, Verdict] => [id, { ...given[id]! }]);
		const known = taken.every(([, { verdict }]) => ['approve', 'reject', 'edit'].includes(verdict));
		return complete && known ? Object.fromEntries(taken) : undefined;
	} catch {
		return undefined;
	}
}
