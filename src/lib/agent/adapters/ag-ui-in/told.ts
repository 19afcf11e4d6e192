import type { JSONValue } from '../../protocol/words.js';
import { isObject } from '../wire/history.js';
import type { Wire } from './run.js';

/** A message as the wire builds it up. */
interface Growing {
	id: string;
	role: string;
	parts: string[];
	more: Record<string, unknown>;
	calls: { id: string; name: string; parts: string[]; more: Record<string, unknown> }[];
}

/** Whose words are the other side's own; it may not put words into anybody else's mouth. */
const OWN = /^(assistant|reasoning|tool)$/;

const some = (key: string, value: unknown): object => (value === undefined ? {} : { [key]: value });

/**
 * What the agent over there told in one turn, as its own messages: it gets them back as they were, ids included, because a
 * server may know its history by them.
 * @internal
 */
export class Told {
	/** Calls that are answered here, in their order. */
	readonly #here = new Set<string>();
	/** Messages in their order, made whole when they are asked for. */
	#messages: (() => unknown)[] = [];
	readonly #by = new Map<string, Growing>();
	readonly #calls = new Map<string, Growing['calls'][number]>();

	/** The message of this id, begun where it is new. */
	message(id: string, role: string, owner: string | undefined): Growing {
		const known = this.#by.get(id);
		if (known) return known;
		const one: Growing = { id, role, parts: [], more: { ...some('subagentRunId', owner) }, calls: [] };
		this.#by.set(id, one);
		this.#messages.push(() => grown(one));
		return one;
	}

	/** Some text of a message. */
	say(id: string, delta: string): void {
		this.#by.get(id)?.parts.push(delta);
	}

	call(about: {
		id: string;
		name: string;
		parent: string | undefined;
		owner: string | undefined;
		here: boolean;
	}): void {
		const { id, name, parent = id, owner, here } = about;
		const call = { id, name, parts: [], more: {} };
		this.#calls.set(id, call);
		if (here) this.#here.add(id);
		this.message(parent, 'assistant', owner).calls.push(call);
	}

	/** Is a call answered here, as far as it was told by now? */
	isHere(id: string): boolean {
		return this.#here.has(id);
	}

	/** A call as it was made in this turn, to be read. */
	called(id: unknown): string | undefined {
		const call = this.#calls.get(id as string);
		return call && `${call.name} ${call.parts.join('')}`.trim();
	}

	/** The call is none that is answered here, after all. */
	leave(id: string): void {
		this.#here.delete(id);
	}

	args(id: string, delta: string): void {
		this.#calls.get(id)?.parts.push(delta);
	}

	/** What an event notes at a message or a call; the last word on each key counts. */
	note({ toolCallId, messageId, metadata }: Wire): void {
		const on = this.#calls.get(toolCallId as string) ?? this.#by.get(messageId as string);
		if (on && isObject(metadata)) on.more.metadata = { ...(on.more.metadata as object), ...metadata };
	}

	/** It was done there. */
	result(id: string, toolCallId: string, content: unknown): void {
		this.leave(toolCallId);
		this.#messages.push(() => ({ id, role: 'tool', toolCallId, content }));
	}

	/** What only the other side can read, with the message or call it belongs to. */
	seal(id: string, encryptedValue: string): void {
		const on = this.#calls.get(id) ?? this.#by.get(id);
		if (on) on.more.encryptedValue = encryptedValue;
	}

	/**
	 * The whole conversation, told anew.
	 * @returns text of messages of this turn that were not told before
	 */
	replace(all: readonly unknown[], sent: ReadonlySet<unknown>): [id: string, text: string][] {
		const messages = all.filter(isObject);
		const own = messages.filter(({ id, role }) => OWN.test(String(role)) && !sent.has(id));
		const before = this.#by;
		const last = messages.findLastIndex(({ role }) => role === 'user');
		const since = new Set(messages.slice(last + 1));
		this.#messages = own.map((one) => () => one);
		return own.flatMap((one): [string, string][] => {
			const { id, role, content } = one;
			const isNew = role === 'assistant' && since.has(one) && !before.has(String(id));
			return isNew && typeof content === 'string' ? [[String(id), content]] : [];
		});
	}

	/** All of it, for the next request. */
	echo(run: string): JSONValue {
		const messages = this.#messages.map((one) => one() as JSONValue);
		return { run, messages, calls: [...this.#here] };
	}
}

function grown({ id, role, parts, more, calls }: Growing): object {
	const toolCalls = calls.map((call) => ({
		id: call.id,
		type: 'function',
		function: { name: call.name, arguments: call.parts.join('') },
		...call.more
	}));
	return { id, role, content: parts.join(''), ...(calls.length > 0 && { toolCalls }), ...more };
}
