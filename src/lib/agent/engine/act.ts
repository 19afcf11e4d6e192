import type { ActCall } from '../capability/manifest.js';
import { readVersion } from '../capability/reading.js';
import { providerKey } from '../effects/locks.js';
import { admit, exhausted } from '../gate/admit.js';
import { find, type Found } from '../gate/look.js';
import { at, isClosed, type StepMemory } from '../journal/memory.js';
import type { Grant, Moved, TouchAt } from '../journal/kinds.js';
import { reason } from '../protocol/codes.js';
import type { Reason } from '../protocol/words.js';
import type { Assessment } from '../gate/assess.js';
import { assessStep } from './assess-plan.js';
import { spentUp } from './conduct.js';
import type { Conductor } from './conductor.js';
import { refusal } from './content.js';
import { dispatch, type Performed } from './dispatch.js';
import { belated, declared, type Ended, giveUp, settle, versionsNow } from './settle.js';

/**
 * The walk of one granted step: locks, budget, intent, last look, dispatch, settlement. Locks are released on every path;
 * whatever happens, exactly one outcome is recorded.
 */
export async function carryOut(conductor: Conductor, memory: StepMemory): Promise<void> {
	const { core, fold } = conductor;
	const { step } = memory;
	const found = find(core.registry, step.instance, step.act);
	// While something was waited for, a person may have stopped, steered or paused.
	const held = () =>
		fold.over || fold.stopping || fold.escalations.size > 0 || memory.revision !== fold.revision;
	if (memory.step.status === 'dispatched' && held()) return giveUp(conductor, memory, reason('recovery'));
	const abort = new AbortController();
	conductor.actAbort = abort;
	const release = await lock(conductor, memory, found, abort);
	if (!release) return;
	try {
		const grant = memory.grant;
		if (!grant || held()) return;
		const cost = 'code' in found ? 0 : (found.act.act.cost ?? 0);
		const before = fold.effects.get(grant.operation)?.entry.status;
		if (before !== 'intended' && before !== 'dispatched') {
			const limit = exhausted(fold, step.instance, cost, core.clock.now(), before !== undefined);
			if (limit) {
				const why = spentUp(fold, limit);
				conductor.append('escalation.raised', { verb: 'escalate', key: 'budget', reason: why });
				return;
			}
		}
		if (before === undefined || before === 'withdrawn')
			conductor.append('effect.intended', {
				operation: grant.operation,
				step: step.id,
				expect: grant.bound.map((touch) => ({
					...touch,
					version: memory.expect.get(at(touch)) ?? touch.version
				})),
				cost
			});
		// The last durable line before anything that leaves the page.
		if (step.reach !== 'page' && !(await durable(conductor, abort.signal))) {
			if (!fold.stopping) withdraw(conductor, grant, [reason('store')], 'refused');
			return;
		}
		if (held()) {
			if (!fold.over) withdraw(conductor, grant, [], 'held');
			return;
		}
		const performed = enter(conductor, memory, grant, abort, before === 'dispatched');
		if (performed) await performed;
	} finally {
		release();
		if (conductor.actAbort === abort) conductor.actAbort = undefined;
	}
}

/** Is everything recorded so far safe? Nobody waits for a store after a stop. */
function durable({ house, fold }: Conductor, signal: AbortSignal): Promise<boolean> {
	return Promise.race([house.persist?.barrier(fold.id) ?? true, aborted(signal).then(() => false)]);
}

const aborted = (signal: AbortSignal): Promise<void> =>
	new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener('abort', () => resolve(), { once: true });
	});

async function lock(
	conductor: Conductor,
	memory: StepMemory,
	found: Found | Reason,
	abort: AbortController
): Promise<(() => void) | undefined> {
	const { core } = conductor;
	if ('code' in found) return () => undefined;
	const { act, provider } = found;
	const whole = typeof provider === 'object' && provider !== null ? [providerKey(provider)] : [];
	let keys: readonly string[];
	try {
		keys = act.act.locks?.(provider, memory.step.args) ?? whole;
	} catch {
		keys = whole;
	}
	const timer = new AbortController();
	core.clock.sleep(act.timeoutMs, timer.signal).then(
		() => abort.abort(reason('timeout')),
		() => undefined
	);
	try {
		const taken = core.locks.acquire(keys, abort.signal);
		const release = await Promise.race([taken, aborted(abort.signal)]);
		if (release) return release;
		// Locks that do not heed the signal are given back when they come.
		void taken.then((late) => late()).catch(() => undefined);
		throw abort.signal.reason;
	} catch {
		if (!conductor.fold.stopping && !conductor.fold.over && memory.grant)
			withdrawn(conductor, memory, [reason('locked')]);
		return undefined;
	} finally {
		timer.abort();
	}
}

/** Refuses a step that never came to be intended. */
function withdrawn(conductor: Conductor, memory: StepMemory, reasons: readonly Reason[]): void {
	const { step, call } = memory;
	conductor.close({
		step: step.id,
		status: 'refused',
		reasons,
		performative: 'refuse',
		content: refusal(reasons),
		call
	});
}

function withdraw(
	conductor: Conductor,
	{ operation, step }: Grant,
	reasons: readonly Reason[],
	verdict: 'refused' | 'review' | 'held'
): void {
	conductor.append('effect.withdrawn', { operation, step, verdict, reasons });
}

/** Last look and dispatch in one tick; what comes of it is settled when it is known. */
function enter(
	conductor: Conductor,
	memory: StepMemory,
	grant: Grant,
	abort: AbortController,
	again: boolean
): Promise<void> | undefined {
	const { core, fold } = conductor;
	const { step } = memory;
	const found = find(core.registry, step.instance, step.act);
	const entry = 'code' in found ? undefined : found.entry;
	const versions = entry ? versionsNow(conductor, memory, grant) : [];
	const now = core.clock.now();
	const seen = 'code' in found ? undefined : assessStep(conductor, memory, found, true);
	const admission = admit(
		memory,
		{
			run: fold,
			entry,
			...('code' in found
				? { missing: found.code === 'unknown-instance' ? reason('instance-gone') : found }
				: {}),
			versions,
			denied: seen?.verdict === 'refuse' ? seen.reasons : [],
			unsettled: seen !== undefined && seen.verdict !== 'refuse' && !settles(grant, seen),
			policy: core.policy.version,
			again,
			locked: !abort.signal.aborted,
			cost: fold.effects.get(grant.operation)?.reserved ?? 0
		},
		now
	);
	if (admission.verdict !== 'admitted') {
		const { verdict, reasons } = admission;
		if (again) giveUp(conductor, memory, reasons[0]!);
		else withdraw(conductor, grant, reasons, verdict);
		return undefined;
	}
	if (!again)
		conductor.append('effect.dispatched', {
			verb: 'act',
			operation: grant.operation,
			step: step.id,
			fingerprint: admission.fingerprint
		});
	// A listener may have thrown the engine away; then nothing has happened yet.
	if (conductor.isGone) return undefined;
	if ('code' in found) {
		settle(conductor, memory, grant, undefined, { ended: 'timeout' }, []);
		return undefined;
	}
	const { act, provider } = found;
	const watched = watch(conductor, memory);
	const actor = { ...step.by };
	const call: ActCall = {
		actor,
		run: fold.id,
		step: step.id,
		operation: grant.operation,
		expect: Object.fromEntries(
			grant.bound.map((touch) => [
				touch.key === undefined ? touch.read : `${touch.read}:${touch.key}`,
				memory.expect.get(at(touch)) ?? touch.version
			])
		),
		signal: abort.signal,
		answer: memory.answer
	};
	const out = dispatch(act, provider, step.args, call, actor);
	if (!(out instanceof Promise)) {
		// Synchronous: what moved in this very tick is the run's own write.
		settle(conductor, memory, grant, found, out, moves(conductor, watched), true);
		return undefined;
	}
	return wait(conductor, memory, grant, found, out, abort);
}

/** Is the one who agreed still the one who has to? */
function settles(grant: Grant, seen: Exclude<Assessment, { verdict: 'refuse' }>): boolean {
	if (seen.verdict === 'propose') return false;
	if (grant.how !== 'person') return seen.verdict === 'allow';
	return grant.decidedBy.kind === 'human' || !seen.facts.protected;
}

/** What a synchronous act may move: its own touches, and what other open steps of the run expect. */
function watch({ core, fold }: Conductor, memory: StepMemory): TouchAt[] {
	const touched = new Map<string, TouchAt>();
	for (const other of fold.steps.values()) {
		if (other !== memory && (isClosed(other.step) || !other.grant)) continue;
		for (const touch of other.grant?.bound ?? other.touches) {
			const entry = core.registry.entry(touch.instance);
			const now = entry && readVersion(entry, touch.read, touch.key);
			if (now?.ok) touched.set(at(touch), { ...touch, version: now.version });
		}
	}
	return [...touched.values()];
}

function moves({ core }: Conductor, before: readonly TouchAt[]): Moved[] {
	return before.flatMap(({ instance, read, key, version }): Moved[] => {
		const entry = core.registry.entry(instance);
		const now = entry && readVersion(entry, read, key);
		if (!now?.ok || now.version === version) return [];
		return [{ instance, read, key, before: version, after: now.version }];
	});
}

/** Waits for an asynchronous act: its answer, its timeout, or the patience of a stop. */
async function wait(
	conductor: Conductor,
	memory: StepMemory,
	grant: Grant,
	found: Found,
	out: Promise<Performed>,
	abort: AbortController
): Promise<void> {
	const { core, fold } = conductor;
	const timers = new AbortController();
	const after = (ms: number, ended: 'timeout' | 'stop'): Promise<Ended> =>
		core.clock.sleep(ms, timers.signal).then(
			() => ({ ended }),
			() => new Promise<never>(() => undefined)
		);
	const stopped = new Promise<Ended>((resolve) => {
		const settle = () => after(core.patience.settleMs, 'stop').then(resolve, () => undefined);
		if (abort.signal.aborted) void settle();
		else abort.signal.addEventListener('abort', () => void settle(), { once: true });
	});
	const ended = await Promise.race([out, after(found.act.timeoutMs, 'timeout'), stopped]);
	timers.abort();
	if (conductor.isGone) return;
	if ('ended' in ended) {
		if (ended.ended === 'timeout') abort.abort(reason('timeout'));
		void out.then((late) => {
			if (!conductor.isGone) belated(conductor, grant, late);
		});
		const told = await probed(conductor, grant, found);
		if (conductor.isGone || fold.effects.get(grant.operation)?.entry.status !== 'dispatched') return;
		settle(conductor, memory, grant, found, told ?? ended, []);
		return;
	}
	const reported = 'result' in ended && ended.result.kind === 'done' ? ended.result.versions : undefined;
	settle(conductor, memory, grant, found, ended, declared(memory, reported));
}

/** Asks the receiver what became of an operation that nobody answered for. */
async function probed(
	{ core }: Conductor,
	grant: Grant,
	{ act, provider }: Found
): Promise<Performed | undefined> {
	if (!act.act.probe || act.reach === 'page') return undefined;
	const timer = new AbortController();
	try {
		const fact = await Promise.race([
			act.act.probe(provider, grant.operation),
			core.clock.sleep(act.timeoutMs, timer.signal).then(() => 'unknown' as const)
		]);
		if (fact === 'done') return { result: { kind: 'done' } };
		if (fact === 'not-done') return { result: { kind: 'refuse', reason: reason('not-done') } };
	} catch {
		// A probe that fails tells nothing.
	} finally {
		timer.abort();
	}
	return undefined;
}
