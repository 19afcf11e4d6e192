import { exhausted, left, speechless, tightest, timeless, wordless } from '../gate/budget.js';
import type { Fold } from '../journal/fold.js';
import type { Artifact, Kind, Kinds, TurnCall } from '../journal/kinds.js';
import { digestOf } from '../journal/stored.js';
import {
	drifted,
	driftKey,
	isParked,
	type EffectMemory,
	type Meant,
	type StepMemory,
	type TurnMemory
} from '../journal/memory.js';
import { reason } from '../protocol/codes.js';
import { LIMITS } from '../protocol/budget.js';
import { CLEAN } from '../protocol/labels.js';
import type { Budget, Reason } from '../protocol/words.js';

/** Why a run ends. */
export interface End {
	reason?: Reason;
	text?: string;
	broken?: true;
	exhausted?: true;
	refused?: true;
}

/** The next thing to do for a run. */
export type Task =
	/** Nothing until something happens, at the latest at `until`. */
	| { do: 'wait'; until?: number }
	| { do: 'end'; end: End }
	| { do: 'record'; entry: Entry }
	/** Close a step that will not run. */
	| {
			do: 'close';
			memory: StepMemory;
			status: 'refused' | 'rejected' | 'withdrawn';
			reasons: readonly Reason[];
	  }
	| { do: 'open'; continues?: true; wrapUp?: true }
	| { do: 'request'; turn: TurnMemory }
	| { do: 'sort'; turn: TurnMemory }
	| { do: 'steer'; meant: Meant }
	| { do: 'propose' }
	| { do: 'assess' }
	| { do: 'act'; memory: StepMemory };

/** A record to be appended. */
export type Entry = { [K in Kind]: { kind: K; data: Kinds[K] } }[Kind];

/** How long escalations may wait, in milliseconds. */
export interface Patience {
	escalationMs: number;
}

/** Waits before a failed request is made again, in milliseconds. */
export const RETRIES: readonly number[] = [1000, 4000];

const FINISH = 'finish';

const record = <K extends Kind>(kind: K, data: Kinds[K]): Task => ({
	do: 'record',
	entry: { kind, data } as unknown as Entry
});
const raise = (key: string, why: Reason): Task =>
	record('escalation.raised', { verb: 'escalate', key, reason: why });
const overspent = (run: Fold, limit: keyof Budget, now: number): Task =>
	raise('budget', spentUp(run, limit, now));
const end = (why?: Reason, more: Omit<End, 'reason'> = {}): Task => ({
	do: 'end',
	end: { reason: why, ...more }
});
const close = (
	memory: StepMemory,
	status: 'refused' | 'rejected' | 'withdrawn',
	reasons: readonly Reason[]
): Task => ({ do: 'close', memory, status, reasons });

/**
 * What is to be done next for a run, from its records alone. Because nothing else is asked, an engine that was thrown away
 * at any record goes on as if nothing had happened.
 */
export function next(run: Fold, now: number, patience: Patience): Task {
	if (run.over || !run.started) return { do: 'wait' };
	if (run.stopping) {
		const [lost] = run.inFlight;
		// An act under way is waited for where it runs: this one was another engine's.
		if (lost) return { do: 'act', memory: run.steps.get(lost.entry.step)! };
		return cut(run, 'aborted') ?? end(run.stopping.reason);
	}
	const paused = run.escalations.has('paused');
	const until = deadline(run, patience);
	// Time ran out for something a person was to decide; nothing is ever approved by that.
	if (!paused && now >= until)
		return end(reason('expired'), run.escalations.has('budget') ? { exhausted: true } : {});
	const [meant = run.heard] = run.meant.values();
	if (meant) return { do: 'steer', meant };
	return (
		outdated(run) ??
		mood(run, paused) ??
		asking(run, now) ??
		waiting(run, paused, until) ??
		ruled(run) ??
		working(run, now)
	);
}

/** When the first thing that a person is to decide runs out. */
const deadline = (run: Fold, { escalationMs }: Patience): number =>
	Math.min(
		run.openReview?.expiresAt ?? Infinity,
		...run.openQuestions.map(({ question }) => question.expiresAt ?? Infinity),
		...[...run.escalatedAt.values()].map((since) => since + escalationMs)
	);

/** Closes a turn whose request is not under way any more. */
const cut = ({ openTurn: turn, label }: Fold, code: 'aborted' | 'superseded'): Task | undefined =>
	turn &&
	record('turn.closed', {
		turn: turn.id,
		text: turn.text,
		label,
		end: 'error',
		calls: [],
		usage: { input: 0, output: 0, estimated: true },
		reason: reason(code)
	});

/**
 * A reason to be escalated is gone. With the last one the run goes back to the state it left, but not into a review that
 * has nothing left to decide or to authorise.
 */
export function cleared(run: Fold, key: string): Kinds['escalation.cleared'] {
	if (run.escalations.size > 1) return { key };
	const open = [...run.open].some(({ ruling }) => !ruling);
	return { key, verb: run.from === 'reviewing' && !open ? 'plan' : 'resume' };
}

/** Newer instructions: what belongs to older ones is taken back. */
function outdated(run: Fold): Task | undefined {
	const turn = run.openTurn;
	if (turn && turn.revision !== run.revision) return cut(run, 'superseded');
	const review = run.openReview;
	const [memory] = run.plan?.revision === run.revision ? [] : run.open;
	if (memory) {
		if (memory.step.status === 'dispatched') return { do: 'act', memory };
		if (review) return record('review.closed', { review: review.id, status: 'superseded' });
		return close(memory, 'withdrawn', [reason('superseded')]);
	}
	for (const { question, call, step } of run.openQuestions) {
		// Was it put under older instructions? Its call or its step tells.
		const { turn: asked } = run.calls.get(call!) ?? {};
		const from = run.turns.find(({ id }) => id === asked) ?? run.steps.get(step!) ?? run;
		if (question.reason !== 'consent' && from.revision !== run.revision)
			return record('question.closed', { question: question.id, status: 'expired', reason: 'superseded' });
	}
	return undefined;
}

/** Reasons to be escalated that the records give, by key. One that hangs on something has its id in the key. */
function* reasons(run: Fold): Iterable<[string, Reason]> {
	for (const { question, call, step, interrupt, update } of run.openQuestions) {
		const { id, text, reason: code } = question;
		if ((call ?? step ?? interrupt ?? update) !== undefined)
			yield [`question:${id}`, { code, text, data: { question: id } }];
	}
	for (const { entry } of run.unsettled) {
		const { operation } = entry;
		yield [`unknown-effect:${operation}`, reason('unknown-effect', undefined, { operation })];
	}
	for (const [instance, count] of run.outside)
		if (count >= 2 && !run.widened.has(instance))
			yield [`scope:${instance}`, reason('scope', undefined, { instance })];
	if (run.repeat.count >= 3) yield ['stall', reason('stall')];
	const { failures = 0, failure } = run.openTurn ?? {};
	// The first time a new state is asked for without anybody's word.
	if (failures > 1 && failure?.code === 'desync') yield ['desync', reason('desync', failure.text)];
	else if (failures > RETRIES.length) yield ['transport', reason('transport', failure?.text)];
}

/** Reasons to be escalated that came or went. */
function mood(run: Fold, paused: boolean): Task | undefined {
	const due = new Map(reasons(run));
	for (const key of run.escalations.keys())
		if (key === 'budget' ? run.renewed : key.includes(':') && !due.has(key))
			return record('escalation.cleared', cleared(run, key));
	const unasked = interrupted(run);
	if (unasked && !paused) return { do: 'sort', turn: unasked };
	for (const [key, why] of due) if (!run.escalations.has(key)) return raise(key, why);
	return undefined;
}

/** The last turn, if it left off for something that was not put to the person yet. */
function interrupted(run: Fold): TurnMemory | undefined {
	const { turn, revision } = run;
	if (!turn?.closed?.interrupts || turn.revision !== revision) return undefined;
	return turn.closed.interrupts.every(({ id }) => run.putBy(turn, id)) ? undefined : turn;
}

/** A turn that is open. A wrap-up is held while the run waits; nothing else is. */
function asking(run: Fold, now: number): Task | undefined {
	const turn = run.openTurn;
	if (!turn) return undefined;
	const { opened, retryAt = now } = turn;
	if (!opened.wrapUp) {
		if (run.escalations.size > 0) return undefined;
		const limit = timeless(run, now) ?? (turn.failure && wordless(run, now));
		if (limit) return overspent(run, limit, now);
		if (retryAt > now) return { do: 'wait', until: soonest(run, retryAt, now) };
	}
	return { do: 'request', turn };
}

/** A person has something to decide. */
function waiting(run: Fold, paused: boolean, until: number): Task | undefined {
	const { escalations } = run;
	if (escalations.size === 0 && !run.openReview) return undefined;
	if (paused) return { do: 'wait' };
	const budget = escalations.has('budget') && escalations.size === 1;
	// Who has begun nothing has nothing to say of it.
	if (budget && !run.wrapped && run.reserve.turns > 0 && run.reserve.tokens > 0 && run.turn)
		return { do: 'open', wrapUp: true };
	return { do: 'wait', until: Number.isFinite(until) ? until : undefined };
}

/** Verdicts against steps that the model has not been told yet. */
function ruled(run: Fold): Task | undefined {
	for (const memory of run.due) {
		const { ruling, again } = memory;
		if (ruling) return close(memory, ruling.status, ruling.reasons);
		if (!drifted(again)) continue;
		const count = run.drifts.get(driftKey(memory)) ?? 0;
		if (count === 2) return close(memory, 'refused', [reason('drift')]);
		if (count > 2 || run.reReviews >= 3) return raise('drift', reason('drift'));
	}
	return undefined;
}

function working(run: Fold, now: number): Task {
	const { turn } = run;
	if (!turn) {
		if (!run.opened.call) return open(run, now);
		return run.plan ? afterPlan(run, undefined, now) : { do: 'propose' };
	}
	const { end: how, reason: why, text } = turn.closed!;
	if (turn.revision === run.revision) {
		if (how === 'error' && why?.code !== 'superseded') {
			if (!why?.code.startsWith('budget.')) return end(why, { broken: true });
			return timeless(run, now) ? raise('budget', why) : open(run, now);
		}
		if (how === 'refusal' || how === 'filter')
			return end(why ?? reason(how === 'filter' ? how : 'model-refused'), { text, refused: true });
		// A `finish` only waits for the plan: it is no work of its own.
		if (unsorted(run, turn).some(({ name }) => name !== FINISH)) return { do: 'sort', turn };
	}
	return afterPlan(run, turn, now);
}

/** Calls of a closed turn with which nothing was done yet. */
export const unsorted = ({ loose }: Fold, { closed }: TurnMemory): TurnCall[] =>
	loose.size > 0 ? closed!.calls.filter(({ id }) => loose.has(id)) : [];

function afterPlan(run: Fold, turn: TurnMemory | undefined, now: number): Task {
	const [first] = run.open;
	if (first) {
		const { step, grant, retryAt = now } = first;
		if (retryAt > now)
			return timeless(run, now)
				? overspent(run, 'ms', now)
				: { do: 'wait', until: soonest(run, retryAt, now) };
		if (run.due.size > 0) return { do: 'assess' };
		if (step.status === 'granted') {
			const limit = exhausted(run, step.instance, 0, now);
			if (limit && !run.effects.get(grant!.operation)?.counted) return overspent(run, limit, now);
		} else if (step.status !== 'dispatched') return { do: 'wait' };
		// Dispatched: admitted by an engine that was thrown away before the act ran.
		return { do: 'act', memory: first };
	}
	if (!turn) {
		// A caller without a model: the end of its one step is the end of the run.
		const { status, reasons: [why] = [] } = [...run.steps.values()][0]?.step ?? {};
		return end(status === 'confirmed' ? undefined : why);
	}
	if (turn.revision !== run.revision)
		return run.checkpoint?.revision === run.revision
			? open(run, now)
			: record('checkpoint.taken', checkpoint(run, now));
	const { calls, text, end: how } = turn.closed!;
	const finishing = calls.filter(({ name }) => name === FINISH);
	const finish = finishing.find(({ id }) => run.calls.get(id)!.status === 'open');
	if (finish) {
		const content = { done: true };
		const told = { status: 'closed', content, performative: 'inform', label: CLEAN } as const;
		return record('call.closed', { call: finish.id, ...told });
	}
	const finished = finishing.find(({ id }) => run.closings.get(id) === 'inform');
	if (finished) return end(undefined, { text: finishText(finished.raw) ?? text });
	if (run.level === 'suggest' && run.planSteps.some(({ step }) => isParked(step)))
		return end(undefined, { text });
	if (how === 'pause') return open(run, now, true);
	if (how !== 'interrupt' && how !== 'error' && calls.every(({ there }) => there))
		return end(how === 'length' ? reason(how) : undefined, { text });
	return open(run, now);
}

/** What was made so far, by reference. */
export const artifacts = ({ id, steps }: Fold): Artifact[] =>
	[...steps.values()].flatMap(({ step }) =>
		step.status === 'confirmed' && step.result !== undefined
			? [{ run: id, step: step.id, digest: digestOf(step.result) }]
			: []
	);

/** Operations of a run, by what became of them. */
export function standing({ effects, underway, unsettled }: Fold): {
	completed: string[];
	unresolved: string[];
	pending: string[];
} {
	const of = (some: Iterable<EffectMemory>) => [...some].map(({ entry }) => entry.operation);
	return {
		completed: of([...effects.values()].filter(({ entry }) => entry.status === 'confirmed')),
		unresolved: of(unsettled),
		pending: of(underway)
	};
}

/** Where the work stands that a revision found. Nothing of it is under way any more. */
const checkpoint = (run: Fold, now: number): Kinds['checkpoint.taken'] => ({
	revision: run.revision,
	...standing(run),
	artifacts: artifacts(run),
	left: Object.fromEntries(LIMITS.map((limit) => [limit, left(run, limit, now)])) as unknown as Budget
});

function finishText(raw: string): string | undefined {
	try {
		const { text } = JSON.parse(raw) as { text?: unknown };
		return typeof text === 'string' ? text : undefined;
	} catch {
		return undefined;
	}
}

/** When to look again while something is to be tried later: at the latest when the running time is used up. */
const soonest = (run: Fold, until: number, now: number): number =>
	Math.min(until, now + left(run, 'ms', now));

/** A further turn, if the budget has room for one. */
function open(run: Fold, now: number, continues?: true): Task {
	const limit = speechless(run, now, continues);
	return limit ? overspent(run, limit, now) : { do: 'open', continues };
}

/** What is told when a limit is reached: which, what was spent, what is left; as much again as was given is offered. */
export const spentUp = (run: Fold, limit: keyof Budget, now: number): Reason =>
	reason(`budget.${limit}`, undefined, {
		limit,
		...tightest(run, limit, now),
		offer: { [limit]: Math.max(1, run.opened.budget[limit]) }
	});
