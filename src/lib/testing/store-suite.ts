import { GENESIS, seal } from '../agent/journal/chain.js';
import type { JournalStore } from '../agent/protocol/ports.js';
import type { JournalRecord } from '../agent/protocol/records.js';

const APP = { kind: 'app', id: 'app' } as const;

/** A chain of records as an engine would write it. */
function chain(run: string, count: number): JournalRecord[] {
	const out: JournalRecord[] = [];
	for (let seq = 0; seq < count; seq++)
		out.push(
			seal({
				run,
				seq,
				at: seq,
				kind: 'message',
				by: APP,
				revision: 1,
				data: { from: { kind: 'app', id: 'app' }, text: `line ${seq}` },
				prev: out.at(-1)?.hash ?? GENESIS
			})
		);
	return out;
}

function same(actual: unknown, expected: unknown, what: string): void {
	const a = JSON.stringify(actual);
	const b = JSON.stringify(expected);
	if (a !== b) throw new Error(`${what}: expected ${b}, got ${a}`);
}

/**
 * What every store must keep, as named cases for any test runner.
 * @param make a new, empty store for each case
 * @example for (const { name, run } of storeSuite(() => memoryStore())) test(name, run)
 * @since 0.1.0
 */
export function storeSuite(
	make: () => JournalStore | Promise<JournalStore>
): readonly { name: string; run(): Promise<void> }[] {
	const test = (name: string, body: (store: JournalStore) => Promise<void>) => ({
		name,
		run: async () => body(await make())
	});
	return [
		test('gives back what was appended, in order', async (store) => {
			const records = chain('a', 5);
			same(await store.append('a', 0, records.slice(0, 2), {}), 'ok', 'first batch');
			same(await store.append('a', 2, records.slice(2), {}), 'ok', 'second batch');
			same(await store.read('a'), records, 'all');
			same(await store.read('a', 3), records.slice(3), 'from 3');
		}),
		test('refuses a gap and a repetition, and keeps what it had', async (store) => {
			const records = chain('a', 3);
			await store.append('a', 0, records.slice(0, 2), {});
			same(await store.append('a', 3, records.slice(2), {}), 'conflict', 'gap');
			same(await store.append('a', 1, records.slice(1, 2), {}), 'conflict', 'repetition');
			same(await store.read('a'), records.slice(0, 2), 'kept');
		}),
		test('of two appends at once exactly one wins', async (store) => {
			const records = chain('a', 1);
			const answers = await Promise.all([
				store.append('a', 0, records, {}),
				store.append('a', 0, records, {})
			]);
			same([...answers].sort(), ['conflict', 'ok'], 'answers');
		}),
		test('keeps runs apart', async (store) => {
			await store.append('a', 0, chain('a', 2), {});
			same(await store.append('b', 0, chain('b', 1), {}), 'ok', 'other run');
			same((await store.read('b')).length, 1, 'records of b');
		}),
		test('keeps blobs by digest', async (store) => {
			await store.append('a', 0, chain('a', 1), { d1: { long: 'text' } });
			same(await store.blob('d1'), { long: 'text' }, 'blob');
			same((await store.blob('d2')) === undefined, true, 'unknown blob');
		}),
		test('fences an owner whose claim was taken over', async (store) => {
			const first = await store.claim('a', 'one', 1);
			await new Promise((resolve) => setTimeout(resolve, 5));
			const second = await store.claim('a', 'two', 60_000);
			if (first === undefined || second === undefined) throw new Error('a free run was not claimed');
			same(second > first, true, 'epoch grows');
			same(await store.append('a', 0, chain('a', 1), {}, { epoch: first }), 'fenced', 'old owner');
			same(await store.append('a', 0, chain('a', 1), {}, { epoch: second }), 'ok', 'new owner');
		}),
		test('does not give a claimed run to another', async (store) => {
			await store.claim('a', 'one', 60_000);
			same((await store.claim('a', 'two', 60_000)) === undefined, true, 'held');
			await store.release('a', 'one');
			same((await store.claim('a', 'two', 60_000)) !== undefined, true, 'released');
		}),
		test('lists runs that have no end', async (store) => {
			await store.append('a', 0, chain('a', 1), {});
			const [opened] = chain('b', 1);
			const ended = seal({
				...opened!,
				seq: 1,
				kind: 'run.ended',
				data: { verb: 'return', kind: 'answered' },
				prev: opened!.hash
			});
			await store.append('b', 0, [opened!, ended], {});
			same(await store.listOpen(), ['a'], 'open');
			if (store.list) same([...(await store.list())].sort(), ['a', 'b'], 'all');
		})
	];
}
