import { describe, expect, test } from 'vitest';
import type { PolicyRule } from '../../src/lib/agent/index.js';
import { verify } from '../../src/lib/agent/index.js';
import { Lab, laboratory, look, set, share, wire } from '../fixtures/lab.js';

const ME = { kind: 'human', id: 'me' } as const;

type Made = ReturnType<typeof laboratory>;
type Call = ReturnType<typeof set>;

const pass = async ({ clock }: Made) => {
	for (let i = 0; i < 5; i++) await clock.advance(1000);
};

/** Lets a call be approved where it asks, and does something the moment the record of `kind` is told. */
async function during(
	kind: string,
	call: Call,
	meddle: (made: Made) => unknown,
	options: Parameters<typeof laboratory>[1] = {}
) {
	const made = laboratory([{ calls: [call] }, { say: 'done' }], options);
	let met = 0;
	made.engine.subscribe((record) => {
		if (record.kind === kind && (met += 1) === 1) meddle(made);
	});
	const run = made.engine.run('go', { by: ME });
	await pass(made);
	const open = run.state.reviews.find(({ status }) => status === 'open');
	if (open) run.decide({ review: open.id, verdict: 'approve' }, ME);
	await pass(made);
	expect(met).toBeGreaterThan(0);
	expect(verify(run.journal)).toEqual([]);
	return { ...made, run };
}

/** A rule that can be brought in while a run is under way. */
function denying(act: string) {
	const rules: PolicyRule[] = [];
	return {
		policy: { ceiling: 'auto' as const, rules },
		deny: () => void rules.push({ verdict: 'deny', act, reason: 'not now' })
	};
}

const runOf = ({ engine }: Made) => engine.get(engine.runs[0]!.id)!;

describe('S2-87 I7 nothing that was changed between the last look and the call is overlooked', () => {
	test.for<[string, string, (made: Made) => unknown]>([
		['what it writes has moved', 'drift', ({ lab }) => lab.put('a', 'of a person')],
		['another component stands there', 'drift', ({ remount }) => remount(new Lab())],
		['it was taken away', 'instance-gone', ({ unmount }) => unmount()],
		['it is not available any more', 'unavailable', ({ lab }) => (lab.available = 'closed')],
		['a person pauses', 'illegal-transition', (made) => runOf(made).pause(ME)],
		['a person stops', 'stopping', (made) => runOf(made).stop('no', ME)],
		[
			'a person corrects the course',
			'superseded',
			(made) => runOf(made).steer({ kind: 'correction', text: 'do not' }, ME)
		]
	])('I7 S2-87 an approved act that cannot be taken back does not run where %s', async ([, code, meddle]) => {
		const { lab, run } = await during('effect.dispatched', wire('x'), meddle, {
			change: { wire: { available: ({ available }) => available } }
		});
		expect(lab.log).toEqual([]);
		expect(run.state.effects).toMatchObject([{ status: 'failed' }]);
		expect(run.state.steps).toMatchObject([{ status: 'failed', reasons: [{ code }] }]);
	});

	test('I7 S2-87 nor under a denial that came in since', async () => {
		const { policy, deny } = denying('wire');
		const { lab, run } = await during('effect.dispatched', wire('x'), deny, { policy });
		expect(lab.log).toEqual([]);
		expect(run.state.steps).toMatchObject([{ status: 'failed', reasons: [{ code: 'denied' }] }]);
	});

	test('I7 nor on the word of policy alone where that would ask by now', async () => {
		const { lab, run } = await during('effect.dispatched', set('a', 'x'), ({ engine }) =>
			engine.setLevel('review', ME)
		);
		expect(lab.log).toEqual([]);
		expect(run.state.steps[0]).toMatchObject({ status: 'failed', reasons: [{ code: 'stale' }] });
	});

	test('S2-87 nor beyond the page, where it would be lost', async () => {
		const { lab } = await during('effect.dispatched', share('a', 'x'), ({ lab }) => lab.put('a', 'mine'));
		expect([lab.log, lab.cells.a]).toEqual([[], 'mine']);
	});

	test('I7 what it does not depend on may move, and it runs once', async () => {
		const { lab, run } = await during('effect.dispatched', set('a', 'x'), ({ lab }) => lab.put('b', 'mine'));
		expect(lab.log).toHaveLength(1);
		expect(lab.cells).toEqual({ a: 'x', b: 'mine' });
		expect(run.state.outcome?.kind).toBe('completed');
	});

	test.for([
		['effect.intended', 'refused', {}],
		['effect.dispatched', 'failed', {}],
		// No version tells that it is gone.
		['effect.intended', 'refused', { touches: [] }],
		['effect.dispatched', 'failed', { touches: [] }]
	] as const)(
		'I7 a component that takes itself away while it is asked behind %s is not called (%s, %o)',
		async ([kind, status, declared]) => {
			const made = laboratory([{ calls: [set('a', 'x')] }, { say: 'done' }], {
				change: {
					set: {
						...declared,
						available: () => {
							if (under) made.unmount();
							return true;
						}
					}
				}
			});
			let under = false;
			made.engine.subscribe((record) => (under ||= record.kind === kind));
			const run = made.engine.run('go', { by: ME });
			await pass(made);
			expect(under).toBe(true);
			expect(made.lab.log).toEqual([]);
			expect(run.state.steps[0]!.status).toBe(status);
		}
	);
});

describe('S2-87 a call without effect is looked at again as well', () => {
	test.for<[string, (made: Made) => unknown]>([
		['a person stops', (made) => runOf(made).stop('no', ME)],
		['it was taken away', ({ unmount }) => unmount()],
		['another component stands there', ({ remount }) => remount(new Lab())],
		['it is not available any more', ({ lab }) => (lab.available = 'closed')],
		['its engine was thrown away', ({ engine }) => engine.abandon()]
	])('S2-87 a look-up is not performed where %s', async ([, meddle]) => {
		const { lab } = await during('call.admitted', look('x'), meddle);
		expect(lab.log).toEqual([]);
	});

	test.for<['deny' | 'ask']>([['deny'], ['ask']])(
		'S2-87 nor where a rule says "%s" by now',
		async ([verdict]) => {
			const rules: PolicyRule[] = [];
			const bring = () => void rules.push({ verdict, act: 'look', reason: 'not now' });
			const policy = { ceiling: 'auto' as const, rules };
			const { lab, run } = await during('call.admitted', look('x'), bring, { policy });
			expect(lab.log).toEqual([]);
			expect(run.state.outcome?.kind).toBe('answered');
		}
	);

	test('S2-87 I11 a pause holds it, and it is performed once when the person goes on', async () => {
		const { lab, run, ...made } = await during('call.admitted', look('x'), (made) => runOf(made).pause(ME));
		expect(lab.log).toEqual([]);
		run.resume(ME);
		await pass({ lab, ...made });
		expect(lab.log).toHaveLength(1);
		expect(run.state.outcome).toMatchObject({ kind: 'answered', spent: { acts: 1 } });
	});

	test('S2-87 a correction supersedes it', async () => {
		const { lab, run } = await during('call.admitted', look('x'), (made) =>
			runOf(made).steer({ kind: 'correction', text: 'do not' }, ME)
		);
		expect(lab.log).toEqual([]);
		expect(run.state.outcome?.kind).toBe('answered');
	});

	test('S2-87 what nothing came between is performed', async () => {
		const { lab } = await during('call.admitted', look('x'), () => undefined);
		expect(lab.log).toHaveLength(1);
	});
});
