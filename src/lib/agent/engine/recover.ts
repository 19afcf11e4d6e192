import { APP } from '../../actor/actor.js';
import { reason } from '../protocol/codes.js';
import type { EffectEntry, RecoveryReport } from '../protocol/run-state.js';
import type { Conductor } from './conductor.js';
import { onDemand } from './on-demand.js';
import type { AgentOptions } from './options.js';

type Recovery = NonNullable<AgentOptions['recovery']>;

/** Are there runs that can be dealt with only by what is loaded with a run: by looking whether they acted, by going on? */
export const needsTurnSide = (conductors: readonly Conductor[], how: Recovery): boolean =>
	conductors.some(
		({ fold }) =>
			!fold.over &&
			(how !== 'return' || [...fold.effects.values()].some(({ entry }) => isUnderWay(entry.status)))
	);

const isUnderWay = (status: EffectEntry['status']): boolean =>
	status === 'intended' || status === 'dispatched';

/**
 * Deals with runs that another engine left open. What was intended and has no outcome may have happened: it is unknown,
 * unless it cannot leave this page and the page shows that it did not.
 */
export function recover(conductors: readonly Conductor[], how: Recovery): RecoveryReport {
	const { turnSide } = onDemand;
	const returned: string[] = [];
	const resumed: string[] = [];
	const unknown: string[] = [];
	for (const conductor of conductors) {
		const { fold } = conductor;
		if (fold.over) continue;
		// What somebody altered is nobody's plan any more.
		const altered = fold.stopping?.reason?.code.startsWith('record-') ? fold.stopping.reason : undefined;
		const way = altered ? 'return' : typeof how === 'function' ? how(fold.view()) : how;
		for (const { entry, until = 0 } of [...fold.effects.values()]) {
			if (!isUnderWay(entry.status)) continue;
			const memory = fold.steps.get(entry.step)!;
			// Released for another try: nothing is under way.
			if (!memory.grant) continue;
			// Within the page an act is dispatched in the tick in which it is intended: this one was not.
			if (entry.status === 'intended' && entry.reach === 'page') continue;
			if (
				way === 'resume' &&
				!fold.taken &&
				entry.reach === 'page' &&
				turnSide!.unmoved(conductor, memory, memory.grant)
			)
				continue;
			const { operation, step } = entry;
			// The receiver still does it once, however often it is asked: what was under way is sent again.
			if (way === 'resume' && conductor.core.clock.now() < until && entry.status === 'dispatched') {
				const more = { why: 'retry', reason: reason('recovery'), unsure: true } as const;
				conductor.append('effect.released', { operation, step, ...more }, APP);
				continue;
			}
			turnSide!.giveUp(conductor, memory, reason('recovery'));
			unknown.push(operation);
		}
		if (way === 'resume') {
			resumed.push(fold.id);
			continue;
		}
		const why = altered ?? reason('recovery');
		if (!altered) conductor.append('stop.requested', { reason: why }, APP);
		conductor.end({ reason: why });
		returned.push(fold.id);
	}
	return { returned, resumed, unknown };
}
