import type { AgentTransport } from '../protocol/turn.js';
import { late } from './wire/late.js';
import type { WireOptions } from './wire/open.js';

export type { HeadersOf, WireOptions } from './wire/open.js';

/** What the adapter for OpenAI's Responses takes. @since 0.1.0 */
export interface OpenAIResponsesOptions extends WireOptions {
	model: string;
	/**
	 * Asks for arguments that keep to the schema, where the schema can be said in the strict subset.
	 * @default false
	 */
	strict?: boolean;
	/**
	 * Asks for the reasoning in sealed form and sends it back with the next request, so that the model goes on thinking where it
	 * was; nothing is kept over there. Set to false for a model that does not reason and refuses to be asked.
	 * @default true
	 */
	sealed?: boolean;
	/**
	 * More members of the request, such as `reasoning` or `temperature`. `tools` are added to those of the page and are executed
	 * by the provider; `include` is added too; what this adapter needs itself cannot be replaced.
	 */
	body?: Readonly<Record<string, unknown>>;
}

/**
 * A transport that speaks OpenAI's Responses, without state on their side. `url` is the whole endpoint, as a rule a path of your
 * own backend, which knows the key.
 * @example openaiResponses({ url: '/api/responses', model: 'gpt-5' })
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 * @since 0.1.0
 */
export function openaiResponses(options: OpenAIResponsesOptions): AgentTransport {
	return late(options.name ?? 'openai-responses', async () =>
		(await import('./responses/transport.js')).speaker(options)
	);
}
