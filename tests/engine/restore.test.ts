import fc from 'fast-check';
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
	},
	{
		name: 'a correction while a card is open',
		script(request) {
			const corrected = request.messages.some((one) => one.role === 'user' && one.text === 'in euros');
			if (!corrected) return { calls: [write('amount', '1 $'), write('due', '2')] };
			return results(request) === 2 ? { calls: [write('amount', '1 €')] } : { say: 'Corrected.' };
		},
		react(run) {
			if (run.state.revision === 1) void run.steer('in euros', person);
			else approve(run);
		},
		ends: 'completed'
	},
	{
		name: 'a pause in which everything is rejected, and a stop',
		script: () => ({ calls: [write('amount', '1'), write('due', '2')] }),
		react(run) {
			const open = run.state.reviews.find(({ status }) => status === 'open');
			const paused = run.state.escalations.some(({ code }) => code === 'paused');
			if (run.state.reviews.length > 1) void run.stop('enough', person);
			else if (open && !paused) run.pause(person);
			else if (open) run.decide({ review: open.id, verdict: 'reject' }, person);
			else if (paused) run.resume(person);
		},
		ends: 'interrupted'
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
			made.engine.get(made.engine.runs[0]!.id)!.pause(person);
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

	const deed = fc.constantFrom(
		'approve',
		'reject',
		'answer',
		'pause',
		'resume',
		'steer',
		'renew',
		'stop',
		'wait'
	);
	const turn = fc.constantFrom<ScriptedTurn>(
		{ calls: [write('amount', '1'), write('due', '2')] },
		{ calls: [write('city', '3'), send('x@y.example')] },
		{ control: [{ name: 'ask', args: { text: 'Who?' } }] },
		{ fail: { text: 'busy' } },
		{ say: 'Done.' }
	);

	test('S2-91 S2-32 returns control and sends nothing twice, thrown away at any record of any story', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(turn, { minLength: 1, maxLength: 4 }),
				fc.array(deed, { maxLength: 10 }),
				fc.array(fc.nat(12), { minLength: 1, maxLength: 3 }),
				fc.constantFrom('resume' as const, 'return' as const),
				async (turns, deeds, throws, recovery) => {
					const made = bench((_request, index) => turns[index] ?? { say: 'Done.' }, {
						budget: { acts: 3 },
						patience: { settleMs: 100 }
					});
					let engine = made.engine;
					const left = [...throws];
					let taken: EngineSnapshot | undefined;
					const listen = (on: EngineAgent) => {
						let after = left.shift();
						if (after === undefined) return;
						on.subscribe(() => {
							if (after!-- > 0 || taken) return;
							taken = on.snapshot();
							on.abandon();
						});
					};
					const settle = async () => {
						await made.settle();
						for (; taken; await made.settle()) {
							const snapshot = taken;
							taken = undefined;
							const next = EngineAgent.restore({ ...made.options, recovery }, snapshot);
							listen(next);
							await next.ready;
							engine = next;
						}
					};
					listen(engine);
					const { id } = engine.run('Correct the sheet', { by: person });
					await settle();
					for (const what of deeds) {
						const run = engine.get(id)!;
						const asked = run.state.questions.find(({ status }) => status === 'open');
						const review = run.state.reviews.find(({ status }) => status === 'open');
						if (what === 'approve' || what === 'reject') {
							if (review) run.decide({ review: review.id, verdict: what }, person);
						} else if (what === 'answer') {
							if (asked) run.answer(asked.id, asked.reason === 'consent' ? [] : 'me', person);
						} else if (what === 'pause') run.pause(person);
						else if (what === 'resume') run.resume(person);
						else if (what === 'steer') void run.steer('no, euros', person);
						else if (what === 'renew') run.renew({ acts: 2 }, person);
						else if (what === 'stop') void run.stop(undefined, person);
						else await made.clock.advance(2000);
						await settle();
						const now = engine.get(id)!;
						expect(verify(now.journal)).toEqual([]);
						expect(fold(now.journal)).toEqual(now.state);
					}
					void engine.get(id)!.stop(undefined, person);
					await settle();
					if (!engine.get(id)!.state.outcome) void engine.get(id)!.stop(undefined, person);
					await made.clock.advance(1000);
					const run = engine.get(id)!;
					expect(run.state.outcome).toBeDefined();
					const sendings = run.state.effects.filter(({ act }) => act === 'send');
					expect(made.sheet.sent.length).toBeLessThanOrEqual(sendings.length);
					for (const { status } of sendings)
						expect(['confirmed', 'unknown', 'withdrawn', 'failed']).toContain(status);
					expect(made.sheet.sent.length).toBeGreaterThanOrEqual(
						sendings.filter(({ status }) => status === 'confirmed').length
					);
				}
			),
			{ numRuns: 150 }
		);
	}, 120_000);
});
