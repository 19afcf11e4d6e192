/**
 * Keeps what a person has the focus on. A control that stops to apply while it is focused stays, switched off, until the
 * focus has left it: an agent's act never takes the focus away.
 * @since 0.1.0
 */
export class HeldFocus<T extends { readonly id: string }> {
	readonly #read: () => readonly T[];
	#focused = $state.raw<T>();

	constructor(read: () => readonly T[]) {
		this.#read = read;
	}

	/** What to show: what applies, and what is held. */
	get shown(): readonly (T & { readonly held: boolean })[] {
		const now = this.#read().map((one) => ({ ...one, held: false }));
		const focused = this.#focused;
		if (focused === undefined || now.some((one) => one.id === focused.id)) return now;
		return [{ ...focused, held: true }, ...now];
	}

	focus(one: T): void {
		this.#focused = one;
	}

	blur(one: T): void {
		if (this.#focused?.id === one.id) this.#focused = undefined;
	}
}
