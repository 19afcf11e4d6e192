import type { AgentTransport, Usage } from '../protocol/turn.js';
import type { JSONValue } from '../protocol/words.js';
import { late } from './wire/late.js';
import type { WireOptions } from './wire/open.js';

export type { HeadersOf, WireOptions } from './wire/open.js';

/** How a backend of the AI SDK is spoken to. @since 0.1.0 */
export interface AISDKOptions extends WireOptions {
	/** Further members of the request; none of them takes the place of what is sent anyway. */
	body?: Readonly<Record<string, JSONValue>>;
	/**
	 * Finds the usage in the metadata of a message: the stream itself carries none.
	 * @default `metadata.totalUsage` or `metadata.usage`, in the form of the AI SDK
	 */
	usage?: (metadata: unknown) => Usage | undefined;
}

/**
 * A backend that answers with a UI message stream, as `streamText(…).toUIMessageStreamResponse()` of the AI SDK does. It gets
 * what its own clients send, `{ id, messages, trigger }`, and beside it `system` and `tools`, from which it declares the acts of the
 * page as tools without `execute`. Tools it executes itself are reported, and approvals it asks for are questions to the person.
 * @example aiSdk({ url: '/api/chat' })
 * @see https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol
 * @since 0.1.0
 */
export function aiSdk(options: AISDKOptions): AgentTransport {
	return late(options.name ?? 'ai-sdk', async () =>
		(await import('./ui-messages/transport.js')).speaker(options)
	);
}
