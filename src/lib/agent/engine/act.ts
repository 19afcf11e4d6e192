import { admit, type Facts } from '../gate/admit.js';
import type { Assessment } from '../gate/assess.js';
import { exhausted } from '../gate/budget.js';
import { find, type Found, gone, unveiled, versionOf } from '../gate/look.js';
import type { Grant, Moved, TouchAt } from '../journal/kinds.js';
import { at, keyed, type StepMemory } from '../journal/memory.js';
import { reason } from '../protocol/codes.js';
import type { Reason } from '../protocol/words.js';
import { actTime } from './act-time.js';
import { assessStep } from './assess-plan.js';
import { closeStep } from './close-step.js';
import type { Conductor } from './conductor.js';
import { dispatch, type Performed } from './dispatch.js';
import { keysOf, locked } from './locking.js';
import { probed } from './probe.js';
import { belated, giveUp, type Going, isUnsure, settle, unrun, versionsNow } from './settle.js';
import { aborted, type Timer, within } from './waiting.js';
import { before, written } from './written.js';

/**
 * The walk of one granted step: locks, budget, intent, last look, dispatch, settlement. Locks are released on every path;
 * whatever happens, exactly one outcome is recorded.
 */
export async function carryOut(conductor: Conductor, memory: StepMemory): Promise<void> {
	const { core, fold, house } = conductor;
	const { step } = memory;
	const found = find(core.registry, step.instance, step.act);
	// While something was waited for, a person may have stopped, steered or paused.
	const held = () =>
		fold.over || fold.stopping || fold.escalations.size > 0 || memory.revision !== fold.revision;
	if (step.status === 'dispatched' && held()) return giveUp(conductor, memory, reason('recovery'));
	const abort = (conductor.actAbort = new AbortController());
	const release = await lock(conductor, memory, found, abort);
	if (!release) return;
	try {
		const { grant } = memory;
		if (!grant || held()) return;
		const { operation } = grant;
		const withdraw = (verdict: 'refused' | 'review' | 'held', reasons: readonly Reason[]) =>
			conductor.append('effect.withdrawn', { operation, step: step.id, verdict, reasons });
		const cost = 'code' in found ? 0 : (found.act.act.cost ?? 0);
		const effect = fold.effects.get(operation);
		const before = effect?.entry.status;
		if (before !== 'dispatched' && (before !== 'intended' || !effect?.counted)) {
			const more = before === 'intended' ? 0 : cost;
			const limit = exhausted(fold, step.instance, more, core.clock.now(), effect?.counted);
			if (limit) return conductor.overspent(limit);
		}
		if (before === undefined || before === 'withdrawn')
			conductor.append('effect.intended', {
				operation,
				step: step.id,
				expect: grant.bound.map((touch) => ({ ...touch, version: memory.expect.get(at(touch))! })),
				cost
			});
		// The last durable line before anything that leaves the page. Nobody waits for a store after a stop.
		if (step.reach !== 'page') {
			const stopped = aborted(abort.signal).then(() => false);
			if (!(await Promise.race([house.persist?.barrier(fold.id) ?? true, stopped]))) {
				if (!fold.stopping) withdraw('refused', [reason('store')]);
				return;
			}
		}
		if (held()) return withdraw('held', []);
		await enter(conductor, memory, grant, abort, withdraw, before === 'dispatched');
	} finally {
		release();
		if (conductor.actAbort === abort) conductor.actAbort = undefined;
	}
}

async function lock(
	conductor: Conductor,
	memory: StepMemory,
	found: Found | Reason,
	abort: AbortController
): Promise<(() => void) | undefined> {
	const { core, fold } = conductor;
	if ('code' in found) return () => undefined;
	const release = await locked(core, keysOf(found, memory.step.args), found.act.timeoutMs, abort);
	if (release) return release;
	if (!fold.stopping && memory.grant) closeStep(conductor, memory, 'refused', [reason('locked')]);
	return undefined;
}

/** The last look: what a step would run on the page as it is now, and all that says whether it may. */
function looked(
	conductor: Conductor,
	memory: StepMemory,
	grant: Grant,
	abort: AbortController,
	again: boolean
): Facts & { found: Found | undefined } {
	const { core, fold } = conductor;
	const { step } = memory;
	const look = find(core.registry, step.instance, step.act);
	const [found, missing] = 'code' in look ? [undefined, gone(look)] : [look];
	const seen = found && assessStep(conductor, memory, found, true);
	const versions = versionsNow(conductor, grant);
	return {
		found,
		run: fold,
		// What was asked for all this may have taken it away.
		entry: core.registry.entry(step.instance) === found?.entry ? found?.entry : undefined,
		missing,
		versions,
		denied: seen?.verdict === 'refuse' ? seen.reasons : [],
		unsettled: seen !== undefined && seen.verdict !== 'refuse' && !settles(grant, seen),
		policy: core.policy.version,
		again,
		locked: !abort.signal.aborted,
		cost: fold.effects.get(grant.operation)?.reserved ?? 0
	};
}

/** Last look and dispatch in one tick; what comes of it is settled when it is known. */
function enter(
	conductor: Conductor,
	memory: StepMemory,
	grant: Grant,
	abort: AbortController,
	withdraw: (verdict: 'refused' | 'review', reasons: readonly Reason[]) => void,
	again: boolean
): Promise<void> | void {
	const { core, fold } = conductor;
	const { step } = memory;
	const { operation, bound } = grant;
	const { found, ...facts } = looked(conductor, memory, grant, abort, again);
	const admission = admit(memory, facts, core.clock.now());
	if (admission.verdict !== 'admitted') {
		const { verdict, reasons } = admission;
		return again ? giveUp(conductor, memory, reasons[0]!) : withdraw(verdict, reasons);
	}
	const { fingerprint } = admission;
	const kept = fold.effects.get(operation);
	const promised = found?.act.act.idempotent?.retentionMs;
	// It may have happened, and the receiver does not promise any more to do it once.
	if (kept?.unsure && (promised === undefined || core.clock.now() >= (kept.until ?? 0)))
		return giveUp(conductor, memory, reason('unknown-effect'));
	if (!again) {
		const until = promised === undefined ? undefined : core.clock.now() + promised;
		conductor.append('effect.dispatched', { verb: 'act', operation, step: step.id, fingerprint, until });
	}
	// A listener may have thrown the engine away; then nothing has happened yet.
	if (conductor.isGone || !found) return;
	const going = { conductor, memory, grant, found, before: before(conductor, found.entry, memory.touches) };
	const watched = watch(conductor, memory);
	if (!again) {
		// Who heard of it may have changed what it was admitted on: what was not called did not happen.
		const still = admit(memory, looked(conductor, memory, grant, abort, true), core.clock.now());
		if (memory.revision !== fold.revision) return unrun(going, reason('superseded'));
		if (still.verdict !== 'admitted') return unrun(going, still.reasons[0] ?? reason('stale'));
	}
	const actor = { ...step.by };
	const time = actTime(conductor, found.act.timeoutMs);
	const out = dispatch(
		found.act,
		found.provider,
		step.args,
		{
			actor,
			run: fold.id,
			step: step.id,
			operation,
			expect: Object.fromEntries(
				bound.map((touch) => [keyed(touch), unveiled(found.entry, touch, memory.expect.get(at(touch))!)])
			),
			signal: abort.signal,
			label: written(going),
			answer: memory.answer
		},
		actor
	);
	if (out instanceof Promise) return wait(going, out, abort, time);
	// Synchronous: what moved in this very tick is the run's own write.
	settle(going, out, () => moves(conductor, watched), true);
}

/** Is the one who agreed still the one who has to? */
function settles(grant: Grant, seen: Exclude<Assessment, { verdict: 'refuse' }>): boolean {
	if (seen.verdict === 'propose') return false;
	if (grant.how !== 'person') return seen.verdict === 'allow';
	return grant.decidedBy.kind === 'human' || !seen.facts.protected;
}

/** What a synchronous act may move: its own touches, and what other open steps of the run expect. */
function watch({ core, fold }: Conductor, memory: StepMemory): TouchAt[] {
	const touched = new Map<string, TouchAt | undefined>();
	for (const other of fold.open) {
		if (other !== memory && !other.grant) continue;
		for (const touch of other.grant?.bound ?? other.touches) {
			const address = at(touch);
			if (touched.has(address)) continue;
			const version = versionOf(core.registry, touch);
			touched.set(address, version === undefined ? undefined : { ...touch, version });
		}
	}
	return [...touched.values()].filter((touch) => touch !== undefined);
}

function moves({ core }: Conductor, watched: readonly TouchAt[]): Moved[] {
	return watched.flatMap(({ version: before, ...touch }) => {
		const after = versionOf(core.registry, touch) ?? before;
		return after === before ? [] : [{ ...touch, before, after }];
	});
}

/** Waits for an asynchronous act: its answer, its timeout, or the patience of a stop. */
async function wait(
	going: Going & { found: Found },
	out: Promise<Performed>,
	abort: AbortController,
	time: Timer
) {
	const { conductor, grant, found } = going;
	const { clock, patience } = conductor.core;
	const { signal } = abort;
	const ended = await within(clock, out, { ms: time, signal, patience: patience.settleMs });
	if (conductor.isGone) return;
	if (!isUnsure(going, ended)) return settle(going, ended);
	if (ended === 'timeout') abort.abort(reason('timeout'));
	if (typeof ended === 'string')
		void out.then((late) => {
			if (!conductor.isGone) belated(going, late);
		});
	const fact = await probed(conductor.core, found, grant.operation);
	const status = conductor.fold.effects.get(grant.operation)?.entry.status;
	if (conductor.isGone || status !== 'dispatched') return;
	if (fact === 'done') settle(going, { result: { kind: 'done' } });
	else if (fact === 'not-done') settle(going, { result: { kind: 'refuse', reason: reason('not-done') } });
	else settle(going, ended);
}
