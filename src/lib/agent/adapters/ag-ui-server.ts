import type { Actor } from '../../actor/actor.js';
import type { SteerReport } from '../protocol/run-state.js';
import type { Budget, Label, Level } from '../protocol/words.js';
import { agUiEvents, type AgUiEvent, type AgUiRun, type AgUiSource, type Reveal } from './ag-ui-events.js';
import { type AgUiInput, inputOf } from './ag-ui-out/input.js';
import { resume } from './ag-ui-out/interrupts.js';
import { Hearing } from './ag-ui-out/hearing.js';
import { notPrivate } from './ag-ui-out/messages.js';

export type { AgUiInput } from './ag-ui-out/input.js';

/** Options of a run that a request may begin, as `EngineAgent.run` takes them. @since 0.1.0 */
export interface AgUiRunOptions {
	instances?: readonly string[];
	level?: Level;
	budget?: Partial<Budget>;
}

/** An engine that can be served; an EngineAgent is one. @since 0.1.0 */
export interface AgUiEngine extends AgUiSource {
	run(
		goal: {
			text: string;
			attachments?: readonly { name: string; text: string; label?: Partial<Label> }[];
		},
		options?: AgUiRunOptions & { by?: Actor; thread?: string }
	): AgUiRun & { steer(update: string, by?: Actor): Promise<SteerReport> };
	get(run: string): ReturnType<AgUiEngine['run']> | undefined;
}

/** How an engine is served. @since 0.1.0 */
export interface AgUiServerOptions {
	/** The engine, or whose it is: one for each person, since whoever is let in sees and steers what it does. */
	engine: AgUiEngine | ((request: Request) => AgUiEngine | Promise<AgUiEngine>);
	/**
	 * Who asks, from your own session; a Response turns the request away. A request proves no person: unless you say `human`,
	 * nothing that needs a person can be decided here.
	 * @default { kind: 'outside', id: 'ag-ui' }
	 */
	who?: (request: Request, input: AgUiInput) => Actor | Response | Promise<Actor | Response>;
	/** What a new run may. Level and limits of the engine are never exceeded. */
	options?: (input: AgUiInput) => AgUiRunOptions;
	/** What may be told by its label. @default all that is not private */
	reveal?: Reveal;
	/** What becomes of the run when the client goes away. @default 'stop' */
	left?: 'stop' | 'continue';
	/** Most bytes of a request. @default 1,000,000 */
	maxBytes?: number;
	/** Milliseconds between signs of life in a silent stream. @default 15,000 */
	heartbeatMs?: number;
}

const OUTSIDE: Actor = { kind: 'outside', id: 'ag-ui' };

const refused = (status: number, code: string, text: string): Response =>
	new Response(JSON.stringify({ code, text }), {
		status,
		headers: { 'content-type': 'application/json', ...(status === 405 ? { allow: 'POST' } : {}) }
	});

/**
 * Serves an engine as an AG-UI 1.0 server: a `Request` with a RunAgentInput in, a `Response` with server-sent events out.
 *
 * - What the user said since the agent spoke last is the goal of a new run; while a run of the thread lives it steers that
 *   one, but for what the run was told already. History is the engine's own, what the client sends of it is shown again and
 *   never believed.
 * - `context` becomes attachments of strangers, `resume` the decisions and answers of `who`.
 * - `tools` of the client are not given to the model: what an agent may do here stands in manifests. Their names come back
 *   in CUSTOM `activeuix.tools-ignored`. `state` and `forwardedProps` are yours to read in `options`.
 *
 * Refused with a status and `{ code, text }`: `args` 400 and 405, `content-type` 415 and 406, `length` 413, `run-over` 409.
 * @example export const POST = ({ request }) => serve(request) // serve = agUiServer({ engine, who })
 * @since 0.1.0
 */
export function agUiServer(options: AgUiServerOptions): (request: Request) => Promise<Response> {
	const { who, reveal = notPrivate, left = 'stop', maxBytes = 1e6, heartbeatMs = 15_000 } = options;
	const hearing = new Hearing();
	return async (request) => {
		if (request.method !== 'POST') return refused(405, 'args', 'Send a POST.');
		if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
			return refused(415, 'content-type', 'Send application/json.');
		if (!/text\/event-stream|text\/\*|\*\/\*|^$/i.test(request.headers.get('accept') ?? ''))
			return refused(406, 'content-type', 'Only text/event-stream is sent.');
		const body = await bodyOf(request, maxBytes);
		if (body === undefined) return refused(413, 'length', `A request has at most ${maxBytes} bytes.`);
		const input = inputOf(body);
		if ('fault' in input) return refused(400, 'args', input.fault);
		const {
			threadId,
			runId,
			parentRunId,
			messages,
			said,
			spoken,
			tools,
			state,
			context,
			resume: answers
		} = input;

		const by = (await who?.(request, input)) ?? OUTSIDE;
		if (by instanceof Response) return by;
		const engine = typeof options.engine === 'function' ? await options.engine(request) : options.engine;

		const live = engine.runs.filter(
			({ thread, outcome, parent }) => thread === threadId && !outcome && parent === undefined
		);
		let run = live.length > 0 ? engine.get(live.at(-1)!.id) : undefined;
		if (!run && answers.length > 0) return refused(409, 'run-over', 'No run of this thread waits.');
		if (!run && said === '') return refused(400, 'args', 'The last message has to be of the user.');
		const isNew = !run;
		run ??= engine.run(
			{
				text: said,
				attachments: context.map(({ description: name, value: text }) => ({ name, text }))
			},
			{ ...options.options?.(input), by, thread: threadId }
		);
		const going = run;
		const news = hearing.take(going, spoken, isNew);
		const kin = () => {
			const family = new Set([going.id]);
			for (const { id, parent } of engine.runs) if (family.has(parent!)) family.add(id);
			return [...family].map((id) => engine.get(id)!);
		};
		const events = agUiEvents(engine, going, {
			threadId,
			runId,
			parentRunId,
			messages,
			state,
			reveal,
			ignored: tools,
			begin() {
				const refusals = resume(kin(), engine.pending, answers, by, reveal);
				if (news !== '') void going.steer(news, by);
				return refusals;
			}
		});
		const leave = () => {
			void events.return!();
			if (left === 'stop') void going.stop(undefined, by);
		};
		return new Response(stream(events, leave, heartbeatMs), {
			headers: {
				'content-type': 'text/event-stream',
				'cache-control': 'no-store',
				'x-accel-buffering': 'no'
			}
		});
	};
}

/** The body as text, unless it is too long: what it says of its own length is not believed. */
async function bodyOf({ body }: Request, most: number): Promise<string | undefined> {
	const reader = body?.getReader();
	const decoder = new TextDecoder();
	let size = 0;
	let text = '';
	for (;;) {
		const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
		if (done) return text + decoder.decode();
		size += value.length;
		if (size > most) {
			void reader!.cancel().catch(() => undefined);
			return undefined;
		}
		text += decoder.decode(value, { stream: true });
	}
}

function stream(
	events: AsyncIterator<AgUiEvent>,
	leave: () => void,
	heartbeatMs: number
): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	let beat: ReturnType<typeof setInterval>;
	return new ReadableStream({
		start(controller) {
			beat = setInterval(() => controller.enqueue(encoder.encode(': \n\n')), heartbeatMs);
		},
		async pull(controller) {
			const { done, value } = await events.next();
			if (!done) return controller.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`));
			clearInterval(beat);
			controller.close();
		},
		cancel() {
			clearInterval(beat);
			leave();
		}
	});
}
