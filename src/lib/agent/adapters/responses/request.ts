import type { TurnMessage, TurnRequest } from '../../protocol/turn.js';
import type { JSONValue } from '../../protocol/words.js';
import type { OpenAIResponsesOptions } from '../openai-responses.js';
import { argsOf, echoOf, isContinued, isObject, speech, textOf } from '../wire/history.js';
import { Names } from '../wire/names.js';
import { APPROVAL, CUSTOM, FUNCTION, listOf, type Item } from './items.js';

/** Least number of tokens that is taken as a limit. */
const LEAST_TOKENS = 16;

/**
 * One request, stateless on their side.
 * @param by under which name an echo of this adapter and model is written
 * @internal
 */
export async function bodyOf(
	request: TurnRequest,
	names: Names,
	by: string,
	{ model, strict, sealed = true, body = {} }: OpenAIResponsesOptions
): Promise<object> {
	const strictOf = strict ? (await import('../wire/strict.js')).strictOf : undefined;
	const { tools: others, tool_choice, parallel_tool_calls, include, ...more } = body;
	const { system, tools, limits } = request;
	const included = [...listOf(include), ...(sealed ? ['reasoning.encrypted_content'] : [])];
	const own = tools.map(({ name, description, schema }) => {
		const made = strictOf?.(schema);
		if (made) names.setPrune(name, made.prune);
		return {
			type: 'function',
			name: names.out(name),
			description,
			parameters: made?.schema ?? schema,
			// Left out it would mean true.
			strict: made !== undefined
		};
	});
	return {
		...more,
		model,
		stream: true,
		store: false,
		...(included.length > 0 && { include: included }),
		...(system !== '' && { instructions: system }),
		input: inputOf(request, names, by),
		...(own.length > 0 && { tools: [...own, ...listOf(others)], tool_choice, parallel_tool_calls }),
		...(limits.outputTokens !== undefined && {
			max_output_tokens: Math.max(LEAST_TOKENS, limits.outputTokens)
		})
	};
}

/** The history as items, and the context behind them. */
function inputOf(request: TurnRequest, names: Names, by: string): Item[] {
	const { messages, context, resume = [] } = request;
	const input: Item[] = [];
	const say = speech(messages);
	// Ids may come from anywhere, and are as limited as names.
	const ids = new Names([]);
	const free = new Set<string>();
	for (const message of messages) {
		if (message.role === 'user') input.push({ role: 'user', content: say(message) });
		else if (message.role === 'assistant') input.push(...itemsOf(message, names, ids, free, by));
		else
			input.push({
				type: free.has(message.call) ? 'custom_tool_call_output' : 'function_call_output',
				call_id: ids.out(message.call),
				output: textOf(message.content)
			});
	}
	const asked = new Set(input.flatMap(({ type, id }) => (type === APPROVAL ? [id] : [])));
	for (const { interrupt, status, payload } of resume) {
		if (!asked.has(interrupt)) continue;
		const { approved, reason } = isObject(payload) ? payload : {};
		input.push({
			type: 'mcp_approval_response',
			approval_request_id: interrupt,
			approve: status === 'resolved' && approved === true,
			...(typeof reason === 'string' && { reason })
		});
	}
	if (context !== '' && (resume.length > 0 || !isContinued(request)))
		input.push({ role: 'user', content: context });
	return input;
}

/**
 * What the model said, as it said it: with its sealed reasoning and what was executed over there, each in its place. An echo
 * holds those whole; `{ text: n }` stands in it for the next n characters of what was said, `{ call: n }` for the n-th call.
 * @param free takes the ids of calls in free text
 */
function itemsOf(
	message: Extract<TurnMessage, { role: 'assistant' }>,
	names: Names,
	ids: Names,
	free: Set<string>,
	by: string
): Item[] {
	const { text, calls } = message;
	const plan = listOf(echoOf(message, by)).filter(isObject);
	const left = new Set(calls.keys());
	const items: Item[] = [];
	let at = 0;
	let texts = plan.filter((one) => 'text' in one).length;
	const say = (to: number, more: Item = {}): void => {
		if (to > at) items.push({ role: 'assistant', content: text.slice(at, to), ...more });
		at = Math.max(at, to);
	};
	const call = (n: number, isFree = false): void => {
		if (!left.delete(n)) return;
		const { id, name, args } = calls[n]!;
		if (isFree) free.add(id);
		items.push({
			type: isFree ? CUSTOM : FUNCTION,
			call_id: ids.out(id),
			name: names.out(name),
			...(isFree ? { input: textOf((argsOf(args).input ?? '') as JSONValue) } : { arguments: objectOf(args) })
		});
	};
	// Without a plan: what it said, then what it called.
	if (texts === 0) say(text.length);
	for (const { text: length, phase, ...one } of plan) {
		if (length !== undefined)
			say((texts -= 1) === 0 ? text.length : at + Number(length), phase ? { phase } : {});
		else if (one.call !== undefined) call(Number(one.call), one.custom === true);
		else items.push(one);
	}
	for (const n of left) call(n);
	// Reasoning is taken before what it led to, and not without that.
	while (items.at(-1)?.type === 'reasoning') items.pop();
	return items;
}

/** The text of arguments, where it is that of an object. */
const objectOf = (args: string): string => {
	try {
		return isObject(JSON.parse(args)) ? args : '{}';
	} catch {
		return '{}';
	}
};
