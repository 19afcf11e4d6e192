import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	EngineAgent,
	fold,
	verify,
	type AgentOptions,
	type JournalRecord,
	type Run,
	type TurnRequest
} from '../../src/lib/agent/index.js';
import type { ScriptedTurn } from '../../src/lib/agent/adapters/scripted.js';
import { memoryStore } from '../../src/lib/agent/stores/memory.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, write } from '../fixtures/engine.js';
import { Sheet, sheetManifest } from '../fixtures/sheet.js';
import { z } from 'zod';
import { defineManifest, done } from '../../src/lib/agent/capability/index.js';
import { createRegistry } from '../../src/lib/agent/capability/registry.js';

const said = (request: TurnRequest): string[] =>
	request.messages.flatMap((one) => (one.role === 'user' ? [one.text] : []));
const results = (request: TurnRequest) => request.messages.filter(({ role }) => role === 'result');
const kinds = (run: Run) => run.journal.map(({ kind }) => kind);
const data = <T>(record: JournalRecord | undefined): T => record?.data as T;
const approve = (run: Run) => {
	const review = run.state.reviews.find(({ status }) => status === 'open');
	return review && run.decide({ review: review.id, verdict: 'approve' }, person);
};

/** Writes until it is told otherwise, then what it was told. */
const script = (request: TurnRequest): ScriptedTurn => {
	const last = said(request).at(-1)!;
	const told = results(request).length;
	if (told > 8) return { say: 'Enough.' };
	return /euros/.test(last) && told > 0 && said(request).length > 1
		? told > 2
			? { say: 'In euros.' }
			: { calls: [write('amount', '5 €')] }
		: told > 1
			? { say: 'Done.' }
			: { calls: [write('amount', '5 $'), write('due', 'now')] };
};

async function reviewed(options: Partial<AgentOptions> = {}) {
	const made = bench(script, options);
	await made.engine.ready;
	const run = made.engine.run('Fill it in', { by: person });
	await made.settle();
	expect(run.state.state).toBe('reviewing');
	return { ...made, run };
}

describe('what is said to a run under way', () => {
	test('S3-02 S3-06 S3-10 S3-12 S3-24 S3-25 S3-26 S3-32 S3-38 S3-39 a correction is the next revision, told with what it changed', async () => {
		const { run, settle, requests, sheet } = await reviewed();
		const spent = run.state.budget.spent.acts;
		const steps = run.state.steps.map(({ id }) => id);
		const report = await run.steer('Use euros', person);
		expect(report).toMatchObject({
			revision: 2,
			kind: 'correction',
			superseded: steps,
			completed: [],
			unresolved: []
		});
		expect(report.interpretation).not.toBe('');
		await settle();
		approve(run);
		await settle();
		approve(run);
		await settle();
		expect((await run.returned).kind).toBe('completed');
		expect(sheet.cells.amount).toBe('5 €');
		// The order of the records: closed for the old work before anything new is dispatched.
		const order = kinds(run);
		const revised = order.indexOf('revision.accepted');
		const closed = order.lastIndexOf('step.closed', order.indexOf('checkpoint.taken'));
		const opened = order.indexOf('turn.opened', revised);
		expect(revised).toBeLessThan(closed);
		expect(order.indexOf('checkpoint.taken')).toBeGreaterThan(closed);
		expect(order.indexOf('checkpoint.taken')).toBeLessThan(opened);
		expect(order.indexOf('effect.dispatched')).toBeGreaterThan(opened);
		// The former revision stays readable, its plan is no instruction any more.
		expect(run.state.revisions.map(({ n, text }) => [n, text])).toEqual([
			[1, 'Fill it in'],
			[2, 'Use euros']
		]);
		expect(run.state.transitions).toEqual([
			{ revision: 2, kind: 'correction', text: 'Use euros', superseded: steps, completed: [], unresolved: [] }
		]);
		const after = requests.at(-1)!.messages;
		const old = after.filter((one) => one.role === 'result' && one.performative === 'cancel');
		expect(JSON.stringify(old)).toContain('superseded');
		const checkpoint = run.journal.find(({ kind }) => kind === 'checkpoint.taken');
		const { left } = data<{ left: { acts: number } }>(checkpoint);
		expect(left.acts).toBe(run.state.budget.limit.acts - spent);
		expect(data(checkpoint)).toMatchObject({ revision: 2, completed: [], unresolved: [], pending: [] });
		expect(verify(run.journal)).toEqual([]);
		expect(fold(run.journal)).toEqual(run.state);
	});

	test('S3-06 S3-07 a question about progress makes no revision and stops nothing', async () => {
		const { run, settle } = await reviewed();
		const report = await run.steer('How far are you?', person);
		expect(report).toMatchObject({ revision: 1, kind: 'progress', superseded: [] });
		expect(report.interpretation).toMatch(/reviewing.*0 of 2/);
		expect(run.state.reviews.map(({ status }) => status)).toEqual(['open']);
		expect(data(run.journal.at(-1))).toMatchObject({
			kind: 'progress',
			how: 'rule',
			text: 'How far are you?'
		});
		approve(run);
		await settle();
		expect((await run.returned).kind).toBe('completed');
	});

	for (const [said, kind, state] of [
		['wait a moment', 'pause', 'escalated'],
		['stop', 'cancel', 'cancelled']
	] as const)
		test(`S3-06 S3-16 "${said}" is recorded as what it is, and takes effect in the same tick`, async () => {
			const { run, settle } = await reviewed();
			const report = run.steer(said, person);
			expect(run.journal.find(({ kind }) => kind === 'update.received')?.data).toMatchObject({ kind });
			await settle();
			expect(await report).toMatchObject({ revision: 1, kind });
			expect(run.state.state).toBe(state);
		});

	test('S3-06 S3-11 what can be meant in two ways is asked, and supersedes nothing; the answer takes effect', async () => {
		const { run, settle, engine } = await reviewed();
		const report = await run.steer('cancel the second line', person);
		expect(report).toMatchObject({ revision: 1, superseded: [] });
		const question = run.state.questions.find(({ id }) => id === report.question)!;
		expect(question).toMatchObject({
			status: 'open',
			text: expect.stringContaining('cancel the second line')
		});
		expect(run.state).toMatchObject({ state: 'escalated', revision: 1 });
		expect(engine.pending).toContainEqual({ kind: 'question', question });
		expect(run.answer(question.id, 'nonsense', person)).toMatchObject({ ok: false });
		expect(run.answer(question.id, 'correction', person)).toEqual({ ok: true });
		await settle();
		expect(run.state.revision).toBe(2);
		expect(run.state.revisions.at(-1)).toMatchObject({ kind: 'correction', text: 'cancel the second line' });
	});

	for (const [answer, ends] of [
		['cancel', 'cancelled'],
		['progress', 'reviewing'],
		['pause', 'escalated']
	] as const)
		test(`S3-11 answered "${answer}" it is that`, async () => {
			const { run, settle } = await reviewed();
			const { question } = await run.steer('hold the order', person);
			run.answer(question!, answer, person);
			await settle();
			expect(run.state.state).toBe(ends);
			expect(run.state.revision).toBe(1);
		});

	test('S3-11 declined it is nothing', async () => {
		const { run, settle } = await reviewed();
		const { question } = await run.steer('hold the order', person);
		run.decline(question!, undefined, person);
		await settle();
		expect(run.state).toMatchObject({ state: 'reviewing', revision: 1 });
	});

	test('S3-06 an app may know better what is meant; what it says wrongly or too late it has not said', async () => {
		const wrong = [
			() => undefined,
			() => ({ kind: 'nonsense', text: 'x' }) as never,
			() => {
				throw new Error('no');
			},
			() => Promise.reject(new Error('no'))
		];
		for (const classify of wrong) {
			const { run } = await reviewed({ classify });
			expect((await run.steer('hold the order', person)).question).toBeDefined();
		}
		const { run } = await reviewed({
			classify: async (text, { state }) => ({ kind: state === 'reviewing' ? 'goal' : 'pause', text })
		});
		expect(await run.steer('hold the order', person)).toMatchObject({ kind: 'goal', revision: 2 });
		const slow = await reviewed({ classify: () => new Promise(() => undefined) });
		const waiting = slow.run.steer('hold the order', person);
		await slow.clock.advance(60_000);
		expect((await waiting).question).toBeDefined();
	});

	test('S3-09 updates pass one after another, also where somebody is asked what they mean', async () => {
		let go!: () => void;
		const first = new Promise<void>((resolve) => (go = resolve));
		const { run } = await reviewed({
			classify: async (text) => {
				await first;
				return { kind: 'correction', text };
			}
		});
		const one = run.steer('hold the order', person);
		const two = run.steer('in euros', person);
		go();
		expect([(await one).revision, (await two).revision]).toEqual([2, 3]);
		expect(run.state.revisions.map(({ text }) => text)).toEqual(['Fill it in', 'hold the order', 'in euros']);
	});

	test('S3-01 S3-09 an update is kept before it is confirmed, and is there after a crash', async () => {
		const store = memoryStore();
		let open!: () => void;
		let held = false;
		const gate = new Promise<void>((resolve) => (open = resolve));
		const slow: typeof store = {
			...store,
			append: async (...args) => {
				if (held) await gate;
				return store.append(...args);
			}
		};
		const made = await reviewed({ store: slow });
		const { run, settle, requests } = made;
		held = true;
		let confirmed = false;
		const report = run.steer('Use euros', person).then((told) => {
			confirmed = true;
			return told;
		});
		await settle();
		// Nothing of the old goes on, nothing of the new begins.
		expect([confirmed, requests.length]).toEqual([false, 1]);
		expect(run.state.reviews.map(({ status }) => status)).toEqual(['superseded']);
		held = false;
		open();
		await settle();
		expect(await report).toMatchObject({ revision: 2 });
		made.engine.abandon();
		await settle();
		const again = new EngineAgent({ ...made.options, store, recovery: 'resume' });
		await again.ready;
		await settle();
		expect(again.get(run.id)!.state.revision).toBe(2);
		expect(again.get(run.id)!.id).toBe(run.id);
	});

	test('S3-09 an update that cannot be kept says so', async () => {
		let full = false;
		const inner = memoryStore();
		const store: typeof inner = {
			...inner,
			append: (...args) => (full ? Promise.reject(new Error('full')) : inner.append(...args))
		};
		const { run, settle } = await reviewed({ store });
		full = true;
		const report = await run.steer('Use euros', person);
		expect(report.refused?.code).toBe('store');
		await settle();
		expect(run.state.escalations.map(({ code }) => code)).toContain('store');
	});

	test('S3-02 S3-05 S3-12 I18 25 steers while one act is under way are all there, in order, and are obeyed by nobody but the last', async () => {
		const made = bench((request) =>
			results(request).length === 0 ? { calls: [write('amount', '1'), write('due', '2')] } : { say: 'Done.' }
		);
		const run = made.engine.run('Fill it in', { by: person });
		await made.settle();
		made.sheet.fault = 'never';
		approve(run);
		await made.settle();
		expect(run.state.state).toBe('acting');
		const reports = Promise.all(
			Array.from({ length: 25 }, (_, i) => run.steer({ kind: 'correction', text: `change ${i}` }, person))
		);
		await made.settle();
		expect((await reports).map(({ revision }) => revision)).toEqual(
			Array.from({ length: 25 }, (_, i) => i + 2)
		);
		expect(made.requests).toHaveLength(1);
		// The act under way stays in the ledger until its outcome is known.
		expect(run.state.effects).toMatchObject([{ status: 'dispatched' }]);
		await made.clock.advance(31_000);
		await made.settle();
		expect(run.state.effects).toMatchObject([{ status: 'unknown' }]);
		expect(made.requests).toHaveLength(2);
		expect(said(made.requests[1]!).slice(1)).toEqual(Array.from({ length: 25 }, (_, i) => `change ${i}`));
		expect(made.requests[1]!.messages.at(-1)).toMatchObject({ text: 'change 24' });
		expect(kinds(run).filter((kind) => kind === 'checkpoint.taken')).toHaveLength(1);
	});

	test('S3-15 S3-31 S3-35 an act that ends after the change counts, and what it says is not gone by', async () => {
		const sheet = new Sheet();
		const registry = createRegistry();
		let finish!: () => void;
		const gate = new Promise<void>((resolve) => (finish = resolve));
		const { act, ...rest } = { act: sheetManifest.acts.write!, manifest: sheetManifest };
		registry.register(
			{
				...rest.manifest,
				kind: 'slow',
				acts: {
					write: {
						...act,
						async perform(provider, args) {
							await gate;
							(provider as Sheet).write((args as { key: string }).key, (args as { value: string }).value);
							return done({ secret: 'of the old course' });
						}
					}
				}
			},
			sheet,
			{ id: 'slow', label: 'Slow' }
		);
		const made = bench(
			(request) =>
				results(request).length === 0
					? { calls: [{ instance: 'slow', act: 'write', args: { key: 'amount', value: '1' } }] }
					: { say: 'Done.' },
			{ registry }
		);
		const run = made.engine.run('Fill it in', { by: person });
		await made.settle();
		approve(run);
		await made.settle();
		expect(run.state.effects).toMatchObject([{ status: 'dispatched' }]);
		const report = await run.steer('in euros', person);
		expect(report.unresolved).toEqual(run.state.effects.map(({ operation }) => operation));
		finish();
		await made.settle();
		expect(run.state.effects).toMatchObject([{ status: 'confirmed' }]);
		const [told] = results(made.requests.at(-1)!);
		expect(JSON.stringify(told)).not.toContain('of the old course');
		expect(told).toMatchObject({
			content: { done: true, note: expect.stringContaining('earlier instructions') }
		});
		// What it left behind is there to be looked at.
		expect(run.state.steps[0]!.result).toEqual({ secret: 'of the old course' });
		expect(sheet.cells.amount).toBe('1');
	});

	test('S3-13 S4-49 a run that an act began is told at once, works under the same change, and what it says of before is not gone by', async () => {
		const registry = createRegistry();
		const desk: { begun: Run[]; engine?: EngineAgent } = { begun: [] };
		registry.register(
			defineManifest<typeof desk>()({
				kind: 'desk',
				description: 'Hands work on',
				reads: {},
				acts: {
					hand: {
						description: 'Hand on',
						args: z.strictObject({}),
						effect: 'reversible',
						locks: () => [],
						async perform(it, _args, { actor }) {
							const run = it.engine!.run('Look it up', { by: actor });
							it.begun.push(run);
							const { text = '' } = await run.returned;
							return done({ text });
						}
					}
				},
				undo: () => ({ undone: 0, kept: [] })
			}),
			desk,
			{ id: 'desk', label: 'Desk' }
		);
		const made = bench(
			(request) => {
				if (said(request)[0] === 'Look it up')
					return said(request).length > 1 ? { say: 'in euros' } : { hang: true };
				return results(request).length === 0
					? { calls: [{ instance: 'desk', act: 'hand', args: {} }] }
					: { say: 'Done.' };
			},
			{ registry, policy: { ceiling: 'auto' } }
		);
		const { engine } = made;
		desk.engine = engine;
		const run = engine.run('Find it', { by: person });
		for (let i = 0; i < 5; i++) await made.settle();
		const [below] = desk.begun;
		expect(below!.state).toMatchObject({ parent: run.id, revision: 1, state: 'offered' });
		const told = run.steer('in euros', person);
		expect(below!.state.revision).toBe(2);
		expect(await told).toMatchObject({
			revision: 2,
			unresolved: run.state.effects.map(({ operation }) => operation)
		});
		for (let i = 0; i < 5; i++) await made.settle();
		expect(await below!.returned).toMatchObject({ kind: 'answered', text: 'in euros' });
		// Its result came from an act of the earlier instructions.
		const closing = made.requests.filter((one) => said(one)[0] === 'Find it').at(-1)!;
		expect(JSON.stringify(results(closing))).toContain('earlier instructions');
		expect(await run.returned).toMatchObject({ kind: 'completed' });

		const again = engine.run('Find it', { by: person });
		for (let i = 0; i < 5; i++) await made.settle();
		void again.stop('enough', person);
		for (let i = 0; i < 5; i++) await made.settle();
		expect(desk.begun[1]!.state.outcome?.kind).toBe('interrupted');
		expect(await again.returned).toMatchObject({ kind: 'interrupted' });
	});

	test('S3-01 S3-29 S3-30 what is said after the end is a further task, which names what was made before', async () => {
		const { run, settle, engine } = await reviewed();
		approve(run);
		await settle();
		await run.returned;
		const before = run.journal.length;
		const { successor, revision, refused } = await run.steer('And now the letter', person);
		expect([revision, refused]).toEqual([1, undefined]);
		const next = engine.get(successor!)!;
		expect(next.state).toMatchObject({ successorOf: run.id, thread: run.state.thread });
		const opened = data<{ artifacts: { run: string; step: string; digest: string }[] }>(next.journal[0]);
		expect(opened.artifacts.map((one) => [one.run, one.step])).toEqual(
			run.state.steps.filter(({ result }) => result !== undefined).map(({ id }) => [run.id, id])
		);
		expect(JSON.stringify(opened.artifacts)).not.toContain('5 $');
		expect(run.journal).toHaveLength(before);
	});

	test('S3-40 a steer in the very last tick of a run is answered or carried on, never lost', async () => {
		for (const at of ['effect.settled', 'turn.closed', 'run.ended']) {
			const made = bench((request) =>
				results(request).length === 0 ? { calls: [write('amount', '1')] } : { say: 'Done.' }
			);
			let report: ReturnType<Run['steer']> | undefined;
			const run = made.engine.run('Fill it in', { by: person });
			made.engine.subscribe(({ kind, run: of }) => {
				if (kind === at && of === run.id) report ??= run.steer('in euros', person);
			});
			await made.settle();
			approve(run);
			await made.settle();
			const { revision, successor } = await report!;
			if (successor === undefined) {
				expect(revision, at).toBe(2);
				expect(said(made.requests.at(-1)!), at).toContain('in euros');
			} else expect(made.engine.get(successor)!.state.goal, at).toBe('in euros');
		}
	});

	test('S3-37 a pause keeps the plan; resumed, the same revision goes on and nothing is done twice', async () => {
		const { run, settle, sheet } = await reviewed();
		await run.steer('pause', person);
		approve(run);
		await settle();
		expect(sheet.log).toEqual([]);
		run.resume(person);
		await settle();
		expect((await run.returned).kind).toBe('completed');
		expect(run.state.revision).toBe(1);
		expect(sheet.log).toHaveLength(2);
	});

	test('S3-04 S3-08 what was allowed under older instructions is refused at the door, and the goal stays', async () => {
		const { run, settle, sheet, requests } = await reviewed();
		const review = run.state.reviews[0]!;
		void run.steer('in euros', person);
		expect(run.decide({ review: review.id, verdict: 'approve' }, person)).toMatchObject({ ok: false });
		await settle();
		expect(sheet.log).toEqual([]);
		expect(said(requests.at(-1)!)).toEqual(['Fill it in', 'in euros']);
	});

	test('S3-06 agents and callers from outside change no course; an app may', async () => {
		const { run } = await reviewed();
		for (const kind of ['agent', 'outside'] as const)
			expect(await run.steer('in euros', { kind, id: 'x' })).toMatchObject({
				refused: { code: 'person-required' },
				revision: 1
			});
		expect(await run.steer('in euros', { kind: 'app', id: 'app' })).toMatchObject({ revision: 2 });
	});

	test('S3-02 S3-09 S3-14 I18 in whatever order things are said, decided and done: nothing is lost, each counts once, old permissions are void', async () => {
		const move = fc.constantFrom('steer', 'approve', 'settle', 'pause', 'resume', 'progress');
		await fc.assert(
			fc.asyncProperty(fc.array(move, { maxLength: 14 }), async (moves) => {
				const made = bench((request) =>
					results(request).length > 12 ? { say: 'Enough.' } : { calls: [write('amount', String(Math.PI))] }
				);
				const run = made.engine.run('Fill it in', { by: person });
				await made.settle();
				const sent: string[] = [];
				for (const one of moves) {
					if (run.state.outcome) break;
					if (one === 'steer') {
						sent.push(`say ${sent.length}`);
						void run.steer({ kind: 'correction', text: sent.at(-1)! }, person);
					} else if (one === 'approve') approve(run);
					else if (one === 'settle') await made.settle();
					else if (one === 'pause') run.pause(person);
					else if (one === 'resume') run.resume(person);
					else void run.steer('How far are you?', person);
				}
				await made.settle();
				expect(run.state.revisions.slice(1).map(({ text }) => text)).toEqual(sent);
				expect(run.state.revision).toBe(sent.length + 1);
				// Whatever ran was proposed under the instructions that held when it was admitted.
				const revisions = new Map<string, number>();
				for (const { kind, revision, data: what } of run.journal) {
					if (kind === 'plan.proposed')
						for (const { id } of (what as unknown as { steps: { id: string }[] }).steps)
							revisions.set(id, revision);
					if (kind === 'effect.dispatched')
						expect(revisions.get((what as unknown as { step: string }).step)).toBe(revision);
				}
				expect(verify(run.journal)).toEqual([]);
				await made.engine.dispose();
			}),
			{ numRuns: 60 }
		);
	});
});
