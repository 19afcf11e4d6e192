import { isSpace, isWord } from './characters.js';
import type { MarkWord } from './words.js';

/** What the row of pieces offers to the signs in it. @internal */
export interface Signs {
	/** The number the next piece will have. */
	readonly length: number;
	/** Puts a sign down as plain text, until it finds its other half. */
	put(sign: string): void;
	/** The sign turned out to be one: its text goes. */
	consume(piece: number): void;
	/** What stands between the two halves carries the mark. */
	stretch(word: MarkWord, from: number): void;
}

const LONGEST_RUN = 4;

/**
 * Bold, italic, strikethrough and underline. Each sign is open at most once, since a mark inside itself says nothing:
 * so every sign is looked at once, whatever stands before it.
 * @internal
 */
export class Emphasis {
	readonly #open = new Map<string, number>();
	readonly #signs: Signs;

	constructor(signs: Signs) {
		this.#signs = signs;
	}

	/** What was opened from this piece on is gone. */
	forget(piece: number): void {
		for (const [sign, from] of this.#open) if (from >= piece) this.#open.delete(sign);
	}

	/** Takes the run of equal signs from `at` to `end`. */
	take(text: string, at: number, end: number): void {
		const char = text[at]!;
		const before = text[at - 1];
		const after = text[end];
		const inWord = char === '_' && isWord(before) && isWord(after);
		const opens = !isSpace(after) && !inWord && !(char === '_' && isWord(before));
		const closes = !isSpace(before) && !inWord && !(char === '_' && isWord(after));
		const count = end - at;
		if (char === '~' || char === '+') {
			const pair =
				count === 2 && this.#turn(char === '~' ? 'strike' : 'underline', char + char, opens, closes);
			if (!pair) this.#signs.put(text.slice(at, end));
		} else if (count > LONGEST_RUN) this.#signs.put(text.slice(at, end));
		else this.#run(char, count, opens, closes);
	}

	/** One to four stars or underscores: what is open is closed first, the rest opens. */
	#run(char: string, count: number, opens: boolean, closes: boolean): void {
		const em = char;
		const strong = char + char;
		if (count === 3) {
			const emOpen = closes && this.#open.has(em);
			const strongOpen = closes && this.#open.has(strong);
			if (emOpen && strongOpen) {
				const emFirst = this.#open.get(em)! > this.#open.get(strong)!;
				for (const sign of emFirst ? [em, strong] : [strong, em]) this.#one(sign, false, true);
			} else if (emOpen) for (const sign of [em, strong]) this.#one(sign, opens, closes);
			else for (const sign of [strong, em]) this.#one(sign, opens, closes);
		} else if (count === 4) for (const sign of [strong, strong]) this.#one(sign, opens, closes);
		else this.#one(count === 1 ? em : strong, opens, closes);
	}

	#one(sign: string, opens: boolean, closes: boolean): void {
		if (!this.#turn(sign.length === 1 ? 'em' : 'strong', sign, opens, closes)) this.#signs.put(sign);
	}

	/** Closes what this sign opened, or opens it. A sign that was open and is opened again was plain text. */
	#turn(word: MarkWord, sign: string, opens: boolean, closes: boolean): boolean {
		const from = this.#open.get(sign);
		if (closes && from !== undefined) {
			this.#open.delete(sign);
			this.#signs.consume(from);
			this.#signs.stretch(word, from);
			return true;
		}
		if (!opens) return false;
		this.#open.set(sign, this.#signs.length);
		this.#signs.put(sign);
		return true;
	}
}
