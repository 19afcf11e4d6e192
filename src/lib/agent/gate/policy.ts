import { LIMITS } from '../protocol/budget.js';
import type { RunState, Step } from '../protocol/run-state.js';
import { reason } from '../protocol/codes.js';
import type { Budget, Reason } from '../protocol/words.js';

/** A duty that comes with a verdict. One the gate does not know, or cannot honour, denies. @since 0.1.0 */
export type Obligation =
	| { kind: 'require-approval' }
	| { kind: 'cap-budget'; budget: Partial<Budget> }
	| { kind: 'redact'; paths: readonly string[] }
	| { kind: 'audit-enhanced' };

/**
 * One rule of a policy. Every field that is given must match. Deny beats ask beats allow, in any order and from any source.
 * An `allow` of the person is a standing grant for reversible acts where the app's ceiling is auto; an `allow` of the app
 * loosens nothing.
 * @since 0.1.0
 */
export interface PolicyRule {
	/** @default 'app' */
	by?: 'app' | 'user';
	verdict: 'deny' | 'ask' | 'allow';
	kind?: string;
	act?: string;
	instance?: string;
	/** Pure and synchronous. A rule that throws denies. */
	when?: (step: Step, run: RunState) => boolean;
	/** Shown to the person and told to the model. */
	reason: string;
	obligations?: readonly Obligation[];
	/** Milliseconds since the epoch; afterwards the rule is void. */
	until?: number;
}

/** What the rules say of one step. @since 0.1.0 */
export interface Judgement {
	verdict: 'deny' | 'ask' | 'allow' | 'none';
	reasons: readonly Reason[];
	/** A matching `allow` of the person. */
	standing: boolean;
	audit: boolean;
}

const WEIGHT = { none: 0, allow: 1, ask: 2, deny: 3 } as const;

/**
 * Judges one step by all rules. Total: malformed rules, rules that throw and unknown obligations deny.
 * @since 0.1.0
 */
export function judge(
	rules: readonly PolicyRule[],
	step: Step,
	kind: string,
	run: () => RunState,
	now: number
): Judgement {
	let verdict: Judgement['verdict'] = 'none';
	let reasons: Reason[] = [];
	let standing = false;
	let audit = false;
	const say = (next: 'deny' | 'ask' | 'allow', why: Reason) => {
		if (WEIGHT[next] > WEIGHT[verdict]) {
			verdict = next;
			reasons = [why];
		} else if (next === verdict) reasons.push(why);
	};
	for (const rule of rules) {
		try {
			if (!applies(rule, step, kind, run, now)) continue;
			if (!Object.hasOwn(WEIGHT, rule.verdict) || (rule.verdict as string) === 'none')
				throw new TypeError(`unknown verdict ${String(rule.verdict)}`);
			say(rule.verdict, reason(rule.verdict === 'deny' ? 'denied' : 'rule', rule.reason));
			if (rule.verdict === 'allow' && rule.by === 'user') standing = true;
			for (const duty of rule.obligations ?? []) {
				if (duty.kind === 'require-approval') say('ask', reason('rule', rule.reason));
				else if (duty.kind === 'audit-enhanced') audit = true;
				else if (duty.kind === 'cap-budget') {
					const limit = spentUp(duty.budget, step, run());
					if (limit) say('deny', reason(`budget.${limit}`, rule.reason));
				} else say('deny', reason('denied', `A rule demands "${duty.kind}", which cannot be honoured.`));
			}
		} catch {
			say('deny', reason('denied', 'A policy rule failed, so nothing is allowed by it.'));
		}
	}
	return { verdict, reasons, standing, audit };
}

function applies(rule: PolicyRule, step: Step, kind: string, run: () => RunState, now: number): boolean {
	if (rule.until !== undefined && now >= rule.until) return false;
	if (rule.kind !== undefined && rule.kind !== kind) return false;
	if (rule.act !== undefined && rule.act !== step.act) return false;
	if (rule.instance !== undefined && rule.instance !== step.instance) return false;
	const held: unknown = rule.when === undefined || rule.when(step, run());
	if (typeof held !== 'boolean') throw new TypeError('"when" gave no boolean.');
	return held;
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
