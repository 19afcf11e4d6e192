import type { JSONValue, Reason } from '../../../agent/protocol/words.js';
import type { Change, Step } from '../../../agent/protocol/run-state.js';
import { nameIn, sourceNames, type Language } from '../../../langs/index.js';
import { tellingOf, type Shown } from '../shown.js';
import { fieldName } from './argument-fields.js';
import { textIn } from './values.js';

/** A sentence with its most telling words set apart. */
export interface Sentence {
	before: string;
	strong: string;
	after: string;
}

/** How ids become words for people. */
export interface ReviewNaming {
	/** An instance as it may stand in a sentence; by its id where nobody knows its label. */
	label(instance: string): string;
	/** What a step does: "Set **Amount** in Invoice". */
	sentence(step: Step): Sentence;
	/** The same as one text. */
	plain(step: Step): string;
	/** Where a value came from, by the addresses in its label, each instance once; of many the first, and how many more. */
	sources(addresses: readonly string[]): readonly string[];
	/** The same for what a reason is about, of all that stood in sight. */
	telling(code: string, addresses: readonly string[]): readonly string[];
}

/** More fields than this are counted, not listed. */
const LISTED = 3;

/**
 * Makes {@link ReviewNaming} of a language, names fit for its sentences, steps whose previews know the labels of fields, and what the run was shown.
 */
export function createNaming(
	lang: Language,
	label: (instance: string) => string,
	steps: readonly Step[] = [],
	shown: () => Shown = () => new Map()
): ReviewNaming {
	const words = lang.reviewCard;

	function sentence(step: Step): Sentence {
		const where = label(step.instance);
		const preview = step.preview;
		// A submission shows its fields and changes none of them: it is named by what it does.
		if (preview?.kind === 'fields' && preview.fields.some(isChange)) {
			const names = preview.fields.filter(isChange).map((field) => nameIn(lang, field.label));
			return words.setFields(names.length > LISTED ? [words.fields(names.length)] : names, where);
		}
		if (preview?.kind === 'text') return words.rewrite(where, preview.before === '', preview.after === '');
		return words.does(nameIn(lang, fieldName(step.act)), where);
	}

	const sources = (addresses: readonly string[]): readonly string[] => {
		const all = sourceNames(addresses, lang, label, (of, key) => labelOfKey(steps, of, key));
		return all.length < 3 ? all : [words.more(all[0]!, all.length - 1)];
	};

	return {
		label,
		sentence,
		plain: (step) => {
			const { before, strong, after } = sentence(step);
			return before + strong + after;
		},
		sources,
		telling: (code, addresses) => sources(tellingOf(code, addresses, shown()))
	};
}

/** Why a step was not done. */
export const whyNot = ({ status, reasons }: Step): Reason =>
	(status === 'unknown' ? undefined : reasons.at(-1)) ?? { code: status, text: '' };

/** Would the field hold something else afterwards? */
export const isChange = ({ before, after }: { before: JSONValue; after: JSONValue }): boolean =>
	JSON.stringify(before) !== JSON.stringify(after);

function labelOfKey(steps: readonly Step[], instance: string, key: string | undefined): string | undefined {
	for (const { instance: at, preview } of steps) {
		const known =
			at === instance && preview?.kind === 'fields' && preview.fields.find(({ path }) => path === key);
		if (known) return known.label;
	}
	return undefined;
}

/** What moved, by the label the card shows for it. */
export function nameOfChange(
	{ instance, read, key, before, after }: Change,
	{ steps, naming, lang }: { steps: readonly { step: Step }[]; naming: ReviewNaming; lang: Language }
): string {
	const known = labelOfKey(
		steps.map(({ step }) => step),
		instance,
		key
	);
	if (known !== undefined) return nameIn(lang, known);
	// A text is named by what it stands in: its key is for machines.
	if (textIn(after) !== undefined || textIn(before) !== undefined) return naming.label(instance);
	const name = nameIn(lang, fieldName(key ?? read));
	return key === undefined ? `${naming.label(instance)}: ${name}` : name;
}
