/** Nearer than this to the end, in px, is at the end. */
const NEAR = 24;

/**
 * Keeps the end of what grows in sight, as long as the person looks at the end. Who scrolled up to read is left there, and
 * is told that there is more below.
 */
export class Follow {
	/** There is more below than the person sees. */
	below = $state(false);
	#atEnd = true;
	#news = false;
	#element: HTMLElement | undefined;

	/** Attaches to what scrolls; its first element child is what grows. */
	readonly attach = (element: HTMLElement): (() => void) => {
		this.#element = element;
		this.toEnd();
		const scrolled = () => {
			this.#atEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR;
			if (this.#atEnd) this.below = false;
		};
		element.addEventListener('scroll', scrolled, { passive: true });
		const grows = element.firstElementChild;
		const sizes =
			typeof ResizeObserver === 'function' && grows ? new ResizeObserver(() => this.#grew()) : undefined;
		if (grows) sizes?.observe(grows);
		sizes?.observe(element);
		return () => {
			element.removeEventListener('scroll', scrolled);
			sizes?.disconnect();
			this.#element = undefined;
		};
	};

	/** To the end, and on from there. For what the person does: presses the button, sends something. */
	toEnd(): void {
		this.#atEnd = true;
		this.below = false;
		if (this.#element) this.#element.scrollTop = this.#element.scrollHeight;
	}

	/** Something was said or done: what grows with the next frame grows for that, and not because it comes in sight. */
	news(): void {
		this.#news = true;
		requestAnimationFrame(() => requestAnimationFrame(() => (this.#news = false)));
	}

	#grew(): void {
		const element = this.#element;
		if (!element) return;
		if (this.#atEnd) element.scrollTop = element.scrollHeight;
		else if (this.#news) this.below = element.scrollHeight - element.scrollTop - element.clientHeight > NEAR;
	}
}
