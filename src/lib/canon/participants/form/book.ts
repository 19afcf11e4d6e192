import type { FormSource, FormValue, Written } from './field.js';
import { Ledger, same, type Shift } from './ledger.js';

/** What stands beside a value and goes back with it. @since 0.1.0 */
export interface Beside {
	written?: Written;
	pasted: boolean;
	tainted?: boolean;
}

/** A value with what stands beside it. @since 0.1.0 */
export interface Standing {
	value: FormValue;
	beside: Beside;
}

interface Seen {
	value: FormValue;
	version: number;
	pasted: boolean;
	written?: Written;
}

/**
 * What is known of each field beyond its value: version, whose hand, what lies under it. The source holds the values; the
 * book compares, so that it also notices what nobody told.
 * @since 0.1.0
 */
export class Book {
	readonly touched = new Set<string>();
	readonly #source: FormSource;
	readonly #describe: (written: Written) => string;
	readonly #ledger = new Ledger<Beside>();
	readonly #seen = new Map<string, Seen>();
	/** Paths a run wrote that the framework has not flushed yet: what it makes of them is still the run's. */
	readonly #fresh = new Map<string, string>();
	#version = 0;

	constructor(source: FormSource, describe: (written: Written) => string) {
		this.#source = source;
		this.#describe = describe;
	}

	paths(): string[] {
		return [...this.#seen.keys()];
	}

	/** Compares with what was seen last. `hand`: an event told of it, so it is an edit and nothing that followed from a write. */
	sync(path: string, hand?: { pasted: boolean }): Readonly<Seen> | undefined {
		const value = this.#source.read(path);
		if (value === undefined) return undefined;
		let seen = this.#seen.get(path);
		if (!seen) this.#seen.set(path, (seen = { value, version: ++this.#version, pasted: false }));
		if (same(value, seen.value)) return seen;

		this.#bump(seen, value);
		const run = this.#fresh.get(path);
		if (run !== undefined && !hand) {
			this.#ledger.adjust(path, run, value);
			return seen;
		}
		// Part of a value may be pasted; typing on does not make it the person's words.
		seen.pasted = value !== '' && (seen.pasted || hand?.pasted === true);
		this.#ledger.note(path, value, { ...this.#taint(path), pasted: seen.pasted });
		this.mark(path, undefined);
		return seen;
	}

	/** Is there news of this field? */
	edited(path: string, hand?: { pasted: boolean }): boolean {
		const before = this.#seen.get(path)?.version;
		return this.sync(path, hand)?.version !== before;
	}

	version(path: string): number {
		return this.sync(path)?.version ?? -1;
	}

	/** Of all fields together. */
	total(): number {
		for (const path of this.#source.paths()) this.sync(path);
		return this.#version;
	}

	before(path: string): Standing {
		const { value, written, pasted } = this.sync(path)!;
		return { value, beside: { ...this.#taint(path), pasted, ...(written && { written }) } };
	}

	/** Takes a value that was just written into the books. Only what a run wrote can be taken back. */
	wrote(
		path: string,
		value: FormValue,
		before: Standing,
		run: string | undefined,
		written: Written | undefined
	): void {
		const beside: Beside = { ...this.#taint(path), pasted: false, ...(written && { written }) };
		if (run === undefined) this.#ledger.note(path, value, beside);
		else {
			this.#ledger.write(path, run, before, value, beside);
			this.#fresh.set(path, run);
		}
		this.#place(path, value, beside);
	}

	/** The framework has flushed: from now on a change is somebody else's. */
	settle(paths: readonly string[], run: string): void {
		for (const path of paths) {
			this.sync(path);
			if (this.#fresh.get(path) === run) this.#fresh.delete(path);
		}
	}

	/** Paths of a run that stand, or that were taken back. */
	of(run: string, undone: boolean): readonly string[] {
		return this.#ledger.paths(run, undone);
	}

	/** Turns the run over on one path; the caller then writes what it says and calls {@link moved}. */
	turn(path: string, run: string, undone: boolean): Shift<Beside> {
		this.sync(path);
		this.#fresh.delete(path);
		return this.#ledger.turn(path, run, undone);
	}

	moved(path: string, { value, beside }: Standing): void {
		this.#place(path, value, beside);
	}

	mark(path: string, written: Written | undefined): void {
		const seen = this.#seen.get(path)!;
		if (written) seen.written = written;
		else delete seen.written;
		this.#source.paint(path, written && { id: written.actor.id, text: this.#describe(written) });
	}

	marked(paths: readonly string[]): string[] {
		return paths.filter((path) => this.#seen.get(path)?.written !== undefined);
	}

	/** Derives all marks anew: controls may have been made again. */
	repaint(): void {
		for (const [path, { written }] of this.#seen) if (written) this.mark(path, written);
	}

	#place(path: string, value: FormValue, { pasted, written }: Beside): void {
		const seen = this.#seen.get(path)!;
		if (!same(seen.value, value)) this.#bump(seen, value);
		seen.pasted = pasted;
		this.mark(path, written);
	}

	#bump(seen: Seen, value: FormValue): void {
		seen.value = value;
		seen.version = ++this.#version;
	}

	#taint(path: string): { tainted?: boolean } {
		const tainted = this.#source.tainted?.(path);
		return tainted === undefined ? {} : { tainted };
	}
}
