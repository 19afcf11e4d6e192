/** A version for what has none of its own: counts the different values it is shown. @internal */
export class Counter {
	#text = '';
	#count = 0;

	of(value: unknown): number {
		const text = JSON.stringify(value);
		if (text !== this.#text) this.#count++;
		this.#text = text;
		return this.#count;
	}
}
