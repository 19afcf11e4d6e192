import type { JournalRecord } from '../../protocol/records.js';
import type { CallState, RunState } from '../../protocol/run-state.js';
import type { JSONValue, Label } from '../../protocol/words.js';
import { type AgUiMessage, OURS } from './event.js';

/** May what carries this label be told to the client? @since 0.1.0 */
export type Reveal = (label: Label) => boolean;

/** Private values stay: that a model may read them does not say that a client of the wire may. */
export const notPrivate: Reveal = ({ confidentiality }) => confidentiality !== 'private';

/** A call as the record of its turn has it. */
export interface Said {
	id: string;
	name: string;
	raw: string;
	there?: true;
	result?: JSONValue;
	failed?: true;
}

/** What closes a call, of the three kinds of record that can. */
interface Closing {
	call?: string;
	content?: JSONValue;
	performative?: string;
	label?: Label;
}

/** Data of a record, by the members that are looked at; which kind has which is known to the engine. */
export type Data = Closing &
	Readonly<{
		turn?: string;
		text?: string;
		calls?: readonly Said[];
		step?: string;
		status?: string;
	}>;

/** A run's calls are told apart from those of other runs in the thread. */
export const toolCallId = (run: string, call: string): string => `${run}:${call}`;

const text = (content: JSONValue): string =>
	typeof content === 'string' ? content : JSON.stringify(content);

/** The message that closes a call. AG-UI has no word for a refusal or a failure: how it was closed stands in the metadata. */
export function closing(run: string, { call, content, performative, label }: Closing, reveal: Reveal) {
	const id = toolCallId(run, call!);
	const shown = !label || reveal(label);
	return {
		id: `${id}-result`,
		role: 'tool' as const,
		toolCallId: id,
		content: shown ? text(content ?? null) : '{"withheld":"private"}',
		metadata: { [OURS]: { performative: performative ?? 'inform' } }
	};
}

/** What closes a call that was executed over there. */
export const there = ({ id: call, result, failed }: Said): Closing => ({
	call,
	content: result ?? null,
	performative: failed ? 'failure' : 'inform'
});

/** What the end of a run makes of a call that nothing had closed. */
export const unanswered = ({ id: call, result }: CallState): Closing => ({
	call,
	content: result ?? null,
	performative: 'cancel'
});

/**
 * The conversation of a run as its records tell it: a message of the assistant for each turn that said or called something,
 * and behind it the results of its calls. What a failed attempt said is in it until the next one begins; after the end every
 * call has a result.
 * @param options.without a turn that begins again
 * @since 0.1.0
 */
export function agUiMessages(
	{ id: run, journal, state }: { id: string; journal: readonly JournalRecord[]; state: RunState },
	{ reveal = notPrivate, without }: { reveal?: Reveal; without?: string } = {}
): AgUiMessage[] {
	const turns = new Map<string, { text: string; calls: readonly Said[] }>();
	const results = new Map<string, Closing>();
	for (const { kind, data: any } of journal) {
		const data = any as Data;
		if (kind === 'turn.opened') turns.set(data.turn!, { text: '', calls: [] });
		else if (kind === 'turn.failed' || kind === 'turn.closed') {
			const { calls = [] } = data;
			turns.set(data.turn!, { text: data.text!, calls });
			for (const call of calls) if (call.there) results.set(call.id, there(call));
		} else if (closes(kind, data)) results.set(data.call!, data);
	}
	if (state.outcome)
		for (const call of state.calls) if (!results.has(call.id)) results.set(call.id, unanswered(call));
	const out: AgUiMessage[] = [];
	for (const [id, { text: content, calls }] of turns) {
		if (id === without || (content === '' && calls.length === 0)) continue;
		out.push({
			id,
			role: 'assistant',
			...(content === '' ? {} : { content }),
			...(calls.length === 0 ? {} : { toolCalls: calls.map((call) => asToolCall(run, call)) })
		});
		const own = new Set(calls.map((call) => call.id));
		// In the order in which they came, as whoever listened has them.
		for (const result of results.values())
			if (own.delete(result.call!)) out.push(closing(run, result, reveal));
	}
	return out;
}

/** Does the record close a call? */
export const closes = (kind: string, { call, content }: Data): boolean =>
	call !== undefined &&
	content !== undefined &&
	(kind === 'call.closed' || kind === 'step.closed' || kind === 'effect.settled');

const asToolCall = (run: string, { id, name, raw, there }: Said) => ({
	id: toolCallId(run, id),
	type: 'function' as const,
	function: { name, arguments: raw },
	metadata: executed(there)
});

/** Marks a call as none of the client's, which may have a tool of the same name: this engine carries it out, or the agent behind it did. */
export const executed = (there?: boolean) => ({ [OURS]: { executed: there ? 'there' : 'here' } });
