import type { AgentEvent } from '../../protocol/turn.js';
import type { JSONValue } from '../../protocol/words.js';
import { type AgUiEvent, OURS } from './event.js';
import { type Data, executed, toolCallId } from './messages.js';

/** What a client has been shown of the turn under way. */
interface Shown {
	id: string;
	/** Its beginning was not heard: it is told from its record. */
	missed: boolean;
	text: string[];
	isOpen: boolean;
	calls: Map<string, { pieces: string[]; isOpen: boolean }>;
	/** The span of thinking that is open. */
	thought?: string;
	thoughts: number;
	/** The request failed; what comes next is said anew. */
	failed: boolean;
}

const begun = (id: string, more: Partial<Shown> = {}): Shown => ({
	id,
	missed: false,
	text: [],
	isOpen: false,
	calls: new Map(),
	thoughts: 0,
	failed: false,
	...more
});

/** Tells the turns of one run: piece by piece as they come, and at their record what was not told or told otherwise. */
export class Turns {
	readonly #open = new Map<string, Shown>();

	/** @param anew tells the whole conversation, without what a turn said that begins again */
	constructor(
		readonly run: string,
		readonly put: (event: AgUiEvent) => void,
		readonly anew: (without?: string) => void
	) {}

	/** Takes in what was recorded before anybody listened. */
	past(kind: string, { turn: name = '', text }: Data): void {
		// Of what is under way the beginning was not heard; what failed is said anew.
		if (kind === 'turn.opened') this.#open.set(name, begun(name, { missed: true }));
		else if (kind === 'turn.failed') this.#open.set(name, begun(name, failed(text)));
		else if (kind === 'turn.closed') this.#open.delete(name);
	}

	begin({ turn = '' }: Data): void {
		this.#open.set(turn, begun(turn));
	}

	/** Closes whatever is open. */
	rest(): void {
		for (const turn of this.#open.values()) this.#close(turn);
	}

	/** What is happening, as it comes. */
	hear(event: AgentEvent): void {
		let turn = this.#open.get(event.turn);
		if (turn?.failed) {
			if (turn.text.length > 0) this.anew(turn.id);
			turn = begun(turn.id, { thoughts: turn.thoughts });
			this.#open.set(turn.id, turn);
		}
		if (!turn || turn.missed) return;
		switch (event.type) {
			case 'text':
				if (event.delta !== '') this.#text(turn, event.delta);
				break;
			case 'reasoning':
				if (typeof event.delta === 'string' && event.delta !== '') this.#thought(turn, event.delta);
				break;
			case 'call.start':
				this.#start(turn, event.id, event.name, event.executed === 'there');
				break;
			case 'call.args':
				if (turn.calls.get(event.id)?.isOpen && event.delta !== '') this.#args(turn, event.id, event.delta);
				break;
			case 'call.end': {
				const call = turn.calls.get(event.id);
				if (!call?.isOpen) break;
				if (call.pieces.length === 0 && event.raw !== '') this.#args(turn, event.id, event.raw);
				this.#end(event.id, call);
				break;
			}
			case 'activity': {
				const { id, kind, content } = event;
				const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
				this.put({
					type: 'ACTIVITY_SNAPSHOT',
					messageId: `${turn.id}:${id}`,
					activityType: String(kind),
					content: isObject ? content : { value: content ?? null }
				});
				break;
			}
			case 'custom': {
				const { value = null } = event;
				const name = String(event.name);
				// Nobody over there speaks in our name.
				if (name.startsWith(`${OURS}.`)) this.#custom('custom', { name, value });
				else this.put({ type: 'CUSTOM', name, value });
				break;
			}
			case 'source':
			case 'refusal':
			case 'state.snapshot':
			case 'state.delta': {
				const { type, run: _, after: __, ...value } = event;
				this.#custom(type, value as unknown as JSONValue);
			}
		}
	}

	/** The record of a turn is the truth: what was told is completed, or told anew where it differs. */
	close({ turn: name = '', text = '', calls = [] }: Data): void {
		const turn = this.#open.get(name) ?? begun(name);
		this.#open.delete(name);
		const said = turn.text.join('');
		const told = [...turn.calls];
		const holds =
			(said === text || said === '') &&
			told.length <= calls.length &&
			told.every(([call, { pieces }], i) => {
				const { id, raw } = calls[i]!;
				return id === call && (pieces.length === 0 || pieces.join('') === raw);
			});
		if (holds) {
			if (said !== text) this.#text(turn, text);
			for (const { id, name, raw, there } of calls) {
				const call = turn.calls.get(id) ?? this.#start(turn, id, name, there === true);
				if (raw !== '' && call.pieces.length === 0) this.#args(turn, id, raw);
			}
		}
		this.#close(turn);
		if (!holds) this.anew();
	}

	/** What a request said before it failed stands until it is made again; what it called is nothing. */
	fail({ turn: name = '', text }: Data): void {
		const turn = this.#open.get(name) ?? begun(name, { missed: true });
		this.#close(turn);
		if (turn.missed || turn.calls.size > 0) this.anew();
		this.#open.set(name, { ...turn, ...failed(text) });
	}

	#custom(name: string, value: JSONValue): void {
		this.put({ type: 'CUSTOM', name: `${OURS}.${name}`, value });
	}

	#text(turn: Shown, delta: string): void {
		this.#think(turn);
		if (!turn.isOpen) this.put({ type: 'TEXT_MESSAGE_START', messageId: turn.id, role: 'assistant' });
		turn.isOpen = true;
		turn.text.push(delta);
		this.put({ type: 'TEXT_MESSAGE_CONTENT', messageId: turn.id, delta });
	}

	#thought(turn: Shown, delta: string): void {
		if (turn.thought === undefined) {
			const messageId = (turn.thought = `${turn.id}-reasoning-${(turn.thoughts += 1)}`);
			this.put({ type: 'REASONING_START', messageId });
			this.put({ type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' });
		}
		this.put({ type: 'REASONING_MESSAGE_CONTENT', messageId: turn.thought, delta });
	}

	/** Ends a span of thinking. */
	#think(turn: Shown): void {
		const messageId = turn.thought;
		if (messageId === undefined) return;
		turn.thought = undefined;
		this.put({ type: 'REASONING_MESSAGE_END', messageId });
		this.put({ type: 'REASONING_END', messageId });
	}

	#start(turn: Shown, call: string, toolCallName: string, isThere: boolean) {
		this.#think(turn);
		const begun = { pieces: [], isOpen: true };
		turn.calls.set(call, begun);
		this.put({
			type: 'TOOL_CALL_START',
			toolCallId: toolCallId(this.run, call),
			toolCallName,
			parentMessageId: turn.id,
			metadata: executed(isThere)
		});
		return begun;
	}

	#args(turn: Shown, call: string, delta: string): void {
		turn.calls.get(call)!.pieces.push(delta);
		this.put({ type: 'TOOL_CALL_ARGS', toolCallId: toolCallId(this.run, call), delta });
	}

	#end(call: string, one: { isOpen: boolean }): void {
		if (one.isOpen) this.put({ type: 'TOOL_CALL_END', toolCallId: toolCallId(this.run, call) });
		one.isOpen = false;
	}

	#close(turn: Shown): void {
		this.#think(turn);
		for (const [call, one] of turn.calls) this.#end(call, one);
		if (turn.isOpen) this.put({ type: 'TEXT_MESSAGE_END', messageId: turn.id });
		turn.isOpen = false;
	}
}

const failed = (text = ''): Partial<Shown> => ({
	missed: false,
	failed: true,
	calls: new Map(),
	text: text === '' ? [] : [text]
});
