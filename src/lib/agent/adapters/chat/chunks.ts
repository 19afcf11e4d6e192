import type { EndReason } from '../../protocol/turn.js';
import type { JSONValue } from '../../protocol/words.js';
import { Fault } from '../wire/fault.js';
import { isObject } from '../wire/history.js';
import { parsed } from '../wire/open.js';
import { reported } from '../wire/reported.js';
import type { Frame } from '../wire/sse.js';
import type { Turn } from '../wire/turn.js';
import { ChatCalls } from './calls.js';
import { say } from './said.js';
import { chatUsage } from './usage.js';

/** Words for an end that is neither a stop nor calls. */
const ENDS = new Map<unknown, EndReason>([
	['length', 'length'],
	['max_tokens', 'length'],
	['model_length', 'length'],
	['content_filter', 'filter'],
	['sensitive', 'filter']
]);
/** Words for an end that is a failure. */
const FAILS = /^(?:error|insufficient_system_resource|network_error)$/;
const CANCELLED = /^(?:abort(?:ed)?|cancell?ed)$/;
/** What grows from piece to piece. */
const GROWS = ['text', 'summary', 'data'] as const;

type Detail = Record<string, JSONValue>;

/** The words of a text, of parts of a text, and of what stands in a part. */
function wordsOf(value: unknown): string {
	if (typeof value === 'string') return value;
	if (Array.isArray(value)) return value.map(wordsOf).join('');
	return isObject(value) ? wordsOf(value.text ?? value.thinking ?? value.summary) : '';
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Reads the chunks of one chat completion.
 * @internal
 */
export class ChatChunks {
	readonly #turn: Turn;
	readonly #calls: ChatCalls;
	readonly #isEchoed: boolean;
	#role: unknown;
	/** Reasoning as it came, under the name of its field. */
	readonly #thought = new Map<string, string[]>();
	readonly #details: Detail[] = [];
	readonly #pages = new Set<string>();

	/** @param isEchoed is reasoning given back with the calls it led to? */
	constructor(turn: Turn, isEchoed: boolean) {
		this.#turn = turn;
		this.#calls = new ChatCalls(turn);
		this.#isEchoed = isEchoed;
	}

	/** @returns true at the mark of the end */
	read(frame: Frame): boolean {
		const data = frame.data.trim();
		if (data === '') return false;
		if (data === '[DONE]') {
			this.#end();
			return true;
		}
		const chunk = parsed(frame);
		if (chunk.error) throw reported(chunk.error);
		if (chunk.object === 'error') throw reported(chunk);
		for (const url of listOf(chunk.citations)) this.#page(url);
		const choices = listOf(chunk.choices);
		for (const choice of choices) if (isObject(choice) && !choice.index) this.#choice(choice);
		const { x_groq: corner } = chunk;
		const usage = chatUsage(chunk.usage) ?? (isObject(corner) ? chatUsage(corner.usage) : undefined);
		if (usage) this.#turn.usage(usage, choices.length === 0 || this.#turn.hasEnded);
		return false;
	}

	#choice({ delta, error, finish_reason: finish }: Record<string, unknown>): void {
		if (error) throw reported(error);
		if (isObject(delta)) this.#delta(delta);
		if (typeof finish === 'string' && finish !== '') this.#end(finish);
	}

	#delta(delta: Record<string, unknown>): void {
		const { role, content, refusal, tool_calls: pieces, function_call: old } = delta;
		if (typeof role === 'string' && role !== '') this.#role = role;
		this.#reason(delta);
		for (const part of Array.isArray(content) ? (content as unknown[]) : [content])
			if (isObject(part) && part.type === 'thinking') this.#turn.reasoning(wordsOf(part));
			else say(this.#turn, this.#role, wordsOf(part));
		if (typeof refusal === 'string' && refusal !== '') this.#turn.refuse(refusal);
		this.#calls.take(isObject(old) ? [{ function: old }] : listOf(pieces));
		for (const one of listOf(delta.annotations))
			if (isObject(one) && isObject(one.url_citation))
				this.#page(one.url_citation.url, one.url_citation.title);
	}

	/** Reasoning comes in one of several fields, or in several at once: then it is the same. */
	#reason(delta: Record<string, unknown>): void {
		const details = listOf(delta.reasoning_details).filter(isObject) as Detail[];
		for (const detail of details) this.#detail(detail);
		for (const field of ['reasoning_content', 'reasoning']) {
			const words = delta[field];
			if (typeof words !== 'string' || words === '') continue;
			this.#turn.reasoning(words);
			const parts = this.#thought.get(field);
			if (parts) parts.push(words);
			else this.#thought.set(field, [words]);
			return;
		}
		this.#turn.reasoning(wordsOf(details));
	}

	#detail(piece: Detail): void {
		const last = this.#details.at(-1);
		if (!last || last.type !== piece.type || last.index !== piece.index) {
			this.#details.push(piece);
			return;
		}
		const joined: Detail = { ...last, ...piece };
		for (const key of GROWS) {
			const [before, more] = [last[key], piece[key]];
			if (typeof before === 'string') joined[key] = before + (typeof more === 'string' ? more : '');
		}
		this.#details[this.#details.length - 1] = joined;
	}

	#page(url: unknown, title?: unknown): void {
		if (typeof url !== 'string' || this.#pages.has(url)) return;
		this.#pages.add(url);
		this.#turn.tell({ type: 'source', url, ...(typeof title === 'string' && { title }) });
	}

	#end(finish?: string): void {
		if (finish !== undefined && FAILS.test(finish)) throw new Fault('provider', finish, { retryable: true });
		if (finish !== undefined && CANCELLED.test(finish))
			throw new Fault('cancelled-there', `The turn was ended over there: ${finish}.`);
		this.#calls.end();
		if (this.#isEchoed && !this.#calls.isEmpty) this.#turn.echo(this.#echo());
		this.#turn.end(ENDS.get(finish) ?? 'stop', finish, true);
	}

	/** What servers that reason want back with the results of calls. */
	#echo(): JSONValue | undefined {
		const echo = new Map<string, JSONValue>(
			[...this.#thought].map(([field, parts]) => [field, parts.join('')])
		);
		if (this.#details.length > 0) echo.set('reasoning_details', this.#details);
		const { extras } = this.#calls;
		if (extras !== undefined) echo.set('extra_content', extras);
		return echo.size > 0 ? (Object.fromEntries(echo) as JSONValue) : undefined;
	}
}
