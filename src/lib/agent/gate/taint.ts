import { namesIn } from '../capability/exact.js';
import type { Said } from '../journal/memory.js';
import { CLEAN, exceeds, from, join } from '../protocol/labels.js';
import type { Effect, JSONValue, Label, Reach } from '../protocol/words.js';

/** Shorter text is found by chance. */
const VERBATIM = 3;

/** What the arguments of a call are judged by. @since 0.1.0 */
export interface Grounds {
	/** Label of everything the run was shown: of all that led to the decision to act. */
	control: Label;
	/** What people said in this run. */
	words: readonly Said[];
	/** JSON Schema of the arguments. */
	schema: Record<string, unknown>;
}

/**
 * Label of one leaf: the person's, where it stands verbatim in what the person said, else that of everything the run was shown,
 * because nobody can know where a model took it from.
 */
const leafLabel = (leaf: JSONValue, { control, words }: Grounds): Label => {
	const text = typeof leaf === 'string' ? leaf : JSON.stringify(leaf);
	const said =
		text.length >= VERBATIM && words.some((word) => stands(text, word.text) && !repeats(text, word.offered));
	return said ? from('user') : control;
};

/** Did the question say it first? Who copies it, or picks it, may have seen something else. */
const repeats = (text: string, offered = ''): boolean =>
	offered.toLowerCase().includes(JSON.stringify(text).slice(1, -1).toLowerCase());

/** Letters and digits that go on where a word does; signs alone end it. */
const GOES_ON = /^[.\-_@:/%&=?#+~]*[a-z0-9\u00c0-\u024f\u0370-\u052f]/i;
const GOES_ON_BEFORE = /[a-z0-9\u00c0-\u024f\u0370-\u052f][.\-_@/%&~]*$/i;
const ENDS = /[a-z0-9\u00c0-\u024f\u0370-\u052f]/i;

/** Does it stand there as a whole? The beginning of an address is another address. */
function stands(text: string, word: string): boolean {
	for (let at = word.indexOf(text); at >= 0; at = word.indexOf(text, at + 1)) {
		const cut = ENDS.test(text[0]!) && GOES_ON_BEFORE.test(word.slice(Math.max(0, at - 8), at));
		const end = at + text.length;
		if (!cut && !GOES_ON.test(word.slice(end, end + 8))) return true;
	}
	return false;
}

const names = new WeakMap<object, ReadonlySet<string>>();

/** A member with its name, which is a leaf too where no schema gives it. */
function memberLabel(name: string, value: JSONValue, grounds: Grounds): Label {
	const { schema } = grounds;
	let given = names.get(schema);
	if (!given) names.set(schema, (given = new Set(namesIn(schema))));
	const label = valueLabel(value, grounds);
	return given.has(name) ? label : join(label, leafLabel(name, grounds));
}

/** Everything of it that a model chose: that there is nothing in it, as well. */
function valueLabel(value: JSONValue, grounds: Grounds): Label {
	if (typeof value === 'string' || typeof value === 'number') return leafLabel(value, grounds);
	if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return grounds.control;
	return argsLabel(value, grounds);
}

/**
 * Join over all of the arguments that a model chose: their leaves, and the names among them that no schema gives.
 * @since 0.1.0
 */
export const argsLabel = (args: JSONValue, grounds: Grounds): Label =>
	typeof args !== 'object' || args === null
		? valueLabel(args, grounds)
		: Object.entries(args).reduce<Label>(
				(label, [name, part]) =>
					join(
						label,
						Array.isArray(args)
							? valueLabel(part as JSONValue, grounds)
							: memberLabel(name, part as JSONValue, grounds)
					),
				CLEAN
			);

/**
 * Where each argument may have come from, by name: its sources, or its origins where it has none (`user`, for what the person
 * said).
 * @since 0.1.0
 */
export const argSources = (args: JSONValue, grounds: Grounds): Readonly<Record<string, readonly string[]>> =>
	Object.fromEntries(
		Object.entries(args as Record<string, JSONValue>).map(([name, arg]) => {
			const { sources, origins } = memberLabel(name, arg, grounds);
			return [name, sources.length > 0 ? sources : origins];
		})
	);

/** What decides whether a step is protected. @since 0.1.0 */
export interface Exposure extends Grounds {
	effect: Effect;
	reach: Reach;
	clearance: Label['confidentiality'];
	sinks: Readonly<Record<string, 'url' | 'markup' | 'code'>>;
	args: JSONValue;
	/** Label of the arguments. */
	label: Label;
}

/** Would more leave with the step than its target may know? @since 0.1.0 */
export const leaks = ({
	label,
	control,
	clearance
}: Pick<Exposure, 'label' | 'control' | 'clearance'>): boolean =>
	exceeds(join(label, control).confidentiality, clearance);

/**
 * Does the step reach beyond what one undo of the run takes back, or carry something where it may not go? One without effect
 * does so only where it communicates under the word of a stranger: where it declares that it goes beyond the page and would
 * carry what its target may not know or an address nobody here wrote, or takes private knowledge to such an address.
 * @see Meta's "Rule of Two" (2025) for untrusted input, private data and outward effect as one predicate
 * @since 0.1.0
 */
export function isProtected(step: Exposure): boolean {
	const { effect, reach, sinks } = step;
	const args = step.args as Record<string, JSONValue>;
	const ends = (only?: string): boolean =>
		Object.keys(sinks).some(
			(name) =>
				(only ?? sinks[name]) === sinks[name] &&
				Object.hasOwn(args, name) &&
				valueLabel(args[name]!, step).integrity === 'untrusted'
		);
	// It changes nothing, but asking a server tells it something.
	if (effect === 'none') {
		const { integrity, confidentiality } = join(step.label, step.control);
		const outward = reach !== 'page' && (leaks(step) || ends('url'));
		return integrity === 'untrusted' && (outward || (confidentiality === 'private' && ends('url')));
	}
	return effect === 'irreversible' || reach !== 'page' || leaks(step) || ends();
}
