import type { JournalRecord } from '../protocol/records.js';
import type { JSONValue } from '../protocol/words.js';
import { canonicalJSON } from '../protocol/canonical-json.js';
import { deepFreeze, isObject } from './copy.js';
import { sha256 } from '../protocol/sha256.js';

/** Payloads longer than this many characters of JSON are stored apart. */
const LARGE = 1024;

/** Fields that hold what people, models and components wrote, as opposed to what the engine decided. */
const PAYLOADS = new Set(
	'args after before content context echo fields goal keys leftOut preview proposed raw result text tools value'.split(
		' '
	)
);

/** Lists of values without labels of their own: they may be anybody's. */
const UNLABELLED = new Set(['bound', 'changes', 'touches']);

/** Payloads by digest. @since 0.1.0 */
export type Blobs = Record<string, JSONValue>;

/** The digest in a placeholder, if `value` is one. */
function placeholder(value: JSONValue): string | undefined {
	if (!isObject(value)) return undefined;
	const keys = Object.keys(value);
	if (keys.length !== 1) return undefined;
	const digest = value.$blob ?? value.$erased;
	return typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest) ? digest : undefined;
}

/** Placeholders that stand for payloads that are gone, as opposed to values of components that look alike. */
const gone = new WeakSet<object>();

const whole = new WeakSet<JournalRecord>();

/** Notes that a record holds its payloads itself: what looks like a placeholder in it is a value. @internal */
export function asWhole(record: JournalRecord): JournalRecord {
	whole.add(record);
	return record;
}

/** A journal with its payloads in place; of one that was read elsewhere, without any, they are gone. @internal */
export const wholeOf = (journal: readonly JournalRecord[]): JournalRecord[] =>
	journal.map((record) => (whole.has(record) ? record : restore([record], {})[0]!));

/** Does it stand for a payload that is gone? @internal */
export const isErased = (value: JSONValue): boolean =>
	typeof value === 'object' && value !== null && gone.has(value);

/**
 * The form in which a record is hashed and kept: payloads that are long or private stand as `{ $blob: digest }`, so that
 * they can be erased or redacted without breaking the chain.
 * @param out receives the payloads
 */
export function store(data: JSONValue, out?: Blobs, secret = false): JSONValue {
	if (typeof data !== 'object' || data === null) return data;
	if (Array.isArray(data)) {
		let list: JSONValue[] | undefined;
		for (let i = 0; i < data.length; i++) {
			const item = data[i] as JSONValue;
			const kept = store(item, out, secret);
			if (kept !== item) (list ??= [...(data as JSONValue[])])[i] = kept;
		}
		return list ?? data;
	}
	// A label stands beside what it describes; everything below it inherits.
	const { label } = data as { label?: JSONValue };
	const hidden = secret || (isObject(label) && label.confidentiality === 'private');
	let copy: Record<string, JSONValue> | undefined;
	for (const key of Object.keys(data)) {
		const value = (data as Record<string, JSONValue>)[key]!;
		if (typeof value !== 'object' && !PAYLOADS.has(key)) continue;
		const kept = PAYLOADS.has(key)
			? payload(value, out, hidden)
			: store(value, out, hidden || UNLABELLED.has(key));
		if (kept !== value) (copy ??= { ...(data as Record<string, JSONValue>) })[key] = kept;
	}
	return copy ?? data;
}

function payload(value: JSONValue, out: Blobs | undefined, hidden: boolean): JSONValue {
	if (isErased(value)) return { $blob: placeholder(value)! };
	if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
	if (!hidden && !isApart(value)) return value;
	const digest = digestOf(value);
	if (out) out[digest] = value;
	return { $blob: digest };
}

/** A payload that holds something like a placeholder goes apart too, so that no reader mistakes it for one. */
function isApart(value: JSONValue): boolean {
	const known = apart.get(value as object);
	if (known !== undefined) return known;
	const json = typeof value === 'string' ? value : JSON.stringify(value);
	const is = json.length > LARGE || /"\$(blob|erased)"/.test(json);
	// Looking for what could change costs as much as looking at something short.
	if (is && isFixed(value)) apart.set(value as object, is);
	return is;
}

/** Digest of a payload. One that can never change is hashed once, however many records hold it. */
export function digestOf(value: JSONValue): string {
	const known = digests.get(value as object);
	if (known !== undefined) return known;
	const digest = sha256(canonicalJSON(value));
	if (isFixed(value)) digests.set(value as object, digest);
	return digest;
}

const digests = new WeakMap<object, string>();
const apart = new WeakMap<object, boolean>();

/** Is it an object, and frozen through and through? */
function isFixed(value: JSONValue): boolean {
	const frozen = (part: JSONValue): boolean =>
		typeof part !== 'object' || part === null || (Object.isFrozen(part) && Object.values(part).every(frozen));
	return typeof value === 'object' && value !== null && frozen(value);
}

/** Puts payloads back; one whose blob is gone reads `{ $erased: digest }`. */
export function inflate(data: JSONValue, blobs: Readonly<Blobs>): JSONValue {
	if (Array.isArray(data)) return data.map((item) => inflate(item as JSONValue, blobs));
	if (!isObject(data)) return data;
	// Only where the store writes placeholders are there any; elsewhere such a thing is somebody's value.
	const back = (value: JSONValue) => {
		const digest = placeholder(value);
		if (digest === undefined) return value;
		if (Object.hasOwn(blobs, digest)) return blobs[digest]!;
		const erased = { $erased: digest };
		gone.add(erased);
		return erased;
	};
	return Object.fromEntries(
		Object.entries(data).map(([key, value]) => [key, PAYLOADS.has(key) ? back(value) : inflate(value, blobs)])
	);
}

/** The exact line the chain runs over. */
export const line = (record: Omit<JournalRecord, 'hash'>, out?: Blobs): string =>
	JSON.stringify([
		record.run,
		record.seq,
		record.at,
		record.kind,
		record.by,
		record.revision,
		record.cause ?? null,
		store(record.data, out),
		record.prev
	]);

/** Records in the form in which they are kept, with their payloads apart. */
export function deflate(journal: readonly JournalRecord[], blobs: Blobs): JournalRecord[] {
	return journal.map((record) => ({ ...record, data: store(record.data, blobs) }));
}

/** Records read from a store, with their payloads back in place. */
export function restore(
	journal: readonly JournalRecord[],
	blobs: Readonly<Record<string, JSONValue>>
): JournalRecord[] {
	return journal.map((record) => asWhole(deepFreeze({ ...record, data: inflate(record.data, blobs) })));
}
