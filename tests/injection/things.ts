import type { ActCall, ActResult } from '../../src/lib/agent/capability/index.js';
import { done } from '../../src/lib/agent/capability/index.js';
import type { JSONValue } from '../../src/lib/agent/index.js';

/** Something that happened to a component, by whoever called it. */
export interface Happened {
	instance: string;
	act: string;
	args: Readonly<Record<string, JSONValue>>;
	run: string;
	step: string;
}

/**
 * A component of the world: named texts with versions, what was done to it, and what a run wrote, so that one undo takes
 * back exactly that.
 */
export class Thing {
	readonly done: Happened[] = [];
	readonly #versions = new Map<string, number>();
	readonly #written: { run: string; key: string; before: string | undefined; after: string | undefined }[] =
		[];
	#whole = 0;

	constructor(
		readonly id: string,
		readonly values: Record<string, string>
	) {}

	version(key?: string): number {
		return key === undefined ? this.#whole : (this.#versions.get(key) ?? 0);
	}

	put(key: string, value: string | undefined): void {
		if (value === undefined) delete this.values[key];
		else this.values[key] = value;
		this.#whole += 1;
		this.#versions.set(key, this.version(key) + 1);
	}

	/** An act was carried out: `written` are the texts it left. */
	did(
		act: string,
		args: Happened['args'],
		{ run, step }: Pick<ActCall, 'run' | 'step'>,
		written: Readonly<Record<string, string | undefined>> = {},
		value?: JSONValue
	): ActResult {
		this.done.push({ instance: this.id, act, args, run, step });
		for (const [key, after] of Object.entries(written)) {
			this.#written.push({ run, key, before: this.values[key], after });
			this.put(key, after);
		}
		return done(value);
	}

	/** Takes back what a run wrote and nobody changed since. */
	undo(run: string) {
		let undone = 0;
		const kept: { what: string; why: string }[] = [];
		for (const one of this.#written.filter((written) => written.run === run).reverse()) {
			if (this.values[one.key] !== one.after) {
				kept.push({ what: one.key, why: 'changed since' });
				continue;
			}
			this.put(one.key, one.before);
			undone += 1;
		}
		return { undone, kept };
	}
}
