import { afterEach, describe, expect, test, vi } from 'vitest';
import { currentCause, type Actor } from '../../src/lib/actor/index.js';
import { EngineAgent, type AgentOptions, type EngineSnapshot } from '../../src/lib/agent/index.js';
import type { AgentManifest } from '../../src/lib/agent/capability/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench } from '../fixtures/engine.js';
import { Lab, labManifest, lab as call, look, set, share } from '../fixtures/lab.js';

interface Told {
	lab: Lab;
	run: string;
	cause: Actor;
	/** What the provider held when it was told. */
	cells: Record<string, string>;
}

/** A lab whose manifest hears of the end of runs, and an engine over it. */
function hearing(
	script: Parameters<typeof bench>[0],
	options: Partial<AgentOptions> & { ended?: AgentManifest<Lab>['ended'] } = {}
) {
	const { ended, ...rest } = options;
	const lab = new Lab();
	const told: Told[] = [];
	const manifest: AgentManifest<Lab> = {
		...labManifest(),
		ended(of, run) {
			told.push({ lab: of, run, cause: currentCause(), cells: { ...of.cells } });
			ended?.(of, run);
		}
	};
	const made = bench(script, { policy: { ceiling: 'auto' }, ...rest });
	const unmount = made.registry.register(manifest, lab, { id: 'lab', label: 'Lab' });
	if (unmount.refused) throw new Error(unmount.refused.text);
	return { ...made, lab, told, manifest, unmount };
}

afterEach(() => {
	vi.restoreAllMocks();
});

describe('S2-75 a participant is told that a run is over', () => {
	test('S2-75 once, after the last act was settled, as the agent of the run', async () => {
		const { engine, lab, told } = hearing([
			{ calls: [set('a', 'x'), set('b', 'y')] },
			{ calls: [set('a', 'z')] },
			{}
		]);
		const run = engine.run('go', { by: person });
		expect((await run.returned).kind).toBe('completed');
		expect(told).toEqual([
			{
				lab,
				run: run.id,
				cause: { kind: 'agent', id: 'ada', name: 'Ada', run: run.id },
				cells: { a: 'z', b: 'y' }
			}
		]);
		expect(currentCause().kind).toBe('app');
	});

	test('S2-75 only where something ran: a read counts, what was refused or never came up does not', async () => {
		const seen = hearing([{ calls: [look('1')] }, {}]);
		await seen.engine.run('look', { by: person }).returned;
		expect(seen.told).toHaveLength(1);
		const rules = [{ verdict: 'deny' as const, act: 'set', reason: 'not today' }];
		const refused = hearing([{ calls: [set('a', 'x')] }, {}], { policy: { ceiling: 'auto', rules } });
		await refused.engine.run('write', { by: person }).returned;
		const silent = hearing([{ say: 'Nothing to do.' }]);
		await silent.engine.run('think', { by: person }).returned;
		expect([...refused.told, ...silent.told]).toEqual([]);
	});

	test('S2-75 a stop, a disposal and a failure are ends like any other', async () => {
		const stopped = hearing([{ calls: [set('a', 'x')] }, { hang: true }]);
		const run = stopped.engine.run('go', { by: person });
		await stopped.settle();
		expect(stopped.told).toEqual([]);
		await run.stop('enough', person);
		expect(stopped.told.map((one) => one.run)).toEqual([run.id]);

		const disposed = hearing([{ calls: [set('a', 'x')] }, { hang: true }]);
		disposed.engine.run('go', { by: person });
		await disposed.settle();
		await disposed.engine.dispose();
		expect(disposed.told).toHaveLength(1);

		const failed = hearing([{ calls: [set('a', 'x')] }, { fail: { text: 'gone', retryable: false } }]);
		expect((await failed.engine.run('go', { by: person }).returned).kind).toBe('partial');
		expect(failed.told).toHaveLength(1);
	});

	test('S2-75 after a stop it waits for the act under way', async () => {
		const { engine, lab, told, settle } = hearing([{ calls: [share('a', 'x')] }, {}], {
			policy: { ceiling: 'auto', rules: [] }
		});
		let finish!: () => void;
		lab.next.push(
			(of) =>
				new Promise((resolve) => {
					finish = () => {
						of.put('a', 'late');
						resolve({ kind: 'done' });
					};
				})
		);
		const run = engine.run('share', { by: person });
		await settle();
		const review = run.state.reviews.at(-1);
		if (review) run.decide({ review: review.id, verdict: 'approve' }, person);
		await settle();
		expect(lab.log).toHaveLength(1);
		const stopping = run.stop('enough', person);
		await settle();
		expect(told).toEqual([]);
		finish();
		await stopping;
		expect(told.map(({ cells }) => cells.a)).toEqual(['late']);
	});

	test('S2-75 a caller without a model is told as the one who called', async () => {
		const { engine, told } = hearing([]);
		const rule: Actor = { kind: 'rule', id: 'nightly' };
		const run = engine.call(rule, 'lab', 'set', { key: 'a', value: 'x' });
		await run.returned;
		expect(told).toMatchObject([{ run: run.id, cause: { ...rule, run: run.id } }]);
	});

	test('S2-75 who is gone is not told, and who came in its place is', async () => {
		const gone = hearing([{ calls: [set('a', 'x')] }, { hang: true }]);
		const run = gone.engine.run('go', { by: person });
		await gone.settle();
		gone.unmount();
		await run.stop('enough', person);
		expect(gone.told).toEqual([]);

		const again = hearing([{ calls: [set('a', 'x')] }, { hang: true }]);
		const other = new Lab();
		const second = again.engine.run('go', { by: person });
		await again.settle();
		again.registry.register(again.manifest, other, { id: 'lab', label: 'Lab' });
		await second.stop('enough', person);
		expect(again.told.map(({ lab }) => lab)).toEqual([other]);
	});

	test('S2-75 its fault is its own: reported once, and the run has ended all the same', async () => {
		const report = vi.spyOn(console, 'error').mockImplementation(() => {});
		const { engine, told } = hearing([{ calls: [set('a', 'x')] }, {}, { calls: [set('b', 'y')] }, {}], {
			ended: () => {
				throw new Error('no');
			}
		});
		expect((await engine.run('one', { by: person }).returned).kind).toBe('completed');
		expect((await engine.run('two', { by: person }).returned).kind).toBe('completed');
		expect(told).toHaveLength(2);
		expect(report).toHaveBeenCalledTimes(1);
	});

	test('S2-75 the next run of the queue begins after it', async () => {
		const order: string[] = [];
		const made = hearing([{ calls: [set('a', 'x')] }, {}, { calls: [set('b', 'y')] }, {}], {
			ended: (_, run) => order.push(`ended ${run}`)
		});
		made.engine.subscribe(({ kind, run }) => {
			if (kind === 'run.started') order.push(`started ${run}`);
		});
		const first = made.engine.run('one', { by: person });
		const second = made.engine.run('two', { by: person });
		await second.returned;
		expect(order).toEqual([
			`started ${first.id}`,
			`ended ${first.id}`,
			`started ${second.id}`,
			`ended ${second.id}`
		]);
	});

	test('S2-57 after a reload: for the run that recovery returned, not for one that was over', async () => {
		const made = hearing((request) => {
			const told = request.messages.filter(({ role }) => role === 'result').length;
			return told === 0
				? { calls: [set('a', 'x')] }
				: request.messages[0]!.role === 'user'
					? { hang: true }
					: {};
		});
		const run = made.engine.run('go', { by: person });
		await made.settle();
		const snapshot = made.engine.snapshot();
		made.engine.abandon();
		expect(made.told).toEqual([]);
		const engine = EngineAgent.restore(made.options, snapshot);
		expect((await engine.ready).returned).toEqual([run.id]);
		expect(made.told.map((one) => one.run)).toEqual([run.id]);
		const third = EngineAgent.restore(made.options, engine.snapshot());
		await third.ready;
		expect(made.told).toHaveLength(1);
	});

	test('S2-57 an act that only its unknown outcome tells of counts after a reload', async () => {
		const made = hearing([{ calls: [call('share', { key: 'a', value: 'x' })] }, {}]);
		let taken: EngineSnapshot | undefined;
		made.engine.subscribe(({ kind }) => {
			if (kind !== 'effect.intended') return;
			taken = made.engine.snapshot();
			made.engine.abandon();
		});
		const run = made.engine.run('share', { by: person });
		await made.settle();
		const review = run.state.reviews.at(-1);
		if (review) run.decide({ review: review.id, verdict: 'approve' }, person);
		await made.settle();
		const engine = EngineAgent.restore(made.options, taken!);
		expect((await engine.ready).unknown).toHaveLength(1);
		expect(made.told.map((one) => one.run)).toEqual([run.id]);
	});
});
