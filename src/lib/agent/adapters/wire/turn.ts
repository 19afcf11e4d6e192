import { PartialJSON } from '../../protocol/partial-json.js';
import type { EndReason, TurnEvent, TurnRequest, Usage } from '../../protocol/turn.js';
import type { JSONValue } from '../../protocol/words.js';
import { Fault } from './fault.js';
import type { Names } from './names.js';

/** A call as far as the wire has told it. */
interface Call {
	id: string;
	there: boolean;
	parts: string[];
	/** Pieces are told as they come; where the text changes at its end, it is told whole or not at all. */
	told: boolean;
	/** Takes away what the strict form of the schema added. */
	prune: ((value: JSONValue) => JSONValue) | undefined;
	open: boolean;
}

/** What ended first counts less than what weighs more. */
const WEIGHT: readonly EndReason[] = ['stop', 'calls', 'filter', 'length', 'pause', 'interrupt', 'refusal'];

/** Characters a token has in a rough estimate. */
const PER_TOKEN = 4;

const text = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * One turn being read: takes what a wire tells, in the wire's own order, and keeps the rules that all transports share. Calls
 * that nobody ended are incomplete; a refusal is one event; of several ends the weightier counts; usage that a broken turn did
 * not report whole is estimated; exactly one terminal event, the last of all.
 * @internal
 */
export class Turn {
	readonly request: TurnRequest;
	readonly #names: Names;
	readonly #echo: string;
	#out: TurnEvent[] = [];
	readonly #calls = new Map<string | number, Call>();
	readonly #ids = new Set<string>();
	#echoed: JSONValue | undefined;
	#refused: { category: string; parts: string[] } | undefined;
	#end: { reason: EndReason; raw: string | undefined } | undefined;
	#isEndOfCalls = false;
	#usage: Usage | undefined;
	#isUsageWhole = true;
	#answers = 0;
	#characters = 0;

	/** @param echo under which name an echo is written, so that no other adapter takes it for its own */
	constructor(request: TurnRequest, names: Names, echo: string) {
		this.request = request;
		this.#names = names;
		this.#echo = echo;
	}

	/** Did the wire say how the turn ended? Usage may still follow. */
	get hasEnded(): boolean {
		return this.#end !== undefined;
	}

	/** Some of what the model says to the person. */
	text(delta: unknown): void {
		if (!text(delta)) return;
		this.#characters += delta.length;
		this.#out.push({ type: 'text', delta });
	}

	/** Some of what it thinks. */
	reasoning(delta: unknown): void {
		if (!text(delta)) return;
		this.#characters += delta.length;
		this.#out.push({ type: 'reasoning', delta });
	}

	/** What the provider wants back as it was. The last one counts. */
	echo(value: JSONValue | undefined): void {
		this.#echoed = value;
	}

	/** Is there a call under the wire's key, open or over? */
	has(key: string | number): boolean {
		return this.#calls.has(key);
	}

	/**
	 * A call begins.
	 * @param key how the wire means this call from now on; a key that is taken begins a new call
	 * @param id the wire's id; minted where there is none, and made unique
	 * @param name as it is on the wire
	 * @param there the wire says that it is executed over there
	 */
	start(key: string | number, id: unknown, name: unknown, there = false): void {
		this.endCall(key, false);
		const own = this.#free(text(id) ? id : `call-${this.#calls.size + 1}`);
		const tool = this.#names.back(text(name) ? name : '');
		const prune = there ? undefined : this.#names.prune(tool);
		this.#calls.set(key, { id: own, there, parts: [], told: !prune, prune, open: true });
		if (!there) this.#answers += 1;
		const executed = there ? 'there' : this.#names.has(tool) ? 'here' : undefined;
		this.#out.push({ type: 'call.start', id: own, name: tool, ...(executed && { executed }) });
	}

	/** A piece of its arguments. */
	args(key: string | number, delta: unknown): void {
		const call = this.#calls.get(key);
		if (!call?.open || !text(delta)) return;
		call.parts.push(delta);
		this.#characters += delta.length;
		if (call.told) this.#out.push({ type: 'call.args', id: call.id, delta });
	}

	/** The whole text of its arguments, said again or for the first time; what stands in it wins. */
	whole(key: string | number, whole: unknown): void {
		const call = this.#calls.get(key);
		if (!call?.open || typeof whole !== 'string') return;
		const before = call.parts.join('');
		if (whole.startsWith(before)) return this.args(key, whole.slice(before.length));
		call.parts = [whole];
	}

	/** Its arguments as a value, where the wire does not send text. */
	value(key: string | number, value: unknown): void {
		this.whole(key, JSON.stringify(value ?? {}));
	}

	/** Its arguments are over, by the word of the wire; `explicit: false`: they only stopped coming. */
	endCall(key: string | number, explicit = true): void {
		const call = this.#calls.get(key);
		if (!call?.open) return;
		call.open = false;
		const said = call.parts.join('');
		const { verdict, raw } = explicit ? judged(said, call) : { verdict: 'incomplete' as const, raw: said };
		this.#out.push({ type: 'call.end', id: call.id, verdict, raw });
		call.parts = [];
	}

	/** All calls that are open are over, in the order in which they began. */
	endCalls(explicit = true): void {
		for (const key of this.#calls.keys()) this.endCall(key, explicit);
	}

	/** What came of a call that was executed over there. */
	result(key: string | number, content: unknown, failed = false): void {
		const call = this.#calls.get(key);
		if (!call?.there) return;
		this.endCall(key);
		const value = (content ?? null) as JSONValue;
		this.#out.push({ type: 'call.result', id: call.id, content: value, ...(failed && { failed }) });
	}

	/** Some of why it will not. */
	refuse(delta: unknown, category?: unknown): void {
		this.#refused ??= { category: '', parts: [] };
		if (text(category)) this.#refused.category = category;
		if (text(delta)) this.#refused.parts.push(delta);
	}

	/** @param whole `false` for figures of the beginning, which grow */
	usage(usage: Usage, whole = true): void {
		this.#usage = usage;
		this.#isUsageWhole = whole;
		this.#out.push({ type: 'usage', usage });
	}

	/** Any event that has no rules of its own: `source`, `activity`, `custom`, `state.*`, `interrupt`. */
	tell(
		event: Extract<TurnEvent, { type: 'source' | 'activity' | 'custom' | `state.${string}` | 'interrupt' }>
	): void {
		this.#out.push(event);
		if (event.type === 'interrupt') this.end('interrupt');
	}

	/**
	 * How the turn ended; `raw` is the word of the wire for it. Said again, the weightier counts.
	 * @param ofCalls the wire has no end of arguments of its own: calls still open are over with a turn that ended well
	 */
	end(reason: EndReason, raw?: string, ofCalls = false): void {
		this.#isEndOfCalls ||= ofCalls;
		if (this.#end && WEIGHT.indexOf(reason) <= WEIGHT.indexOf(this.#end.reason)) return;
		this.#end = { reason, raw: raw ?? this.#end?.raw };
	}

	/** What is to be told by now. */
	take(): readonly TurnEvent[] {
		const out = this.#out;
		this.#out = [];
		return out;
	}

	/** What is to be told at the end: all that is left, and the one terminal event. */
	close(fault?: Fault): readonly TurnEvent[] {
		const why =
			fault ?? (this.#end || this.#refused ? undefined : new Fault('truncated', 'The answer broke off.'));
		const isWell = !why && (this.#end?.reason === 'stop' || this.#end?.reason === 'calls');
		this.endCalls(this.#isEndOfCalls && isWell);
		if (!this.#isUsageWhole && this.#usage)
			this.usage({
				...this.#usage,
				output: Math.max(this.#usage.output, Math.ceil(this.#characters / PER_TOKEN)),
				estimated: true
			});
		if (why) this.#out.push(why.event);
		else this.#finish();
		return this.take();
	}

	#finish(): void {
		if (this.#echoed !== undefined)
			this.#out.push({ type: 'reasoning', echo: { by: this.#echo, value: this.#echoed } });
		if (this.#refused) {
			const { category, parts } = this.#refused;
			this.#out.push({ type: 'refusal', category, text: parts.join('') });
			this.end('refusal');
		}
		const { reason, raw } = this.#end!;
		const calls = this.#answers > 0 ? 'calls' : 'stop';
		this.#out.push({
			type: 'end',
			reason: reason === 'stop' || reason === 'calls' ? calls : reason,
			...(raw !== undefined && { raw })
		});
	}

	/** An id that no call of the turn has. */
	#free(id: string): string {
		let free = id;
		for (let n = 2; this.#ids.has(free); n += 1) free = `${id}-${n}`;
		this.#ids.add(free);
		return free;
	}
}

/** What a text is that the wire calls whole. Never repaired. */
function judged(
	said: string,
	{ prune }: Call
): { verdict: 'complete' | 'incomplete' | 'invalid'; raw: string } {
	if (said.trim() === '') return { verdict: 'complete', raw: '{}' };
	try {
		const value = JSON.parse(said) as JSONValue;
		return { verdict: 'complete', raw: prune ? JSON.stringify(prune(value)) : said };
	} catch {
		const reader = new PartialJSON();
		reader.push(said);
		return { verdict: reader.verdict === 'incomplete' ? 'incomplete' : 'invalid', raw: said };
	}
}
