import type { JSONValue } from '../../protocol/words.js';
import { isObject } from '../wire/history.js';
import type { Turn } from '../wire/turn.js';

/** A call as far as its pieces tell. */
interface Told {
	/** How the turn means it. */
	key: number;
	id: string | undefined;
	name: string | undefined;
	parts: string[];
	/** Looked like the end of its arguments once, and was not: nobody looks again. */
	isLong?: true;
	/** What a server wants back with this call, as Gemini does. */
	extra: JSONValue;
}

const text = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;

/**
 * Puts calls together from pieces. By the letter a piece names its call by its place, `index`; servers give several calls one
 * place, or none, leave ids out or give one to several, repeat names, or send arguments whole. So a piece goes on with the call
 * of its place unless its id, or its name together with arguments that were whole, says that another one began.
 * @internal
 */
export class ChatCalls {
	readonly #turn: Turn;
	readonly #all: Told[] = [];
	/** The last call of each place; under `undefined` the one that was spoken of last. */
	readonly #places = new Map<number | undefined, Told>();
	/** Calls by place and id, and by id alone. */
	readonly #ids = new Map<string, Told>();

	constructor(turn: Turn) {
		this.#turn = turn;
	}

	/** What is to be sent back with the calls, in their order; undefined where there is nothing. */
	get extras(): JSONValue | undefined {
		return this.#all.some(({ extra }) => extra !== null) ? this.#all.map(({ extra }) => extra) : undefined;
	}

	get isEmpty(): boolean {
		return this.#all.length === 0;
	}

	/** The pieces of one chunk. */
	take(pieces: readonly unknown[]): void {
		const here = new Set<Told>();
		for (const piece of pieces) if (isObject(piece)) this.#piece(piece, here);
	}

	/** No more pieces: a call whose name never came begins without one. */
	end(): void {
		for (const one of this.#all) if (one.name === undefined) this.#name(one, '');
	}

	#piece(piece: Record<string, unknown>, here: Set<Told>): void {
		const { function: about, extra_content: extra } = piece;
		const index = typeof piece.index === 'number' ? piece.index : undefined;
		const id = text(piece.id);
		const { name: named, arguments: given } = isObject(about) ? about : {};
		const name = text(named);
		const args = typeof given === 'string' ? given : given ? JSON.stringify(given) : '';
		let one = this.#find(index, id);
		const isOther = one && id !== undefined && one.id !== undefined && one.id !== id;
		if (one && !isOther && beginsAnew(one, id, name, args, here)) {
			// Said once more is not done once more.
			if (!here.has(one) && one.parts.join('').trim() === args.trim()) return;
			one = undefined;
		}
		if (!one || isOther) {
			const key = this.#all.length;
			one = { key, id: undefined, name: undefined, parts: [], extra: null };
			this.#all.push(one);
			this.#places.set(index, one);
		}
		here.add(one);
		this.#places.set(undefined, one);
		if (id !== undefined) {
			one.id ??= id;
			this.#ids.set(`${index} ${id}`, one).set(`undefined ${id}`, one);
		}
		if (isObject(extra)) one.extra = extra as JSONValue;
		if (name !== undefined && one.name === undefined) this.#name(one, name);
		if (args === '') return;
		one.parts.push(args);
		if (one.name !== undefined) this.#turn.args(one.key, args);
	}

	#find(index: number | undefined, id: string | undefined): Told | undefined {
		const same = id === undefined ? undefined : this.#ids.get(`${index} ${id}`);
		// Without a place, an id of its own is another call.
		return same ?? (index === undefined && id !== undefined ? undefined : this.#places.get(index));
	}

	#name(one: Told, name: string): void {
		one.name = name;
		this.#turn.start(one.key, one.id, name);
		for (const part of one.parts) this.#turn.args(one.key, part);
	}
}

/** Does a piece of the same id, or of none, begin another call? */
function beginsAnew(
	one: Told,
	id: string | undefined,
	name: string | undefined,
	args: string,
	here: ReadonlySet<Told>
): boolean {
	if (name === undefined || one.name === undefined) return false;
	if (args.trim() !== '' && isWhole(one)) return true;
	return id === undefined && (here.has(one) || one.name !== name);
}

/** Are its arguments a whole object by now? Parsed only where they end like one, and in vain only once. */
function isWhole(one: Told): boolean {
	if (one.isLong || !one.parts.at(-1)?.trimEnd().endsWith('}')) return false;
	try {
		JSON.parse(one.parts.join(''));
		return true;
	} catch {
		one.isLong = true;
		return false;
	}
}
