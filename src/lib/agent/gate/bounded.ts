import { canonicalJSON } from '../protocol/canonical-json.js';
import type { DeclaredRule, FrozenPolicy, PolicyRule } from '../protocol/policy.js';
import type { JSONValue } from '../protocol/words.js';
import type { Policy } from './assess.js';
import { effectiveLevel } from './level.js';
import { declaredRule, listed, readRule } from './rule.js';

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
