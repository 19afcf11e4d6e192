import type { JournalRecord } from '../../agent/protocol/records.js';
import type { Label } from '../../agent/protocol/words.js';

/** What a read was worth each time that a run was shown it, by its address. */
export type Shown = ReadonlyMap<string, readonly Worth[]>;

interface Worth extends Pick<Label, 'integrity' | 'confidentiality'> {
	/** Something else led to what it holds: a run wrote it. */
	derived: boolean;
}

interface Showing {
	instance: string;
	read: string;
	key?: string;
	label: Label;
}

const RANK = ['public', 'page', 'private'];

/** Looks through what a run was shown. */
export function shownIn(journal: readonly JournalRecord[] = []): Shown {
	const all = new Map<string, Worth[]>();
	for (const { kind, data } of journal) {
		if (kind !== 'turn.opened') continue;
		for (const { instance, read, key, label } of (data as unknown as { shown: readonly Showing[] }).shown) {
			const name = key === undefined ? `${instance}.${read}` : `${instance}.${read}:${key}`;
			const address = instance.startsWith('attachment:') ? instance : name;
			const { integrity, confidentiality, sources } = label;
			const derived = sources.some((one) => one !== address && !one.startsWith(`${address}:`));
			all.set(address, [...(all.get(address) ?? []), { integrity, confidentiality, derived }]);
		}
	}
	return all;
}

/**
 * Of everything that stood in sight, what a reason is about: for taint what was not trusted, for what may go along the most
 * private; first what holds it of itself, then what a run wrote from that. What nobody knows of stays: rather one name too
 * many than the one that matters missing.
 */
export function tellingOf(code: string, sources: readonly string[], shown: Shown): readonly string[] {
	const known = (address: string) => shown.get(address) ?? shown.get(address.replace(/:.*/s, ''));
	const most = Math.max(
		...sources.flatMap((one) => known(one) ?? []).map((one) => RANK.indexOf(one.confidentiality))
	);
	const isAbout = ({ integrity, confidentiality }: Worth): boolean =>
		code === 'tainted' ? integrity === 'untrusted' : RANK.indexOf(confidentiality) === most;
	if (code !== 'tainted' && code !== 'protected') return sources;
	const ranks = sources.map((address) => {
		const about = known(address)?.filter(isAbout);
		return { address, about, rank: about?.every(({ derived }) => derived) ? 1 : 0 };
	});
	return [0, 1].flatMap((wanted) =>
		ranks.flatMap(({ address, about, rank }) => (rank === wanted && about?.length !== 0 ? [address] : []))
	);
}
