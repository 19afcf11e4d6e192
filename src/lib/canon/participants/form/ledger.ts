import type { FormValue } from './field.js';

interface Entry<M> {
	/** The run that wrote it; nobody's for the value before, the person's and the app's. */
	run?: string;
	value: FormValue;
	/** What stood beside the value: touched, taint, provenance. */
	beside: M;
	undone: boolean;
}

/** Same plain JSON? Key order counts, as it does for the control. @internal */
export const same = (a: FormValue | undefined, b: FormValue | undefined): boolean =>
	a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** What taking back or redoing a run does to one path. @since 0.1.0 */
export type Shift<M> = { covered: true } | { covered: false; value: FormValue; beside: M };

/**
 * Who wrote what over whom, per path. A path holds the last value whose author stands; to undo a run is to say that it
 * stands no longer, to redo it that it stands again. So nothing is ever inverted, runs can be taken back in any order, and
 * what a person wrote on top stays on top.
 * @since 0.1.0
 */
export class Ledger<M> {
	readonly #paths = new Map<string, Entry<M>[]>();

	/** A run wrote `value` over `before`. Writes of a run in a row are one. */
	write(
		path: string,
		run: string,
		before: { value: FormValue; beside: M },
		value: FormValue,
		beside: M
	): void {
		let entries = this.#paths.get(path);
		if (!entries) this.#paths.set(path, (entries = [{ ...before, undone: false }]));
		const last = entries.at(-1)!;
		if (last.run === run && !last.undone) Object.assign(last, { value, beside });
		else entries.push({ run, value, beside, undone: false });
	}

	/** Somebody else changed the path. Back to what stood below means that nothing lies on top any more. */
	note(path: string, value: FormValue, beside: M): void {
		const entries = this.#paths.get(path);
		if (!entries || same(standing(entries).value, value)) return;
		const last = entries.at(-1)!;
		if (last.run === undefined) {
			const below = entries.slice(0, -1);
			if (below.length > 0 && same(standing(below).value, value)) entries.pop();
			else Object.assign(last, { value, beside });
		} else entries.push({ value, beside, undone: false });
	}

	/** The form itself adjusted what the run had just written (trimmed it, formatted it): still the run's. */
	adjust(path: string, run: string, value: FormValue): void {
		const last = this.#paths.get(path)?.at(-1);
		if (last?.run === run && !last.undone) last.value = value;
	}

	/** Paths on which the run stands (`undone: false`) or was taken back. */
	paths(run: string, undone: boolean): string[] {
		return [...this.#paths].flatMap(([path, entries]) =>
			entries.some((entry) => entry.run === run && entry.undone === undone) ? [path] : []
		);
	}

	/** Turns the run on this path over and says what the path holds then; `covered`: somebody wrote on top since. */
	turn(path: string, run: string, undone: boolean): Shift<M> {
		const entries = this.#paths.get(path)!;
		const before = standing(entries);
		for (const entry of entries) if (entry.run === run) entry.undone = undone;
		const after = standing(entries);
		return before === after
			? { covered: true }
			: { covered: false, value: after.value, beside: after.beside };
	}
}

/** The bottom entry is nobody's, so there always is one. */
function standing<M>(entries: readonly Entry<M>[]): Entry<M> {
	return entries.findLast((entry) => !entry.undone)!;
}
