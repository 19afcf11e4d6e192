import { sha256 } from '../protocol/sha256.js';
import type { JSONValue } from '../protocol/words.js';
import { CLOSE, inert, OPEN } from './inert.js';

declare const brand: unique symbol;

/**
 * Text that cannot pass for a mark of the engine's own, nor for a control token by which a model tells one speaker from another.
 * Only this module makes it, and nothing else enters a request.
 * @since 0.1.0
 */
export type SanitisedText = string & { readonly [brand]: 'text' };

/** JSON of which every text, keys included, is {@link SanitisedText}. @since 0.1.0 */
export type SanitisedJSON = SanitisedText | number | boolean | null | SanitisedObject;
type SanitisedObject = object & JSONValue & { readonly [brand]: 'json' };

/**
 * What goes back to the wire that wrote it, byte for byte, and is never read as text here: a signed echo would not survive
 * a change. @internal
 */
export type Opaque = JSONValue & { readonly [brand]: 'opaque' };

/**
 * The model's copy of a foreign text: reserved signs and their look-alikes become plain brackets, the nonce loses its shape
 * however it is split, cased, widened or spelled with look-alikes, and control tokens of common models get a dot inside
 * (`<·|im_start|>`, `[·INST]`, `Human·:`). Invisible ASCII, turns of direction and rows of invisible signs are dropped. All other
 * signs stay, and applied twice it changes nothing more. The text itself is never stored in this form: people read the original.
 * @param nonces of the runs it may be shown in; `''` stands for none, as in the description of a tool
 * @since 0.1.0
 */
export function sanitise(text: string, ...nonces: readonly string[]): SanitisedText {
	// What was erased from a record is no text any more.
	if (typeof text !== 'string') return '(erased)' as SanitisedText;
	return inert(text, nonces.filter(Boolean).map(pattern)) as SanitisedText;
}

/** {@link sanitise} on one line, for places where a line break would begin something new. @since 0.1.0 */
export function sanitiseLine(text: string, ...nonces: readonly string[]): SanitisedText {
	const safe = sanitise(text, ...nonces);
	// White space alone is taken away here, so what comes out is as safe as what went in.
	return (BLANKS.test(safe) ? safe.replace(/[\s\p{Cc}]+/gu, ' ') : safe).trim() as SanitisedText;
}

const BLANKS = /[^\S ]|\p{Cc}| {2}/u;

/**
 * {@link sanitise} for every text in a value, keys too. What needs no change is the same object. Keys that would become one are
 * kept apart by a dot and a number, so nothing is lost.
 * @since 0.1.0
 */
export function sanitiseJSON(value: JSONValue, ...nonces: readonly string[]): SanitisedJSON {
	if (typeof value === 'string') return sanitise(value, ...nonces);
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) {
		const list = value.map((item: JSONValue) => sanitiseJSON(item, ...nonces));
		return (list.every((item, i) => item === value[i]) ? value : list) as SanitisedObject;
	}
	let same = true;
	const entries = new Map<string, SanitisedJSON>();
	const counts = new Map<string, number>();
	for (const [key, item] of Object.entries(value)) {
		const safe = sanitise(key, ...nonces);
		let count = counts.get(safe) ?? 0;
		let name: string = safe;
		while (entries.has(name)) name = `${safe}${DOT}${(count += 1)}`;
		counts.set(safe, count);
		const copy = sanitiseJSON(item, ...nonces);
		same &&= name === key && copy === item;
		entries.set(name, copy);
	}
	// An own key `__proto__` stays a key.
	return (same ? value : Object.fromEntries(entries)) as SanitisedObject;
}

/**
 * Raw text of arguments: what parses is cleaned as JSON, because a sign may hide in an escape; else as the text it is. What
 * needs no change stays as it was written, so that a provider finds its own words again.
 * @internal
 */
export function sanitiseRaw(raw: string, ...nonces: readonly string[]): SanitisedText {
	try {
		const value = JSON.parse(raw) as JSONValue;
		const safe = sanitiseJSON(value, ...nonces);
		return sanitise(safe === value ? raw : JSON.stringify(safe), ...nonces);
	} catch {
		return sanitise(raw, ...nonces);
	}
}

/**
 * The engine's own words: literals, with sanitised text, numbers and marks in their places. A plain string has no way in.
 * @internal
 */
export const own = (
	words: TemplateStringsArray,
	...parts: readonly (SanitisedText | number)[]
): SanitisedText => words.reduce((text, word, i) => `${text}${String(parts[i - 1])}${word}`) as SanitisedText;

/** The nonce as the engine's own word. @internal */
export const bare = (nonce: string): SanitisedText => sound(nonce) as SanitisedText;

/** A mark of the engine: the one thing that a sanitised text can never hold. @internal */
export const mark = (nonce: string, text: SanitisedText): SanitisedText =>
	own`${OPEN as SanitisedText}${bare(nonce)} ${text}${CLOSE as SanitisedText}`;

/**
 * A text with marks of the engine as it comes back out of a record. Marks that bear this nonce stay, and so does `head` where
 * the text begins with it; all else is sanitised again, which changes nothing in what was written here. Who can write the record
 * can write marks with its nonce into it as well: that is for the chain and its head to tell.
 * @internal
 */
export function marked(text: string, nonce: string, head: SanitisedText): SanitisedText {
	if (typeof text !== 'string') return sanitise(text);
	const [first, rest] = text.startsWith(head) ? [head, text.slice(head.length)] : [own``, text];
	const parts = rest.split(new RegExp(`${OPEN}${bare(nonce)} ([^${OPEN}${CLOSE}\\n]*)${CLOSE}`));
	return parts.reduce<SanitisedText>(
		(all, part, i) =>
			i % 2 === 0
				? own`${all}${sanitise(part, nonce)}`
				: own`${all}${mark(nonce, sanitiseLine(part, nonce))}`,
		first
	);
}

/** @internal */
export const opaque = (value: JSONValue): Opaque => value as Opaque;

/** Keeps two keys apart. */
const DOT = '\u00b7';

/**
 * A nonce that is none (a record may come from anywhere) would take words out of every text, or end its own mark: another
 * takes its place, the same for the same record.
 */
const sound = (nonce: string): string =>
	/^[0-9a-z]{4,32}$/i.test(nonce) ? nonce : sha256(String(nonce)).slice(0, 12);

// A thread assembles with a few nonces over and over; a pattern is a pure function of one.
const patterns = new Map<string, RegExp>();

function pattern(nonce: string): RegExp {
	let found = patterns.get(nonce);
	if (!found) {
		if (patterns.size > 15) patterns.clear();
		patterns.set(nonce, (found = new RegExp(sound(nonce), 'gi')));
	}
	return found;
}
