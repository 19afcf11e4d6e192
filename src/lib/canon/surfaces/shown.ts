import type { JournalRecord } from '../../agent/protocol/records.js';
import type { Label } from '../../agent/protocol/words.js';

/** What the reads were worth that a run was shown, by the addresses in their labels. */
export type Shown = ReadonlyMap<string, Pick<Label, 'integrity' | 'confidentiality'>>;

const RANK = ['public', 'page', 'private'];

/** Looks through what a run was shown; of what was shown more than once the worst. */
export function shownIn(journal: readonly JournalRecord[] = []): Shown {
	const worth = new Map<string, Pick<Label, 'integrity' | 'confidentiality'>>();
	for (const { kind, data } of journal) {
		if (kind !== 'turn.opened') continue;
		for (const { label } of (data as unknown as { shown: readonly { label: Label }[] }).shown)
			for (const source of label.sources) {
				const { integrity, confidentiality } = worth.get(source) ?? label;
				worth.set(source, {
					integrity: integrity === 'untrusted' ? integrity : label.integrity,
					confidentiality:
						RANK.indexOf(confidentiality) > RANK.indexOf(label.confidentiality)
							? confidentiality
							: label.confidentiality
				});
			}
	}
	return worth;
}

/**
 * Of everything that stood in sight, what a reason is about: for taint all but what is known to be trusted, for what may go
 * along the most private there is. What nobody knows of stays: rather one name too many than the one that matters missing.
 */
export function tellingOf(code: string, sources: readonly string[], shown: Shown): readonly string[] {
	if (code === 'tainted') return sources.filter((one) => shown.get(one)?.integrity !== 'trusted');
	if (code !== 'protected') return sources;
	const most = Math.max(...sources.map((one) => RANK.indexOf(shown.get(one)?.confidentiality ?? '')));
	return sources.filter((one) => {
		const known = shown.get(one);
		return known === undefined || RANK.indexOf(known.confidentiality) === most;
	});
}
