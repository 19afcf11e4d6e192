import { digestsOf } from '../journal/digests.js';
import type { JournalStore } from '../protocol/ports.js';
import type { JournalRecord } from '../protocol/records.js';
import type { JSONValue } from '../protocol/words.js';
import { Held } from './locks/held.js';

/** @since 0.1.0 */
export interface IndexedDBStoreOptions {
	/** Of the database. Agents of one app may share it: each finds its own runs. @default 'activeuix-agent' */
	name?: string;
	/** @default the page's own */
	indexedDB?: IDBFactory;
	/** Who tells which tab holds a run. Without it every run is only followed. @default `navigator.locks` */
	locks?: LockManager;
}

/** What the database keeps of a run besides its records. */
interface RunRow {
	run: string;
	/** Number of the next record. */
	next: number;
	/** The highest fencing token given. */
	epoch: number;
	ended: boolean;
}

interface RecordRow {
	run: string;
	seq: number;
	/** As JSON: a structured clone keeps less of a journal than the hash is taken over. */
	line: string;
}

interface BlobRow {
	digest: string;
	/** As JSON; none once it is erased. */
	json?: string;
}

const VERSION = 1;
const END = 'run.ended';
const OPEN_MS = 10_000;

/** What a caller is told; the cause is the browser's own error. */
const unusable = (what: string, cause: unknown): Error =>
	new Error(`The journal cannot be ${what} in this browser: ${cureOf(cause)}`, { cause });

function cureOf(cause: unknown): string {
	const { name = '', message = '' } = (cause ?? {}) as Partial<DOMException>;
	if (name === 'QuotaExceededError') return 'its storage is full. Make room, or remove runs that have ended.';
	if (name === 'VersionError') return 'a newer version of the app wrote it. Load the page again.';
	if (name === 'InvalidStateError' || name === 'SecurityError' || name === 'UnknownError')
		return `it lets this page keep nothing, as in some private windows (${name}).`;
	return message || name || 'no reason given.';
}

const done = (transaction: IDBTransaction): Promise<void> =>
	new Promise((resolve, reject) => {
		transaction.oncomplete = () => resolve();
		transaction.onabort = () => reject(transaction.error ?? new DOMException('aborted', 'AbortError'));
	});

const value = <T>(request: IDBRequest<T>): Promise<T> =>
	new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});

/**
 * Journals in the browser's own database: they outlast a reload, a crash and the tab. A run is held by one tab at a time, as
 * the browser's locks tell; the others follow it. Each append is one transaction; one that has to outlast a power cut is
 * committed with strict durability.
 *
 * Errors are thrown with a sentence that names the cure; the engine then keeps what it has in memory, closes admission, and
 * asks the person (`store`).
 * @example
 * const ada = defineActiveAgent({ identity, transport, store: indexedDBStore() })
 * @since 0.1.0
 */
export function indexedDBStore(
	options: IndexedDBStoreOptions = {}
): JournalStore &
	Required<Pick<JournalStore, 'vacant' | 'erase' | 'remove' | 'list' | 'subscribe'>> & { close(): void } {
	const { name = 'activeuix-agent' } = options;
	const factory = options.indexedDB ?? globalThis.indexedDB;
	const locks = options.locks ?? globalThis.navigator?.locks;
	const held = locks && new Held(locks, name);
	let opening: Promise<IDBDatabase> | undefined;
	let channel: BroadcastChannel | undefined;
	const faults = new WeakMap<IDBTransaction, unknown>();
	const listeners = new Set<(run: string, seq: number) => void>();

	/** The database, opened anew where it was closed under us. */
	function open(): Promise<IDBDatabase> {
		return (opening ??= new Promise<IDBDatabase>((resolve, reject) => {
			if (!factory) return reject(new DOMException('there is no IndexedDB', 'InvalidStateError'));
			const request = factory.open(name, VERSION);
			// Another tab that runs an older version and does not let go, or a browser that never answers.
			let late = false;
			const timer = setTimeout(() => {
				late = true;
				reject(new Error('another tab of this app keeps it open. Close it or load it again.'));
			}, OPEN_MS);
			request.onupgradeneeded = () => {
				const { result } = request;
				result.createObjectStore('runs', { keyPath: 'run' });
				result.createObjectStore('records', { keyPath: ['run', 'seq'] });
				result.createObjectStore('blobs', { keyPath: 'digest' });
			};
			request.onerror = () => reject(request.error);
			request.onsuccess = () => {
				clearTimeout(timer);
				const { result } = request;
				if (late) return result.close();
				const gone = () => (opening = undefined);
				// A newer version of the app in another tab needs it.
				result.onversionchange = () => {
					result.close();
					gone();
				};
				result.onclose = gone;
				resolve(result);
			};
		}).catch((cause: unknown) => {
			opening = undefined;
			throw unusable('opened', cause);
		}));
	}

	/** What a request leads to. A fault in it takes the whole transaction back, with its cause. */
	const then = <T>(request: IDBRequest<T>, act: (result: T) => unknown): void => {
		request.onsuccess = () => {
			try {
				act(request.result);
			} catch (cause) {
				faults.set(request.transaction!, cause);
				request.transaction!.abort();
			}
		};
	};

	/** One transaction. What it does is begun in the tick in which it is made, for it does not wait. */
	async function within<T>(
		mode: IDBTransactionMode,
		names: readonly ('runs' | 'records' | 'blobs')[],
		work: (tables: Record<'runs' | 'records' | 'blobs', IDBObjectStore>, transaction: IDBTransaction) => T,
		durability: IDBTransactionDurability = 'relaxed'
	): Promise<Awaited<T>> {
		for (let again = false; ; again = true) {
			const database = await open();
			let transaction: IDBTransaction;
			try {
				transaction = database.transaction(names, mode, { durability });
			} catch (cause) {
				// It was closed since: once more with a new one.
				opening = undefined;
				if (again) throw unusable('opened', cause);
				continue;
			}
			const ended = done(transaction);
			try {
				const tables = Object.fromEntries(names.map((one) => [one, transaction.objectStore(one)]));
				const [out] = await Promise.all([work(tables as never, transaction), ended]);
				return out;
			} catch (cause) {
				await ended.catch(() => undefined);
				throw unusable(
					mode === 'readonly' ? 'read' : 'kept',
					faults.get(transaction) ?? transaction.error ?? cause
				);
			}
		}
	}

	const recordsOf = (run: string, from = 0) => IDBKeyRange.bound([run, from], [run, Infinity]);
	const tell = (run: string, seq: number): void => {
		for (const listener of [...listeners]) listener(run, seq);
	};
	const hear = (): BroadcastChannel | undefined => {
		if (channel || typeof BroadcastChannel === 'undefined') return channel;
		channel = new BroadcastChannel(name);
		channel.onmessage = ({ data }) => {
			const { run, seq } = (data ?? {}) as { run?: unknown; seq?: unknown };
			if (typeof run === 'string' && typeof seq === 'number') tell(run, seq);
		};
		return channel;
	};
	const runs = () => within('readonly', ['runs'], ({ runs }) => value<RunRow[]>(runs.getAll()));

	return {
		async append(run, expectedSeq, records, added, { durable = false, epoch } = {}) {
			// Made before the transaction is: nothing of a batch may fail half-way.
			const rows = records.map((record, i): RecordRow => ({
				run,
				seq: expectedSeq + i,
				line: JSON.stringify(record)
			}));
			const blobs = Object.entries(added).map(([digest, json]): BlobRow => ({
				digest,
				json: JSON.stringify(json)
			}));
			let answer: 'ok' | 'conflict' | 'fenced' = 'ok';
			await within(
				'readwrite',
				['runs', 'records', 'blobs'],
				(tables) => {
					then(tables.runs.get(run) as IDBRequest<RunRow | undefined>, (known) => {
						const row = known ?? { run, next: 0, epoch: 0, ended: false };
						if (epoch !== undefined && epoch < row.epoch) answer = 'fenced';
						else if (row.next !== expectedSeq) answer = 'conflict';
						if (answer !== 'ok') return;
						for (const one of rows) tables.records.add(one);
						for (const blob of blobs) {
							// What was erased stays erased, and what is there need not be written again.
							then(
								tables.blobs.getKey(blob.digest),
								(there) => there === undefined && tables.blobs.add(blob)
							);
						}
						const ended = row.ended || records.some(({ kind }) => kind === END);
						tables.runs.put({ ...row, next: expectedSeq + rows.length, ended });
					});
				},
				durable ? 'strict' : 'relaxed'
			);
			if (answer === 'ok' && rows.length > 0) {
				const seq = expectedSeq + rows.length - 1;
				hear()?.postMessage({ run, seq });
				tell(run, seq);
			}
			return answer;
		},
		async read(run, from = 0) {
			const rows = await within('readonly', ['records'], ({ records }) =>
				value<RecordRow[]>(records.getAll(recordsOf(run, from)))
			);
			return rows.map(({ line }) => JSON.parse(line) as JournalRecord);
		},
		async blob(digest) {
			const row = await within('readonly', ['blobs'], ({ blobs }) =>
				value<BlobRow | undefined>(blobs.get(digest))
			);
			return row?.json === undefined ? undefined : (JSON.parse(row.json) as JSONValue);
		},
		async claim(run, owner, _ttlMs, { steal = false } = {}) {
			// Who dies lets go, as the browser sees to: a claim needs no end.
			const was = held?.epoch(run, owner);
			if (was !== undefined) return was;
			if (!held || !(await held.take(run, owner, steal))) return undefined;
			try {
				let epoch = 0;
				await within(
					'readwrite',
					['runs'],
					({ runs: table }) => {
						then(table.get(run) as IDBRequest<RunRow | undefined>, (known) => {
							const row = known ?? { run, next: 0, epoch: 0, ended: false };
							epoch = row.epoch + 1;
							table.put({ ...row, epoch });
						});
					},
					'strict'
				);
				return held.keep(run, owner, epoch);
			} catch (error) {
				held.drop(run, owner);
				throw error;
			}
		},
		async release(run, owner) {
			held?.drop(run, owner);
		},
		vacant: (run, signal) =>
			held ? held.free(run, signal) : new Promise((_, reject) => never(signal, reject)),
		async erase(digests) {
			await within(
				'readwrite',
				['blobs'],
				({ blobs }) => {
					for (const digest of digests) blobs.put({ digest });
				},
				'strict'
			);
		},
		async remove(run) {
			await within(
				'readwrite',
				['runs', 'records', 'blobs'],
				(tables) => {
					then(tables.records.getAll() as IDBRequest<RecordRow[]>, (all) => {
						const parsed = (mine: boolean) =>
							digestsOf(
								all.flatMap((row) =>
									(row.run === run) === mine ? [JSON.parse(row.line) as JournalRecord] : []
								)
							);
						const left = parsed(false);
						for (const digest of parsed(true)) {
							if (left.has(digest)) continue;
							const there = tables.blobs.get(digest) as IDBRequest<BlobRow | undefined>;
							then(there, (row) => row?.json !== undefined && tables.blobs.delete(digest));
						}
					});
					tables.records.delete(recordsOf(run));
					// The token stays: an owner of before is to be told that it is none.
					then(tables.runs.get(run) as IDBRequest<RunRow | undefined>, (known) => {
						if (known) tables.runs.put({ ...known, next: 0, ended: false });
					});
				},
				'strict'
			);
		},
		async listOpen() {
			return (await runs()).filter(({ next, ended }) => next > 0 && !ended).map(({ run }) => run);
		},
		async list() {
			return (await runs()).filter(({ next }) => next > 0).map(({ run }) => run);
		},
		subscribe(listener) {
			listeners.add(listener);
			hear();
			return () => void listeners.delete(listener);
		},
		/** Lets go of the database and of every run. */
		close() {
			held?.close();
			channel?.close();
			channel = undefined;
			listeners.clear();
			void opening?.then((database) => database.close()).catch(() => undefined);
			opening = undefined;
		}
	};
}

function never(signal: AbortSignal, reject: (why: unknown) => void): void {
	if (signal.aborted) reject(signal.reason);
	else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
}
