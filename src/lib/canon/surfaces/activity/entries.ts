import type { Actor } from '../../../actor/index.js';
import type { Kinds, KnownRecord, TurnCall } from '../../../agent/journal/kinds.js';
import type { JournalRecord } from '../../../agent/protocol/records.js';
import type { JSONValue } from '../../../agent/protocol/words.js';

/** What a call was that is no step: a read, an act without effect, something the model asked for. */
export interface CallEntry {
	id: string;
	/** Tool name, as the model sent it. */
	name: string;
	kind?: string;
	act?: string;
	/** Arguments, where they parsed. */
	args: Readonly<Record<string, JSONValue>>;
	raw: string;
	closed?: { refused: boolean; performative: string; content: JSONValue; untrusted: boolean };
}

/** One thing of a run in the order in which it came; what it says now stands in the state of the run. */
export type Entry = { at: number } & (
	| {
			kind: 'said';
			key: string;
			by: Actor;
			text: string;
			/** Text of others that came along: names and lengths. */
			files?: readonly { name: string; length: number }[];
	  }
	| { kind: 'turn'; key: string; turn: string }
	| { kind: 'act'; key: string; step?: string; call?: CallEntry }
	| { kind: 'question'; key: string; question: string }
);

/** Calls that show themselves in another way: as a question, as the last words. */
export const ELSEWHERE = new Set(['ask', 'finish']);

/**
 * What happened in a run, in order. Reads only what is new since it was asked last, so that a run that grows is never gone
 * through again.
 */
export class Entries {
	#list: readonly Entry[] = [];
	#seen = 0;
	readonly #tools = new Map<string, { kind?: string; act?: string }>();
	readonly #calls = new Map<string, Extract<Entry, { kind: 'act' }>>();
	readonly #steps = new Set<string>();
	readonly #turns = new Set<string>();

	/** A new list where something came or was closed, else the same as before. */
	read(journal: readonly JournalRecord[]): readonly Entry[] {
		if (journal.length === this.#seen) return this.#list;
		const list = [...this.#list];
		for (let index = this.#seen; index < journal.length; index += 1)
			this.#take(journal[index] as unknown as KnownRecord, list);
		this.#seen = journal.length;
		return (this.#list = list);
	}

	/** What a tool name stood for in the last turn that had it. */
	tool(name: string): { kind?: string; act?: string } | undefined {
		return this.#tools.get(name);
	}

	#take(record: KnownRecord, list: Entry[]): void {
		const { at, seq, by } = record;
		const key = `${record.run} ${seq}`;
		switch (record.kind) {
			case 'run.opened': {
				const { goal, principal, attachments } = record.data;
				const files = attachments?.map(({ name, text }) => ({ name, length: text.length }));
				list.push({ kind: 'said', key, at, by: principal, text: goal, ...(files && { files }) });
				return;
			}
			case 'revision.accepted':
				list.push({ kind: 'said', key, at, by, text: record.data.text });
				return;
			case 'message':
				list.push({ kind: 'said', key, at, by: record.data.from, text: record.data.text });
				return;
			case 'turn.opened': {
				const { turn, tools } = record.data;
				for (const { name, kind, act } of tools) this.#tools.set(name, { kind, act });
				// What broke off is opened again under the same name.
				if (!this.#turns.has(turn)) list.push({ kind: 'turn', key, at, turn });
				this.#turns.add(turn);
				return;
			}
			case 'turn.closed':
				for (const call of record.data.calls) this.#called(call, key, at, list);
				return;
			case 'call.closed': {
				const { call, status, performative, content, label } = record.data;
				const entry = this.#calls.get(call);
				if (!entry?.call) return;
				const closed = {
					refused: status === 'refused',
					performative,
					content,
					untrusted: label?.integrity === 'untrusted'
				};
				this.#replace(entry, { ...entry, call: { ...entry.call, closed } }, list);
				return;
			}
			case 'plan.proposed':
				for (const step of record.data.steps) this.#planned(step, key, at, list);
				return;
			case 'question.asked':
				list.push({ kind: 'question', key, at, question: record.data.question.id });
		}
	}

	#called(call: TurnCall, key: string, at: number, list: Entry[]): void {
		if (ELSEWHERE.has(call.name)) return;
		const { id, name, raw, there, result, failed } = call;
		const closed = there && {
			refused: false,
			performative: failed ? 'failure' : 'inform',
			content: result ?? null,
			untrusted: true
		};
		const made: CallEntry = {
			id,
			name,
			raw,
			args: argsIn(raw),
			...this.#tools.get(name),
			...(closed && { closed })
		};
		const entry: Extract<Entry, { kind: 'act' }> = { kind: 'act', key: `${key} ${id}`, at, call: made };
		this.#calls.set(id, entry);
		list.push(entry);
	}

	#planned(step: Kinds['plan.proposed']['steps'][number], key: string, at: number, list: Entry[]): void {
		if (this.#steps.has(step.id)) return;
		this.#steps.add(step.id);
		const entry = step.call === undefined ? undefined : this.#calls.get(step.call);
		if (entry) this.#replace(entry, { ...entry, step: step.id }, list);
		else list.push({ kind: 'act', key: `${key} ${step.id}`, at, step: step.id });
	}

	#replace(
		before: Extract<Entry, { kind: 'act' }>,
		after: Extract<Entry, { kind: 'act' }>,
		list: Entry[]
	): void {
		const at = list.indexOf(before);
		if (at >= 0) list[at] = after;
		if (after.call) this.#calls.set(after.call.id, after);
	}
}

/** The arguments of a call, where they parse to an object. */
export function argsIn(raw: string): CallEntry['args'] {
	try {
		const value: unknown = JSON.parse(raw === '' ? '{}' : raw);
		return typeof value === 'object' && value !== null && !Array.isArray(value)
			? (value as CallEntry['args'])
			: {};
	} catch {
		return {};
	}
}
