import { describe, expect, test, vi } from 'vitest';
import { verify } from '../../src/lib/agent/index.js';
import { indexedDBStore } from '../../src/lib/agent/stores/indexeddb.js';
import { storeSuite } from '../../src/lib/testing/store-suite.js';
import type { JournalRecord } from '../../src/lib/agent/index.js';

let count = 0;
const fresh = () => `store-${Date.now()}-${(count += 1)}`;
const record = (run: string, seq: number): JournalRecord => ({
	run,
	seq,
	at: seq,
	kind: 'message',
	by: { kind: 'app', id: 'app' },
	revision: 1,
	data: { text: `line ${seq}` },
	prev: '',
	hash: ''
});

describe('the store in the browser’s database', () => {
	for (const { name, run } of storeSuite(() => indexedDBStore({ name: fresh() })))
		test(`S2-58 ${name}`, async () => {
			await expect(run()).resolves.toBeUndefined();
		});

	test('S2-58 S2-91 outlasts its connection, and is seen from another', async () => {
		const name = fresh();
		const one = indexedDBStore({ name });
		await one.append('a', 0, [record('a', 0)], { d: { text: 'x' } }, { durable: true });
		one.close();
		const two = indexedDBStore({ name });
		expect(await two.listOpen()).toEqual(['a']);
		expect(await two.read('a')).toEqual([record('a', 0)]);
		expect(await two.blob('d')).toEqual({ text: 'x' });
	});

	test('S2-92 commits strictly what has to outlast a power cut, and nothing else', async () => {
		const made = vi.spyOn(IDBDatabase.prototype, 'transaction');
		const store = indexedDBStore({ name: fresh() });
		await store.append('a', 0, [record('a', 0)], {});
		await store.append('a', 1, [record('a', 1)], {}, { durable: true });
		expect(made.mock.calls.map(([, , options]) => options?.durability)).toEqual(['relaxed', 'strict']);
		made.mockRestore();
	});

	test('I15 two connections: one holds a run, the other is told so, and steals it only where that is asked', async () => {
		const name = fresh();
		const [one, two] = [indexedDBStore({ name }), indexedDBStore({ name })];
		const first = await one.claim('a', 'one', 1);
		expect(await two.claim('a', 'two', 1)).toBeUndefined();
		expect(await one.append('a', 0, [record('a', 0)], {}, { epoch: first! })).toBe('ok');
		const second = await two.claim('a', 'two', 1, { steal: true });
		expect(second).toBeGreaterThan(first!);
		expect(await one.append('a', 1, [record('a', 1)], {}, { epoch: first! })).toBe('fenced');
		expect(await one.claim('a', 'one', 1)).toBeUndefined();
		expect(await two.append('a', 1, [record('a', 1)], {}, { epoch: second! })).toBe('ok');
		// And back again: each time with a token of its own.
		const third = await one.claim('a', 'one', 1, { steal: true });
		expect(third).toBeGreaterThan(second!);
		expect(await two.append('a', 2, [record('a', 2)], {}, { epoch: second! })).toBe('fenced');
		expect(await one.append('a', 2, [record('a', 2)], {}, { epoch: third! })).toBe('ok');
	});

	test('I15 a run is free once its tab is gone: an iframe that dies lets go', async () => {
		const name = fresh();
		const frame = document.createElement('iframe');
		document.body.append(frame);
		const inside = frame.contentWindow as Window & typeof globalThis;
		const there = indexedDBStore({
			name,
			locks: inside.navigator.locks,
			indexedDB: inside.indexedDB
		});
		const here = indexedDBStore({ name });
		const epoch = await there.claim('a', 'there', 1);
		expect(await here.claim('a', 'here', 1)).toBeUndefined();
		const vacant = here.vacant('a', new AbortController().signal);
		frame.remove();
		await vacant;
		expect(await here.claim('a', 'here', 1)).toBeGreaterThan(epoch!);
	});

	test('S2-91 without locks nothing is owned: everything is followed, and can be read', async () => {
		const name = fresh();
		await indexedDBStore({ name }).append('a', 0, [record('a', 0)], {});
		Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
		try {
			const none = indexedDBStore({ name });
			expect(await none.claim('b', 'one', 1)).toBeUndefined();
			expect(await none.claim('b', 'one', 1, { steal: true })).toBeUndefined();
			expect(await none.read('a')).toHaveLength(1);
		} finally {
			delete (navigator as { locks?: unknown }).locks;
		}
	});

	test('S2-58 hears what another tab appended', async () => {
		const name = fresh();
		const [one, two] = [indexedDBStore({ name }), indexedDBStore({ name })];
		const heard = new Promise((resolve) => two.subscribe((...what) => resolve(what)));
		await one.append('a', 0, [record('a', 0), record('a', 1)], {});
		expect(await heard).toEqual(['a', 1]);
	});

	test('S2-58 a full disk is an error that names the cure, and leaves what was kept', async () => {
		const store = indexedDBStore({ name: fresh() });
		await store.append('a', 0, [record('a', 0)], {});
		const add = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
			// What a browser does whose quota is used up: the request fails.
			throw new DOMException('full', 'QuotaExceededError');
		});
		await expect(store.append('a', 1, [record('a', 1)], {})).rejects.toThrow(
			/cannot be kept.*storage is full/
		);
		add.mockRestore();
		expect(await store.read('a')).toHaveLength(1);
		expect(await store.append('a', 1, [record('a', 1)], {})).toBe('ok');
	});

	test('S2-58 a browser that keeps nothing says so, and is asked again', async () => {
		let closed = true;
		const factory = {
			open: (...args: [string, number]) => {
				if (closed) throw new DOMException('no', 'SecurityError');
				return indexedDB.open(...args);
			}
		} as unknown as IDBFactory;
		const store = indexedDBStore({ name: fresh(), indexedDB: factory });
		await expect(store.listOpen()).rejects.toThrow(/private windows/);
		closed = false;
		expect(await store.listOpen()).toEqual([]);
	});

	test('S2-58 lets a newer version of the app upgrade, and says that it is the older one', async () => {
		const name = fresh();
		const store = indexedDBStore({ name });
		await store.append('a', 0, [record('a', 0)], {});
		const newer = await new Promise<IDBDatabase>((resolve, reject) => {
			const request = indexedDB.open(name, 99);
			request.onsuccess = () => resolve(request.result);
			request.onerror = () => reject(request.error);
		});
		await expect(store.read('a')).rejects.toThrow(/newer version/);
		newer.close();
	});

	test('S2-58 goes on after the browser closed its database', async () => {
		const name = fresh();
		const store = indexedDBStore({ name });
		await store.append('a', 0, [record('a', 0)], {});
		await new Promise<void>((resolve) => {
			// Deleting makes every connection let go; what was there is gone.
			const request = indexedDB.deleteDatabase(name);
			request.onsuccess = () => resolve();
		});
		expect(await store.append('a', 1, [record('a', 1)], {})).toBe('conflict');
		expect(await store.append('a', 0, [record('a', 0)], {})).toBe('ok');
	});

	test('S2-92 a corrupted row is found by the chain, not believed', async () => {
		const name = fresh();
		const store = indexedDBStore({ name });
		await store.append('a', 0, [record('a', 0)], {});
		expect(verify(await store.read('a'))).not.toEqual([]);
	});
});
