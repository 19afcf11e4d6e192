import type { AgentTransport } from '../protocol/turn.js';
import { late } from './wire/late.js';
import type { WireOptions } from './wire/open.js';

export type { HeadersOf, WireOptions } from './wire/open.js';

/** What the adapter for Gemini takes; the model is part of the `url`. @since 0.1.0 */
export interface GeminiOptions extends WireOptions {
	/**
	 * More members of the request, such as `generationConfig` or `safetySettings`. `tools` are added to those of the page and are
	 * executed by the provider; what this adapter needs itself cannot be replaced.
	 */
	body?: Readonly<Record<string, unknown>>;
}

/**
 * A transport that speaks Gemini's `streamGenerateContent`. `url` is the whole endpoint with `?alt=sse`, as a rule a path of your
 * own backend, which knows the key.
 * @example gemini({ url: '/api/gemini/models/gemini-3-pro:streamGenerateContent?alt=sse' })
 * @see https://ai.google.dev/api/generate-content
 * @since 0.1.0
 */
export function gemini(options: GeminiOptions): AgentTransport {
	return late(options.name ?? 'gemini', async () => (await import('./gemini/transport.js')).speaker(options));
}
