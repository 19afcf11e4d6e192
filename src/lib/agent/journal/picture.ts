import { NOTHING } from '../protocol/budget.js';
import { strange } from '../protocol/labels.js';
import type { RunState } from '../protocol/run-state.js';
import { compact } from './compact.js';
import { deepFreeze } from './copy.js';
import type { Fold } from './fold.js';
import { type Omission, spread } from './left-out.js';

const NONE: readonly Omission[] = [];

/** The public picture of a run: immutable, plain JSON, language-neutral. */
export function picture(run: Fold): RunState {
	const { id, principal, revision, level, state, activity, label, limit, spent, undone, reserve } = run;
	const { thread, root, parent, successorOf, agent, goal, contract } = run.opened;
	const steps = [...run.steps.values()].map(({ step }) => step);
	const effects = [...run.effects.values()].map(({ entry }) => entry);
	const { kind, reason, text, value } = run.ended ?? {};
	return deepFreeze(
		compact({
			id,
			thread,
			root,
			parent,
			successorOf,
			principal,
			agent: { id: agent.id, version: agent.version },
			goal,
			revision,
			level,
			contract,
			state,
			activity,
			escalations: [...run.escalations.values()],
			turns: run.turns.map(({ id, text, closed }) => ({
				id,
				text,
				calls: closed?.calls.map((call) => call.id) ?? [],
				usage: closed?.usage
			})),
			calls: [...run.calls.values()],
			steps,
			plan: run.plan && {
				turn: run.plan.turn ?? '',
				steps: run.planSteps.map(({ step }) => step)
			},
			leftOut: spread(run.turn?.opened.leftOut ?? NONE),
			revisions: [...run.revisions],
			transitions: [...run.transitions],
			reviews: [...run.reviews.values()],
			questions: [...run.questions.values()].map(({ question }) => question),
			budget: {
				limit,
				spent,
				reserved: {
					...NOTHING,
					turns: reserve.turns,
					tokens: reserve.tokens + run.reservedTokens,
					cost: run.reservedCost
				}
			},
			label,
			shared: run.shared && { ...run.shared, label: strange(run.shared.by) },
			effects,
			outcome: kind && { kind, effects, spent, reason, text, value },
			undone
		})
	);
}
