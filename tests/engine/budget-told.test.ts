import { describe, expect, test } from 'vitest';
import { EngineAgent, fold, verify } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { laboratory, look, set } from '../fixtures/lab.js';

const NEAR = 'Most of what this run may use is used up. Left: ';

describe('S2-113 the model is told when a limit is near', () => {
	test('S2-113 at 80 %, with what is left, in one line; before that nothing is said', async () => {
		const made = laboratory((_request, index) => (index < 5 ? { calls: [set('a', `${index}`)] } : {}));
		const run = made.engine.run('go', { by: person, budget: { acts: 5, turns: 20 } });
		await made.settle();
		await made.settle();
		const told = made.requests.map(({ context }) =>
			context.split('\n').filter((line) => line.startsWith(NEAR))
		);
		expect(told.slice(0, 4)).toEqual([[], [], [], []]);
		// After the fourth of five acts.
		expect(told[4]).toEqual([`${NEAR}1 act.`]);
		expect(run.state.budget.spent.acts).toBe(5);
	});

	test('S2-113 the same records give the same line, after a restore too', async () => {
		const made = laboratory(
			({ messages }) => (messages.length < 9 ? { calls: [set('a', `${messages.length}`)] } : { hang: true }),
			{
				budget: { actsPerInstance: 5, cost: 1 },
				change: { set: { cost: 0.1 } }
			}
		);
		const run = made.engine.run('go', { by: person });
		await made.settle();
		await made.settle();
		const open = made.requests.at(-1)!;
		expect(open.context).toContain(`${NEAR}1 act on one instance.`);
		const again = EngineAgent.restore({ ...made.options, recovery: 'resume' }, made.engine.snapshot());
		made.engine.abandon();
		await again.ready;
		await made.settle();
		expect(made.requests.at(-1)).toEqual(open);
		expect(verify(again.get(run.id)!.journal)).toEqual([]);
		await again.dispose();
	});

	test('S2-113 what is set aside for the last words is not offered as left', async () => {
		const made = laboratory((_request, index) => (index < 3 ? { calls: [set('a', `${index}`)] } : {}));
		made.engine.run('go', { by: person, budget: { turns: 5 } });
		await made.settle();
		await made.settle();
		expect(made.requests[3]!.context).toContain(`${NEAR}1 turn, this one.`);
	});
});

describe('S2-113 a call without effect costs what it declares', () => {
	const dear = { change: { look: { cost: 0.4 } } };

	test('S2-113 I16 calls beside one another reserve one by one: what does not fit waits', async () => {
		const made = laboratory(
			(request, index) => ({ calls: index === 0 && request.tools.length ? ['1', '2', '3'].map(look) : [] }),
			dear
		);
		for (let i = 0; i < 3; i++)
			made.lab.next.push(() => made.clock.sleep(100).then(() => ({ kind: 'done', value: i })));
		const run = made.engine.run('go', { by: person, budget: { cost: 1 } });
		await made.settle();
		expect(made.lab.log).toHaveLength(2);
		expect(run.state.budget).toMatchObject({ spent: { cost: 0 }, reserved: { cost: 0.8 } });
		await made.clock.advance(100);
		expect(run.state.budget).toMatchObject({ spent: { cost: 0.8 }, reserved: { cost: 0 } });
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['budget.cost']);
		run.renew({ cost: 1 }, person);
		await made.clock.advance(200);
		expect(made.lab.log).toHaveLength(3);
		expect(run.state.budget.spent.cost).toBeCloseTo(1.2);
		expect(fold(run.journal)).toEqual(run.state);
	});

	test('S2-113 one that failed or was refused costs nothing', async () => {
		const made = laboratory([{ calls: ['1', '2', '3'].map(look) }, {}], { change: { look: { cost: 0.2 } } });
		made.lab.next.push(
			() => ({ kind: 'refuse', reason: { code: 'no', text: 'no' } }),
			() => {
				throw new Error('broken');
			}
		);
		const run = made.engine.run('go', { by: person });
		await made.settle();
		await run.returned;
		expect(run.state.budget.spent.cost).toBeCloseTo(0.2);
		expect(run.state.budget.reserved.cost).toBe(0);
	});

	test('S2-113 of one that was cut off nobody knows: it costs what was set aside', async () => {
		const made = laboratory([{ calls: [look('1')] }], { change: { look: { cost: 0.2 } } });
		made.lab.next.push(() => new Promise(() => undefined));
		const run = made.engine.run('go', { by: person });
		await made.settle();
		void run.stop('enough', person);
		await run.returned;
		expect(run.state.budget.spent.cost).toBeCloseTo(0.2);
		expect(fold(run.journal)).toEqual(run.state);
	});
});

describe('S2-113 what waits costs no time', () => {
	const minute = 60_000;

	test('S2-113 a pause in the middle of a request, and one before a retry', async () => {
		const made = laboratory((_request, index) =>
			index === 0 ? { fail: { text: 'busy' } } : { say: 'done' }
		);
		const run = made.engine.run('go', { by: person, budget: { ms: 5000 } });
		await made.settle();
		run.pause(person);
		await made.clock.advance(minute);
		expect(run.state.budget.spent.ms).toBe(0);
		run.resume(person);
		await made.clock.advance(4000);
		expect(await run.returned).toMatchObject({ kind: 'answered' });
	});

	test('S2-113 a question, and a budget nobody renewed yet', async () => {
		const made = laboratory(
			(request, index) =>
				index === 0
					? { control: [{ name: 'ask', args: { text: 'Which?' } }] }
					: { calls: request.tools.length ? [set('a', '1'), set('b', '2')] : [] },
			{}
		);
		const run = made.engine.run('go', { by: person, budget: { ms: 1000, acts: 1 } });
		await made.settle();
		await made.clock.advance(minute);
		run.answer(run.state.questions[0]!.id, 'this', person);
		await made.settle();
		await made.clock.advance(minute);
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['budget.acts']);
		expect(run.state.budget.spent.ms).toBe(0);
		void run.stop('enough', person);
		await run.returned;
	});

	test('S2-113 an open review, and a queue', async () => {
		const made = laboratory([{ calls: [set('a', '1')] }, {}, {}], { policy: { ceiling: 'review' } });
		const run = made.engine.run('go', { by: person, budget: { ms: 1000 } });
		const next = made.engine.run('then this', { by: person, budget: { ms: 1000 } });
		await made.settle();
		await made.clock.advance(minute);
		expect([run, next].map(({ state }) => state.budget.spent.ms)).toEqual([0, 0]);
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
		await made.settle();
		await made.settle();
		expect([run, next].map(({ state }) => state.outcome?.kind)).toEqual(['completed', 'answered']);
	});

	test('S2-113 waiting for a retry, and for an act, is the run’s own: it counts, and is cut at the limit', async () => {
		const made = laboratory((_request) => ({ fail: { text: 'busy' } }));
		const run = made.engine.run('go', { by: person, budget: { ms: 500 } });
		await made.settle();
		await made.clock.advance(500);
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['budget.ms']);
		expect(run.state.budget.spent.ms).toBe(500);
		void run.stop('enough', person);
		await run.returned;
	});

	test('S2-113 a request that never ends is cut when the time is used up', async () => {
		const made = laboratory((_request, index) => (index === 0 ? { hang: true } : { say: 'so far' }));
		const run = made.engine.run('go', { by: person, budget: { ms: 5000 } });
		await made.settle();
		await made.clock.advance(5000);
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['budget.ms']);
		void run.stop('enough', person);
		await run.returned;
	});
});

describe('S2-40 the same call three times in a row', () => {
	const same = { calls: [set('a', '1')] };
	const stalled = async (script: Parameters<typeof laboratory>[0], options = {}) => {
		const made = laboratory(script, options);
		const run = made.engine.run('go', { by: person });
		for (let i = 0; i < 6; i++) await made.settle();
		const codes = run.state.escalations.map(({ code }) => code);
		void run.stop('enough', person);
		await run.returned;
		return { codes, log: made.lab.log.length };
	};

	test('S2-40 acts: the third escalates, twice does not', async () => {
		expect((await stalled([same, same, same, {}])).codes).toEqual(['stall']);
		expect((await stalled([same, same, {}])).codes).toEqual([]);
	});

	test('S2-40 calls without effect, control acts, and calls that are refused', async () => {
		const again = { calls: [look('x')] };
		expect((await stalled([again, again, again, {}])).codes).toEqual(['stall']);
		const pull = { control: [{ name: 'pull', args: { instance: 'lab', read: 'cells' } }] };
		expect((await stalled([pull, pull, pull, {}])).codes).toEqual(['stall']);
		const no = { calls: [{ ...set('a', 'x'), args: { key: 1 } as never }] };
		expect((await stalled([no, no, no, {}])).codes).toEqual(['stall']);
	});

	test('S2-40 arguments in another order, or with other white space, are the same call', async () => {
		const raw = (text: string) => ({ calls: [{ ...set('a', '1'), raw: text }] });
		const { codes } = await stalled([
			raw('{"instance":"lab","key":"a","value":"1"}'),
			raw('{"value":"1","key":"a","instance":"lab"}'),
			raw('{ "key": "a", "instance": "lab", "value": "\\u0031" }'),
			{}
		]);
		expect(codes).toEqual(['stall']);
	});

	test('S2-40 another call between them, or other arguments, breaks the row', async () => {
		const other = { calls: [set('b', '1')] };
		expect((await stalled([same, same, other, same, same, {}])).codes).toEqual([]);
		const counting = Array.from({ length: 4 }, (_, i) => ({ calls: [set('a', `${i}`)] }));
		expect((await stalled([...counting, {}])).codes).toEqual([]);
	});
});
