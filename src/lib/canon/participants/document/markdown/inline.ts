import type { Fragment, MarkType, NodeType } from 'prosemirror-model';
import { commentAt, entityAt, isPunctuation } from './characters.js';
import { Emphasis } from './emphasis.js';
import { safeAddress } from './href.js';
import type { Placeholders } from './placeholder.js';
import { Refusing } from './refusal.js';
import { targetAt } from './target.js';
import { weave, type Piece, type Stretch } from './weave.js';
import { attrOf, hasAttr, type MarkWord, type Vocabulary } from './words.js';

/** What a parse knows and counts, passed from block to block. @internal */
export interface Session {
	readonly vocabulary: Vocabulary;
	readonly placeholders: Placeholders;
	readonly offers: () => string;
	/** Characters and lines looked at: the measure of the work done. */
	steps: number;
}

const CALLED: Readonly<Record<MarkWord, string>> = {
	strong: 'bold',
	em: 'italic',
	code: 'inline code',
	strike: 'strikethrough',
	underline: 'underline',
	link: 'links'
};

const SIGNS = /[\\`*_~+[\]!<&\n]/g;

/** Reads one textblock's worth of text. @internal */
export class InlineReader {
	readonly #session: Session;
	readonly #text: string;
	readonly #line: number;
	readonly #parent: NodeType;
	readonly #pieces: Piece[] = [];
	readonly #brackets: number[] = [];
	readonly #stretches: Stretch[] = [];
	readonly #emphasis: Emphasis;
	#ticks: Map<number, number[]> | undefined;

	constructor(session: Session, text: string, line: number, parent: NodeType) {
		this.#session = session;
		this.#text = text;
		this.#line = line;
		this.#parent = parent;
		const pieces = this.#pieces;
		this.#emphasis = new Emphasis({
			get length() {
				return pieces.length;
			},
			put: (sign) => void pieces.push({ text: sign }),
			consume: (piece) => void (pieces[piece]!.text = ''),
			stretch: (word, from) => void this.#stretches.push({ word, from, to: pieces.length })
		});
	}

	read(): Fragment {
		const text = this.#text;
		let at = 0;
		while (at < text.length) {
			SIGNS.lastIndex = at;
			const next = SIGNS.exec(text)?.index ?? text.length;
			if (next > at) this.#plain(text.slice(at, next));
			this.#session.steps += next - at + 1;
			at = next < text.length ? this.#sign(text[next]!, next) : next;
		}
		return weave(this.#pieces, this.#stretches, {
			schema: this.#session.vocabulary.schema,
			mark: (word) => this.#mark(word),
			refuse: (what) => this.#refuse(what)
		});
	}

	#sign(char: string, at: number): number {
		const text = this.#text;
		switch (char) {
			case '\\':
				return this.#escape(at);
			case '`':
				return this.#code(at);
			case '[':
				return this.#open(at, '[');
			case '!':
				return text[at + 1] === '[' ? this.#open(at, '![') : this.#plain('!', at + 1);
			case ']':
				return this.#close(at);
			case '\n':
				return this.#newline(at);
			case '&': {
				const found = entityAt(text, at);
				return found ? this.#plain(found.char, found.end) : this.#plain('&', at + 1);
			}
			case '<': {
				const found = commentAt(text, at);
				if (found?.kind === 'break') this.#break();
				return found ? found.end : this.#plain('<', at + 1);
			}
			default:
				return this.#emphasised(char, at);
		}
	}

	#plain(text: string, next = 0): number {
		this.#pieces.push({ text });
		return next;
	}

	#emphasised(char: string, at: number): number {
		let end = at;
		while (this.#text[end] === char) end++;
		this.#session.steps += end - at;
		// Two plus signs are a mark in few editors and plain text everywhere else.
		if (char === '+' && !this.#session.vocabulary.marks.underline)
			return this.#plain(this.#text.slice(at, end), end);
		this.#emphasis.take(this.#text, at, end);
		return end;
	}

	#escape(at: number): number {
		const next = this.#text[at + 1];
		if (next === '\n') {
			this.#break();
			return at + 2;
		}
		return isPunctuation(next) ? this.#plain(next!, at + 2) : this.#plain('\\', at + 1);
	}

	/** Two spaces before the end of a line break it; else the end of a line is a space. */
	#newline(at: number): number {
		const last = this.#pieces.at(-1);
		if (!last || last.node) return this.#plain(' ', at + 1);
		let end = last.text.length;
		while (last.text[end - 1] === ' ') end--;
		const breaks = last.text.length - end > 1;
		this.#session.steps += last.text.length - end;
		last.text = last.text.slice(0, end);
		if (!breaks) return this.#plain(' ', at + 1);
		this.#break();
		return at + 1;
	}

	#break(): void {
		const type = this.#session.vocabulary.nodes.hardBreak;
		if (!type) this.#lacks('line break inside a paragraph');
		this.#pieces.push({ text: '', node: type.create() });
	}

	#code(at: number): number {
		const text = this.#text;
		let end = at;
		while (text[end] === '`') end++;
		const size = end - at;
		const from = end;
		const close = this.#closingTicks(size, from);
		this.#session.steps += size;
		if (close === undefined) return this.#plain(text.slice(at, from), from);
		const inner = text.slice(from, close).replaceAll('\n', ' ');
		const padded = inner.startsWith(' ') && inner.endsWith(' ') && /[^ ]/.test(inner);
		this.#session.steps += inner.length;
		this.#stretches.push({ word: 'code', from: this.#pieces.length, to: this.#pieces.length + 1 });
		return this.#plain(padded ? inner.slice(1, -1) : inner, close + size);
	}

	/** Every run of backticks by its length, found once: a row of unmatched ones costs no more than its length. */
	#closingTicks(size: number, from: number): number | undefined {
		if (!this.#ticks) {
			this.#ticks = new Map();
			for (const { 0: run, index } of this.#text.matchAll(/`+/g)) {
				const places = this.#ticks.get(run.length);
				if (places) places.push(index);
				else this.#ticks.set(run.length, [index]);
			}
			for (const places of this.#ticks.values()) places.reverse();
			this.#session.steps += this.#text.length;
		}
		const places = this.#ticks.get(size);
		while (places?.length && places.at(-1)! < from) places.pop();
		return places?.at(-1);
	}

	#open(at: number, sign: string): number {
		const kept = sign === '[' ? this.#session.placeholders.inline(this.#text, at, this.#line) : undefined;
		if (kept) {
			this.#pieces.push({ text: '', node: kept.node });
			return kept.end;
		}
		this.#brackets.push(this.#pieces.length);
		return this.#plain(sign, at + sign.length);
	}

	#close(at: number): number {
		const open = this.#brackets.pop();
		if (open === undefined || this.#text[at + 1] !== '(') return this.#plain(']', at + 1);
		const target = targetAt(this.#text, at + 1, (count) => (this.#session.steps += count));
		if (!target) return this.#plain(']', at + 1);
		const image = this.#pieces[open]!.text === '![';
		if (image) this.#image(open, target.address, target.title);
		else this.#link(open, target.address, target.title);
		return target.end;
	}

	#link(open: number, href: string, title: string | undefined): void {
		const type = this.#mark('link');
		if (!safeAddress(href, 'link')) {
			throw new Refusing(
				'link',
				this.#line,
				`The address "${href.slice(0, 80)}" is not allowed. Link to an http, https, mailto or relative address.`
			);
		}
		this.#pieces[open]!.text = '';
		this.#stretches.push({
			word: 'link',
			from: open,
			to: this.#pieces.length,
			attrs: { href, ...this.#title(type, title) }
		});
		// A link holds no link: what was opened around this one is plain text.
		this.#brackets.length = 0;
	}

	#title(type: NodeType | MarkType, title: string | undefined): { title?: string } {
		if (title === undefined) return {};
		if (!hasAttr(type, 'title')) this.#refuse(`keeps no title of a ${type.name}: leave the quoted title out`);
		return { title };
	}

	#image(open: number, src: string, title: string | undefined): void {
		const type = this.#session.vocabulary.nodes.image;
		if (!type) this.#lacks('images');
		if (!type.isInline) this.#refuse('takes an image only as a line of its own');
		if (!safeAddress(src, 'image')) {
			throw new Refusing(
				'link',
				this.#line,
				`The address of the image is not allowed: ${src.slice(0, 80)}. Take an http, https or relative one.`
			);
		}
		const alt = this.#takeBack(open);
		const altAttr = attrOf(type, 'alt');
		if (alt !== '' && !altAttr) this.#refuse('keeps no description of an image: write ![](address)');
		const attrs = {
			src,
			...(altAttr && { [altAttr]: alt === '' ? null : alt }),
			...this.#title(type, title)
		};
		this.#pieces.push({ text: '', node: type.create(attrs) });
	}

	/** The pieces from here on as plain text, with what stood over them gone. */
	#takeBack(open: number): string {
		this.#emphasis.forget(open);
		while (this.#stretches.length && this.#stretches.at(-1)!.from >= open) this.#stretches.pop();
		for (let index = this.#stretches.length - 1; index >= 0 && this.#stretches[index]!.to > open; index--) {
			this.#stretches[index]!.to = open;
		}
		const [, ...inside] = this.#pieces.splice(open);
		this.#session.steps += inside.length;
		return inside.map(({ text }) => text).join('');
	}

	#refuse(what: string): never {
		throw new Refusing('schema', this.#line, `The editor ${what}.`);
	}

	#lacks(what: string): never {
		return this.#refuse(`has no ${what}. It takes: ${this.#session.offers()}`);
	}

	#mark(word: MarkWord): MarkType {
		const type = this.#session.vocabulary.marks[word];
		if (!type) this.#lacks(CALLED[word]);
		if (!this.#parent.allowsMarkType(type))
			this.#refuse(`takes no ${CALLED[word]} in a ${this.#parent.name}`);
		return type;
	}
}
