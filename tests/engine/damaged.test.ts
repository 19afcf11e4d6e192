import { describe, expect, test, vi } from 'vitest';
import { done } from '../../src/lib/agent/capability/index.js';
import type { Registry } from '../../src/lib/agent/capability/registry.js';
import { EngineAgent, type JournalRecord, verify } from '../../src/lib/agent/index.js';
import { labelled } from '../../src/lib/agent/protocol/labelled.js';
import { memoryStore } from '../../src/lib/agent/stores/memory.js';
import { laboratory, look, set, wire } from '../fixtures/lab.js';

const ME = { kind: 'human', id: 'me' } as const;

const pass = async ({ clock }: Pick<ReturnType<typeof laboratory>, 'clock'>) => {
	for (let i = 0; i < 5; i++) await clock.advance(1000);
};

/** Records that say what cannot be, in the place of one that can. */
const DAMAGED: [string, Partial<JournalRecord>][] = [
	['no data', { data: null }],
	['a turn nobody opened', { kind: 'turn.closed', data: { turn: 'x', calls: [], usage: {} } }],
	['a question nobody asked', { kind: 'question.closed', data: { question: 'q', status: 'answered' } }],
	['a plan of nothing', { kind: 'plan.proposed', data: {} }],
	['a mark that is none', { kind: 'effect.settled', data: { marked: 5 } }]
];

async function begun() {
	const first = laboratory([{ say: 'x' }]);
	const { id } = first.engine.run('old', { by: ME });
	await first.clock.advance(0);
	const [opened, started] = first.engine.get(id)!.journal;
	return { first, id, opened: opened!, started: started! };
}

describe('S2-90 one damaged journal keeps no other from being dealt with', () => {
	test.for([['nothing wrong', {}] as (typeof DAMAGED)[number], ...DAMAGED])(
		'S2-90 S2-91 an engine is ready and begins, with a store that holds a journal with %s',
		async ([, bad]) => {
			const { id, opened, started } = await begun();
			const store = memoryStore();
			await store.append(id, 0, [opened, started, { ...started, ...bad, seq: 2 }], {});
			let next = 0;
			const ids = { next: (kind: string) => `${kind}-new-${(next += 1)}` };
			const made = laboratory([{ say: 'x' }], { store, ids });
			await pass(made);
			await expect(made.engine.ready).resolves.toMatchObject({ resumed: [] });
			const run = made.engine.run('new', { by: ME });
			await pass(made);
			expect(run.state.outcome?.kind).toBe('answered');
		}
	);

	test.for([
		['what is open', { listOpen: async () => 5 }],
		['what there is', { list: async () => 5 }]
	] as const)('S2-90 S2-91 a store that answers with a number when it is asked %s', async ([, wrong]) => {
		const made = laboratory([{ say: 'x' }], { store: { ...memoryStore(), ...wrong } as never });
		await pass(made);
		await expect(made.engine.ready).resolves.toMatchObject({ resumed: [] });
		const run = made.engine.run('new', { by: ME });
		await pass(made);
		expect(run.state.outcome?.kind).toBe('answered');
	});

	test.for(DAMAGED)('S2-91 a snapshot with %s restores what else it holds', async ([, bad]) => {
		const { first, opened, started } = await begun();
		const other = [opened, started].map((record) => ({ ...record, run: 'other' }));
		const runs = [[opened, started, { ...started, ...bad, seq: 2 }], other];
		const engine = EngineAgent.restore(first.options, { version: 1, runs, blobs: {} });
		await engine.ready;
		expect(engine.get('other')?.state.outcome?.kind).toBe('interrupted');
	});
});

describe('I1 S0-04 what is damaged at the border throws nowhere', () => {
	test.for([
		['a number', 5],
		['nothing', null],
		['a list of numbers', [1]]
	] as const)('I1 origins of an attachment that are %s count as anybody’s', async ([, origins]) => {
		const { engine, clock } = laboratory([{ say: 'x' }]);
		const attachments = [{ name: 'n', text: 't', label: { integrity: 'trusted', origins } }];
		const run = engine.run({ text: 'x', attachments } as never, { by: ME });
		await pass({ clock });
		expect(run.state.outcome?.kind).toBe('answered');
		const { attachments: [taken] = [] } = run.journal[0]!.data as {
			attachments?: { label: { integrity: string } }[];
		};
		expect(taken?.label.integrity).toBe('untrusted');
	});

	test('I1 a budget that throws on being read is no budget of a run', () => {
		const { engine } = laboratory([{ say: 'x' }]);
		const fail = () => {
			throw new Error('no');
		};
		const budget = new Proxy({}, { get: fail, ownKeys: fail, has: fail });
		expect(engine.run('x', { by: ME, budget }).state.outcome).toMatchObject({
			kind: 'refused',
			reason: { code: 'args' }
		});
	});

	test.for([set('a', 'x'), wire('x'), look('x')])(
		'I1 I11 a result whose label is damaged is settled all the same: $act',
		async (call) => {
			const made = laboratory([{ calls: [call] }, { say: 'x' }]);
			made.lab.next = [() => done(labelled('x', { origins: null } as never) as never)];
			const run = made.engine.run('go', { by: ME });
			await pass(made);
			const [review] = run.state.reviews;
			if (review) run.decide({ review: review.id, verdict: 'approve' }, ME);
			await pass(made);
			expect(run.state.outcome?.kind).not.toBe('failed');
			expect(run.state.effects.every(({ status }) => status === 'confirmed')).toBe(true);
			expect(run.state.label.integrity).toBe('untrusted');
			expect(verify(run.journal)).toEqual([]);
		}
	);

	test.for(['done', 'later'])(
		'I11 I1 an outcome that cannot be taken in (%s) is unknown, and what it touched is anybody’s from then on',
		async (how) => {
			const made = laboratory([{ calls: [set('a', 'x')] }, { say: 'x' }]);
			const entry = vi.spyOn(made.engine.registry as Registry, 'entry');
			const broken = () => {
				entry.mockImplementationOnce(() => {
					throw new Error('broken');
				});
				return done();
			};
			made.lab.next = [how === 'done' ? broken : () => Promise.resolve().then(broken)];
			const run = made.engine.run('go', { by: ME });
			await pass(made);
			expect(made.lab.log).toHaveLength(1);
			expect(run.state.effects).toMatchObject([{ status: 'unknown' }]);
			expect(run.state.steps[0]!.reasons).toMatchObject([{ code: 'threw' }]);
			expect(run.state.outcome?.reason?.code).not.toBe('threw');
			expect(run.state.label.integrity).toBe('untrusted');
			expect(verify(run.journal)).toEqual([]);
		}
	);
});
