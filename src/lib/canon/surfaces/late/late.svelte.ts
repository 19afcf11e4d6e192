type Parts = typeof import('./parts.js');

/**
 * What no surface needs before an agent runs: bodies of cards, forms, the comparison of texts word by word, and their
 * words in English. It comes once for the page: with the first run, with the first press that needs it, or as soon as the
 * page has nothing else to do. Until then, and where it does not come, the same is said in plain words.
 */
export class Late {
	/** Everything, once it is there. */
	now = $state.raw<Parts>();
	/** It did not come: a network that is down, or a site that was deployed anew. */
	failed = $state(false);
	#coming: Promise<void> | undefined;
	#idle = false;
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

	/** Loads when the page has loaded and rests, unless its reader saves data. Only on a client. */
	whenIdle(): void {
		const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
		if (this.#idle || this.#coming || connection?.saveData) return;
		this.#idle = true;
		const rest = () =>
			'requestIdleCallback' in globalThis
				? requestIdleCallback(() => this.load())
				: setTimeout(() => this.load(), 2000);
		if (document.readyState === 'complete') rest();
		else addEventListener('load', rest, { once: true });
	}
}

/** The default look says so at the root, in `--ax-look`: then the part of it that comes late comes along. */
const looks = (): unknown =>
	getComputedStyle(document.documentElement).getPropertyValue('--ax-look').trim() === 'default' &&
	// A card without its look is still a card.
	import('../../../uix/eidos/late.css').catch(() => {});

// One for the page, as modules are; only effects and presses load, so on a server it stays empty.
export const late = new Late(async () => (await Promise.all([import('./parts.js'), looks()]))[0]);

/**
 * For a surface with a late body, in component init.
 * @param needed reactive; true from the moment a person could meet the body, as with the first run
 */
export function useLate(needed: () => unknown): Late {
	$effect(() => (needed() ? void late.load() : late.whenIdle()));
	return late;
}
