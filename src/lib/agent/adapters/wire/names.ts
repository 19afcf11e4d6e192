import type { Tool } from '../../protocol/turn.js';
import type { JSONValue } from '../../protocol/words.js';

/** What a provider takes as the name of a tool. @internal */
export interface NameLimits {
	/** Longest, in characters. */
	most: number;
	/** Signs that are taken, as the inside of a character class. */
	signs: string;
}

/** What every provider takes. @internal */
export const COMMON: NameLimits = { most: 64, signs: 'a-zA-Z0-9_-' };

/**
 * The tools of a request under names that a provider takes, and back. A name that fits is itself; another is written with `_`
 * for the signs that do not fit, and ends in a digest of the whole, so that no two tools meet and a tool is called the same in
 * every request, whichever others stand beside it.
 * @internal
 */
export class Names {
	readonly #out = new Map<string, string>();
	readonly #back = new Map<string, string>();
	readonly #prunes = new Map<string, (value: JSONValue) => JSONValue>();
	readonly #tools: ReadonlySet<string>;
	readonly #limits: NameLimits;

	constructor(tools: readonly Pick<Tool, 'name'>[], limits: NameLimits = COMMON) {
		this.#limits = limits;
		this.#tools = new Set(tools.map(({ name }) => name));
		// Names that fit have the first claim on themselves.
		for (const { name } of tools) if (this.#fitting(name) === name) this.#pair(name, name);
		for (const { name } of tools) this.out(name);
	}

	/** The name on the wire; one of an earlier turn, whose tool is gone, gets one too. */
	out(name: string): string {
		const known = this.#out.get(name);
		if (known !== undefined) return known;
		const fit = this.#fitting(name);
		const free = fit === name && !this.#back.has(fit) ? fit : this.#apart(name, fit);
		this.#pair(name, free);
		return free;
	}

	/** The tool a name on the wire means; an unknown one is itself, and the engine refuses it. */
	back(wire: string): string {
		return this.#back.get(wire) ?? wire;
	}

	/** Is there a tool of this name in the request? */
	has(name: string): boolean {
		return this.#tools.has(name);
	}

	/** Sets how the arguments of a tool become what its own schema says, as `strictOf` tells it. */
	setPrune(name: string, prune: ((value: JSONValue) => JSONValue) | undefined): void {
		if (prune) this.#prunes.set(name, prune);
	}

	prune(name: string): ((value: JSONValue) => JSONValue) | undefined {
		return this.#prunes.get(name);
	}

	#pair(name: string, wire: string): void {
		this.#out.set(name, wire);
		this.#back.set(wire, name);
	}

	#fitting(name: string): string {
		const tame = name.replace(new RegExp(`[^${this.#limits.signs}]`, 'gu'), '_');
		const led = /^[a-zA-Z_]/.test(tame) ? tame : `_${tame}`;
		return led.slice(0, this.#limits.most);
	}

	#apart(name: string, fit: string): string {
		for (let n = 0; ; n += 1) {
			const mark = `_${digest(n === 0 ? name : `${name}#${n}`)}`;
			const free = fit.slice(0, this.#limits.most - mark.length) + mark;
			if (!this.#back.has(free)) return free;
		}
	}
}

/** A short digest: names apart, not secrets kept. FNV-1a. */
function digest(name: string): string {
	let hash = 0x811c9dc5;
	for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193) >>> 0;
	return hash.toString(36);
}
