import type { Actor } from '../actor/actor.js';
import type { OutcomeKind, RunState, Step } from '../agent/protocol/run-state.js';
import type { Reason } from '../agent/protocol/words.js';
import type { EarlyLanguage } from './language.js';
import { nameIn, sayingIn } from './name.js';
import { sourceNames, traceOf } from './source.js';

/** Reasons a run waits for. An unknown one is said as `other`. @since 0.1.0 */
export type EscalationCode =
	| 'question'
	| 'budget'
	| 'scope'
	| 'drift'
	| 'unknown-effect'
	| 'consent'
	| 'auth'
	| 'stall'
	| 'transport'
	| 'desync'
	| 'store'
	| 'owner'
	| 'paused';

/** What a run is in, as one word a language has a sentence for. @since 0.1.0 */
export type SituationKind =
	| 'offer'
	| 'queued'
	| 'thinking'
	| 'planned'
	| 'reviewing'
	| 'reviewing-again'
	| 'authorized'
	| 'acting'
	| EscalationCode
	| 'other'
	| OutcomeKind
	| 'cancelled'
	| 'undone'
	| 'partly-undone';

/** The facts a sentence about a run may use: names as they may stand in it, counts, no ids. @since 0.1.0 */
export interface Situation {
	kind: SituationKind;
	/** Name of the agent. */
	agent: string;
	/** Labels of the instances the sentence is about, in order, each once. */
	where: readonly string[];
	/** Steps the sentence is about: those under review, else those of the plan. */
	steps: number;
	/** How many of `steps` cannot be undone. */
	final: number;
	/** How many of `steps` text that is not trusted may have led to. */
	tainted: number;
	/** What that text is, by the labels of its instances: "the text of Letter"; each instance once. */
	sources: readonly string[];
	/** Number of the step under way, from 1. */
	at: number;
	/** What became of all steps of the run. */
	done: number;
	rejected: number;
	refused: number;
	failed: number;
	unknown: number;
	skipped: number;
	proposed: number;
	/** Other reasons the run waits for at the same time. */
	more: number;
	/** Can something of the run be undone now? */
	undoable: boolean;
	/** Text of the reason, in the words of the engine or the participant. */
	reason?: string;
}

/** How ids become words. @since 0.1.0 */
export interface Naming {
	/** Human label of an instance, whole and as it is: what makes a sentence of it cuts and quotes it. */
	label(instance: string): string;
	/** Do strangers name this instance? Then its label is quoted. @default false */
	imported?(instance: string): boolean;
	agentName: string;
	/** Of all that stood in sight of a run, what is not known to be trusted. @default all of it */
	foreign?(run: RunState, addresses: readonly string[]): readonly string[];
}

/**
 * Who acts in a run: its agent, or the rule, macro or outside caller that came through the same door without a model.
 * @since 0.1.0
 */
export function actorOf(
	run: RunState | undefined,
	agent: { id: string; name: string }
): { name: string; kind: Actor['kind'] } {
	const by = run?.steps[0]?.by;
	if (by === undefined || by.kind === 'agent') return { name: agent.name, kind: 'agent' };
	return { name: by.name ?? by.id, kind: by.kind };
}

/** The most pressing reason first: what a person can answer, then what a person caused, then what broke. */
const PRESSING: readonly EscalationCode[] = [
	'question',
	'unknown-effect',
	'consent',
	'scope',
	'auth',
	'budget',
	'drift',
	'owner',
	'store',
	'transport',
	'stall',
	'desync',
	'paused'
];

const SETTLED: readonly Step['status'][] = [
	'confirmed',
	'failed',
	'unknown',
	'refused',
	'rejected',
	'withdrawn',
	'skipped'
];

/** Is this step over, whatever became of it? @since 0.1.0 */
export const isSettled = (step: Step): boolean => SETTLED.includes(step.status);

/** Has the run come to its end? @since 0.1.0 */
export const isOver = (run: RunState): boolean => run.state === 'returned' || run.state === 'cancelled';

/** What a reason waits for, without its detail: `budget.acts` → `budget`. @since 0.1.0 */
export const waitOf = (reason: Reason): string => reason.code.split('.')[0] ?? reason.code;

/** The code a run's wait is named after, or `undefined` when it does not wait in `escalated`. @since 0.1.0 */
export function pressing(run: RunState): string | undefined {
	const codes = run.escalations.map(waitOf);
	return PRESSING.find((code) => codes.includes(code)) ?? codes[0];
}

function kindOf(run: RunState): SituationKind {
	if (run.state === 'cancelled') return 'cancelled';
	if (run.state === 'returned') {
		if (run.undone !== undefined) return run.undone === 'all' ? 'undone' : 'partly-undone';
		return run.outcome?.kind ?? 'interrupted';
	}
	if (run.elsewhere) return 'owner';
	if (run.escalations.length > 0) {
		const code = pressing(run);
		return PRESSING.find((known) => known === code) ?? 'other';
	}
	if (run.activity === 'paused') return 'paused';
	if (run.state === 'reviewing') {
		const open = run.reviews.findLast((review) => review.status === 'open');
		return (open?.changes?.length ?? 0) > 0 ? 'reviewing-again' : 'reviewing';
	}
	if (run.activity === 'thinking') return 'thinking';
	if (run.state === 'offered') return run.activity === 'waiting' ? 'offer' : 'queued';
	return run.state === 'acting' || run.state === 'authorized' || run.state === 'planned'
		? run.state
		: 'other';
}

/** The part of a run a sentence is made of. Pure; the same run and names give the same facts. @since 0.1.0 */
export function situation(run: RunState, naming: Naming, lang: EarlyLanguage): Situation {
	const name = (id: string): string =>
		nameIn(lang, naming.label(id), { foreign: naming.imported?.(id) ?? false });
	const kind = kindOf(run);
	const count = (status: Step['status']) => run.steps.filter((step) => step.status === status).length;
	const review = run.reviews.findLast((one) => one.status === 'open');
	const plan = run.plan?.steps ?? [];
	const subject =
		review !== undefined && !isOver(run) ? run.steps.filter((step) => review.steps.includes(step.id)) : plan;
	const acting = plan.find((step) => step.status === 'dispatched');
	const named = kind === 'acting' && acting !== undefined ? [acting] : isOver(run) ? run.steps : subject;
	const reason =
		run.escalations.find((one) => waitOf(one) === pressing(run))?.text ??
		run.outcome?.reason?.text ??
		undefined;
	return {
		kind,
		agent: nameIn(lang, naming.agentName),
		where: [...new Set(named.map((step) => name(step.instance)))],
		steps: subject.length,
		final: subject.filter((step) => step.effect === 'irreversible').length,
		tainted: subject.filter((step) => step.reasons.some(isTaint)).length,
		sources: sourceNames(
			subject.flatMap(({ reasons }) =>
				reasons
					.filter(isTaint)
					.map((one) => traceOf(one).sources)
					.flatMap((all) => naming.foreign?.(run, all) ?? all)
			),
			lang,
			name
		),
		at: Math.min(plan.length, plan.filter(isSettled).length + 1),
		done: count('confirmed'),
		rejected: count('rejected'),
		refused: count('refused'),
		failed: count('failed'),
		unknown: count('unknown'),
		skipped: count('skipped') + count('withdrawn'),
		proposed: count('proposed'),
		more: Math.max(0, run.escalations.length - 1),
		undoable: isUndoable(run),
		...(reason === undefined || reason === '' ? {} : { reason: sayingIn(lang, reason) })
	};
}

const isTaint = ({ code }: Reason): boolean => code === 'tainted';

/** Has the run ended with something done that its participants can take back, and was not taken back yet? @since 0.1.0 */
export const isUndoable = (run: RunState): boolean =>
	isOver(run) &&
	run.undone === undefined &&
	run.steps.some((step) => step.status === 'confirmed' && step.effect === 'reversible');
