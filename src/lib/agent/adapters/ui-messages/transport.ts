import type { AISDKOptions } from '../ai-sdk.js';
import { UIChunks } from './chunks.js';
import { callsOf, ECHO, uiMessages } from './messages.js';
import type { Speaker } from '../wire/late.js';
import { Names } from '../wire/names.js';
import { transportOf } from '../wire/open.js';
import { Turn } from '../wire/turn.js';

/** @internal */
export function speaker(options: AISDKOptions): Speaker {
	return transportOf(
		{
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
