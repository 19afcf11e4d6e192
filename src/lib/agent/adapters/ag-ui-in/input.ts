import type { Tool, TurnMessage, TurnRequest } from '../../protocol/turn.js';
import type { JSONValue } from '../../protocol/words.js';
import { argsOf, echoOf, isObject, textOf } from '../wire/history.js';
import type { Names } from '../wire/names.js';

/** The version of AG-UI that is spoken here. */
const VERSION = '1.0';

/** Under which name an echo is written. @internal */
export const ECHO = 'ag-ui';

/** A RunAgentInput, as far as it is looked at again. @internal */
export interface RunInput {
	threadId: string;
	runId: string;
	messages: readonly { id: string; role: string }[];
}

type Assistant = Extract<TurnMessage, { role: 'assistant' }>;

/** What an agent told, in its own messages. */
interface Echo {
	run: string;
	messages: readonly { id: string; role: string }[];
	calls: readonly string[];
}

function toldBefore(message: TurnMessage): Echo | undefined {
	return message.role === 'assistant' ? (echoOf(message, ECHO) as unknown as Echo | undefined) : undefined;
}

/**
 * One request as AG-UI puts it: the agent's own messages as it told them, ours under ids that stay the same, tools of the page
 * as frontend tools, the page itself as context.
 * @internal
 */
export function inputOf(
	request: TurnRequest,
	names: Names,
	more: { runId: string; forwardedProps: JSONValue }
): RunInput {
	const { thread, system, messages, context, tools, state, resync, resume = [] } = request;
	const parentRunId = messages.map(toldBefore).findLast((echo) => echo)?.run;
	const said = (
		system === '' ? [] : [{ id: `${thread}-system`, role: 'system', content: system }]
	) as object[];
	return {
		threadId: thread,
		protocolVersion: VERSION,
		...more,
		...(parentRunId !== undefined && { parentRunId }),
		messages: [...said, ...messagesOf(messages, thread, names)],
		tools: tools.map(({ name, description, schema }: Tool) => ({
			name: names.out(name),
			description,
			parameters: schema
		})),
		context: context === '' ? [] : [{ description: 'The page as it is now', value: context }],
		// Older servers want one; left out, it is asked for.
		...(!resync && { state: state === undefined ? {} : state }),
		...(resume.length > 0 && {
			resume: resume.map(({ interrupt, status, payload }) => ({
				interruptId: interrupt,
				status,
				...(payload !== undefined && payload !== null && { payload })
			}))
		})
	} as unknown as RunInput;
}

function messagesOf(messages: readonly TurnMessage[], thread: string, names: Names): object[] {
	/** Ids of calls as the agent knows them. */
	const ids = new Map<string, string>();
	return messages.flatMap((message, index): object[] => {
		const id = `${thread}-${index}`;
		if (message.role === 'user') return [{ id, role: 'user', content: message.text }];
		if (message.role === 'result') {
			const { call, content, performative } = message;
			const error = performative === 'inform' ? {} : { error: performative };
			return [{ id, role: 'tool', toolCallId: ids.get(call) ?? call, content: textOf(content), ...error }];
		}
		const echo = toldBefore(message);
		if (!echo) return [plain(message, id, names)];
		message.calls.forEach(({ id }, i) => ids.set(id, echo.calls[i] ?? id));
		return echo.messages.map(sound);
	});
}

/** What another model said, or what was said when nothing was given to keep. */
function plain({ text, calls }: Assistant, id: string, names: Names): object {
	const toolCalls = calls.map(({ id, name, args }) => ({
		id,
		type: 'function',
		function: { name: names.out(name), arguments: JSON.stringify(argsOf(args)) }
	}));
	return { id, role: 'assistant', content: text, ...(toolCalls.length > 0 && { toolCalls }) };
}

/** Arguments that are no object would be refused on every road from here on. */
function sound(message: object): object {
	const { toolCalls } = message as { toolCalls?: unknown };
	if (!Array.isArray(toolCalls)) return message;
	return { ...message, toolCalls: toolCalls.map(whole) };
}

function whole(call: unknown): unknown {
	if (!isObject(call) || !isObject(call.function)) return call;
	const { arguments: args } = call.function;
	return { ...call, function: { ...call.function, arguments: JSON.stringify(argsOf(String(args))) } };
}
