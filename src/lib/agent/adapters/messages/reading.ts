import type { EndReason } from '../../protocol/turn.js';
import type { JSONValue } from '../../protocol/words.js';
import { argsOf, isObject } from '../wire/history.js';
import { reported } from '../wire/reported.js';
import type { Turn } from '../wire/turn.js';
import { isThere, type Block } from './request.js';

/** What the wire calls the end of a turn. */
const REASONS: ReadonlyMap<unknown, EndReason> = new Map([
	['tool_use', 'calls'],
	['max_tokens', 'length'],
	['model_context_window_exceeded', 'length'],
	['pause_turn', 'pause'],
	['refusal', 'refusal']
]);

/** Which member of a block a piece is added to. */
const GROWS: ReadonlyMap<unknown, 'text' | 'thinking' | 'signature'> = new Map([
	['text_delta', 'text'],
	['thinking_delta', 'thinking'],
	['signature_delta', 'signature']
]);

const INPUT = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'] as const;

/** A block being read. */
interface Open {
	/** What it was when it began, and what was added. */
	whole: Block;
	/** Pieces of the arguments of a call. */
	parts: string[];
	/** Something was added that nobody knows. */
	isStrange: boolean;
}

/** Reads the events of one turn. @internal */
export class Reading {
	readonly #turn: Turn;
	/** All blocks; the place of one is the key of its call. */
	readonly #blocks: Open[] = [];
	/** Places of those that are not over, by the wire's index. */
	readonly #open = new Map<unknown, number>();
	/** Places of calls over there, by id. */
	readonly #there = new Map<unknown, number>();
	/** Calls whose block is closed, but which may turn out to be cut. */
	#closed: number[] = [];
	readonly #sources = new Set<string>();
	readonly #figures = new Map<string, number>();

	constructor(turn: Turn) {
		this.#turn = turn;
	}

	/** @returns true when nothing may follow */
	take(event: Block): boolean {
		const { type, index, message, content_block, delta, usage } = event;
		if (type === 'content_block_start' && isObject(content_block)) this.#begin(index, content_block);
		else if (type === 'content_block_delta' && isObject(delta)) this.#grow(index, delta);
		else if (type === 'content_block_stop') this.#close(index);
		else if (type === 'message_start' && isObject(message)) this.#count(message.usage, false);
		else if (type === 'message_delta' && isObject(delta)) {
			const isOver = typeof delta.stop_reason === 'string';
			this.#count(usage, isOver);
			if (isOver) this.#end(delta.stop_reason, delta.stop_details);
		} else if (type === 'error') throw reported(event.error);
		else if (type === 'message_stop') {
			if (!this.#turn.hasEnded) this.#end(undefined, undefined);
			return true;
		}
		return false;
	}

	#begin(index: unknown, block: Block): void {
		const { type, id, name, tool_use_id, content, is_error } = block;
		// The model went on, so what stands before was not cut.
		this.#release(true);
		const key = this.#blocks.push({ whole: block, parts: [], isStrange: false }) - 1;
		this.#open.set(index, key);
		if (type === 'text') this.#turn.text(block.text);
		else if (type === 'thinking') this.#turn.reasoning(block.thinking);
		else if (type === 'tool_use') this.#turn.start(key, id, name);
		else if (isThere(block)) {
			this.#there.set(id, key);
			this.#turn.start(key, id, name, true);
		} else if (tool_use_id !== undefined) {
			const failed = is_error === true || (isObject(content) && String(content.type).endsWith('_error'));
			this.#turn.result(this.#there.get(tool_use_id) ?? -1, content, failed);
			this.#cite(content);
		}
	}

	#grow(index: unknown, delta: Block): void {
		const key = this.#open.get(index);
		if (key === undefined) return;
		const block = this.#blocks[key]!;
		const member = GROWS.get(delta.type);
		if (member) {
			const more = delta[member];
			if (typeof more !== 'string') return;
			const before = block.whole[member];
			block.whole[member] = typeof before === 'string' ? before + more : more;
			if (member === 'text') this.#turn.text(more);
			else if (member === 'thinking') this.#turn.reasoning(more);
		} else if (delta.type === 'input_json_delta') {
			if (typeof delta.partial_json === 'string') block.parts.push(delta.partial_json);
			this.#turn.args(key, delta.partial_json);
		} else if (delta.type === 'citations_delta') {
			const { citations } = block.whole;
			if (Array.isArray(citations)) citations.push(delta.citation);
			else block.whole.citations = [delta.citation];
			this.#cite(delta.citation);
		} else block.isStrange = true;
	}

	#close(index: unknown): void {
		const key = this.#open.get(index);
		if (key === undefined) return;
		this.#open.delete(index);
		if (!this.#turn.has(key)) return;
		const { input } = this.#blocks[key]!.whole;
		if (isObject(input) && Object.keys(input).length > 0 && this.#said(key) === '')
			this.#turn.value(key, input);
		this.#closed.push(key);
	}

	#said(key: number): string {
		return this.#blocks[key]!.parts.join('');
	}

	/** Closed calls are over; `explicit: false`: they were cut. */
	#release(explicit: boolean): void {
		for (const key of this.#closed) this.#turn.endCall(key, explicit);
		this.#closed = [];
	}

	#end(raw: unknown, details: unknown): void {
		const reason = REASONS.get(raw) ?? 'stop';
		if (reason === 'refusal') {
			const { explanation, category } = isObject(details) ? details : ({} as Block);
			this.#turn.refuse(explanation, category);
		}
		// At its limit the block of a call is closed though its arguments are cut.
		this.#release(reason !== 'length');
		this.#turn.end(reason, typeof raw === 'string' ? raw : undefined);
		this.#turn.echo(this.#echo());
	}

	/** What is wanted back as it was: all of it, as soon as it is more than text and calls. */
	#echo(): JSONValue | undefined {
		const blocks = this.#blocks.flatMap(({ whole, isStrange }, key) => {
			const { type, signature } = whole;
			if (type === 'tool_use') {
				const { input: _, ...rest } = whole;
				return [rest];
			}
			// A thought that was cut has no signature, and is not taken back.
			if (type === 'thinking' && signature === '') return [];
			if (isThere(whole))
				return [{ ...whole, input: this.#said(key) ? argsOf(this.#said(key)) : whole.input }];
			return isStrange && type !== 'text' ? [] : [whole];
		});
		const isPlain = blocks.every(({ type, citations }) =>
			type === 'text' ? citations === undefined : type === 'tool_use'
		);
		return isPlain ? undefined : (blocks as JSONValue);
	}

	#cite(found: unknown): void {
		for (const one of Array.isArray(found) ? (found as unknown[]) : [found]) {
			if (!isObject(one) || typeof one.url !== 'string' || this.#sources.has(one.url)) continue;
			const { url, title } = one;
			this.#sources.add(url);
			this.#turn.tell({ type: 'source', url, ...(typeof title === 'string' && { title }) });
		}
	}

	/** Figures are totals so far; the input is told without what was cached, and is added up. */
	#count(usage: unknown, isOver: boolean): void {
		if (!isObject(usage)) return;
		const details = usage.output_tokens_details;
		const told = { ...usage, ...(isObject(details) && { thinking_tokens: details.thinking_tokens }) };
		for (const [name, figure] of Object.entries(told))
			if (typeof figure === 'number') this.#figures.set(name, figure);
		const of = (name: string): number | undefined => this.#figures.get(name);
		const [cacheWrite, cacheRead, reasoning, output] = [
			of(INPUT[1]),
			of(INPUT[2]),
			of('thinking_tokens'),
			of('output_tokens')
		];
		if (output === undefined && of(INPUT[0]) === undefined) return;
		this.#turn.usage(
			{
				input: INPUT.reduce((sum, name) => sum + (of(name) ?? 0), 0),
				...(cacheRead !== undefined && { cacheRead }),
				...(cacheWrite !== undefined && { cacheWrite }),
				output: output ?? 0,
				...(reasoning !== undefined && { reasoning })
			},
			isOver && output !== undefined
		);
	}
}
