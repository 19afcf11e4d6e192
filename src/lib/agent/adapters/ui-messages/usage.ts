import type { Usage } from '../../protocol/turn.js';
import { isObject } from '../wire/history.js';

const count = (value: unknown): number | undefined =>
	typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/**
 * The usage in the metadata of a message: the stream has no place of its own for it, so a server sends it as
 * `{ usage }` or `{ totalUsage }`, of several steps added up by the AI SDK.
 * @internal
 */
export function uiUsage(metadata: unknown): Usage | undefined {
	if (!isObject(metadata)) return undefined;
	const usage = metadata.totalUsage ?? metadata.usage;
	if (!isObject(usage)) return undefined;
	const [input, output] = [count(usage.inputTokens), count(usage.outputTokens)];
	if (input === undefined && output === undefined) return undefined;
	const inside = isObject(usage.inputTokenDetails) ? usage.inputTokenDetails : {};
	const outside = isObject(usage.outputTokenDetails) ? usage.outputTokenDetails : {};
	const figures = {
		input: input ?? 0,
		cacheRead: count(inside.cacheReadTokens ?? usage.cachedInputTokens),
		cacheWrite: count(inside.cacheWriteTokens),
		output: output ?? 0,
		reasoning: count(outside.reasoningTokens ?? usage.reasoningTokens)
	};
	return Object.fromEntries(
		Object.entries(figures).filter(([, value]) => value !== undefined)
	) as unknown as Usage;
}
