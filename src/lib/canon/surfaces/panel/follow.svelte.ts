/** Nearer than this to where it is kept, in px, is there. */
const NEAR = 24;

/**
 * Keeps the end of what grows in sight, as long as the person looks at the end. Who scrolled up to read is left there, and
 * is told that there is more below. Where something higher than the window waits for the person at the end, it is its
 * beginning that is kept in sight.
 */
export class Follow {
	/** There is more below than the person sees. */
	below = $state(false);
	/** Follows: the person has not gone elsewhere. */
	#follows = true;
	#news = false;
	#element: HTMLElement | undefined;
	/** What a person is to see from its beginning on. */
	readonly #waiting: string;

	/** @param waiting selects what waits for the person, among the children of an entry */
	constructor(waiting: string) {
		this.#waiting = waiting;
	}

	/** Attaches to what scrolls; its first element child is what grows. */
	readonly attach = (element: HTMLElement): (() => void) => {
		this.#element = element;
		this.toEnd();
		const scrolled = () => {
			this.#follows = element.scrollTop >= this.#end() - NEAR;
			if (this.#follows) this.below = false;
		};
		element.addEventListener('scroll', scrolled, { passive: true });
		const sizes = typeof ResizeObserver === 'function' ? new ResizeObserver(() => this.#grew()) : undefined;
		for (const one of [element.firstElementChild, element]) if (one) sizes?.observe(one);
		return () => {
			element.removeEventListener('scroll', scrolled);
			sizes?.disconnect();
			this.#element = undefined;
		};
	};

	/** To the end, and on from there. For what the person does: presses the button, sends something. */
	toEnd(): void {
		this.#follows = true;
		this.below = false;
		if (this.#element) this.#element.scrollTop = this.#end();
	}

	/** Something was said or done: what grows with the next frame grows for that, and not because it comes in sight. */
	news(): void {
		this.#news = true;
		requestAnimationFrame(() => requestAnimationFrame(() => (this.#news = false)));
	}

	/** Where the end is looked at from. */
	#end(): number {
		const { scrollHeight, clientHeight, scrollTop } = this.#element!;
		const end = scrollHeight - clientHeight;
		const waiting = this.#lastWaiting();
		if (!waiting) return end;
		const top = waiting.getBoundingClientRect().top - this.#element!.getBoundingClientRect().top + scrollTop;
		return Math.max(0, Math.min(end, top - NEAR / 2));
	}

	/** It stands right in an entry of what grows: all that was ever said there is not looked through for each frame. */
	#lastWaiting(): Element | undefined {
		for (let one = this.#element!.firstElementChild?.lastElementChild; one; one = one.previousElementSibling)
			for (let part = one.lastElementChild; part; part = part.previousElementSibling)
				if (part.matches(this.#waiting)) return part;
		return undefined;
	}

	#grew(): void {
		const element = this.#element;
		if (!element) return;
		const end = this.#end();
		if (this.#follows) element.scrollTop = end;
		else if (this.#news) this.below = end - element.scrollTop > NEAR;
	}
}
