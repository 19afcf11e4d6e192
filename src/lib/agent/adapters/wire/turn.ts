import type { EndReason, TurnEvent, TurnRequest, Usage } from '../../protocol/turn.js';
import type { JSONValue } from '../../protocol/words.js';
import { Fault } from './fault.js';
import { judged } from './judged.js';
import type { Names } from './names.js';

/** A call as far as the wire has told it. */
interface Call {
	id: string;
	there: boolean;
	parts: string[];
	/** Blanks that wait for a sign, for blanks alone are no arguments; undefined where pieces are told as they come. */
	lead: string | undefined;
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
	/** Ids that are taken, and where one of the same name goes on counting. */
	readonly #ids = new Map<string, number>();
	#echoed: JSONValue | undefined;
	#refused: { category: string; parts: string[] } | undefined;
	#end: { reason: EndReason; raw: string | undefined } | undefined;
	#isEndOfCalls = false;
	#failed: Fault | undefined;
	#goesOn = false;
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
		return this.#failed !== undefined || (this.#end !== undefined && !this.#goesOn);
	}

	/** After its end the turn goes on: it needs another one. */
	reopen(): void {
		this.#goesOn = true;
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

	/** Is there a tool of the request under this name on the wire? */
	knows(name: string): boolean {
		return this.#names.has(this.#names.back(name));
	}

	/** Is the call ours to carry out, if it is whole? */
	isHere(key: string | number): boolean {
		return this.#calls.get(key)?.there === false;
	}

	/** The wire takes a call back that is not over. */
	withdraw(key: string | number): void {
		const call = this.#calls.get(key);
		if (!call?.open) return;
		if (!call.there) this.#answers -= 1;
		this.endCall(key, false);
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
		// One that takes the key of another stands behind all that began before it.
		this.#calls.delete(key);
		const own = this.#free(text(id) ? id : `call-${this.#ids.size + 1}`);
		const tool = this.#names.back(text(name) ? name : '');
		const prune = there ? undefined : this.#names.prune(tool);
		this.#calls.set(key, { id: own, there, parts: [], lead: '', prune, open: true });
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
		// What changes at its end is told whole or not at all.
		if (call.prune) return;
		const piece = (call.lead ?? '') + delta;
		if (call.lead !== undefined && piece.trim() === '') call.lead = piece;
		else {
			call.lead = undefined;
			this.#out.push({ type: 'call.args', id: call.id, delta: piece });
		}
	}

	/**
	 * The whole text of its arguments, said again or for the first time. What stands in it wins, also over pieces that were told
	 * and say something else; an empty one says nothing.
	 */
	whole(key: string | number, whole: unknown): void {
		const call = this.#calls.get(key);
		if (!call?.open || !text(whole)) return;
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
		const { verdict, raw } = explicit
			? judged(said, call.prune)
			: { verdict: 'incomplete' as const, raw: said };
		this.#out.push({ type: 'call.end', id: call.id, verdict, raw });
		call.parts = [];
	}

	/** All calls that are open are over, in the order in which they began. */
	endCalls(explicit = true): void {
		for (const key of this.#calls.keys()) this.endCall(key, explicit);
	}

	/** What came of a call that was executed over there; one that is still open turns out to be such a call by that. */
	result(key: string | number, content: unknown, failed = false): void {
		const call = this.#calls.get(key);
		const value = (content ?? null) as JSONValue;
		const told = {
			type: 'call.result',
			id: call?.id ?? '',
			content: value,
			...(failed && { failed })
		} as const;
		if (call?.there) {
			this.endCall(key);
			this.#out.push(told);
		} else if (call?.open) {
			// While it is open it is nobody's to carry out.
			call.there = true;
			this.#answers -= 1;
			this.#out.push(told);
			this.endCall(key);
		}
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
		this.#goesOn = false;
		if (this.#end && WEIGHT.indexOf(reason) <= WEIGHT.indexOf(this.#end.reason)) return;
		this.#end = { reason, raw: raw ?? this.#end?.raw };
	}

	/** The wire says that the turn failed; usage may still follow. The first word counts. */
	fail(fault: Fault): void {
		this.#failed ??= fault;
	}

	/** What is to be told by now. */
	take(): readonly TurnEvent[] {
		const out = this.#out;
		this.#out = [];
		return out;
	}

	/** What is to be told at the end: all that is left, and the one terminal event. */
	close(fault?: Fault): readonly TurnEvent[] {
		const broken = this.hasEnded ? undefined : new Fault('truncated', 'The answer broke off.');
		const why = fault ?? this.#failed ?? broken;
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
		// A refusal without a word is one too.
		if (this.#end?.reason === 'refusal') this.refuse('');
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
		let n = this.#ids.get(id) ?? 1;
		while (this.#ids.has(free)) free = `${id}-${(n += 1)}`;
		this.#ids.set(id, n).set(free, this.#ids.get(free) ?? 1);
		return free;
	}
}
