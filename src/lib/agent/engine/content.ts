import { compact } from '../journal/compact.js';
import type { JSONValue, Reason } from '../protocol/words.js';
import type { Issue } from '../protocol/run-state.js';

/** Longest JSON of one fresh value in a result. */
const CAP = 4000;

/** Fresh state of what a step touched, by `read` or `read:key`. */
export type Fresh = Readonly<Record<string, JSONValue>>;

/** A value as a result may carry it: long ones are cut, and say so. */
export function capped(value: JSONValue): JSONValue {
	const json = JSON.stringify(value);
	return json.length <= CAP ? value : { cut: json.slice(0, CAP), length: json.length };
}

const plain = ({ code, text }: Reason): JSONValue => ({ code, text });

const state = (fresh: Fresh): Record<string, JSONValue> =>
	Object.keys(fresh).length > 0 ? { state: fresh } : {};

/** Why something was not done. The force is told by the performative, never by the wording. */
export const refusal = (
	reasons: readonly Reason[],
	more: { issues?: readonly Issue[]; fresh?: Fresh } = {}
): JSONValue => ({
	refused: plain(reasons[0] ?? { code: 'denied', text: '' }),
	...(more.issues && more.issues.length > 0
		? { issues: more.issues.map(({ path, message }) => ({ path, message })) }
		: {}),
	...state(more.fresh ?? {})
});

/** What was done, with the state it left. */
export const success = (result: JSONValue | undefined, fresh: Fresh, edited?: JSONValue): JSONValue =>
	compact({
		done: true,
		result,
		note: edited === undefined ? undefined : 'Executed with arguments edited by the person.',
		executed: edited,
		...state(fresh)
	}) as JSONValue;

/** What was done under instructions that hold no more: it stands, and what it says is nothing to go by. */
export const outdated = (fresh: Fresh): JSONValue => ({
	done: true,
	note: 'Done under earlier instructions. Its result is not to be used; go by the state as it is now.',
	...state(fresh)
});

/** What was tried and failed, or may have happened. */
export const failure = (kind: 'failed' | 'unknown', why: Reason, fresh: Fresh): JSONValue => ({
	[kind]: plain(why),
	...state(fresh)
});
