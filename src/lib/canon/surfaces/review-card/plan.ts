import type { Review, RunState, Step } from '../../../agent/protocol/run-state.js';
import type { Reason } from '../../../agent/protocol/words.js';
import type { StepDraft } from './draft.svelte.js';

/** One step as the card shows it. @since 0.1.0 */
export interface ReviewStep {
	/** From 1, in the order in which the steps run. */
	number: number;
	step: Step;
	/** Undefined where policy alone decides. */
	draft: StepDraft | undefined;
}

/** One step that asks. @since 0.1.0 */
export type AskedStep = ReviewStep & { draft: StepDraft };

/** Steps that do the same in the same place: those in a row, of very many all of them. @since 0.1.0 */
export interface ReviewGroup {
	key: string;
	steps: readonly ReviewStep[];
	/** Many of a kind: decided together as well as one by one. */
	many: boolean;
}

/** Fewer steps than this are never grouped. */
const GROUP_FROM = 5;

/** Every step of the plan under review in order: those that ask, and those that run by policy. */
export function stepsOf(
	review: Review,
	run: RunState,
	draftOf: (step: Step) => StepDraft
): readonly ReviewStep[] {
	const asks = ({ id }: Step) => review.steps.includes(id);
	const plan = run.plan?.steps ?? [];
	const isCurrent = plan.filter(asks).length === review.steps.length;
	return (isCurrent ? plan : run.steps)
		.filter((step) => asks(step) || (isCurrent && step.asks === 'policy' && !isOver(step)))
		.map((step, index) => ({ number: index + 1, step, draft: asks(step) ? draftOf(step) : undefined }));
}

const isOver = ({ status }: Step): boolean => !['proposed', 'granted', 'waiting'].includes(status);

/** What does the same in the same place, together: neighbours, or with `all` wherever in the plan they stand. */
export function groupsOf(steps: readonly ReviewStep[], all: boolean): readonly ReviewGroup[] {
	const groups: { kind: string; steps: ReviewStep[] }[] = [];
	for (const one of steps) {
		const kind = [one.step.instance, one.step.act, one.step.effect, !one.draft].join('\n');
		const last = all ? groups.find((group) => group.kind === kind) : groups.at(-1);
		if (last?.kind === kind) last.steps.push(one);
		else groups.push({ kind, steps: [one] });
	}
	return groups.map(({ steps }) => ({
		key: steps[0]!.step.id,
		steps,
		many: steps.length >= GROUP_FROM
	}));
}

/** Why somebody is asked, where it is the same for all of several steps: said once. @param say puts a reason into words */
export function sharedReasons(
	asked: readonly ReviewStep[],
	say: (reason: Reason) => string
): readonly string[] {
	const all = asked.map(({ step }) => step.reasons.map((one) => ({ code: one.code, said: say(one) })));
	if (all.length < 2) return [];
	// The level holds for every step, also where another reason would have asked anyway.
	const held = all
		.flat()
		.filter(
			({ code, said }) => code === 'level' || all.every((list) => list.some((one) => one.said === said))
		);
	return [...new Set(held.map(({ said }) => said))];
}
