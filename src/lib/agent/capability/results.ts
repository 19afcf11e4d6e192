import type { QuestionSpec } from '../protocol/run-state.js';
import type { JSONValue } from '../protocol/words.js';
import type { ActResult } from './manifest.js';

// Results are told from ordinary values by identity of this mark, so that `expose` may return either.
const made = new WeakSet<object>();
const make = <T extends ActResult>(result: T): ActResult => {
	made.add(result);
	return result;
};

/** Did a result maker build this? @internal */
export const isActResult = (value: unknown): value is ActResult =>
	typeof value === 'object' && value !== null && made.has(value);

/**
 * It happened. `versions` are those the act left behind, by `read` or `read:key`; an asynchronous act must report them, or
 * later steps on the same keys are stale.
 * @since 0.1.0
 */
export const done = (value?: unknown, more?: { versions?: Record<string, string | number> }): ActResult =>
	make({ kind: 'done', ...(value === undefined ? {} : { value: value as JSONValue }), ...more });

/** Nothing happened; try the same operation again, at most twice. @param afterMs wait in milliseconds @since 0.1.0 */
export const retry = (code: string, text: string, afterMs?: number): ActResult =>
	make({ kind: 'retry', reason: { code, text }, ...(afterMs === undefined ? {} : { afterMs }) });

/** Nothing happened and will not; the model gets code and text as content. @since 0.1.0 */
export const refuse = (code: string, text: string): ActResult =>
	make({ kind: 'refuse', reason: { code, text } });

/** Ask a person first; perform is called again with the same operation and the validated answer. @since 0.1.0 */
export const escalate = (question: QuestionSpec): ActResult => make({ kind: 'escalate', question });

/** It may have happened; nobody knows. Never retried without declared idempotency or a probe. @since 0.1.0 */
export const unknown = (code: string, text: string): ActResult =>
	make({ kind: 'unknown', reason: { code, text } });

export { isLabelled, Labelled, labelled } from '../protocol/labelled.js';
