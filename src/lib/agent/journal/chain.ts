import type { JournalRecord, Violation } from '../protocol/records.js';
import type { JSONValue } from '../protocol/words.js';
import { isOver, transition } from '../run/transition.js';
import { deepFreeze } from './copy.js';
import { Fold } from './fold.js';
import { verbOf } from './kinds.js';
import { sha256 } from '../protocol/sha256.js';
import { asWhole, line, restore, wholeOf } from './stored.js';

/** What the first record of a run follows. */
export const GENESIS = '0'.repeat(64);

/** Closes a record with its place in the chain and freezes it: the record itself, which is nobody else's yet. */
export function seal(record: Omit<JournalRecord, 'hash'> & { hash?: string }): JournalRecord {
	// What can never change any more is hashed once.
	deepFreeze(record.data);
	deepFreeze(record.by);
	record.hash = sha256(line(record));
	return asWhole(Object.freeze(record as JournalRecord));
}

/** Records that may follow the end of a run. */
export const AFTERWARDS: ReadonlySet<string> = new Set([
	'effect.late',
	'effect.ruled',
	'run.undone',
	'run.redone'
]);

/**
 * Checks that a journal is whole and lawful: no gap, no altered record, no illegal move, nothing dispatched without a grant,
 * nothing but late outcomes after the end. With `head` (kept elsewhere by `onhead`) a cut tail is found too.
 * @returns one violation per finding, none for a sound journal
 * @since 0.1.0
 */
export function verify(
	journal: readonly JournalRecord[],
	options: { head?: string; blobs?: Readonly<Record<string, JSONValue>> } = {}
): readonly Violation[] {
	const found: Violation[] = [];
	const { blobs } = options;
	const whole = blobs ? restore(journal, blobs) : wholeOf(journal);
	const fold = new Fold();
	const granted = new Set<string>();
	let prev = GENESIS;
	let readable = true;
	whole.forEach((record, i) => {
		const { seq } = record;
		if (seq !== i) found.push({ law: 'record-missing', seq, text: `Record ${i} has the number ${seq}.` });
		if (record.prev !== prev)
			found.push({ law: 'record-missing', seq, text: `Record ${seq} does not follow the one before it.` });
		if (sha256(line(record)) !== record.hash)
			found.push({ law: 'record-altered', seq, text: `Record ${seq} is not the one that was written.` });
		prev = record.hash;
		if (!readable) return;
		const illegal = lawless(fold, granted, record);
		if (illegal) found.push({ law: 'record-illegal', seq, text: illegal });
		try {
			fold.apply(record);
		} catch {
			readable = false;
			found.push({ law: 'record-altered', seq, text: `Record ${seq} cannot be read.` });
		}
	});
	if (options.head !== undefined && options.head !== prev)
		found.push({ law: 'record-tail', text: 'The journal does not end where it ended.' });
	return found;
}

/** Why `record` may not follow what `fold` has seen. */
function lawless(fold: Fold, granted: Set<string>, record: JournalRecord): string | undefined {
	if (record.seq > 0 && isOver(fold.state) && !AFTERWARDS.has(record.kind))
		return `Record ${record.seq} (${record.kind}) follows the end of the run.`;
	const verb = verbOf(record);
	if (verb && transition(fold.state, verb, fold) === 'illegal')
		return `Record ${record.seq} moves a run that is ${fold.state} by ${verb}.`;
	const data = record.data as { grants?: readonly { operation: string }[]; operation?: string };
	if (record.kind === 'grants.issued') data.grants?.forEach((grant) => granted.add(grant.operation));
	if (record.kind === 'effect.dispatched' && !granted.delete(data.operation ?? ''))
		return `Record ${record.seq} dispatches ${data.operation} without an unused grant.`;
	return undefined;
}
