import { type Actor, APP } from '../../actor/actor.js';
import { parseArgs } from '../capability/projection.js';
import { assess } from '../gate/assess.js';
import { find, valueOf } from '../gate/look.js';
import { copyJSON } from '../journal/copy.js';
import type { Kinds } from '../journal/kinds.js';
import { at, type StepMemory } from '../journal/memory.js';
import { reason, type Code } from '../protocol/codes.js';
import { from } from '../protocol/labels.js';
import { LIMITS } from '../protocol/budget.js';
import type { JournalRecord } from '../protocol/records.js';
import type {
	AnswerReport,
	Decision,
	DecisionReport,
	Issue,
	Outcome,
	RunState,
	SteerReport,
	StopReport,
	Update,
	Verdict
} from '../protocol/run-state.js';
import type { Budget, Reason } from '../protocol/words.js';
import { classify } from '../steer/classify.js';
import { wayBack } from './conduct.js';
import type { Conductor } from './conductor.js';
import { checkAnswer } from './question.js';

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
	 * Codes: review-unknown, review-settled, decision-incomplete, person-required, args-invalid (with issues), run-over.
	 */
	decide(decision: Decision, by?: Actor): DecisionReport;
	/** Codes: question-unknown, question-settled, answer-invalid (with issues), person-required. */
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
	/** A person states what became of an unknown effect, also after the end. */
	settle(operation: string, fact: 'done' | 'not-done' | 'abandon', by?: Actor): DecisionReport;
	/** From here nothing new begins; resolves when every dispatched act is confirmed, failed or unknown. */
	stop(reason?: string, by?: Actor): Promise<StopReport>;
}

const OK: DecisionReport = Object.freeze({ ok: true });
const no = (code: Code, text?: string): { ok: false; refused: Reason } => ({
	ok: false,
	refused: reason(code, text)
});

/** Agents and outside callers decide nothing. */
const decides = (by: Actor): boolean => by.kind !== 'agent' && by.kind !== 'outside';

const isProgram = (by: Actor | undefined): boolean => by?.kind === 'app' || by?.kind === 'rule';

/** What a `resume` of a person leaves, besides a pause. */
const RETRIED = new Set(['stall', 'transport', 'desync', 'store', 'owner', 'drift']);

/** The verbs of a run over its conductor. */
export class RunHandle implements Run {
	readonly #conductor: Conductor;
	readonly #successor: (text: string, by: Actor) => Run;

	constructor(conductor: Conductor, successor: (text: string, by: Actor) => Run) {
		this.#conductor = conductor;
		this.#successor = successor;
	}

	get id(): string {
		return this.#conductor.id;
	}

	get state(): RunState {
		return this.#conductor.fold.view();
	}

	get journal(): readonly JournalRecord[] {
		return this.#conductor.journal.slice();
	}

	get returned(): Promise<Outcome> {
		return this.#conductor.returned;
	}

	accept(by: Actor = APP): DecisionReport {
		const { fold } = this.#conductor;
		if (fold.over) return no('run-over');
		if (!decides(by)) return no('person-required');
		if (!fold.opened.offer || fold.accepted) return no('illegal-transition', 'The run is no open offer.');
		this.#conductor.append('run.accepted', { principal: { ...by } }, by);
		this.#conductor.house.over(this.#conductor);
		return OK;
	}

	decide(decision: Decision, by: Actor = APP): DecisionReport {
		const conductor = this.#conductor;
		const { fold } = conductor;
		const review = fold.reviews.get(decision?.review);
		if (!review) return no('review-unknown');
		if (fold.over || fold.stopping) return no('run-over');
		if (review.status !== 'open') return no('review-settled');
		const verdicts = named(decision, review.steps);
		if (!verdicts) return no('decision-incomplete');
		if (!decides(by)) return no('person-required');
		const memories = review.steps.map((id) => fold.steps.get(id)!);
		if (by.kind !== 'human' && memories.some(({ assessed }) => assessed?.protected !== false))
			return no('person-required');
		const steps: Record<string, Kinds['review.decided']['steps'][string]> = {};
		const issues: Record<string, readonly Issue[]> = {};
		let fault: Reason | undefined;
		for (const memory of memories) {
			const { id } = memory.step;
			const verdict = verdicts[id]!;
			const why = typeof verdict.reason === 'string' ? { reason: verdict.reason } : {};
			if (verdict.verdict !== 'edit') {
				steps[id] = { verdict: verdict.verdict, ...why };
				continue;
			}
			const edit = this.#edit(memory, verdict.args, by);
			if ('refused' in edit) {
				fault ??= edit.refused;
				issues[id] = edit.issues;
			} else steps[id] = { verdict: 'edit', edit, ...why };
		}
		if (fault) return { ok: false, refused: fault, issues };
		const none = Object.values(steps).every(({ verdict }) => verdict === 'reject');
		const rest = fold.planSteps.some(
			({ step }) => step.status === 'proposed' && !review.steps.includes(step.id)
		);
		conductor.append(
			'review.decided',
			{ review: review.id, steps, verb: none && !rest && fold.state === 'reviewing' ? 'plan' : undefined },
			by
		);
		conductor.drive();
		return OK;
	}

	/** An edit is a new proposal of the same act: parsed again, looked at again, bound to what is there now. */
	#edit(
		memory: StepMemory,
		value: unknown,
		by: Actor
	):
		| { refused: Reason; issues: readonly Issue[] }
		| NonNullable<Kinds['review.decided']['steps'][string]['edit']> {
		const { core, fold } = this.#conductor;
		const { step } = memory;
		const copy = copyJSON(value);
		if (!copy.ok) return { refused: copy.reason, issues: [{ path: '', message: copy.reason.text }] };
		const found = find(core.registry, step.instance, step.act);
		if ('code' in found) return { refused: found, issues: [{ path: '', message: found.text }] };
		const parsed = parseArgs(found.act.act.args, copy.value);
		if (!parsed.ok) {
			const issues = parsed.issues.length > 0 ? parsed.issues : [{ path: '', message: parsed.reason.text }];
			return { refused: parsed.reason, issues };
		}
		const { confidentiality, sources } = step.label;
		const label = from(by.kind === 'human' ? 'user' : 'app', confidentiality, sources);
		const seen = assess({
			found,
			step: { ...step, args: parsed.value, label },
			control: fold.label,
			words: fold.words,
			policy: core.policy,
			level: fold.level,
			run: () => fold.view(),
			now: core.clock.now(),
			edited: true
		});
		// Refused by policy: the step is closed when the plan goes on; the rest of the decision stands.
		if (seen.verdict === 'refuse') return { args: parsed.value, touches: memory.touches, label };
		if (by.kind !== 'human' && seen.facts.protected)
			return { refused: reason('person-required'), issues: [] };
		// What the card showed stays what it is bound to.
		const shown = new Map((memory.assessed?.bound ?? memory.touches).map((touch) => [at(touch), touch]));
		const touches = seen.facts.touches.map(
			(touch) => shown.get(at(touch)) ?? { ...touch, value: valueOf(core.registry, touch) }
		);
		const { preview } = seen.facts;
		return { args: parsed.value, touches, label, preview };
	}

	answer(question: string, value: unknown, by: Actor = APP): AnswerReport {
		const conductor = this.#conductor;
		const { fold } = conductor;
		const asked = fold.questions.get(question);
		if (!asked) return no('question-unknown');
		if (fold.over) return no('run-over');
		if (asked.question.status !== 'open') return no('question-settled');
		if (!decides(by)) return no('person-required');
		const personal = asked.question.reason !== 'question';
		if (personal && by.kind !== 'human') return no('person-required');
		const copy = copyJSON(value);
		if (!copy.ok)
			return { ok: false, refused: copy.reason, issues: [{ path: '', message: copy.reason.text }] };
		const issues =
			asked.question.url !== undefined && !asked.question.schema
				? []
				: checkAnswer(asked.question.schema, copy.value);
		if (issues.length > 0) return { ...no('answer-invalid'), issues };
		conductor.append('question.closed', { question, status: 'answered', value: copy.value }, by);
		conductor.drive();
		return { ok: true };
	}

	decline(question: string, why?: string, by: Actor = APP): DecisionReport {
		const conductor = this.#conductor;
		const { fold } = conductor;
		const asked = fold.questions.get(question);
		if (!asked) return no('question-unknown');
		if (fold.over) return no('run-over');
		if (asked.question.status !== 'open') return no('question-settled');
		if (!decides(by)) return no('person-required');
		conductor.append('question.closed', { question, status: 'declined', reason: why }, by);
		conductor.drive();
		return OK;
	}

	async steer(update: string | Update, by: Actor = APP): Promise<SteerReport> {
		const conductor = this.#conductor;
		const { fold } = conductor;
		const { kind, text } = typeof update === 'string' ? classify(update) : update;
		const report = (more: Partial<SteerReport> = {}): SteerReport => ({
			revision: fold.revision,
			kind,
			interpretation: INTERPRETED[kind],
			superseded: [],
			...more
		});
		if (!decides(by)) return report({ interpretation: reason('person-required').text });
		if (kind === 'cancel') {
			await this.stop(text, by);
			return report();
		}
		if (kind === 'pause') {
			this.pause(by);
			return report();
		}
		if (fold.over) {
			if (kind === 'progress') return report({ interpretation: `The run is over: ${fold.ended?.kind}.` });
			return report({ successor: this.#successor(text, by).id });
		}
		if (kind === 'progress') {
			conductor.append('message', { from: { ...by }, text }, by);
			return report({ interpretation: `The run is ${fold.state}.` });
		}
		const superseded = [...fold.steps.values()]
			.filter(({ step }) => ['proposed', 'granted', 'waiting'].includes(step.status))
			.map(({ step }) => step.id);
		// Before the first plan there is nothing to be re-planned.
		const moves = fold.state !== 'offered' && fold.from !== 'offered' && fold.inFlight.length === 0;
		conductor.append(
			'revision.accepted',
			{
				n: fold.revision + 1,
				kind,
				text,
				interpretation: INTERPRETED[kind],
				verb: moves && fold.state !== 'escalated' ? 'plan' : undefined
			},
			by
		);
		conductor.turnAbort?.abort();
		conductor.drive();
		return report({ superseded });
	}

	pause(by: Actor = APP): DecisionReport {
		const conductor = this.#conductor;
		const { fold } = conductor;
		if (fold.over) return no('run-over');
		if (!fold.started || fold.escalations.has('paused')) return no('illegal-transition');
		conductor.append('escalation.raised', { verb: 'escalate', key: 'paused', reason: reason('paused') }, by);
		conductor.drive();
		return OK;
	}

	resume(by: Actor = APP): DecisionReport {
		const conductor = this.#conductor;
		const { fold } = conductor;
		if (fold.over) return no('run-over');
		if (fold.escalations.size === 0) return no('illegal-transition', 'The run waits for nothing.');
		// A program may take back its own kind's pause, and nothing else.
		const own = fold.escalations.has('paused') && isProgram(by) && isProgram(fold.pausedBy);
		if (by.kind !== 'human' && !own) return no('person-required');
		let moved = false;
		for (const [key, why] of [...fold.escalations]) {
			if (by.kind !== 'human' && key !== 'paused') continue;
			if (key === 'paused' || RETRIED.has(key)) {
				if (key === 'store' || key === 'owner') conductor.house.persist?.retry(fold.id);
				const last = fold.escalations.size === 1;
				conductor.append('escalation.cleared', { key, verb: last ? wayBack(fold) : undefined }, by);
			} else if (key.startsWith('scope:'))
				conductor.append('scope.widened', { instance: key.slice('scope:'.length) }, by);
			else if (why.code === 'auth') {
				const question = key.slice('question:'.length);
				conductor.append('question.closed', { question, status: 'answered', value: null }, by);
			} else continue;
			moved = true;
		}
		if (!moved) return no('illegal-transition', 'This is left by an answer, a renewal or a settlement.');
		conductor.drive();
		return OK;
	}

	renew(budget: Partial<Budget>, by: Actor = APP): DecisionReport {
		const conductor = this.#conductor;
		const { fold } = conductor;
		if (fold.over) return no('run-over');
		if (by.kind !== 'human') return no('person-required');
		const add: Partial<Budget> = {};
		for (const [limit, value] of Object.entries(budget ?? {})) {
			if (!LIMITS.includes(limit as keyof Budget) || !Number.isFinite(value) || !(value > 0))
				return no('args', `"${limit}" needs a finite positive number.`);
			add[limit as keyof Budget] = value;
		}
		if (Object.keys(add).length === 0) return no('args', 'Name at least one limit to add to.');
		conductor.append('budget.renewed', { add }, by);
		conductor.drive();
		return OK;
	}

	settle(operation: string, fact: 'done' | 'not-done' | 'abandon', by: Actor = APP): DecisionReport {
		const conductor = this.#conductor;
		const effect = conductor.fold.effects.get(operation);
		if (!effect || effect.entry.status !== 'unknown' || !effect.open) return no('operation-unknown');
		if (by.kind !== 'human') return no('person-required');
		conductor.append('effect.ruled', { operation, fact }, by);
		conductor.drive();
		return OK;
	}

	async stop(why?: string, by: Actor = APP): Promise<StopReport> {
		this.halt(why === undefined ? reason('interrupted') : reason('interrupted', why), by);
		await this.returned;
		const of = (status: string) =>
			this.state.effects.filter((entry) => entry.status === status).map(({ operation }) => operation);
		return {
			confirmed: of('confirmed'),
			failed: of('failed'),
			unknown: of('unknown'),
			withdrawn: of('withdrawn')
		};
	}

	/** Closes admission in this very tick. @internal */
	halt(why: Reason, by: Actor, superseded = false): void {
		const conductor = this.#conductor;
		const { fold } = conductor;
		if (fold.over || fold.stopping) return;
		conductor.append('stop.requested', { reason: why, superseded: superseded || undefined }, by);
		conductor.turnAbort?.abort(why);
		conductor.actAbort?.abort(why);
		// What never left the queue has nothing to settle.
		if (!fold.started) conductor.end({ reason: why });
		else conductor.drive();
	}
}

const INTERPRETED: Record<Update['kind'], string> = {
	progress: 'A question about progress; nothing changes.',
	correction: 'A correction: the plan is made again under it.',
	pause: 'A pause: nothing runs until it is resumed.',
	cancel: 'A stop.',
	goal: 'A new goal: the plan is made again for it.'
};

/** A decision that names exactly the steps of the review, once each. */
function named(decision: Decision, steps: readonly string[]): Record<string, Verdict> | undefined {
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
	const known = ids.every((id) => ['approve', 'reject', 'edit'].includes(given[id]?.verdict ?? ''));
	return complete && known ? { ...given } : undefined;
}
