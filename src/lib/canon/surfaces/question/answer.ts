import type { JSONValue } from '../../../agent/protocol/words.js';
import { nameIn, type Language, type QuestionWords } from '../../../langs/index.js';
import { ownOf, valueOf, type Entry } from '../field/field.js';
import type { Entries } from './desk.svelte.js';
import type { QuestionField } from './fields.js';

export type { Entry } from '../field/field.js';

/** Either the whole answer, or what is wrong with it, by key of the field. */
export type Collected =
	{ ok: true; value: JSONValue } | { ok: false; issues: readonly { path: string; message: string }[] };

/** What stands in a field before anybody touched it: its default, else nothing. */
export function startOf(field: QuestionField): Entry {
	const { initial, kind, choices } = field;
	if (kind === 'yes-no') return initial === true;
	if (kind === 'some-of') {
		const chosen = Array.isArray(initial) ? initial : [];
		return choices.flatMap((choice, index) => (chosen.some((one) => same(one, choice.value)) ? [index] : []));
	}
	if (initial === undefined) return '';
	if (kind === 'one-of') {
		const at = choices.findIndex((choice) => same(choice.value, initial));
		return at < 0 ? '' : String(at);
	}
	return kind === 'json' ? JSON.stringify(initial, null, 2) : String(initial);
}

/**
 * Makes the answer of what was entered. What a form can tell is told here, in the language of the page; whether it fits the
 * schema is for the engine to say. A field left empty is absent from the answer.
 */
export function collect(
	fields: readonly QuestionField[],
	entries: Entries,
	lang: Pick<Language, 'quote' | 'question'>
): Collected {
	const words = lang.question;
	const issues: { path: string; message: string }[] = [];
	const values: [string, JSONValue][] = [];
	for (const field of fields) {
		const read = readOf(field, ownOf(entries, field.key) ?? startOf(field), words);
		if ('message' in read) issues.push({ path: field.key, message: read.message });
		else if (read.value !== undefined) {
			const message = faultOf(field, read.value, words);
			if (message === undefined) values.push([field.key, read.value]);
			else issues.push({ path: field.key, message });
		} else if (field.required)
			issues.push({ path: field.key, message: words.missing(nameIn(lang, field.label)) });
	}
	if (issues.length > 0) return { ok: false, issues };
	const [first] = values;
	if (fields.length === 1 && fields[0]?.key === '') return { ok: true, value: first?.[1] ?? '' };
	return { ok: true, value: Object.fromEntries(values) };
}

function readOf(
	field: QuestionField,
	entry: Entry,
	words: QuestionWords
): { value: JSONValue | undefined } | { message: string } {
	const { kind, required, choices, input } = field;
	if (typeof entry === 'boolean') return { value: entry };
	if (typeof entry !== 'string')
		return { value: entry.length === 0 && !required ? undefined : chosen(field, entry) };
	if (entry.trim() === '') return { value: undefined };
	if (kind === 'one-of') return { value: choices[Number(entry)]?.value };
	const value = valueOf(kind, entry);
	if (value === undefined) return { message: kind === 'json' ? words.json : words.number };
	if (kind === 'whole' && !Number.isInteger(value)) return { message: words.whole };
	// A local date and time is meant in the person's own zone; the wire form names it.
	const isLocal = input === 'datetime-local' && !Number.isNaN(Date.parse(entry));
	return { value: isLocal ? new Date(entry).toISOString() : value };
}

/** What is wrong with a value, and what would be right. */
function faultOf(field: QuestionField, value: JSONValue, { fault }: QuestionWords): string | undefined {
	const { min, max, minLength, maxLength, fewest, most, input } = field;
	if (typeof value === 'number') {
		if (min !== undefined && value < min) return fault.least(min);
		if (max !== undefined && value > max) return fault.most(max);
	} else if (Array.isArray(value)) {
		if (fewest !== undefined && value.length < fewest) return fault.fewest(fewest);
		if (most !== undefined && value.length > most) return fault.mostChoices(most);
	} else if (typeof value === 'string') {
		if (minLength !== undefined && value.length < minLength) return fault.shortest(minLength);
		if (maxLength !== undefined && value.length > maxLength) return fault.longest(maxLength);
		if (input === 'email' && !/^[^@\s]+@[^@\s]+$/.test(value)) return fault.email;
		if (input === 'url' && !URL.canParse(value)) return fault.url;
	}
	return undefined;
}

const chosen = (field: QuestionField, places: readonly number[]): JSONValue =>
	places.flatMap((place) => field.choices[place]?.value ?? []);

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
