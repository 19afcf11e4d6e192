import type { TurnMessage, TurnRequest } from '../../protocol/turn.js';
import type { AnthropicOptions } from '../anthropic.js';
import { argsOf, echoOf, isContinued, isObject, speech, textOf } from '../wire/history.js';
import { Names } from '../wire/names.js';
import type { strictOf } from '../wire/strict.js';

/** Under which name an echo is written. @internal */
export const NAME = 'anthropic';

/** A block as it came over the wire. @internal */
export type Block = Record<string, unknown>;

interface Kept {
	cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' };
}

interface Text extends Kept {
	type: 'text';
	text: string;
}

/** A block that is written here; others are sent back as they came. @internal */
export type Written =
	| Text
	| { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }
	| ({ type: 'tool_result'; tool_use_id: string; content: string; is_error?: boolean } & Kept);

interface Message {
	role: 'user' | 'assistant';
	content: (Written | Block)[];
}

/** What is sent, without what the app adds. @internal */
export interface Body {
	model: string;
	max_tokens: number;
	stream: true;
	system: Text[];
	tools: {
		name: string;
		description: string;
		input_schema: { type: 'object'; [member: string]: unknown };
		strict?: boolean;
		eager_input_streaming?: boolean;
	}[];
	tool_choice?: { type: 'none' };
	messages: Message[];
}

const textBlock = (text: string): Text[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

/** Does it name a call that is executed over there? @internal */
export const isThere = ({ type }: Block): boolean => typeof type === 'string' && /._tool_use$/.test(type);

/** What is sent. @internal */
export function bodyOf(
	request: TurnRequest,
	names: Names,
	options: AnthropicOptions,
	strict?: typeof strictOf
): Body {
	const { body = {}, cache = '5m', eager, maxTokens = 4096, model } = options;
	const kept: Kept = cache
		? { cache_control: { type: 'ephemeral', ...(cache === '1h' && { ttl: cache }) } }
		: {};
	const messages = messagesOf(request, names);
	// The last two, for what was kept for the turn before is found only near a mark.
	for (const { content } of messages.filter(({ role }) => role === 'user').slice(-2))
		content.push({ ...content.pop(), ...kept });
	if (!isContinued(request)) add(messages, 'user', textBlock(request.context));
	const tools = request.tools.map(({ name, description, schema }) => {
		const made = strict?.(schema);
		if (made) names.setPrune(name, made.prune);
		return {
			name: names.out(name),
			description,
			input_schema: { ...(made?.schema ?? schema), type: 'object' as const },
			...(made && { strict: true }),
			...(eager && { eager_input_streaming: true })
		};
	});
	const all = Array.isArray(body.tools) ? [...tools, ...(body.tools as Body['tools'])] : tools;
	// A choice without tools is refused; without tools of the page only the end may be told.
	const choice = tools.length > 0 ? (body.tool_choice as undefined) : { type: 'none' as const };
	return {
		...body,
		model,
		max_tokens: request.limits.outputTokens ?? maxTokens,
		stream: true,
		system: textBlock(request.system).map((block) => ({ ...block, ...kept })),
		tools: all,
		tool_choice: all.length > 0 ? choice : undefined,
		messages
	};
}

/** The history, in which speakers take turns and all results of a turn stand at the beginning of the next message. */
function messagesOf({ messages }: TurnRequest, names: Names): Message[] {
	const out: Message[] = [];
	// Ids of other providers may hold signs that are not taken here.
	const ids = new Names([]);
	const say = speech(messages);
	for (const message of messages) {
		if (message.role === 'user') add(out, 'user', textBlock(say(message)));
		else if (message.role === 'assistant') add(out, 'assistant', saidBy(message, names, ids));
		else {
			const { call, performative } = message;
			const content = textOf(message.content);
			const result = { type: 'tool_result', tool_use_id: ids.out(call) } as const;
			// An error without a word is refused.
			const failed = { ...result, content: content || performative, is_error: true };
			add(out, 'user', [performative === 'inform' ? { ...result, content } : failed]);
		}
	}
	return out;
}

function add(messages: Message[], role: Message['role'], blocks: Message['content']): void {
	if (blocks.length === 0) return;
	let last = messages.at(-1);
	if (last?.role === 'assistant' && role === 'user') {
		last.content = settled(last.content as Block[]);
		if (last.content.length === 0) {
			messages.pop();
			last = messages.at(-1);
		}
	}
	if (last?.role === role) last.content.push(...blocks);
	else messages.push({ role, content: blocks });
}

type Assistant = Extract<TurnMessage, { role: 'assistant' }>;

/** What the model said: as it was, where that was kept; the calls under the ids and names of the history. */
function saidBy(message: Assistant, names: Names, ids: Names): Message['content'] {
	const uses: Message['content'] = message.calls.map(({ id, name, args }) => ({
		type: 'tool_use',
		id: ids.out(id),
		name: names.out(name),
		input: argsOf(args)
	}));
	const echo = echoOf(message, NAME);
	if (!Array.isArray(echo)) return [...textBlock(message.text), ...uses];
	const blocks = echo.filter(isObject).flatMap((block) => {
		if (block.type === 'tool_use') return uses.splice(0, 1).map((use) => ({ ...block, ...use }));
		return block.type !== 'text' || textBlock(String(block.text)).length > 0 ? [block] : [];
	});
	return [...blocks, ...uses];
}

/**
 * What somebody answers to. A call over there that was left without a result is not taken any more, unless it waits for a
 * result from here; nor is a thought that leads to nothing.
 */
function settled(content: readonly Block[]): Block[] {
	const used = new Set(
		content.flatMap(({ tool_use_id, caller }) => [tool_use_id, isObject(caller) && caller.tool_id])
	);
	const left = content.filter((block) => !isThere(block) || used.has(block.id));
	const end = left.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
	return left.slice(0, end + 1);
}
