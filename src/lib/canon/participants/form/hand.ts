/** What a browser announces before it types, deletes or pastes, and a script's command does not. */
const ANNOUNCED = /^(insert(Text|Line|Paragraph|From)|delete|history)/;

/**
 * Tells edits of a hand from those that a script sets off: the change after a press of its own, the input after an editing
 * command of its own. The browser calls both of them trusted.
 * @internal
 */
export class Hand {
	/** What a script pressed last. */
	#pressed: EventTarget | null = null;
	/** Where something is about to be typed. */
	#announced: EventTarget | null = null;

	/** Listeners for what comes before an edit. */
	readonly handlers = {
		click: ({ isTrusted, target }: Event): void => {
			this.#pressed = isTrusted ? null : target;
		},
		beforeinput: ({ isTrusted, target }: Event): void => {
			if (isTrusted) this.#announced = target;
		}
	};

	/** Did a script set it off? Asked once for each `input` and `change`. */
	forged(event: Event): boolean {
		const { target, type } = event;
		// A box changes by nothing but a press.
		if (/^(checkbox|radio)$/.test((target as HTMLInputElement).type)) return target === this.#pressed;
		const announced = this.#announced === target;
		if (type === 'input') this.#announced = null;
		return !announced && ANNOUNCED.test((event as InputEvent).inputType ?? '');
	}
}
