import type { Clock } from '../protocol/ports.js';
import type { AgentTransport, TurnEvent, TurnRequest, Usage } from '../protocol/turn.js';
import type { JSONValue } from '../protocol/words.js';

/** What a scripted agent does in one turn. @since 0.1.0 */
export interface ScriptedTurn {
	/** Text, whole or in the pieces in which it arrives. */
	say?: string | readonly string[];
	think?: string;
	calls?: readonly ScriptedCall[];
	/** Control acts: `pull`, `ask`, `finish`. */
	control?: readonly { name: string; args: JSONValue }[];
	refuse?: { category: string; text: string };
	fail?: { text: string; retryable?: boolean };
	/** The stream ends here, in mid-call, without a terminal event. */
	cut?: boolean;
	/** The stream never ends, until it is aborted. */
	hang?: boolean;
	usage?: Usage;
	/** Milliseconds between events. */
	paceMs?: number;
}

/** A call by instance and act; the tool name is looked up in the request. @since 0.1.0 */
export interface ScriptedCall {
	instance: string;
	act: string;
	args: JSONValue;
	/** The arguments arrive in pieces of this many characters. */
	pieces?: number;
	/** Sent as it is, instead of `args`. */
	raw?: string;
	/** Tool name, sent as it is. */
	name?: string;
}

const realTime: Pick<Clock, 'sleep'> = {
	sleep: (ms, signal) =>
		new Promise((resolve, reject) => {
			const timer = setTimeout(resolve, ms);
			signal?.addEventListener('abort', () => {
				clearTimeout(timer);
				reject(signal.reason);
			});
		})
};

/**
 * A transport without a model: it does what the script says, the same every time. For tests, demos and docs. Give a function
 * of the request where the script has to look at the page, or where an engine is restored in mid-run.
 * @param turns one entry for each `open()`, retries and wrap-ups included; beyond the last, an empty `stop`
 * @example scripted([{ say: 'I fill it in.', calls: [{ instance: 'invoice', act: 'fill', args: { values: { amount: '120' } } }] }])
 * @since 0.1.0
 */
export function scripted(
	turns: readonly ScriptedTurn[] | ((request: TurnRequest, index: number) => ScriptedTurn),
	options: { name?: string; paceMs?: number; clock?: Clock } = {}
): AgentTransport {
	let opened = 0;
	const clock = options.clock ?? realTime;
	return {
		name: options.name ?? 'scripted',
		async *open(request, signal) {
			const index = opened;
			opened += 1;
			const turn = typeof turns === 'function' ? turns(request, index) : (turns[index] ?? {});
			const pace = turn.paceMs ?? options.paceMs ?? 0;
			try {
				for (const event of play(turn, request, index)) {
					if (pace > 0) await clock.sleep(pace, signal);
					if (signal.aborted) break;
					yield event;
				}
				if (turn.hang && !signal.aborted)
					await new Promise<void>((resolve) => {
						signal.addEventListener('abort', () => resolve(), { once: true });
					});
			} catch (error) {
				if (!signal.aborted) throw error;
			}
			if (signal.aborted)
				yield {
					type: 'error',
					reason: { code: 'aborted', text: 'The request was aborted.' },
					retryable: false
				};
		}
	};
}

function* play(turn: ScriptedTurn, request: TurnRequest, index: number): Generator<TurnEvent> {
	if (turn.think !== undefined) yield { type: 'reasoning', delta: turn.think };
	const said = typeof turn.say === 'string' ? [turn.say] : (turn.say ?? []);
	for (const delta of said) yield { type: 'text', delta };
	const calls = [
		...(turn.calls ?? []).map((call) => ({
			name: call.name ?? toolFor(request, call.instance, call.act),
			raw: call.raw ?? JSON.stringify({ instance: call.instance, ...(call.args as object) }),
			pieces: call.pieces ?? Infinity
		})),
		...(turn.control ?? []).map(({ name, args }) => ({ name, raw: JSON.stringify(args), pieces: Infinity }))
	];
	for (const [i, call] of calls.entries()) {
		const id = `call-${index + 1}-${i + 1}`;
		yield { type: 'call.start', id, name: call.name };
		const torn = turn.cut === true && i === calls.length - 1;
		const raw = torn ? call.raw.slice(0, Math.ceil(call.raw.length / 2)) : call.raw;
		for (let from = 0; from < raw.length; from += call.pieces)
			yield { type: 'call.args', id, delta: raw.slice(from, from + call.pieces) };
		if (torn) return;
		yield { type: 'call.end', id, verdict: verdict(raw), raw };
	}
	if (turn.cut || turn.hang) return;
	if (turn.usage) yield { type: 'usage', usage: turn.usage };
	if (turn.fail) {
		const { text, retryable = true } = turn.fail;
		yield { type: 'error', reason: { code: 'transport', text }, retryable };
	} else if (turn.refuse) {
		yield { type: 'refusal', ...turn.refuse };
		yield { type: 'end', reason: 'refusal' };
	} else yield { type: 'end', reason: calls.length > 0 ? 'calls' : 'stop' };
}

/** The tool for an act of an instance; one that is not listed is sent by its bare name and will be refused. */
function toolFor({ tools }: TurnRequest, instance: string, act: string): string {
	const named = tools.filter((tool) => tool.act === act);
	return (named.find(({ instances }) => instances?.includes(instance)) ?? named[0])?.name ?? act;
}

/** An explicit end was sent; whether the text could still become JSON decides between the two bad verdicts. */
function verdict(raw: string): 'complete' | 'invalid' {
	try {
		JSON.parse(raw === '' ? '{}' : raw);
		return 'complete';
	} catch {
		return 'invalid';
	}
}
