import type { Plugin, Transaction } from 'prosemirror-state';
import type { EditorProps } from 'prosemirror-view';
import { isHuman } from '../../../../uix/soma/index.js';

/** A browser hands typed text to the editor a little after its event. */
const READ_MS = 100;
/** A composition is handed over when the input method likes, but not long after a key. */
const COMPOSED_MS = 1000;
/** More than this is not typed at one stroke: an emoji, a tab of spaces, a word from a keyboard's suggestions. */
const STROKE = 64;

/**
 * Watches what a person's hand does in the editor: which text is about to be typed, and when the last trusted stroke was. A
 * script can make keyboard events and transactions, but no trusted ones.
 * @internal
 */
export class Gesture {
	#stroke = -Infinity;
	#announced = false;

	/** Props for the plugin that keeps origins. They look on and handle nothing. */
	readonly props: EditorProps<Plugin> = {
		handleTextInput: () => {
			// The editor says what it is about to write, in the same breath.
			this.#announced = this.#since() <= COMPOSED_MS;
			queueMicrotask(() => (this.#announced = false));
			return false;
		},
		handleDOMEvents: Object.fromEntries(
			[
				'keydown',
				'keypress',
				// Not `input`: a script's editing command sets off a trusted one.
				'beforeinput',
				'compositionstart',
				'compositionupdate',
				'compositionend'
			].map((type) => [
				type,
				(_view: unknown, event: Event) => {
					if (isHuman(event)) this.#stroke = Date.now();
					return false;
				}
			])
		)
	};

	/** Is this text typed, as far as one can tell? */
	typed(tr: Transaction, length: number): boolean {
		if (this.#announced) return true;
		if (tr.getMeta('composition') !== undefined) return this.#since() <= COMPOSED_MS;
		return length <= STROKE && this.#since() <= READ_MS;
	}

	#since(): number {
		return Date.now() - this.#stroke;
	}
}
