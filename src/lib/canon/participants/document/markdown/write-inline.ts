import type { Node } from 'prosemirror-model';
import { BREAK, NOTHING } from './characters.js';
import { escaped, target, type Place } from './escape.js';
import { InlineReader } from './inline.js';
import { Placeholders } from './placeholder.js';
import { Refusing } from './refusal.js';
import { sameUnits, unitsOf, type Sign, type Unit, type Writing } from './units.js';
import { attrOf } from './words.js';

/** Where a textblock is written: a heading and a cell have one line. @internal */
export interface Line {
	readonly oneLine: boolean;
}

const PAIRED = { strong: '**', em: '*', strike: '~~', underline: '++' } as const;

/** The content of a textblock as Markdown. @internal */
export function writeInline(block: Node, writing: Writing, line: Line): string {
	const units = unitsOf(block.content, writing);
	const writer = new InlineWriter(units, writing, line, '');
	const text = writer.write();
	if (!writer.touching || readsBack(text, block, writing)) return text;
	// Two signs that touch were taken for another one: a comment of the house keeps them apart.
	return new InlineWriter(units, writing, line, NOTHING).write();
}

function readsBack(text: string, block: Node, { vocabulary }: Writing): boolean {
	const plain = { vocabulary, provenance: false };
	const placeholders = new Placeholders(vocabulary, block);
	try {
		const read = new InlineReader(
			{ vocabulary, placeholders, offers: () => '', steps: 0 },
			text,
			1,
			block.type
		).read();
		return sameUnits(unitsOf(read, plain), unitsOf(block.content, plain));
	} catch (error) {
		if (error instanceof Refusing) return false;
		throw error;
	}
}

class InlineWriter {
	/** Whether two signs stand side by side anywhere. */
	touching = false;
	readonly #units: readonly Unit[];
	readonly #writing: Writing;
	readonly #line: Line;
	readonly #between: string;
	/** For each unit, how many units on each of its signs still stands. */
	readonly #reach: readonly ReadonlyMap<string, number>[];
	#out = '';
	#lineStart = true;
	#signLast: 'opening' | 'closing' | undefined;
	#stack: Sign[] = [];

	constructor(units: readonly Unit[], writing: Writing, line: Line, between: string) {
		this.#units = units;
		this.#writing = writing;
		this.#line = line;
		this.#between = between;
		const reach: ReadonlyMap<string, number>[] = [];
		for (let at = units.length - 1; at >= 0; at--) {
			const next = reach[at + 1];
			reach[at] = new Map(units[at]!.signs.map(({ key }) => [key, 1 + (next?.get(key) ?? 0)]));
		}
		this.#reach = reach;
	}

	write(): string {
		this.#units.forEach((unit, at) => {
			this.#change(unit.signs, at);
			this.#unit(unit, this.#units[at + 1]);
		});
		this.#change([], this.#units.length);
		return this.#out;
	}

	/** Closes what no longer stands, with what was opened inside it, and opens the rest: what reaches farthest first. */
	#change(signs: readonly Sign[], at: number): void {
		const gone = this.#stack.findIndex(({ key }) => !signs.some((sign) => sign.key === key));
		if (gone !== -1)
			for (const sign of this.#stack.splice(gone).reverse()) this.#put(ending(sign), 'closing');
		const reach = this.#reach[at];
		const missing = signs.filter(({ key }) => !this.#stack.some((sign) => sign.key === key));
		missing.sort((one, other) => rank(one) - rank(other) || reach!.get(other.key)! - reach!.get(one.key)!);
		for (const sign of missing) {
			this.#put(beginning(sign), 'opening');
			this.#stack.push(sign);
		}
	}

	#put(sign: string, way: 'opening' | 'closing'): void {
		if (this.#signLast) {
			this.touching = true;
			this.#out += this.#between;
		}
		this.#out += sign;
		this.#signLast = way;
	}

	#unit(unit: Unit, next: Unit | undefined): void {
		const closing =
			next === undefined || !unit.signs.every(({ key }) => next.signs.some((one) => one.key === key));
		const place: Place = {
			lineStart: this.#lineStart && !this.#line.oneLine,
			guardStart: this.#lineStart || this.#signLast === 'opening',
			guardEnd: closing,
			inLink: this.#stack.some(({ word }) => word === 'link'),
			underline: this.#writing.vocabulary.marks.underline !== undefined
		};
		const broken = unit.kind === 'break' && !this.#line.oneLine && !closing;
		this.#out += broken ? '\\\n' : spoken(unit, place);
		this.#lineStart = broken;
		this.#signLast = undefined;
	}
}

/** Authorship goes round everything, so that a comment never stands inside the two halves of a shorter sign. */
const rank = ({ word }: Sign): number => (word === 'agent' ? 0 : 1);

function beginning({ word, mark }: Sign): string {
	if (word === 'agent') return `<!-- ${authorship(mark.attrs)} -->`;
	return word === 'link' ? '[' : PAIRED[word as keyof typeof PAIRED];
}

function ending({ word, mark }: Sign): string {
	if (word === 'agent') return '<!-- /agent -->';
	if (word !== 'link') return PAIRED[word as keyof typeof PAIRED];
	return `]${target(mark.attrs.href as string, mark.attrs.title)}`;
}

const FIELD = 60;

/** Who wrote it, in a form that no comment is ended by. @internal */
export function authorship({ agent, run, version, at }: Readonly<Record<string, unknown>>): string {
	const field = (value: unknown): string =>
		encodeURIComponent(String(value ?? '').toWellFormed())
			.replaceAll('--', '%2D%2D')
			.slice(0, FIELD);
	const rest = Object.entries({ run, version, at }).filter(
		([, value]) => value !== null && value !== undefined
	);
	return [`agent:${field(agent)}`, ...rest.map(([name, value]) => `${name}:${field(value)}`)].join(' ');
}

function spoken({ kind, text, node }: Unit, place: Place): string {
	switch (kind) {
		case 'code':
			return codeSpan(text);
		case 'break':
			return BREAK;
		case 'image':
			return image(node, place);
		case 'placeholder':
			return text;
		case 'text':
			return escaped(text, place);
	}
}

/** @internal */
export function image(node: Node, place: Pick<Place, 'underline'>): string {
	const alt = attrOf(node.type, 'alt');
	const words = String((alt && (node.attrs[alt] as unknown)) ?? '');
	const plain = {
		lineStart: false,
		guardStart: false,
		guardEnd: false,
		inLink: true,
		underline: place.underline
	};
	return `![${escaped(words, plain)}]${target(String(node.attrs.src), node.attrs.title)}`;
}

function codeSpan(text: string): string {
	const plain = text.replace(/[\n\r]/g, ' ');
	const runs = new Set(Array.from(plain.matchAll(/`+/g), ([run]) => run.length));
	let size = 1;
	while (runs.has(size)) size++;
	const ticks = '`'.repeat(size);
	const spaced = plain.startsWith(' ') && plain.endsWith(' ') && /[^ ]/.test(plain);
	const pad = spaced || plain.startsWith('`') || plain.endsWith('`') ? ' ' : '';
	return ticks + pad + plain + pad + ticks;
}
