import { GENESIS, seal } from '../agent/journal/chain.js';
import type { JournalStore } from '../agent/protocol/ports.js';
import type { JournalRecord } from '../agent/protocol/records.js';
import type { JSONValue } from '../agent/protocol/words.js';

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
			const first = await store.claim('a', 'one', 60_000);
			const second = await store.claim('a', 'two', 60_000, { steal: true });
			if (first === undefined || second === undefined) throw new Error('a free run was not claimed');
			same(second > first, true, 'epoch grows');
			same(await store.append('a', 0, chain('a', 1), {}, { epoch: first }), 'fenced', 'old owner');
			same(await store.append('a', 0, chain('a', 1), {}, { epoch: second }), 'ok', 'new owner');
			same(await store.claim('a', 'one', 60_000), undefined, 'claim of the old owner');
		}),
		test('gives an owner that renews its claim the token it has', async (store) => {
			const first = await store.claim('a', 'one', 60_000);
			same(typeof first, 'number', 'token');
			same(await store.claim('a', 'one', 60_000), first, 'renewed');
			await store.release('a', 'one');
			const again = await store.claim('a', 'one', 60_000);
			same(again! > first!, true, 'a new claim has a new token');
		}),
		test('takes a batch whole or not at all', async (store) => {
			const records = chain('a', 4);
			await store.append('a', 0, records.slice(0, 2), {});
			same(await store.append('a', 1, records.slice(1), { late: 'x' }), 'conflict', 'overlap');
			same(await store.read('a'), records.slice(0, 2), 'kept');
			same((await store.blob('late')) === undefined, true, 'payload of a refused batch');
		}),
		test('gives values back exactly', async (store) => {
			const odd = JSON.parse(
				'{"__proto__":{"a":1},"\\ud800":"\\udc00","n":-0.1,"deep":[[[{"k":null}]]]}'
			) as JSONValue;
			const [record] = chain('a', 1);
			const one = { ...record!, data: odd };
			await store.append('a', 0, [one], { digest: odd, text: '\u0000\ud83d\ude00' });
			same(await store.read('a'), [one], 'record');
			same(await store.blob('digest'), odd, 'payload');
			same(await store.blob('text'), '\u0000\ud83d\ude00', 'text');
		}),
		test('takes an empty batch, which makes what is there durable', async (store) => {
			await store.append('a', 0, chain('a', 1), {});
			same(await store.append('a', 1, [], {}, { durable: true }), 'ok', 'answer');
			same((await store.read('a')).length, 1, 'records');
		}),
		test('says when nobody holds a run any more', async (store) => {
			if (!store.vacant) return;
			await store.claim('a', 'one', 60_000);
			let free = false;
			const vacant = store.vacant('a', new AbortController().signal).then(() => (free = true));
			await new Promise((resolve) => setTimeout(resolve, 20));
			same(free, false, 'while it is held');
			await store.release('a', 'one');
			await vacant;
			const late = store.vacant('a', AbortSignal.abort('enough')).catch((why: unknown) => why);
			same(await late, 'enough', 'aborted');
		}),
		test('forgets payloads for good', async (store) => {
			if (!store.erase) return;
			await store.append('a', 0, chain('a', 1), { d1: 'secret', d2: 'kept' });
			await store.erase(['d1', 'never there']);
			await store.append('a', 1, chain('a', 2).slice(1), { d1: 'secret' });
			same((await store.blob('d1')) === undefined, true, 'erased');
			same(await store.blob('d2'), 'kept', 'the other');
			same((await store.read('a')).length, 2, 'records');
		}),
		test('removes a run whole, with payloads that no other run refers to', async (store) => {
			if (!store.remove) return;
			const refer = (run: string, ...digests: string[]) =>
				chain(run, 1).map((record) => ({
					...record,
					data: digests.map(($blob) => ({ $blob })) as JSONValue
				}));
			const [own, both] = ['a'.repeat(64), 'b'.repeat(64)];
			await store.append('a', 0, refer('a', own, both), { [own]: 1, [both]: 2 });
			await store.append('b', 0, refer('b', both), { [both]: 2 });
			await store.remove('a');
			same(await store.read('a'), [], 'records');
			same(await store.listOpen(), ['b'], 'open');
			same([(await store.blob(own)) === undefined, await store.blob(both)], [true, 2], 'payloads');
		}),
		test('tells its subscribers what came in, and those who left no more', async (store) => {
			if (!store.subscribe) return;
			const heard: unknown[] = [];
			const off = store.subscribe((run, seq) => void heard.push([run, seq]));
			await store.append('a', 0, chain('a', 3), {});
			same(heard, [['a', 2]], 'heard');
			off();
			await store.append('a', 3, chain('a', 4).slice(3), {});
			same(heard.length, 1, 'after the end');
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
