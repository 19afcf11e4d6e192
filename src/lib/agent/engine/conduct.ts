import { exhausted } from '../gate/admit.js';
import type { Fold } from '../journal/fold.js';
import { driftKey, isClosed, isParked, type StepMemory, type TurnMemory } from '../journal/memory.js';
import type { Kind, Kinds } from '../journal/kinds.js';
import { reason } from '../protocol/codes.js';
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
	| { do: 'open'; continues?: true; wrapUp?: true }
	| { do: 'request'; turn: TurnMemory }
	| { do: 'sort'; turn: TurnMemory }
	| { do: 'propose' }
	| { do: 'assess' }
	| { do: 'act'; memory: StepMemory };

/** A record to be appended. */
export type Entry = { [K in Kind]: { kind: K; data: Kinds[K] } }[Kind];

/** How long reviews and escalations may wait, in milliseconds. */
export interface Patience {
	escalationMs: number;
}

/** Waits before a failed request is made again, in milliseconds. */
export const RETRIES: readonly number[] = [1000, 4000];

const record = (entry: Entry): Task => ({ do: 'record', entry });
const raise = (key: string, why: Reason): Task =>
	record({ kind: 'escalation.raised', data: { verb: 'escalate', key, reason: why } });

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
		return cut(run.openTurn, 'aborted') ?? { do: 'end', end: { reason: run.stopping.reason } };
	}
	return (
		lapsed(run, now, patience) ??
		outdated(run) ??
		mood(run) ??
		asking(run, now) ??
		waiting(run, now, patience) ??
		ruled(run) ??
		working(run, now)
	);
}

/** Time ran out for something a person was to decide; nothing is ever approved by that. */
function lapsed(run: Fold, now: number, patience: Patience): Task | undefined {
	if (run.escalations.has('paused')) return undefined;
	const review = run.openReview;
	const late =
		(review?.expiresAt !== undefined && now >= review.expiresAt) ||
		[...run.questions.values()].some(
			({ question }) =>
				question.status === 'open' && question.expiresAt !== undefined && now >= question.expiresAt
		) ||
		[...run.escalatedAt.values()].some((since) => now - since >= patience.escalationMs);
	if (!late) return undefined;
	if (run.escalations.has('budget'))
		return { do: 'end', end: { reason: reason('expired'), exhausted: true, ...words(run) } };
	return { do: 'end', end: { reason: reason('expired') } };
}

/** Closes a turn whose request is not under way any more. */
const cut = (turn: TurnMemory | undefined, code: 'aborted' | 'superseded'): Task | undefined =>
	turn &&
	record({
		kind: 'turn.closed',
		data: {
			turn: turn.id,
			text: turn.text,
			end: 'error',
			calls: [],
			usage: { input: 0, output: 0, estimated: true },
			reason: reason(code)
		}
	});

/**
 * The verb that clears the last reason to be escalated: back to the state the run left, but not into a review that has
 * nothing left to decide or to authorise.
 */
export const wayBack = (run: Fold): 'resume' | 'plan' => {
	const open = run.planSteps.some(({ step, ruling }) => !ruling && !isClosed(step) && !isParked(step));
	return run.from === 'reviewing' && !open ? 'plan' : 'resume';
};

/** Newer instructions: what belongs to older ones is taken back. */
function outdated(run: Fold): Task | undefined {
	const turn = run.openTurn;
	if (turn && turn.revision !== run.revision) return cut(turn, 'superseded');
	const review = run.openReview;
	for (const memory of run.steps.values()) {
		if (memory.revision === run.revision || isClosed(memory.step) || isParked(memory.step)) continue;
		if (memory.step.status === 'dispatched') return { do: 'act', memory };
		if (review) return record({ kind: 'review.closed', data: { review: review.id, status: 'superseded' } });
		return close(memory, 'withdrawn', [reason('superseded')], 'cancel');
	}
	for (const { question } of run.questions.values())
		if (question.status === 'open' && question.reason !== 'consent' && askedBefore(run, question.id))
			return record({
				kind: 'question.closed',
				data: { question: question.id, status: 'expired', reason: 'superseded' }
			});
	return undefined;
}

/** Was the question put under older instructions? Its call tells. */
function askedBefore(run: Fold, id: string): boolean {
	const { call, step } = run.questions.get(id)!;
	const turn =
		call === undefined ? undefined : run.turns.find((item) => item.id === run.calls.get(call)?.turn);
	const memory = step === undefined ? undefined : run.steps.get(step);
	return (turn?.revision ?? memory?.revision ?? run.revision) !== run.revision;
}

/** Reasons to be escalated that came or went. */
function mood(run: Fold): Task | undefined {
	for (const key of run.escalations.keys())
		if (gone(run, key)) {
			const last = run.escalations.size === 1;
			return record({ kind: 'escalation.cleared', data: { key, verb: last ? wayBack(run) : undefined } });
		}
	const unasked = interrupted(run);
	if (unasked && !run.escalations.has('paused')) return { do: 'sort', turn: unasked };
	for (const { question, call, step, interrupt } of run.questions.values()) {
		const key = `question:${question.id}`;
		const stops = call !== undefined || step !== undefined || interrupt !== undefined;
		if (question.status === 'open' && stops && !run.escalations.has(key)) {
			const code = question.reason;
			return raise(key, { code, text: question.text, data: { question: question.id } });
		}
	}
	for (const { entry, open } of run.effects.values()) {
		const key = `unknown-effect:${entry.operation}`;
		if (open && !run.escalations.has(key))
			return raise(key, reason('unknown-effect', undefined, { operation: entry.operation }));
	}
	for (const [instance, count] of run.outside)
		if (count >= 2 && !run.widened.has(instance) && !run.escalations.has(`scope:${instance}`))
			return raise(`scope:${instance}`, reason('scope', undefined, { instance }));
	if (run.repeat.count >= 3 && !run.escalations.has('stall')) return raise('stall', reason('stall'));
	const turn = run.openTurn;
	if (!turn || turn.failures === 0) return undefined;
	const desync = turn.failure?.code === 'desync';
	const key = desync ? 'desync' : 'transport';
	if ((desync || turn.failures > RETRIES.length) && !run.escalations.has(key))
		return raise(key, reason(key, turn.failure?.text));
	return undefined;
}

/** The last turn, if it left off for something that was not put to the person yet. */
function interrupted(run: Fold): TurnMemory | undefined {
	const { turn } = run;
	if (!turn?.closed?.interrupts || turn.revision !== run.revision) return undefined;
	const asked = new Set([...run.questions.values()].map(({ interrupt }) => interrupt));
	return turn.closed.interrupts.every(({ id }) => asked.has(id)) ? undefined : turn;
}

/** Is the reason under `key` no longer one? */
function gone(run: Fold, key: string): boolean {
	const [kind, ...rest] = key.split(':');
	const id = rest.join(':');
	if (kind === 'question') return run.questions.get(id)?.question.status !== 'open';
	if (kind === 'unknown-effect') return run.effects.get(id)?.open !== true;
	if (kind === 'scope') return run.widened.has(id);
	if (kind === 'budget') return run.renewed;
	return false;
}

/** A turn that is open. A wrap-up is held while the run waits; nothing else is. */
function asking(run: Fold, now: number): Task | undefined {
	const turn = run.openTurn;
	if (!turn) return undefined;
	if (turn.opened.wrapUp) return { do: 'request', turn };
	if (run.escalations.size > 0) return undefined;
	if (run.ran(now) >= run.limit.ms) return raise('budget', spentUp(run, 'ms'));
	if (turn.retryAt !== undefined && turn.retryAt > now) return { do: 'wait', until: turn.retryAt };
	return { do: 'request', turn };
}

/** A person has something to decide. */
function waiting(run: Fold, now: number, patience: Patience): Task | undefined {
	if (run.escalations.size === 0 && !run.openReview) return undefined;
	if (run.escalations.has('paused')) return { do: 'wait' };
	const budget = run.escalations.has('budget') && run.escalations.size === 1;
	if (budget && !run.wrapped && run.reserve.turns > 0) return { do: 'open', wrapUp: true };
	const until = Math.min(
		run.openReview?.expiresAt ?? Infinity,
		...[...run.questions.values()]
			.filter(({ question }) => question.status === 'open')
			.map(({ question }) => question.expiresAt ?? Infinity),
		...[...run.escalatedAt.values()].map((since) => since + patience.escalationMs)
	);
	return { do: 'wait', until: Number.isFinite(until) ? Math.max(until, now) : undefined };
}

/** Verdicts against steps that the model has not been told yet. */
function ruled(run: Fold): Task | undefined {
	for (const memory of run.planSteps) {
		const { ruling } = memory;
		if (ruling && !isClosed(memory.step)) return close(memory, ruling.status, ruling.reasons, 'refuse');
		if (!memory.again.some(({ code }) => code === 'drift') || isClosed(memory.step)) continue;
		const count = run.drifts.get(driftKey(memory)) ?? 0;
		if (count === 2) return close(memory, 'refused', [reason('drift')], 'refuse');
		if (count > 2 || run.reReviews >= 3) return raise('drift', reason('drift'));
	}
	return undefined;
}

function working(run: Fold, now: number): Task {
	const { turn } = run;
	if (!turn) {
		if (run.opened.call) return run.plan ? afterPlan(run, undefined, now) : { do: 'propose' };
		return open(run, now);
	}
	const { closed } = turn;
	if (!closed) return { do: 'wait' };
	if (turn.revision === run.revision) {
		if (closed.end === 'error' && closed.reason?.code !== 'superseded') {
			if (closed.reason?.code.startsWith('budget.'))
				return run.ran(now) >= run.limit.ms ? raise('budget', closed.reason) : open(run, now);
			return { do: 'end', end: { reason: closed.reason, broken: true } };
		}
		if (closed.end === 'refusal' || closed.end === 'filter')
			return {
				do: 'end',
				end: {
					reason: closed.reason ?? reason(closed.end === 'filter' ? 'filter' : 'model-refused'),
					text: closed.text,
					refused: true
				}
			};
		const unsorted = closed.calls.some(({ id, there }) => {
			const call = run.calls.get(id)!;
			return !there && call.status === 'open' && call.step === undefined;
		});
		// What only waits for the plan is no work of its own.
		if (unsorted && !onlyFinish(run, turn)) return { do: 'sort', turn };
	}
	return afterPlan(run, turn, now);
}

const FINISH = 'finish';

/** Are the only open calls without a step a `finish`, which is honoured after the plan? */
function onlyFinish(run: Fold, turn: TurnMemory): boolean {
	return turn.closed!.calls.every(({ id, name, there }) => {
		const call = run.calls.get(id)!;
		return there || call.status !== 'open' || call.step !== undefined || name === FINISH;
	});
}

function afterPlan(run: Fold, turn: TurnMemory | undefined, now: number): Task {
	const steps = run.planSteps.filter(({ step }) => !isClosed(step) && !isParked(step));
	const [first] = steps;
	if (first) {
		if (first.retryAt !== undefined && first.retryAt > now) return { do: 'wait', until: first.retryAt };
		if (steps.some(({ step }) => step.status === 'proposed')) return { do: 'assess' };
		// Admitted by an engine that was thrown away before the act ran.
		if (first.step.status === 'dispatched') return { do: 'act', memory: first };
		if (first.step.status !== 'granted') return { do: 'wait' };
		const limit = exhausted(run, first.step.instance, 0, now);
		const resumed = run.effects.has(first.grant!.operation);
		if (limit && !resumed) return raise('budget', spentUp(run, limit));
		return { do: 'act', memory: first };
	}
	if (!turn) return { do: 'end', end: callEnd(run) };
	const { closed } = turn;
	if (turn.revision !== run.revision) return open(run, now);
	const finish = closed!.calls.find(
		({ id, name }) => name === FINISH && run.calls.get(id)!.status === 'open'
	);
	if (finish)
		return record({
			kind: 'call.closed',
			data: { call: finish.id, status: 'closed', content: { done: true }, performative: 'inform' }
		});
	const finished = closed!.calls.find(({ id, name }) => name === FINISH && run.closings.get(id) === 'inform');
	if (finished) return { do: 'end', end: { text: finishText(finished.raw) ?? closed!.text } };
	if (run.planSteps.some(({ step }) => isParked(step)) && run.level === 'suggest')
		return { do: 'end', end: { text: closed!.text } };
	if (closed!.end === 'pause') return open(run, now, true);
	if (closed!.calls.every(({ there }) => there) && closed!.end !== 'interrupt' && closed!.end !== 'error')
		return {
			do: 'end',
			end: { text: closed!.text, reason: closed!.end === 'length' ? reason('length') : undefined }
		};
	return open(run, now);
}

/** A caller without a model: the end of its one step is the end of the run. */
function callEnd(run: Fold): End {
	const step = [...run.steps.values()][0]?.step;
	const why = step && step.status !== 'confirmed' ? step.reasons[0] : undefined;
	return why ? { reason: why } : {};
}

function finishText(raw: string): string | undefined {
	try {
		const { text } = JSON.parse(raw) as { text?: unknown };
		return typeof text === 'string' ? text : undefined;
	} catch {
		return undefined;
	}
}

/** A further turn, if the budget has room for one; going on with a paused one costs no turn. */
function open(run: Fold, now: number, continues?: true): Task {
	const { limit, spent, reserve } = run;
	if (!continues && spent.turns + 1 > limit.turns - reserve.turns)
		return raise('budget', spentUp(run, 'turns'));
	if (spent.tokens >= limit.tokens - reserve.tokens) return raise('budget', spentUp(run, 'tokens'));
	if (spent.cost >= limit.cost && spent.cost > 0) return raise('budget', spentUp(run, 'cost'));
	if (run.ran(now) >= limit.ms) return raise('budget', spentUp(run, 'ms'));
	return { do: 'open', continues };
}

/** What is told when a limit is reached: which, what was spent, what is left. */
export const spentUp = (run: Fold, limit: keyof Budget): Reason =>
	reason(`budget.${limit}`, undefined, {
		limit,
		of: run.limit[limit],
		spent: run.spent[limit],
		offer: { [limit]: offer(run, limit) }
	});

/** A renewal in proportion: as much again as the run was given. */
const offer = (run: Fold, limit: keyof Budget): number => Math.max(1, run.opened.budget[limit]);

const words = (run: Fold): { text?: string } => {
	const said = run.turns.findLast(({ opened }) => opened.wrapUp)?.text;
	return said ? { text: said } : {};
};

/** The last words of a wrap-up, for an outcome. */
export const lastWords = words;

/** Closes a step that did not run. */
function close(
	memory: StepMemory,
	status: 'refused' | 'rejected' | 'withdrawn' | 'skipped',
	reasons: readonly Reason[],
	performative: 'refuse' | 'cancel'
): Task {
	return record({
		kind: 'step.closed',
		data: {
			step: memory.step.id,
			status,
			reasons,
			performative,
			call: memory.call
		}
	});
}
