import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { currentCause } from '../../src/lib/actor/index.js';
import {
	type AgentAct,
	type AgentManifest,
	defineManifest,
	done,
	escalate,
	refuse,
	retry,
	unknown
} from '../../src/lib/agent/capability/index.js';
import { auditActs, auditManifest } from '../../src/lib/testing/index.js';
import { Sheet, sheetManifest } from '../fixtures/sheet.js';

/** A list of cells that keeps what each run did to it. */
class Board {
	cells: Record<string, string> = { a: '1', b: '2' };
	other = 'still';
	pin = 'hunter2';
	readonly versions = new Map<string, number>();
	readonly runs = new Map<string, { before: Record<string, string>; after: Record<string, string> }>();
	ended: string[] = [];
	whole = 0;

	put(key: string, value: string): void {
		const { run } = currentCause();
		const before = { ...this.cells };
		this.cells = { ...this.cells, [key]: value };
		this.move(key);
		if (run !== undefined)
			this.runs.set(run, { before: this.runs.get(run)?.before ?? before, after: { ...this.cells } });
	}
	move(key: string): void {
		this.whole += 1;
		this.versions.set(key, (this.versions.get(key) ?? 0) + 1);
	}
	turn(run: string, to: 'before' | 'after'): { undone: number; kept: [] } {
		const kept = this.runs.get(run);
		if (!kept) return { undone: 0, kept: [] };
		for (const key of Object.keys({ ...kept.before, ...kept.after }))
			if (kept.before[key] !== kept.after[key]) this.move(key);
		this.cells = { ...kept[to] };
		return { undone: 1, kept: [] };
	}
}

const cell = z.strictObject({ key: z.string().describe('Which'), value: z.string().describe('What') });
const honest = defineManifest<Board>()({
	kind: 'board',
	description: 'A board',
	reads: {
		cells: {
			description: 'Its cells',
			read: (board, key) => (key === undefined ? board.cells : (board.cells[key] ?? null)),
			version: (board, key) => (key === undefined ? board.whole : (board.versions.get(key) ?? 0))
		},
		other: { description: 'Something else', read: (board) => board.other, version: (board) => board.other },
		pin: {
			description: 'Never',
			read: (board) => board.pin,
			version: (board) => board.pin.length,
			sensitivity: 'secret'
		}
	},
	acts: {
		put: {
			description: 'Writes a cell',
			args: cell,
			result: z.strictObject({ key: z.string() }),
			effect: 'reversible',
			touches: (_board, { key }) => [{ read: 'cells', key }],
			available: () => true,
			preview: (board, { key, value }) => ({
				kind: 'fields',
				fields: [{ path: key, label: key, before: board.cells[key] ?? null, after: value }]
			}),
			perform: (board, { key, value }) => (board.put(key, value), done({ key }))
		}
	},
	undo: (board, run) => board.turn(run, 'before'),
	redo: (board, run) => board.turn(run, 'after'),
	ended: (board, run) => void board.ended.push(run)
});

type Act = AgentAct<Board, never, string>;
const SAMPLE = { put: [{ key: 'a', value: 'new' }] };
/** The honest manifest with one act, and some of the rest, told otherwise. */
const lying = (act: Partial<Act>, more: Partial<AgentManifest<Board>> = {}): AgentManifest<Board> =>
	({ ...honest, ...more, acts: { put: { ...honest.acts.put, ...act } } }) as never;
const lawsOf = async (
	manifest: AgentManifest<Board>,
	samples: Record<string, readonly unknown[]> = SAMPLE,
	options = {}
) => [...new Set((await auditActs(manifest, () => new Board(), samples, options)).map(({ law }) => law))];

describe('S2-76 acts are run, and what is seen is held against what is declared', () => {
	test('S2-76 a truthful manifest passes, sample after sample, on a fresh provider and on one that stays', async () => {
		const samples = { put: [...SAMPLE.put, { key: 'c', value: 'made' }, { key: 'b', value: '' }] };
		expect(await auditActs(honest, () => new Board(), samples)).toEqual([]);
		const board = new Board();
		expect(await auditActs(honest, board, samples)).toEqual([]);
		// All was taken back, each run by itself, after it was told that it had ended.
		expect(board.cells).toEqual({ a: '1', b: '2' });
		expect(board.ended).toHaveLength(3);
		expect(await auditActs(honest, async () => new Board(), samples)).toEqual([]);
	});

	test('S2-76 the acts of the example sheet do what they say', async () => {
		expect(
			await auditActs(sheetManifest, () => new Sheet(), {
				write: [{ key: 'city', value: 'Oslo' }],
				sum: [{ a: 'amount', b: 'amount' }],
				send: [{ to: 'ada@example.org' }]
			})
		).toEqual([]);
	});

	const later = async (board: Board, { key, value }: { key: string; value: string }) => {
		await Promise.resolve();
		board.put(key, value);
		return done({ key });
	};
	const lies: [string, AgentManifest<Board>, object?][] = [
		['effect-changed', lying({ effect: 'none' })],
		['touches-missed', lying({ perform: ((board: Board) => ((board.other = 'moved'), done())) as never })],
		['touches-missed', lying({ touches: () => [{ read: 'cells', key: 'b' }] })],
		['touches-missed', lying({ touches: ['other'] })],
		['undo-incomplete', lying({}, { undo: () => ({ undone: 1, kept: [] }) })],
		[
			'undo-incomplete',
			lying(
				{},
				{
					undo: (board, run) => {
						const part = board.turn(run, 'before');
						board.put('b', 'gone');
						return part;
					}
				}
			)
		],
		['redo-incomplete', lying({}, { redo: () => ({ undone: 1, kept: [] }) })],
		[
			'version-stuck',
			lying({}, { reads: { ...honest.reads, cells: { ...honest.reads.cells, version: () => 1 } } })
		],
		[
			'version-stuck',
			lying(
				{},
				{
					reads: {
						...honest.reads,
						cells: { ...honest.reads.cells, version: (board, key) => (key === undefined ? board.whole : 1) }
					}
				}
			)
		],
		[
			'version-unstable',
			lying(
				{},
				{ reads: { ...honest.reads, other: { ...honest.reads.other, version: (board) => board.whole } } }
			)
		],
		[
			'result-invalid',
			lying({ perform: ((board: Board) => (board.put('a', 'x'), done({ n: 1 }))) as never })
		],
		[
			'result-invalid',
			lying({ perform: ((board: Board) => (board.put('a', 'x'), done(new Map()))) as never })
		],
		[
			'preview-changed',
			lying({ preview: ((board: Board) => (board.put('b', 'seen'), { kind: 'note', text: 'x' })) as never })
		],
		['look-changed', lying({ available: (board) => (board.put('b', 'seen'), true) })],
		[
			'look-changed',
			lying({ touches: ((board: Board) => (board.put('b', 'seen'), [{ read: 'cells' }])) as never })
		],
		['look-changed', lying({ locks: (board) => (board.put('b', 'seen'), []) })],
		['look-changed', lying({ level: ((board: Board) => void board.put('b', 'seen')) as never })],
		[
			'refuse-changed',
			lying({ perform: ((board: Board) => (board.put('a', 'x'), refuse('no', 'No.'))) as never })
		],
		[
			'refuse-changed',
			lying({ perform: ((board: Board) => (board.put('a', 'x'), retry('no', 'No.'))) as never })
		],
		[
			'refuse-changed',
			lying({ perform: ((board: Board) => (board.put('a', 'x'), escalate({ text: 'Well?' }))) as never })
		],
		[
			'versions-wrong',
			lying({
				perform: ((board: Board) => (
					board.put('a', 'x'),
					done({ key: 'a' }, { versions: { 'cells:a': 99 } })
				)) as never
			})
		],
		['versions-missing', lying({ perform: later as never })],
		[
			'threw',
			lying({
				perform: () => {
					throw new Error('broken');
				}
			})
		],
		['threw', lying({ perform: () => Promise.reject(new Error('broken')) })],
		['timeout', lying({ perform: () => new Promise(() => undefined) }), { timeoutMs: 5 }],
		['sample-refused', lying({ preview: () => refuse('no', 'No.') })],
		['sample-refused', lying({ perform: () => refuse('no', 'No.') })],
		['sample-refused', lying({ perform: () => unknown('lost', 'Lost.') })],
		['sample-refused', lying({ available: () => 'closed' })],
		['sample-refused', lying({ touches: (() => [{ read: 'nothing' }]) as never })],
		['reversible-without-undo', lying({}, { undo: undefined })]
	];
	test.for(lies)(
		'S2-76 %s: told by its law, at its place, and by no other',
		async ([law, manifest, options]) => {
			const found = await auditActs(manifest, () => new Board(), SAMPLE, options);
			expect(found.map(({ text }) => text)).toSatisfy((all: string[]) =>
				all.every((text) => text.startsWith('Act "put", sample 1: '))
			);
			const laws = new Set(found.map((one) => one.law));
			expect(laws).toContain(law);
			// What follows from the lie may be told as well: a change that was called none, an act that showed nothing.
			const follows: Record<string, readonly string[]> = {
				'touches-missed': ['version-stuck', 'undo-incomplete', 'redo-incomplete'],
				'undo-incomplete': ['redo-incomplete'],
				'refuse-changed': ['sample-refused'],
				'look-changed': ['undo-incomplete'],
				'preview-changed': ['undo-incomplete'],
				'versions-missing': ['undo-incomplete', 'redo-incomplete']
			};
			for (const one of laws) expect([law, ...(follows[law] ?? [])]).toContain(one);
		}
	);

	test('S2-76 an act without a sample was not looked at; an empty list leaves it out knowingly', async () => {
		expect(await auditActs(honest, new Board(), {})).toEqual([
			{ law: 'sample-missing', text: 'Act "put" has no sample.' }
		]);
		expect(await lawsOf(honest, { put: [] })).toEqual([]);
		expect(await auditActs(honest, new Board(), { put: [], nothing: [] })).toEqual([
			{ law: 'sample-missing', text: 'There is no act "nothing".' }
		]);
		expect(await lawsOf(honest, { put: [{ key: 1 }, null, new Map()] })).toEqual(['sample-refused']);
	});

	test('S2-76 a read that follows from others may move with them, where that is said', async () => {
		const counting = lying(
			{
				perform: ((board: Board, { key, value }: { key: string; value: string }) => (
					board.put(key, value),
					done({ key })
				)) as never
			},
			{
				reads: {
					...honest.reads,
					other: {
						description: 'How many letters',
						read: (board: Board) => Object.values(board.cells).join('').length,
						version: (board: Board) => board.whole
					}
				}
			}
		);
		expect(await lawsOf(counting)).toEqual(['touches-missed']);
		expect(await lawsOf(counting, SAMPLE, { derived: ['other'] })).toEqual([]);
	});

	test('S2-76 a secret is looked at by its version alone', async () => {
		let read = 0;
		const shy = lying(
			{ effect: 'none', perform: ((board: Board) => ((board.pin = 'longer than before'), done())) as never },
			{
				reads: {
					...honest.reads,
					pin: { ...honest.reads.pin, read: (board: Board) => ((read += 1), board.pin) }
				}
			}
		);
		expect(await lawsOf(shy)).toEqual(['effect-changed']);
		expect(read).toBe(0);
	});
});

describe('S2-76 the audit of what is declared', () => {
	test('S2-76 a sound manifest passes; the version of a secret that is its value does not', () => {
		expect(auditManifest(honest, new Board())).toEqual([]);
		for (const version of [(board: Board) => board.pin, (board: Board) => `v-${board.pin}-1`])
			expect(
				auditManifest(
					{ ...honest, reads: { ...honest.reads, pin: { ...honest.reads.pin, version } } } as never,
					new Board()
				).map(({ law }) => law)
			).toEqual(['secret-version']);
	});
});
