import type { Usage } from '../../protocol/turn.js';
import { isObject } from '../wire/history.js';

const count = (value: unknown): number | undefined =>
	typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/**
 * Figures of a chat completion in the one form: input with what came from a cache, output with reasoning.
 * @returns undefined where there are none
 * @internal
 */
export function chatUsage(value: unknown): Usage | undefined {
	if (!isObject(value)) return undefined;
	const before = count(value.prompt_tokens) ?? 0;
	const answered = count(value.completion_tokens) ?? 0;
	// Nothing at all is no figure: who does not count is estimated.
	if (before + answered === 0) return undefined;
	const { prompt_tokens_details: read, completion_tokens_details: written } = value;
	const details = { ...(isObject(read) && read), ...(isObject(written) && written) };
	const { cached_tokens, cache_write_tokens, reasoning_tokens } = details as Record<string, unknown>;
	const reasoning = count(reasoning_tokens);
	// Some count reasoning beside the output; the sum gives it away.
	const isBeside = reasoning && value.total_tokens === before + answered + reasoning;
	const more = {
		cacheRead: count(cached_tokens) ?? count(value.prompt_cache_hit_tokens),
		cacheWrite: count(cache_write_tokens),
		reasoning,
		cost: count(value.cost)
	};
	return {
		input: before,
		output: isBeside ? answered + reasoning : answered,
		...(Object.fromEntries(Object.entries(more).filter(([, one]) => one !== undefined)) as typeof more)
	} as Usage;
}
