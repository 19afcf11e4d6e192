import { find, type Found } from '../gate/look.js';
import { reason } from '../protocol/codes.js';
import type { Conductor } from './conductor.js';
import type { Core } from './core.js';

/** What a receiver says of an operation. */
type Fact = 'done' | 'not-done' | 'unknown';

/** Asks the receiver what became of an operation that nobody answered for, as long as the act itself may take. */
export async function probed(core: Core, { act, provider }: Found, operation: string): Promise<Fact> {
	const { timeoutMs, reach } = act;
	if (!act.act.probe || reach === 'page') return 'unknown';
	const timer = new AbortController();
	try {
		const fact = await Promise.race([
			act.act.probe(provider, operation),
			core.clock.sleep(timeoutMs, timer.signal)
		]);
		return fact === 'done' || fact === 'not-done' ? fact : 'unknown';
	} catch {
		// A probe that fails tells nothing.
		return 'unknown';
	} finally {
		timer.abort();
	}
}

/** Which component was asked about which operation: a remount is asked anew. */
const asked = new WeakMap<object, Set<string>>();

/**
 * Asks the receivers of all effects of a run of which nobody knows what became, as far as their components are mounted. What
 * they do not know either stays a person's to settle.
 */
export async function reconcile(conductor: Conductor): Promise<void> {
	const { core } = conductor;
	for (const { entry } of [...conductor.fold.unsettled]) {
		const { operation, instance, act } = entry;
		const found = find(core.registry, instance, act);
		if ('code' in found || !found.act.act.probe) continue;
		const before = asked.get(found.entry) ?? new Set();
		if (before.has(operation)) continue;
		asked.set(found.entry, before.add(operation));
		const fact = await probed(core, found, operation);
		if (fact === 'unknown' || conductor.isGone || !conductor.fold.effects.get(operation)?.open) continue;
		const told =
			fact === 'done'
				? { status: 'confirmed' as const }
				: { status: 'failed' as const, reason: reason('not-done') };
		conductor.append('effect.late', { operation, ...told });
		conductor.drive();
	}
}
