import { reason } from '../protocol/codes.js';
import { join, sound, strange } from '../protocol/labels.js';
import type { Fold } from './fold.js';
import {
	at,
	drifted,
	driftKey,
	list,
	leave,
	setStep,
	type StepMemory,
	tally,
	type Takers
} from './memory.js';
import { closeCall, turnedAway } from './take-turns.js';
import type { Review } from '../protocol/run-state.js';

/** The plan: steps, the reviews they wait for, the permissions they get. */
export const plan: Takers = {
	'plan.proposed'(run, { turn, steps }, { at: now }) {
		run.plan = { turn, steps: steps.map(({ id }) => id), revision: run.revision };
		run.reReviews = 0;
		for (const one of steps) {
			const { call, proposal, manifest, epoch, touches } = one;
			const { id, instance, act, args, effect, reach, label, by, status, reasons, asks } = one;
			// By name: what is made by leaving members out is slow.
			const step = { id, instance, act, args, effect, reach, label, by, status, reasons, asks };
			const memory: StepMemory = {
				step,
				proposal,
				manifest,
				epoch,
				touches,
				expect: new Map(),
				retries: 0,
				again: [],
				revision: run.revision,
				call
			};
			run.steps.set(id, memory);
			list(run, memory);
			run.loose.delete(call!);
			const known = run.calls.get(call!);
			if (known) run.calls.set(known.id, { ...known, instance, act, args, step: id });
			if (step.status === 'refused') turnedAway(run, instance, step.reasons[0]!.code, now);
		}
	},
	'step.closed'(
		run,
		{ step, label, status, reasons, preview, call, content, told, performative = 'refuse' }
	) {
		const memory = run.steps.get(step)!;
		run.label = join(run.label, sound(label));
		memory.grant = memory.approval = memory.ruling = undefined;
		memory.again = [];
		// An act that had asked and is closed now never happened.
		for (const effect of run.underway)
			if (effect.entry.step === step && effect.entry.status === 'intended') leave(run, effect);
		setStep(run, memory, { status, reasons, preview });
		if (content !== undefined) closeCall(run, call, { content, performative, told }, 'refused');
	},
	'review.opened'(run, { review: id, reasons, fingerprint, expiresAt, changes, steps }) {
		setReview(run, run.openReview, 'superseded');
		const review: Review = {
			id,
			run: run.id,
			steps: steps.filter(({ asks }) => asks === 'person').map(({ step }) => step),
			reasons,
			fingerprint,
			expiresAt,
			status: 'open',
			changes
		};
		setReview(run, review, 'open');
		if (changes) run.reReviews += 1;
		for (const assessed of steps) {
			const { step, epoch, bound: touches, asks, reasons, label, weak, preview } = assessed;
			const memory = run.steps.get(step)!;
			Object.assign(memory, { assessed, epoch, touches, expect: new Map(), again: [] });
			hide(memory, assessed.redact);
			setStep(run, memory, { asks, reasons, label, weak, preview });
		}
	},
	'review.decided'(run, { review, steps }, { by }) {
		setReview(run, run.reviews.get(review), 'settled');
		for (const [id, { verdict, reason: text, edit }] of Object.entries(steps)) {
			const memory = run.steps.get(id)!;
			if (verdict === 'reject') {
				memory.ruling = { status: 'rejected', reasons: [reason('rejected', text)] };
				// A program's reasons may come from anywhere.
				if (by.kind !== 'human' && text) run.label = join(run.label, strange('review'));
				continue;
			}
			memory.approval = { review, by };
			if (!edit) continue;
			const { args, touches, label, preview } = edit;
			memory.proposal += 1;
			memory.touches = touches;
			memory.expect = new Map();
			memory.assessed = memory.assessed && { ...memory.assessed, bound: touches };
			setStep(run, memory, { args, label, proposed: memory.step.proposed ?? memory.step.args, preview });
		}
	},
	'review.extended'(run, { review: id, expiresAt }) {
		const review = run.reviews.get(id);
		setReview(run, review && { ...review, expiresAt }, 'open');
	},
	'review.closed'(run, { review, status }) {
		setReview(run, run.reviews.get(review), status);
	},
	'grants.issued'(run, { grants }) {
		for (const grant of grants) {
			const memory = run.steps.get(grant.step)!;
			hide(memory, grant.redact);
			memory.grant = grant;
			// A permission renewed for the same card goes on expecting what the run's own writes left.
			const before = grant.how === 'person' ? memory.expect : undefined;
			memory.expect = new Map(
				grant.bound.map((touch) => [at(touch), before?.get(at(touch)) ?? touch.version])
			);
			memory.retryAt = undefined;
			setStep(run, memory, { status: 'granted', label: grant.label });
		}
	}
};

/** More that a step must not tell. */
function hide(memory: StepMemory, paths: readonly string[] | undefined): void {
	if (paths) memory.redact = [...new Set([...(memory.redact ?? []), ...paths])];
}

export function setReview(run: Fold, review: Review | undefined, status: Review['status']): void {
	if (!review) return;
	const now = { ...review, status };
	run.reviews.set(review.id, now);
	if (status === 'open') run.openReview = now;
	else if (run.openReview?.id === review.id) run.openReview = undefined;
}

/** A step goes back to the person who decided; a drift is counted. */
export function askAgain(run: Fold, memory: StepMemory, reasons: StepMemory['again']): void {
	memory.approval = undefined;
	memory.again = reasons;
	if (drifted(reasons)) tally(run.drifts, driftKey(memory));
}

/** Will not run, which the model is still to be told. */
export function refuse(run: Fold, memory: StepMemory, reasons: StepMemory['again']): void {
	memory.ruling = { status: 'refused', reasons };
	reconsider(run, memory);
}

/** After a failure the later steps of the plan go to policy again. */
export function reconsider(run: Fold, failed: StepMemory): void {
	for (const memory of run.open) {
		if (memory === failed) continue;
		if (memory.approval ?? memory.grant?.how === 'person') memory.again = [reason('predecessor-failed')];
		memory.approval = memory.grant = undefined;
		setStep(run, memory, { status: 'proposed' });
	}
}
