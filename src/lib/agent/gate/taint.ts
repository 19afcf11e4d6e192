import { CLEAN, exceeds, from, join } from '../protocol/labels.js';
import type { Effect, JSONValue, Label, Reach } from '../protocol/words.js';

/** Shorter text is found by chance. */
const VERBATIM = 3;

/**
 * Label of one argument leaf: the person's, where it stands verbatim in what the person said, else that of everything the
 * run was shown, because nobody can know where a model took it from.
 */
const leafLabel = (leaf: JSONValue, shown: Label, words: readonly string[]): Label => {
	const text = typeof leaf === 'string' ? leaf : JSON.stringify(leaf);
	const said = text.length >= VERBATIM && words.some((word) => word.includes(text));
	return said ? from('user') : shown;
};

/**
 * Join over the leaves of the arguments.
 * @param words what the person said in this run
 * @since 0.1.0
 */
export function argsLabel(args: JSONValue, shown: Label, words: readonly string[]): Label {
	if (typeof args !== 'object' || args === null)
		return args === null || typeof args === 'boolean' ? shown : leafLabel(args, shown, words);
	const parts = Object.values(args as Record<string, JSONValue>);
	if (parts.length === 0) return CLEAN;
	return parts.reduce<Label>((label, part) => join(label, argsLabel(part, shown, words)), CLEAN);
}

/** What decides whether a step is protected. @since 0.1.0 */
export interface Exposure {
	effect: Effect;
	reach: Reach;
	clearance: Label['confidentiality'];
	sinks: Readonly<Record<string, 'url' | 'markup' | 'code'>>;
	args: JSONValue;
	/** Label of the arguments. */
	label: Label;
	/** Label of all that led to the decision to act. */
	control: Label;
	words: readonly string[];
}

/** Would more leave with the step than its target may know? @since 0.1.0 */
export const leaks = ({
	label,
	control,
	clearance
}: Pick<Exposure, 'label' | 'control' | 'clearance'>): boolean =>
	exceeds(join(label, control).confidentiality, clearance);

/**
 * Does the step reach beyond what one undo of the run takes back, or carry something where it may not go?
 * @see Meta's "Rule of Two" (2025) for untrusted input, private data and outward effect as one predicate
 * @since 0.1.0
 */
export function isProtected(step: Exposure): boolean {
	if (step.effect === 'none') return false;
	if (step.effect === 'irreversible' || step.reach !== 'page') return true;
	if (leaks(step)) return true;
	const args = step.args as Record<string, JSONValue>;
	return Object.keys(step.sinks).some(
		(name) =>
			Object.hasOwn(args, name) && argsLabel(args[name]!, step.control, step.words).integrity === 'untrusted'
	);
}
