import { copyJSON, faultText } from '../journal/copy.js';
import { isErased } from '../journal/stored.js';
import type { TouchAt } from '../journal/kinds.js';
import type { Said } from '../journal/memory.js';
import { reason } from '../protocol/codes.js';
import { join } from '../protocol/labels.js';
import type { Preview, RunState, Step } from '../protocol/run-state.js';
import type { JSONValue, Label, Level, Reason } from '../protocol/words.js';
import { effectiveLevel } from './level.js';
import { demanded, type Found, touchesOf, versionsOf } from './look.js';
import { judge, type PolicyRule } from './policy.js';
import { argsLabel, argSources, isProtected, leaks } from './taint.js';

/** What the policy of an engine says at this moment. @since 0.1.0 */
export interface Policy {
	ceiling: Level;
	user: Level | undefined;
	rules: readonly PolicyRule[];
	version: string;
}

/** Facts about one step, as assess found them. @since 0.1.0 */
export interface Assessed {
	/** Versions at this moment. */
	touches: readonly TouchAt[];
	/** Label of the arguments. */
	label: Label;
	protected: boolean;
	weak: boolean;
	/** A rule demands that the permission says so in the journal. */
	audit: boolean;
	/** Members that are masked in what the step tells the model. */
	redact?: readonly string[];
	/** A standing allowance of the person answered the level. */
	standing: boolean;
	preview?: Preview;
}

/** What is to be done with a step. @since 0.1.0 */
export type Assessment =
	/** `theirs`: the component says so, in its own words, or broke. */
	| { verdict: 'refuse'; reasons: readonly Reason[]; theirs?: true | 'refusal' }
	| { verdict: 'propose' | 'ask' | 'allow'; reasons: readonly Reason[]; facts: Assessed };

/** What assess looks at. @since 0.1.0 */
export interface Case {
	found: Found;
	step: Step;
	/** Label of everything the run was shown. */
	control: Label;
	/** What people said in this run. */
	words: readonly Said[];
	policy: Policy;
	/** Level of the run. */
	level: Level;
	run: () => RunState;
	now: number;
	/** An edit by the person: its values are the person's own. */
	edited?: boolean;
	/** The last look: what was shown is not made again. */
	last?: boolean;
}

/**
 * Decides who must agree to a step. Takes nothing and changes nothing; {@link admit} looks again.
 *
 * Deny beats everything. What cannot be undone is always reviewed; what reaches beyond undo and may have been led by
 * strangers' text is reviewed at every level; for the rest the lowest level decides.
 * @since 0.1.0
 */
export function assess(about: Case): Assessment {
	const { found, step, control, words, policy, now } = about;
	const { entry, act } = found;
	if (isErased(step.args)) return { verdict: 'refuse', reasons: [reason('args-incomplete')] };
	const touched = touchesOf(found, step.args);
	if (!isTouches(touched)) return { verdict: 'refuse', reasons: [touched] };
	const touches = versionsOf(entry, touched);
	if (!Array.isArray(touches)) return { verdict: 'refuse', reasons: [touches] };

	const grounds = { control, words, schema: act.schema };
	const label = about.edited ? step.label : argsLabel(step.args, grounds);
	const { effect, reach } = act;
	const judged = judge(policy.rules, { ...step, effect, reach, label }, entry.kind, about.run, now);
	if (judged.verdict === 'deny') return { verdict: 'refuse', reasons: judged.reasons };

	const seen = about.last ? undefined : previewOf(found, step.args);
	if (seen && 'code' in seen) return { verdict: 'refuse', reasons: [seen], theirs: 'refusal' };
	if (seen && 'threw' in seen) return { verdict: 'refuse', reasons: [seen.threw], theirs: true };

	const exposure = {
		effect: act.effect,
		reach: act.reach,
		clearance: act.clearance,
		sinks: act.act.sinks ?? {},
		args: step.args,
		label,
		...grounds
	};
	const guarded = isProtected(exposure);
	const tainted = guarded && join(control, label).integrity === 'untrusted';
	// What has no effect leaks only where it is protected.
	const leaking = (guarded || act.effect !== 'none') && leaks(exposure);
	const demand = demanded(found, step.args);
	// What an act demands of this very call is no matter of habit.
	const particular = typeof act.level === 'function' && demand === 'review';
	const allowed =
		judged.standing &&
		policy.ceiling === 'auto' &&
		act.effect === 'reversible' &&
		!(tainted || leaking || particular);
	const level = effectiveLevel(policy.ceiling, policy.user, about.level, demand, entry.level);
	const facts: Assessed = {
		touches,
		label,
		protected: guarded,
		// Where the receiver compares nothing, a foreign write may slip in after the last look.
		weak: effect !== 'none' && reach !== 'page' && (act.act.compareAndSet !== true || touches.length === 0),
		audit: judged.audit,
		...(judged.redact.length > 0 ? { redact: judged.redact } : {}),
		standing: allowed && level === 'review',
		...(seen ? { preview: seen } : {})
	};
	// What changes nothing needs no level.
	if (level === 'suggest' && act.effect !== 'none')
		return { verdict: 'propose', reasons: [reason('suggest-only')], facts };

	const reasons: Reason[] = [];
	if (act.effect === 'irreversible') reasons.push(reason('irreversible'));
	const from = () => ({
		sources: join(control, label).sources,
		// An edit is the person's own, argument by argument.
		args: argSources(step.args, about.edited ? { ...grounds, control: { ...label, sources: [] } } : grounds)
	});
	if (tainted) reasons.push(reason('tainted', undefined, from()));
	if (leaking) reasons.push(reason('protected', LEAK, from()));
	if (judged.verdict === 'ask') reasons.push(...judged.reasons);
	if (level === 'review' && act.effect !== 'none' && !allowed) reasons.push(reason('level'));
	return { verdict: reasons.length > 0 ? 'ask' : 'allow', reasons, facts };
}

const LEAK = 'Private values may go along to where they are not meant to go.';

const isTouches = <T>(value: readonly T[] | Reason): value is readonly T[] => Array.isArray(value);

/** The dry run of an act; it may refuse. One that throws refuses too. */
function previewOf(
	{ act, provider }: Found,
	args: JSONValue
): Preview | Reason | { threw: Reason } | undefined {
	try {
		const seen = act.act.preview?.(provider, args);
		if (!seen || seen.kind === 'done') return undefined;
		if (seen.kind === 'fields' || seen.kind === 'text' || seen.kind === 'note') {
			const copy = copyJSON(seen);
			return copy.ok ? (copy.value as unknown as Preview) : { threw: copy.reason };
		}
		if (seen.kind === 'escalate') return undefined;
		const { code, text } = seen.reason;
		return { code: String(code), text: String(text) };
	} catch (error) {
		return { threw: reason('threw', faultText(error)) };
	}
}
