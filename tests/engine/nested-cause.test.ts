import { describe, expect, test } from 'vitest';
import { type Actor, carry } from '../../src/lib/actor/index.js';
import { type ActCall, done } from '../../src/lib/agent/capability/index.js';
import { fold, type Run, type RunOptions, verify } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { Lab, laboratory, labManifest, link, look, set } from '../fixtures/lab.js';

const URL = 'http://evil.example';

/** Acts that may run beside the act that waits for them: each has a lock of its own. */
let locks = 0;
const apart = { locks: () => [`apart-${(locks += 1)}`] };

/**
 * A run whose first act (of the kind `by way of`) does `inside`; a run below it does `below` first.
 * @param options of the laboratory and, as `outer`, of the run above
 */
function nest(
	inside: (made: Made, call: ActCall) => unknown,
	{
		way = 'set',
		below = [],
		outer = {},
		...options
	}: NonNullable<Parameters<typeof laboratory>[1]> & {
		way?: 'set' | 'look';
		below?: readonly object[];
		outer?: RunOptions;
	} = {}
) {
	const lab = new Lab();
	const made = laboratory(
		({ run, messages }) => {
			if (messages.length > 1) return { say: 'Done.' };
			if (run !== top.id) return { calls: below as never };
			return { calls: [way === 'set' ? set('a', 'x') : look('x')] };
		},
		{ lab, change: { set: apart, link: apart }, ...options }
	);
	lab.next.push((_, call) => inside(made, call));
	const top: Run = made.engine.run('go', { by: person, ...outer });
	return { ...made, top };
}
type Made = ReturnType<typeof laboratory>;

/** Lets all that is ready run. */
const settled = async ({ settle }: { settle(): Promise<void> }) => {
	for (let i = 0; i < 10; i++) await settle();
};
const sound = ({ engine }: Made) => {
	for (const { id } of engine.runs) {
		const run = engine.get(id)!;
		expect(verify(run.journal)).toEqual([]);
		expect(fold(run.journal)).toEqual(run.state);
	}
};

const CALLERS: [string, Actor | undefined][] = [
	['nobody named', undefined],
	['the app', { kind: 'app', id: 'me' }],
	['a rule', { kind: 'rule', id: 'r' }],
	['a stranger', { kind: 'outside', id: 'o' }],
	['an agent without a run', { kind: 'agent', id: 'ada' }],
	['an agent of a run nobody knows', { kind: 'agent', id: 'ada', run: 'elsewhere' }],
	['a person', person]
];

describe('S0-49 S2-86 a run begun while an act performs is the run’s own, whoever is named', () => {
	test.each(CALLERS)('S0-49 S2-86 a call by %s', async (_, by) => {
		let inner!: Run;
		const made = nest(
			({ engine }) => {
				inner = engine.call(by!, 'lab', 'link', { value: URL });
				return done();
			},
			{ tainted: true }
		);
		await settled(made);
		expect(inner.state).toMatchObject({ parent: made.top.id, root: made.top.id });
		expect(inner.state.principal).toMatchObject({ kind: by?.kind ?? 'app' });
		// What the agent has read may have chosen the address: it is not carried there without a person.
		expect(inner.state.label).toMatchObject({ integrity: 'untrusted' });
		expect(inner.state.label.sources).toContain('mail.letter');
		expect(inner.state.state).toBe('reviewing');
		expect(made.lab.log.filter(({ act }) => act === 'link')).toEqual([]);
		sound(made);
		await made.engine.dispose();
	});

	test('S2-86 the same call of the app runs where no act makes it', async () => {
		const made = laboratory([], { tainted: true });
		const run = made.engine.call({ kind: 'app', id: 'me' }, 'lab', 'link', { value: URL });
		await settled(made);
		expect(run.state.parent).toBeUndefined();
		expect(run.state.outcome?.kind).toBe('completed');
	});

	test.each(CALLERS)('S0-49 S2-86 a delegation by %s, and an offer', async (_, by) => {
		const begun: Run[] = [];
		const made = nest(
			({ engine }) => {
				begun.push(engine.run(`link ${URL}`, { by }), engine.offer(`link ${URL}`, { by }));
				return done();
			},
			{ tainted: true, below: [link(URL)] }
		);
		await settled(made);
		for (const { state } of begun) {
			expect(state).toMatchObject({ parent: made.top.id, root: made.top.id, level: made.top.state.level });
			expect(state.label.sources).toContain('mail.letter');
		}
		expect(begun.map(({ state }) => state.state)).toEqual(['reviewing', 'offered']);
		sound(made);
		await made.engine.dispose();
	});

	test.each([undefined, person])(
		'S2-86 its goal is no person’s word, though all is clean (by %o)',
		async (by) => {
			let inner!: Run;
			const made = nest(
				({ engine }) => {
					inner = engine.run(`link ${URL}`, { by });
					return done();
				},
				{ below: [link(URL)] }
			);
			await settled(made);
			expect(inner.state.label).toMatchObject({ integrity: 'trusted' });
			expect(inner.state.label.origins).toContain('agent');
			expect(inner.state.steps[0]!.label.origins).toContain('agent');
			expect(inner.state.outcome?.kind).toBe('completed');
		}
	);

	test.each([
		[undefined, 'completed'],
		[['lab'], 'refused']
	] as const)('S2-29 I8 under the scope %o a call elsewhere ends %s', async (instances, kind) => {
		let inner!: Run;
		const made = nest(
			({ engine, registry }) => {
				registry.register(labManifest(), new Lab(), { id: 'box', label: 'Box' });
				inner = engine.call({ kind: 'app', id: 'me' }, 'box', 'look', { value: 'x' });
				return done();
			},
			{ outer: { instances } }
		);
		await settled(made);
		expect(inner.state.outcome?.kind).toBe(kind);
		if (kind === 'refused') expect(inner.state.outcome!.reason!.code).toBe('scope');
	});

	test.each(['suggest', 'review', 'auto'] as const)(
		'S2-70 under the level %s no more than that is given to it',
		async (level) => {
			let inner!: Run;
			const made = nest(
				({ engine }) => {
					inner = engine.run('set', { by: { kind: 'app', id: 'me' }, level: 'auto' });
					return done();
				},
				{ way: 'look', below: [set('b', '7')], outer: { level } }
			);
			await settled(made);
			expect(inner.state.level).toBe(level);
			expect(inner.state.state).toBe(level === 'review' ? 'reviewing' : 'returned');
			expect(made.lab.cells.b).toBe(level === 'auto' ? '7' : '2');
		}
	);

	test('S0-49 who begins it may name another run that is known here, and it is that one’s', async () => {
		let inner!: Run;
		const made = nest(({ engine }) => {
			inner = engine.call({ kind: 'app', id: 'me', run: other.id }, 'lab', 'look', { value: 'x' });
			return done();
		});
		const other = made.engine.call(person, 'lab', 'look', { value: 'y' });
		// Its own act takes what was meant for the act of the run.
		made.lab.next.unshift(() => done());
		await settled(made);
		expect(inner.state.parent).toBe(other.id);
	});

	test('S2-42 after an await the actor of the call says it, or what was bound before; nobody else does', async () => {
		const begun: Record<string, Run> = {};
		const made = nest(async ({ engine, clock }, { actor }) => {
			const bound = carry(() => engine.call({ kind: 'app', id: 'me' }, 'lab', 'look', { value: 'x' }));
			await clock.sleep(10);
			begun.actor = engine.call(actor, 'lab', 'look', { value: 'x' });
			begun.bound = bound();
			begun.free = engine.call({ kind: 'app', id: 'me' }, 'lab', 'look', { value: 'x' });
			return done();
		});
		await settled(made);
		await made.clock.advance(10);
		await settled(made);
		const parents = Object.entries(begun).map(([name, { state }]) => [name, state.parent]);
		expect(Object.fromEntries(parents)).toEqual({ actor: made.top.id, bound: made.top.id, free: undefined });
		expect(made.top.state.outcome?.kind).toBe('completed');
	});
});

describe('S2-26 a run never waits for a run above it', () => {
	/** An act that begins runs and waits for all of them; each waits for nobody but those beside it. */
	const awaiting = (options: (RunOptions | undefined)[], more: Parameters<typeof nest>[1] = {}) => {
		const begun: Run[] = [];
		const made = nest(async ({ engine }) => {
			begun.push(...options.map((one) => engine.run('help', one)));
			await Promise.all(begun.map(({ returned }) => returned));
			return done();
		}, more);
		return { ...made, begun };
	};

	test('S2-26 an act that awaits it is answered, and whoever stands in line goes after them', async () => {
		const made = awaiting([undefined, { by: { kind: 'app', id: 'me' } }], { below: [look('y')] });
		const queued = made.engine.run('later', { by: person });
		const started: string[] = [];
		made.engine.subscribe(({ kind, run }) => kind === 'run.started' && started.push(run));
		await settled(made);
		expect(made.begun.map(({ state }) => state.outcome?.kind)).toEqual(
			['completed', 'completed'].map(() => 'answered')
		);
		expect(made.top.state.outcome?.kind).toBe('completed');
		expect(started).toEqual([...made.begun.map(({ id }) => id), queued.id]);
		sound(made);
	});

	test('S2-26 those beside it and strangers to it wait, one at a time', async () => {
		const made = awaiting([undefined, undefined], { below: [set('b', '7')], policy: { ceiling: 'review' } });
		await settled(made);
		const approve = (run: Run) =>
			run.decide({ review: run.state.reviews.at(-1)!.id, verdict: 'approve' }, person);
		approve(made.top);
		await settled(made);
		expect(made.begun.map(({ state }) => state.state)).toEqual(['reviewing', 'offered']);
		const stranger = made.engine.run('later', { by: person });
		approve(made.begun[0]!);
		await settled(made);
		expect(made.begun.map(({ state }) => state.state)).toEqual(['returned', 'reviewing']);
		expect(stranger.state.state).toBe('offered');
		await made.engine.dispose();
	});

	test.each(['refuse', 'supersede'] as const)(
		'S2-26 asked to %s, it means those beside it and never those above',
		async (whenBusy) => {
			const made = awaiting([{ whenBusy }, { whenBusy }], { below: [look('y')] });
			await settled(made);
			expect(made.begun.map(({ state }) => state.outcome?.kind)).toEqual(
				whenBusy === 'refuse' ? ['answered', 'refused'] : ['superseded', 'answered']
			);
			expect(made.top.state.outcome?.kind).toBe('completed');
		}
	);
});

describe('S2-38 the time of an act stands while a run that it began waits for a person', () => {
	const decide = (run: Run) =>
		run.decide({ review: run.state.reviews.at(-1)!.id, verdict: 'approve' }, person);

	/** An act that waits for a run whose step a person has to agree to; before it, `sleep` ms, after it too. */
	const asking = (way: 'set' | 'look', sleep = 0) => {
		let inner!: Run;
		const made = nest(
			async ({ engine, clock }, { actor }) => {
				await clock.sleep(sleep);
				inner = engine.run('link', { by: actor });
				await inner.returned;
				await clock.sleep(sleep);
				return done('later');
			},
			{ way, below: [link(URL)], change: { set: apart, link: { ...apart, level: 'review' } } }
		);
		return { ...made, inner: () => inner };
	};

	test.each(['set', 'look'] as const)('S2-38 however long the person takes (%s)', async (way) => {
		const made = asking(way);
		await settled(made);
		expect(made.inner().state.state).toBe('reviewing');
		await made.clock.advance(10 * 60_000 - 1);
		expect(made.top.state.state).not.toBe('escalated');
		expect(decide(made.inner())).toEqual({ ok: true });
		await settled(made);
		expect(made.top.state.outcome?.kind).toBe(way === 'set' ? 'completed' : 'answered');
		expect(JSON.stringify(made.top.state)).not.toContain('timeout');
		sound(made);
	});

	test('S2-38 and counts before and after it', async () => {
		for (const [sleep, late] of [
			[14_999, false],
			[15_001, true]
		] as const) {
			const made = asking('set', sleep);
			await settled(made);
			await made.clock.advance(sleep);
			await settled(made);
			await made.clock.advance(60_000);
			decide(made.inner());
			await settled(made);
			await made.clock.advance(sleep);
			await settled(made);
			// One that comes too late is known to have come late.
			expect(made.top.journal.some(({ kind }) => kind === 'effect.late')).toBe(late);
			expect(made.top.state.effects.map(({ status }) => status)).toEqual(['confirmed']);
			await made.engine.dispose();
		}
	});

	test('S2-38 also where a person has paused it, and where a run below that one waits', async () => {
		let inner!: Run;
		let innermost!: Run;
		const made = nest(
			async ({ engine, lab }) => {
				lab.next.push(async () => {
					innermost = engine.run('link', { by: inner.state.steps[0]!.by });
					await innermost.returned;
					return done();
				});
				inner = engine.call({ kind: 'app', id: 'me' }, 'lab', 'set', { key: 'b', value: '7' });
				await inner.returned;
				return done();
			},
			{ below: [link(URL)], change: { set: apart, link: { ...apart, level: 'review' } } }
		);
		await settled(made);
		expect(innermost.state.state).toBe('reviewing');
		await made.clock.advance(60_000);
		innermost.pause(person);
		await made.clock.advance(60_000);
		innermost.resume(person);
		decide(innermost);
		await settled(made);
		expect([innermost, inner, made.top].map(({ state }) => state.outcome?.kind)).toEqual(
			Array(3).fill('completed')
		);
		expect(innermost.state).toMatchObject({ parent: inner.id, root: made.top.id });
	});

	test('S2-38 one that nobody is asked about does not hold it, nor one that it did not begin', async () => {
		const hung = nest(async ({ engine, lab }, { actor }) => {
			lab.next.push(() => new Promise(() => undefined));
			await engine.call(actor, 'lab', 'look', { value: 'x' }).returned;
			return done();
		});
		await settled(hung);
		await hung.clock.advance(30_000);
		expect(hung.top.state.steps[0]!.reasons).toMatchObject([{ code: 'timeout' }]);

		const before = nest(
			({ engine, lab }, { actor }) => {
				engine.run('link', { by: actor });
				lab.next.push(() => new Promise(() => undefined));
				return { kind: 'retry', reason: { code: 'again', text: 'again' } };
			},
			{ below: [link(URL)], change: { set: apart, link: { ...apart, level: 'review' } } }
		);
		await settled(before);
		await before.clock.advance(30_000);
		expect(before.engine.pending.map(({ kind }) => kind)).toContain('review');
		expect(before.top.state.effects[0]!.status).toBe('unknown');
		await before.engine.dispose();
	});

	test('S2-38 a stop of the run above waits for no person', async () => {
		const made = asking('set');
		await settled(made);
		void made.top.stop('enough', person);
		await made.clock.advance(10_000);
		expect(made.top.state.outcome).toMatchObject({ kind: 'interrupted' });
		await made.engine.dispose();
	});
});
