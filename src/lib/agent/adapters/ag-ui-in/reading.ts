import type { Usage } from '../../protocol/turn.js';
import type { JSONValue } from '../../protocol/words.js';
import { Fault } from '../wire/fault.js';
import { isObject } from '../wire/history.js';
import type { Names } from '../wire/names.js';
import type { Turn } from '../wire/turn.js';
import { Begun, Lanes, need, ownerOf, violated, type Family, type Wire } from './run.js';
import { Told } from './told.js';

/** Codes of failures that may be gone the next time. */
const PASSING = /rate|limit|time.?out|unavailable|overload|busy|429|\b50[0234]\b/i;
/** Codes that say somebody ended it. */
const ENDED = /cancel|abort/i;

/** Events that only a run can tell. */
const OF_A_RUN = /^(RUN_F|STEP|TEXT|REASONING|THINKING|TOOL|STATE|MESSAGES|ACTIVITY|SUBAGENT|RAW|CUSTOM)/;
/** What ends the chunks of its owner, and what those of everybody. */
const ENDS_OWN = /^(TEXT|TOOL|STATE|CUSTOM|STEP|REASONING_(?!ENC)|SUBAGENT_[FE])/;
const ENDS_ALL = /^(RUN|MESSAGES)_/;
const CHUNK = /^(TEXT_MESSAGE|REASONING_MESSAGE|TOOL_CALL)_CHUNK$/;
/** Roles in which the agent over there does not speak. */
const OTHERS = /^(user|system|developer)$/;

/** Member of the metadata of what an engine says that is served. */
const OURS = 'activeuix';
/** Member of an event's metadata in which a side that counts its states says the number. */
const REVISION = 'activeuix:revision';

/** The runs one stream tells of, which are one turn of ours. @internal */
export class Reading {
	readonly #turn: Turn;
	readonly #names: Names;
	readonly #asked: { threadId: string; runId: string };
	/** Ids of the messages that were sent. */
	readonly #sent: ReadonlySet<unknown>;
	readonly #told = new Told();
	readonly #lanes = new Lanes((type, event) => this.#take(type, event));
	/** The run under way, and all of the stream. */
	#run: string | undefined;
	readonly #runs = new Set<string>();
	#begun = new Begun();
	/** Sub-agents of the run, also those that are done. */
	#helpers = new Set<string>();
	readonly #activities = new Set<string>();
	/** Messages whose words are not the agent's, with their roles. */
	readonly #foreign = new Map<string, string>();
	/** The message whose text was told last. */
	#last: string | undefined;
	#usage: Usage | undefined;

	constructor(
		turn: Turn,
		names: Names,
		asked: { threadId: string; runId: string },
		sent: ReadonlySet<unknown>
	) {
		this.#turn = turn;
		this.#names = names;
		this.#asked = asked;
		this.#sent = sent;
	}

	/** Takes in one event. */
	read(event: Wire): void {
		const type = String(event.type);
		if (OF_A_RUN.test(type) && this.#run === undefined) {
			const [before] = this.#runs;
			// A turn that goes on like this was not over well.
			this.#turn.reopen();
			violated(`${type} came ${before === undefined ? 'before the run began' : 'after the run was over'}`);
		}
		const [, family] = CHUNK.exec(type) ?? [];
		if (family) return this.#lanes.chunk(family as Family, event);
		if (ENDS_ALL.test(type)) this.#lanes.close();
		else if (ENDS_OWN.test(type)) this.#lanes.close({ is: ownerOf(event) });
		this.#take(type, event);
		if (type !== 'TOOL_CALL_RESULT') this.#told.note(event);
	}

	#take(type: string, event: Wire): void {
		const turn = this.#turn;
		const told = this.#told;
		const begun = this.#begun;
		const owner = ownerOf(event);
		const text = (key: string) => need(event, key);
		switch (type) {
			case 'RUN_STARTED':
				return this.#start(text('threadId'), text('runId'));
			case 'RUN_FINISHED':
				return this.#finish(event);
			case 'RUN_ERROR':
				return this.#fail(event);
			case 'STEP_STARTED':
			case 'STEP_FINISHED': {
				const name = text('stepName');
				const status = type === 'STEP_STARTED' ? 'started' : 'finished';
				begun[status === 'started' ? 'begin' : 'end'](`step ${name} of ${owner ?? 'the agent'}`, owner);
				return this.#does(name, 'step', { status }, owner);
			}
			case 'TEXT_MESSAGE_START': {
				const id = text('messageId');
				const role = String(event.role);
				begun.begin(`message ${id}`, owner);
				if (OTHERS.test(role)) this.#foreign.set(id, role);
				else told.message(id, 'assistant', owner);
				return;
			}
			case 'TEXT_MESSAGE_CONTENT': {
				const id = text('messageId');
				return this.#say(id, text('delta'), begun.goOn(`message ${id}`, owner));
			}
			case 'TEXT_MESSAGE_END':
				return begun.end(`message ${text('messageId')}`, owner);
			case 'REASONING_START':
				return begun.begin(`reasoning ${text('messageId')}`, owner);
			case 'REASONING_END':
				return begun.end(`reasoning ${text('messageId')}`, owner);
			case 'REASONING_MESSAGE_START': {
				const id = text('messageId');
				const { role = 'reasoning' } = event;
				if (role !== 'reasoning') violated(`thought ${id} came as ${String(role)}`);
				begun.begin(`thought ${id}`, owner);
				told.message(id, 'reasoning', owner);
				return;
			}
			case 'REASONING_MESSAGE_CONTENT': {
				const id = text('messageId');
				const delta = text('delta');
				const by = begun.goOn(`thought ${id}`, owner);
				told.say(id, delta);
				return by === undefined ? turn.reasoning(delta) : this.#does(id, 'reasoning', { delta }, by);
			}
			case 'REASONING_MESSAGE_END':
				return begun.end(`thought ${text('messageId')}`, owner);
			case 'REASONING_ENCRYPTED_VALUE':
				return told.seal(text('entityId'), text('encryptedValue'));
			case 'THINKING_TEXT_MESSAGE_CONTENT':
				return turn.reasoning(text('delta'));
			case 'TOOL_CALL_START': {
				const id = text('toolCallId');
				const name = text('toolCallName');
				if (turn.has(id)) violated(`call ${id} began twice`);
				begun.begin(`call ${id}`, owner);
				const parent = event.parentMessageId === undefined ? undefined : text('parentMessageId');
				const here = this.#names.has(this.#names.back(name)) && !isTheirs(event);
				told.call({ id, name, parent, owner, here });
				return turn.start(id, id, name, !here);
			}
			case 'TOOL_CALL_ARGS': {
				const id = text('toolCallId');
				const delta = text('delta');
				begun.goOn(`call ${id}`, owner);
				told.args(id, delta);
				return turn.args(id, delta);
			}
			case 'TOOL_CALL_END': {
				const id = text('toolCallId');
				begun.end(`call ${id}`, owner);
				// What is to be done here is whole when the run is over: until then it may turn out to be done there.
				return told.isHere(id) ? undefined : turn.endCall(id);
			}
			case 'TOOL_CALL_RESULT': {
				const call = text('toolCallId');
				const { content } = event;
				if (!Array.isArray(content)) text('content');
				told.result(text('messageId'), call, content);
				// One of an earlier turn goes on after an interrupt.
				return turn.has(call) ? turn.result(call, content) : this.#custom('result', { call, content });
			}
			case 'STATE_SNAPSHOT': {
				const { snapshot } = event;
				if (snapshot === undefined) return violated('a snapshot came without a state');
				return turn.tell({ type: 'state.snapshot', state: snapshot as JSONValue, ...revisionOf(event) });
			}
			case 'STATE_DELTA':
				return turn.tell({ type: 'state.delta', patch: listOf(event, 'delta'), ...revisionOf(event) });
			case 'MESSAGES_SNAPSHOT': {
				const messages = listOf(event, 'messages');
				for (const [id, said] of told.replace(messages, this.#sent)) this.#say(id, said, undefined);
				return this.#custom('messages', messages);
			}
			case 'ACTIVITY_SNAPSHOT': {
				const id = text('messageId');
				const kind = text('activityType');
				if (event.replace === false && this.#activities.has(id)) return;
				this.#activities.add(id);
				return this.#does(id, kind, event.content);
			}
			case 'ACTIVITY_DELTA': {
				const patch = listOf(event, 'patch');
				return this.#custom('activity', { id: text('messageId'), kind: text('activityType'), patch });
			}
			case 'SUBAGENT_STARTED': {
				const id = text('subagentRunId');
				const { parentSubagentRunId: parent, description } = event;
				if (this.#helpers.has(id)) violated(`sub-agent ${id} began twice`);
				if (parent !== undefined && !this.#helpers.has(text('parentSubagentRunId')))
					violated(`sub-agent ${id} is of an unknown one`);
				this.#helpers.add(id);
				begun.begin(`sub-agent ${id}`, id);
				return this.#does(id, 'subagent', { status: 'started', name: text('name'), description, parent });
			}
			case 'SUBAGENT_FINISHED':
			case 'SUBAGENT_ERROR': {
				const id = text('subagentRunId');
				const { outcome, result } = event;
				begun.end(`sub-agent ${id}`, id);
				const what =
					type === 'SUBAGENT_ERROR'
						? { status: 'failed', text: text('message') }
						: { status: 'finished', outcome, result };
				return this.#does(id, 'subagent', what);
			}
			case 'RAW':
				return this.#custom('raw', { event: event.event, source: event.source });
			case 'CUSTOM':
				return turn.tell({ type: 'custom', name: text('name'), value: (event.value ?? null) as JSONValue });
		}
	}

	#start(thread: string, run: string): void {
		// The side over there went on by itself: its turn is not over.
		if (this.#runs.size > 0) this.#turn.reopen();
		if (this.#run !== undefined) violated(`run ${run} began inside of run ${this.#run}`);
		const { threadId, runId } = this.#asked;
		if (thread !== threadId) violated(`thread ${thread} answered for ${threadId}`);
		if (this.#runs.size === 0 ? run !== runId : this.#runs.has(run))
			violated(`run ${run} answered for ${runId}`);
		this.#run = run;
		this.#runs.add(run);
		this.#begun = new Begun();
		this.#helpers = new Set();
	}

	#finish(event: Wire): void {
		const { outcome } = event;
		if (need(event, 'threadId') !== this.#asked.threadId || need(event, 'runId') !== this.#run)
			violated(`run ${String(event.runId)} ended where ${this.#run} was under way`);
		this.#begun.close();
		if (outcome !== undefined && !isObject(outcome)) return violated('an outcome is no object');
		this.#run = undefined;
		this.#count(event);
		const { type, interrupts } = outcome ?? {};
		if (type === 'cancelled') throw new Fault('cancelled-there', 'The run was cancelled over there.');
		if (type === 'interrupt') this.#interrupt(Array.isArray(interrupts) ? interrupts : []);
		this.#turn.endCalls();
		this.#turn.echo(this.#told.echo(this.#asked.runId));
		this.#turn.end('stop');
	}

	#interrupt(all: readonly unknown[]): void {
		if (all.length === 0) violated('an interrupt asks nothing');
		// Until the other side is answered the call waits there, and what comes of it is told from there.
		for (const { toolCallId: call } of all.filter(isObject)) {
			if (typeof call !== 'string' || !this.#told.isHere(call)) continue;
			this.#told.leave(call);
			this.#turn.result(call, null);
		}
		this.#turn.endCalls();
		const asks = new Map<string, Parameters<Turn['tell']>[0]>();
		for (const one of all) {
			if (!isObject(one)) return violated('an interrupt is no object');
			const id = need(one, 'id');
			const { toolCallId, responseSchema } = one;
			const text = this.#textOf(one);
			if (asks.has(id)) violated(`interrupt ${id} came twice`);
			const expiresAt = Date.parse(String(one.expiresAt));
			asks.set(id, {
				type: 'interrupt',
				id,
				reason: need(one, 'reason'),
				...(text !== undefined && { text }),
				...(typeof toolCallId === 'string' && { call: toolCallId }),
				...(isObject(responseSchema) && { schema: responseSchema }),
				...(Number.isFinite(expiresAt) && { expiresAt })
			});
		}
		for (const ask of asks.values()) this.#turn.tell(ask);
	}

	/** What a person reads of it; where it is about a call, they see which, whether or not the other side says so. */
	#textOf(interrupt: Wire): string | undefined {
		const { message, reason, toolCallId, metadata } = interrupt;
		const said = typeof message === 'string' ? message : undefined;
		const call = this.#told.called(toolCallId);
		if (call === undefined || (isObject(metadata) && metadata[OURS] !== undefined)) return said;
		return `${call}\n${said ?? String(reason)}`;
	}

	#fail(event: Wire): never {
		const said = need(event, 'message');
		const code = typeof event.code === 'string' ? event.code : '';
		this.#count(event);
		if (ENDED.test(code)) throw new Fault('cancelled-there', said);
		throw new Fault('provider', code ? `${code}: ${said}` : said, { retryable: PASSING.test(code) });
	}

	/** Adds up what models used in all runs of the turn. */
	#count({ usage }: Wire): void {
		if (!Array.isArray(usage)) return;
		let { input, output, cacheRead = 0, cacheWrite = 0, reasoning = 0 }: Usage = this.#usage ?? NOTHING;
		for (const one of usage.filter(isObject)) {
			input += count(one.inputTokens);
			output += count(one.outputTokens);
			cacheRead += count(one.cachedInputTokens);
			cacheWrite += count(one.cacheWriteInputTokens);
			reasoning += count(one.reasoningTokens);
		}
		this.#turn.usage((this.#usage = { input, output, cacheRead, cacheWrite, reasoning }));
	}

	/** Words of a message, to whom they belong. */
	#say(id: string, delta: string, owner: string | undefined): void {
		const role = this.#foreign.get(id);
		if (role !== undefined) return this.#custom('message', { id, role, delta });
		this.#told.say(id, delta);
		if (owner !== undefined) return this.#does(id, 'text', { delta }, owner);
		if (this.#last !== undefined && this.#last !== id && delta !== '') this.#turn.text('\n\n');
		if (delta !== '') this.#last = id;
		this.#turn.text(delta);
	}

	/** What somebody over there is doing, the agent itself or `by` for it. */
	#does(id: string, kind: string, content: unknown, by?: string): void {
		const what = by === undefined ? content : { ...(content as object), by };
		this.#turn.tell({ type: 'activity', id, kind, content: (what ?? null) as JSONValue });
	}

	#custom(name: string, value: unknown): void {
		this.#turn.tell({ type: 'custom', name: `ag-ui:${name}`, value: value as JSONValue });
	}
}

const NOTHING: Usage = { input: 0, output: 0 };

const count = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(0, value as number) : 0);

function listOf(event: Wire, key: string): JSONValue[] {
	const list = event[key];
	return Array.isArray(list)
		? (list as JSONValue[])
		: violated(`${String(event.type)} came without a list "${key}"`);
}

/** Is a call one that the engine over there carries out itself, whatever the page has under that name? */
const isTheirs = ({ metadata }: Wire): boolean =>
	isObject(metadata) && isObject(metadata[OURS]) && metadata[OURS].executed !== undefined;

function revisionOf({ metadata }: Wire): { revision?: number } {
	const revision = isObject(metadata) ? metadata[REVISION] : undefined;
	return typeof revision === 'number' ? { revision } : {};
}
