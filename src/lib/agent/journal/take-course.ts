import type { Actor } from '../../actor/actor.js';
import { plus } from '../protocol/budget.js';
import { reason } from '../protocol/codes.js';
import { join, sound, strange } from '../protocol/labels.js';
import type { Question, Step } from '../protocol/run-state.js';
import type { Fold } from './fold.js';
import { isClosed, isParked, leave, type QuestionMemory, setStep, type Takers } from './memory.js';
import { refuse, setReview } from './take-plan.js';
import { closeCall } from './take-turns.js';

/** The course of the run: how it began, what people said and decided, what it waited for, how it ended. */
export const course: Takers = {
	'run.opened'(run, data, { run: id, by }) {
		const { principal, level, budget, goal, policy, parent, root, call } = data;
		const label = sound(data.label);
		Object.assign(run, { id, opened: data, principal, level, limit: budget, label, policy });
		run.above = parent === undefined ? undefined : (run.kin(parent) ?? run.kin(root));
		run.above?.below.push(run);
		// A caller without a model has no last words.
		if (!call) refill(run);
		// What an act asks another run for is no person's word, however clean, and whoever it names.
		if (parent === undefined) say(run, principal, goal);
		run.revisions.push({ n: 1, kind: 'goal', text: goal, by });
	},
	'run.accepted'(run, { principal }) {
		run.principal = principal;
		run.accepted = true;
	},
	'run.started'(run, { label }) {
		run.started = true;
		run.label = join(run.label, sound(label));
	},
	'run.taken'(run) {
		// What was allowed on another page is looked at again on this one.
		run.taken = true;
		const leaving = new Set([...run.underway].map(({ entry }) => (entry.reach === 'page' ? '' : entry.step)));
		for (const memory of run.open) {
			// What may be under way is settled first.
			if (memory.step.status === 'dispatched' || leaving.has(memory.step.id)) continue;
			if (memory.approval ?? memory.grant)
				memory.again = [reason('owner', 'It was allowed in another window.')];
			memory.approval = memory.grant = undefined;
			if (memory.step.status === 'granted') setStep(run, memory, { status: 'proposed' });
		}
	},
	'question.asked'(run, data) {
		const { question, interrupt } = data;
		const asked = interrupt === undefined ? data : { ...data, turn: run.turn?.id };
		run.questions.set(question.id, asked);
		run.asked.set(question.id, asked);
	},
	'question.closed'(run, { question: id, status, value, reason: why }, { by, seq }) {
		const asked = run.questions.get(id)!;
		setQuestion(run, { ...asked, value }, { status });
		const memory = run.steps.get(asked.step!);
		// What a program says may come from anywhere. That nobody answered in time says nothing.
		if (by.kind !== 'human' && status !== 'expired' && (value ?? why) !== undefined)
			run.label = join(run.label, strange('answer'));
		if (status !== 'answered') {
			// What nobody answers is not done; the model is told so.
			if (!memory || isClosed(memory.step)) return;
			setStep(run, memory, { status: 'proposed' });
			refuse(run, memory, [reason('declined', why)]);
			return;
		}
		if (memory) {
			memory.answer = { question: id, value: value ?? null };
			setStep(run, memory, { status: 'proposed' });
		}
		if (asked.update !== undefined && !memory) {
			const kind = UPDATES.find((one) => one === value) ?? 'progress';
			run.meant.set(id, { question: id, text: asked.update, kind, by });
			return;
		}
		// Consent is given to reads, and to the engine alone: a component that asks gets its answer, and no read with it.
		if (asked.question.reason === 'consent' && !memory)
			for (const entry of Array.isArray(value) ? value : []) run.consents.set(String(entry), seq);
		else {
			const { text, schema, url } = asked.question;
			const offered = JSON.stringify([text, schema, url]);
			for (const one of texts(value)) say(run, by, one, offered);
		}
	},
	'escalation.raised'(run, { key, reason: why }, { at: now, by }) {
		run.escalations.set(key, why);
		run.escalatedAt.set(key, run.escalatedAt.get(key) ?? now);
		if (key === 'paused') {
			run.pausedBy = by;
			run.heard = undefined;
		}
		run.renewed = false;
	},
	'escalation.cleared'(run, { key }, { at: now }) {
		const since = run.escalatedAt.get(key) ?? now;
		run.escalations.delete(key);
		run.escalatedAt.delete(key);
		const turn = run.openTurn;
		if (turn) turn.failures = 0;
		if (key === 'stall') run.repeat = { call: '', count: 0 };
		if (key === 'drift') {
			run.drifts.clear();
			run.reReviews = 0;
		}
		if (key !== 'paused') return;
		// What waits for a person stands still while the person has paused everything.
		for (const review of run.reviews.values())
			if (review.expiresAt !== undefined && review.expiresAt > since)
				setReview(run, { ...review, expiresAt: review.expiresAt + now - since }, review.status);
		for (const asked of run.openQuestions) {
			const { question } = asked;
			const { expiresAt = 0 } = question;
			if (expiresAt > since) setQuestion(run, asked, { expiresAt: expiresAt + now - since });
		}
		for (const [other, raised] of run.escalatedAt) run.escalatedAt.set(other, raised + now - since);
	},
	'budget.renewed'(run, { add, reserve }) {
		run.limit = plus(run.limit, add);
		run.wrapped = false;
		run.renewed = true;
		if (reserve) run.reserve = reserve;
		else if (!run.opened.call) refill(run);
	},
	'scope.widened'(run, { instance }) {
		run.widened.add(instance);
	},
	'consent.set'(run, { entry, verdict }, { seq }) {
		// Never forgotten: an allowance after it brings no earlier answer back.
		if (verdict !== 'allow') run.tightened.set(entry, seq);
	},
	'level.set'(run, { level }) {
		run.level = level;
	},
	'update.received'(run, { kind, text, question }, { by }) {
		run.meant.delete(question!);
		if (kind === 'progress') tell(run, by, text);
		else run.heard = { kind, text, by };
	},
	'checkpoint.taken'(run, data) {
		run.checkpoint = data;
	},
	'revision.accepted'(run, data, { by }) {
		const { n, kind, text, policy, superseded = [], completed = [], unresolved = [] } = data;
		run.meant.delete(data.question!);
		run.transitions.push({ revision: n, kind, text, superseded, completed, unresolved });
		run.revision = n;
		run.policy = policy ?? run.policy;
		run.revisions.push({ n, kind, text, by });
		tell(run, by, text);
	},
	message(run, { from, text }) {
		tell(run, from, text);
	},
	'stop.requested'(run, data) {
		run.stopping ??= data;
		run.heard = undefined;
	},
	'run.ended'(run, data) {
		const { kind } = data;
		run.ended = data;
		run.escalations.clear();
		run.reservedTokens = 0;
		run.reserve = { turns: 0, tokens: 0 };
		const left: Step['status'] = kind === 'interrupted' || kind === 'superseded' ? 'withdrawn' : 'skipped';
		for (const memory of run.steps.values()) {
			const { step } = memory;
			const stays = step.status === 'proposed' && (kind === 'proposed' || isParked(step));
			if (!isClosed(step) && step.status !== 'dispatched' && !stays) setStep(run, memory, { status: left });
		}
		for (const effect of run.effects.values()) if (effect.entry.status === 'intended') leave(run, effect);
		const content = { code: left, text: 'The run ended before this call.' };
		for (const { id, status } of run.calls.values())
			if (status === 'open') closeCall(run, id, { content, performative: 'cancel' }, 'refused');
		setReview(run, run.openReview, data.reason?.code === 'expired' ? 'expired' : 'superseded');
		for (const asked of run.openQuestions) setQuestion(run, asked, { status: 'expired' });
	},
	'run.undone'(run, { undone, parts }) {
		run.undone = undone;
		run.undoParts = parts;
	},
	'run.redone'(run) {
		run.undone = undefined;
	}
};

/** Kinds of what can be said to a run. */
export const UPDATES = ['correction', 'goal', 'progress', 'pause', 'cancel'] as const;

/** What was written in an answer; the names of its fields were not. */
const texts = (value: unknown): string[] =>
	typeof value === 'string'
		? [value]
		: typeof value === 'object' && value
			? Object.values(value).flatMap(texts)
			: [];

function setQuestion(run: Fold, asked: QuestionMemory, change: Partial<Question>): void {
	const now = { ...asked, question: { ...asked.question, ...change } };
	const { id, status } = now.question;
	run.questions.set(id, now);
	if (status === 'open') run.asked.set(id, now);
	else run.asked.delete(id);
}

/** The one road on which words become a person's own: goal, correction, question and answer alike. */
function say(run: Fold, { kind }: Actor, text: string, offered?: string): void {
	if (kind === 'human') run.words.push({ text, offered });
}

/** A message to the model. */
function tell(run: Fold, from: Actor, text: string): void {
	say(run, from, text);
	run.messages.push({ after: run.turns.length, message: { role: 'user', from, text } });
}

/** A wrap-up is set aside where the limits leave room for work beside it. */
function refill(run: Fold): void {
	const { limit, spent } = run;
	run.reserve = reserveOf(limit.turns - spent.turns, limit.tokens - spent.tokens);
}

/** What is set aside where so much is left. */
export const reserveOf = (turns: number, tokens: number): { turns: number; tokens: number } => ({
	turns: turns >= 2 ? 1 : 0,
	tokens: tokens >= 2000 ? 1000 : 0
});
