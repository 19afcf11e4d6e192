import { copyJSON, isObject } from '../journal/copy.js';
import { canonicalJSON } from '../protocol/canonical-json.js';
import { LIMITS } from '../protocol/budget.js';
import type { DeclaredRule, PolicyRule } from '../protocol/policy.js';
import type { JSONValue } from '../protocol/words.js';

type Fits = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Fits>>;

const isText: Fits = (value) => typeof value === 'string';
const isAmount: Fits = (value) => typeof value === 'number' && value >= 0;
const among =
	(...words: unknown[]): Fits =>
	(value) =>
		words.includes(value);

/** Has it these members and no other? @param least how many of them at the least */
const made =
	(fields: Fields, least = 0): Fits =>
	(value) =>
		isObject(value) &&
		Object.keys(value).length >= least &&
		Object.entries(value).every(([name, member]) => Object.hasOwn(fields, name) && fields[name]!(member));

/** Dotted names, none of them empty. */
const isPath: Fits = (path) => isText(path) && (path as string).split('.').every((name) => name !== '');

const DUTIES: readonly Fits[] = [
	made({ kind: among('require-approval', 'audit-enhanced') }, 1),
	made(
		{
			kind: among('cap-budget'),
			budget: made(Object.fromEntries(LIMITS.map((limit) => [limit, isAmount])), 1)
		},
		2
	),
	made(
		{
			kind: among('redact'),
			paths: (paths) => Array.isArray(paths) && paths.length > 0 && paths.every(isPath)
		},
		2
	)
];

/** What each field of a rule may hold. */
const FIELDS: Readonly<Record<keyof PolicyRule, Fits>> = {
	by: among('app', 'user'),
	verdict: among('deny', 'ask', 'allow'),
	kind: isText,
	act: isText,
	instance: isText,
	effect: among('none', 'reversible', 'irreversible'),
	reach: among('page', 'app', 'world'),
	args: isObject,
	label: made(
		{
			integrity: among('trusted', 'untrusted'),
			confidentiality: among('public', 'page', 'private'),
			source: isText
		},
		1
	),
	when: (value) => typeof value === 'function',
	reason: isText,
	obligations: (duties) => Array.isArray(duties) && duties.every((duty) => DUTIES.some((fits) => fits(duty))),
	until: (value) => typeof value === 'number' && !Number.isNaN(value)
};

/**
 * A rule as a copy of its own, each field read once: what was checked is what holds.
 * @throws where it is none; the message names the field
 * @internal
 */
export function takeRule(rule: PolicyRule): PolicyRule {
	const own: Record<string, unknown> = {};
	for (const name of new Set([...Object.keys(FIELDS), ...Object.keys(rule)])) {
		const given = (rule as unknown as Record<string, unknown>)[name];
		if (given === undefined && name !== 'verdict' && name !== 'reason') continue;
		const copy = typeof given === 'object' ? copyJSON(given) : { ok: true, value: given };
		if (!copy.ok || !Object.hasOwn(FIELDS, name) || !FIELDS[name as keyof PolicyRule](copy.value))
			throw new TypeError(`"${name}"`);
		own[name] = copy.value;
	}
	return own as unknown as PolicyRule;
}

/** The rules one by one. What is no list is one rule that cannot be read. @internal */
export function listed(rules: readonly PolicyRule[]): readonly PolicyRule[] {
	try {
		return [...rules];
	} catch {
		return [null as never];
	}
}

/** A rule that can be read, as a copy of its own. @internal */
export function readRule(rule: PolicyRule): PolicyRule | undefined {
	try {
		return takeRule(rule);
	} catch {
		return undefined;
	}
}

/** A rule as it is recorded. @internal */
export const declaredRule = ({ when, until, ...rest }: PolicyRule): DeclaredRule => ({
	...rest,
	// JSON knows no infinity; without an end it means the same.
	...(until === undefined || until === Infinity ? {} : { until: Math.max(until, 0) }),
	...(when ? { when: true } : {})
});

/**
 * What is wrong with rules, one sentence each, for whoever wrote them.
 * @internal
 */
export const ruleFaults = (rules: readonly PolicyRule[]): string[] =>
	listed(rules).flatMap((rule, i) => {
		try {
			takeRule(rule);
			return [];
		} catch (error) {
			return [faultOf(i, error)];
		}
	});

/** Which rule failed, and where; never what it threw: that may be anything. @internal */
export const faultOf = (at: number, error: unknown): string => {
	const field = error instanceof TypeError && /^"\w+"$/.test(error.message) ? ` (${error.message})` : '';
	return `Rule ${at + 1} of the policy cannot be used${field}: it denies every step.`;
};

/** Does the rule say exactly which call it is about, and until when? @internal */
export const isExact = ({ act, instance, args, when, until }: PolicyRule, given: JSONValue): boolean =>
	act !== undefined &&
	instance !== undefined &&
	Number.isFinite(until) &&
	(when !== undefined || (args !== undefined && canonicalJSON(args) === canonicalJSON(given)));
