import type { JournalRecord } from '../protocol/records.js';
import type { JSONValue } from '../protocol/words.js';
import { canonicalJSON } from '../protocol/canonical-json.js';
import { restore } from './stored.js';

/** What differs from one telling of the same story to the next. */
const PASSING = new Set([
	'afterAt',
	'contract',
	'digest',
	'echo',
	'expires',
	'expiresAt',
	'fingerprint',
	'manifest',
	'nonce',
	'retryAt',
	'usage'
]);

/**
 * A journal as comparable text: without times, hashes, digests, usage, echo and wire ids (calls are numbered instead). Two
 * runs of one story under deterministic ports give equal text, over transports too.
 * @param blobs payloads, where the journal was read from a store or a snapshot
 * @returns one line of canonical JSON a record
 * @since 0.1.0
 */
export function canonical(
	journal: readonly JournalRecord[],
	blobs?: Readonly<Record<string, JSONValue>>
): string {
	const whole = blobs ? restore(journal, blobs) : journal;
	const wire = new Map<string, string>();
	for (const { kind, data } of whole)
		if (kind === 'turn.closed')
			for (const call of (data as { calls: readonly { id: string }[] }).calls)
				if (!wire.has(call.id)) wire.set(call.id, `call-${wire.size + 1}`);
	const plain = (value: JSONValue, key: string): JSONValue => {
		if (typeof value === 'string') return key === 'call' || key === 'id' ? (wire.get(value) ?? value) : value;
		if (typeof value !== 'object' || value === null) return value;
		if (Array.isArray(value)) return value.map((item) => plain(item as JSONValue, key));
		return Object.fromEntries(
			Object.entries(value)
				.filter(([name]) => !PASSING.has(name))
				.map(([name, item]) => [name, plain(item, name)])
		);
	};
	return whole
		.map(({ run, seq, kind, by, revision, cause, data }) =>
			canonicalJSON({
				run,
				seq,
				kind,
				by: by as unknown as JSONValue,
				revision,
				...(cause === undefined ? {} : { cause }),
				data: plain(data, '')
			})
		)
		.join('\n');
}
