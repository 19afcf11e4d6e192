import { nameLabel } from '../capability/naming.js';
import { isEnabled, readsOf, shownKeys } from '../capability/reading.js';
import type { Entry } from '../capability/registry.js';
import { availability } from '../gate/look.js';
import { compact } from '../journal/compact.js';
import { reason } from '../protocol/codes.js';
import { CLEAN, join } from '../protocol/labels.js';
import type { JSONValue, Label, Reason } from '../protocol/words.js';
import type { Conductor } from './conductor.js';
import { tooLarge } from './tools.js';

/** Characters of a long value in one answer. */
const CAP = 4000;
/** Instances in one answer. */
const PAGE = 40;

/** What the model wants to see. @internal */
export interface Wanted {
	instance?: string;
	read?: string;
	key?: string;
	from?: number;
	find?: string;
}

/** An answer of the page's own: what there is, and whose names it tells. @internal */
export interface Answer {
	content: JSONValue;
	label: Label;
}

/** What a `pull` asks for, if it asks for something. @internal */
export function wantedBy(args: Readonly<Record<string, JSONValue>>): Wanted | Reason {
	const { instance, read, key, from, find } = args;
	const text = (value: JSONValue | undefined) => value === undefined || typeof value === 'string';
	const fits =
		[instance, read, key, find].every(text) &&
		(from === undefined || (Number.isSafeInteger(from) && (from as number) >= 0)) &&
		(read === undefined ? key === undefined : instance !== undefined);
	return fits
		? (compact({ instance, read, key, from, find }) as Wanted)
		: reason('args-invalid', 'pull needs {instance, read?, key?, from?} or {find?, from?}.');
}

/** Instances by part of their id or name, as many as one looks through, and how to go on. @internal */
export function found({ core, fold }: Conductor, { find = '', from = 0 }: Wanted): Answer {
	const word = find.toLowerCase();
	const all = core.registry
		.entries()
		.filter(({ id, label }) => fold.covers(id) && `${id}\n${label}`.toLowerCase().includes(word));
	const page = all.slice(from, from + PAGE);
	const next = from + PAGE < all.length ? from + PAGE : undefined;
	const instances = page.map(({ id, label, kind, parent }) => compact({ id, label, kind, parent }));
	return { content: compact({ instances, count: all.length, next }) as JSONValue, label: namesOf(page) };
}

/** What can be read and done in one instance. @internal */
export function overview({ core, fold }: Conductor, instance: string): Answer | Reason {
	const entry = core.registry.entry(instance);
	if (!entry) return reason('unknown-instance', `No instance "${instance}" is mounted.`);
	if (!fold.covers(instance)) return reason('scope');
	const { id, label, kind, parent, manifest } = entry;
	const provider = entry.provider();
	const reads = readsOf(manifest).flatMap(([read, declared]) => {
		const verdict = core.consent(fold, entry, read);
		if (verdict === 'deny') return [];
		const on = provider !== undefined && isEnabled(declared, provider);
		const needs = verdict === 'ask' ? 'consent' : undefined;
		return [compact({ read, about: declared.description, needs, off: on ? undefined : true })];
	});
	const acts = [...entry.acts.values()].map((act) => {
		const free = provider !== undefined && availability(act, provider) === true;
		return compact({ act: act.name, about: act.act.description, off: free ? undefined : true });
	});
	const inside = core.registry.entries().filter((one) => one.parent === id && fold.covers(one.id));
	const few = inside.slice(0, PAGE);
	return {
		content: compact({
			instance: id,
			label,
			kind,
			about: manifest.description,
			parent,
			reads,
			acts,
			note: tooLarge(core, entry),
			inside: few.length > 0 ? few.map((one) => one.id) : undefined,
			more: inside.length > PAGE ? inside.length - PAGE : undefined
		}) as JSONValue,
		label: namesOf([entry, ...few])
	};
}

/**
 * A value as an answer may carry it. One that is too long is never cut without a way on: its keys are told where it has some,
 * else a part of its text and where the next begins. @internal
 */
export function partOf(
	value: JSONValue,
	entry: Entry | undefined,
	{ read, key, from }: Wanted
): { value: JSONValue } | Reason {
	const json = JSON.stringify(value);
	if (from === undefined && json.length <= CAP) return { value };
	const keys = from === undefined && key === undefined && entry ? shownKeys(entry, read!) : undefined;
	if (keys && keys.length > 0) {
		let room = CAP;
		const few = keys.filter((one) => (room -= one.length + 3) > 0);
		const how = 'Too long: pull one with "key", or the text of the whole with "from".';
		return { value: { keys: few, count: keys.length, length: json.length, how } };
	}
	const text = typeof value === 'string' ? value : json;
	const start = from ?? 0;
	if (start > text.length) return reason('args-invalid', `It has ${text.length} characters.`);
	// No half of a surrogate pair, at either end.
	const low = (at: number) =>
		/[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
	const begin = low(start) ? start - 1 : start;
	const end = low(begin + CAP) ? begin + CAP - 1 : Math.min(begin + CAP, text.length);
	return {
		value: compact({
			text: text.slice(begin, end),
			from: begin,
			length: text.length,
			next: end < text.length ? end : undefined
		}) as JSONValue
	};
}

const namesOf = (entries: readonly Entry[]): Label =>
	entries.reduce<Label>((label, entry) => join(label, nameLabel(entry)), CLEAN);
