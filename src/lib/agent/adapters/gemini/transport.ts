import type { GeminiOptions } from '../gemini.js';
import type { TurnMessage, TurnRequest } from '../../protocol/turn.js';
import type { JSONValue } from '../../protocol/words.js';
import { Fault } from '../wire/fault.js';
import { argsOf, echoOf, isContinued, isObject, speech } from '../wire/history.js';
import type { Speaker } from '../wire/late.js';
import { Names } from '../wire/names.js';
import { parsed, transportOf } from '../wire/open.js';
import { reported } from '../wire/reported.js';
import type { Frame } from '../wire/sse.js';
import { Turn } from '../wire/turn.js';

/** A part of what is said, or another object of this wire. */
type Part = Record<string, unknown>;

interface Content {
	role: 'user' | 'model';
	parts: Part[];
}

const BY = 'gemini';

/** @internal */
export function speaker(options: GeminiOptions): Speaker {
	return transportOf(
		{
			framing: 'events',
			begin(request) {
				const names = new Names(request.tools);
				const turn = new Turn(request, names, BY);
				const reading = new Reading(turn);
				const body = bodyOf(request, names, options.body);
				return { body, turn, read: (frame) => reading.read(frame) };
			}
		},
		options
	);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const partsOf = (value: unknown): Part[] => listOf(value).filter(isObject);

function bodyOf(request: TurnRequest, names: Names, body: GeminiOptions['body'] = {}): object {
	const { system, tools, limits } = request;
	const { tools: others, toolConfig, generationConfig, ...more } = body;
	const functionDeclarations = tools.map(({ name, description, schema }) => ({
		name: names.out(name),
		description,
		parametersJsonSchema: schema
	}));
	const config = {
		...(isObject(generationConfig) && generationConfig),
		...(limits.outputTokens !== undefined && { maxOutputTokens: limits.outputTokens })
	};
	return {
		...more,
		...(system !== '' && { systemInstruction: { parts: [{ text: system }] } }),
		contents: contentsOf(request, names),
		...(tools.length > 0 && { tools: [{ functionDeclarations }, ...listOf(others)], toolConfig }),
		...(Object.keys(config).length > 0 && { generationConfig: config })
	};
}

/** The history in turns: results in one, behind the turn with their calls and in its order; the context last. */
function contentsOf(request: TurnRequest, names: Names): Content[] {
	const { messages, context } = request;
	const contents: Content[] = [];
	const say = speech(messages);
	let kind: string | undefined;
	const add = (of: string, role: Content['role'], ...parts: Part[]): void => {
		if (parts.length === 0) return;
		if (of === kind) contents.at(-1)!.parts.push(...parts);
		else contents.push({ role, parts });
		kind = of;
	};
	for (const message of messages) {
		if (message.role === 'user') add('text', 'user', { text: say(message) });
		else if (message.role === 'assistant') {
			kind = undefined;
			add('model', 'model', ...saidBy(message, names));
		} else {
			const { call: id, name, content } = message;
			add('results', 'user', {
				functionResponse: { id, name: names.out(name), response: { output: content } }
			});
		}
	}
	if (context !== '' && !isContinued(request)) add('text', 'user', { text: context });
	return contents;
}

/**
 * What the model said, part by part. An echo holds what is sent back as it came; `{ text: n }` stands in it for the next n
 * characters of what was said, `{ call: n }` for the n-th call, each with the signature it came with.
 */
function saidBy(message: Extract<TurnMessage, { role: 'assistant' }>, names: Names): Part[] {
	const { text, calls } = message;
	const plan = partsOf(echoOf(message, BY));
	const left = new Set(calls.keys());
	const parts: Part[] = [];
	let at = 0;
	let texts = plan.filter((one) => typeof one.text === 'number').length;
	const say = (to: number, signed: Part): void => {
		const piece = text.slice(at, to);
		at = Math.max(at, to);
		if (piece !== '' || 'thoughtSignature' in signed) parts.push({ text: piece, ...signed });
	};
	const call = (n: number, signed: Part): void => {
		if (!left.delete(n)) return;
		const { id, name, args } = calls[n]!;
		parts.push({ functionCall: { id, name: names.out(name), args: argsOf(args) }, ...signed });
	};
	if (texts === 0) say(text.length, {});
	for (const part of plan) {
		const { text: length, call: n, ...rest } = part;
		if (typeof length === 'number') say((texts -= 1) === 0 ? text.length : at + length, rest);
		else if (typeof n === 'number') call(n, rest);
		else parts.push(part);
	}
	for (const n of left) call(n, {});
	return parts;
}

const ENDS: Readonly<Record<string, readonly string[]>> = {
	stop: ['STOP', 'FUNCTION_CALL'],
	length: ['MAX_TOKENS', 'CONTINUATION', 'TOO_MANY_TOOL_CALLS'],
	filter: ['RECITATION', 'IMAGE_RECITATION', 'LANGUAGE'],
	refusal: [
		...['SAFETY', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'MODEL_ARMOR', 'ESCALATION'],
		...['PUP_LIMITED_DISABLED', 'IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT']
	],
	// A slip of the model: the next attempt may do.
	again: ['MALFORMED_FUNCTION_CALL', 'MALFORMED_RESPONSE', 'UNEXPECTED_TOOL_CALL', 'OTHER']
};

const SIGNATURE = 'thoughtSignature';

/** One answer being read. */
class Reading {
	readonly #turn: Turn;
	/** What the next request sends back: see {@link saidBy}. */
	readonly #plan: Part[] = [];
	readonly #urls = new Set<string>();
	#calls = 0;
	/** Arguments of a call that come in pieces. */
	#args: Part | undefined;
	#word: unknown;
	#counted = '';

	constructor(turn: Turn) {
		this.#turn = turn;
	}

	read(frame: Frame): void {
		const { candidates, promptFeedback: feedback, usageMetadata, error } = parsed(frame);
		const turn = this.#turn;
		for (const candidate of partsOf(candidates)) {
			// Others are other answers to the same question.
			if ((candidate.index ?? 0) !== 0) continue;
			const { content } = candidate;
			if (isObject(content)) for (const part of partsOf(content.parts)) this.#part(part);
			this.#cite(candidate);
			if (typeof candidate.finishReason === 'string') this.#end(candidate.finishReason, candidate);
		}
		if (isObject(feedback) && typeof feedback.blockReason === 'string') {
			turn.refuse(feedback.blockReasonMessage, feedback.blockReason);
			turn.end('refusal', feedback.blockReason);
		}
		if (isObject(usageMetadata)) this.#count(usageMetadata);
		if (error !== undefined && error !== null) turn.fail(reported(error));
	}

	#part(part: Part): void {
		const { text, thought, functionCall, executableCode, codeExecutionResult, toolCall, toolResponse } = part;
		const turn = this.#turn;
		const signed = typeof part[SIGNATURE] === 'string' ? { [SIGNATURE]: part[SIGNATURE] } : undefined;
		if (isObject(functionCall)) return this.#call(functionCall, signed);
		if (thought === true) {
			turn.reasoning(text);
			if (signed) this.#plan.push(part);
		} else if (typeof text === 'string') {
			turn.text(text);
			const last = this.#plan.at(-1);
			if (signed) this.#plan.push({ text: text.length, ...signed });
			else if (typeof last?.text === 'number' && !(SIGNATURE in last)) last.text += text.length;
			else if (text !== '') this.#plan.push({ text: text.length });
		} else if (isObject(executableCode)) this.#there(executableCode, 'code_execution', executableCode);
		else if (isObject(toolCall)) this.#there(toolCall, toolCall.toolType, toolCall.args);
		else if (isObject(codeExecutionResult)) {
			const failed = codeExecutionResult.outcome !== 'OUTCOME_OK';
			turn.result(keyOf(codeExecutionResult), codeExecutionResult, failed);
		} else if (isObject(toolResponse)) turn.result(keyOf(toolResponse), toolResponse.response);
		if (text === undefined && Object.keys(part).length > 0) this.#plan.push(part);
	}

	#there(part: Part, name: unknown, args: unknown): void {
		const key = keyOf(part);
		this.#turn.start(key, part.id, name, true);
		this.#turn.value(key, args);
		this.#turn.endCall(key);
	}

	/** A call comes whole, or begins with its name and goes on without. */
	#call({ id, name, args, partialArgs, willContinue }: Part, signed: Part | undefined): void {
		const turn = this.#turn;
		if (typeof name === 'string') {
			this.#args = isObject(args) ? args : {};
			this.#plan.push({ call: this.#calls });
			turn.start(this.#calls, id, name);
			this.#calls += 1;
		}
		if (!this.#args) return;
		if (signed)
			Object.assign(
				this.#plan.findLast(({ call }) => call !== undefined)!,
				signed
			);
		for (const piece of partsOf(partialArgs)) put(this.#args, piece);
		if (willContinue === true) return;
		turn.value(this.#calls - 1, this.#args);
		turn.endCall(this.#calls - 1);
		this.#args = undefined;
	}

	#end(word: string, { finishMessage }: Part): void {
		if (word === this.#word) return;
		this.#word = word;
		const turn = this.#turn;
		const [kind] = Object.entries(ENDS).find(([, words]) => words.includes(word)) ?? [];
		if (this.#plan.some((one) => SIGNATURE in one || !('text' in one || 'call' in one)))
			turn.echo(this.#plan as JSONValue);
		if (kind === 'refusal') turn.refuse(finishMessage, word);
		if (kind === 'stop' || kind === 'length' || kind === 'filter' || kind === 'refusal') turn.end(kind, word);
		else {
			const told = typeof finishMessage === 'string' ? `${word}: ${finishMessage}` : word;
			turn.fail(new Fault('provider', told, { retryable: kind === 'again' }));
		}
	}

	/** Pages it looked at. */
	#cite({ groundingMetadata, citationMetadata, urlContextMetadata }: Part): void {
		const { groundingChunks } = { ...(groundingMetadata as Part) };
		const { citationSources, citations } = { ...(citationMetadata as Part) };
		const { urlMetadata } = { ...(urlContextMetadata as Part) };
		for (const chunk of partsOf(groundingChunks))
			for (const page of partsOf(Object.values(chunk))) this.#page(page);
		for (const page of [citationSources, citations, urlMetadata].flatMap(partsOf)) this.#page(page);
	}

	#page({ uri, sourceUri, retrievedUrl, title }: Part): void {
		const url = uri ?? sourceUri ?? retrievedUrl;
		if (typeof url !== 'string' || this.#urls.has(url)) return;
		this.#urls.add(url);
		this.#turn.tell({ type: 'source', url, ...(typeof title === 'string' && { title }) });
	}

	/** Thoughts are counted beside the answer, what tools brought beside the prompt. */
	#count(usage: Part): void {
		const [input = 0, brought = 0, cacheRead, said = 0, reasoning] = [
			usage.promptTokenCount,
			usage.toolUsePromptTokenCount,
			usage.cachedContentTokenCount,
			usage.candidatesTokenCount,
			usage.thoughtsTokenCount
		].map((count) => (typeof count === 'number' ? count : undefined));
		const isWhole = this.#turn.hasEnded;
		const counted = [input, brought, cacheRead, said, reasoning, isWhole].join();
		if (counted === this.#counted) return;
		this.#counted = counted;
		this.#turn.usage(
			{
				input: input + brought,
				output: said + (reasoning ?? 0),
				...(cacheRead !== undefined && { cacheRead }),
				...(reasoning !== undefined && { reasoning })
			},
			isWhole
		);
	}
}

/** How a tool over there and its result find each other. */
const keyOf = ({ id }: Part): string => (typeof id === 'string' ? id : '');

/** A name or an index of a path. @see RFC 9535 */
const STEP = /\.([^.[\]*]+)|\[(?:(\d+)|'([^'\\]*)'|"([^"\\]*)")\]/y;

/** Puts a piece where its path leads; texts at the same place grow. */
function put(args: Part, { jsonPath, stringValue, numberValue, boolValue, nullValue }: Part): void {
	const path = String(jsonPath);
	const wrong = new Fault('protocol', `No path of an argument: ${path}`);
	const piece = stringValue ?? numberValue ?? boolValue ?? (nullValue === undefined ? undefined : null);
	if (piece === undefined) return;
	if (!path.startsWith('$') || path.length === 1) throw wrong;
	const steps: (string | number)[] = [];
	STEP.lastIndex = 1;
	for (let at = 1; at < path.length; at = STEP.lastIndex) {
		const found = STEP.exec(path);
		if (!found) throw wrong;
		const [, name, index, quoted, double] = found;
		steps.push(index === undefined ? (name ?? quoted ?? double ?? '') : Number(index));
	}
	let inner: unknown = args;
	for (const [i, step] of steps.entries()) {
		const isList = Array.isArray(inner);
		if (typeof inner !== 'object' || inner === null || isList !== (typeof step === 'number')) throw wrong;
		if (isList && (step as number) > (inner as unknown[]).length) throw wrong;
		const before = Object.hasOwn(inner, step) ? (inner as Part)[step] : undefined;
		const grown = typeof before === 'string' && typeof piece === 'string' ? before + piece : piece;
		const value = i === steps.length - 1 ? grown : (before ?? (typeof steps[i + 1] === 'number' ? [] : {}));
		// By assignment, one name would become the prototype.
		Object.defineProperty(inner, step, { value, configurable: true, enumerable: true, writable: true });
		inner = value;
	}
}
