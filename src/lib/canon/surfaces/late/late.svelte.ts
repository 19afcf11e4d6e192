type Parts = typeof import('./parts.js');

/**
 * What no surface needs before an agent runs: the form of a question, the fields for own values, the comparison of texts
 * word by word. It comes with the first run, long before a model has answered, and from then on is there at once. Until
 * then, and where it does not come, the same is said in plain words.
 */
export class Late {
	/** Everything, once it is there. */
	now = $state.raw<Parts>();
	/** It did not come: a network that is down, or a site that was deployed anew. */
	failed = $state(false);
	#coming: Promise<void> | undefined;
	readonly #bring: () => Promise<Parts>;

	constructor(bring: () => Promise<Parts>) {
		this.#bring = bring;
	}

	/** Settles when it is there or did not come. What failed is tried anew. */
	load(): Promise<void> {
		return (this.#coming ??= this.#bring().then(
			(parts) => {
				this.now = parts;
				this.failed = false;
			},
			() => {
				this.failed = true;
				this.#coming = undefined;
			}
		));
	}
}

// One for the page, as modules are; only effects and presses load, so on a server it stays empty.
export const late = new Late(() => import('./parts.js'));
