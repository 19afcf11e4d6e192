import type { Actor } from '../../actor/actor.js';
import { actingAs } from '../../actor/actor.js';
import type { ActCall, ActResult } from '../capability/manifest.js';
import type { CompiledAct } from '../capability/registry.js';
import { copyJSON, faultText } from '../journal/copy.js';
import type { JSONValue, Reason } from '../protocol/words.js';

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
		return isThenable(out) ? Promise.resolve(out).then(answer).catch(threw) : answer(out);
	} catch (error) {
		return threw(error);
	}
}

const isThenable = (value: unknown): value is PromiseLike<ActResult> =>
	typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';

const KINDS = new Set(['done', 'retry', 'escalate', 'refuse', 'unknown']);

const NO_RESULT: Performed = {
	threw: 'The act gave no result: return one of done, retry, refuse, escalate or unknown.'
};

/** A provider that answers with anything else did something, and nobody knows what it says of it. */
function answer(result: ActResult): Performed {
	if (typeof result !== 'object' || result === null || !KINDS.has(result.kind)) return NO_RESULT;
	switch (result.kind) {
		case 'done': {
			const versions = copyJSON(result.versions ?? {});
			const plain = versions.ok && isVersions(versions.value) ? versions.value : {};
			return { result: { kind: 'done', value: result.value, versions: plain } };
		}
		case 'escalate':
			return typeof result.question?.text === 'string' ? { result } : NO_RESULT;
		default: {
			const why = copyJSON(result.reason);
			if (!why.ok || !isReason(why.value)) return NO_RESULT;
			const { afterMs } = result as { afterMs?: unknown };
			const wait = typeof afterMs === 'number' && afterMs >= 0 && Number.isFinite(afterMs);
			return { result: { kind: result.kind, reason: why.value, ...(wait ? { afterMs } : {}) } };
		}
	}
}

const isReason = (value: unknown): value is Reason => {
	const { code, text } = (value ?? {}) as Partial<Reason>;
	return typeof code === 'string' && typeof text === 'string';
};

const isVersions = (value: unknown): value is Record<string, string | number> =>
	typeof value === 'object' &&
	value !== null &&
	Object.values(value).every((version) => typeof version === 'string' || typeof version === 'number');
