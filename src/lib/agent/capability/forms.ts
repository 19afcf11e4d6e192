import { join } from '../protocol/labels.js';
import type { JSONValue, Label } from '../protocol/words.js';
import { type Kept, keptValue } from './kept.js';
import type { AgentRead } from './manifest.js';
import { nameLabel } from './naming.js';
import { readAddress, shownKeys } from './reading.js';
import type { Entry } from './registry.js';
import { fence, type Fence } from './rendering.js';

/** One read as the model got it. @since 0.1.0 */
export interface Shown {
	instance: string;
	epoch: number;
	read: string;
	key?: string;
	version: string | number;
	/** What the value and the name it is shown under are worth; of a `line`, which shows no value, the name alone. */
	label: Label;
	form: 'full' | 'summary' | 'line';
	/** SHA-256 of the canonical JSON of the whole value; none for a `line`. */
	digest?: string;
	/** The whole value; absent for a `line`. */
	value?: JSONValue;
}

/** A part of a context. @internal */
export interface Piece {
	readonly text: string;
	readonly cost: number;
	readonly shown: Shown;
}

type Estimate = (text: string) => number;

/** What is the same of a read in every turn of a run. @internal */
export interface Face extends Fence {
	nonce: string;
	estimate: Estimate;
	/** Of `line`. */
	cost: number;
	name: Label;
}

// An entry is one registration: nothing of this changes while it lives.
const faces = new WeakMap<Entry, Map<string, Face>>();

/** How a read is announced. @internal */
export function faceOf(entry: Entry, read: string, nonce: string, estimate: Estimate): Face {
	const all = faces.get(entry) ?? new Map<string, Face>();
	const known = all.get(read);
	if (known?.nonce === nonce && known.estimate === estimate) return known;
	const { id, label, kind, parent, manifest } = entry;
	const inside = parent === undefined ? '' : ` in ${parent}`;
	const made = fence(
		nonce,
		readAddress(id, read),
		`${label} (${kind}${inside}): ${(manifest.reads as Record<string, AgentRead<unknown>>)[read]!.description}`
	);
	const face: Face = { ...made, nonce, estimate, cost: estimate(made.line), name: nameLabel(entry) };
	faces.set(entry, all.set(read, face));
	return face;
}

/** No tokenizer puts more characters into a token, text by text: what is longer need not be rendered to be found too long. */
const MOST_CHARACTERS = 16;
/** So many keys are named where the whole value is too long. */
const MOST_KEYS = 40;

/** The ways to show one value under one label. */
interface Forms {
	face: Face;
	label: Label;
	epoch: number;
	full?: Piece;
	short?: Piece | null;
	line: Piece;
}

/**
 * The best form of a read for this much room, else why there is none. Where not even its name fits, the value is not read.
 * @internal
 */
export function fit(
	entry: Entry,
	read: string,
	declared: AgentRead<unknown>,
	room: number,
	labelOf: (entry: Entry, read: string, declared: Label) => Label,
	face: Face
): Piece | string {
	if (face.cost > room) return 'budget';
	const kept = keptValue(entry, read);
	if ('ok' in kept) return kept.reason.code;
	const forms = formsOf(entry, read, kept, labelOf(entry, read, kept.label), face);
	const make = (form: 'full' | 'summary', body: string, ...notes: string[]): Piece => {
		const text = face.block(body, forms.label, `version ${kept.version}`, ...notes);
		const { line } = forms;
		const label = join(forms.label, face.name);
		const { digest, value } = kept;
		return { text, cost: face.estimate(text), shown: { ...line.shown, label, form, digest, value } };
	};
	if (kept.length <= room * MOST_CHARACTERS) {
		forms.full ??= make('full', JSON.stringify(kept.value));
		if (forms.full.cost <= room) return forms.full;
	}
	if (forms.short === undefined) {
		const short = summaryOf(declared, entry);
		const keys = short === undefined ? keysOf(entry, read) : undefined;
		if (short !== undefined) forms.short = make('summary', short, 'summary: pull for the whole');
		else if (keys) forms.short = make('summary', keys, 'only the keys: pull one with "key"');
		else forms.short = null;
	}
	return forms.short && forms.short.cost <= room ? forms.short : forms.line;
}

/** What was made of a value before, if it was made the same way. */
function formsOf(entry: Entry, read: string, kept: Kept, label: Label, face: Face): Forms {
	const known = kept.forms as Forms | undefined;
	const { epoch } = entry;
	if (known && known.face === face && known.label === label && known.epoch === epoch) return known;
	const { line: text, cost, name } = face;
	const { version } = kept;
	const shown: Shown = { instance: entry.id, epoch, read, version, label: name, form: 'line' };
	const made: Forms = { face, label, epoch, line: { text, cost, shown } };
	kept.forms = made;
	return made;
}

/** Longer ones sum nothing up. */
const LONGEST_SUMMARY = 4000;

function summaryOf(read: AgentRead<unknown>, entry: Entry): string | undefined {
	try {
		const text: unknown = read.summary?.(entry.provider());
		return typeof text === 'string' && text.length <= LONGEST_SUMMARY ? text : undefined;
	} catch {
		// A summary is a convenience: without one the keys are shown, or the line.
		return undefined;
	}
}

/** The keys of a value, as far as they can be named in short. */
function keysOf(entry: Entry, read: string): string | undefined {
	const keys = shownKeys(entry, read);
	if (!keys || keys.length === 0) return undefined;
	const text = JSON.stringify(keys.slice(0, MOST_KEYS));
	if (text.length > LONGEST_SUMMARY) return undefined;
	return keys.length > MOST_KEYS ? `${text} and ${keys.length - MOST_KEYS} more` : text;
}
