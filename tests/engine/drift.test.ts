import { describe, expect, test } from 'vitest';
import { verify } from '../../src/lib/agent/index.js';
import type { Run } from '../../src/lib/agent/engine/run.js';
import type { PolicyRule } from '../../src/lib/agent/gate/policy.js';
import { person } from '../../src/lib/testing/index.js';
import { lab as call, Lab, laboratory, set, share } from '../fixtures/lab.js';

const approve = (run: Run) => {
	const review = run.state.reviews.at(-1)!;
	expect(review.status).toBe('open');
	expect(run.decide({ review: review.id, verdict: 'approve' }, person)).toEqual({ ok: true });
};
const hold = (lab: Lab) => {
	const held: (() => void)[] = [];
	lab.next.push(() => new Promise((resolve) => held.push(() => resolve({ kind: 'done' }))));
	return () => held.shift()!();
};
const review = { policy: { ceiling: 'review' as const } };

describe('S2-87 S2-88 what a person reviewed has changed', () => {
	test('S2-88 I24 a reviewed key that moved goes back to the person with a diff', async () => {
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x')] }, {}], review);
		const run = engine.run('go', { by: person });
		await settle();
		lab.put('a', 'typed meanwhile');
		approve(run);
		await settle();
		expect(lab.log).toEqual([]);
		expect(run.state.state).toBe('reviewing');
		expect(run.state.reviews.at(-1)).toMatchObject({
			reasons: expect.arrayContaining([expect.objectContaining({ code: 'drift' })]),
			changes: [{ instance: 'lab', read: 'cells', key: 'a', before: '1', after: 'typed meanwhile' }]
		});
		approve(run);
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(lab.cells.a).toBe('x');
		expect(verify(run.journal)).toEqual([]);
	});

	test('S2-89 I24 typing elsewhere voids nothing', async () => {
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x')] }, {}], review);
		const run = engine.run('go', { by: person });
		await settle();
		lab.put('b', 'typed elsewhere');
		approve(run);
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(run.state.reviews).toHaveLength(1);
	});

	test('S2-87 where nothing was declared a step depends on every read of its instance', async () => {
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x')] }, {}], {
			...review,
			change: { set: { touches: undefined } }
		});
		const run = engine.run('go', { by: person });
		await settle();
		lab.put('b', 'typed elsewhere');
		approve(run);
		await settle();
		expect(lab.log).toEqual([]);
		expect(run.state.reviews.at(-1)!.changes).toMatchObject([{ instance: 'lab', read: 'cells' }]);
	});

	test('S2-88 an edited step that drifts has its diff too', async () => {
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x')] }, {}], review);
		const run = engine.run('go', { by: person });
		await settle();
		lab.put('a', 'typed');
		const steps = {
			[run.state.steps[0]!.id]: { verdict: 'edit' as const, args: { key: 'a', value: 'mine' } }
		};
		run.decide({ review: run.state.reviews[0]!.id, steps }, person);
		await settle();
		expect(lab.log).toEqual([]);
		expect(run.state.reviews.at(-1)!.changes).toMatchObject([{ before: '1', after: 'typed' }]);
		approve(run);
		await run.returned;
		expect(lab.cells.a).toBe('mine');
	});

	test('S2-87 a remount between review and act is another component', async () => {
		const { engine, lab, settle, remount } = laboratory([{ calls: [set('a', 'x')] }, {}], review);
		const run = engine.run('go', { by: person });
		await settle();
		remount();
		approve(run);
		await settle();
		expect(lab.log).toEqual([]);
		expect(run.state.reviews.at(-1)).toMatchObject({
			status: 'open',
			changes: [{ read: 'instance', before: 1, after: 2 }]
		});
		approve(run);
		expect(await run.returned).toMatchObject({ kind: 'completed' });
	});

	test('S2-88 on the second drift of one step the model plans again, with the fresh state', async () => {
		const { engine, lab, settle, requests } = laboratory(
			[{ calls: [set('a', 'x')] }, { say: 'I see.' }],
			review
		);
		const run = engine.run('go', { by: person });
		await settle();
		for (const value of ['once', 'twice']) {
			lab.put('a', value);
			approve(run);
			await settle();
		}
		expect(await run.returned).toMatchObject({ kind: 'refused', text: 'I see.' });
		expect(run.state.steps[0]).toMatchObject({ status: 'refused', reasons: [{ code: 'drift' }] });
		expect(requests[1]!.messages.at(-1)).toMatchObject({
			performative: 'refuse',
			content: { refused: { code: 'drift' }, state: { 'cells:a': 'twice' } }
		});
	});

	test('S2-88 counts follow the step over re-plans, then it escalates; resume tries again', async () => {
		const { engine, lab, settle } = laboratory(
			[{ calls: [set('a', 'x')] }, { calls: [set('a', 'y')] }, {}],
			review
		);
		const run = engine.run('go', { by: person });
		await settle();
		for (const value of ['once', 'twice', 'thrice']) {
			lab.put('a', value);
			approve(run);
			await settle();
		}
		expect(run.state.state).toBe('escalated');
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['drift']);
		expect(engine.pending).toMatchObject([{ kind: 'escalation', reason: { code: 'drift' } }]);
		expect(run.resume({ kind: 'app', id: 'app' })).toMatchObject({ refused: { code: 'person-required' } });
		expect(run.resume(person)).toEqual({ ok: true });
		await settle();
		expect(run.state.state).toBe('reviewing');
		approve(run);
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(lab.cells.a).toBe('y');
	});

	test('S2-88 at most three re-reviews a plan', async () => {
		const { engine, lab, settle } = laboratory(
			[{ calls: ['a', 'b', 'c', 'd'].map((key) => set(key, 'x')) }, {}],
			review
		);
		const run = engine.run('go', { by: person });
		await settle();
		for (const key of ['a', 'b', 'c', 'd']) {
			lab.put(key, 'typed');
			approve(run);
			await settle();
		}
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['drift']);
		expect(run.state.reviews).toHaveLength(4);
	});
});

describe('S2-116 a step that policy alone allows', () => {
	test('S2-116 stale is refused with the fresh state, and nobody is bothered', async () => {
		const { engine, lab, settle, requests } = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}]);
		const finish = hold(lab);
		const run = engine.run('go', { by: person });
		await settle();
		lab.put('b', 'typed meanwhile');
		finish();
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(run.state.steps[1]).toMatchObject({ status: 'refused', reasons: [{ code: 'stale' }] });
		expect(run.state.reviews).toEqual([]);
		expect(lab.cells.b).toBe('typed meanwhile');
		expect(requests[1]!.messages.at(-1)).toMatchObject({
			content: { refused: { code: 'stale' }, state: { 'cells:b': 'typed meanwhile' } }
		});
	});

	test('S2-87 what moved since the model saw it, before the plan was made, is stale too', async () => {
		const { engine, lab } = laboratory((_request, index) => {
			if (index > 0) return {};
			lab.put('a', 'typed while it thought');
			return { calls: [set('a', 'x')] };
		});
		const run = engine.run('go', { by: person });
		await run.returned;
		expect(run.state.steps[0]).toMatchObject({ status: 'refused', reasons: [{ code: 'stale' }] });
	});

	test('S2-116 in a plan that waits for a person it stays bound to what the model saw', async () => {
		const { engine, lab, settle } = laboratory(
			(_request, index) => {
				if (index > 0) return {};
				lab.put('b', 'typed while it thought');
				return { calls: [call('wire', { value: 'z' }), set('b', 'y')] };
			},
			{ change: { wire: { touches: ['other'] } } }
		);
		const run = engine.run('go', { by: person });
		await settle();
		approve(run);
		await run.returned;
		expect(run.state.steps.map(({ status }) => status)).toEqual(['confirmed', 'refused']);
		expect(run.state.steps[1]!.reasons[0]!.code).toBe('stale');
	});

	test('S2-87 a remount between the plan and the act is gone', async () => {
		const { engine, lab, settle, remount } = laboratory([{ calls: [set('a', 'x'), set('b', 'y')] }, {}]);
		const finish = hold(lab);
		const run = engine.run('go', { by: person });
		await settle();
		remount(new Lab());
		finish();
		await run.returned;
		expect(run.state.steps[1]).toMatchObject({ status: 'refused', reasons: [{ code: 'instance-gone' }] });
	});
});

describe('S2-89 the run’s own writes move what it expects', () => {
	for (const [name, act] of [
		['of one key', 'set'],
		['with the whole in view', 'all']
	] as const)
		test(`S2-89 two steps ${name}, approved together`, async () => {
			const { engine, lab, settle } = laboratory(
				[{ calls: [call(act, { key: 'a', value: 'x' }), call(act, { key: 'a', value: 'y' })] }, {}],
				review
			);
			const run = engine.run('go', { by: person });
			await settle();
			approve(run);
			expect(await run.returned).toMatchObject({ kind: 'completed' });
			expect(run.state.reviews).toHaveLength(1);
			expect(lab.log.map((it) => it.call.expect)).toEqual(
				act === 'set' ? [{ 'cells:a': 0 }, { 'cells:a': 1 }] : [{ cells: 0 }, { cells: 1 }]
			);
		});

	test('S2-89 a keyed write moves the whole that a later step depends on', async () => {
		const { engine, lab, settle } = laboratory(
			[{ calls: [set('a', 'x'), call('all', { key: 'b', value: 'y' })] }, {}],
			review
		);
		const run = engine.run('go', { by: person });
		await settle();
		approve(run);
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(lab.cells).toMatchObject({ a: 'x', b: 'y' });
	});

	test('S2-89 a retried step still expects what its run wrote before', async () => {
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x'), set('a', 'y')] }, {}], review);
		lab.next.push(
			(it) => (it.put('a', 'x'), { kind: 'done' }),
			() => ({ kind: 'retry', reason: { code: 'busy', text: 'busy' } })
		);
		const run = engine.run('go', { by: person });
		await settle();
		approve(run);
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(run.state.reviews).toHaveLength(1);
		expect(lab.cells.a).toBe('y');
	});

	test('S2-89 a foreign write during an asynchronous act is foreign', async () => {
		const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x'), set('a', 'y')] }, {}], review);
		const finish = hold(lab);
		const run = engine.run('go', { by: person });
		await settle();
		approve(run);
		await settle();
		lab.put('a', 'typed meanwhile');
		finish();
		await settle();
		expect(run.state.state).toBe('reviewing');
		expect(run.state.reviews.at(-1)!.changes).toMatchObject([{ key: 'a', after: 'typed meanwhile' }]);
	});

	for (const reports of [true, false])
		test(`S2-89 an asynchronous act that ${reports ? 'reports its versions moves them' : 'reports none leaves later steps stale'}`, async () => {
			const { engine, lab } = laboratory([{ calls: [set('a', 'x'), set('a', 'y')] }, {}]);
			lab.next.push(async (it) => {
				await Promise.resolve();
				it.put('a', 'x');
				return { kind: 'done', ...(reports ? { versions: { 'cells:a': it.version('a') } } : {}) };
			});
			const run = engine.run('go', { by: person });
			await run.returned;
			expect(run.state.steps[1]!.status).toBe(reports ? 'confirmed' : 'refused');
			expect(lab.cells.a).toBe(reports ? 'y' : 'x');
		});
});

describe('S2-88 a predecessor that did not succeed', () => {
	test('S2-88 a refusal at the last look asks again for what a person had approved after it', async () => {
		const rules: PolicyRule[] = [];
		const { engine, lab, settle } = laboratory(
			[{ calls: [set('a', 'x'), set('b', 'y'), share('b', 'z')] }, {}],
			{ policy: { ceiling: 'review', rules } }
		);
		const finish = hold(lab);
		const run = engine.run('go', { by: person });
		await settle();
		approve(run);
		await settle();
		rules.push({ verdict: 'deny', act: 'set', reason: 'frozen' });
		finish();
		await settle();
		expect(run.state.steps.map(({ status }) => status)).toEqual(['confirmed', 'refused', 'proposed']);
		expect(run.state.reviews.at(-1)!.reasons.map(({ code }) => code)).toContain('predecessor-failed');
		approve(run);
		await run.returned;
		expect(lab.log.map(({ act }) => act)).toEqual(['set', 'share']);
	});
});
