import { type Label, labelled } from '../../../../agent/capability/index.js';
import type { DocumentProvider } from '../document.provider.js';
import type { OriginRange } from '../origins/index.js';

type Known = Pick<Label, 'integrity' | 'confidentiality' | 'origins'>;

const RANK = ['public', 'page', 'private'] as const;
const worse = (a: Known['confidentiality'], b: Known['confidentiality']) =>
	RANK.indexOf(b) > RANK.indexOf(a) ? b : a;

/** What led to the words of each run; of a run that is not here nobody knows. */
const labels = new WeakMap<DocumentProvider, Map<string, Known>>();

/** What a run's words are worth is what led to them, and it may write several times. @internal */
export function remember(document: DocumentProvider, run: string, label: Label): void {
	const known = labels.get(document) ?? new Map<string, Known>();
	labels.set(document, known);
	const before = known.get(run) ?? { integrity: 'trusted', confidentiality: 'public', origins: [] };
	known.set(run, {
		integrity: before.integrity === 'untrusted' ? 'untrusted' : label.integrity,
		confidentiality: worse(before.confidentiality, label.confidentiality),
		origins: [...new Set([...before.origins, ...label.origins])]
	});
}

/** A text with the label of where it comes from, unless the person typed all of it. @internal */
export function marked<T>(document: DocumentProvider, value: T, ranges: readonly OriginRange[]): T {
	let trusted = true;
	let confidentiality: Known['confidentiality'] = 'public';
	const origins = new Set<Known['origins'][number]>();
	for (const { origin, run } of ranges) {
		const known = origin === 'agent' && run !== undefined ? labels.get(document)?.get(run) : undefined;
		if (origin === 'imported' || (origin === 'agent' && known?.integrity !== 'trusted')) trusted = false;
		if (known) confidentiality = worse(confidentiality, known.confidentiality);
		for (const one of [origin, ...(known?.origins ?? [])]) origins.add(one);
	}
	if (origins.size === 0 || (origins.size === 1 && origins.has('user'))) return value;
	return labelled(value, {
		integrity: trusted ? 'trusted' : 'untrusted',
		origins: [...origins],
		...(confidentiality !== 'public' && { confidentiality })
	});
}
