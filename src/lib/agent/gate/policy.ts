import { canonicalJSON } from '../protocol/canonical-json.js';
import { LIMITS } from '../protocol/budget.js';
import { ERASED } from '../journal/stored.js';
import { join } from '../protocol/labels.js';
import type { PolicyRule } from '../protocol/policy.js';
import type { RunState, Step } from '../protocol/run-state.js';
import { reason } from '../protocol/codes.js';
import type { Budget, JSONValue, Label, Reason } from '../protocol/words.js';
import { faultOf, held, isExact, listed, takeRule } from './rule.js';

export type { Obligation, PolicyRule } from '../protocol/policy.js';

/** What the rules say of one step. @since 0.1.0 */
export interface Judgement {
	verdict: 'deny' | 'ask' | 'allow' | 'none';
	reasons: readonly Reason[];
	/** An `allow` of the person that names exactly this call, for a time. */
	standing: boolean;
	audit: boolean;
	/** Members that are masked in what the step tells the model. */
	redact: readonly string[];
}

const WEIGHT = { none: 0, allow: 1, ask: 2, deny: 3 } as const;

/**
 * Judges one step by all rules. Total: malformed rules, rules that throw and unknown obligations deny.
 * @param blind the arguments are not known yet: rules that ask for them do not count
 * @since 0.1.0
 */
export function judge(
	rules: readonly PolicyRule[],
	step: Step,
	kind: string,
	run: () => RunState,
	now: number,
	blind = false
): Judgement {
	let verdict: Judgement['verdict'] = 'none';
	let reasons: Reason[] = [];
	let standing = false;
	let audit = false;
	const redact: string[] = [];
	const say = (next: 'deny' | 'ask' | 'allow', why: Reason) => {
		if (WEIGHT[next] > WEIGHT[verdict]) {
			verdict = next;
			reasons = [why];
		} else if (next === verdict) reasons.push(why);
	};
	listed(rules).forEach((given, at) => {
		try {
			const rule = takeRule(given);
			if (blind && (rule.when ?? rule.args)) return;
			if (!applies(rule, at, step, kind, run, now)) return;
			say(rule.verdict, reason(rule.verdict === 'deny' ? 'denied' : 'rule', rule.reason));
			if (rule.verdict === 'allow' && rule.by === 'user' && isExact(rule, step.args)) standing = true;
			for (const duty of rule.obligations ?? []) {
				if (duty.kind === 'require-approval') say('ask', reason('rule', rule.reason));
				else if (duty.kind === 'audit-enhanced') audit = true;
				else if (duty.kind === 'redact') redact.push(...duty.paths);
				else {
					const limit = spentUp(duty.budget, step, run());
					if (limit) say('deny', reason(`budget.${limit}`, rule.reason));
				}
			}
		} catch (error) {
			say('deny', reason('denied', faultOf(at, error)));
		}
	});
	return { verdict, reasons, standing, audit, redact };
}

function applies(
	rule: PolicyRule,
	at: number,
	step: Step,
	kind: string,
	run: () => RunState,
	now: number
): boolean {
	const { args, label } = rule;
	if (rule.until !== undefined && now >= rule.until) return false;
	if (rule.kind !== undefined && rule.kind !== kind) return false;
	if (rule.act !== undefined && rule.act !== step.act) return false;
	if (rule.instance !== undefined && rule.instance !== step.instance) return false;
	if (rule.effect !== undefined && rule.effect !== step.effect) return false;
	if (rule.reach !== undefined && rule.reach !== step.reach) return false;
	if (args && !holds(step.args, args)) return false;
	// Arguments alone do not say it: an act may have none.
	if (label && !meets(label, join(step.label, run().label), rule.verdict === 'allow')) return false;
	return rule.when === undefined || held(rule.when, at, step, run());
}

/** Are all the named arguments there, and equal? */
const holds = (given: JSONValue, wanted: Readonly<Record<string, JSONValue>>): boolean =>
	typeof given === 'object' &&
	given !== null &&
	Object.entries(wanted).every(
		([name, value]) =>
			Object.hasOwn(given, name) &&
			canonicalJSON((given as Record<string, JSONValue>)[name]!) === canonicalJSON(value)
	);

const INTEGRITY: readonly string[] = ['trusted', 'untrusted'];
const CONFIDENTIALITY: readonly string[] = ['public', 'page', 'private'];

/** Is a label as bad as the wanted one, or, for what allows, as good? */
function meets(wanted: NonNullable<PolicyRule['label']>, found: Label, allows: boolean): boolean {
	const { integrity, confidentiality, source } = wanted;
	const within = (order: readonly string[], a: string | undefined, b: string) =>
		a === undefined || (allows ? order.indexOf(b) <= order.indexOf(a) : order.indexOf(b) >= order.indexOf(a));
	const is = (one: string) =>
		one === source ||
		(/^[.:]/.test(one.slice(source!.length)) && one.startsWith(source!)) ||
		// It may have been that one.
		(one === ERASED && !allows);
	return (
		within(INTEGRITY, integrity, found.integrity) &&
		within(CONFIDENTIALITY, confidentiality, found.confidentiality) &&
		(source === undefined || (allows ? found.sources.every(is) : found.sources.some(is)))
	);
}

/** The first limit of a cap that one more act would exceed. */
function spentUp(cap: Partial<Budget>, step: Step, run: RunState): keyof Budget | undefined {
	const { spent } = run.budget;
	// At the last look the step has been counted already.
	const more = run.effects.some((effect) => effect.step === step.id) ? 0 : 1;
	const here = run.effects.filter(({ instance }) => instance === step.instance).length;
	return LIMITS.find((limit) => {
		const most = cap[limit];
		if (most === undefined) return false;
		if (limit === 'actsPerInstance') return here + more > most;
		return spent[limit] + (limit === 'acts' || limit === 'actsPerMinute' ? more : 0) > most;
	});
}
