import type { AgentTransport } from '../protocol/turn.js';
import { late } from './wire/late.js';
import type { WireOptions } from './wire/open.js';

export type { HeadersOf, WireOptions } from './wire/open.js';

/** Options of {@link anthropic}. @since 0.1.0 */
export interface AnthropicOptions extends WireOptions {
	/** Name of the model, as the provider spells it. */
	model: string;
	/**
	 * More members of the body, as `thinking`, `temperature` or `metadata`. Its `tools` are added to those of the page: that is
	 * how a tool is offered that runs at the provider. Nothing that the adapter sends itself is replaced.
	 */
	body?: Readonly<Record<string, unknown>>;
	/** Most tokens of an answer where the request sets no limit; the provider asks for one. @default 4096 */
	maxTokens?: number;
	/**
	 * How long the provider keeps what stays the same from turn to turn: tools, system and history, never the context of the page.
	 * @default '5m'
	 */
	cache?: false | '5m' | '1h';
	/**
	 * Sends arguments while they are made, not checked by the provider, so that they can be painted from the first sign on. They
	 * are checked here in any case.
	 * @default false
	 */
	eager?: boolean;
	/**
	 * Holds the model to the schemas of the tools, where the provider's strict subset can say them; an optional argument that it
	 * leaves out is left out here too.
	 * @default false
	 */
	strict?: boolean;
	/** Calls straight from a page, with a key that everybody can read there: for trying out, never for the web. @default false */
	browser?: boolean;
}

/**
 * Claude through the Messages API, or any server that speaks it. Thinking is sent back with its signatures, a pause is a pause,
 * a refusal a refusal, and tools that run at the provider are told as such.
 * @example anthropic({ url: '/api/agent', model: 'claude-sonnet-5' })
 * @see Anthropic, Messages API, version 2023-06-01
 * @since 0.1.0
 */
export function anthropic(options: AnthropicOptions): AgentTransport {
	return late(options.name ?? 'anthropic', async () =>
		(await import('./messages/transport.js')).speaker(options)
	);
}
