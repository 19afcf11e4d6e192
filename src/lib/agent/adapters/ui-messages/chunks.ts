import type { EndReason, Usage } from '../../protocol/turn.js';
import type { JSONValue } from '../../protocol/words.js';
import { Fault } from '../wire/fault.js';
import { isObject } from '../wire/history.js';
import { parsed } from '../wire/open.js';
import { reported } from '../wire/reported.js';
import type { Frame } from '../wire/sse.js';
import type { Turn } from '../wire/turn.js';
import { APPROVAL, isCall, type Part, type ToolPart, type UIEcho } from './parts.js';
import { uiUsage } from './usage.js';

type Chunk = Record<string, unknown>;

/** A part of the answer; a text is put together at the end. */
interface Told {
	part: Part;
	pieces?: string[];
}

/** A call as far as the stream has told it. */
interface Called {
	part: ToolPart;
	name: string;
	pieces: string[];
	/** Pieces of its input are JSON. */
	isJSON: boolean;
	/** Its input is there; the step may still be taken back. */
	isWhole: boolean;
}

const ENDS = new Map<unknown, EndReason>([
	['length', 'length'],
	['content-filter', 'filter'],
	['tool-calls', 'calls']
]);

const said = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Reads a UI message stream. Calls are over when their step is: until then the server may take the step back. What the server
 * executed, or waits to have approved, is not ours to carry out, whatever it is called.
 * @internal
 */
export class UIChunks {
	readonly #turn: Turn;
	readonly #usage: (metadata: unknown) => Usage | undefined;
	/** The calls of turns before, by id: an answered approval goes on with one of them. */
	readonly #before: ReadonlyMap<string, ToolPart>;
	readonly #parts: Told[] = [];
	readonly #growing = new Map<string, Told & { pieces: string[] }>();
	readonly #calls = new Map<string, Called>();
	/** Where the step began. */
	#step = 0;
	#hasText = false;
	#lastText = '';

	constructor(
		turn: Turn,
		before: ReadonlyMap<string, ToolPart>,
		usage: (metadata: unknown) => Usage | undefined = uiUsage
	) {
		this.#turn = turn;
		this.#before = before;
		this.#usage = usage;
	}

	read(frame: Frame): boolean | void {
		if (frame.data === '[DONE]') return true;
		const chunk = parsed(frame);
		switch (chunk.type) {
			case 'start':
			case 'message-metadata':
				return this.#metadata(chunk);
			case 'finish':
				return this.#finish(chunk);
			case 'start-step':
				this.#step = this.#parts.push({ part: { type: 'step-start' } }) - 1;
				return;
			case 'finish-step':
				return this.#endCalls();
			case 'reset-step':
				return this.#reset();
			case 'error':
				return this.#turn.fail(reported(chunk.errorText));
			case 'abort':
				return this.#turn.fail(
					new Fault('cancelled-there', said(chunk.reason) || 'The server ended the answer.')
				);
			case 'text-start':
			case 'reasoning-start':
			case 'text-delta':
			case 'reasoning-delta':
			case 'text-end':
			case 'reasoning-end':
				return this.#words(chunk, chunk.type.startsWith('text') ? 'text' : 'reasoning');
			default:
				if (typeof chunk.toolCallId === 'string') this.#tool(chunk, chunk.toolCallId);
				else this.#other(chunk);
		}
	}

	#words(chunk: Chunk, type: 'text' | 'reasoning'): void {
		const key = `${type} ${said(chunk.id)}`;
		let one = this.#growing.get(key);
		if (!one || said(chunk.type).endsWith('-start')) {
			one = { part: { type }, pieces: [] };
			this.#growing.set(key, one);
			this.#parts.push(one);
		}
		if (isObject(chunk.providerMetadata)) one.part.providerMetadata = chunk.providerMetadata as JSONValue;
		const { delta } = chunk;
		if (typeof delta !== 'string' || delta === '') return;
		one.pieces.push(delta);
		if (type === 'reasoning') return this.#turn.reasoning(delta);
		// Every text is a paragraph of its own.
		if (this.#hasText && this.#lastText !== key) this.#turn.text('\n\n');
		this.#hasText = true;
		this.#lastText = key;
		this.#turn.text(delta);
	}

	#tool(chunk: Chunk, id: string): void {
		const { toolName, input } = chunk;
		switch (chunk.type) {
			case 'tool-input-start':
				this.#start(chunk, id);
				return;
			case 'tool-input-delta': {
				const one = this.#calls.get(id);
				if (!one?.isJSON || one.isWhole) return;
				one.pieces.push(said(chunk.inputTextDelta));
				return this.#turn.args(id, chunk.inputTextDelta);
			}
			case 'tool-input-available':
			case 'tool-input-error': {
				const known = this.#calls.get(id);
				const one = known && (toolName ?? known.name) === known.name ? known : this.#start(chunk, id);
				return this.#input(one, chunk, input);
			}
			case 'tool-approval-request':
				return this.#approval(chunk, id);
			case 'tool-output-available':
				if (chunk.preliminary === true)
					return this.#turn.tell({ type: 'activity', id, kind: 'tool-output', content: json(chunk.output) });
				return this.#output(id, { state: 'output-available', output: json(chunk.output) }, chunk.output);
			case 'tool-output-error': {
				const errorText = said(chunk.errorText);
				return this.#output(id, { state: 'output-error', errorText }, errorText, true);
			}
			case 'tool-output-denied':
				return this.#output(id, { state: 'output-denied' }, { code: 'denied' }, true);
		}
	}

	#start(chunk: Chunk, id: string): Called {
		const name = said(chunk.toolName);
		const there = chunk.providerExecuted === true || !this.#turn.knows(name);
		const part: ToolPart = {
			type: chunk.dynamic === true ? 'dynamic-tool' : `tool-${name}`,
			toolCallId: id,
			...(chunk.dynamic === true && { toolName: name }),
			...(chunk.providerExecuted === true && { providerExecuted: true }),
			...(isObject(chunk.providerMetadata) && { callProviderMetadata: json(chunk.providerMetadata) })
		};
		const one: Called = { part, name, pieces: [], isJSON: chunk.inputEncoding !== 'text', isWhole: false };
		this.#calls.set(id, one);
		this.#parts.push({ part });
		this.#turn.start(id, id, name, there);
		return one;
	}

	#input(one: Called, { type, errorText, providerMetadata }: Chunk, input: unknown): void {
		const { part, pieces } = one;
		if (one.isWhole) return;
		one.isWhole = true;
		part.input = json(input);
		if (isObject(providerMetadata)) part.callProviderMetadata = json(providerMetadata);
		// The pieces say it already, or the server has mended what they say.
		if (typeof input === 'string' && type === 'tool-input-error') this.#turn.whole(part.toolCallId, input);
		else if (!says(pieces.join(''), input)) this.#turn.value(part.toolCallId, input);
		part.state = 'input-available';
		if (type === 'tool-input-error' && !this.#turn.isHere(part.toolCallId))
			this.#output(part.toolCallId, { state: 'output-error', errorText: said(errorText) }, errorText, true);
	}

	#approval(chunk: Chunk, id: string): void {
		const one = this.#calls.get(id);
		const { approvalId, reason, isAutomatic, signature } = chunk;
		if (isAutomatic === true || typeof approvalId !== 'string') return;
		const name = one?.name ?? '';
		if (one) {
			one.part.state = 'approval-requested';
			one.part.approval = {
				id: approvalId,
				...(typeof signature === 'string' && { signature })
			};
			// Who waits for a yes over there is not called here.
			if (this.#turn.isHere(id)) this.#turn.endCall(id, false);
		}
		const text = [name, said(reason)].filter(Boolean).join(': ');
		this.#turn.tell({
			type: 'interrupt',
			id: approvalId,
			reason: 'approval',
			text,
			call: id,
			schema: APPROVAL
		});
	}

	#output(id: string, now: Partial<ToolPart>, content: unknown, failed = false): void {
		let one = this.#calls.get(id);
		const before = this.#before.get(id);
		if (!one && before) {
			// What was approved is done now: the call of a turn before comes up again.
			const name = before.toolName ?? before.type.slice('tool-'.length);
			const part = { ...before };
			one = { part, name, pieces: [], isJSON: true, isWhole: true };
			this.#calls.set(id, one);
			this.#parts.push({ part });
			this.#turn.start(id, id, name, true);
			this.#turn.value(id, before.input);
		}
		if (!one) return;
		Object.assign(one.part, now);
		this.#turn.result(id, content, failed);
	}

	#other(chunk: Chunk): void {
		const { type, url, title, data, kind } = chunk;
		if (typeof type !== 'string') return;
		if (type === 'source-url' && typeof url === 'string')
			return this.#turn.tell({ type: 'source', url, ...(typeof title === 'string' && { title }) });
		if (type.startsWith('data-')) return this.#turn.tell({ type: 'custom', name: type, value: json(data) });
		if (type === 'custom') return this.#turn.tell({ type, name: said(kind), value: json(chunk) });
		// Words of a user come from here; from there they are only reported.
		if (type === 'steering-message')
			return this.#turn.tell({
				type: 'custom',
				name: type,
				value: { role: 'user', parts: json(chunk.parts) }
			});
		if (/^(file|reasoning-file|source-document)$/.test(type)) {
			this.#parts.push({ part: json(chunk) as unknown as Part });
			this.#turn.tell({ type: 'custom', name: type, value: json(chunk) });
		}
	}

	#endCalls(): void {
		for (const [id, { part, isWhole }] of this.#calls)
			if (isWhole && part.state === 'input-available') this.#turn.endCall(id);
	}

	/** The server begins the step anew. What was told stays told; what was called is not. */
	#reset(): void {
		for (const one of this.#parts.splice(this.#step + 1))
			if (isCall(one.part)) {
				this.#turn.withdraw(one.part.toolCallId);
				this.#calls.delete(one.part.toolCallId);
			}
		this.#growing.clear();
		this.#lastText = '';
	}

	#metadata({ messageMetadata }: Chunk): void {
		const usage = this.#usage(messageMetadata);
		if (usage) this.#turn.usage(usage);
	}

	#finish(chunk: Chunk): void {
		this.#metadata(chunk);
		const { finishReason } = chunk;
		if (finishReason === 'error') this.#turn.fail(new Fault('provider', 'The provider reported an error.'));
		if (finishReason === 'interrupted') this.#turn.fail(new Fault('truncated', 'The answer broke off.'));
		this.#endCalls();
		this.#turn.echo(this.#echo() as unknown as JSONValue);
		this.#turn.end(ENDS.get(finishReason) ?? 'stop', said(finishReason) || undefined);
	}

	#echo(): UIEcho {
		const parts = this.#parts.flatMap(({ part, pieces }) => {
			if (!pieces) return [part];
			const text = pieces.join('');
			return text === '' && !part.providerMetadata ? [] : [{ ...part, text }];
		});
		return { parts, here: [...this.#calls.keys()].filter((id) => this.#turn.isHere(id)) };
	}
}

/** Is the text that input? */
function says(text: string, input: unknown): boolean {
	try {
		return JSON.stringify(JSON.parse(text)) === JSON.stringify(input);
	} catch {
		return false;
	}
}

const json = (value: unknown): JSONValue => (value ?? null) as JSONValue;
