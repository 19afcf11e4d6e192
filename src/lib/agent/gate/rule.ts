import { copyJSON, isObject } from '../journal/copy.js';
import { canonicalJSON } from '../protocol/canonical-json.js';
import { LIMITS } from '../protocol/budget.js';
import type { DeclaredRule, PolicyRule } from '../protocol/policy.js';
import type { RunState, Step } from '../protocol/run-state.js';
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

type Field = readonly [fits: Fits, wanted: string];

const wordOf = (...words: string[]): Field => [among(...words), words.join(' or ')];
const TEXT: Field = [isText, 'a text'];

/** What each field of a rule may hold. */
const FIELDS: Readonly<Record<keyof PolicyRule, Field>> = {
	by: wordOf('app', 'user'),
	verdict: wordOf('deny', 'ask', 'allow'),
	kind: TEXT,
	act: TEXT,
	instance: TEXT,
	effect: wordOf('none', 'reversible', 'irreversible'),
	reach: wordOf('page', 'app', 'world'),
	args: [isObject, 'an object'],
	label: [
		made(
			{
				integrity: among('trusted', 'untrusted'),
				confidentiality: among('public', 'page', 'private'),
				source: isText
			},
			1
		),
		'{ integrity, confidentiality, source }'
	],
	when: [(value) => typeof value === 'function', 'a function'],
	reason: [(value) => isText(value) && (value as string).trim() !== '', 'a text that says why'],
	obligations: [
		(duties) => Array.isArray(duties) && duties.every((duty) => DUTIES.some((fits) => fits(duty))),
		'a list of known obligations'
	],
	until: [(value) => typeof value === 'number' && !Number.isNaN(value), 'milliseconds since the epoch']
};

/** What is wrong with one field; what it holds is for whoever wrote it, not for a model. */
class Fault extends TypeError {
	constructor(
		readonly field: string,
		readonly wrong = ''
	) {
		super(field);
	}
}

/** In few words what stands in a field. */
function shown(value: unknown): string {
	try {
		return (JSON.stringify(value) ?? String(value)).slice(0, 60);
	} catch {
		return typeof value;
	}
}

/**
 * A rule as a copy of its own, each field read once: what was checked is what holds.
 * @throws where it is none
 * @internal
 */
export function takeRule(rule: PolicyRule): PolicyRule {
	const own: Record<string, unknown> = {};
	for (const name of new Set([...Object.keys(FIELDS), ...Object.keys(rule)])) {
		const given = (rule as unknown as Record<string, unknown>)[name];
		if (given === undefined && name !== 'verdict' && name !== 'reason') continue;
		const copy = typeof given === 'object' ? copyJSON(given) : { ok: true, value: given };
		if (!Object.hasOwn(FIELDS, name)) throw new Fault(name, 'is no field of a rule');
		const [fits, wanted] = FIELDS[name as keyof PolicyRule];
		if (!copy.ok || !fits(copy.value)) throw new Fault(name, `is ${shown(given)}, not ${wanted}`);
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
 * What is wrong with rules, one sentence each, for whoever wrote them: what cannot be used, and what can never answer a review.
 * @internal
 */
export const ruleFaults = (rules: readonly PolicyRule[]): string[] =>
	listed(rules).flatMap((rule, i) => {
		try {
			const missing = missingIn(takeRule(rule));
			return missing.length > 0
				? [`Rule ${i + 1} of the policy answers no review: an "allow" needs ${missing.join(', ')}.`]
				: [];
		} catch (error) {
			return [faultOf(i, error, true)];
		}
	});

/** What an `allow` would need besides; one that is there for its obligations needs nothing. */
function missingIn({ verdict, by, act, instance, args, when, until, effect, obligations }: PolicyRule) {
	if (verdict !== 'allow' || obligations?.length) return [];
	const needs = {
		"by: 'user'": by === 'user',
		act: act !== undefined,
		instance: instance !== undefined,
		'args or when': (args ?? when) !== undefined,
		'a finite until': Number.isFinite(until),
		'an effect that can be undone': effect !== 'irreversible'
	};
	return Object.entries(needs).flatMap(([need, met]) => (met ? [] : [need]));
}

/**
 * Which rule failed, and where; never what it threw: that may be anything.
 * @param whole with what stands there and what should
 * @internal
 */
export const faultOf = (at: number, error: unknown, whole = false): string => {
	const field = error instanceof Fault ? ` ("${error.field}"${whole ? ` ${error.wrong}` : ''})` : '';
	return `Rule ${at + 1} of the policy cannot be used${field}: it denies every step.`;
};

const told = new WeakSet<NonNullable<PolicyRule['when']>>();

/**
 * Does the condition of a rule hold? What it does wrong is told once on the console.
 * @throws where it says neither true nor false
 * @internal
 */
export function held(when: NonNullable<PolicyRule['when']>, at: number, step: Step, run: RunState): boolean {
	let wrong = 'threw';
	let cause: unknown;
	try {
		const said: unknown = when(step, run);
		if (typeof said === 'boolean') return said;
		wrong = `is ${said instanceof Promise ? 'asynchronous' : shown(said)}, not true or false`;
		// Nobody waits for it: what becomes of it is nobody's.
		Promise.resolve(said).catch(() => undefined);
	} catch (error) {
		cause = error;
	}
	const fault = new Fault('when', wrong);
	if (!told.has(when)) console.error(faultOf(at, fault, true), ...(cause === undefined ? [] : [cause]));
	told.add(when);
	throw fault;
}

/** Does the rule say exactly which call it is about, and until when? @internal */
export const isExact = ({ act, instance, args, when, until }: PolicyRule, given: JSONValue): boolean =>
	act !== undefined &&
	instance !== undefined &&
	Number.isFinite(until) &&
	(when !== undefined || (args !== undefined && canonicalJSON(args) === canonicalJSON(given)));
