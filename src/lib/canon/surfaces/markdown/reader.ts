import { getDefaults, Lexer, Tokenizer, type Token, type Tokens } from 'marked';

/** What is known of reference links, by their label. */
type Links = Lexer['tokens']['links'];

/** A stretch of a text that stands for itself: nothing that is written after it changes how it reads. */
export interface Stretch {
	key: number;
	tokens: readonly Token[];
}

interface Closed extends Stretch {
	source: string;
	/** Labels between brackets: what a definition that comes later could turn into a link. */
	labels: ReadonlySet<string>;
}

/** Blocks within blocks that are read as such: each is read again for every one it lies in. */
const NESTED = 16;

/**
 * Characters of one block that are looked through for the ends of emphasis and of mail addresses. A sign that ends nowhere
 * costs the rest of its block, a piece of a word the rest of its word, so what is made of nothing else would hold a page for
 * seconds; prose needs a hundredth of it.
 */
const LOOKED_THROUGH = 500_000;

/**
 * What holds a block together: a definition ends with its paragraph, so that no later line can reach back over an empty one,
 * and a tag is text, which opens nothing for the blocks after it. What would cost more than prose does stays as it is written.
 */
class Bounded extends Tokenizer {
	/** What is left of {@link LOOKED_THROUGH} in this block. */
	left = 0;
	#depth = 0;

	#within<T>(read: () => T | undefined): T | undefined {
		if (this.#depth === NESTED) return undefined;
		this.#depth += 1;
		try {
			return read();
		} finally {
			this.#depth -= 1;
		}
	}

	#looked<T extends Token>(begins: boolean, source: string, read: () => T | undefined): T | undefined {
		if (!begins) return read();
		if (this.left <= 0) return undefined;
		const token = read();
		this.left -= (token?.raw ?? source).length;
		return token;
	}

	override blockquote(source: string): Tokens.Blockquote | undefined {
		return this.#within(() => super.blockquote(source));
	}

	override list(source: string): Tokens.List | undefined {
		return this.#within(() => super.list(source));
	}

	override emStrong(source: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
		return this.#looked(/^(?:\*+|_+)(?!\s|$)/.test(source), source, () =>
			super.emStrong(source, masked, before)
		);
	}

	override del(source: string, masked: string, before?: string): Tokens.Del | undefined {
		return this.#looked(/^~+(?!\s|$)/.test(source), source, () => super.del(source, masked, before));
	}

	override inlineText(source: string): Tokens.Text | undefined {
		const [word] = /^\S*/.exec(source)!;
		this.left -= word.length;
		if (this.left > 0 || word === '') return super.inlineText(source);
		return { type: 'text', raw: word, text: word, escaped: false };
	}

	override tag(source: string): Tokens.Tag | undefined {
		const token = super.tag(source);
		this.lexer.state.inLink = this.lexer.state.inRawBlock = false;
		return token && { ...token, inLink: false, inRawBlock: false };
	}

	override def(source: string): Tokens.Def | undefined {
		if (!/^ {0,3}\[/.test(source)) return undefined;
		const end = /\n[ \t]*\n/.exec(source);
		return super.def(end ? source.slice(0, end.index + 1) : source);
	}
}

/** Begins each block anew, and what lies in it with what is left. */
class BlockLexer extends Lexer {
	#depth = 0;

	constructor(readonly bounded = new Bounded()) {
		// Rules of its own, whatever the app has taught `marked` elsewhere.
		super({ ...getDefaults(), gfm: true, tokenizer: bounded });
	}

	override inlineTokens(source: string, tokens?: Token[]): Token[] {
		if (this.#depth === 0) this.bounded.left = LOOKED_THROUGH;
		this.#depth += 1;
		try {
			return super.inlineTokens(source, tokens);
		} finally {
			this.#depth -= 1;
		}
	}
}

function lexer(links: Links): Lexer {
	const made = new BlockLexer();
	Object.assign(made.tokens.links, links);
	return made;
}

/** What cannot be read is shown as it is written. */
const asWritten = (raw: string): Token[] => [
	{ type: 'paragraph', raw, text: raw, tokens: [{ type: 'text', raw, text: raw, escaped: false }] }
];

function lex(source: string, links: Links): { tokens: Token[]; links: Links } {
	const made = lexer(links);
	try {
		return { tokens: [...made.lex(source)], links: made.tokens.links };
	} catch {
		// Nested deeper than the stack.
		return { tokens: asWritten(source), links };
	}
}

/** The tokens of a whole text: what every way of reading it in pieces comes to. */
export const tokensOf = (text: string): readonly Token[] => lex(text, {}).tokens;

/** Labels differ by nothing but case and what stands between their words, the sign of a quote at a new line included. */
const label = (text: string) =>
	text
		.trim()
		.toLowerCase()
		.toUpperCase()
		.replace(/[\s>]+/g, ' ');

const labelsIn = (source: string): ReadonlySet<string> =>
	new Set(Array.from(source.matchAll(/\[((?:\\[\s\S]|[^[\]\\])+)\]/g), ([, text]) => label(text!)));

/** Labels that mean something else now. */
function changed(before: Links, now: Links): ReadonlySet<string> {
	const other = (from: Links, to: Links) =>
		Object.keys(from).filter(
			(tag) => from[tag]!.href !== to[tag]?.href || from[tag]!.title !== to[tag]?.title
		);
	return new Set([...other(now, before), ...other(before, now)].map(label));
}

/** A value with all that is equal in it taken from before, so that what is drawn of it stays. */
function kept<T>(before: unknown, now: T): T {
	if (
		before === now ||
		typeof now !== 'object' ||
		now === null ||
		typeof before !== 'object' ||
		before === null
	)
		return now;
	if (Array.isArray(now)) {
		if (!Array.isArray(before)) return now;
		const list = now.map((item: unknown, index) => kept(before[index], item));
		return (
			list.length === before.length && list.every((item, index) => item === before[index]) ? before : list
		) as T;
	}
	const old = before as Record<string, unknown>;
	const next = Object.fromEntries(Object.entries(now).map(([key, value]) => [key, kept(old[key], value)]));
	const keys = Object.keys(next);
	const same = keys.length === Object.keys(old).length && keys.every((key) => next[key] === old[key]);
	return (same ? old : next) as T;
}

/**
 * Reads Markdown that is still arriving. Only the end is read again: what is followed by an empty line and a line at the
 * margin is closed, and read once more only where a definition gives one of its labels another meaning. Whatever the pieces,
 * the tokens are those of the text read as a whole.
 */
export class MarkdownReader {
	#text = '';
	#tail = '';
	#closed: Closed[] = [];
	#closedLinks: Links = {};
	#links: Links = {};
	#open: Token[] = [];
	/** How many characters were read so far, over and over. */
	lexed = 0;

	/** The text as it is now; a text that goes on where the last one ended costs its end alone. */
	read(text: string): readonly Stretch[] {
		if (!text.startsWith(this.#text)) this.#clear();
		if (text.length > this.#text.length) {
			const more = text.slice(this.#text.length);
			// Two signs may be one line break, half of which has come before.
			const rest = this.#text.endsWith('\r') && more.startsWith('\n') ? more.slice(1) : more;
			this.#tail += rest.replace(/\r\n?/g, '\n');
			this.#text = text;
			this.#advance();
		}
		return [...this.#closed, { key: this.#closed.length, tokens: this.#open }];
	}

	#clear(): void {
		this.#text = this.#tail = '';
		this.#closed = [];
		this.#open = [];
		this.#closedLinks = this.#links = {};
	}

	#lex(source: string, links: Links): { tokens: Token[]; links: Links } {
		this.lexed += source.length;
		return lex(source, links);
	}

	#advance(): void {
		const { tokens, links } = this.#lex(this.#tail, this.#closedLinks);
		const meant = changed(this.#links, links);
		this.#links = links;
		if (meant.size > 0)
			this.#closed = this.#closed.map((one) =>
				[...one.labels].some((name) => meant.has(name))
					? { ...one, tokens: this.#lex(one.source, links).tokens }
					: one
			);
		const open = kept(this.#open, tokens);
		let from = 0;
		let at = 0;
		let first = 0;
		for (const [index, { raw }] of tokens.entries()) {
			// Were a token not what is written there, nobody could say where it ends.
			if (!this.#tail.startsWith(raw, at)) break;
			if (index > first && this.#isMargin(at)) {
				this.#close(this.#tail.slice(from, at), open.slice(first, index));
				from = at;
				first = index;
			}
			at += raw.length;
		}
		this.#tail = this.#tail.slice(from);
		this.#open = open.slice(first);
	}

	/** Does a whole line begin here at the margin, below an empty one? */
	#isMargin(at: number): boolean {
		let before = at - 1;
		if (this.#tail[before] !== '\n') return false;
		do before -= 1;
		while (this.#tail[before] === ' ' || this.#tail[before] === '\t');
		return this.#tail[before] === '\n' && /\S/.test(this.#tail[at] ?? '') && this.#tail.includes('\n', at);
	}

	#close(source: string, tokens: Token[]): void {
		const key = this.#closed.length;
		this.#closed.push({ key, source, tokens, labels: source.includes('[') ? labelsIn(source) : NONE });
		if (source.includes(']:')) this.#closedLinks = this.#lex(source, this.#closedLinks).links;
	}
}

const NONE: ReadonlySet<string> = new Set();
