import type { JournalRecord } from '../protocol/records.js';
import type { JSONValue } from '../protocol/words.js';
import { canonicalJSON } from '../protocol/canonical-json.js';
import { deepFreeze, isObject } from './copy.js';
import { sha256 } from '../protocol/sha256.js';

/** Payloads longer than this many characters of JSON are stored apart. */
const LARGE = 1000;

/** Fields that hold what people, models and components wrote, as opposed to what the engine decided. */
const PAYLOADS = new Set(
	'args after before content context echo fields goal keys leftOut preview proposed raw result sources text tools value'.split(
		' '
	)
);

/** Lists of values without labels of their own: they may be anybody's. */
const UNLABELLED = new Set(['bound', 'changes', 'touches']);

/** More sources of a label than this stand apart: they are the same in all records of a step. */
const FEW = 8;

/** What sources that are gone read. @internal */
export const ERASED = 'erased';

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

/** Digests of payloads that are gone, by what stands for them; a value of a component may look alike. */
const gone = new WeakMap<object, string>();

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
		if (typeof value !== 'object' && typeof value !== 'string') continue;
		const kept = PAYLOADS.has(key)
			? payload(value, out, key === 'sources' ? isLong(value) : hidden || isApart(value))
			: below(value, out, hidden || UNLABELLED.has(key));
		if (kept !== value) (copy ??= { ...(data as Record<string, JSONValue>) })[key] = kept;
	}
	return copy ?? data;
}

/** What labels are stored as: one that can never change stands in many records. */
const labels = new WeakMap<object, JSONValue>();

function below(value: JSONValue, out: Blobs | undefined, secret: boolean): JSONValue {
	// Whoever collects payloads is to have those of a label, too.
	const known = out ? undefined : labels.get(value as object);
	if (known !== undefined) return known;
	const kept = store(value, out, secret);
	if (kept !== value && isLabel(value)) labels.set(value as object, kept);
	return kept;
}

/** Is it a label and nothing else, for good? What is stored of it does not depend on where it stands. */
const isLabel = (value: JSONValue): boolean =>
	isObject(value) &&
	String(Object.keys(value)) === 'integrity,confidentiality,origins,sources' &&
	isFixed(value) &&
	[value.integrity, value.confidentiality].every((word) => typeof word === 'string') &&
	Array.isArray(value.origins) &&
	value.origins.every((word) => typeof word === 'string');

function payload(value: JSONValue, out: Blobs | undefined, isApart: boolean): JSONValue {
	const erased = gone.get(value as object);
	if (erased !== undefined) return { $blob: erased };
	if (!isApart || value === null || typeof value === 'boolean' || typeof value === 'number') return value;
	const digest = digestOf(value);
	if (out) out[digest] = value;
	return { $blob: digest };
}

/** Sources are names of places: no secret, however private what stands there. */
const isLong = (value: JSONValue): boolean => (Array.isArray(value) ? value.length > FEW : isApart(value));

/** A payload that holds something like a placeholder goes apart too, so that no reader mistakes it for one. */
function isApart(value: JSONValue): boolean {
	if (typeof value !== 'object' && typeof value !== 'string') return false;
	if (typeof value === 'string') return isLarge(value);
	return noted.get(value as object)?.apart ?? (hasLong(value) || isLarge(JSON.stringify(value)));
}

/** Is one text in it too long by itself? Then nobody has to write down all of it to know. */
const hasLong = (value: object | null): boolean => {
	for (const name in value) {
		const part = (value as Record<string, unknown>)[name];
		if (typeof part === 'string' && part.length > LARGE) return true;
	}
	return false;
};

const isLarge = (json: string): boolean => json.length > LARGE || /"\$(blob|erased)"/.test(json);

/** Digest of a payload. One that can never change is hashed once, however many records hold it. */
export function digestOf(value: JSONValue): string {
	const known = noted.get(value as object);
	if (known) return known.digest;
	const json = canonicalJSON(value);
	const digest = sha256(json);
	if (typeof value === 'object' && value !== null && isFixed(value))
		noted.set(value, { digest, apart: isLarge(json) });
	return digest;
}

// By payload, where it can never change.
const noted = new WeakMap<object, { digest: string; apart: boolean }>();

/** Can it never change: is it frozen through and through? @internal */
export const isFixed = (value: unknown): boolean =>
	typeof value !== 'object' ||
	value === null ||
	noted.has(value) ||
	(Object.isFrozen(value) && Object.values(value).every(isFixed));

/** Puts payloads back; one whose blob is gone reads `{ $erased: digest }`, and a list of sources `['erased']`. */
export function inflate(data: JSONValue, blobs: Readonly<Blobs>): JSONValue {
	if (Array.isArray(data)) return data.map((item) => inflate(item as JSONValue, blobs));
	if (!isObject(data)) return data;
	// Only where the store writes placeholders are there any; elsewhere such a thing is somebody's value.
	const back = (value: JSONValue, key: string): JSONValue => {
		const digest = placeholder(value);
		if (digest === undefined) return value;
		if (Object.hasOwn(blobs, digest)) return blobs[digest]!;
		// A label is joined and looked through whatever is gone of it.
		const erased = key === 'sources' ? [ERASED] : { $erased: digest };
		gone.set(erased, digest);
		return erased;
	};
	return Object.fromEntries(
		Object.entries(data).map(([key, value]) => [
			key,
			PAYLOADS.has(key) ? back(value, key) : inflate(value, blobs)
		])
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
