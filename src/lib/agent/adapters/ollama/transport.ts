import type { OllamaOptions } from '../ollama.js';
import type { TurnMessage, TurnRequest, Usage } from '../../protocol/turn.js';
import { say } from '../chat/said.js';
import { argsOf, echoOf, isContinued, isObject, speech, toldOf } from '../wire/history.js';
import type { Speaker } from '../wire/late.js';
import { Names } from '../wire/names.js';
import { parsed, transportOf } from '../wire/open.js';
import { reported } from '../wire/reported.js';
import type { Frame } from '../wire/sse.js';
import { Turn } from '../wire/turn.js';

/** @internal */
export function speaker(options: OllamaOptions): Speaker {
	return transportOf(
		{
			framing: 'lines',
			begin(request) {
				const names = new Names(request.tools);
				const turn = new Turn(request, names, 'ollama');
				const heard: Heard = { thought: [], calls: 0 };
				return {
					body: bodyOf(request, names, options),
					turn,
					read: (frame) => read(turn, heard, frame)
				};
			}
		},
		options
	);
}

interface Heard {
	thought: string[];
	/** How many there were. */
	calls: number;
}

/** @returns true at the last line */
function read(turn: Turn, heard: Heard, frame: Frame): boolean {
	const line = parsed(frame);
	if (line.error) throw reported(line.error);
	if (isObject(line.message)) {
		const { role, content, thinking, tool_calls: calls } = line.message;
		if (typeof thinking === 'string') {
			turn.reasoning(thinking);
			heard.thought.push(thinking);
		}
		if (typeof content === 'string') say(turn, role, content);
		for (const call of Array.isArray(calls) ? (calls as unknown[]) : [])
			if (isObject(call)) {
				const about = isObject(call.function) ? call.function : {};
				const { name, arguments: args } = about;
				const key = (heard.calls += 1);
				turn.start(key, call.id, name);
				if (typeof args === 'string') turn.whole(key, args);
				else turn.value(key, args);
				// A call comes whole or not at all.
				turn.endCall(key);
			}
	}
	if (line.done !== true) return false;
	const usage = usageOf(line);
	if (usage) turn.usage(usage);
	const thinking = heard.thought.join('');
	if (heard.calls > 0 && thinking !== '') turn.echo({ thinking });
	const { done_reason: reason } = line;
	turn.end(reason === 'length' ? 'length' : 'stop', typeof reason === 'string' ? reason : undefined);
	return true;
}

/** A prompt that was not counted, as some versions do where it was cached, is left to be estimated. */
function usageOf({
	prompt_eval_count: input,
	eval_count: output
}: Record<string, unknown>): Usage | undefined {
	return typeof input === 'number' && input > 0 && typeof output === 'number' ? { input, output } : undefined;
}

function bodyOf(request: TurnRequest, names: Names, options: OllamaOptions): Record<string, unknown> {
	const { model, think, keepAlive, body = {} } = options;
	const { system, messages, context, tools, limits } = request;
	const say = speech(messages);
	const user = (content: string) => ({ role: 'user', content });
	return {
		...body,
		model,
		messages: [
			...(system === '' ? [] : [{ role: 'system', content: system }]),
			...messages.map((one) => (one.role === 'user' ? user(say(one)) : messageOf(one, names))),
			...(context === '' || isContinued(request) ? [] : [user(context)])
		],
		stream: true,
		...(think !== undefined && { think }),
		...(keepAlive !== undefined && { keep_alive: keepAlive }),
		options: { ...(isObject(body.options) && body.options), num_predict: limits.outputTokens },
		tools:
			tools.length === 0
				? undefined
				: tools.map(({ name, description, schema }) => ({
						type: 'function',
						function: { name: names.out(name), description, parameters: schema }
					}))
	};
}

function messageOf(message: Exclude<TurnMessage, { role: 'user' }>, names: Names): object {
	if (message.role === 'result')
		return {
			role: 'tool',
			tool_name: names.out(message.name),
			tool_call_id: message.call,
			content: toldOf(message)
		};
	const kept = echoOf(message, 'ollama');
	return {
		role: 'assistant',
		...(isObject(kept) && { thinking: kept.thinking }),
		content: message.text,
		...(message.calls.length > 0 && {
			tool_calls: message.calls.map(({ id, name, args }) => ({
				id,
				function: { name: names.out(name), arguments: argsOf(args) }
			}))
		})
	};
}
