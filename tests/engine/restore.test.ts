import { describe, expect, test } from 'vitest';
import {
	canonical,
	EngineAgent,
	fold,
	verify,
	type AgentOptions,
	type EngineSnapshot,
	type JournalRecord,
	type Run,
	type TurnRequest
} from '../../src/lib/agent/index.js';
import type { ScriptedTurn } from '../../src/lib/agent/adapters/scripted.js';
import { memoryStore } from '../../src/lib/agent/stores/memory.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, send, write } from '../fixtures/engine.js';

type Bench = ReturnType<typeof bench>;

/** A story: what the model does by what it was told, and what a person does about whatever is pending. */
interface Story {
	name: string;
	script: (request: TurnRequest) => ScriptedTurn;
	options?: Partial<AgentOptions>;
	runOptions?: Parameters<EngineAgent['run']>[1];
	/** Does one thing about what waits; called until nothing changes any more. */
	react(run: Run, made: Bench): void;
	ends: string;
}

const results = (request: TurnRequest): number =>
	request.messages.filter(({ role }) => role === 'result').length;

const approve = (run: Run): void => {
	const review = run.state.reviews.find(({ status }) => status === 'open');
	if (review) run.decide({ review: review.id, verdict: 'approve' }, person);
};

const stories: readonly Story[] = [
	{
		name: 'a plan within the page, one value edited',
		script: (request) =>
			results(request) === 0
				? { say: 'Both.', calls: [write('amount', '1280'), write('due', '2027-01-14')] }
				: { say: 'Done.' },
		react(run) {
			const review = run.state.reviews.find(({ status }) => status === 'open');
			if (!review) return;
			const [first, second] = review.steps;
			run.decide(
				{
					review: review.id,
					steps: {
						[first!]: { verdict: 'approve' },
						[second!]: { verdict: 'edit', args: { key: 'due', value: '2027-01-15' } }
					}
				},
				person
			);
		},
		ends: 'completed'
	},
	{
		name: 'a question and a budget that is renewed',
		script(request) {
			if (request.tools.length === 0) return { say: 'I wrote the amount; the rest is open.' };
			const told = results(request);
			if (told === 0) return { control: [{ name: 'ask', args: { text: 'Which amount?' } }] };
			if (told === 1) return { calls: [write('amount', '7'), write('due', 'now')] };
			return { say: 'All done.' };
		},
		runOptions: { budget: { acts: 1 } },
		react(run) {
			const asked = run.state.questions.find((one) => one.status === 'open' && one.reason === 'question');
			if (asked) run.answer(asked.id, '7', person);
			else if (run.state.escalations.some(({ code }) => code.startsWith('budget')))
				run.renew({ acts: 5 }, person);
			else approve(run);
		},
		ends: 'completed'
	},
	{
		name: 'a value that drifts after its approval and is reviewed again',
		script: (request) =>
			results(request) === 0 ? { calls: [write('amount', '1'), write('due', '2')] } : { say: 'Corrected.' },
		react(run, { sheet }) {
			const open = run.state.reviews.find(({ status }) => status === 'open');
			if (!open) return;
			if (run.state.reviews.length === 1 && sheet.cells.due === '2026-12-15') sheet.write('due', 'mine');
			run.decide({ review: open.id, verdict: 'approve' }, person);
		},
		ends: 'completed'
	}
];

/** Lets everything happen that will, with the person at hand. */
async function play(run: () => Run | undefined, made: Bench, story: Story): Promise<void> {
	for (let i = 0; i < 40; i++) {
		await made.settle();
		const current = run();
		if (!current || current.state.outcome) break;
		story.react(current, made);
	}
	await made.settle();
}

async function whole(story: Story): Promise<readonly JournalRecord[]> {
	const made = bench(story.script, story.options);
	const run = made.engine.run('Correct the sheet', { by: person, ...story.runOptions });
	await play(() => run, made, story);
	expect(run.state.outcome?.kind).toBe(story.ends);
	expect(verify(run.journal)).toEqual([]);
	return run.journal;
}

/** The same story, thrown away at record `seq` and restored over the same page, with a clock that goes on. */
async function broken(
	story: Story,
	seq: number,
	through: 'snapshot' | 'store'
): Promise<readonly JournalRecord[]> {
	const store = memoryStore();
	const made = bench(story.script, {
		...story.options,
		...(through === 'store' ? { store } : {})
	});
	const first = made.engine;
	let taken: EngineSnapshot | undefined;
	first.subscribe((record) => {
		if (record.seq !== seq || taken) return;
		taken = JSON.parse(JSON.stringify(first.snapshot())) as EngineSnapshot;
		first.abandon();
	});
	let run: Run | undefined = first.run('Correct the sheet', { by: person, ...story.runOptions });
	const { id } = run;
	await play(() => (taken ? undefined : run), made, story);
	expect(taken).toBeDefined();
	await made.settle();
	const options = { ...made.options, recovery: 'resume' as const };
	const second = through === 'store' ? new EngineAgent(options) : EngineAgent.restore(options, taken!);
	const report = await second.ready;
	run = second.get(id);
	if (!run) throw new Error('The run was not found again.');
	if (!run.state.outcome) expect(report.resumed).toEqual([id]);
	await play(() => run, made, story);
	expect(verify(run.journal)).toEqual([]);
	expect(fold(run.journal)).toEqual(run.state);
	return run.journal;
}

describe('an engine that is thrown away at any record', () => {
	for (const story of stories)
		for (const through of ['snapshot', 'store'] as const)
			test(`S2-91 goes on as if nothing had happened: ${story.name} (${through})`, async () => {
				const told = await whole(story);
				expect(told.length).toBeGreaterThan(14);
				// A run that has ended is no longer open in a store.
				for (let seq = 0; seq < told.length - (through === 'store' ? 1 : 0); seq++) {
					const again = await broken(story, seq, through);
					const before = seq + 1;
					expect(again.slice(0, before), `up to ${seq}`).toEqual(told.slice(0, before));
					expect(JSON.stringify(again.slice(0, before))).toBe(JSON.stringify(told.slice(0, before)));
					expect(canonical(again), `after ${seq} (${told[seq]!.kind})`).toBe(canonical(told));
				}
			}, 60_000);

	test('S2-91 S2-87 an act beyond the page that was intended and has no outcome is unknown, and never done twice', async () => {
		for (const at of ['effect.intended', 'effect.dispatched']) {
			const script = (request: TurnRequest): ScriptedTurn =>
				results(request) === 0 ? { calls: [send('x@y.example')] } : { say: 'Sent, I hope.' };
			const made = bench(script);
			let taken: EngineSnapshot | undefined;
			made.engine.subscribe(({ kind }) => {
				if (kind !== at) return;
				taken = made.engine.snapshot();
				made.engine.abandon();
			});
			const { id } = made.engine.run('Send it', { by: person });
			await made.settle();
			approve(made.engine.get(id)!);
			await made.settle();
			expect(made.sheet.sent).toEqual([]);
			const engine = EngineAgent.restore({ ...made.options, recovery: 'resume' }, taken!);
			const report = await engine.ready;
			expect(report).toMatchObject({ returned: [], resumed: [id] });
			expect(report.unknown).toHaveLength(1);
			await made.settle();
			const run = engine.get(id)!;
			expect(run.state).toMatchObject({ state: 'escalated', escalations: [{ code: 'unknown-effect' }] });
			expect(engine.pending).toContainEqual({
				kind: 'unknown-effect',
				run: id,
				operation: report.unknown[0]
			});
			expect(run.settle(report.unknown[0]!, 'done', { kind: 'app', id: 'app' })).toMatchObject({
				refused: { code: 'person-required' }
			});
			expect(run.settle(report.unknown[0]!, 'done', person)).toEqual({ ok: true });
			expect(await run.returned).toMatchObject({ kind: 'completed' });
			expect(run.state.effects).toMatchObject([{ status: 'confirmed' }]);
			expect(made.sheet.sent).toEqual([]);
			expect(verify(run.journal)).toEqual([]);
		}
	});

	test('S2-91 an act of the page that has visibly happened is not done again', async () => {
		const made = bench((request) =>
			results(request) === 0 ? { calls: [write('amount', '5')] } : { say: 'Done.' }
		);
		let taken: EngineSnapshot | undefined;
		made.engine.subscribe(({ kind }) => {
			if (kind === 'effect.dispatched') taken = made.engine.snapshot();
		});
		const { id } = made.engine.run('Write', { by: person });
		await made.settle();
		approve(made.engine.get(id)!);
		await made.settle();
		expect(made.sheet.log).toHaveLength(1);
		const engine = EngineAgent.restore({ ...made.options, recovery: 'resume' }, taken!);
		expect((await engine.ready).unknown).toHaveLength(1);
		const outcome = await engine.get(id)!.returned;
		expect(outcome.effects).toMatchObject([{ status: 'unknown' }]);
		expect(made.sheet.log).toHaveLength(1);
	});

	test('S2-91 S2-50 what was admitted by the lost engine passes the last look again', async () => {
		const made = bench((request) =>
			results(request) === 0 ? { calls: [write('amount', '5')] } : { say: 'Done.' }
		);
		let taken: EngineSnapshot | undefined;
		made.engine.subscribe(({ kind }) => {
			if (kind !== 'effect.dispatched') return;
			taken = made.engine.snapshot();
			made.engine.abandon();
		});
		const { id } = made.engine.run('Write', { by: person });
		await made.settle();
		approve(made.engine.get(id)!);
		await made.settle();
		const engine = EngineAgent.restore(
			{
				...made.options,
				recovery: 'resume',
				policy: { rules: [{ verdict: 'deny', act: 'write', reason: 'closed for today' }] }
			},
			taken!
		);
		await engine.ready;
		await made.settle();
		expect(made.sheet.log).toEqual([]);
		expect(engine.get(id)!.state.steps[0]!.status).not.toBe('confirmed');
		expect(verify(engine.get(id)!.journal)).toEqual([]);
	});

	test('S2-32 a run that is restored with an act under way can be stopped and paused at once', async () => {
		const made = bench((request) =>
			results(request) === 0 ? { calls: [write('amount', '5')] } : { say: 'Done.' }
		);
		let taken: EngineSnapshot | undefined;
		made.engine.subscribe(({ kind }) => {
			if (kind !== 'effect.dispatched') return;
			made.engine.runs[0] && made.engine.get(made.engine.runs[0].id)!.pause(person);
			taken = made.engine.snapshot();
			made.engine.abandon();
		});
		const { id } = made.engine.run('Write', { by: person });
		await made.settle();
		approve(made.engine.get(id)!);
		await made.settle();
		const engine = EngineAgent.restore({ ...made.options, recovery: 'resume' }, taken!);
		await engine.ready;
		await made.settle();
		const run = engine.get(id)!;
		expect(run.state.activity).toBe('paused');
		const report = await run.stop('enough', person);
		expect(run.state.outcome?.kind).toBe('interrupted');
		expect(report.confirmed).toEqual([]);
		expect(made.sheet.log).toEqual([]);
		expect(verify(run.journal)).toEqual([]);
	});

	test('S2-57 a reload returns the run as interrupted by recovery, and what was done stays', async () => {
		const made = bench((request) =>
			results(request) === 0 ? { calls: [write('amount', '5'), write('due', '6')] } : { hang: true }
		);
		const { id } = made.engine.run('Write', { by: person });
		await made.settle();
		approve(made.engine.get(id)!);
		await made.settle();
		const snapshot = made.engine.snapshot();
		made.engine.abandon();
		const engine = EngineAgent.restore(made.options, snapshot);
		expect(await engine.ready).toEqual({ returned: [id], resumed: [], unknown: [] });
		const run = engine.get(id)!;
		expect(run.state.state).toBe('returned');
		expect(await run.returned).toMatchObject({ kind: 'interrupted', reason: { code: 'recovery' } });
		expect(run.state.effects.map(({ status }) => status)).toEqual(['confirmed', 'confirmed']);
		expect(made.sheet.cells).toMatchObject({ amount: '5', due: '6' });
		expect(run.journal.slice(0, snapshot.runs[0]!.length)).toEqual(made.engine.get(id)!.journal);
		expect(verify(run.journal)).toEqual([]);
		expect(await engine.undo(id, person)).toMatchObject({ ok: true, parts: { sheet: { undone: 2 } } });
	});

	test('S2-57 also a run that had done nothing is returned, not cancelled: nobody cancelled it', async () => {
		const made = bench([{ hang: true }]);
		const { id } = made.engine.run('Think', { by: person });
		await made.settle();
		const snapshot = made.engine.snapshot();
		made.engine.abandon();
		const engine = EngineAgent.restore(made.options, snapshot);
		await engine.ready;
		expect(engine.get(id)!.state).toMatchObject({
			state: 'returned',
			outcome: { kind: 'interrupted', reason: { code: 'recovery' } }
		});
	});

	test('S2-91 the app may choose run by run, by what the run was about', async () => {
		const made = bench([{ hang: true }]);
		const first = made.engine.run('keep', { by: person });
		await made.settle();
		const second = made.engine.run('drop', { by: person });
		await made.settle();
		const snapshot = made.engine.snapshot();
		made.engine.abandon();
		const engine = EngineAgent.restore(
			{ ...made.options, recovery: ({ goal }) => (goal === 'keep' ? 'resume' : 'return') },
			snapshot
		);
		expect(await engine.ready).toEqual({ returned: [second.id], resumed: [first.id], unknown: [] });
		expect(await engine.get(first.id)!.returned).toMatchObject({ kind: 'answered' });
	});

	test('S2-58 S2-91 a store brings back every run that is open, and reports it', async () => {
		const store = memoryStore();
		const made = bench([{ say: 'Hello' }, { hang: true }], { store });
		const done = made.engine.run('greet', { by: person });
		await made.settle();
		const open = made.engine.run('think', { by: person });
		await made.settle();
		made.engine.abandon();
		expect(await store.listOpen()).toEqual([open.id]);
		const engine = new EngineAgent(made.options);
		expect(await engine.ready).toEqual({ returned: [open.id], resumed: [], unknown: [] });
		await made.settle();
		expect(await store.listOpen()).toEqual([]);
		expect(verify(await store.read(done.id))).toEqual([]);
		expect(verify(await store.read(open.id))).toEqual([]);
		expect(fold(await store.read(open.id), {}).outcome?.kind).toBe('interrupted');
	});
});
