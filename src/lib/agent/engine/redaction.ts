import { bounded } from '../gate/bounded.js';
import type { Policy } from '../gate/assess.js';
import { judge } from '../gate/policy.js';
import { isObject } from '../journal/copy.js';
import type { StepMemory } from '../journal/memory.js';
import type { JSONValue } from '../protocol/words.js';
import type { Conductor } from './conductor.js';
import { MASK } from './mask.js';

/** The policy that holds for a run: that of now, and no looser than the one it is under. */
export const policyOf = ({ core, fold }: Conductor): Policy => bounded(core.policy, fold.policy);

/** Members that a step must not tell: those recorded with it, and those of the rules as they are now. */
export function hiddenOf(conductor: Conductor, { step, redact = [] }: StepMemory): readonly string[] {
	const { core, fold } = conductor;
	const kind = core.registry.entry(step.instance)?.kind ?? '';
	const now = judge(policyOf(conductor).rules, step, kind, () => fold.view(), core.clock.now());
	return [...redact, ...now.redact];
}

/**
 * A copy in which the members at `paths` are masked.
 * @param paths dotted; `*` is any one member of an object or a list
 * @param under where the value may be said to stand: a path may begin with one of these, or with the value's own members
 */
export function masked(
	value: JSONValue,
	paths: readonly string[],
	...under: readonly (readonly string[])[]
): JSONValue {
	if (paths.length === 0) return value;
	const split = paths.map((path) => path.split('.'));
	const rests = [[], ...under].flatMap((prefix) =>
		split
			.filter((path) => prefix.every((name, i) => path[i] === undefined || is(path[i], name)))
			// A path that ends above the value means all of it.
			.map((path) => path.slice(prefix.length))
	);
	return mask(value, rests);
}

const is = (wanted: string, name: string): boolean => wanted === '*' || wanted === name;

function mask(value: JSONValue, paths: readonly (readonly string[])[]): JSONValue {
	if (paths.length === 0) return value;
	if (paths.some((path) => path.length === 0)) return MASK;
	const below = (name: string, member: JSONValue) =>
		mask(
			member,
			paths.filter(([first]) => is(first!, name)).map((path) => path.slice(1))
		);
	if (Array.isArray(value)) return value.map((item, i) => below(String(i), item as JSONValue));
	return isObject(value)
		? // Not by assignment: `__proto__` stays a key.
			Object.fromEntries(
				Object.entries(value).map(([name, member]) => [name, below(name, member as JSONValue)])
			)
		: value;
}
