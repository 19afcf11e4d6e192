import type { JSONValue } from '../../protocol/words.js';
import { Fault } from '../wire/fault.js';
import { isObject } from '../wire/history.js';
import { parsed } from '../wire/open.js';
import { reported } from '../wire/reported.js';
import type { Frame } from '../wire/sse.js';
import type { Turn } from '../wire/turn.js';
import { APPROVAL, CUSTOM, FUNCTION, listOf, type Item } from './items.js';

/** Parts of what is said, and what is done with each. */
const SAID = {
	output_text: ['message', 'text'],
	refusal: ['message', 'refuse'],
	reasoning_summary_text: ['reasoning', 'reasoning'],
	reasoning_text: ['reasoning', 'reasoning']
} as const;
type Part = keyof typeof SAID;

const PIECE = /^response\.(output_text|refusal|reasoning_summary_text|reasoning_text)\.(delta|done)$/;
const ARGUMENTS = /^response\.(?:function_call|mcp_call)_arguments\.(delta|done)$/;
const CLOSING = /^response\.(completed|incomplete|failed|cancelled)$/;
const ENDS = new Set<unknown>(['completed', 'incomplete', 'failed', 'cancelled']);

/** Approval, as the person gives it. */
const ANSWER = {
	type: 'object',
	properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
	required: ['approved']
};

const isHere = (type: unknown): boolean => type === FUNCTION || type === CUSTOM;
/** A tool that is executed over there. */
const isThere = (type: unknown): type is string =>
	typeof type === 'string' && type.endsWith('_call') && !isHere(type);

/** Where an item stands in the output, or its id where that is not told. */
type Place = string | number;

/**
 * One response being read. Items are known by their place in the output: their ids may change with every event.
 * @internal
 */
export class Reading {
	readonly #turn: Turn;
	readonly #items = new Map<Place, Item>();
	/** Places of items that are whole. */
	readonly #done = new Set<Place>();
	/** The place of an item by its ids. */
	readonly #places = new Map<unknown, Place>();
	/** Calls that are to be executed here, in the order in which they began. */
	readonly #calls: Place[] = [];
	/** Parts of which something was told, and the kinds of items they belong to. */
	readonly #told = new Set<unknown>();
	readonly #urls = new Set<string>();

	constructor(turn: Turn) {
		this.#turn = turn;
	}

	read(frame: Frame): boolean | void {
		if (frame.data.trim() === '[DONE]') return true;
		const event = parsed(frame);
		const type = String(event.type ?? frame.event);
		const { item } = event;
		const place = (event.output_index ?? event.item_id ?? (isObject(item) ? item.id : undefined)) as Place;
		const [, part, step] = PIECE.exec(type) ?? [];
		const [, piece] = ARGUMENTS.exec(type) ?? [];
		const [, status] = CLOSING.exec(type) ?? [];
		if (part) {
			const at = `${place}/${String(event.content_index ?? event.summary_index ?? 0)}`;
			this.#say(part as Part, at, event.delta ?? event.text ?? event.refusal, step === 'done');
		} else if (piece === 'delta') this.#turn.args(place, event.delta);
		else if (piece) this.#whole(place, event.arguments);
		else if (status) this.#close(isObject(event.response) ? event.response : {}, status);
		else if (type === 'response.output_item.added') this.#begin(place, item);
		else if (type === 'response.output_item.done') this.#finish(place, item);
		else if (type === 'response.output_text.annotation.added') this.#cite(event.annotation);
		else if (type === 'error' || isObject(event.error)) this.#turn.fail(reported(event.error ?? event));
	}

	#say(part: Part, at: string, said: unknown, isWhole: boolean): void {
		const [kind, does] = SAID[part];
		const key = `${part} ${at}`;
		const isNew = !this.#told.has(key);
		if ((isWhole && !isNew) || typeof said !== 'string' || said === '') return;
		// Thoughts have nothing else that would keep them apart.
		if (isNew && kind === 'reasoning' && this.#told.has(kind)) this.#turn.reasoning('\n\n');
		this.#told.add(key).add(kind);
		this.#turn[does](said);
	}

	/** Said again at the end; one that says nothing does not take back what came. */
	#whole(place: Place, whole: unknown): void {
		if (whole !== '') this.#turn.whole(place, whole);
	}

	#cite(about: unknown): void {
		if (!isObject(about)) return;
		const { url, title } = about;
		if (typeof url !== 'string' || this.#urls.has(url)) return;
		this.#urls.add(url);
		this.#turn.tell({ type: 'source', url, ...(typeof title === 'string' && { title }) });
	}

	#begin(place: Place, item: unknown): void {
		if (!isObject(item)) return;
		const { type, id, call_id, name } = item;
		if (!this.#done.has(place)) this.#items.set(place, item);
		for (const known of [id, call_id]) if (typeof known === 'string') this.#places.set(known, place);
		if (this.#turn.has(place)) return;
		if (isHere(type)) {
			this.#turn.start(place, call_id ?? id, name);
			this.#calls.push(place);
		} else if (isThere(type)) this.#turn.start(place, id, name ?? type.slice(0, -5), true);
	}

	#finish(place: Place, item: unknown): void {
		if (!isObject(item) || this.#done.has(place)) return;
		const turn = this.#turn;
		const { type, call_id } = item;
		// The result of a call may be an item of its own.
		const caller = String(type).endsWith('_output') ? this.#places.get(call_id) : undefined;
		this.#begin(place, item);
		this.#done.add(place);
		if (type === FUNCTION) this.#whole(place, item.arguments);
		else if (type === CUSTOM) turn.value(place, { input: item.input });
		else if (isThere(type)) this.#there(place, item);
		else if (caller !== undefined) turn.result(caller, item.output);
		else if (type === APPROVAL) {
			const text = [item.server_label, item.name, item.arguments].join(' ');
			turn.tell({ type: 'interrupt', id: String(item.id), reason: 'approval', text, schema: ANSWER });
		} else this.#rest(place, item);
		turn.endCall(place, item.status !== 'incomplete');
	}

	/** What of a message or of reasoning was not told before. */
	#rest(place: Place, { summary, content }: Item): void {
		listOf(summary).forEach((part, n) => {
			if (isObject(part)) this.#say('reasoning_summary_text', `${place}/${n}`, part.text, true);
		});
		listOf(content).forEach((part, n) => {
			if (!isObject(part) || !Object.hasOwn(SAID, String(part.type))) return;
			this.#say(part.type as Part, `${place}/${n}`, part.text ?? part.refusal, true);
			for (const about of listOf(part.annotations)) this.#cite(about);
		});
	}

	#there(place: Place, item: Item): void {
		const { action, code, queries, error = null, status } = item;
		if (typeof item.arguments === 'string') this.#whole(place, item.arguments);
		else this.#turn.value(place, action ?? { code, queries });
		const content = error ?? item.output ?? item.outputs ?? item.results ?? item.result ?? status;
		if (!('call_id' in item)) this.#turn.result(place, content, error !== null || status === 'failed');
		if (isObject(action)) for (const about of listOf(action.sources)) this.#cite(about);
	}

	#close(response: Item, word: string): void {
		const { usage, error, incomplete_details: why } = response;
		const turn = this.#turn;
		listOf(response.output).forEach((item, n) => {
			if (!isObject(item)) return;
			const place = this.#placeOf(item, n);
			// Where places have changed, what was told would be told twice.
			if (this.#told.has(item.type)) this.#begin(place, item);
			else this.#finish(place, item);
		});
		if (isObject(usage)) this.#count(usage);
		this.#echo();
		const status = ENDS.has(response.status) ? response.status : word;
		if (status === 'cancelled') turn.fail(new Fault('cancelled-there', 'The response was cancelled.'));
		else if (status === 'failed') this.#fail(error);
		else if (status === 'completed') {
			for (const place of this.#calls) turn.endCall(place, this.#items.get(place)?.type === FUNCTION);
			turn.end('stop', 'completed');
		} else {
			const raw = isObject(why) && typeof why.reason === 'string' ? why.reason : 'incomplete';
			const steered = this.#calls.length > 0 ? 'calls' : 'pause';
			turn.end(raw === 'steered' ? steered : raw === 'content_filter' ? 'filter' : 'length', raw);
		}
	}

	/** The place of an item of the whole output, which may list fewer items and other ids than came one by one. */
	#placeOf({ id, call_id, type }: Item, n: number): Place {
		const known = this.#places.get(call_id) ?? this.#places.get(id);
		if (known !== undefined) return known;
		return this.#items.has(n) && this.#items.get(n)!.type !== type ? `other ${n}` : n;
	}

	#fail(error: unknown): void {
		const turn = this.#turn;
		if (!isObject(error)) turn.fail(new Fault('provider', 'The response failed.'));
		else if (/_policy(_|$)/.test(String(error.code))) {
			turn.refuse(error.message, error.code);
			turn.end('refusal', 'failed');
		} else turn.fail(reported(error));
	}

	#count(usage: Item): void {
		const { input_tokens: input, output_tokens: output } = usage;
		if (typeof input !== 'number' || typeof output !== 'number') return;
		const { cached_tokens, cache_write_tokens } = (usage.input_tokens_details ?? {}) as Item;
		const { reasoning_tokens } = (usage.output_tokens_details ?? {}) as Item;
		this.#turn.usage({
			input,
			output,
			...(typeof cached_tokens === 'number' && { cacheRead: cached_tokens }),
			...(typeof cache_write_tokens === 'number' && { cacheWrite: cache_write_tokens }),
			...(typeof reasoning_tokens === 'number' && { reasoning: reasoning_tokens })
		});
	}

	/** Asks to have back what the next request cannot say in other words. */
	#echo(): void {
		const rank = (place: Place): number => (typeof place === 'number' ? place : Infinity);
		const items = [...this.#items].sort(([a], [b]) => rank(a) - rank(b) || 0);
		const answered = new Set(items.flatMap(([, { type, call_id }]) => (isThere(type) ? [] : [call_id])));
		const plan = items.flatMap(([place, item]): Item[] => {
			const { type, phase, content, call_id } = item;
			if (isHere(type))
				return [{ call: this.#calls.indexOf(place), ...(type === CUSTOM && { custom: true }) }];
			if (type === 'message') {
				const said = listOf(content).map((part) =>
					isObject(part) && part.type === 'output_text' ? String(part.text) : ''
				);
				return [{ text: said.join('').length, ...(typeof phase === 'string' && { phase }) }];
			}
			const isUseless = type === 'reasoning' && !item.encrypted_content && listOf(content).length === 0;
			const isOpen = isThere(type) && call_id !== undefined && !answered.has(call_id);
			return !this.#done.has(place) || typeof type !== 'string' || isUseless || isOpen ? [] : [item];
		});
		if (plan.some((one) => 'type' in one || 'phase' in one || 'custom' in one))
			this.#turn.echo(plan as JSONValue);
	}
}
