import { type Actor, APP } from '../../actor/actor.js';
import { canonicalJSON } from '../protocol/canonical-json.js';
import type { DeclaredRule, FrozenPolicy, PolicyRule } from '../protocol/policy.js';
import type { Effect, JSONValue, Level, Reach } from '../protocol/words.js';
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

const key = (rule: DeclaredRule): string => canonicalJSON(rule as unknown as JSONValue);

/**
 * The policy of now under the one the run was opened with as an upper bound. What was tightened counts. What was loosened does
 * not: a rule that is gone still holds, or, where it had a condition, which went with it, asks; a new allowance allows
 * nothing, and its duties count.
 * @internal
 */
export function bounded(now: Policy, frozen: FrozenPolicy | undefined): Policy {
	if (!frozen) return now;
	const gone = new Map(frozen.rules.map((rule) => [key(rule), rule]));
	const rules = listed(now.rules).map((given): PolicyRule => {
		const rule = readRule(given);
		// Judging it says what is wrong with it.
		if (!rule) return given;
		const known = gone.delete(key(declaredRule(rule)));
		return known || rule.verdict !== 'allow' ? rule : { ...rule, by: 'app' };
	});
	for (const { when, ...rule } of gone.values())
		if (rule.verdict === 'allow') rules.push({ ...rule, by: 'app' });
		else rules.push(when ? { ...rule, verdict: 'ask' } : rule);
	return { ...now, ceiling: effectiveLevel(frozen.ceiling, now.ceiling), rules };
}
