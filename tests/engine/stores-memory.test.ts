import { describe, expect, test, vi } from 'vitest';
import { fold, verify, type JournalStore, type Run } from '../../src/lib/agent/index.js';
import { memoryStore } from '../../src/lib/agent/stores/memory.js';
import { person, storeSuite } from '../../src/lib/testing/index.js';
import { bench, send, write } from '../fixtures/engine.js';

const approve = (run: Run): void => {
	const review = run.state.reviews.find(({ status }) => status === 'open');
	if (review) run.decide({ review: review.id, verdict: 'approve' }, person);
};

/** A real store whose answer to `append` can be bent. */
function bent(answer: () => 'ok' | 'conflict' | 'fenced' | 'throw' | Promise<void>) {
	const inner = memoryStore();
	const store: JournalStore = {
		...inner,
		async append(...args) {
			const say = answer();
			if (say === 'throw') throw new Error('disk full');
			if (typeof say === 'string' && say !== 'ok') return say;
			await say;
			return inner.append(...args);
		}
	};
	return { store, inner };
}

describe('the store in memory', () => {
	for (const { name, run } of storeSuite(() => memoryStore()))
		test(`S2-58 ${name}`, async () => {
			await expect(run()).resolves.toBeUndefined();
		});

	test('S2-58 tells its subscribers what came in', async () => {
		const store = memoryStore();
		const heard: [string, number][] = [];
		const end = store.subscribe!((run, seq) => void heard.push([run, seq]));
		const made = bench([{ say: 'x' }], { store });
		const run = made.engine.run('x', { by: person });
		await made.settle();
		expect(heard.at(-1)).toEqual([run.id, run.journal.length - 1]);
		const before = heard.length;
		end();
		made.engine.run('y');
		await made.settle();
		expect(heard).toHaveLength(before);
	});
});

describe('an engine over a store', () => {
	test('S2-92 writes every record, in order, as it stands in the chain', async () => {
		const store = memoryStore();
		const { engine, settle } = bench([{ calls: [write('amount', '1')] }, { say: 'Done.' }], { store });
		const run = engine.run('x', { by: person });
		await settle();
		approve(run);
		await settle();
		const kept = await store.read(run.id);
		expect(kept.map(({ hash }) => hash)).toEqual(run.journal.map(({ hash }) => hash));
		expect(verify(kept)).toEqual([]);
		expect(fold(kept).outcome?.kind).toBe('completed');
	});

	for (const [answer, code] of [
		['conflict', 'store'],
		['throw', 'store']
	] as const)
		test(`S2-58 a store that says ${answer} escalates as ${code}; a person tries again and nothing is lost`, async () => {
			let say: 'ok' | typeof answer = 'ok';
			const { store, inner } = bent(() => say);
			const { engine, settle } = bench([{ calls: [write('amount', '1')] }, { say: 'Done.' }], { store });
			const run = engine.run('x', { by: person });
			await settle();
			say = answer;
			approve(run);
			await settle();
			expect(run.state.escalations.map((one) => one.code)).toEqual([code]);
			expect(engine.pending).toContainEqual({
				kind: 'escalation',
				run: run.id,
				reason: run.state.escalations[0]
			});
			say = 'ok';
			expect(run.resume(person)).toEqual({ ok: true });
			await settle();
			expect(run.state.outcome?.kind).toBe('completed');
			expect((await inner.read(run.id)).map(({ hash }) => hash)).toEqual(run.journal.map(({ hash }) => hash));
			expect(verify(run.journal)).toEqual([]);
		});

	test('S2-91 an act beyond the page waits until its intention is safe', async () => {
		let open!: () => void;
		const gate = new Promise<void>((resolve) => (open = resolve));
		let held = false;
		const { store, inner } = bent(() => (held ? gate : 'ok'));
		const { engine, settle, sheet } = bench([{ calls: [send('x@y.example')] }, { say: 'Sent.' }], { store });
		const run = engine.run('x', { by: person });
		await settle();
		held = true;
		approve(run);
		await settle();
		expect(run.journal.at(-1)!.kind).toBe('effect.intended');
		expect(sheet.sent).toEqual([]);
		open();
		await settle();
		expect(sheet.sent).toEqual(['x@y.example']);
		const kinds = (await inner.read(run.id)).map(({ kind }) => kind);
		expect(kinds.indexOf('effect.intended')).toBeGreaterThan(0);
		expect(run.state.outcome?.kind).toBe('completed');
	});

	test('S2-91 an act beyond the page does not run where its intention could not be kept', async () => {
		let refuse = false;
		const { store } = bent(() => (refuse ? 'throw' : 'ok'));
		const { engine, settle, sheet } = bench([{ calls: [send('x@y.example')] }, { say: 'Not sent.' }], {
			store
		});
		engine.subscribe(({ kind }) => {
			if (kind === 'effect.intended') refuse = true;
		});
		const run = engine.run('x', { by: person });
		await settle();
		approve(run);
		await settle();
		expect(sheet.sent).toEqual([]);
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['store']);
		refuse = false;
		run.resume(person);
		await settle();
		expect(sheet.sent.length).toBeLessThanOrEqual(1);
		expect(verify(run.journal)).toEqual([]);
	});

	test('S2-32 a store that never answers does not hold up a stop', async () => {
		let held = false;
		const { store } = bent(() => (held ? new Promise<void>(() => undefined) : 'ok'));
		const { engine, settle, sheet, clock } = bench([{ calls: [send('x@y.example')] }], { store });
		const run = engine.run('x', { by: person });
		await settle();
		held = true;
		approve(run);
		await settle();
		const stopped = run.stop(undefined, person);
		await settle();
		expect(run.state.outcome?.kind).toBe('interrupted');
		await clock.advance(10_000);
		expect(await stopped).toMatchObject({ confirmed: [] });
		expect(sheet.sent).toEqual([]);
	});

	test('S2-32 a store that cannot be read keeps no run from beginning', async () => {
		const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
		const inner = memoryStore();
		const store: JournalStore = { ...inner, listOpen: () => Promise.reject(new Error('locked')) };
		const { engine, settle } = bench([{ say: 'Hello' }], { store });
		const run = engine.run('x', { by: person });
		expect(await engine.ready).toEqual({ returned: [], resumed: [], unknown: [] });
		await settle();
		expect(run.state.outcome?.kind).toBe('answered');
		expect(log).toHaveBeenCalledTimes(1);
		log.mockRestore();
	});

	test('S2-58 without a store nothing is kept and everything works the same', async () => {
		const turns = [{ calls: [write('amount', '1')] }, { say: 'Done.' }];
		const journals = [];
		for (const store of [undefined, memoryStore()]) {
			const made = bench(turns, { policy: { ceiling: 'auto' }, ...(store ? { store } : {}) });
			const run = made.engine.run('x', { by: person });
			await made.settle();
			journals.push(JSON.stringify(run.journal));
		}
		expect(journals[0]).toBe(journals[1]);
	});
});
