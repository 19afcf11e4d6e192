import type { Actor } from '../../actor/actor.js';
import { actingAs } from '../../actor/actor.js';
import type { ActCall, ActResult } from '../capability/manifest.js';
import type { CompiledAct } from '../capability/registry.js';
import { faultText } from '../journal/copy.js';
import type { JSONValue } from '../protocol/words.js';

/** What came of a call: a result, or what was thrown. */
export type Performed = { result: ActResult } | { threw: string };

/**
 * The only place where an act runs: the provider's own method, under the actor, right behind the last look. Whoever calls
 * this has been admitted in the same tick.
 */
export function dispatch(
	act: CompiledAct,
	provider: unknown,
	args: JSONValue,
	call: ActCall,
	actor: Actor
): Performed | Promise<Performed> {
	const threw = (error: unknown): Performed => ({ threw: faultText(error) });
	try {
		const out = actingAs(actor, () => act.act.perform(provider, args, call));
		return out instanceof Promise || isThenable(out) ? Promise.resolve(out).then(answer, threw) : answer(out);
	} catch (error) {
		return threw(error);
	}
}

const isThenable = (value: unknown): value is PromiseLike<ActResult> =>
	typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';

const KINDS = new Set(['done', 'retry', 'escalate', 'refuse', 'unknown']);

/** A provider that answers with anything else did something, and nobody knows what it says of it. */
function answer(result: ActResult): Performed {
	const kind = (result as { kind?: unknown } | undefined)?.kind;
	if (typeof kind === 'string' && KINDS.has(kind)) return { result };
	return {
		threw: 'The act gave no result: return one of done, retry, refuse, escalate or unknown.'
	};
}
