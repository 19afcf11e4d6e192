import type { JSONValue } from './words.js';

/** What a text would be if it ended here: JSON, the beginning of some, or neither whatever follows. @since 0.1.0 */
export type JSONVerdict = 'complete' | 'incomplete' | 'invalid';

/** A list or object that is still open. */
interface Open {
	list?: unknown[];
	object?: Record<string, unknown>;
	/** Whose value is being read. */
	key: string | undefined;
}

// What may come next.
const VALUE = 0;
/** A value, or the end of a list that is empty. */
const ITEM = 1;
/** A key, or the end of an object that is empty. */
const MEMBER = 2;
const KEY = 3;
const COLON = 4;
/** After a value: a comma, or the end of what it stands in. */
const NEXT = 5;
const TEXT = 6;
const ESCAPED = 7;
const HEX = 8;
const WORD = 9;
const NUMBER = 10;
const DONE = 11;
const BAD = 12;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const WORDS: Readonly<Record<string, readonly [text: string, value: unknown]>> = {
	t: ['true', true],
	f: ['false', false],
	n: ['null', null]
};
const ESCAPES: Readonly<Record<string, string>> = {
	'"': '"',
	'\\': '\\',
	'/': '/',
	b: '\b',
	f: '\f',
	n: '\n',
	r: '\r',
	t: '\t'
};

/**
 * The grammar of numbers: what may follow, by what was read last. Upper case: the number may end here.
 * @see RFC 8259, section 6
 */
const FOLLOWS: Readonly<Record<string, (sign: string) => string | undefined>> = {
	'-': (sign) => (sign === '0' ? 'Z' : isDigit(sign) ? 'I' : undefined),
	Z: (sign) => (sign === '.' ? '.' : isExponent(sign)),
	I: (sign) => (isDigit(sign) ? 'I' : sign === '.' ? '.' : isExponent(sign)),
	'.': (sign) => (isDigit(sign) ? 'F' : undefined),
	F: (sign) => (isDigit(sign) ? 'F' : isExponent(sign)),
	e: (sign) => (isDigit(sign) ? 'E' : sign === '+' || sign === '-' ? '+' : undefined),
	'+': (sign) => (isDigit(sign) ? 'E' : undefined),
	E: (sign) => (isDigit(sign) ? 'E' : undefined)
};
const isDigit = (sign: string): boolean => sign >= '0' && sign <= '9';
const isExponent = (sign: string): string | undefined => (sign === 'e' || sign === 'E' ? 'e' : undefined);
const mayEnd = (phase: string): boolean => phase >= 'A' && phase <= 'Z';

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/**
 * Reads JSON while it arrives, in pieces cut anywhere, and shows what is certain of it. Numbers and words are shown whole or not
 * at all; a text grows, but never by half an escape or half a surrogate pair; a member is shown from the first sign of its
 * value on. So at every prefix what is shown agrees with the whole, with one exception that no reader can avoid: where an
 * object repeats a key, the later value takes the place of the earlier, as in `JSON.parse`.
 *
 * Linear: each piece is looked at once, and nothing is parsed again. What counts in the end is `JSON.parse` of the whole text.
 * @example
 * const reader = new PartialJSON()
 * reader.push('{"title":"Mi')
 * reader.value // { title: 'Mi' }
 * @since 0.1.0
 */
export class PartialJSON {
	/** What is certain so far; undefined before anything is. It goes on growing in place: take a copy to keep it. */
	value: JSONValue | undefined;
	readonly #depth: number;
	readonly #open: Open[] = [];
	#state = VALUE;
	/** Of the text, word or number being read: what there is of it. */
	#text = '';
	/** A high surrogate that waits for its other half. */
	#high = '';
	/** Hex digits of an escape, the rest of a word, or the phase of a number. */
	#part = '';
	#word: unknown;
	/** Is the text a key? */
	#isKey = false;
	/** Is the text a value, and not at its end? */
	#isGrowing = false;

	/** @param depth lists and objects in each other; deeper text counts as invalid */
	constructor({ depth = 200 }: { depth?: number } = {}) {
		this.#depth = depth;
	}

	/** What the text is, if it ends here. */
	get verdict(): JSONVerdict {
		if (this.#state === BAD) return 'invalid';
		const whole = this.#state === DONE || (this.#state === NUMBER && mayEnd(this.#part));
		return whole && this.#open.length === 0 ? 'complete' : 'incomplete';
	}

	/** The member of the outermost object whose value is not complete. */
	get growing(): string | undefined {
		const [outermost] = this.#open;
		return outermost?.object && outermost.key;
	}

	/** Takes in the next piece. After something invalid all that follows is ignored. */
	push(piece: string): JSONVerdict {
		if (this.#state === BAD) return 'invalid';
		for (let at = 0; at < piece.length && this.#state !== BAD;)
			at = this.#state === TEXT ? this.#read(piece, at) : this.#take(piece, at);
		if (this.#isGrowing) this.#show(this.#text);
		return this.verdict;
	}

	/** Nothing more comes: a number that could have gone on is complete now. */
	end(): JSONVerdict {
		if (this.#state === NUMBER && this.verdict === 'complete') this.#number();
		return this.verdict;
	}

	/** A text up to its end, an escape, or the end of the piece. @returns where to go on */
	#read(piece: string, from: number): number {
		let at = from;
		let code = 0;
		while (at < piece.length && (code = piece.charCodeAt(at)) >= 0x20 && code !== QUOTE && code !== BACKSLASH)
			at++;
		if (at > from) this.#grow(piece.slice(from, at));
		if (at === piece.length) return at;
		if (code === BACKSLASH) this.#state = ESCAPED;
		else if (code !== QUOTE) this.#state = BAD;
		else this.#textEnds();
		return at + 1;
	}

	/** Only the piece is ever indexed: to look into a text that was put together costs its whole length each time. */
	#grow(more: string): void {
		const last = more.length - 1;
		const held = isHigh(more.charCodeAt(last));
		this.#text += this.#high + (held ? more.slice(0, last) : more);
		this.#high = held ? more.slice(last) : '';
	}

	#textEnds(): void {
		const text = this.#text + this.#high;
		this.#text = this.#high = '';
		if (this.#isKey) {
			this.#isKey = false;
			this.#open.at(-1)!.key = text;
			this.#state = COLON;
			return;
		}
		this.#isGrowing = false;
		this.#whole(text);
	}

	/** One sign outside of plain text. @returns where to go on */
	#take(piece: string, at: number): number {
		const code = piece.charCodeAt(at);
		const sign = piece[at]!;
		switch (this.#state) {
			case ESCAPED:
				if (sign === 'u') {
					this.#state = HEX;
					this.#part = '';
				} else if (Object.hasOwn(ESCAPES, sign)) {
					this.#state = TEXT;
					this.#grow(ESCAPES[sign]!);
				} else this.#state = BAD;
				return at + 1;
			case HEX:
				if (!/[\da-f]/i.test(sign)) this.#state = BAD;
				else if ((this.#part += sign).length === 4) {
					this.#state = TEXT;
					this.#grow(String.fromCharCode(Number.parseInt(this.#part, 16)));
				}
				return at + 1;
			case WORD:
				if (sign !== this.#part[0]) this.#state = BAD;
				else if ((this.#part = this.#part.slice(1)) === '') this.#whole(this.#word);
				return at + 1;
			case NUMBER: {
				const phase = FOLLOWS[this.#part]!(sign);
				if (phase !== undefined) {
					this.#part = phase;
					this.#text += sign;
					return at + 1;
				}
				if (mayEnd(this.#part)) this.#number();
				else this.#state = BAD;
				return at;
			}
			default:
				if (!isSpace(code)) this.#structure(sign);
				return at + 1;
		}
	}

	/** A sign between values. */
	#structure(sign: string): void {
		const state = this.#state;
		const inner = this.#open.at(-1);
		this.#state = BAD;
		if (sign === ']' ? inner?.list && (state === ITEM || state === NEXT) : false) this.#close();
		else if (sign === '}' ? inner?.object && (state === MEMBER || state === NEXT) : false) this.#close();
		else if (state === NEXT) {
			if (sign === ',') this.#state = inner!.list ? VALUE : KEY;
		} else if (state === COLON) {
			if (sign === ':') this.#state = VALUE;
		} else if (state === MEMBER || state === KEY) {
			if (sign !== '"') return;
			this.#state = TEXT;
			this.#isKey = true;
		} else if (state !== DONE) this.#begin(sign);
	}

	#begin(sign: string): void {
		if (sign === '"') {
			this.#state = TEXT;
			this.#isGrowing = true;
			this.#show('');
		} else if (sign === '[') this.#enter({ list: [], key: undefined }, ITEM);
		else if (sign === '{') this.#enter({ object: {}, key: undefined }, MEMBER);
		else if (sign === '-' || isDigit(sign)) {
			this.#state = NUMBER;
			this.#text = sign;
			this.#part = sign === '-' ? sign : sign === '0' ? 'Z' : 'I';
		} else if (Object.hasOwn(WORDS, sign)) {
			const [text, value] = WORDS[sign]!;
			this.#state = WORD;
			this.#part = text.slice(1);
			this.#word = value;
		}
	}

	#enter(open: Open, state: number): void {
		if (this.#open.length >= this.#depth) return;
		this.#show(open.list ?? open.object);
		// Its place in a list is taken: what comes next comes behind it.
		this.#open.push(open);
		this.#state = state;
	}

	#close(): void {
		this.#open.pop();
		this.#goOn();
	}

	#number(): void {
		const value = Number(this.#text);
		this.#text = '';
		this.#whole(value);
	}

	/** A value that grows no more. */
	#whole(value: unknown): void {
		this.#show(value);
		this.#goOn();
	}

	#goOn(): void {
		const inner = this.#open.at(-1);
		if (inner) inner.key = undefined;
		this.#state = inner ? NEXT : DONE;
	}

	/** Puts the value being read where it belongs. */
	#show(value: unknown): void {
		const inner = this.#open.at(-1);
		if (!inner) this.value = value as JSONValue;
		else if (inner.list) this.#showItem(inner, value);
		else if (inner.key !== '__proto__') inner.object![inner.key!] = value;
		// By assignment it would become the prototype.
		else
			Object.defineProperty(inner.object, inner.key, {
				value,
				configurable: true,
				enumerable: true,
				writable: true
			});
	}

	#showItem(inner: Open, value: unknown): void {
		const list = inner.list!;
		// A key marks that the last item is the one being read.
		if (inner.key === undefined) list.push(value);
		else list[list.length - 1] = value;
		inner.key = '';
	}
}
