import type { JournalRecord } from '../protocol/records.js';

/** Digests of the payloads that stored records refer to. @since 0.1.0 */
export function digestsOf(records: readonly JournalRecord[]): Set<string> {
	const out = new Set<string>();
	for (const { data } of records)
		for (const [, digest] of JSON.stringify(data).matchAll(/"\$blob":"([0-9a-f]{64})"/g)) out.add(digest!);
	return out;
}
