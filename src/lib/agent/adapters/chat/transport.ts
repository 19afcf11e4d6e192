import type { OpenAIOptions } from '../openai.js';
import type { Tool, TurnMessage, TurnRequest } from '../../protocol/turn.js';
import { ChatChunks } from './chunks.js';
import { argsOf, echoOf, isContinued, isObject, speech, toldOf } from '../wire/history.js';
import type { Speaker } from '../wire/late.js';
import { COMMON, Names } from '../wire/names.js';
import { transportOf } from '../wire/open.js';
import { Turn } from '../wire/turn.js';

/** Longest id of a call that OpenAI takes back. */
const IDS = { ...COMMON, most: 40 };
/** Makes no sense without tools, and is refused. */
const OF_TOOLS = new Set(['tool_choice', 'parallel_tool_calls']);
/** One answer, as a stream, from the tools of the request. */
const FIXED = new Set(['n', 'functions', 'function_call', 'max_tokens', 'max_completion_tokens']);

const OPENAI_HOST = /(?:^|\.)openai\.(?:azure\.)?com$/;
const OPENAI_MODEL = /^(?:openai\/)?(?:gpt-\d|o\d|chatgpt)/;

function isOpenAI({ url, model }: OpenAIOptions): boolean {
	const [, host = ''] = /^https?:\/\/([^/:?#]+)/i.exec(String(url)) ?? [];
	return OPENAI_HOST.test(host) || OPENAI_MODEL.test(model);
}

/** @internal */
export function speaker(options: OpenAIOptions): Speaker {
	return transportOf(
		{
			framing: 'events',
			async begin(request) {
				const strictOf = options.strict ? (await import('../wire/strict.js')).strictOf : undefined;
				const names = new Names(request.tools);
				const turn = new Turn(request, names, 'openai');
				const chunks = new ChatChunks(turn, options.echo !== false);
				return { body: bodyOf(request, names, options, strictOf), turn, read: (frame) => chunks.read(frame) };
			}
		},
		options
	);
}

/** Loaded only where somebody asks for it. */
type StrictOf = (typeof import('../wire/strict.js'))['strictOf'] | undefined;

function bodyOf(
	request: TurnRequest,
	names: Names,
	options: OpenAIOptions,
	strictOf: StrictOf
): Record<string, unknown> {
	const { model, body = {}, includeUsage = true, parallelToolCalls } = options;
	const { outputTokens } = request.limits;
	const limit = options.limit ?? (isOpenAI(options) ? 'max_completion_tokens' : 'max_tokens');
	const tools = request.tools.map((tool) => toolOf(tool, names, strictOf));
	const hasTools = tools.length > 0;
	const more = Object.entries(body).filter(([key]) => !FIXED.has(key) && (hasTools || !OF_TOOLS.has(key)));
	return {
		...Object.fromEntries(more),
		model,
		messages: messagesOf(request, names, options),
		stream: true,
		stream_options: includeUsage ? { include_usage: true } : undefined,
		...(limit && { [limit]: outputTokens }),
		tools: hasTools ? tools : undefined,
		...(hasTools && parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls })
	};
}

function toolOf({ name, description, schema }: Tool, names: Names, strictOf: StrictOf): object {
	const strict = strictOf?.(schema);
	if (strict?.prune) names.setPrune(name, strict.prune);
	return {
		type: 'function',
		function: {
			name: names.out(name),
			description,
			parameters: strict?.schema ?? schema,
			...(strictOf && { strict: strict !== undefined })
		}
	};
}

interface Message {
	role: string;
	content: string;
}

function messagesOf(request: TurnRequest, names: Names, options: OpenAIOptions): Message[] {
	const { system, messages, context } = request;
	const ids = new Names([], IDS);
	const say = speech(messages);
	const out: Message[] = [];
	if (system !== '') out.push({ role: options.systemRole ?? 'system', content: system });
	const user = (content: string): void => {
		const last = out.at(-1);
		if (options.alternate && last?.role === 'user') last.content += `\n\n${content}`;
		else out.push({ role: 'user', content });
	};
	for (const message of messages)
		if (message.role === 'user') user(say(message));
		else if (message.role === 'assistant') out.push(...assistant(message, names, ids, options));
		else out.push({ role: 'tool', content: toldOf(message), ...{ tool_call_id: ids.out(message.call) } });
	if (context !== '' && !isContinued(request)) user(context);
	return out;
}

type Assistant = Extract<TurnMessage, { role: 'assistant' }>;

/** One that says nothing and calls nothing is left out: servers refuse it. */
function assistant(message: Assistant, names: Names, ids: Names, { echo }: OpenAIOptions): Message[] {
	const { text: content, calls } = message;
	if (content === '' && calls.length === 0) return [];
	const kept = echo === false ? undefined : echoOf(message, 'openai');
	const { extra_content: extras, ...thought } = isObject(kept) ? kept : {};
	const extra = (i: number): unknown => (Array.isArray(extras) ? extras[i] : undefined);
	const tool_calls = calls.map(({ id, name, args }, i) => ({
		id: ids.out(id),
		type: 'function',
		function: { name: names.out(name), arguments: JSON.stringify(argsOf(args)) },
		...(isObject(extra(i)) && { extra_content: extra(i) })
	}));
	return [{ ...thought, role: 'assistant', content, ...(calls.length > 0 && { tool_calls }) }];
}
