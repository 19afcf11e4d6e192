import { plus } from '../protocol/budget.js';
import { reason as because } from '../protocol/codes.js';
import { join, sound } from '../protocol/labels.js';
import type { Reason } from '../protocol/words.js';
import type { Fold } from './fold.js';
import type { Kinds } from './kinds.js';
import { at, type EffectMemory, setEffect, setOpen, setStep, type Takers } from './memory.js';
import { askAgain, reconsider, refuse } from './take-plan.js';
import { closeCall, countAct, refundAct } from './take-turns.js';

/** The ledger: what was intended, what ran, what became of it. */
export const effects: Takers = {
	'effect.intended'(run, { operation, step: id, cost }, { at: now }) {
		const { step, grant } = run.steps.get(id)!;
		const { instance, act, reach } = step;
		const { decidedBy, how, fingerprint } = grant!;
		// What comes again was counted before, and stands last.
		const before = run.effects.get(operation);
		if (!before?.counted) countAct(run, instance, now);
		run.underway.delete(before!);
		run.effects.delete(operation);
		const effect: EffectMemory = {
			reserved: cost,
			counted: true,
			open: false,
			until: before?.until,
			unsure: before?.unsure,
			entry: {
				operation,
				step: id,
				instance,
				act,
				status: 'intended',
				reach,
				decidedBy,
				how,
				fingerprint
			}
		};
		run.effects.set(operation, effect);
		run.underway.add(effect);
	},
	'effect.withdrawn'(run, { operation, step, verdict, reasons }) {
		const memory = run.steps.get(step)!;
		const effect = run.effects.get(operation)!;
		// What may have happened stays so, whatever becomes of the next try.
		setEffect(run, effect, { status: effect.unsure ? 'intended' : 'withdrawn' });
		// Held back, not taken back: the permission stands, and so does its place in the budget.
		if (verdict === 'held') return;
		if (effect.counted && !effect.unsure) refundAct(run, memory.step.instance);
		effect.counted &&= effect.unsure ?? false;
		memory.grant = undefined;
		setStep(run, memory, { status: 'proposed' });
		if (verdict === 'refused') refuse(run, memory, reasons);
		else askAgain(run, memory, reasons);
	},
	'effect.dispatched'(run, { operation, step, until }, { at: now }) {
		const memory = run.steps.get(step)!;
		const { instance } = memory.step;
		run.admitted = true;
		const effect = run.effects.get(operation);
		setEffect(run, effect, { status: 'dispatched' });
		// The promise counts from the first time on.
		if (effect) effect.until ??= until;
		if (effect && !effect.counted) {
			countAct(run, instance, now);
			effect.counted = true;
		}
		setStep(run, memory, { status: 'dispatched' });
		run.touched.delete(instance);
		run.touched.add(instance);
	},
	'effect.released'(run, { operation, step, why, afterAt, unsure }) {
		const memory = run.steps.get(step)!;
		const effect = run.effects.get(operation);
		setEffect(run, effect, { status: 'intended' });
		if (effect) effect.unsure = unsure ?? effect.unsure;
		// What comes back with an answer is a further act; tries of one act are few and are one.
		if (effect && why === 'question') effect.counted = false;
		memory.grant = undefined;
		setStep(run, memory, { status: why === 'question' ? 'waiting' : 'proposed' });
		if (why !== 'retry') return;
		memory.retries += 1;
		memory.retryAt = afterAt;
	},
	'effect.settled'(run, data) {
		const { operation, status, cost, reason, result } = data;
		const memory = run.steps.get(data.step)!;
		const effect = run.effects.get(operation);
		setEffect(run, effect, { status, cost });
		if (effect) effect.unsure = undefined;
		if (effect) setOpen(run, effect, status === 'unknown' && memory.step.reach !== 'page');
		run.spent = plus(run.spent, { cost });
		memory.grant = memory.approval = memory.answer = undefined;
		run.label = join(run.label, sound(data.label));
		for (const moved of data.moved) {
			const address = at(moved);
			run.known.set(address, moved.after);
			run.told.delete(address);
			for (const { expect } of run.open)
				if (expect.get(address) === moved.before) expect.set(address, moved.after);
		}
		setStep(run, memory, { status, reasons: reason && [reason], result });
		closeCall(run, data.call, data, 'closed');
		if (status !== 'confirmed') reconsider(run, memory);
	},
	'effect.late'(run, { operation, status, reason, result }) {
		if (status !== 'unknown') late(run, operation, status, reason, result);
	},
	'effect.ruled'(run, { operation, fact }) {
		setOpen(run, run.effects.get(operation)!, false);
		if (fact === 'done') late(run, operation, 'confirmed');
		else if (fact === 'not-done') late(run, operation, 'failed', because(fact));
	}
};

/** What became of it is known after all; why nobody knew stays, and says that this is over. */
function late(
	run: Fold,
	operation: string,
	status: 'confirmed' | 'failed',
	why?: Reason,
	result?: Kinds['effect.late']['result']
): void {
	const effect = run.effects.get(operation);
	if (!effect) return;
	setEffect(run, effect, { status });
	setOpen(run, effect, false);
	const memory = run.steps.get(effect.entry.step)!;
	const before = memory.step.reasons.map(({ code, text }) => ({ code, text, data: { late: true } }));
	setStep(run, memory, { status, result, reasons: why ? [...before, why] : before });
}
