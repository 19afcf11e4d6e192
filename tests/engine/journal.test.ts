import { describe, expect, test } from 'vitest';
import {
	fold,
	verify,
	type EngineSnapshot,
	type JournalRecord,
	type RunState
} from '../../src/lib/agent/index.js';
import type { Label } from '../../src/lib/agent/protocol/words.js';
import { memoryStore } from '../../src/lib/agent/stores/memory.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, write } from '../fixtures/engine.js';

const AUTO = { policy: { ceiling: 'auto' as const } };
const LONG = 'long '.repeat(500);

const frozen = (value: unknown): boolean =>
	typeof value !== 'object' ||
	value === null ||
	(Object.isFrozen(value) && Object.values(value).every(frozen));

/** A run that reads a private diary with consent and writes a long value. */
async function told(options: Parameters<typeof bench>[1] = {}) {
	const heads: string[] = [];
	const made = bench([{ calls: [write('amount', LONG), write('due', 'x')] }, { say: 'Done.' }], {
		...AUTO,
		consent: { allow: ['sheet.diary'] },
		onhead: (_run, _seq, hash) => void heads.push(hash),
		...options
	});
	const run = made.engine.run('Correct the sheet', { by: person });
	await made.settle();
	expect(run.state.outcome?.kind).toBe('completed');
	return { ...made, run, heads, snapshot: made.engine.snapshot() };
}

const changed = (record: JournalRecord, data: object): JournalRecord =>
	({ ...record, data: { ...(record.data as object), ...data } }) as JournalRecord;

describe('the form in which a journal is kept', () => {
	test('S2-92 puts what is long or private into blobs, and nothing else is lost', async () => {
		const store = memoryStore();
		const { run, snapshot } = await told({ store });
		const kept = await store.read(run.id);
		const lines = JSON.stringify(kept);
		expect(lines).not.toContain('dear diary');
		expect(lines).not.toContain(LONG);
		expect(lines).toContain('$blob');
		expect(JSON.stringify(snapshot.runs)).not.toContain('dear diary');
		expect(JSON.stringify(snapshot.blobs)).toContain('dear diary');
		expect(JSON.stringify(run.journal)).toContain('dear diary');
		for (const record of kept) expect(JSON.stringify(record).length).toBeLessThan(12_000);
		expect(fold(kept, snapshot.blobs)).toEqual(run.state);
		expect(fold(snapshot.runs[0]!, snapshot.blobs)).toEqual(run.state);
		for (const digest of Object.keys(snapshot.blobs))
			expect(await store.blob(digest)).toEqual(snapshot.blobs[digest]);
	});

	test('S2-92 is what the hash runs over: whole, stored and restored journals verify alike', async () => {
		const { run, snapshot, heads } = await told();
		const head = heads.at(-1)!;
		expect(verify(run.journal, { head })).toEqual([]);
		expect(verify(snapshot.runs[0]!, { head })).toEqual([]);
		expect(verify(snapshot.runs[0]!, { head, blobs: snapshot.blobs })).toEqual([]);
		expect(heads).toEqual(run.journal.map(({ hash }) => hash));
	});

	test('S2-92 an erased blob reads as erased and alters nothing', async () => {
		const { run, snapshot, heads } = await told();
		const [stored] = snapshot.runs as EngineSnapshot['runs'];
		expect(verify(stored!, { blobs: {}, head: heads.at(-1)! })).toEqual([]);
		const state = fold(stored!, {});
		expect(JSON.stringify(state)).not.toContain(LONG);
		expect(state.steps[0]!.args).toEqual({ $erased: expect.stringMatching(/^[0-9a-f]{64}$/) });
		expect(state.outcome).toMatchObject({ kind: 'completed' });
		expect(state.steps.map(({ status }) => status)).toEqual(run.state.steps.map(({ status }) => status));
	});

	test('S2-92 a redacted blob that says something else is found out', async () => {
		const { snapshot } = await told();
		const digest = Object.keys(snapshot.blobs).find((one) =>
			JSON.stringify(snapshot.blobs[one]).includes('long long')
		)!;
		const violations = verify(snapshot.runs[0]!, {
			blobs: { ...snapshot.blobs, [digest]: 'forged '.repeat(400) }
		});
		expect(violations.map(({ law }) => law)).toContain('record-altered');
	});
});

describe('S2-83 S2-92 the sources of a label', () => {
	/** A run of which every value may come from many places, or from few. */
	async function from(places: number) {
		const sources = Array.from({ length: places }, (_, i) => `mail.letter:${i}`);
		const made = bench([{ calls: [write('amount', '5')] }, { say: 'Done.' }], AUTO);
		const label = {
			integrity: 'untrusted',
			confidentiality: 'public',
			origins: ['imported'],
			sources
		} as const;
		const run = made.engine.run(
			{ text: 'x', attachments: [{ name: 'n', text: 't', label }] },
			{ by: person }
		);
		await made.settle();
		expect(run.state.effects).toMatchObject([{ status: 'confirmed' }]);
		const snapshot = made.engine.snapshot();
		return { ...made, run, sources, snapshot, stored: snapshot.runs[0]! };
	}
	const labelOf = (journal: readonly JournalRecord[]) =>
		(journal.find(({ kind }) => kind === 'effect.settled')!.data as unknown as { label: Label }).label;

	test('S2-92 stand apart where there are many, and in the record where there are few', async () => {
		const many = await from(20);
		expect(JSON.stringify(many.stored)).not.toContain('mail.letter');
		expect(labelOf(many.stored)).toMatchObject({
			integrity: 'untrusted',
			sources: { $blob: expect.any(String) }
		});
		expect(labelOf(many.run.journal).sources).toEqual(expect.arrayContaining(many.sources));
		expect(fold(many.stored, many.snapshot.blobs)).toEqual(many.run.state);
		expect(verify(many.stored, { blobs: many.snapshot.blobs })).toEqual([]);
		const few = await from(2);
		expect(labelOf(few.stored).sources).toEqual(expect.arrayContaining(few.sources));
	});

	test('S2-92 that are erased read as erased, alter nothing, and leave the label as bad as it was', async () => {
		const { stored, snapshot, run } = await from(20);
		const lists = Object.entries(snapshot.blobs).filter(([, blob]) => Array.isArray(blob));
		expect(lists.length).toBeGreaterThan(0);
		const blobs = Object.fromEntries(
			Object.entries(snapshot.blobs).filter(([, blob]) => !Array.isArray(blob))
		);
		expect(verify(stored, { blobs })).toEqual([]);
		const state = fold(stored, blobs);
		expect(state.label).toMatchObject({
			integrity: 'untrusted',
			sources: expect.arrayContaining(['erased'])
		});
		expect(state.steps[0]!.label).toMatchObject({ integrity: 'untrusted', sources: ['erased'] });
		expect(state.outcome).toEqual(run.state.outcome);
	});

	test('S2-92 that were exchanged are found out', async () => {
		const { stored, snapshot } = await from(20);
		const blobs = Object.fromEntries(
			Object.entries(snapshot.blobs).map(([digest, blob]) => [
				digest,
				Array.isArray(blob) ? blob.map(() => 'invoice.values') : blob
			])
		);
		expect(verify(stored, { blobs }).map(({ law }) => law)).toContain('record-altered');
	});
});

describe('verify', () => {
	test('S2-92 names a record that was altered, at each place', async () => {
		const { run } = await told();
		run.journal.forEach((record, i) => {
			const altered = run.journal.map((one, j) => (j === i ? { ...one, at: one.at + 1 } : one));
			expect(verify(altered)).toContainEqual(
				expect.objectContaining({ law: 'record-altered', seq: record.seq })
			);
		});
	});

	test('S2-92 names an inner record that was taken out, and two that were exchanged', async () => {
		const { run } = await told();
		for (let i = 1; i < run.journal.length - 1; i++) {
			const without = run.journal.filter((_, j) => j !== i);
			expect(verify(without).map(({ law }) => law)).toContain('record-missing');
			const swapped = [...run.journal];
			[swapped[i], swapped[i + 1]] = [swapped[i + 1]!, swapped[i]!];
			expect(verify(swapped).map(({ law }) => law)).toContain('record-missing');
		}
	});

	test('S2-92 finds a tail that was cut off by the head that was kept elsewhere', async () => {
		const { run, heads } = await told();
		const cut = run.journal.slice(0, -1);
		expect(verify(cut)).toEqual([]);
		expect(verify(cut, { head: heads.at(-1)! }).map(({ law }) => law)).toEqual(['record-tail']);
	});

	test('S2-92 finds a grant that was never given, and what was written after the end', async () => {
		const { run } = await told();
		const ungranted = run.journal.map((record) =>
			record.kind === 'grants.issued' ? changed(record, { grants: [] }) : record
		);
		expect(
			verify(ungranted).some(({ text }) => text.includes('unused grant') || text.includes('cannot be read'))
		).toBe(true);
		const last = run.journal.at(-1)!;
		const after = [...run.journal, { ...last, seq: last.seq + 1, prev: last.hash, kind: 'message' }];
		expect(verify(after).map(({ law }) => law)).toContain('record-illegal');
	});

	test('S2-92 never throws, whatever it is given', async () => {
		const { run } = await told();
		const mangled = run.journal.map((record, i) => (i % 2 ? { ...record, data: null } : record));
		expect(verify(mangled as JournalRecord[]).length).toBeGreaterThan(0);
		expect(verify([])).toEqual([]);
	});
});

describe('what is handed out', () => {
	test('S2-11 records and states are frozen through and through', async () => {
		const { run, engine } = await told();
		for (const record of run.journal) expect(frozen(record)).toBe(true);
		expect(frozen(run.state)).toBe(true);
		expect(frozen(engine.pending)).toBe(true);
		expect(() => ((run.state as { goal: string }).goal = 'other')).toThrow(TypeError);
		expect(() => (run.journal as JournalRecord[]).push(run.journal[0]!)).not.toThrow();
		expect(verify(run.journal)).toEqual([]);
	});

	test('S2-11 a state is the same object until the next record, and shares what did not change', async () => {
		const views: RunState[] = [];
		const made = bench(
			[{ calls: [write('amount', '1'), write('due', '2'), write('city', '3')] }, { say: 'x' }],
			AUTO
		);
		made.engine.subscribe(({ run }) => {
			const { state } = made.engine.get(run)!;
			expect(made.engine.get(run)!.state).toBe(state);
			views.push(state);
		});
		const run = made.engine.run('x', { by: person });
		await made.settle();
		expect(new Set(views).size).toBe(run.journal.length);
		const settled = run.journal.flatMap(({ kind, seq }) => (kind === 'effect.settled' ? [seq] : []));
		expect(settled).toHaveLength(3);
		const [first, second] = settled.map((seq) => views[seq]!);
		expect(second!.steps[0]).toBe(first!.steps[0]);
		expect(second!.steps[2]).toBe(first!.steps[2]);
		expect(second!.steps[1]).not.toBe(first!.steps[1]);
		expect(second!.calls[0]).toBe(first!.calls[0]);
		expect(second!.effects[0]).toBe(first!.effects[0]);
		expect(views.at(-1)!.turns).toHaveLength(2);
	});
});
