import { describe, expect, test, vi } from 'vitest';
import {
	createRegistry,
	EngineAgent,
	fold,
	verify,
	type Actor,
	type JournalRecord,
	type LockPort,
	type Run,
	type StopReport,
	type TurnRequest
} from '../../src/lib/agent/index.js';
import { scripted, type ScriptedTurn } from '../../src/lib/agent/adapters/scripted.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, send, write } from '../fixtures/engine.js';
import { Sheet, sheetManifest } from '../fixtures/sheet.js';

const AUTO = { policy: { ceiling: 'auto' as const } };
const agent: Actor = { kind: 'agent', id: 'other' };
const app: Actor = { kind: 'app', id: 'app' };
const kinds = (run: Run): string[] => run.journal.map(({ kind }) => kind);
const review = (run: Run) => run.state.reviews.find(({ status }) => status === 'open');
const approve = (run: Run): void => {
	run.decide({ review: review(run)!.id, verdict: 'approve' }, person);
};
const told = (request: TurnRequest): number =>
	request.messages.filter(({ role }) => role === 'result').length;

function sound(run: Run): void {
	expect(verify(run.journal)).toEqual([]);
	expect(fold(run.journal)).toEqual(run.state);
}

describe('while another run is live', () => {
	test('S2-26 a run waits in line, its clock standing, and begins when the live one has ended', async () => {
		const { engine, settle, clock } = bench([{ hang: true }, { say: 'second' }]);
		const first = engine.run('first', { by: person });
		const second = engine.run('second', { by: person });
		await clock.advance(5000);
		expect(second.state).toMatchObject({ state: 'offered', activity: 'idle' });
		expect(second.state.budget.spent.ms).toBe(0);
		expect(kinds(second)).toEqual(['run.opened']);
		await first.stop(undefined, person);
		expect(await second.returned).toMatchObject({ kind: 'answered', text: 'second' });
		await settle();
		sound(second);
	});

	test('S2-26 a run that supersedes takes the place of the live one, before those in line', async () => {
		const { engine, settle } = bench([{ hang: true }, { hang: true }, { say: 'last' }]);
		const live = engine.run('live', { by: person });
		await settle();
		const waiting = engine.run('waiting', { by: person });
		const urgent = engine.run('urgent', { by: person, whenBusy: 'supersede' });
		expect(await live.returned).toMatchObject({ kind: 'superseded', reason: { code: 'superseded' } });
		expect(live.state.state).toBe('returned');
		await settle();
		expect(urgent.state.activity).toBe('thinking');
		expect(waiting.state.activity).toBe('idle');
		await urgent.stop(undefined, person);
		expect(await waiting.returned).toMatchObject({ kind: 'answered', text: 'last' });
		sound(live);
	});

	test('S2-26 S2-113 a run that refuses to wait is refused at once; one that waits for a person is still live', async () => {
		const { engine, settle } = bench([{ calls: [write('amount', '1')] }]);
		const live = engine.run('live', { by: person });
		await settle();
		expect(live.state.state).toBe('reviewing');
		const refused = engine.run('too', { by: person, whenBusy: 'refuse' });
		expect(await refused.returned).toMatchObject({ kind: 'refused', reason: { code: 'run-live' } });
		expect(kinds(refused)).toEqual(['run.opened', 'run.ended']);
		await live.stop(undefined, person);
	});

	test('S2-08 an offer waits for who accepts it, and that is the principal; a stop declines it', async () => {
		const { engine, settle, requests } = bench([{ say: 'Hello' }]);
		const offer = engine.offer('Shall I?');
		await settle();
		expect(engine.pending).toEqual([{ kind: 'offer', run: offer.id }]);
		expect(requests).toEqual([]);
		expect(offer.accept(agent)).toMatchObject({ refused: { code: 'person-required' } });
		expect(offer.accept(person)).toEqual({ ok: true });
		expect(offer.accept(person)).toMatchObject({ refused: { code: 'illegal-transition' } });
		expect(await offer.returned).toMatchObject({ kind: 'answered' });
		expect(offer.state.principal).toEqual(person);
		const other = engine.offer('And now?');
		await other.stop('no, thank you', person);
		expect(other.state).toMatchObject({
			state: 'cancelled',
			outcome: { kind: 'interrupted', reason: { text: 'no, thank you' } }
		});
		expect(other.accept(person)).toMatchObject({ refused: { code: 'run-over' } });
		const plain = engine.run('no offer');
		expect(plain.accept(person)).toMatchObject({ ok: false });
		sound(other);
	});
});

describe('a pause', () => {
	test('S2-112 lets the open request run to its end, and nothing of it runs until a person resumes', async () => {
		const { engine, settle, clock, sheet } = bench(
			[{ say: ['a', 'b'], calls: [write('amount', '1')], paceMs: 100 }, { say: 'Done.' }],
			AUTO
		);
		const run = engine.run('go', { by: person });
		await clock.advance(100);
		expect(run.pause(agent)).toEqual({ ok: true });
		expect(run.state).toMatchObject({ state: 'escalated', activity: 'paused' });
		const before = run.state.budget.spent.ms;
		await clock.advance(60_000);
		expect(run.state.turns[0]!.text).toBe('ab');
		expect(sheet.log).toEqual([]);
		expect(run.state.steps).toEqual([]);
		expect(run.state.budget.spent.ms).toBe(before);
		expect(run.resume(agent)).toMatchObject({ refused: { code: 'person-required' } });
		expect(run.resume(app)).toMatchObject({ refused: { code: 'person-required' } });
		expect(run.resume(person)).toEqual({ ok: true });
		await settle();
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(sheet.log).toHaveLength(1);
		sound(run);
	});

	test('S2-112 the expiry of a review stands still; decisions count from the resume', async () => {
		const { engine, settle, clock, sheet } = bench([{ calls: [write('amount', '1')] }, { say: 'Done.' }], {
			patience: { reviewMs: 1000 }
		});
		const run = engine.run('go', { by: person });
		await settle();
		await clock.advance(600);
		run.pause(person);
		await clock.advance(10_000);
		expect(review(run)).toBeDefined();
		approve(run);
		await settle();
		expect(run.state.state).toBe('escalated');
		expect(sheet.log).toEqual([]);
		run.resume(person);
		expect(run.state.state).toBe('authorized');
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		sound(run);
	});

	test('S2-112 what is left of a review after a pause is what was left before it', async () => {
		const { engine, settle, clock } = bench([{ calls: [write('amount', '1')] }], {
			patience: { reviewMs: 1000 }
		});
		const run = engine.run('go', { by: person });
		await settle();
		await clock.advance(600);
		run.pause(person);
		await clock.advance(10_000);
		run.resume(person);
		await clock.advance(399);
		expect(run.state.state).toBe('reviewing');
		await clock.advance(1);
		expect(await run.returned).toMatchObject({ kind: 'refused', reason: { code: 'expired' } });
		expect(run.state.reviews[0]!.status).toBe('expired');
	});

	test('S2-29 resumed with every step rejected, the run is planned in the same tick', async () => {
		const { engine, settle } = bench([{ calls: [write('amount', '1')] }, { hang: true }]);
		const run = engine.run('go', { by: person });
		await settle();
		run.pause(person);
		run.decide({ review: review(run)!.id, verdict: 'reject', reason: 'no' }, person);
		run.resume(person);
		expect(run.state.state).toBe('planned');
		await run.stop(undefined, person);
		sound(run);
	});

	test('S2-112 answers are taken while paused too', async () => {
		const { engine, settle } = bench((request) =>
			told(request) === 0 ? { control: [{ name: 'ask', args: { text: 'Who?' } }] } : { say: 'Thanks.' }
		);
		const run = engine.run('go', { by: person });
		await settle();
		run.pause(person);
		const asked = run.state.questions.find(({ reason }) => reason === 'question')!;
		expect(run.answer(asked.id, 'me', person)).toEqual({ ok: true });
		await settle();
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['paused']);
		run.resume(person);
		expect(await run.returned).toMatchObject({ text: 'Thanks.' });
		sound(run);
	});
});

describe('a stop', () => {
	const script = (request: TurnRequest): ScriptedTurn =>
		told(request) === 0 ? { calls: [write('amount', '1')] } : { hang: true };

	async function stopped(run: Run, state: string): Promise<StopReport> {
		expect(run.state.state).toBe(state);
		const at = run.journal.length;
		const report = run.stop('enough', person);
		expect(run.journal[at]).toMatchObject({ kind: 'stop.requested', by: person });
		await run.returned;
		await report;
		expect(run.state.outcome).toMatchObject({ kind: 'interrupted', reason: { text: 'enough' } });
		expect(run.journal.findIndex(({ kind }) => kind === 'run.ended')).toBeGreaterThan(at);
		expect(await run.stop()).toEqual({ late: true, ...(await report) });
		sound(run);
		return report;
	}

	test('S2-34 S2-128 X-01 in each live state returns at once, and says what was done', async () => {
		const offered = bench([{ hang: true }]);
		const one = offered.engine.run('x', { by: person });
		await offered.settle();
		await stopped(one, 'offered');
		expect(one.state.state).toBe('cancelled');

		const reviewing = bench(script);
		const two = reviewing.engine.run('x', { by: person });
		await reviewing.settle();
		await stopped(two, 'reviewing');
		expect(two.state.state).toBe('cancelled');
		expect(two.state.steps[0]!.status).toBe('withdrawn');

		const planned = bench((request) =>
			told(request) === 0 ? { calls: [{ ...write('amount', '1'), raw: '{' }] } : { hang: true }
		);
		const three = planned.engine.run('x', { by: person });
		await planned.settle();
		await stopped(three, 'planned');

		const acting = bench(script, AUTO);
		const four = acting.engine.run('x', { by: person });
		await acting.settle();
		const done = await stopped(four, 'acting');
		expect(four.state.state).toBe('returned');
		expect(four.state.effects).toMatchObject([{ status: 'confirmed' }]);
		const { operation } = four.state.effects[0]!;
		expect(done).toEqual({ confirmed: [operation], failed: [], unknown: [], withdrawn: [] });

		const escalated = bench([{ control: [{ name: 'ask', args: { text: 'Who?' } }] }]);
		const five = escalated.engine.run('x', { by: person });
		await escalated.settle();
		await stopped(five, 'escalated');
		expect(five.state.questions.every(({ status }) => status !== 'open')).toBe(true);

		const locks: LockPort = {
			acquire: (_keys, signal) =>
				new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
		};
		const authorized = bench(script, { ...AUTO, locks });
		const six = authorized.engine.run('x', { by: person });
		await authorized.settle();
		expect((await stopped(six, 'authorized')).confirmed).toEqual([]);
		expect(authorized.sheet.log).toEqual([]);
	});

	test('S2-32 neither a transport, a lock nor a store that never answers holds it up', async () => {
		const never = new Promise<never>(() => undefined);
		const deaf = bench({
			name: 'deaf',
			open: () => ({ [Symbol.asyncIterator]: () => ({ next: () => never }) })
		});
		const one = deaf.engine.run('x', { by: person });
		await deaf.settle();
		await one.stop(undefined, person);
		expect(one.state.outcome?.kind).toBe('interrupted');

		const locked = bench(script, { ...AUTO, locks: { acquire: () => never } });
		const two = locked.engine.run('x', { by: person });
		await locked.settle();
		await two.stop(undefined, person);
		expect(two.state.outcome?.kind).toBe('interrupted');
	});

	test('S2-41 an act that never answers is waited for, then named as unknown; its signal is aborted', async () => {
		const { engine, settle, clock, sheet } = bench(script, {
			...AUTO,
			patience: { settleMs: 2000 }
		});
		sheet.fault = 'never';
		const run = engine.run('x', { by: person });
		await settle();
		expect(run.state.state).toBe('acting');
		const report = run.stop('enough', person);
		await clock.advance(1999);
		expect(run.state.outcome).toBeUndefined();
		await clock.advance(1);
		const { operation } = run.state.effects[0]!;
		expect(await report).toEqual({ confirmed: [], failed: [], unknown: [operation], withdrawn: [] });
		expect(run.state).toMatchObject({ state: 'returned', outcome: { kind: 'interrupted' } });
		sound(run);
	});

	test('S2-34 nothing begins after it, though a listener stops in the middle of the plan', async () => {
		const { engine, sheet } = bench([{ calls: [write('amount', '1'), write('due', '2')] }], AUTO);
		const run = engine.run('x', { by: person });
		engine.subscribe(({ kind }) => {
			if (kind === 'effect.settled') void run.stop(undefined, person);
		});
		expect(await run.returned).toMatchObject({ kind: 'interrupted' });
		expect(sheet.log.map(({ what }) => what)).toEqual(['amount=1']);
		expect(run.state.steps.map(({ status }) => status)).toEqual(['confirmed', 'withdrawn']);
		sound(run);
	});

	test('S2-34 a run in line is stopped without having begun', async () => {
		const { engine, settle } = bench([{ hang: true }]);
		const live = engine.run('live', { by: person });
		await settle();
		const waiting = engine.run('waiting', { by: person });
		await waiting.stop(undefined, person);
		expect(waiting.state.state).toBe('cancelled');
		expect(live.state.activity).toBe('thinking');
		await live.stop(undefined, person);
	});
});

describe('a change of course', () => {
	test('S2-10 a correction while thinking aborts the request and is the next revision of the same run', async () => {
		const { engine, settle, requests } = bench([{ say: 'I was', hang: true }, { say: 'Now so.' }]);
		const run = engine.run('go', { by: person });
		await settle();
		const report = await run.steer('Use euros', person);
		expect(report).toMatchObject({ revision: 2, kind: 'correction', superseded: [] });
		expect(await run.returned).toMatchObject({ text: 'Now so.' });
		expect(requests[1]!.messages.at(-1)).toMatchObject({ role: 'user', text: 'Use euros' });
		expect(run.state.revisions.map(({ n, text }) => [n, text])).toEqual([
			[1, 'go'],
			[2, 'Use euros']
		]);
		expect(run.journal.find(({ kind }) => kind === 'turn.closed')!.data).toMatchObject({
			end: 'error',
			reason: { code: 'superseded' }
		});
		sound(run);
	});

	test('S2-85 in a review it supersedes the card; its calls close with cancel', async () => {
		const { engine, settle, requests, sheet } = bench([
			{ calls: [write('amount', '1'), write('due', '2')] },
			{ say: 'Nothing then.' }
		]);
		const run = engine.run('go', { by: person });
		await settle();
		const open = review(run)!.id;
		const report = await run.steer({ kind: 'correction', text: 'only look' }, person);
		expect(report.superseded).toEqual(run.state.steps.map(({ id }) => id));
		expect(run.state.state).toBe('planned');
		expect(run.decide({ review: open, verdict: 'approve' }, person)).toMatchObject({
			refused: { code: 'review-settled' }
		});
		await run.returned;
		expect(requests[1]!.messages.filter(({ role }) => role === 'result')).toMatchObject([
			{ performative: 'cancel' },
			{ performative: 'cancel' }
		]);
		expect(run.state.steps.map(({ status }) => status)).toEqual(['withdrawn', 'withdrawn']);
		expect(sheet.log).toEqual([]);
		sound(run);
	});

	test('S2-85 while acting it waits for the act in flight, and the rest of the plan is taken back', async () => {
		const { engine, settle, clock, sheet, requests } = bench(
			[{ calls: [write('amount', '1'), write('due', '2')] }, { say: 'Stopped there.' }],
			AUTO
		);
		sheet.fault = 'never';
		const run = engine.run('go', { by: person });
		await settle();
		expect(run.state.state).toBe('acting');
		const report = await run.steer('leave the rest', person);
		expect(report.superseded).toEqual([run.state.steps[1]!.id]);
		await settle();
		expect(requests).toHaveLength(1);
		await clock.advance(30_000);
		expect(await run.returned).toMatchObject({ kind: 'failed', text: 'Stopped there.' });
		expect(run.state.steps.map(({ status }) => status)).toEqual(['unknown', 'withdrawn']);
		sound(run);
	});

	test('S2-85 while a question waits it expires the question', async () => {
		const { engine, settle } = bench([
			{ control: [{ name: 'ask', args: { text: 'Who?' } }] },
			{ say: 'Never mind.' }
		]);
		const run = engine.run('go', { by: person });
		await settle();
		await run.steer('decide yourself', person);
		expect(await run.returned).toMatchObject({ text: 'Never mind.' });
		expect(run.state.questions.find(({ reason }) => reason === 'question')!.status).toBe('expired');
		sound(run);
	});

	test('S2-85 a question about progress changes nothing; the kind can be given where words are ambiguous', async () => {
		const { engine, settle } = bench([{ calls: [write('amount', '1')] }]);
		const run = engine.run('go', { by: person });
		await settle();
		expect(await run.steer('How far are you?', person)).toMatchObject({ kind: 'progress', revision: 1 });
		expect(review(run)).toBeDefined();
		expect(await run.steer({ kind: 'progress', text: 'stop?' }, person)).toMatchObject({ kind: 'progress' });
		expect(await run.steer('pause', person)).toMatchObject({ kind: 'pause' });
		expect(run.state.activity).toBe('paused');
		expect(await run.steer('whatever', agent)).toMatchObject({ revision: 1 });
		expect(await run.steer('stop', person)).toMatchObject({ kind: 'cancel' });
		expect(run.state.state).toBe('cancelled');
	});

	test('S2-85 after the end it is a successor in the same thread', async () => {
		const { engine, requests } = bench([{ say: 'One.' }, { say: 'Two.' }]);
		const run = engine.run('first', { by: person });
		await run.returned;
		const report = await run.steer('and now more', person);
		const next = engine.get(report.successor!)!;
		expect(next.state).toMatchObject({ successorOf: run.id, thread: run.state.thread, goal: 'and now more' });
		await next.returned;
		expect(requests[1]!.messages).toMatchObject([
			{ role: 'user', text: 'first' },
			{ role: 'assistant', text: 'One.' },
			{ role: 'user', text: 'and now more' }
		]);
	});
});

describe('threads', () => {
	test('S2-111 a later run of a thread sees the earlier one and carries its labels; other threads stay apart', async () => {
		const { engine, requests } = bench([{ say: 'One.' }, { say: 'Two.' }, { say: 'Three.' }]);
		const attachments = [{ name: 'mail', text: 'From a stranger' }];
		const first = engine.run({ text: 'a', attachments }, { by: person, thread: 'x' });
		await first.returned;
		expect(first.state.label.integrity).toBe('untrusted');
		const second = engine.run('b', { by: person, thread: 'x' });
		const third = engine.run('c', { by: person });
		await third.returned;
		expect(second.state.label.integrity).toBe('untrusted');
		expect(third.state.label.integrity).toBe('trusted');
		expect(requests[1]!.messages.map((message) => 'text' in message && message.text)).toEqual([
			'a',
			'One.',
			'b'
		]);
		expect(requests[2]!.messages).toHaveLength(1);
	});
});

describe('an engine', () => {
	test('S2-32 that is disposed returns what is live and in line, and begins nothing more', async () => {
		const { engine, settle } = bench([{ hang: true }]);
		const live = engine.run('live', { by: person });
		const waiting = engine.run('waiting', { by: person });
		await settle();
		await engine.dispose();
		await engine.dispose();
		for (const run of [live, waiting])
			expect(run.state.outcome).toMatchObject({ kind: 'interrupted', reason: { code: 'disposed' } });
		expect(await engine.run('late').returned).toMatchObject({
			kind: 'refused',
			reason: { code: 'disposed' }
		});
		expect(await engine.call(app, 'sheet', 'write', {}).returned).toMatchObject({ kind: 'refused' });
		sound(live);
	});

	test('S2-109 on a server is inert', async () => {
		const { engine, settle, requests } = bench([{ say: 'x' }], { inert: true });
		const run = engine.run('go', { by: person });
		const offer = engine.offer('go');
		const call = engine.call(app, 'sheet', 'write', { key: 'amount', value: '1' });
		await settle();
		for (const one of [run, offer, call])
			expect(await one.returned).toMatchObject({ kind: 'refused', reason: { code: 'server' } });
		expect(requests).toEqual([]);
	});

	test('S2-56 beside another on one page keeps its own runs; locks hold across both', async () => {
		const registry = createRegistry();
		const sheet = new Sheet();
		sheet.fault = 'never';
		registry.register(sheetManifest, sheet, { id: 'sheet', label: 'Sheet' });
		const make = (id: string) =>
			new EngineAgent({
				identity: { id, name: id, description: 'one of two' },
				transport: scripted([{ calls: [write('amount', id)] }]),
				registry,
				...AUTO
			});
		const ada = make('ada');
		const bob = make('bob');
		const one = ada.run('x', { by: person });
		const two = bob.run('x', { by: person });
		const until = async (ok: () => boolean) => {
			for (let i = 0; i < 200 && !ok(); i++) await new Promise((resolve) => setTimeout(resolve, 1));
		};
		await until(() => one.state.state === 'acting' && two.state.state === 'authorized');
		expect(one.state.state).toBe('acting');
		expect(two.state.state).toBe('authorized');
		const ids = [...one.journal, ...two.journal].map(({ run, seq }) => `${run} ${seq}`);
		expect(new Set(ids).size).toBe(ids.length);
		expect(one.id).not.toBe(two.id);
		expect(ada.get(two.id)).toBeUndefined();
		expect(ada.runs).toHaveLength(1);
		await two.stop(undefined, person);
		expect(two.state.effects).toEqual([]);
		ada.abandon();
	});

	test('S2-35 reports a listener that throws once, and goes on', async () => {
		const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
		const { engine } = bench([{ say: 'Hello' }], {
			onhead: () => {
				throw new Error('no head');
			}
		});
		engine.subscribe(() => {
			throw new Error('broken listener');
		});
		engine.on(() => {
			throw new Error('broken painter');
		});
		const heard: string[] = [];
		engine.subscribe(({ kind }) => void heard.push(kind));
		const run = engine.run('go', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'answered' });
		expect(heard).toEqual(kinds(run));
		expect(log).toHaveBeenCalledTimes(1);
		log.mockRestore();
	});

	test('S2-35 tells of a record when it stands in journal, state and snapshot', async () => {
		const { engine } = bench([{ calls: [write('amount', '1')] }, { say: 'x' }], AUTO);
		const faults: string[] = [];
		engine.subscribe((record) => {
			const run = engine.get(record.run)!;
			if (run.journal.at(-1) !== record) faults.push(`journal ${record.seq}`);
			if (engine.snapshot().runs[0]!.at(-1)!.hash !== record.hash) faults.push(`snapshot ${record.seq}`);
			if (JSON.stringify(fold(run.journal)) !== JSON.stringify(run.state)) faults.push(`state ${record.seq}`);
		});
		const run = engine.run('go', { by: person });
		await run.returned;
		expect(faults).toEqual([]);
		expect(run.journal.length).toBeGreaterThan(8);
	});

	test('S2-35 may be decided about from within a listener; all listeners hear all records in order', async () => {
		const { engine, sheet } = bench([
			{ calls: [write('amount', '1')] },
			{ calls: [send('x@y.example')] },
			{ say: 'Done.' }
		]);
		const order: Record<string, number[]> = { early: [], late: [] };
		engine.subscribe(({ seq }) => void order.early!.push(seq));
		engine.subscribe((record: JournalRecord) => {
			const run = engine.get(record.run)!;
			if (record.kind === 'review.opened') approve(run);
		});
		engine.subscribe(({ seq }) => void order.late!.push(seq));
		const run = engine.run('go', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(sheet.sent).toEqual(['x@y.example']);
		const seqs = run.journal.map(({ seq }) => seq);
		expect(order).toEqual({ early: seqs, late: seqs });
		sound(run);
	});

	test('S2-32 takes who decides as a copy and leaves the app its object', async () => {
		const me: Actor = { kind: 'human', id: 'me', name: 'Me' };
		const { engine, settle } = bench([{ calls: [write('amount', '1')] }, { say: 'x' }]);
		const run = engine.run('go', { by: me });
		await settle();
		run.decide({ review: review(run)!.id, verdict: 'approve' }, me);
		await run.returned;
		expect(Object.isFrozen(me)).toBe(false);
		me.name = 'Other';
		expect(run.state.principal.name).toBe('Me');
		sound(run);
	});
});
