import type { RunState } from '../../protocol/run-state.js';
import type { JSONValue, Reason } from '../../protocol/words.js';

/** What is mounted, as far as it is told. @since 0.1.0 */
export interface AgUiInstances {
	readonly instances: readonly { id: string; kind: string; parent?: string; ready: boolean }[];
}

const codes = (reasons: readonly Reason[]) => reasons.map(({ code }) => code);

/**
 * A run as an outside client may know it: ids, names of acts, states, codes and figures, all coined by the app or by the
 * engine. No value of a read, argument, preview, result or answer is in it, no text that a person, a model or a component
 * wrote, and nobody's id.
 * @since 0.1.0
 */
export function agUiPicture(run: RunState, mounted?: AgUiInstances): JSONValue {
	const { id, thread, parent, successorOf, state, activity, level, revision, budget, label, undone } = run;
	return plain({
		run: { id, thread, parent, successorOf, state, activity, level, revision, undone },
		agent: run.agent,
		principal: run.principal.kind,
		outcome: run.outcome && { kind: run.outcome.kind, code: run.outcome.reason?.code },
		waits: codes(run.escalations),
		steps: run.steps.map((step) => ({
			id: step.id,
			// A name that only the model knows is its own text.
			instance: step.reasons.some(({ code }) => code === 'unknown-instance') ? undefined : step.instance,
			act: step.act,
			effect: step.effect,
			reach: step.reach,
			status: step.status,
			asks: step.asks,
			codes: codes(step.reasons),
			edited: step.proposed !== undefined || undefined,
			weak: step.weak
		})),
		reviews: run.reviews.map(({ id, steps, reasons, fingerprint, expiresAt, status }) => ({
			id,
			steps,
			codes: codes(reasons),
			fingerprint,
			expiresAt,
			status
		})),
		questions: run.questions.map(({ id, reason, expiresAt, status }) => ({ id, reason, expiresAt, status })),
		effects: run.effects.map(({ operation, step, status, how, cost }) => ({
			operation,
			step,
			status,
			how,
			cost
		})),
		budget,
		label: { integrity: label.integrity, confidentiality: label.confidentiality, origins: label.origins },
		leftOut: run.leftOut,
		participants: mounted?.instances.map(({ id, kind, parent, ready }) => ({ id, kind, parent, ready }))
	});
}

/** As it comes out of JSON: members that are undefined are none. */
const plain = (value: object): JSONValue => JSON.parse(JSON.stringify(value)) as JSONValue;
