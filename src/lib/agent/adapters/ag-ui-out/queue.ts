/** Things that are put in now and taken when somebody is ready for them, in order. */
export class Queue<T> implements AsyncIterableIterator<T> {
	#items: T[] = [];
	#taken = 0;
	#isShut = false;
	#wake: (() => void) | undefined;

	/** @param left called when whoever took goes away */
	constructor(readonly left: () => void) {}

	put(item: T): void {
		if (this.#isShut) return;
		this.#items.push(item);
		this.#wake?.();
	}

	/** Nothing comes any more; what was put in is still given. */
	shut(): void {
		this.#isShut = true;
		this.#wake?.();
	}

	[Symbol.asyncIterator](): this {
		return this;
	}

	async next(): Promise<IteratorResult<T, undefined>> {
		while (this.#taken === this.#items.length) {
			if (this.#isShut) return { value: undefined, done: true };
			await new Promise<void>((resolve) => (this.#wake = resolve));
		}
		const value = this.#items[this.#taken++]!;
		if (this.#taken === this.#items.length) {
			this.#items = [];
			this.#taken = 0;
		}
		return { value, done: false };
	}

	async return(): Promise<IteratorResult<T, undefined>> {
		this.#items = [];
		this.#taken = 0;
		this.left();
		this.shut();
		return { value: undefined, done: true };
	}
}
