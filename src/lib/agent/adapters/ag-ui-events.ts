import type { JournalRecord } from '../protocol/records.js';
import type { Outcome, Pending, RunState } from '../protocol/run-state.js';
import type { AgentEvent, Usage } from '../protocol/turn.js';
import type { JSONValue, Reason } from '../protocol/words.js';
import {
	type AgUiEvent,
	type AgUiInterrupt,
	type AgUiMessage,
	type AgUiUsage,
	OURS,
	REVISION
} from './ag-ui-out/event.js';
import { Family } from './ag-ui-out/family.js';
import { type AgUiRefusal, askedAgain } from './ag-ui-out/asking.js';
import { type AgUiDecides, interrupts } from './ag-ui-out/interrupts.js';
import {
	agUiMessages,
	closes,
	closing,
	type Data,
	notPrivate,
	type Reveal,
	there,
	unanswered
} from './ag-ui-out/messages.js';
import { patch } from './ag-ui-out/patch.js';
import { type AgUiInstances, agUiPicture } from './ag-ui-out/picture.js';
import { Queue } from './ag-ui-out/queue.js';
import { Turns } from './ag-ui-out/turns.js';

export { agUiMessages, agUiPicture };
export type * from './ag-ui-out/event.js';
export type { AgUiDecides, AgUiInstances, AgUiRefusal, Reveal };

/** An engine, as far as its events are told; an EngineAgent is one. @since 0.1.0 */
export interface AgUiSource {
	readonly pending: readonly Pending[];
	readonly runs: readonly RunState[];
	readonly registry?: AgUiInstances;
	get(run: string): AgUiRun | undefined;
	subscribe(listener: (record: JournalRecord) => void): () => void;
	on(listener: (event: AgentEvent) => void): () => void;
}

/** A run of it. @since 0.1.0 */
export interface AgUiRun extends AgUiDecides {
	readonly journal: readonly JournalRecord[];
}

/** One wire run. @since 0.1.0 */
export interface AgUiWireRun {
	threadId: string;
	runId: string;
	parentRunId?: string;
	/** Messages the client has already; where ours are not what it has it is told all of them anew. */
	messages?: readonly AgUiMessage[];
	/** The client's state: members of its own stay beside ours. */
	state?: unknown;
	/** What may be told by its label. @default all that is not private */
	reveal?: Reveal;
	/** Names of tools the client brought, which the agent does not get. */
	ignored?: readonly string[];
	/** Called when everything said from here on is heard; gives what it could not do. */
	begin?: () => readonly AgUiRefusal[];
}

/** Members of a record that hold no value: ids, codes and figures of the engine's own. */
const TOLD = new Set(
	'verb step review question operation status key level user n kind verdict entry fact instance expiresAt fingerprint'.split(
		' '
	)
);

/** Kinds of record that AG-UI has events for. */
const SAID = /^(run|turn|call)\./;

/**
 * Tells a run in events of AG-UI 1.0, from here to where it ends or waits for a person: a client that knows nothing of this
 * package ends with the messages and the state that the run has. One run may take several of these: the next begins with
 * what the client is to know by then. Exactly one RUN_FINISHED or RUN_ERROR is the last event, and everything opened is
 * closed before it. What AG-UI has no word for is CUSTOM, under a name that begins with `activeuix.`.
 *
 * It listens from the call on, whether or not the events are taken; take them to the end or `return()` them.
 * @see https://docs.ag-ui.com, specification 1.0
 * @example for await (const event of agUiEvents(engine, run, { threadId, runId })) send(event)
 * @since 0.1.0
 */
export function agUiEvents(
	engine: AgUiSource,
	run: AgUiRun,
	wire: AgUiWireRun
): AsyncIterableIterator<AgUiEvent, undefined> {
	return new Telling(engine, run, wire).queue;
}

/** What one run waits for. */
interface Open {
	of: string;
	asked: readonly AgUiInterrupt[];
}

class Telling {
	readonly queue = new Queue<AgUiEvent>(() => this.#leave());
	readonly #put = (event: AgUiEvent): void => this.queue.put(event);
	readonly #reveal: Reveal;
	readonly #turns: Turns;
	readonly #family = new Family((run) => this.#run(run).state);
	/** Steps that are being carried out. */
	readonly #steps = new Map<string, string>();
	readonly #answered = new Set<string>();
	/** Answers of this wire run that were not taken, by what they answered. */
	readonly #refused = new Map<string, AgUiRefusal>();
	readonly #usage: AgUiUsage[] = [];
	#picture: JSONValue;
	/** Counts the states that were told. */
	#revision = 0;
	#isDue = true;
	#isOver = false;
	readonly #ends: readonly (() => void)[];

	constructor(
		readonly engine: AgUiSource,
		readonly run: AgUiRun,
		readonly wire: AgUiWireRun
	) {
		const { id, journal } = run;
		const { threadId, runId, parentRunId, state, ignored = [], begin } = wire;
		this.#reveal = wire.reveal ?? notPrivate;
		this.#turns = new Turns(id, this.#put, (without) => this.#anew(without));
		this.#ends = [
			engine.on((event) => event.run === id && !this.#isOver && this.#turns.hear(event)),
			engine.subscribe((record) => this.#take(record))
		];
		this.#family.join(id, journal);
		for (const { kind, data } of journal) this.#past(kind, data as Data);
		this.#put({
			type: 'RUN_STARTED',
			threadId,
			runId,
			protocolVersion: '1.0',
			...(parentRunId === undefined ? {} : { parentRunId }),
			metadata: { [OURS]: { run: id } }
		});
		for (const { id: of, parent, outcome } of engine.runs)
			if (!outcome && this.#family.has(parent)) this.#join(of, parent!);
		this.#picture = this.#draw();
		const own = typeof state === 'object' && !Array.isArray(state) ? state : {};
		this.#put({ type: 'STATE_SNAPSHOT', snapshot: { ...own, [OURS]: this.#picture }, ...this.#counted });
		if (run.state.turns.length > 0) this.#anew();
		if (ignored.length > 0) this.#custom('tools-ignored', { names: ignored });
		for (const refusal of begin?.() ?? []) {
			const { interruptId, reason, issues } = refusal;
			this.#refused.set(interruptId, refusal);
			this.#custom('refused', plain({ interruptId, code: reason.code, text: reason.text, issues }));
		}
		queueMicrotask(() => this.#flush());
	}

	#run(id: string): AgUiRun {
		return id === this.run.id ? this.run : this.engine.get(id)!;
	}

	#draw(): JSONValue {
		return agUiPicture(this.run.state, this.engine.registry);
	}

	/** A client that counts along sees that nothing is missing. */
	get #counted() {
		return { metadata: { [REVISION]: (this.#revision += 1) } };
	}

	#custom(name: string, value: JSONValue): void {
		this.#put({ type: 'CUSTOM', name: `${OURS}.${name}`, value });
	}

	/** Takes in what was recorded before anybody listened. */
	#past(kind: string, data: Data): void {
		this.#turns.past(kind, data);
		if (closes(kind, data)) this.#answered.add(data.call!);
		if (kind !== 'turn.closed') return;
		for (const call of data.calls ?? []) if (call.there) this.#answered.add(call.id);
	}

	/** Tells what the whole conversation is, where it is not what was told. */
	#anew(without?: string): void {
		const { run, wire } = this;
		const ours = agUiMessages(run, { reveal: this.#reveal, without });
		const turns = new Set(run.state.turns.map(({ id }) => id));
		const left = new Map(ours.map((message) => [message.id, message]));
		const messages = (wire.messages ?? []).flatMap((message) => {
			const mine = left.get(message.id);
			left.delete(message.id);
			// Thinking is the client's alone: what a snapshot does not speak of stays.
			if (message.role === 'reasoning') return [];
			return mine ?? (turns.has(message.id) || message.id.startsWith(`${run.id}:`) ? [] : message);
		});
		this.#put({ type: 'MESSAGES_SNAPSHOT', messages: [...messages, ...left.values()] });
	}

	#take(record: JournalRecord): void {
		const { run: of, kind } = record;
		const data = record.data as Data & { parent?: string };
		if (this.#isOver) return;
		if (kind === 'run.opened' && this.#family.has(data.parent)) this.#join(of, data.parent!);
		if (!this.#family.has(of)) return;
		this.#family.follow(of, kind, data);
		if (of === this.run.id) this.#record(record, data);
		else if (kind === 'run.ended') this.#subagent(of);
		if (this.#isDue) return;
		this.#isDue = true;
		queueMicrotask(() => this.#flush());
	}

	/** What has been decided or done. */
	#record({ kind, by, seq }: JournalRecord, data: Data): void {
		if (kind === 'turn.opened') this.#turns.begin(data);
		else if (kind === 'turn.failed') this.#turns.fail(data);
		else if (kind === 'turn.closed') {
			this.#turns.close(data);
			for (const call of data.calls ?? []) if (call.there) this.#result(there(call));
		} else if (kind === 'effect.dispatched') this.#begin(data.step!);
		else if (kind === 'effect.settled' || kind === 'effect.released') this.#end(data.step!);
		this.#count((data as { usage?: Usage }).usage);
		if (!SAID.test(kind)) this.#custom(kind, { seq, by: by.kind, ...told(data) });
		if (closes(kind, data)) this.#result(data);
	}

	#result(data: Parameters<typeof closing>[1]): void {
		if (this.#answered.has(data.call!)) return this.#anew();
		this.#answered.add(data.call!);
		const { id: messageId, ...result } = closing(this.run.id, data, this.#reveal);
		this.#put({ type: 'TOOL_CALL_RESULT', messageId, ...result });
	}

	/** A step of AG-UI is an act while it is carried out. */
	#begin(step: string): void {
		const { instance, act } = this.run.state.steps.find(({ id }) => id === step)!;
		const stepName = `${instance}.${act}`;
		this.#steps.set(step, stepName);
		this.#put({ type: 'STEP_STARTED', stepName, metadata: { [OURS]: { step } } });
	}

	#end(step: string): void {
		const stepName = this.#steps.get(step);
		if (stepName === undefined) return;
		this.#steps.delete(step);
		this.#put({ type: 'STEP_FINISHED', stepName, metadata: { [OURS]: { step } } });
	}

	/** Figures that a provider reported; an estimate is none. */
	#count(usage?: Usage): void {
		if (!usage || usage.estimated) return;
		const { input, output, reasoning, cacheRead, cacheWrite } = usage;
		const tokens = { inputTokens: input, outputTokens: output, reasoningTokens: reasoning };
		this.#usage.push(plain({ ...tokens, cachedInputTokens: cacheRead, cacheWriteInputTokens: cacheWrite }));
	}

	/** A run that an act began: to AG-UI it is a sub-agent. */
	#join(of: string, parent: string): void {
		const { journal } = this.#run(of);
		const { name } = (journal[0]!.data as { agent: { name: string } }).agent;
		const above = parent === this.run.id ? {} : { parentSubagentRunId: parent };
		this.#family.join(of, journal, parent);
		this.#put({ type: 'SUBAGENT_STARTED', subagentRunId: of, name, ...above });
	}

	#subagent(subagentRunId: string): void {
		const { kind, reason } = this.#run(subagentRunId).state.outcome!;
		const metadata = { [OURS]: { outcome: kind } };
		if (kind === 'failed') {
			this.#put({ type: 'SUBAGENT_ERROR', subagentRunId, ...fault(reason), metadata });
		} else this.#put({ type: 'SUBAGENT_FINISHED', subagentRunId, outcome: { type: 'success' }, metadata });
	}

	/** What a tick of the engine amounts to: how the state changed, and whether the wire run is over. */
	#flush(): void {
		this.#isDue = false;
		if (this.#isOver) return;
		const { state, id } = this.run;
		const { outcome } = state;
		const open = outcome || !this.#family.rests(id) ? [] : this.#open();
		if (outcome || open.length > 0) {
			this.#turns.rest();
			for (const step of this.#steps.keys()) this.#end(step);
		}
		if (outcome)
			for (const call of state.calls) if (!this.#answered.has(call.id)) this.#result(unanswered(call));
		const before = this.#picture;
		this.#picture = this.#draw();
		const delta = patch(before, this.#picture, `/${OURS}`);
		if (delta.length > 0) this.#put({ type: 'STATE_DELTA', delta, ...this.#counted });
		if (outcome) this.#over(outcome);
		else if (open.length > 0) this.#suspend(open);
	}

	/** What a person is to decide, run by run. */
	#open(): Open[] {
		return this.#family.live.flatMap((of) => {
			const asked = interrupts(this.#run(of), this.engine.pending, this.#reveal).map((one) => {
				const refusal = this.#refused.get(one.id);
				return refusal ? askedAgain(one, refusal) : one;
			});
			return asked.length > 0 ? [{ of, asked }] : [];
		});
	}

	#suspend(open: readonly Open[]): void {
		for (const of of this.#family.live) {
			if (of === this.run.id) continue;
			const interruptIds = open.flatMap((one) => (one.of === of ? one.asked.map(({ id }) => id) : []));
			this.#put({
				type: 'SUBAGENT_FINISHED',
				subagentRunId: of,
				outcome: { type: 'suspended', interruptIds }
			});
		}
		this.#finish({ outcome: { type: 'interrupt', interrupts: open.flatMap(({ asked }) => asked) } });
	}

	#over({ kind, reason, text, value }: Outcome): void {
		const outcome = plain<object>({
			kind,
			reason: reason && { code: reason.code, text: reason.text },
			text,
			value: this.#reveal(this.run.state.label) ? value : undefined
		});
		const metadata = { [OURS]: { outcome } };
		if (kind === 'failed') {
			this.#put({ type: 'RUN_ERROR', ...fault(reason), ...this.#used, metadata });
			this.#leave();
		} else if (kind === 'interrupted' || kind === 'superseded')
			this.#finish({ outcome: { type: 'cancelled' }, metadata });
		else this.#finish({ outcome: { type: 'success' }, result: outcome, metadata });
	}

	get #used() {
		return this.#usage.length > 0 ? { usage: this.#usage } : {};
	}

	#finish(
		event: Pick<Extract<AgUiEvent, { type: 'RUN_FINISHED' }>, 'outcome' | 'result' | 'metadata'>
	): void {
		const { threadId, runId } = this.wire;
		this.#put({ type: 'RUN_FINISHED', threadId, runId, ...event, ...this.#used });
		this.#leave();
	}

	#leave(): void {
		this.#isOver = true;
		for (const end of this.#ends) end();
		this.queue.shut();
	}
}

/** Why a run failed; one whose steps failed has no reason of its own. */
const fault = (reason?: Reason) => ({
	message: reason?.text || 'The run failed.',
	...(reason && { code: reason.code })
});

/** As it comes out of JSON: members that are undefined are none. */
const plain = <T = JSONValue>(value: object): T => JSON.parse(JSON.stringify(value)) as T;

/** What a record tells without its values. */
function told(data: object): Record<string, JSONValue> {
	const out: Record<string, JSONValue> = {};
	for (const [key, value] of Object.entries(data)) {
		const { id, code } = Object(value) as { id?: string; code?: string };
		if (key === 'reason' && code !== undefined) out.code = code;
		else if (key === 'question' && id !== undefined) out[key] = id;
		else if (TOLD.has(key) && typeof value !== 'object') out[key] = value as JSONValue;
	}
	return out;
}
