import { type Actor, APP } from '../../actor/actor.js';
import type { FrozenPolicy } from '../protocol/policy.js';
import type { Effect, Level, Reach } from '../protocol/words.js';
import type { Policy } from './assess.js';
import { effectiveLevel } from './level.js';
import { declaredRule, listed, readRule } from './rule.js';

const EFFECTS: readonly Effect[] = ['none', 'reversible', 'irreversible'];
const REACHES: readonly Reach[] = ['page', 'app', 'world'];

/**
 * The policy of this moment, as a run is opened under it: each class of acts that may run without a person, by name.
 * @param level of the run
 * @param by who set the person's level
 * @internal
 */
export function freeze({ ceiling, user, rules }: Policy, level: Level, by: Actor = APP): FrozenPolicy {
	const allowed = user === undefined ? [APP] : [APP, by];
	const runs = (effect: Effect, reach: Reach, tainted: boolean) =>
		effect === 'none' || (effect === 'reversible' && level === 'auto' && (reach === 'page' || !tainted));
	return {
		ceiling: effectiveLevel(ceiling),
		...(user === undefined ? {} : { user: { level: effectiveLevel(user), by } }),
		alone: EFFECTS.flatMap((effect) =>
			REACHES.flatMap((reach) =>
				[false, true]
					.filter((tainted) => runs(effect, reach, tainted))
					.map((tainted) => ({ effect, reach, tainted, by: effect === 'none' ? [] : allowed }))
			)
		),
		rules: listed(rules).flatMap((given) => {
			const rule = readRule(given);
			return rule ? [declaredRule(rule)] : [];
		})
	};
}
