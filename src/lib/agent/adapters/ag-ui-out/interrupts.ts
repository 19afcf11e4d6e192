import type { Actor } from '../../../actor/actor.js';
import type {
	AnswerReport,
	Decision,
	DecisionReport,
	Pending,
	RunState,
	StopReport
} from '../../protocol/run-state.js';
import type { Budget, JSONValue } from '../../protocol/words.js';
import { type AgUiRefusal, stepText } from './asking.js';
import { type AgUiInterrupt, OURS } from './event.js';
import { type Reveal, toolCallId } from './messages.js';

/** What a client says to an interrupt. @since 0.1.0 */
export interface AgUiResume {
	readonly interruptId: string;
	readonly status: 'resolved' | 'cancelled';
	readonly payload?: JSONValue;
}

/** The verbs of a run by which an interrupt is answered. @since 0.1.0 */
export interface AgUiDecides {
	readonly id: string;
	readonly state: RunState;
	accept(by?: Actor): DecisionReport;
	decide(decision: Decision, by?: Actor): DecisionReport;
	answer(question: string, value: unknown, by?: Actor): AnswerReport;
	decline(question: string, reason?: string, by?: Actor): DecisionReport;
	resume(by?: Actor): DecisionReport;
	renew(budget: Partial<Budget>, by?: Actor): DecisionReport;
	settle(operation: string, fact: 'done' | 'not-done' | 'abandon', by?: Actor): DecisionReport;
	stop(reason?: string, by?: Actor): Promise<StopReport>;
}

/** What is read out of a payload. */
type Payload = Readonly<Record<string, JSONValue | undefined>>;

interface ReviewedStep {
	id: string;
	step: string;
	withheld: boolean;
	instance: string;
}

/**
 * One thing that waits, with how it is answered. Steps of one review are decided together, and whatever a resume of the run
 * leaves is left at once.
 */
interface Waiting {
	interrupt: AgUiInterrupt;
	review?: ReviewedStep;
	/** @default resumes the run */
	answer?: (payload: JSONValue | undefined, by: Actor) => AnswerReport | DecisionReport;
	/** @default stops the run: what nobody agrees to does not go on */
	cancel?: (by: Actor) => DecisionReport;
}

const no = (code: string, text: string): DecisionReport => ({ ok: false, refused: { code, text } });

const DECISION = {
	type: 'object',
	properties: {
		approved: { type: 'boolean' },
		editedArgs: { type: 'object' },
		reason: { type: 'string' }
	},
	required: ['approved']
};

const when = (at?: number) => (at === undefined ? {} : { expiresAt: new Date(at).toISOString() });

const members = (payload: JSONValue | undefined): Payload =>
	typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? (payload as Payload) : {};

/** Everything that waits for a person in a run, each with its own interrupt; a review has one for each step that asks. */
function waiting(run: AgUiDecides, pending: readonly Pending[], reveal: Reveal): Waiting[] {
	const { id: of, state } = run;
	const about = (id: string, kind: string, reason: string, more: object = {}): AgUiInterrupt => ({
		id,
		reason,
		metadata: { [OURS]: { kind, run: of, ...more } }
	});
	const one = (item: Pending): Waiting[] => {
		switch (item.kind) {
			case 'review': {
				const { id, steps, reasons, fingerprint, expiresAt, changes } = item.review;
				return steps.map((name): Waiting => {
					const step = state.steps.find((step) => step.id === name)!;
					const { instance, act, args, preview, effect, reach, weak, label } = step;
					const call = state.calls.find((call) => call.step === name)?.id;
					const withheld = !reveal(label);
					const more = {
						review: id,
						step: name,
						fingerprint,
						instance,
						act,
						effect,
						reach,
						codes: step.reasons.map(({ code }) => code),
						...(weak ? { weak } : {}),
						...(withheld ? { withheld } : { args, preview, changes })
					};
					return {
						interrupt: {
							...about(`${id}:${name}`, 'review', 'tool_call', more),
							message: stepText(step, step.reasons.length > 0 ? step.reasons : reasons, withheld),
							...(call === undefined ? {} : { toolCallId: toolCallId(of, call) }),
							responseSchema: DECISION,
							...when(expiresAt)
						},
						review: { id, step: name, withheld, instance }
					};
				});
			}
			case 'question': {
				const { id, text, schema, url, expiresAt, reason } = item.question;
				return [
					{
						interrupt: {
							...about(id, reason, 'input_required', url === undefined ? {} : { url }),
							message: text,
							...(schema ? { responseSchema: schema } : {}),
							...when(expiresAt)
						},
						answer: (payload, by) => run.answer(id, payload ?? null, by),
						cancel: (by) => run.decline(id, undefined, by)
					}
				];
			}
			case 'unknown-effect': {
				const { operation } = item;
				const { instance, act } = state.effects.find((one) => one.operation === operation)!;
				return [
					{
						interrupt: {
							...about(`${of}:${operation}`, item.kind, item.kind, { operation, instance, act }),
							responseSchema: {
								type: 'object',
								properties: { fact: { enum: ['done', 'not-done', 'abandon'] } },
								required: ['fact']
							}
						},
						answer: (payload, by) => run.settle(operation, members(payload).fact as 'done', by),
						cancel: (by) => run.settle(operation, 'abandon', by)
					}
				];
			}
			case 'budget': {
				const { code, text, data } = state.escalations.find(({ code }) => code.startsWith('budget.'))!;
				const offer = (data as { offer?: Partial<Budget> } | undefined)?.offer ?? {};
				return [
					{
						interrupt: {
							...about(`${of}:budget`, item.kind, item.kind, { code, offer }),
							message: text,
							responseSchema: { type: 'object', description: 'What is added to the limits.' }
						},
						answer: (payload, by) => run.renew((payload ?? offer) as Partial<Budget>, by)
					}
				];
			}
			case 'offer':
				return [
					{
						interrupt: { ...about(`${of}:offer`, 'offer', 'offer'), message: state.goal },
						answer: (_, by) => run.accept(by)
					}
				];
			default: {
				const { code, text, data } = item.reason;
				const { instance } = (data ?? {}) as { instance?: string };
				const id = [of, code, ...(instance === undefined ? [] : [instance])].join(':');
				return [{ interrupt: { ...about(id, item.kind, code), message: text } }];
			}
		}
	};
	return pending
		.filter(
			(item) => of === ('run' in item ? item.run : 'review' in item ? item.review.run : item.question.run)
		)
		.flatMap(one);
}

/**
 * The interrupts with which a wire run ends while its run waits. A question the run does not wait for is none; whoever knows
 * its id may answer it all the same.
 */
export function interrupts(run: AgUiDecides, pending: readonly Pending[], reveal: Reveal): AgUiInterrupt[] {
	const held = new Set(
		run.state.escalations.map(({ data }) => (data as { question?: string } | undefined)?.question)
	);
	const counts = pending.filter((item) => item.kind !== 'question' || held.has(item.question.id));
	return waiting(run, counts, reveal).map(({ interrupt }) => interrupt);
}

/**
 * Carries the answers of a client to the run. Each is one of its own verbs and refused where that refuses; what is unknown
 * or settled by now is refused, and what the client was not shown it cannot approve.
 */
export function resume(
	runs: readonly AgUiDecides[],
	pending: readonly Pending[],
	entries: readonly AgUiResume[],
	by: Actor,
	reveal: Reveal
): AgUiRefusal[] {
	const refusals: AgUiRefusal[] = [];
	const tell = (ids: readonly string[], { refused, issues }: DecisionReport | AnswerReport) => {
		if (refused)
			for (const interruptId of ids)
				refusals.push({ interruptId, reason: refused, ...(issues ? { issues } : {}) });
	};
	const open = new Map(
		runs.flatMap((run) =>
			waiting(run, pending, reveal).map((item) => [item.interrupt.id, { run, item }] as const)
		)
	);
	const reviews = new Map<
		string,
		{ run: AgUiDecides; ids: string[]; steps: Record<string, { verdict: 'approve' | 'reject' | 'edit' }> }
	>();
	const resumed = new Map<AgUiDecides, string[]>();
	for (const { interruptId: id, status, payload } of entries) {
		const { run, item } = open.get(id) ?? {};
		if (!run || !item) {
			tell([id], no('question-unknown', 'Nothing waits under this id.'));
			continue;
		}
		const { review, answer, cancel } = item;
		if (review) {
			const verdict = verdictOf(review, status, payload);
			if ('ok' in verdict) {
				tell([id], verdict);
				continue;
			}
			const all = reviews.get(review.id) ?? { run, ids: [], steps: {} };
			reviews.set(review.id, all);
			all.ids.push(id);
			all.steps[review.step] = verdict;
		} else if (status === 'cancelled') {
			if (cancel) tell([id], cancel(by));
			else void run.stop(undefined, by);
		} else if (answer) tell([id], answer(payload, by));
		else resumed.set(run, [...(resumed.get(run) ?? []), id]);
	}
	for (const [review, { run, ids, steps }] of reviews) tell(ids, run.decide({ review, steps }, by));
	for (const [run, ids] of resumed) tell(ids, run.resume(by));
	return refusals;
}

function verdictOf(
	{ withheld, instance }: ReviewedStep,
	status: AgUiResume['status'],
	payload: JSONValue | undefined
) {
	const { approved, editedArgs, reason } = members(payload);
	const why = typeof reason === 'string' ? { reason } : {};
	if (status === 'cancelled' || approved === false) return { verdict: 'reject' as const, ...why };
	if (approved !== true) return no('answer-invalid', 'Say { approved: true } or { approved: false }.');
	if (withheld) return no('person-required', 'Its values were not shown here; decide where they are.');
	if (editedArgs === undefined) return { verdict: 'approve' as const, ...why };
	// The call as the model wrote it names its instance among the arguments; an edit leaves it where it is.
	const { instance: named = instance, ...args } = members(editedArgs);
	if (named !== instance) return no('args-invalid', 'An edit cannot name another instance.');
	return { verdict: 'edit' as const, args, ...why };
}
