import type { AgentTransport, Usage } from '../protocol/turn.js';
import type { JSONValue } from '../protocol/words.js';
import { UIChunks } from './ui-messages/chunks.js';
import { callsOf, ECHO, uiMessages } from './ui-messages/messages.js';
import { Names } from './wire/names.js';
import { transportOf, type WireOptions } from './wire/open.js';
import { Turn } from './wire/turn.js';

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
	return transportOf(
		{
			name: 'ai-sdk',
			framing: 'events',
			begin(request) {
				const names = new Names(request.tools);
				const turn = new Turn(request, names, ECHO);
				const messages = uiMessages(request, names);
				const chunks = new UIChunks(turn, callsOf(messages), options.usage);
				const tools = request.tools.map(({ name, description, schema }) => ({
					name: names.out(name),
					description,
					inputSchema: schema
				}));
				const { outputTokens } = request.limits;
				const body = {
					...options.body,
					id: request.thread,
					trigger: 'submit-message',
					messages,
					system: request.system,
					...(tools.length > 0 && { tools }),
					...(outputTokens !== undefined && { maxOutputTokens: outputTokens })
				};
				return { body, turn, read: (frame) => chunks.read(frame) };
			}
		},
		options
	);
}
