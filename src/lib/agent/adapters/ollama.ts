import type { AgentTransport } from '../protocol/turn.js';
import type { JSONValue } from '../protocol/words.js';
import { late } from './wire/late.js';
import type { WireOptions } from './wire/open.js';

export type { HeadersOf, WireOptions } from './wire/open.js';

/** How an Ollama is spoken to in its own form. @since 0.1.0 */
export interface OllamaOptions extends WireOptions {
	/** As `ollama list` names it. */
	model: string;
	/** Does it think aloud? Left to the model where it is not given. */
	think?: boolean | 'low' | 'medium' | 'high';
	/** How long the model stays loaded, as `'10m'`; a number is seconds. */
	keepAlive?: string | number;
	/**
	 * Further members of the request; none of them takes the place of what is sent anyway. `options.num_ctx` is worth a thought:
	 * Ollama cuts off what does not fit into its window, and says nothing.
	 */
	body?: Readonly<Record<string, JSONValue>>;
}

/**
 * A model in Ollama, in Ollama's own form (`/api/chat`): for `think`, `keep_alive` and `num_ctx`, which its compatible form does
 * not know.
 * @example ollama({ url: 'http://localhost:11434/api/chat', model: 'qwen3', body: { options: { num_ctx: 32_768 } } })
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 * @since 0.1.0
 */
export function ollama(options: OllamaOptions): AgentTransport {
	return late(options.name ?? 'ollama', async () => (await import('./ollama/transport.js')).speaker(options));
}
